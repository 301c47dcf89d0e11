package process

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// start forks all copies and lets them go together.
//
// Each copy is held by ptrace where its program is loaded and has not run an
// instruction, which costs it nothing and keeps the moments of the copies'
// starts microseconds apart. Where ptrace is forbidden they start one by one.
func (s *supervisor) start() error {
	path, err := lookPath(s.c.Argv[0])
	if err != nil {
		return err
	}
	back, err := s.enter()
	if err != nil {
		return fmt.Errorf("working directory: %w", err)
	}
	defer back()
	null, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	defer null.Close()
	defer s.closeWriters()
	s.exits = make([]Exit, s.c.Copies)
	hold := true
	var waiting []int // pids of the held
	for n := range s.c.Copies {
		pid, held, err := s.fork(path, n, null, hold)
		if err != nil {
			return err
		}
		if held {
			waiting = append(waiting, pid)
		}
		hold = held
		s.pids[pid] = n
		stat, err := readStat(pid)
		if err != nil {
			return err
		}
		s.record.Copies = append(s.record.Copies, stat.started())
	}
	s.outputs = make(chan event, len(s.sinks))
	for _, k := range s.sinks {
		go k.copy(s.outputs)
	}
	s.began = time.Now()
	for _, pid := range waiting {
		if err := unix.PtraceDetach(pid); err != nil {
			return fmt.Errorf("let copy %d go: %w", s.pids[pid], err)
		}
	}
	return nil
}

// enter goes to the working directory, which is looked at once, when it is open:
// whoever can rename what lies above it could lead its path elsewhere between a
// look and a use. It is reached through no symbolic link and must be this user's
// or the program's. The copies inherit it; back leaves it again.
func (s *supervisor) enter() (back func(), err error) {
	const flags = unix.O_PATH | unix.O_DIRECTORY | unix.O_NOFOLLOW | unix.O_CLOEXEC
	fd, err := unix.Openat2(unix.AT_FDCWD, s.c.Dir, &unix.OpenHow{Flags: flags, Resolve: unix.RESOLVE_NO_SYMLINKS})
	if errors.Is(err, unix.ENOSYS) || errors.Is(err, unix.EPERM) { // before Linux 5.6, or a sandbox
		fd, err = unix.Open(s.c.Dir, flags, 0)
	}
	if err != nil {
		return nil, &fs.PathError{Op: "open", Path: s.c.Dir, Err: err}
	}
	defer unix.Close(fd)
	var st unix.Stat_t
	if err := unix.Fstat(fd, &st); err != nil {
		return nil, err
	}
	if int(st.Uid) != os.Geteuid() && (s.c.User == nil || st.Uid != s.c.User.UID) {
		return nil, fmt.Errorf("%q belongs to user %d", s.c.Dir, st.Uid)
	}
	if s.c.User != nil {
		// Who is there already is not stopped by what lies above.
		if err := s.c.User.Reach(s.c.Dir); err != nil {
			return nil, err
		}
	}
	if err := unix.Fchdir(fd); err != nil {
		return nil, &fs.PathError{Op: "enter", Path: s.c.Dir, Err: err}
	}
	return func() { _ = unix.Chdir("/") }, nil // there is always a root
}

// fork starts one copy, held if it may be.
func (s *supervisor) fork(path string, n int, null *os.File, hold bool) (pid int, held bool, err error) {
	files := [3]uintptr{null.Fd(), null.Fd(), null.Fd()}
	if s.c.Stdin != "" {
		name := s.c.numbered(s.c.Stdin, n)
		path := name
		if rel, err := filepath.Rel(s.c.Dir, name); err == nil && filepath.IsLocal(rel) {
			path = rel // from where it is, whatever the path leads to by now
		}
		f, err := os.OpenFile(path, os.O_RDONLY|unix.O_NOFOLLOW|unix.O_NONBLOCK, 0)
		if err != nil {
			return 0, false, fmt.Errorf("standard input: %w", err)
		}
		defer f.Close()
		if info, err := f.Stat(); err != nil {
			return 0, false, err
		} else if !info.Mode().IsRegular() {
			return 0, false, fmt.Errorf("standard input %q: not a regular file", name)
		}
		files[0] = f.Fd()
	}
	for i, name := range []string{s.c.Stdout, s.c.Stderr} {
		if name == "" {
			continue
		}
		k, err := s.sink(s.c.numbered(name, n))
		if err != nil {
			return 0, false, fmt.Errorf("output: %w", err)
		}
		files[i+1] = uintptr(k.write)
	}
	attr := &syscall.ProcAttr{
		Dir:   ".", // the program's account must be allowed to be there
		Env:   s.c.environment(n),
		Files: files[:],
		Sys:   &syscall.SysProcAttr{Setpgid: true, Pdeathsig: unix.SIGKILL, Ptrace: hold},
	}
	attr.Env = append(attr.Env, runMark+"="+s.c.Run)
	if u := s.c.User; u != nil {
		attr.Sys.Credential = &syscall.Credential{Uid: u.UID, Gid: u.GID}
	}
	argv := s.c.argv(n)
	pid, err = syscall.ForkExec(path, argv, attr)
	if err != nil && hold {
		attr.Sys.Ptrace, hold = false, false
		pid, err = syscall.ForkExec(path, argv, attr)
	}
	if err != nil {
		if u := s.c.User; u != nil && errors.Is(err, fs.ErrPermission) {
			return 0, false, fmt.Errorf("start %q as %s in %q: %w", path, u.Name, s.c.Dir, err)
		}
		return 0, false, fmt.Errorf("start %q: %w", path, err)
	}
	for hold {
		var ws unix.WaitStatus
		_, err := unix.Wait4(pid, &ws, unix.WALL, nil)
		switch {
		case errors.Is(err, unix.EINTR):
			continue
		case err != nil:
			return 0, false, fmt.Errorf("wait for the start of %q: %w", path, err)
		case !ws.Stopped():
			return 0, false, fmt.Errorf("start %q: it ended before it began", path)
		case ws.StopSignal() == unix.SIGTRAP:
			return pid, true, nil
		}
		// Another signal came first: it is passed on.
		if err := unix.PtraceCont(pid, int(ws.StopSignal())); err != nil {
			return 0, false, fmt.Errorf("start %q: %w", path, err)
		}
	}
	return pid, false, nil
}

// sink returns the sink of a file, which it opens once.
func (s *supervisor) sink(name string) (*sink, error) {
	for _, k := range s.sinks {
		if k.name == name {
			return k, nil
		}
	}
	k, err := openSink(name, s.c.Limit, 0o644&^s.umask)
	if err == nil {
		s.sinks = append(s.sinks, k)
	}
	return k, err
}

// closeWriters closes the supervisor's own ends of the pipes, so that the
// programs' ends are the last.
func (s *supervisor) closeWriters() {
	for _, k := range s.sinks {
		_ = unix.Close(k.write)
	}
}

// lookPath finds a program in the fixed PATH; one with a slash must be an
// absolute path.
func lookPath(name string) (string, error) {
	if strings.Contains(name, "/") {
		if !filepath.IsAbs(name) {
			return "", fmt.Errorf("program %q: not an absolute path", name)
		}
		return name, nil
	}
	for _, dir := range filepath.SplitList(Path) {
		file := filepath.Join(dir, name)
		if info, err := os.Stat(file); err == nil && info.Mode().IsRegular() && info.Mode()&0o111 != 0 {
			return file, nil
		}
	}
	return "", fmt.Errorf("program %q: %w", name, syscall.ENOENT)
}
