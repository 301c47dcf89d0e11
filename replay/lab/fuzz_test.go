package lab

import (
	"testing"

	"github.com/benchproof/benchproof/result"
)

// Whatever is read as a configuration can be made: its text reads as the same,
// and the number of disks is within its bounds.
func FuzzParseSpec(f *testing.F) {
	for _, text := range []string{"ext4", "btrfs:raid1:2", "md:raid10:xfs:6", "zfs:raidz2", "MDADM:raid0:f2fs", "btrfs:raid6:017", "xfs:", ":::"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		s, err := ParseSpec(text)
		if err != nil {
			return
		}
		if again, err := ParseSpec(s.String()); err != nil || again != s {
			t.Errorf("%q is %s, which reads as %+v, %v", text, s, again, err)
		}
		if n := s.Number(); n < s.least() || n > maxDisks || s.spread() < 1 || s.Room(1<<30) <= 0 {
			t.Errorf("%q: %d disks, spread %v, room %d", text, n, s.spread(), s.Room(1<<30))
		}
	})
}

// Whatever a published system is called, what it is taken for can be made, or
// there is a reason.
func FuzzPropose(f *testing.F) {
	f.Add("mdadm XFS: RAID 10", "xfs", "4 x 120GB INTEL")
	f.Add("ZFS RAIDZ Dual 900p", "zfs", "99 x 1GB")
	f.Add("RAID1 RAID0 zfs raidz3", "", "0 x ")
	f.Add("\xff\x00 raid 6", "btrfs", "3 x 1")
	f.Fuzz(func(t *testing.T, name, fs, disk string) {
		p := propose(system(name, fs, disk))
		if (p.Spec == "") != (p.Reason != "") {
			t.Errorf("%q: %q for %q", name, p.Spec, p.Reason)
		}
		if p.Spec == "" {
			return
		}
		s, err := ParseSpec(p.Spec)
		if err != nil || s != p.spec && s.Level != "" {
			t.Errorf("%q: %q reads as %+v, %v", name, p.Spec, s, err)
		}
		list, _, err := Choose([]Spec{s}, false, []*result.System{system(name, fs, disk)}, nil)
		if err != nil || len(list) != 1 || list[0].Label != name {
			t.Errorf("%q: chosen %+v, %v", name, list, err)
		}
	})
}
