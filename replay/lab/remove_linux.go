package lab

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"github.com/benchproof/benchproof/replay/internal/process"
	"github.com/benchproof/benchproof/replay/internal/target"
)

// busyWait is how long a device or mount may stay in use.
const busyWait = 10 * time.Second

// Clean removes the lab of a replay that was killed: the directory that Path
// names, and all that its log says: mounts, pools, arrays, loop devices, limits
// and control groups. The replay's processes must have ended. It returns what
// it did in words; nothing where there is no such directory.
func Clean(ctx context.Context, dir, id string) ([]string, error) {
	if _, err := os.Lstat(dir); errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if !target.ValidID(id) || filepath.Base(dir) != prefix+id {
		return nil, fmt.Errorf("%q is no directory of the lab of %q", dir, id)
	}
	mark, _, err := takeOver(dir)
	if err != nil {
		return nil, err
	}
	if mark != nil {
		defer mark.Close()
	}
	return remove(ctx, dir, id, nil)
}

// Sweep removes the labs that killed replays have left in an image directory,
// and ends their processes. Those in use are left alone.
func Sweep(ctx context.Context, imageDir string) ([]string, error) {
	list, err := os.ReadDir(imageDir)
	if err != nil {
		return nil, err
	}
	var did []string
	for _, e := range list {
		id, ours := strings.CutPrefix(e.Name(), prefix)
		if !ours || !e.IsDir() || !target.ValidID(id) {
			continue
		}
		dir := filepath.Join(imageDir, e.Name())
		mark, _, err := takeOver(dir)
		switch {
		case errors.Is(err, errInUse) || errors.Is(err, errForeign) || errors.Is(err, fs.ErrNotExist):
			continue
		case err != nil:
			return did, err
		case mark == nil:
			// Another may be about to mark it.
			if info, err := e.Info(); err != nil || time.Since(info.ModTime()) < time.Minute {
				continue
			}
		}
		if _, err = process.KillLeftovers(ctx, id); err == nil {
			var more []string
			more, err = remove(ctx, dir, id, nil)
			did = append(did, more...)
		}
		if mark != nil {
			mark.Close()
		}
		if err != nil {
			return did, err
		}
	}
	return did, nil
}

// remove takes a lab apart, in the reverse of the order in which it was made.
// What is not there is no error; on the first error the rest stays, and can be
// removed later.
// With stopZFS, zfs-fuse is ended behind its pools.
func remove(ctx context.Context, dir, id string, stopZFS func() error) ([]string, error) {
	log, err := readLog(dir)
	if err != nil {
		return nil, err
	}
	r := remover{ctx: ctx, dir: dir, id: id, log: log}
	if stopZFS == nil {
		stopZFS = func() error { return nil }
	}
	for _, step := range []func() error{r.limits, r.pools, stopZFS, r.zfsSocket, r.mounts, r.arrays, r.loops, r.groups, r.files} {
		if err := step(); err != nil {
			return r.did, fmt.Errorf("remove the lab %s: %w", dir, err)
		}
		fault()
	}
	return r.did, nil
}

type remover struct {
	ctx     context.Context
	dir, id string
	log     []thing
	did     []string
}

func (r *remover) say(format string, args ...any) {
	r.did = append(r.did, fmt.Sprintf(format, args...))
}

// limits come first: what is dirty is then written at full speed.
func (r *remover) limits() error {
	for _, t := range r.log {
		if t.Thing != thingLimit {
			continue
		}
		if !strings.HasPrefix(t.Device, strconv.Itoa(loopMajor)+":") {
			return fmt.Errorf("its log names device %q, which is no loop device", t.Device)
		}
		at := throttleAt(t.Path)
		if !at.limited(r.id, t.Device) {
			continue
		}
		if err := at.set(r.id, t.Device, Limit{}); err != nil && !errors.Is(err, unix.ENODEV) {
			return err
		}
		r.say("took the limit off device %s", t.Device)
	}
	return nil
}

// throttleAt tells the version of a hierarchy of control groups.
func throttleAt(dir string) *throttle {
	if _, err := os.Stat(filepath.Join(dir, "blkio.throttle.write_iops_device")); err == nil {
		return &throttle{1, dir}
	}
	return &throttle{2, dir}
}

func (r *remover) pools() error {
	for _, t := range r.log {
		if t.Thing != thingPool {
			continue
		}
		// What a log says is not believed: no other pool goes.
		if number, ours := strings.CutPrefix(t.Path, poolPrefix(r.id)); !ours || strings.Trim(number, "0123456789") != "" {
			return fmt.Errorf("its log names the pool %q, which is not the lab's", t.Path)
		}
		c := command{ctx: r.ctx, dir: r.dir, id: r.id}
		if c.run("zpool", "list", "-H", "-o", "name", t.Path) != nil {
			continue
		}
		// A pool is busy for a moment after its last use.
		var err error
		for end := time.Now().Add(busyWait); ; time.Sleep(100 * time.Millisecond) {
			if err = c.run("zpool", "destroy", "-f", t.Path); err == nil || time.Now().After(end) {
				break
			}
		}
		if err != nil {
			return err
		}
		r.say("destroyed pool %s", t.Path)
	}
	return nil
}

// mounts unmounts what is mounted below the lab's directory, the last first.
func (r *remover) mounts() error {
	points, err := mountsBelow(r.dir)
	if err != nil {
		return err
	}
	for _, point := range slices.Backward(points) {
		for end := time.Now().Add(busyWait); ; time.Sleep(50 * time.Millisecond) {
			err = unix.Unmount(point, unix.UMOUNT_NOFOLLOW)
			if !errors.Is(err, unix.EBUSY) || time.Now().After(end) {
				break
			}
		}
		if errors.Is(err, unix.EBUSY) {
			if err = unix.Unmount(point, unix.UMOUNT_NOFOLLOW|unix.MNT_DETACH); err == nil {
				r.say("unmounted %s, which somebody still uses", point)
				continue
			}
		}
		if err != nil && !errors.Is(err, unix.EINVAL) { // not mounted any more
			return fmt.Errorf("unmount %s: %w", point, err)
		}
		r.say("unmounted %s", point)
	}
	return nil
}

// mountsBelow returns the mount points below a directory, in the order in which
// they were mounted.
func mountsBelow(dir string) ([]string, error) {
	f, err := os.Open("/proc/self/mountinfo")
	if err != nil {
		return nil, err
	}
	defer f.Close()
	mounts, err := target.ParseMounts(f)
	if err != nil {
		return nil, err
	}
	var points []string
	for _, m := range mounts {
		if strings.HasPrefix(m.Point, dir+"/") {
			points = append(points, m.Point)
		}
	}
	return points, nil
}

// arrays stops the arrays of mdadm that lie on the lab's loop devices alone.
func (r *remover) arrays() error {
	var ours, arrays []string
	for _, t := range r.log {
		if t.Thing != thingLoop {
			continue
		}
		ours = append(ours, "loop"+decimal(t.Number))
		holders, _ := filepath.Glob(fmt.Sprintf("/sys/block/loop%d/holders/md*", t.Number))
		for _, h := range holders {
			if name := filepath.Base(h); !slices.Contains(arrays, name) {
				arrays = append(arrays, name)
			}
		}
	}
	for _, name := range arrays {
		members, err := membersOf(name)
		if err != nil {
			return err
		}
		if slices.ContainsFunc(members, func(m string) bool { return !slices.Contains(ours, m) }) {
			return fmt.Errorf("array %s has members that are not the lab's: %s", name, strings.Join(members, " "))
		}
		c := command{ctx: r.ctx, dir: r.dir, id: r.id}
		if err := c.run("mdadm", "--stop", "/dev/"+name); err != nil {
			return err
		}
		r.say("stopped array %s", name)
	}
	return nil
}

// membersOf returns the names of the devices that an array has.
func membersOf(array string) ([]string, error) {
	list, err := os.ReadDir(filepath.Join("/sys/block", array, "slaves"))
	if err != nil {
		return nil, err
	}
	var names []string
	for _, e := range list {
		names = append(names, e.Name())
	}
	return names, nil
}

func (r *remover) loops() error {
	for _, t := range slices.Backward(r.log) {
		if t.Thing != thingLoop {
			continue
		}
		if filepath.Dir(t.Path) != r.dir {
			return fmt.Errorf("its log names %q, which is not below it", t.Path)
		}
		if _, err := os.Stat(fmt.Sprintf("/sys/block/loop%d", t.Number)); errors.Is(err, fs.ErrNotExist) {
			continue
		}
		forgetBtrfs(loopPath(t.Number))
		if err := dropLoop(t.Number, t.Path); errors.Is(err, errOther) {
			continue
		} else if err != nil {
			return err
		}
		r.say("removed %s", loopPath(t.Number))
		fault()
	}
	return nil
}

func (r *remover) groups() error {
	for _, t := range r.log {
		if t.Thing != thingGroup || filepath.Base(t.Path) != group(r.id) {
			continue
		}
		if err := removeGroup(t.Path); err != nil {
			return fmt.Errorf("remove control group %s: %w", t.Path, err)
		}
	}
	return nil
}

// labFile matches the files of a lab's directory but the marker, and labPoint
// its mount points.
var (
	labFile  = regexp.MustCompile(`^(c\d{1,4}d\d{1,4}\.img|` + regexp.QuoteMeta(RootFile) + `|` + regexp.QuoteMeta(outFile) + `|` + regexp.QuoteMeta(logFile) + `|` + regexp.QuoteMeta(zfsFile) + `|` + regexp.QuoteMeta(zfsPID) + `)$`)
	labPoint = regexp.MustCompile(`^c\d{1,4}$`)
)

// files removes the directory: the files that a lab makes, mount points that
// are empty, and the marker last. What else is there stays, and is an error.
func (r *remover) files() error {
	list, err := os.ReadDir(r.dir)
	if err != nil {
		return err
	}
	// The log goes behind what it is about.
	slices.SortStableFunc(list, func(a, b fs.DirEntry) int { return last(a.Name()) - last(b.Name()) })
	for _, e := range list {
		name := filepath.Join(r.dir, e.Name())
		switch {
		case e.Name() == markerFile:
			continue
		case labPoint.MatchString(e.Name()) && e.IsDir():
			err = unix.Rmdir(name)
		case labFile.MatchString(e.Name()) && e.Type().IsRegular():
			err = os.Remove(name)
		default:
			return fmt.Errorf("%s is none of a lab's files, and stays", name)
		}
		if err != nil {
			return fmt.Errorf("remove %s: %w", name, err)
		}
		fault()
	}
	if err := os.Remove(filepath.Join(r.dir, markerFile)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := os.Remove(r.dir); err != nil {
		return err
	}
	r.say("removed %s", r.dir)
	return nil
}

func last(name string) int {
	if name == logFile {
		return 1
	}
	return 0
}
