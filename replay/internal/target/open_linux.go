package target

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// Target is an open target.
type Target struct {
	given string
	dir   *os.File
	id    Identity
	notes []string
}

// kernelTypes are file-systems that hold no data of users, by their name in
// mountinfo.
var kernelTypes = []string{
	"autofs", "binfmt_misc", "bpf", "cgroup", "cgroup2", "configfs", "debugfs",
	"devpts", "devtmpfs", "efivarfs", "fusectl", "hugetlbfs", "mqueue", "nsfs",
	"proc", "pstore", "ramfs", "resctrl", "rootfs", "rpc_pipefs", "securityfs",
	"selinuxfs", "smackfs", "sysfs", "tracefs",
}

// systemTrees are refused with all that is below them.
var systemTrees = []string{"/boot", "/dev", "/etc", "/proc", "/sys"}

// systemDirs are refused themselves.
var systemDirs = []string{
	"/", "/bin", "/lib", "/lib32", "/lib64", "/libx32", "/run", "/sbin", "/usr",
	"/usr/bin", "/usr/lib", "/usr/sbin", "/var", "/var/lib",
}

// system is what Open reads beside the directory; tests give their own.
type system struct {
	mountinfo string   // "/proc/self/mountinfo"
	fstab     string   // "/etc/fstab"
	units     []string // patterns of systemd's mount units
}

var running = system{
	mountinfo: "/proc/self/mountinfo",
	fstab:     "/etc/fstab",
	units:     []string{"/etc/systemd/system/*.mount", "/run/systemd/generator/*.mount"},
}

// Open opens a target. It writes nothing. Its error is a *Refusal, whatever
// the cause. The descriptor that it holds keeps the file-system from being
// unmounted until Close.
func Open(dir string) (*Target, error) { return running.open(dir) }

func (sys system) open(dir string) (*Target, error) {
	refuse := func(hint, format string, args ...any) (*Target, error) {
		return nil, &Refusal{Dir: dir, Reason: fmt.Sprintf(format, args...), Hint: hint}
	}
	path, err := resolve(dir)
	if err != nil {
		return refuse(hintFor(err, dir), "%s", reasonOf(err))
	}
	for _, tree := range systemTrees {
		if path == tree || strings.HasPrefix(path, tree+"/") {
			return refuse("name a directory on the disk to measure", "belongs to the system (%s)", tree)
		}
	}
	if slices.Contains(systemDirs, path) {
		return refuse("name a directory below it, made for the replay", "is a directory of the system")
	}
	f, err := openDir(path)
	if err != nil {
		return refuse("", "cannot be opened: %v", err)
	}
	t := &Target{given: dir, dir: f}
	t.id, err = sys.identify(f, path)
	if err == nil {
		err = t.judge(sys)
	}
	if err != nil {
		f.Close()
		var r *Refusal
		if errors.As(err, &r) {
			r.Dir = dir
			return nil, r
		}
		return refuse("", "cannot be identified: %v", err)
	}
	return t, nil
}

// resolve returns the absolute path of a directory. Symbolic links on the way
// to it are resolved; that it is one itself, or no directory, is an error.
func resolve(dir string) (string, error) {
	if dir == "" {
		return "", reason("is an empty name")
	}
	if strings.ContainsRune(dir, 0) {
		return "", reason("has a NUL in its name")
	}
	// A relative name is not cleaned, since after a symbolic link ".." is
	// not what it seems.
	if !filepath.IsAbs(dir) {
		wd, err := os.Getwd()
		if err != nil {
			return "", err
		}
		dir = wd + "/" + dir
	}
	trimmed := strings.TrimRight(dir, "/")
	if trimmed == "" {
		return "/", nil
	}
	parent, base := filepath.Split(trimmed)
	if base == "." || base == ".." {
		return filepath.EvalSymlinks(trimmed)
	}
	parent, err := filepath.EvalSymlinks(parent)
	if err != nil {
		return "", err
	}
	path := filepath.Join(parent, base)
	info, err := os.Lstat(path)
	if err != nil {
		return "", err
	}
	switch mode := info.Mode(); {
	case mode.IsDir():
		return path, nil
	case mode&fs.ModeSymlink != 0:
		return "", reason("is a symbolic link")
	case mode&fs.ModeCharDevice != 0:
		return "", reason("is a character device")
	case mode&fs.ModeDevice != 0:
		return "", reason("is a block device")
	case mode.IsRegular():
		return "", reason("is a file")
	default:
		return "", reason("is no directory")
	}
}

// reason is a refusal's reason as an error.
type reason string

func (r reason) Error() string { return string(r) }

func reasonOf(err error) string {
	var r reason
	switch {
	case errors.As(err, &r):
		return string(r)
	case errors.Is(err, fs.ErrNotExist):
		return "does not exist"
	default:
		return "cannot be reached: " + err.Error()
	}
}

func hintFor(err error, dir string) string {
	var r reason
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "make it first: a misspelt name would measure another disk"
	case errors.As(err, &r) && strings.Contains(string(r), "link"):
		if to, err := filepath.EvalSymlinks(dir); err == nil {
			return "name the directory itself: " + escape(to)
		}
		return "name the directory itself"
	case errors.As(err, &r):
		return "name a directory on a mounted file-system; replay never writes to devices or into files that are there"
	}
	return ""
}

// openDir opens a directory through no symbolic link at all.
func openDir(path string) (*os.File, error) {
	fd, err := unix.Openat2(unix.AT_FDCWD, path, &unix.OpenHow{
		Flags:   unix.O_RDONLY | unix.O_DIRECTORY | unix.O_NOFOLLOW | unix.O_CLOEXEC,
		Resolve: unix.RESOLVE_NO_SYMLINKS | unix.RESOLVE_NO_MAGICLINKS,
	})
	if errors.Is(err, unix.ENOSYS) || errors.Is(err, unix.EPERM) { // before Linux 5.6, or a sandbox
		fd, err = unix.Open(path, unix.O_RDONLY|unix.O_DIRECTORY|unix.O_NOFOLLOW|unix.O_CLOEXEC, 0)
	}
	if err != nil {
		return nil, &fs.PathError{Op: "open", Path: path, Err: err}
	}
	return os.NewFile(uintptr(fd), path), nil
}

// identify reads what an open directory is.
func (sys system) identify(f *os.File, path string) (Identity, error) {
	id := Identity{Dir: path}
	var st unix.Stat_t
	if err := unix.Fstat(int(f.Fd()), &st); err != nil {
		return id, err
	}
	id.Device = deviceText(st.Dev)
	id.Inode = st.Ino
	var fs unix.Statfs_t
	if err := unix.Fstatfs(int(f.Fd()), &fs); err != nil {
		return id, err
	}
	id.Magic = int64(fs.Type)
	id.Block = int64(fs.Bsize)
	id.FSID = fmt.Sprintf("%08x%08x", uint32(fs.Fsid.Val[0]), uint32(fs.Fsid.Val[1]))
	mount, err := mountID(int(f.Fd()))
	if err != nil {
		return id, err
	}
	mounts, err := sys.mounts()
	if err != nil {
		return id, err
	}
	i := slices.IndexFunc(mounts, func(m Mount) bool { return m.ID == mount })
	if i < 0 {
		return id, fmt.Errorf("its mount (%d) is not in %s", mount, sys.mountinfo)
	}
	id.Mount = mounts[i]
	return id, nil
}

// deviceText returns a device number as mountinfo and sysfs write it.
func deviceText(dev uint64) string {
	return fmt.Sprintf("%d:%d", unix.Major(dev), unix.Minor(dev))
}

// mountID returns the identifier of the mount that an open file is on.
func mountID(fd int) (int, error) {
	name := fmt.Sprintf("/proc/self/fdinfo/%d", fd)
	text, err := os.ReadFile(name)
	if err != nil {
		return 0, err
	}
	for line := range strings.Lines(string(text)) {
		if v, ok := strings.CutPrefix(line, "mnt_id:"); ok {
			return strconv.Atoi(strings.TrimSpace(v))
		}
	}
	return 0, fmt.Errorf("%s: no mnt_id", name)
}

func (sys system) mounts() ([]Mount, error) {
	f, err := os.Open(sys.mountinfo)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return ParseMounts(f)
}

// judge refuses what must not be measured and notes what a reader of the
// numbers should know.
func (t *Target) judge(sys system) error {
	m := t.id.Mount
	refuse := func(hint, format string, args ...any) error {
		return &Refusal{Reason: fmt.Sprintf(format, args...), Hint: hint}
	}
	var root unix.Stat_t
	if err := unix.Stat("/", &root); err == nil && deviceText(root.Dev) == t.id.Device && root.Ino == t.id.Inode {
		return refuse("name a directory below it, made for the replay", "is the root directory")
	}
	if slices.Contains(kernelTypes, m.Type) {
		return refuse("name a directory on the disk to measure", "is on %s, which is no disk's file-system", escape(m.Type))
	}
	if point, err := t.unmounted(sys); err != nil {
		return err
	} else if point != "" {
		return refuse("mount "+escape(point), "is on the mount point %q, but nothing is mounted there: the disk below it would be measured", point)
	}
	if m.ReadOnly() {
		return refuse("mount it read-write", "is mounted read-only")
	}
	if err := unix.Faccessat(int(t.dir.Fd()), ".", unix.W_OK|unix.X_OK, unix.AT_EACCESS); err != nil {
		return refuse("give yourself the right to write there, or name another directory", "is not writable: %v", err)
	}
	for _, dir := range []string{"/mnt/", "/media/", "/run/media/"} {
		if m.Point == "/" && strings.HasPrefix(t.id.Dir, dir) {
			t.notes = append(t.notes, "it is on the root file-system, as if the disk that belongs there were not mounted")
		}
	}
	if dir, owner := foreignDir(t.id.Dir); dir != "" {
		t.notes = append(t.notes, fmt.Sprintf("%s belongs to user %d, who could lead programs elsewhere by their paths while they run: replay as that user", escape(dir), owner))
	}
	switch {
	case m.Type == "tmpfs":
		t.notes = append(t.notes, "tmpfs is memory: no disk is measured")
	case m.Type == "overlay":
		t.notes = append(t.notes, "overlay: what is measured is a disk through a layer of overlayfs")
	case strings.HasPrefix(m.Type, "fuse"):
		t.notes = append(t.notes, escape(m.Type)+": what is measured is a program behind FUSE")
	}
	for _, d := range t.Devices().Carriers {
		if note := runningSystem().loopNote(d); note != "" && !slices.Contains(t.notes, note) {
			t.notes = append(t.notes, note)
		}
	}
	return nil
}

// foreignDir returns the directory, of one and those above it, that belongs to
// somebody else than this user, root and who called sudo; "" if none does.
func foreignDir(dir string) (string, uint32) {
	sudo, err := strconv.ParseUint(os.Getenv("SUDO_UID"), 10, 32)
	for at := dir; ; at = filepath.Dir(at) {
		var st unix.Stat_t
		if statErr := unix.Stat(at, &st); statErr == nil && st.Uid != 0 && int(st.Uid) != os.Geteuid() && (err != nil || os.Geteuid() != 0 || uint64(st.Uid) != sudo) {
			return at, st.Uid
		}
		if at == filepath.Dir(at) {
			return "", 0
		}
	}
}

// unmounted returns the mount point that fstab or a mount unit promises at the
// target or above it and that is none now; "" if there is none.
func (t *Target) unmounted(sys system) (string, error) {
	points, err := sys.promised()
	if err != nil {
		return "", err
	}
	mounts, err := sys.mounts()
	if err != nil {
		return "", err
	}
	for _, p := range points {
		p = filepath.Clean(p)
		if real, err := filepath.EvalSymlinks(p); err == nil {
			p = real
		}
		if p == "/" || t.id.Dir != p && !strings.HasPrefix(t.id.Dir, p+"/") {
			continue
		}
		// Another file-system may be mounted further down.
		if strings.HasPrefix(t.id.Mount.Point, p+"/") {
			continue
		}
		if !slices.ContainsFunc(mounts, func(m Mount) bool { return m.Point == p }) {
			return p, nil
		}
	}
	return "", nil
}

// promised returns the mount points that the system is set up to have.
func (sys system) promised() ([]string, error) {
	text, err := os.ReadFile(sys.fstab)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	points := mountPoints(text)
	for _, pattern := range sys.units {
		names, _ := filepath.Glob(pattern)
		for _, name := range names {
			text, err := os.ReadFile(name)
			if err != nil {
				continue // masked (a link to /dev/null) or gone
			}
			for line := range strings.Lines(string(text)) {
				if p, ok := strings.CutPrefix(strings.TrimSpace(line), "Where="); ok && filepath.IsAbs(p) {
					points = append(points, p)
				}
			}
		}
	}
	return points, nil
}

// Dir returns the absolute path, without symbolic links.
func (t *Target) Dir() string { return t.id.Dir }

// Identity returns what the target was when it was opened.
func (t *Target) Identity() Identity { return t.id }

// Notes says what a reader of numbers of this target should know.
func (t *Target) Notes() []string { return slices.Clone(t.notes) }

// Close lets go of the directory.
func (t *Target) Close() error { return t.dir.Close() }

// Check returns a *Changed where the path does not lead to the directory that
// was opened any more, or its file-system is another one or read-only by now.
// Mount options that changed otherwise are no such error.
func (t *Target) Check() error {
	changed := func(format string, args ...any) error {
		return &changed{Dir: t.given, What: fmt.Sprintf(format, args...)}
	}
	f, err := openDir(t.id.Dir)
	if err != nil {
		return changed("is gone: %v", err)
	}
	defer f.Close()
	now, err := running.identify(f, t.id.Dir)
	if err != nil {
		return changed("cannot be identified: %v", err)
	}
	switch was := t.id; {
	case now.Device != was.Device:
		return changed("is on another device: %s, not %s", now.Device, was.Device)
	case now.Magic != was.Magic || now.Mount.Type != was.Mount.Type:
		return changed("is on another file-system: %s, not %s", escape(now.Mount.Type), escape(was.Mount.Type))
	case now.Mount.ID != was.Mount.ID:
		return changed("is on another mount: %d at %q, not %d at %q", now.Mount.ID, now.Mount.Point, was.Mount.ID, was.Mount.Point)
	case now.Inode != was.Inode:
		return changed("is another directory: inode %d, not %d", now.Inode, was.Inode)
	case now.Mount.Source != was.Mount.Source || now.Mount.Root != was.Mount.Root:
		return changed("is mounted from %q %q, not %q %q", now.Mount.Source, now.Mount.Root, was.Mount.Source, was.Mount.Root)
	case now.Mount.ReadOnly():
		return changed("has become read-only")
	}
	return nil
}

// Mount returns the mount as it is now.
func (t *Target) Mount() (Mount, error) {
	id, err := running.identify(t.dir, t.id.Dir)
	return id.Mount, err
}
