package target

import (
	"fmt"
	"io/fs"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/benchproof/benchproof/replay/internal/treetest"
)

// tree makes files by name; see [treetest.Make].
func tree(t *testing.T, files map[string]string) string {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("names of devices hold colons")
	}
	return treetest.Make(t, files)
}

// sysfs is a machine with two disks: a partition each in an md array, a
// dm-crypt on a partition, a loop device on the first disk, btrfs over two
// partitions.
func sysfs() map[string]string {
	files := map[string]string{}
	add := func(number, dir string, more map[string]string) {
		files["dev/block/"+number] = "-> ../../" + dir
		files[dir+"/dev"] = number + "\n"
		for k, v := range more {
			files[dir+"/"+k] = v
		}
	}
	for disk, number := range map[string]int{"sda": 0, "sdb": 16} {
		dir := "devices/pci0/" + disk
		add(fmt.Sprintf("8:%d", number), dir, nil)
		for part := 1; part <= 3; part++ {
			add(fmt.Sprintf("8:%d", number+part), fmt.Sprintf("%s/%s%d", dir, disk, part), map[string]string{"partition": fmt.Sprint(part)})
		}
	}
	add("9:0", "devices/virtual/block/md0", map[string]string{
		"md/level": "raid1", "slaves/sda1": "-> ../../../../pci0/sda/sda1", "slaves/sdb1": "-> ../../../../pci0/sdb/sdb1",
	})
	add("253:0", "devices/virtual/block/dm-0", map[string]string{"dm/name": "crypt", "slaves/sdb2": "-> ../../../../pci0/sdb/sdb2"})
	add("7:3", "devices/virtual/block/loop3", map[string]string{"loop/backing_file": "/images/a.img\n"})
	add("7:4", "devices/virtual/block/loop4", map[string]string{"loop/backing_file": "/gone.img (deleted)\n"})
	files["fs/btrfs/u-1/devices/sda3"] = "-> ../../../../devices/pci0/sda/sda3"
	files["fs/btrfs/u-1/devices/sdb3"] = "-> ../../../../devices/pci0/sdb/sdb3"
	return files
}

func TestDevices(t *testing.T) {
	sys := System{Sys: tree(t, sysfs()), Stat: func(name string) (on, is string, err error) {
		switch name {
		case "/dev/sdb3":
			return "0:6", "8:19", nil
		case "/images/a.img":
			return "9:0", "", nil
		case "/dev/mapper/x":
			return "0:6", "253:0", nil
		}
		return "", "", fs.ErrNotExist
	}}
	for _, tc := range []struct {
		name            string
		m               Mount
		carriers, disks []string
	}{
		{"partition", Mount{Device: "8:2", Type: "ext4", Source: "/dev/sda2"}, []string{"sda2 partition"}, []string{"sda"}},
		{"whole disk", Mount{Device: "8:16", Type: "xfs", Source: "/dev/sdb"}, []string{"sdb disk"}, []string{"sdb"}},
		{"md", Mount{Device: "9:0", Type: "ext4", Source: "/dev/md0"}, []string{"md0 md"}, []string{"sda", "sdb"}},
		{"dm", Mount{Device: "253:0", Type: "ext4", Source: "/dev/mapper/x"}, []string{"dm-0 dm"}, []string{"sdb"}},
		{"loop on md", Mount{Device: "7:3", Type: "ext4", Source: "/dev/loop3"}, []string{"loop3 loop"}, []string{"sda", "sdb"}},
		{"loop on what is gone", Mount{Device: "7:4", Type: "ext4", Source: "/dev/loop4"}, []string{"loop4 loop"}, []string{"loop4"}},
		{"btrfs", Mount{Device: "0:44", Type: "btrfs", Source: "/dev/sdb3"}, []string{"sda3 partition", "sdb3 partition"}, []string{"sda", "sdb"}},
		{"anonymous with a device", Mount{Device: "0:45", Type: "bcachefs", Source: "/dev/mapper/x"}, []string{"dm-0 dm"}, []string{"sdb"}},
		{"tmpfs", Mount{Device: "0:46", Type: "tmpfs", Source: "none"}, nil, nil},
		{"zfs", Mount{Device: "0:47", Type: "zfs", Source: "tank/x"}, nil, nil},
		{"nfs", Mount{Device: "0:48", Type: "nfs4", Source: "server:/x"}, nil, nil},
		{"unknown", Mount{Device: "8:99", Type: "ext4", Source: "/dev/sdz"}, nil, nil},
	} {
		t.Run(tc.name, func(t *testing.T) {
			d := sys.Devices(tc.m)
			var carriers, disks []string
			for _, c := range d.Carriers {
				carriers = append(carriers, c.Name+" "+c.Kind)
			}
			for _, c := range d.Disks {
				disks = append(disks, c.Name)
			}
			slices.Sort(carriers)
			slices.Sort(disks)
			if !slices.Equal(carriers, tc.carriers) || !slices.Equal(disks, tc.disks) {
				t.Errorf("carriers %q on disks %q, want %q on %q", carriers, disks, tc.carriers, tc.disks)
			}
		})
	}
}

func TestParseMounts(t *testing.T) {
	// After the example of proc(5), with escapes, no and two optional fields,
	// and an empty source.
	text := `36 35 98:0 /mnt1 /mnt2 rw,noatime master:1 - ext3 /dev/root rw,errors=continue
37 36 0:50 / /mnt/a\040b\134c rw,relatime shared:1 propagate_from:2 - fuse.zfs tank\040x rw,user_id=0
38 36 0:51 / /mnt/e ro - tmpfs  rw
`
	got, err := ParseMounts(strings.NewReader(text))
	if err != nil || len(got) != 3 {
		t.Fatal(got, err)
	}
	if m := got[0]; m.ID != 36 || m.Parent != 35 || m.Device != "98:0" || m.Root != "/mnt1" || m.Point != "/mnt2" || m.Type != "ext3" || m.Source != "/dev/root" ||
		!slices.Equal(m.AllOptions(), []string{"rw", "noatime", "errors=continue"}) || m.ReadOnly() {
		t.Errorf("got %+v", m)
	}
	if m := got[1]; m.Point != `/mnt/a b\c` || m.Source != "tank x" || m.Type != "fuse.zfs" {
		t.Errorf("got %+v", m)
	}
	if m := got[2]; m.Type != "tmpfs" || m.Source != "" || !m.ReadOnly() {
		t.Errorf("got %+v", m)
	}
	for _, bad := range []string{"x", "a 35 98:0 / / rw - ext3 x rw", "36 b 98:0 / / rw - ext3 x rw", "36 35 98:0 / / rw ext3 x rw", "36 35 98:0 / / rw -"} {
		if m, err := ParseMounts(strings.NewReader(text + bad + "\n")); err == nil || !strings.HasPrefix(err.Error(), "mountinfo:4: ") {
			t.Errorf("%q gives %+v, %v", bad, m, err)
		}
	}
}
