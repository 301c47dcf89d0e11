package lab

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode"

	"golang.org/x/sys/unix"

	"github.com/benchproof/benchproof/replay/internal/process"
	"github.com/benchproof/benchproof/replay/internal/target"
)

// Lab is a lab that stands: file-systems on images, mounted. Its methods are
// for one goroutine at a time.
type Lab struct {
	setup    Setup
	dir      string
	mark     *os.File // locked
	throttle *throttle
	group    string // whose processes are limited
	sites    []*site
	zfs      *process.Process // zfs-fuse, nil for none
	nextLoop int
}

// site is one configuration that stands.
type site struct {
	Named
	spec    Spec
	images  []*image
	devices []string // by number, as limits name them
	point   string   // where it is mounted
	made    [][]string
	limited bool
	outside bool // its disks are limited by what makes them, if at all
}

// CheckDir returns the absolute path of an image directory without symbolic
// links. It writes nothing. The error is a [*DirError] where images may not lie
// there.
func CheckDir(dir string) (string, error) {
	refuse := func(reason, hint string) (string, error) { return "", &DirError{dir, reason, hint} }
	path, err := filepath.Abs(dir)
	if err == nil {
		path, err = filepath.EvalSymlinks(path)
	}
	var info fs.FileInfo
	if err == nil {
		info, err = os.Stat(path)
	}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return refuse("does not exist", "make it first, on a disk with room")
	case err != nil:
		return refuse("cannot be reached: "+err.Error(), "")
	case !info.IsDir():
		return refuse("is no directory", "")
	case strings.ContainsFunc(path, unicode.IsControl):
		return refuse("has a control character in its name", "")
	}
	var st unix.Statfs_t
	if err := unix.Statfs(path, &st); err != nil {
		return refuse("cannot be looked at: "+err.Error(), "")
	}
	switch int64(st.Type) {
	case unix.TMPFS_MAGIC, unix.RAMFS_MAGIC:
		return refuse("is in memory: no disk would be measured", "name a directory on a disk")
	case unix.PROC_SUPER_MAGIC, unix.SYSFS_MAGIC, unix.CGROUP_SUPER_MAGIC, unix.CGROUP2_SUPER_MAGIC:
		return refuse("belongs to the kernel", "name a directory on a disk")
	}
	if err := unix.Access(path, unix.W_OK|unix.X_OK); err != nil {
		return refuse("is not writable: "+err.Error(), "")
	}
	return path, nil
}

// free returns the free bytes of the file-system of a directory.
func free(dir string) (int64, error) {
	var st unix.Statfs_t
	if err := unix.Statfs(dir, &st); err != nil {
		return 0, err
	}
	return int64(st.Bavail) * int64(st.Bsize), nil
}

// keep is what stays free in an image directory: 256 MiB, or a twentieth of its
// file-system, whichever is less.
func keep(dir string) int64 {
	var st unix.Statfs_t
	if unix.Statfs(dir, &st) != nil {
		return target.Reserve
	}
	return min(target.Reserve, int64(st.Blocks)*int64(st.Bsize)/20)
}

// Share returns how many bytes of files each of so many configurations can
// hold, of the free space of the image directory and of its images' size: all
// of them may hold files at once.
func Share(c Config, of int) (int64, error) {
	s, err := ParseSpec(c.Spec)
	if err != nil {
		return 0, err
	}
	left, err := free(c.Dir)
	if err != nil {
		return 0, err
	}
	each := (left-keep(c.Dir))/int64(max(of, 1)) - int64(c.Disks)*overhead(c.Size)
	return max(min(s.Room(c.Size), int64(float64(each)/s.spread())), 0), nil
}

// overhead is about what a new file-system takes of a sparse image.
func overhead(size int64) int64 { return min(size/32+16<<20, 320<<20) }

// This returns the machine that the program runs on.
func This() *Machine {
	var u unix.Utsname
	_ = unix.Uname(&u) // it does not fail
	return &Machine{
		Proc: "/proc", Dev: "/dev", Modules: filepath.Join("/lib/modules", unix.ByteSliceToString(u.Release[:])),
		Find: installed, Root: os.Geteuid() == 0,
	}
}

// installed returns the path of a program in the directories in which programs
// of a replay are looked up.
func installed(program string) string {
	for _, dir := range filepath.SplitList(process.Path) {
		name := filepath.Join(dir, program)
		if info, err := os.Stat(name); err == nil && info.Mode().IsRegular() && info.Mode()&0o111 != 0 {
			return name
		}
	}
	return ""
}

// Open makes a lab. What it makes outside of its directory is in its log
// before. On an error, and when ctx is done, it removes again what it made. The
// error is a [*DirError] where the images may not lie in their directory.
func Open(ctx context.Context, s Setup) (*Lab, error) {
	l, err := begin(ctx, s)
	if err != nil {
		return nil, err
	}
	for i, at := range l.sites {
		if err = ctx.Err(); err != nil {
			err = context.Cause(ctx)
		} else {
			err = l.make(ctx, i, at)
		}
		if err != nil {
			if ctx.Err() == nil {
				err = fmt.Errorf("make the lab of %s: %w", at.Label, err)
			}
			_, closeErr := l.Close(context.WithoutCancel(ctx))
			return nil, errors.Join(err, closeErr)
		}
		l.setup.Tell("made " + at.Text() + " for " + at.Label)
	}
	return l, nil
}

// begin makes the directory of a lab, in which nothing is yet.
func begin(ctx context.Context, s Setup) (*Lab, error) {
	if len(s.Configs) == 0 || !target.ValidID(s.ID) {
		return nil, errors.New("a lab needs configurations and the identifier of a replay")
	}
	if s.Tell == nil {
		s.Tell = func(string) {}
	}
	imageDir, err := CheckDir(s.Configs[0].Dir)
	if err != nil {
		return nil, err
	}
	l := &Lab{setup: s, dir: Path(imageDir, s.ID), nextLoop: loopBase(s.ID)}
	var need int64
	for _, c := range s.Configs {
		spec, err := ParseSpec(c.Spec)
		if err != nil {
			return nil, err
		}
		if c.Dir != s.Configs[0].Dir || c.Disks < 1 || c.Disks > maxDisks || c.Size < MinSize || c.Size > MaxSize {
			return nil, fmt.Errorf("the lab of %s: bad configuration", c.Label)
		}
		need += int64(c.Disks) * overhead(c.Size)
		l.sites = append(l.sites, &site{Named: c, spec: spec})
	}
	need += keep(imageDir) / 4
	if left, err := free(imageDir); err != nil {
		return nil, err
	} else if left < need {
		return nil, &DirError{imageDir, fmt.Sprintf("has %s free, and %s are needed for empty file-systems alone", sizeText(left), sizeText(need)), "free space there, or --image-size"}
	}
	did, err := Sweep(ctx, imageDir)
	for _, text := range did {
		s.Tell("left by a killed replay: " + text)
	}
	if err != nil {
		return nil, err
	}
	l.mark, err = newDir(l.dir, marker{Schema: markerSchema, ID: s.ID, PID: os.Getpid(), Started: time.Now().UTC(), Program: s.Program})
	if err != nil {
		return nil, fmt.Errorf("make the lab: %w", err)
	}
	return l, nil
}

// make makes one configuration.
func (l *Lab) make(ctx context.Context, n int, at *site) error {
	for d := range at.Disks {
		img, err := newImage(filepath.Join(l.dir, fmt.Sprintf("c%dd%d.img", n, d)), at.Size)
		if err != nil {
			return err
		}
		at.images = append(at.images, img)
		if err := l.loop(img); err != nil {
			return err
		}
		number, err := img.numberOf()
		if err != nil {
			return err
		}
		at.devices = append(at.devices, number)
	}
	if at.Limit != (Limit{}) {
		if err := l.prepareLimit(at); err != nil {
			return err
		}
	}
	at.point = filepath.Join(l.dir, fmt.Sprintf("c%d", n))
	if err := os.Mkdir(at.point, 0o755); err != nil {
		return err
	}
	for _, img := range at.images {
		if err := img.check(); err != nil {
			return err
		}
	}
	var devices []string
	for _, img := range at.images {
		devices = append(devices, img.device())
	}
	return l.format(ctx, n, at, devices)
}

// format makes the file-system of a configuration on devices and mounts it.
func (l *Lab) format(ctx context.Context, n int, at *site, devices []string) error {
	c := command{ctx: ctx, dir: l.dir, id: l.setup.ID}
	if at.spec.FS == "zfs" {
		if err := l.startZFS(ctx, at); err != nil {
			return err
		}
		pool := poolPrefix(l.setup.ID) + decimal(n)
		if err := note(l.dir, thing{Thing: thingPool, Path: pool}); err != nil {
			return err
		}
		argv := at.spec.pool(pool, at.point, devices)
		at.made = append(at.made, argv)
		if err := c.run(argv...); err != nil {
			return err
		}
		return mounted(at.point)
	}
	if at.spec.Array != "" {
		array, err := l.array(c, n, at, devices)
		if err != nil {
			return err
		}
		devices = []string{array}
	}
	argv := at.spec.mkfs(uuid(l.setup.ID, at.Label), devices)
	at.made = append(at.made, argv)
	if err := c.run(argv...); err != nil {
		return err
	}
	fault()
	if err := unix.Mount(devices[0], at.point, at.spec.FS, unix.MS_NOSUID|unix.MS_NODEV, at.spec.mountData(devices)); err != nil {
		return fmt.Errorf("mount %s as %s: %w", devices[0], at.spec.FS, err)
	}
	fault()
	return mounted(at.point)
}

// loop attaches an image to a loop device of its own.
func (l *Lab) loop(img *image) error {
	const tries = 64
	for range tries {
		n := l.nextLoop
		l.nextLoop++
		entry := thing{Thing: thingLoop, Number: n, Path: img.path}
		if err := note(l.dir, entry); err != nil {
			return err
		}
		err := addLoop(n)
		if err == nil {
			fault()
			img.number = n
			err = img.attach()
			fault()
			if errors.Is(err, unix.EBUSY) && img.loop != nil {
				// Who asked the kernel for a free device meanwhile was given
				// this one. It stays in the log, and goes if it is free then.
				_ = img.loop.Close()
				img.loop, img.number = nil, -1
				continue
			}
			return err
		}
		entry.Not = true
		if noteErr := note(l.dir, entry); noteErr != nil {
			return noteErr
		}
		if !errors.Is(err, unix.EEXIST) {
			return fmt.Errorf("make %s: %w", loopPath(n), err)
		}
	}
	return fmt.Errorf("make a loop device: %d numbers from %d on are taken", tries, l.nextLoop-tries)
}

// array makes an array of mdadm on the devices and returns its path, once it is
// certain that it lies on them and on nothing else.
func (l *Lab) array(c command, n int, at *site, devices []string) (string, error) {
	argv := at.spec.array(fmt.Sprintf("/dev/md/bp-%s-%d", l.setup.ID, n), devices)
	at.made = append(at.made, argv)
	if err := c.run(argv...); err != nil {
		return "", err
	}
	var ours []string
	for _, d := range devices {
		ours = append(ours, filepath.Base(d))
	}
	holders, err := filepath.Glob(filepath.Join("/sys/block", ours[0], "holders/md*"))
	if err != nil || len(holders) != 1 {
		return "", fmt.Errorf("%d arrays lie on %s, expected one", len(holders), ours[0])
	}
	name := filepath.Base(holders[0])
	members, err := membersOf(name)
	if err != nil {
		return "", err
	}
	slices.Sort(members)
	slices.Sort(ours)
	if !slices.Equal(members, ours) {
		return "", fmt.Errorf("array %s lies on %s, expected %s", name, strings.Join(members, " "), strings.Join(ours, " "))
	}
	return "/dev/" + name, nil
}

// mounted makes sure that something is mounted at a point.
func mounted(point string) error {
	points, err := mountsBelow(filepath.Dir(point))
	if err == nil && !slices.Contains(points, point) {
		err = fmt.Errorf("nothing is mounted at %s", point)
	}
	return err
}

// prepareLimit writes into the log what will be limited, and makes the group.
func (l *Lab) prepareLimit(at *site) error {
	if l.throttle == nil {
		t, err := This().throttle()
		if err != nil {
			return err
		}
		if t.version == 2 {
			if err := note(l.dir, thing{Thing: thingGroup, Path: filepath.Join(t.dir, group(l.setup.ID))}); err != nil {
				return err
			}
		}
		if l.group, err = t.setup(l.setup.ID); err != nil {
			return err
		}
		l.throttle = t
	}
	for _, d := range at.devices {
		if err := note(l.dir, thing{Thing: thingLimit, Device: d, Path: l.throttle.dir}); err != nil {
			return err
		}
	}
	return nil
}

// Close removes the lab and all that it made. It returns what it did in words.
// What could not be removed is left for Clean.
func (l *Lab) Close(ctx context.Context) ([]string, error) {
	if l.mark == nil {
		return nil, nil // its disks and its machine end with the replay
	}
	for _, at := range l.sites {
		for _, img := range at.images {
			if img.loop != nil {
				_ = img.loop.Close()
			}
			_ = img.file.Close()
		}
	}
	did, err := remove(ctx, l.dir, l.setup.ID, l.stopZFS)
	return did, errors.Join(err, l.mark.Close())
}

// command runs the programs of the lab.
type command struct {
	ctx     context.Context
	dir, id string
}

// commandTimeout is the longest that a program of the lab may take.
const commandTimeout = 5 * time.Minute

// run runs a program to its end. What it printed is in the error.
func (c command) run(argv ...string) error {
	out := filepath.Join(c.dir, outFile)
	res, err := process.Run(c.ctx, process.Command{
		ID: c.id, Argv: argv, Dir: c.dir, Stdout: out, Stderr: out, Limit: 1 << 20, Timeout: commandTimeout,
	})
	if err != nil {
		return err
	}
	if failure := res.Failure(); failure != "" {
		text, _ := os.ReadFile(out)
		lines := strings.Split(strings.TrimSpace(strings.ToValidUTF8(string(text), "?")), "\n")
		return fmt.Errorf("%s: %s: %s", argv[0], failure, strings.Join(lines[max(len(lines)-3, 0):], "; "))
	}
	return nil
}
