package lab

import (
	"fmt"
	"math/bits"
	"strconv"
	"strings"

	"github.com/benchproof/benchproof/internal/phrase"
)

// Config is a configuration as a plan holds it: what is to be made of how many
// disks, where, and how fast they may be.
type Config struct {
	Spec  string `json:"spec"`
	Disks int    `json:"disks"`
	Dir   string `json:"image_dir"`   // absolute
	Size  int64  `json:"image_bytes"` // of each disk
	Limit Limit  `json:"limit"`
	// Guest is how the guest runs in which it stands, "tcg" or "kvm"; "" for
	// this machine.
	Guest string `json:"guest,omitempty"`
	// Lacks is what is missing here to make it, "" for nothing, and Hint what
	// would help.
	Lacks string `json:"lacks"`
	Hint  string `json:"hint,omitempty"`
	// Note says what was guessed of the published system that it stands for.
	Note string `json:"note"`
}

// Limit is the most that each disk of a lab does, of reads and of writes each;
// 0 for as much as it can.
type Limit struct {
	IOPS  int64 `json:"iops"`
	Bytes int64 `json:"bytes_per_second"`
}

// String returns the limit for people, "" for none: "200 IOPS and 50 MiB/s".
func (l Limit) String() string {
	var parts []string
	if l.IOPS > 0 {
		parts = append(parts, fmt.Sprintf("%d IOPS", l.IOPS))
	}
	if l.Bytes > 0 {
		if l.Bytes%(1<<20) == 0 {
			parts = append(parts, fmt.Sprintf("%d MiB/s", l.Bytes>>20))
		} else {
			parts = append(parts, strconv.FormatFloat(float64(l.Bytes)/1e6, 'f', -1, 64)+" MB/s")
		}
	}
	return strings.Join(parts, " and ")
}

// ParseLimit reads a limit: iops=N, bps=SIZE, or both with a comma between them
// ("iops=200,bps=50M").
func ParseLimit(text string) (Limit, error) {
	var l Limit
	for part := range strings.SplitSeq(text, ",") {
		key, value, _ := strings.Cut(strings.TrimSpace(part), "=")
		at := &l.IOPS
		switch key {
		case "iops":
		case "bps":
			at = &l.Bytes
		default:
			return Limit{}, fmt.Errorf("%q: want iops=N or bps=SIZE", part)
		}
		n, err := ParseSize(value)
		switch {
		case err != nil:
			return Limit{}, fmt.Errorf("%q: want iops=N or bps=SIZE, such as iops=200 or bps=50M", part)
		case *at > 0:
			return Limit{}, fmt.Errorf("%q: %s is there twice", text, key)
		case n < 1 || key == "iops" && n > 10_000_000:
			return Limit{}, fmt.Errorf("%q: want 1 or more, and at most 10000000 for iops", part)
		}
		*at = n
	}
	return l, nil
}

// sizeUnits are the units of sizes: powers of 1024, as the disk tools have
// them.
var sizeUnits = map[string]int{"": 0, "k": 10, "m": 20, "g": 30, "t": 40}

// ParseSize reads a number of bytes: 8G, 512M, 300MiB, 1048576. Units are
// powers of 1024.
func ParseSize(text string) (int64, error) {
	number := strings.TrimRight(strings.ToLower(strings.TrimSpace(text)), "ib")
	i := strings.IndexFunc(number, func(c rune) bool { return c < '0' || c > '9' })
	if i < 0 {
		i = len(number)
	}
	shift, known := sizeUnits[number[i:]]
	n, err := strconv.ParseUint(number[:i], 10, 63)
	if err != nil || !known {
		return 0, fmt.Errorf("%q: want a size such as 8G or 512M", text)
	}
	if bits.Len64(n)+shift > 62 {
		return 0, fmt.Errorf("%q: want a size below 4 EiB", text)
	}
	return int64(n) << shift, nil
}

// Bounds of the size of an image.
const (
	MinSize = 16 << 20
	MaxSize = 64 << 40
)

// Text returns the configuration for people: "btrfs:raid1 on 4 images of 8 GiB".
func (c *Config) Text() string {
	text := fmt.Sprintf("%s on %s of %s", c.Spec, phrase.Count(c.Disks, "image"), sizeText(c.Size))
	if l := c.Limit.String(); l != "" {
		text += ", " + l + " each"
	}
	if c.Guest != "" {
		text += ", in a guest"
	}
	return text
}

// guestText says what the disks of a guest are.
func (c *Config) guestText() string {
	text := "virtio disks of a QEMU guest (" + c.Guest + "), past the page cache of its host"
	if c.Limit != (Limit{}) {
		text += "; limited by QEMU, reads and writes together, while files are laid out too; the host does not wait for its disk when the guest flushes"
	}
	return text
}

// Scaling returns what of the disks was shrunk, "" for nothing. It is the same
// for all configurations of a lab, whose values can then be compared.
func (c *Config) Scaling() string {
	l := c.Limit.String()
	switch {
	case l != "" && c.Guest != "":
		return "disks of a guest of " + l + " each"
	case l != "":
		return "lab disks of " + l + " each"
	case c.Guest != "":
		return "disks of a guest"
	}
	return ""
}

// NotComparable returns why values of a lab say nothing of the published ones.
func (c *Config) NotComparable() string {
	if c.Guest != "" {
		return "guest: on images of disks, in a machine that is not the published one and not this; ratios alone tell"
	}
	return "lab: on images of disks; ratios alone tell"
}

func sizeText(n int64) string {
	for _, u := range []struct {
		shift int
		name  string
	}{{40, "TiB"}, {30, "GiB"}, {20, "MiB"}, {10, "KiB"}} {
		if n >= 1<<u.shift {
			return strconv.FormatFloat(float64(n)/float64(int64(1)<<u.shift), 'g', 4, 64) + " " + u.name
		}
	}
	return phrase.Count(int(n), "byte")
}
