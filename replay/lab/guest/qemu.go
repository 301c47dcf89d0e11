package guest

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/benchproof/benchproof/replay/lab"
)

// emulator is the program that runs guests, of Debian's qemu-system-x86.
const emulator = "qemu-system-x86_64"

// machine is what a guest is made of.
type machine struct {
	accel  string
	cpus   int
	memory int // MiB
	kernel string
	root   string
	log    string // of the guest's console
	shares []share
	disks  []disk
}

// disk is one disk of a guest.
type disk struct {
	serial, path string
	limit        lab.Limit
}

// Slots of the first bus: those below are the chip set's. Every slot takes
// eight devices, as functions of one.
const (
	firstSlot = 2
	lastSlot  = 31
	perSlot   = 8
)

// maxDevices is the most shares and disks together.
const maxDevices = (lastSlot - firstSlot + 1) * perSlot

// cmdline is the kernel's command line. A guest that panics ends, by way of a
// reboot that QEMU takes for an end. Mitigations would cost time in a machine
// that has nothing to hide.
const cmdline = "console=ttyS0 quiet loglevel=4 panic=-1 oops=panic mitigations=off nokaslr rdinit=/init -- " + Command

// Command is the argument with which the first program of a guest is started.
const Command = "guest-init"

// argv returns the command of a guest. The error says that it would have more
// devices than fit.
func (m *machine) argv() ([]string, error) {
	if n := len(m.shares) + len(m.disks); n > maxDevices {
		return nil, fmt.Errorf("a guest has %d disks and shares at most, not %d", maxDevices, n)
	}
	cpu := "max"
	if m.accel == KVM {
		cpu = "host"
	}
	argv := []string{
		emulator, "-nodefaults", "-no-user-config", "-display", "none", "-monitor", "none", "-no-reboot",
		"-machine", "pc,accel=" + m.accel, "-cpu", cpu, "-smp", strconv.Itoa(m.cpus), "-m", strconv.Itoa(m.memory),
		"-kernel", m.kernel, "-initrd", m.root, "-append", cmdline,
		"-chardev", "file,id=console,path=" + escape(m.log), "-serial", "chardev:console",
	}
	n := 0
	at := func(slot int) string {
		text := fmt.Sprintf("addr=0x%x.%d", slot+n/perSlot, n%perSlot)
		if n%perSlot == 0 {
			text += ",multifunction=on"
		}
		n++
		return text
	}
	for _, s := range m.shares {
		mode := ""
		if !s.Writable {
			mode = ",readonly=on"
		}
		argv = append(argv,
			"-fsdev", fmt.Sprintf("local,id=%s,path=%s,security_model=none%s", s.Tag, escape(s.Host), mode),
			"-device", fmt.Sprintf("virtio-9p-pci,fsdev=%s,mount_tag=%s,%s", s.Tag, s.Tag, at(firstSlot)))
	}
	for _, d := range m.disks {
		argv = append(argv,
			"-drive", fmt.Sprintf("if=none,id=%s,format=raw,file=%s,aio=threads,discard=unmap,%s", d.serial, escape(d.path), d.mode()),
			"-device", fmt.Sprintf("virtio-blk-pci,drive=%s,serial=%s,%s,%s", d.serial, d.serial, diskOptions, at(firstSlot)))
	}
	return argv, nil
}

// diskOptions are those of every disk: one queue, sectors of 512 bytes on blocks
// of 4096 as most disks have, every request of the guest one request of its
// limit, and errors that are the guest's to see: a full image directory must not
// stop the machine. Merged requests would fail besides, with EINVAL, where QEMU
// 7.2 has to pad them.
const diskOptions = "num-queues=1,logical_block_size=512,physical_block_size=4096,request-merging=off,werror=report,rerror=report"

// mode returns how a disk's image is used: past the page cache of this machine.
// A disk that is limited is as fast as its limit says, and never waits for the
// disk of this machine when the guest flushes it: the image lives no longer
// than the guest, and others' writes would be measured.
func (d *disk) mode() string {
	if d.limit == (lab.Limit{}) {
		return "cache.direct=on,cache.writeback=on"
	}
	text := "cache.direct=on,cache.writeback=on,cache.no-flush=on"
	if d.limit.IOPS > 0 {
		text += fmt.Sprintf(",throttling.iops-total=%d", d.limit.IOPS)
	}
	if d.limit.Bytes > 0 {
		text += fmt.Sprintf(",throttling.bps-total=%d", d.limit.Bytes)
	}
	return text
}

// escape writes a path as a value of QEMU's options, in which a comma is
// doubled.
func escape(path string) string { return strings.ReplaceAll(path, ",", ",,") }
