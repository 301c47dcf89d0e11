package result

import (
	"math"
	"math/big"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// TestParseNumberNearest: a printed number becomes the float64 nearest to it,
// the sign of zero included, by whichever way it is read.
func TestParseNumberNearest(t *testing.T) {
	check := func(t interface{ Fatalf(string, ...any) }, text string) {
		got, ok := ParseNumber(text)
		want, err := strconv.ParseFloat(text, 64)
		if !ok || err != nil || got != want || math.Signbit(got) != math.Signbit(want) {
			t.Fatalf("%q: got %v %t, want %v %v", text, got, ok, want, err)
		}
	}
	for _, text := range []string{
		"0", "-0", "+0.00", ".5", "5.", "-5.", "0.1", "86.08", "123456789012345", "1234567890123.45", "0.000000000000001",
		"1234567890123456", "9007199254740993", "0.1234567890123456", "99999999999999.9", "00000000000000000001.5", "1e3", "-1.5E-3",
	} {
		check(t, text)
	}
	rapid.Check(t, func(t *rapid.T) {
		check(t, rapid.StringMatching(`[-+]?[0-9]{1,18}(\.[0-9]{0,18})?(e[-+]?[0-9]{1,2})?`).Draw(t, "text"))
	})
	for _, text := range []string{"", ".", "-", "+.", "1.2.3", "1,2", "NaN", "inf", "0x10", "1_000", " 1", "1 ", "1e", "e5", "--1", "1-", "1" + strings.Repeat("0", 400)} {
		if v, ok := ParseNumber(text); ok {
			t.Errorf("%q is %v", text, v)
		}
	}
}

// TestHalfUnitNearest: half a unit is the float64 nearest to 5 × 10^-(places+1).
func TestHalfUnitNearest(t *testing.T) {
	for places := range 40 {
		for whole := range 20 {
			text := strings.Repeat("7", whole+1)
			if places > 0 {
				text += "." + strings.Repeat("3", places)
			}
			ten := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(places)), nil)
			want, _ := new(big.Rat).SetFrac(big.NewInt(1), ten.Mul(ten, big.NewInt(2))).Float64()
			if got := HalfUnit(text); got != want {
				t.Errorf("%q: got %v, want %v", text, got, want)
			}
		}
	}
	for text, want := range map[string]float64{"": 0, "NaN": 0, "1,2": 0, "12.3e3": 50, "1e-3": 0.0005, "-4.0": 0.05, "7.": 0.5} {
		if got := HalfUnit(text); got != want {
			t.Errorf("%q: got %v, want %v", text, got, want)
		}
	}
}
