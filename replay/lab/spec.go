package lab

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/benchproof/benchproof/internal/phrase"
)

// Spec is a configuration of the lab: a file-system on one disk, on several of
// its own, or on an array below it. It is written
//
//	FS               ext4, xfs, btrfs, f2fs, zfs: one disk
//	FS:LEVEL[:N]     btrfs:raid1, zfs:raidz: the file-system's own levels
//	md:LEVEL:FS[:N]  md:raid5:xfs: an array of mdadm below a file-system
//
// where N is the number of disks.
type Spec struct {
	FS    string // "ext4"
	Array string // "md" for an array below the file-system, else ""
	Level string // "raid1", "mirror"; "" for a single disk
	Disks int    // 0 where the text says none
}

// maxDisks is the most disks of one configuration.
const maxDisks = 16

// levels are the levels of what has any: the fewest disks of each, and the
// number where none is said.
var levels = map[string]map[string]struct{ least, usual int }{
	"btrfs": {"raid0": {2, 4}, "raid1": {2, 4}, "raid10": {4, 4}, "raid5": {3, 4}, "raid6": {4, 4}},
	"md":    {"raid0": {2, 4}, "raid1": {2, 4}, "raid10": {2, 4}, "raid5": {3, 4}, "raid6": {4, 4}},
	"zfs":   {"stripe": {2, 4}, "mirror": {2, 2}, "raidz": {2, 4}, "raidz2": {3, 4}},
}

// fileSystems are those that the lab can make, with the least size of a disk in
// bytes that their mkfs takes.
var fileSystems = map[string]int64{
	"ext4": 16 << 20, "xfs": 300 << 20, "btrfs": 128 << 20, "f2fs": 64 << 20, "zfs": 64 << 20,
}

// arrayFS are the file-systems that are made on an array of mdadm.
var arrayFS = []string{"ext4", "xfs", "btrfs", "f2fs"}

// SpecError says why a text is no configuration.
type SpecError struct {
	Text, Reason string
	// Known are texts that would be right in its place.
	Known []string
}

// Error returns the text and the reason.
func (e *SpecError) Error() string { return fmt.Sprintf("configuration %q: %s", e.Text, e.Reason) }

// ParseSpec reads a configuration. Letter case does not count. The error is a
// [*SpecError].
func ParseSpec(text string) (Spec, error) {
	fail := func(known []string, format string, args ...any) (Spec, error) {
		return Spec{}, &SpecError{text, fmt.Sprintf(format, args...), known}
	}
	parts := strings.Split(strings.ToLower(strings.TrimSpace(text)), ":")
	var s Spec
	leveled := false
	switch first := parts[0]; {
	case first == "md" || first == "mdadm":
		if len(parts) < 3 {
			return fail([]string{"md:raid1:ext4"}, "want md:LEVEL:FS or md:LEVEL:FS:DISKS")
		}
		s.Array, s.Level, s.FS, leveled = "md", parts[1], parts[2], true
		if !slices.Contains(arrayFS, s.FS) {
			return fail(arrayFS, "%q is no file-system of an array: want %s", s.FS, phrase.Or(arrayFS))
		}
		parts = parts[3:]
	case fileSystems[first] > 0:
		s.FS = first
		parts = parts[1:]
		if len(parts) > 0 {
			s.Level, leveled = parts[0], true
			parts = parts[1:]
		}
	default:
		known := sorted(fileSystems)
		return fail(known, "%q is no file-system of the lab: want %s", first, phrase.Or(append(slices.Clone(known), "md:LEVEL:FS")))
	}
	owner := s.owner()
	if leveled {
		if levels[owner] == nil {
			return fail([]string{s.FS, "md:" + s.Level + ":" + s.FS}, "%s has no levels of its own: md:LEVEL:%s makes an array below it", s.FS, s.FS)
		}
		if _, ok := levels[owner][s.Level]; !ok {
			known := sorted(levels[owner])
			return fail(known, "%q is no level of %s: want %s", s.Level, owner, phrase.Or(known))
		}
	}
	if len(parts) > 1 {
		return fail(nil, "%q stands behind the number of disks: want nothing there", strings.Join(parts[1:], ":"))
	}
	if len(parts) == 1 {
		n, err := strconv.Atoi(parts[0])
		if least := s.least(); err != nil || n < least || n > maxDisks {
			return fail(nil, "%q is no number of disks: want %d to %d", parts[0], least, maxDisks)
		}
		s.Disks = n
	}
	return s, nil
}

// ParseSpecs reads configurations with commas between them. None may be there
// twice.
func ParseSpecs(text string) ([]Spec, error) {
	var list []Spec
	for part := range strings.SplitSeq(text, ",") {
		s, err := ParseSpec(part)
		if err != nil {
			return nil, err
		}
		if slices.Contains(list, s) {
			return nil, &SpecError{part, "it is there twice", nil}
		}
		list = append(list, s)
	}
	return list, nil
}

func sorted[V any](m map[string]V) []string {
	var names []string
	for name := range m {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// owner is what the levels are of.
func (s Spec) owner() string {
	if s.Array != "" {
		return s.Array
	}
	return s.FS
}

func (s Spec) least() int {
	if s.Level == "" {
		return 1
	}
	return levels[s.owner()][s.Level].least
}

// String returns the text of the configuration. The number of disks is part of
// it where it was said.
func (s Spec) String() string {
	var parts []string
	if s.Array != "" {
		parts = append(parts, s.Array, s.Level, s.FS)
	} else {
		parts = append(parts, s.FS)
		if s.Level != "" {
			parts = append(parts, s.Level)
		}
	}
	if s.Disks > 0 && s.Level != "" {
		parts = append(parts, strconv.Itoa(s.Disks))
	}
	return strings.Join(parts, ":")
}

// Number returns how many disks it takes: what was said, else one, or four of
// a level, two of a mirror.
func (s Spec) Number() int {
	switch {
	case s.Level == "":
		return 1
	case s.Disks > 0:
		return s.Disks
	}
	return levels[s.owner()][s.Level].usual
}

// alike reports whether two configurations are the same but for a number of
// disks that one of them leaves open.
func (s Spec) alike(o Spec) bool {
	if s.Disks == 0 || o.Disks == 0 {
		s.Disks, o.Disks = 0, 0
	}
	return s == o
}

// data returns how many disks' worth of data it holds.
func (s Spec) data() float64 {
	n := float64(s.Number())
	switch s.Level {
	case "raid1":
		if s.Array == "" {
			return n / 2 // btrfs keeps two copies, whatever the number
		}
		return 1
	case "mirror":
		return 1
	case "raid10":
		return n / 2
	case "raid5", "raidz":
		return n - 1
	case "raid6", "raidz2":
		return n - 2
	}
	return n
}

// spread returns how many bytes the disks take for each byte of a file.
func (s Spec) spread() float64 { return float64(s.Number()) / s.data() }

// Room returns about how many bytes of files fit on it with disks of such a
// size: nine tenths of the level's share, less an eighth of a disk or 64 MiB for
// a journal.
func (s Spec) Room(size int64) int64 {
	return max(int64(0.9*s.data()*float64(size))-min(size/8, 64<<20), 0)
}
