package lab

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/benchproof/benchproof/result"
)

// published returns the systems of a sample's verified record.
func published(t *testing.T, name string) []*result.System {
	t.Helper()
	file, err := os.Open(filepath.Join("..", "..", "samples", "truth", name+".json"))
	if err != nil {
		t.Skip("needs the published samples: ", err)
	}
	defer file.Close()
	files, err := result.DecodeJSON(file)
	if err != nil || len(files) != 1 {
		t.Fatalf("%d files: %v", len(files), err)
	}
	var list []*result.System
	for i := range files[0].Systems {
		list = append(list, &files[0].Systems[i])
	}
	return list
}

// proposals are what a reader of the five dumps takes their systems for. A
// name with a dash has no configuration, with the word of the reason behind it;
// a question mark says that something of it is a guess.
var proposals = map[string][][2]string{
	"f2fs-xfs-ext4-hdd-ssd.flat": {
		{"HDD: EXT4", "ext4"},
		{"HDD: F2FS", "f2fs"},
		{"HDD: XFS", "xfs"},
		{"SSD: EXT4", "ext4"},
		{"SSD: F2FS", "f2fs"},
		{"SSD: XFS", "xfs"},
	},
	"linux-5.14-filesystems": {
		{"F2FS", "f2fs"},
		{"Btrfs", "btrfs"},
		{"EXT4", "ext4"},
		{"XFS", "xfs"},
		{"ext4 - 4 x 4001GB CT4000P3PSSD8", "ext4 ?"},
		{"Tests with bad nvme sector size 512 and bad zfs block size", "zfs ?"},
		{"Tests with low-level reformatted nvme 4k sectors and new zfs pool ashift=12", "zfs ?"},
	},
	"mdadm-raid-levels": {
		{"Native Btrfs: RAID 0", "btrfs:raid0:4"},
		{"Native Btrfs: RAID 1", "btrfs:raid1:4"},
		{"Native Btrfs: RAID 10", "btrfs:raid10:4"},
		{"Native Btrfs: RAID 5", "btrfs:raid5:4"},
		{"Native Btrfs: RAID 6", "btrfs:raid6:4"},
		{"mdadm Btrfs: RAID 0", "md:raid0:btrfs:4"},
		{"mdadm Btrfs: RAID 1", "md:raid1:btrfs:4"},
		{"mdadm Btrfs: RAID 10", "md:raid10:btrfs:4"},
		{"mdadm Btrfs: RAID 5", "md:raid5:btrfs:4"},
		{"mdadm Btrfs: RAID 6", "md:raid6:btrfs:4"},
		{"mdadm EXT4: RAID 0", "md:raid0:ext4:4"},
		{"mdadm EXT4: RAID 1", "md:raid1:ext4:4"},
		{"mdadm EXT4: RAID 10", "md:raid10:ext4:4"},
		{"mdadm EXT4: RAID 5", "md:raid5:ext4:4"},
		{"mdadm EXT4: RAID 6", "md:raid6:ext4:4"},
		{"mdadm XFS: RAID 0", "md:raid0:xfs:4"},
		{"mdadm XFS: RAID 1", "md:raid1:xfs:4"},
		{"mdadm XFS: RAID 10", "md:raid10:xfs:4"},
		{"mdadm XFS: RAID 5", "md:raid5:xfs:4"},
		{"mdadm XFS: RAID 6", "md:raid6:xfs:4"},
		{"mdadm F2FS: RAID 0", "md:raid0:f2fs:4"},
		{"mdadm F2FS: RAID 1", "md:raid1:f2fs:4"},
		{"mdadm F2FS: RAID 10", "md:raid10:f2fs:4"},
		{"mdadm F2FS: RAID 5", "md:raid5:f2fs:4"},
		{"mdadm F2FS: RAID 6", "md:raid6:f2fs:4"},
		{"Glusterfs-1G on XFS SSD via NFS-1G", "- gluster"},
		{"Glusterfs-1G on XFS SSD via NFG-1G noop", "- gluster"},
	},
	"optane-900p-raid": {
		{"EXT4 Samsung 970 EVO 500GB", "ext4"},
		{"EXT4 900p", "ext4"},
		{"XFS 900p", "xfs"},
		{"Btrfs 900p", "btrfs"},
		{"F2FS 900p", "f2fs"},
		{"EXT4 RAID0 Dual 900p", "md:raid0:ext4:2 ?"},
		{"XFS RAID0 Dual 900p", "md:raid0:xfs:2 ?"},
		{"F2FS RAID0 Dual 900p", "md:raid0:f2fs:2 ?"},
		{"EXT4 RAID1 Dual 900p", "md:raid1:ext4:2 ?"},
		{"XFS RAID1 Dual 900p", "md:raid1:xfs:2 ?"},
		{"F2FS RAID1 Dual 900p", "md:raid1:f2fs:2 ?"},
		{"Btrfs RAID0 Dual 900p", "btrfs:raid0:2 ?"},
		{"Btrfs RAID1 Dual 900p", "btrfs:raid1:2 ?"},
		{"ZFS 900p", "zfs ?"},
		{"ZFS RAIDZ Dual 900p", "zfs:raidz:2"},
	},
	"ssd-vs-zfs-hdds.flat": {
		{"SSD", "ext4"},
		{"ZFS Mirror", "zfs:mirror ?"},
	},
}

func TestProposeDumps(t *testing.T) {
	for dump, want := range proposals {
		t.Run(dump, func(t *testing.T) {
			systems := published(t, dump)
			if len(systems) != len(want) {
				t.Errorf("%d systems, want %d", len(systems), len(want))
			}
			for i, s := range systems {
				if i >= len(want) {
					break
				}
				p := propose(s)
				got := p.Spec
				if p.Doubt != "" {
					got += " ?"
				}
				if p.Spec == "" {
					got = "-"
					if _, why, ok := strings.Cut(want[i][1], "- "); ok && strings.Contains(p.Reason, why) {
						got = want[i][1]
					}
				}
				if s.Identifier != want[i][0] || got != want[i][1] {
					t.Errorf("%q: %s (%s%s), want %q: %s", s.Identifier, got, p.Doubt, p.Reason, want[i][0], want[i][1])
				}
			}
		})
	}
}

func system(id, fs, disk string) *result.System {
	return &result.System{
		Identifier: id,
		Software:   []result.Component{{Key: "File-System", Value: fs}},
		Hardware:   []result.Component{{Key: "Disk", Value: disk}},
	}
}

func TestPropose(t *testing.T) {
	for _, tt := range []struct{ id, fs, disk, spec, word string }{
		{"Dual SSD", "xfs", "", "xfs", "2 disks, and no level"},
		{"RAID-10", "xfs", "6 x 1TB", "md:raid10:xfs:6", "mdadm is taken"},
		{"md RAID 5", "ext4", "2 x 1TB", "md:raid5:ext4", "the lab makes no raid5 of 2 disks"},
		{"EXT4 and XFS", "xfs", "", "", "several file-systems"},
		{"EXT4", "btrfs", "", "ext4", "its File-System is btrfs"},
		{"bcachefs", "bcachefs", "", "", "bcache"},
		{"Stock", "reiserfs", "", "", "reiserfs is no file-system of the lab"},
		{"Stock", "", "", "", "neither its name nor"},
		{"LUKS", "ext4", "", "", "luks"},
		{"RAIDZ2", "zfs", "6 x 4TB", "zfs:raidz2:6", ""},
		{"ZFS RAID1", "zfs", "", "zfs:mirror", ""},
		{"Native Btrfs RAID1", "btrfs", "", "btrfs:raid1", ""},
		{"$(rm -rf /) ext4", "", "", "ext4", ""},
	} {
		p := propose(system(tt.id, tt.fs, tt.disk))
		if p.Spec != tt.spec || !strings.Contains(p.Doubt+p.Reason, tt.word) || tt.word == "" && p.Doubt+p.Reason != "" {
			t.Errorf("%s on %s: %q %q %q, want %q %q", tt.id, tt.fs, p.Spec, p.Doubt, p.Reason, tt.spec, tt.word)
		}
	}
}

func choose(t *testing.T, systems []*result.System, specs string, maps ...Mapping) []Choice {
	t.Helper()
	var wanted []Spec
	if specs != "" && specs != Published {
		var err error
		if wanted, err = ParseSpecs(specs); err != nil {
			t.Fatal(err)
		}
	}
	list, _, err := Choose(wanted, specs == Published, systems, maps)
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func spec(t *testing.T, text string) Spec {
	t.Helper()
	s, err := ParseSpec(text)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestChoose(t *testing.T) {
	optane := published(t, "optane-900p-raid")
	disks := published(t, "f2fs-xfs-ext4-hdd-ssd.flat")
	mdadm := published(t, "mdadm-raid-levels")
	type want struct{ label, spec, note string }
	check := func(name string, got []Choice, wants ...want) {
		t.Helper()
		if len(got) != len(wants) {
			t.Fatalf("%s: %d choices, want %d: %+v", name, len(got), len(wants), got)
		}
		for i, w := range wants {
			if g := got[i]; g.Label != w.label || g.Spec.String() != w.spec || !strings.Contains(g.Note, w.note) || w.note == "" && g.Note != "" {
				t.Errorf("%s: %q is %s (%s), want %q, %s (%s)", name, g.Label, g.Spec, g.Note, w.label, w.spec, w.note)
			}
		}
	}
	// The other names of the set say 900p, so ext4 is the 900p's; the dual
	// ones say two disks.
	check("optane", choose(t, optane, "ext4,xfs,btrfs,btrfs:raid0,btrfs:raid1"),
		want{"EXT4 900p", "ext4", "may as well stand for EXT4 Samsung 970 EVO 500GB"},
		want{"XFS 900p", "xfs", ""},
		want{"Btrfs 900p", "btrfs", ""},
		want{"Btrfs RAID0 Dual 900p", "btrfs:raid0:2", "own raid0 is taken"},
		want{"Btrfs RAID1 Dual 900p", "btrfs:raid1:2", "own raid1 is taken"})
	check("another number", choose(t, optane, "btrfs:raid0:4,btrfs:raid6"),
		want{"Btrfs RAID0 Dual 900p", "btrfs:raid0:4", "published with 2 disks, here 4"},
		want{"btrfs:raid6", "btrfs:raid6", "no published system"})
	check("mapped", choose(t, optane, "ext4,xfs", Mapping{"EXT4 Samsung 970 EVO 500GB", spec(t, "ext4")}, Mapping{"ZFS 900p", spec(t, "btrfs")}),
		want{"EXT4 Samsung 970 EVO 500GB", "ext4", ""},
		want{"XFS 900p", "xfs", ""},
		want{"ZFS 900p", "btrfs", ""})
	check("one for two", choose(t, disks, "ext4", Mapping{"HDD: EXT4", spec(t, "ext4")}, Mapping{"SSD: EXT4", spec(t, "ext4")}),
		want{"HDD: EXT4", "ext4", ""},
		want{"SSD: EXT4", "ext4", ""})
	check("two alike", choose(t, disks, "ext4,xfs,f2fs"),
		want{"HDD: EXT4", "ext4", "SSD: EXT4"},
		want{"HDD: XFS", "xfs", "SSD: XFS"},
		want{"HDD: F2FS", "f2fs", "SSD: F2FS"})
	check("levels", choose(t, mdadm, "btrfs:raid6,md:raid10:xfs,md:raid5:f2fs"),
		want{"Native Btrfs: RAID 6", "btrfs:raid6:4", ""},
		want{"mdadm XFS: RAID 10", "md:raid10:xfs:4", ""},
		want{"mdadm F2FS: RAID 5", "md:raid5:f2fs:4", ""})
	if n := len(choose(t, mdadm, Published)); n != 25 { // all but the two of GlusterFS
		t.Errorf("published: %d choices, want 25", n)
	}
	_, _, err := Choose(nil, false, optane, []Mapping{{"EXT4 900", spec(t, "ext4")}})
	var e *NameError
	if !errors.As(err, &e) || len(e.Known) != 15 {
		t.Errorf("a name that is none: %v", err)
	}
}
