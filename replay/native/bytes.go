package native

import (
	"errors"
	"math"
	"strconv"
	"strings"
)

// byteSize is a flag of a number of bytes: "4k", "1m", "8g" or plain bytes.
type byteSize int64

// String returns the bytes.
func (b *byteSize) String() string { return strconv.FormatInt(int64(*b), 10) }

// Set reads the flag's text.
func (b *byteSize) Set(text string) error {
	unit := int64(1)
	digits := strings.ToLower(text)
	for suffix, u := range map[string]int64{"k": 1 << 10, "m": 1 << 20, "g": 1 << 30} {
		if rest, ok := strings.CutSuffix(digits, suffix); ok {
			digits, unit = rest, u
			break
		}
	}
	n, err := strconv.ParseInt(digits, 10, 64)
	if err != nil || n <= 0 || n > math.MaxInt64/unit {
		return errors.New("want a number of bytes such as 4k or 8g")
	}
	*b = byteSize(n * unit)
	return nil
}
