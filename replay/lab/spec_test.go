package lab

import (
	"errors"
	"strings"
	"testing"
)

func TestParseSpec(t *testing.T) {
	for _, tt := range []struct {
		text, want string
		disks      int
		spread     float64 // worked by hand from the levels
	}{
		{"ext4", "ext4", 1, 1},
		{" XFS ", "xfs", 1, 1},
		{"btrfs", "btrfs", 1, 1},
		{"btrfs:raid0", "btrfs:raid0", 4, 1},
		{"btrfs:raid1", "btrfs:raid1", 4, 2},
		{"btrfs:raid1:2", "btrfs:raid1:2", 2, 2},
		{"btrfs:raid1:4", "btrfs:raid1:4", 4, 2},
		{"btrfs:raid10", "btrfs:raid10", 4, 2},
		{"btrfs:raid5", "btrfs:raid5", 4, 4.0 / 3},
		{"btrfs:raid6:6", "btrfs:raid6:6", 6, 1.5},
		{"f2fs", "f2fs", 1, 1},
		{"zfs:mirror", "zfs:mirror", 2, 2},
		{"zfs:raidz:2", "zfs:raidz:2", 2, 2},
		{"md:raid0:ext4", "md:raid0:ext4", 4, 1},
		{"mdadm:RAID1:xfs", "md:raid1:xfs", 4, 4},
		{"md:raid1:f2fs:2", "md:raid1:f2fs:2", 2, 2},
		{"md:raid5:btrfs:3", "md:raid5:btrfs:3", 3, 1.5},
	} {
		s, err := ParseSpec(tt.text)
		if err != nil {
			t.Errorf("%q: %v", tt.text, err)
			continue
		}
		if s.String() != tt.want || s.Number() != tt.disks || s.spread() != tt.spread {
			t.Errorf("%q: got %s, %d disks, spread %v; want %s, %d, %v", tt.text, s, s.Number(), s.spread(), tt.want, tt.disks, tt.spread)
		}
		if again, err := ParseSpec(s.String()); err != nil || again != s {
			t.Errorf("%q: %s reads as %+v, %v", tt.text, s, again, err)
		}
	}
	for text, want := range map[string]string{
		"":                 "is no file-system",
		"ntfs":             "want btrfs, ext4, f2fs, xfs, zfs",
		"ext4:raid0":       "md:LEVEL:ext4 makes an array",
		"btrfs:raid7":      "want raid0, raid1, raid10, raid5 or raid6",
		"btrfs:mirror":     "is no level of btrfs",
		"md":               "md:LEVEL:FS",
		"md::xfs":          `"" is no level of md`,
		"btrfs:":           `"" is no level of btrfs`,
		"ext4:":            "has no levels of its own",
		"md:raid1":         "md:LEVEL:FS",
		"md:raid1:zfs":     "is no file-system of an array",
		"md:raid2:ext4":    "is no level of md",
		"btrfs:raid10:3":   "want 4 to 16",
		"btrfs:raid5:2":    "want 3 to 16",
		"btrfs:raid1:17":   "want 2 to 16",
		"btrfs:raid1:-2":   "is no number",
		"btrfs:raid1:2:3":  "want nothing there",
		"md:raid1:xfs:2:3": "want nothing there",
		"xfs;rm -rf":       "is no file-system",
	} {
		_, err := ParseSpec(text)
		var e *SpecError
		if !errors.As(err, &e) || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got %v, want %q", text, err, want)
		}
	}
	if _, err := ParseSpecs("ext4,xfs,ext4"); err == nil || !strings.Contains(err.Error(), "twice") {
		t.Errorf("twice: %v", err)
	}
	if list, err := ParseSpecs("ext4,btrfs:raid1,md:raid6:xfs"); err != nil || len(list) != 3 {
		t.Errorf("a list: %v, %v", list, err)
	}
}

func TestAlike(t *testing.T) {
	for _, tt := range []struct {
		a, b string
		want bool
	}{
		{"btrfs:raid1", "btrfs:raid1:2", true},
		{"btrfs:raid1:4", "btrfs:raid1:2", false},
		{"btrfs:raid1", "md:raid1:btrfs", false},
		{"btrfs", "btrfs:raid0", false},
		{"xfs", "xfs", true},
	} {
		a, _ := ParseSpec(tt.a)
		b, _ := ParseSpec(tt.b)
		if a.alike(b) != tt.want || b.alike(a) != tt.want {
			t.Errorf("%s and %s: alike %v", tt.a, tt.b, !tt.want)
		}
	}
}
