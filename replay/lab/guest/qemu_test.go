package guest

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/benchproof/benchproof/replay/lab"
)

// The whole command of a guest with odd paths and each kind of limit.
func TestArgv(t *testing.T) {
	m := &machine{
		accel: TCG, cpus: 2, memory: 2048, kernel: "/k/vmlinuz", root: "/i/guest.img", log: "/j,1/console.log",
		shares: []share{
			{Tag: "usr", Host: "/usr", Point: "/usr"},
			{Tag: "journal", Host: "/j,1", Point: "/journal", Writable: true},
		},
		disks: []disk{
			{"c0d0", "/i/a,b.img", lab.Limit{IOPS: 200, Bytes: 20 << 20}},
			{"c0d1", "/i/c.img", lab.Limit{}},
		},
	}
	got, err := m.argv()
	if err != nil {
		t.Fatal(err)
	}
	const blk = ",num-queues=1,logical_block_size=512,physical_block_size=4096,request-merging=off,werror=report,rerror=report,addr=0x2."
	want := []string{
		"qemu-system-x86_64", "-nodefaults", "-no-user-config", "-display", "none", "-monitor", "none", "-no-reboot",
		"-machine", "pc,accel=tcg", "-cpu", "max", "-smp", "2", "-m", "2048", "-kernel", "/k/vmlinuz", "-initrd", "/i/guest.img",
		"-append", "console=ttyS0 quiet loglevel=4 panic=-1 oops=panic mitigations=off nokaslr rdinit=/init -- guest-init",
		"-chardev", "file,id=console,path=/j,,1/console.log", "-serial", "chardev:console",
		"-fsdev", "local,id=usr,path=/usr,security_model=none,readonly=on",
		"-device", "virtio-9p-pci,fsdev=usr,mount_tag=usr,addr=0x2.0,multifunction=on",
		"-fsdev", "local,id=journal,path=/j,,1,security_model=none",
		"-device", "virtio-9p-pci,fsdev=journal,mount_tag=journal,addr=0x2.1",
		"-drive", "if=none,id=c0d0,format=raw,file=/i/a,,b.img,aio=threads,discard=unmap,cache.direct=on,cache.writeback=on,cache.no-flush=on,throttling.iops-total=200,throttling.bps-total=20971520",
		"-device", "virtio-blk-pci,drive=c0d0,serial=c0d0" + blk + "2",
		"-drive", "if=none,id=c0d1,format=raw,file=/i/c.img,aio=threads,discard=unmap,cache.direct=on,cache.writeback=on",
		"-device", "virtio-blk-pci,drive=c0d1,serial=c0d1" + blk + "3",
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("argv (-want +got):\n%s", d)
	}
}

// No two devices share a place, and more than fit are refused.
func TestArgvPlaces(t *testing.T) {
	m := &machine{accel: KVM, shares: make([]share, 2), disks: make([]disk, maxDevices-2)}
	argv, err := m.argv()
	if err != nil {
		t.Fatal(err)
	}
	seen := make(map[string]bool)
	for _, a := range argv {
		_, place, ok := strings.Cut(a, "addr=")
		if !ok {
			continue
		}
		place, multi, _ := strings.Cut(place, ",")
		if seen[place] || (multi != "") != strings.HasSuffix(place, ".0") {
			t.Errorf("place %s, %q", place, multi)
		}
		seen[place] = true
	}
	if len(seen) != maxDevices || !seen["0x1f.7"] {
		t.Errorf("%d places", len(seen))
	}
	m.disks = append(m.disks, disk{})
	if _, err := m.argv(); err == nil {
		t.Error("one disk too many has a place")
	}
}
