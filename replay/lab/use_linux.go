package lab

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"

	"github.com/benchproof/benchproof/internal/phrase"
	"github.com/benchproof/benchproof/result"
)

func (l *Lab) site(label string) *site {
	for _, at := range l.sites {
		if at.Label == label {
			return at
		}
	}
	return nil
}

// Dir returns where the file-system of a label is mounted, "" for one that is
// not of this lab.
func (l *Lab) Dir(label string) string {
	if at := l.site(label); at != nil {
		return at.point
	}
	return ""
}

// Room returns a [*DirError] where so many bytes more on the label's
// file-system would not fit into the image directory.
func (l *Lab) Room(label string, bytes int64) error {
	at := l.site(label)
	if at == nil || at.outside {
		return nil
	}
	dir := filepath.Dir(l.dir)
	need := int64(float64(bytes)*at.spec.spread()) + keep(dir)/4
	left, err := free(dir)
	if err == nil && left < need {
		err = &DirError{dir, fmt.Sprintf("has %s free, and the images of %s need %s more", sizeText(left), label, sizeText(need)), "free space there"}
	}
	return err
}

// Group returns the file of the control group that a program of a label must
// enter to be limited, "" for none.
func (l *Lab) Group(label string) string {
	if at := l.site(label); at == nil || at.outside || at.Limit == (Limit{}) {
		return ""
	}
	return filepath.Join(l.group, "cgroup.procs")
}

// Begin limits the disks of a label.
func (l *Lab) Begin(label string) error {
	at := l.site(label)
	if at == nil || at.outside || at.Limit == (Limit{}) || at.limited {
		return nil
	}
	at.limited = true
	for _, d := range at.devices {
		if err := l.throttle.set(l.setup.ID, d, at.Limit); err != nil {
			return err
		}
		fault()
	}
	return nil
}

// End takes the limit off the disks of a label, and writes to them what is
// still in memory, so that it does not disturb what is measured next.
func (l *Lab) End(label string) error {
	at := l.site(label)
	if at == nil {
		return nil
	}
	if at.limited {
		for _, d := range at.devices {
			if err := l.throttle.set(l.setup.ID, d, Limit{}); err != nil {
				return err
			}
		}
		at.limited = false
	}
	return at.onPoint(func(f *os.File) error { return unix.Syncfs(int(f.Fd())) })
}

// Trim gives the space of removed files back to the image directory.
func (l *Lab) Trim(label string) error {
	at := l.site(label)
	if at == nil {
		return nil
	}
	return at.onPoint(func(f *os.File) error {
		if err := unix.Syncfs(int(f.Fd())); err != nil {
			return err
		}
		if at.spec.FS == "xfs" {
			// It frees the blocks of removed files in the background,
			// which statfs(2) hurries.
			var st unix.Statfs_t
			_ = unix.Fstatfs(int(f.Fd()), &st)
			time.Sleep(xfsFrees)
		}
		// struct fstrim_range of <linux/fs.h>
		span := struct{ start, len, minlen uint64 }{len: ^uint64(0)}
		_, _, errno := unix.Syscall(unix.SYS_IOCTL, f.Fd(), fitrim, uintptr(unsafe.Pointer(&span)))
		if errno != 0 && !errors.Is(errno, unix.EOPNOTSUPP) && !errors.Is(errno, unix.ENOTTY) && !errors.Is(errno, unix.ENOSYS) {
			return fmt.Errorf("trim %s: %w", at.point, errno)
		}
		return nil
	})
}

// xfsFrees is how long XFS may take to free blocks that it has been told to.
const xfsFrees = 100 * time.Millisecond

// Requests of <linux/fs.h> and <linux/btrfs.h>.
const (
	fitrim         = 0xc0185879 // _IOWR('X', 121, struct fstrim_range)
	btrfsForgetDev = 0x50009405 // _IOW(0x94, 5, struct btrfs_ioctl_vol_args)
)

func (s *site) onPoint(do func(*os.File) error) error {
	f, err := os.Open(s.point)
	if err != nil {
		return err
	}
	return errors.Join(do(f), f.Close())
}

// forgetBtrfs tells btrfs to forget a device that it has seen: one of a
// file-system that is no more must not be taken for one of the next.
func forgetBtrfs(device string) {
	f, err := os.OpenFile("/dev/btrfs-control", os.O_RDWR, 0)
	if err != nil {
		return
	}
	defer f.Close()
	var args struct {
		fd   int64
		name [4088]byte
	}
	copy(args.name[:len(args.name)-1], device)
	// It is ENOENT for what was none of its devices.
	_, _, _ = unix.Syscall(unix.SYS_IOCTL, f.Fd(), btrfsForgetDev, uintptr(unsafe.Pointer(&args)))
}

// Disk returns the disks of a label as the Disk of a published system names
// its own: "4 x 8 GiB image (200 IOPS)".
func (l *Lab) Disk(label string) string {
	at := l.site(label)
	if at == nil {
		return ""
	}
	text := sizeText(at.Size) + " image"
	if limit := at.Limit.String(); limit != "" {
		text += " (" + limit + ")"
	}
	if at.Disks > 1 {
		text = fmt.Sprintf("%d x %s", at.Disks, text)
	}
	return text
}

// Notes says how the file-system of a label was made, for its record.
func (l *Lab) Notes(label string) []result.Component {
	at := l.site(label)
	if at == nil {
		return nil
	}
	how := phrase.Count(at.Disks, "loop device") + " with direct I/O"
	if at.outside {
		how = at.guestText()
	}
	parts := []string{fmt.Sprintf("lab: %s; %s", at.Text(), how)}
	if at.Limit != (Limit{}) && !at.outside {
		switch l.throttle.version {
		case 1:
			parts = append(parts, "limited by blkio.throttle, reads and writes each, in the root of cgroup v1: write-back and journals, which threads of the kernel write, count too")
		case 2:
			parts = append(parts, "limited by io.max of cgroup v2, reads and writes each: direct I/O and write-back of most file-systems, but not what threads of the kernel write as their own, such as ext4's journal")
		}
	}
	for _, argv := range at.made {
		var words []string
		for _, word := range argv {
			if !strings.HasPrefix(word, "/dev/") {
				words = append(words, word)
			}
		}
		parts = append(parts, strings.Join(words, " "))
	}
	if at.Note != "" {
		parts = append(parts, at.Note)
	}
	return []result.Component{{Key: "Lab", Value: strings.Join(parts, "; ")}}
}
