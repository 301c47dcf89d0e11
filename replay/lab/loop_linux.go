package lab

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// image is a file of the lab and the loop device that it is attached to.
type image struct {
	path   string
	file   *os.File
	number int      // of the loop device
	loop   *os.File // keeps it attached
}

// device returns the path of the loop device.
func (i *image) device() string { return loopPath(i.number) }

func loopPath(number int) string { return "/dev/loop" + strconv.Itoa(number) }

// newImage makes a sparse file that was not there.
func newImage(path string, size int64) (*image, error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL|unix.O_NOFOLLOW, 0o600)
	if err != nil {
		return nil, err
	}
	if err := f.Truncate(size); err != nil {
		f.Close()
		return nil, err
	}
	return &image{path: path, file: f, number: -1}, nil
}

// addLoop makes the loop device of a number. errors.Is tells fs.ErrExist where
// there is one: it is another's.
func addLoop(number int) error {
	control, err := os.OpenFile("/dev/loop-control", os.O_RDWR, 0)
	if err != nil {
		return err
	}
	defer control.Close()
	return ioctlValue(int(control.Fd()), unix.LOOP_CTL_ADD, number)
}

// removeLoop removes a loop device that has no file. The kernel refuses with
// EBUSY where it is attached or open.
func removeLoop(number int) error {
	control, err := os.OpenFile("/dev/loop-control", os.O_RDWR, 0)
	if err != nil {
		return err
	}
	defer control.Close()
	err = ioctlValue(int(control.Fd()), unix.LOOP_CTL_REMOVE, number)
	if errors.Is(err, unix.ENODEV) {
		return nil
	}
	return err
}

// ioctlValue is an ioctl whose argument is a number.
func ioctlValue(fd int, request uint, value int) error {
	_, _, errno := unix.Syscall(unix.SYS_IOCTL, uintptr(fd), uintptr(request), uintptr(value))
	if errno != 0 {
		return errno
	}
	return nil
}

// nodeWait is how long the node of a new device may take to appear.
const nodeWait = 5 * time.Second

// attach attaches the image to its loop device, which must be new, past the
// page cache of the host.
func (i *image) attach() error {
	var f *os.File
	var err error
	for end := time.Now().Add(nodeWait); ; time.Sleep(10 * time.Millisecond) {
		if f, err = os.OpenFile(i.device(), os.O_RDWR, 0); err == nil {
			break
		}
		if !errors.Is(err, os.ErrNotExist) || time.Now().After(end) {
			return err
		}
	}
	i.loop = f
	config := unix.LoopConfig{Fd: uint32(i.file.Fd())}
	config.Info.Flags = unix.LO_FLAGS_DIRECT_IO | unix.LO_FLAGS_AUTOCLEAR
	copy(config.Info.File_name[:len(config.Info.File_name)-1], i.path)
	if err := unix.IoctlLoopConfigure(int(f.Fd()), &config); err != nil {
		return fmt.Errorf("attach %s to %s: %w", i.path, i.device(), err)
	}
	if err := i.check(); err != nil {
		return err
	}
	if dio, err := os.ReadFile(fmt.Sprintf("/sys/block/loop%d/loop/dio", i.number)); err != nil || strings.TrimSpace(string(dio)) != "1" {
		return fmt.Errorf("%s reads and writes %s through the page cache: its file-system allows no direct I/O", i.device(), i.path)
	}
	return nil
}

// check makes sure that the device is the loop device of this image and of
// nothing else: what is written to it goes into a file of the lab's.
func (i *image) check() error {
	var node, file unix.Stat_t
	if err := unix.Stat(i.device(), &node); err != nil {
		return err
	}
	var open unix.Stat_t
	if err := unix.Fstat(int(i.loop.Fd()), &open); err != nil {
		return err
	}
	if node.Mode&unix.S_IFMT != unix.S_IFBLK || unix.Major(node.Rdev) != loopMajor || node.Rdev != open.Rdev {
		return fmt.Errorf("%s is not the loop device that was made", i.device())
	}
	if err := unix.Fstat(int(i.file.Fd()), &file); err != nil {
		return err
	}
	info, err := unix.IoctlLoopGetStatus64(int(i.loop.Fd()))
	if err != nil {
		return fmt.Errorf("%s: %w", i.device(), err)
	}
	if info.Inode != file.Ino || uint32(info.Number) != uint32(i.number) || info.Offset != 0 || !sameDevice(info.Device, file.Dev) {
		return fmt.Errorf("%s lies on another file than %s", i.device(), i.path)
	}
	return nil
}

// loopMajor is the major number of loop devices (Documentation/admin-guide/devices.txt).
const loopMajor = 7

// sameDevice compares a device as the loop driver tells it (huge encoding) with
// one of stat(2).
func sameDevice(loop, stat uint64) bool {
	return loop == stat || loop == uint64(unix.Major(stat))<<20|uint64(unix.Minor(stat))
}

// numberOf returns "7:1000", as the kernel writes a block device.
func (i *image) numberOf() (string, error) {
	var st unix.Stat_t
	if err := unix.Fstat(int(i.loop.Fd()), &st); err != nil {
		return "", err
	}
	return fmt.Sprintf("%d:%d", unix.Major(st.Rdev), unix.Minor(st.Rdev)), nil
}

// detach lets go of the device and removes it. The kernel detaches the file
// when nobody has the device open any more.
func (i *image) detach() error {
	if i.loop != nil {
		_ = i.loop.Close()
		i.loop = nil
	}
	if i.number < 0 {
		return nil
	}
	return dropLoop(i.number, i.path)
}

// errOther is returned for what turned out not to be the lab's.
var errOther = errors.New("it is not the lab's, and left alone")

// dropLoop detaches and removes the loop device of a number, where it lies on
// that file or on none.
func dropLoop(number int, path string) error {
	dir := fmt.Sprintf("/sys/block/loop%d", number)
	var err error
	for end := time.Now().Add(busyWait); ; time.Sleep(20 * time.Millisecond) {
		if _, statErr := os.Stat(dir); errors.Is(statErr, os.ErrNotExist) {
			return nil
		}
		back, _ := os.ReadFile(filepath.Join(dir, "loop/backing_file"))
		if lies := strings.TrimSuffix(strings.TrimSpace(string(back)), " (deleted)"); lies != "" {
			if lies != path {
				return fmt.Errorf("%s lies on %s: %w", loopPath(number), lies, errOther)
			}
			clearLoop(number)
		} else if err = removeLoop(number); err == nil {
			return nil
		}
		if time.Now().After(end) {
			if err == nil {
				err = unix.EBUSY
			}
			return fmt.Errorf("%s cannot be removed: %w", loopPath(number), err)
		}
	}
}

// clearLoop asks for a loop device to be detached, at once or when its last
// user is gone.
func clearLoop(number int) {
	f, err := os.OpenFile(loopPath(number), os.O_RDONLY, 0)
	if err != nil {
		return
	}
	defer f.Close()
	_ = ioctlValue(int(f.Fd()), unix.LOOP_CLR_FD, 0)
}
