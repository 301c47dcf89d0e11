package target

import (
	"slices"
	"testing"
)

func TestDifferences(t *testing.T) {
	was := func(fs string) Identity {
		return Identity{Dir: "/mnt/x", Device: "7:0", Inode: 2, FSID: "aa", Mount: Mount{ID: 30, Device: "7:0", Point: "/mnt/x", Type: fs, Source: "/dev/loop0", Options: []string{"rw"}}}
	}
	// After a reboot: another device number, mount and options.
	later := func(fs string) Identity {
		id := was(fs)
		id.Device, id.Mount.Device, id.Mount.Source, id.Mount.ID, id.Mount.Options = "7:1", "7:1", "/dev/loop1", 44, []string{"rw", "noatime"}
		return id
	}
	for _, tc := range []struct {
		name   string
		fs     string
		change func(*Identity)
		want   []string
	}{
		{"reboot", "ext4", func(*Identity) {}, nil},
		{"XFS has the device's number", "xfs", func(id *Identity) { id.FSID = "bb" }, nil},
		{"FUSE has no lasting numbers", "fuse.zfs", func(id *Identity) { id.FSID, id.Inode = "bb", 9 }, nil},
		{"made anew", "ext4", func(id *Identity) { id.FSID = "bb" }, []string{`file-system identifier: "bb", not "aa"`}},
		{"another directory", "xfs", func(id *Identity) { id.Inode = 9 }, []string{`inode: "9", not "2"`}},
		{"another file-system", "xfs", func(id *Identity) { id.Mount.Type = "ext4" }, []string{`file-system: "ext4", not "xfs"`}},
		{"not mounted", "ext4", func(id *Identity) { id.Mount.Point = "/" }, []string{`mounted at: "/", not "/mnt/x"`}},
	} {
		now := later(tc.fs)
		tc.change(&now)
		if got := was(tc.fs).differences(now); !slices.Equal(got, tc.want) {
			t.Errorf("%s: %q, want %q", tc.name, got, tc.want)
		}
	}
}
