package process

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"github.com/benchproof/benchproof/internal/phrase"
)

// stat is what is used of /proc/PID/stat.
type stat struct {
	pid     int
	name    string
	state   byte // 'R', 'S', 'Z', …
	parent  int
	group   int
	session int
	start   uint64 // ticks since boot
}

func (s stat) started() Started { return Started{PID: s.pid, Group: s.group, Start: s.start} }

// dead reports whether the process has ended and only waits to be reaped.
func (s stat) dead() bool { return s.state == 'Z' || s.state == 'X' }

// readStat reads /proc/PID/stat.
func readStat(pid int) (stat, error) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return stat{}, err
	}
	return parseStat(text)
}

// parseStat reads a line of /proc/PID/stat. The name is in parentheses and may
// hold anything, so the last one ends it (proc(5)).
func parseStat(text []byte) (stat, error) {
	open, end := bytes.IndexByte(text, '('), bytes.LastIndexByte(text, ')')
	if open < 1 || end < open {
		return stat{}, fmt.Errorf("read /proc/PID/stat: no name in %q", text)
	}
	f := strings.Fields(string(text[end+1:]))
	if len(f) < 20 || len(f[0]) != 1 {
		return stat{}, fmt.Errorf("read /proc/PID/stat: %s in %q", phrase.Count(len(f), "field"), text)
	}
	s := stat{name: string(text[open+1 : end]), state: f[0][0]}
	var errs [5]error
	s.pid, errs[0] = strconv.Atoi(strings.TrimSpace(string(text[:open])))
	s.parent, errs[1] = strconv.Atoi(f[1])
	s.group, errs[2] = strconv.Atoi(f[2])
	s.session, errs[3] = strconv.Atoi(f[3])
	s.start, errs[4] = strconv.ParseUint(f[19], 10, 64)
	if err := errors.Join(errs[:]...); err != nil {
		return stat{}, fmt.Errorf("read /proc/PID/stat: %w", err)
	}
	return s, nil
}

// listPIDs returns the pids of all processes there are.
func listPIDs() ([]int, error) {
	dir, err := os.Open("/proc")
	if err != nil {
		return nil, err
	}
	defer dir.Close()
	names, err := dir.Readdirnames(-1)
	if err != nil {
		return nil, err
	}
	var pids []int
	for _, name := range names {
		if pid, err := strconv.Atoi(name); err == nil {
			pids = append(pids, pid)
		}
	}
	return pids, nil
}

// processes returns all processes there are, by pid. One that ends meanwhile
// may be missing.
func processes() (map[int]stat, error) {
	pids, err := listPIDs()
	if err != nil {
		return nil, err
	}
	all := make(map[int]stat, len(pids))
	for _, pid := range pids {
		if s, err := readStat(pid); err == nil {
			all[pid] = s
		}
	}
	return all, nil
}

// below returns the descendants of the process that have not ended.
func below(root int, all map[int]stat) []stat {
	children := make(map[int][]int)
	for pid, s := range all {
		children[s.parent] = append(children[s.parent], pid)
	}
	var found []stat
	queue := []int{root}
	seen := map[int]bool{root: true}
	for len(queue) > 0 {
		pid := queue[0]
		queue = queue[1:]
		for _, c := range children[pid] {
			if seen[c] {
				continue
			}
			seen[c] = true
			queue = append(queue, c)
			if !all[c].dead() {
				found = append(found, all[c])
			}
		}
	}
	slices.SortFunc(found, func(a, b stat) int { return a.pid - b.pid })
	return found
}

// killDescendants signals every living descendant of this process and returns
// their names. A descendant cannot be reaped unseen here, nor can its number
// be another's: the supervisor is the reaper of them all, but children of
// children are reaped by their own parents, so the start time is checked again.
func killDescendants(sig syscall.Signal) ([]string, error) {
	all, err := processes()
	if err != nil {
		return nil, err
	}
	var names []string
	for _, s := range below(os.Getpid(), all) {
		names = append(names, s.name)
		_ = signalProcess(s, sig)
		if sig != unix.SIGKILL {
			_ = signalProcess(s, unix.SIGCONT)
		}
	}
	return names, nil
}

// signalProcess signals exactly the process that was seen: its number may have
// been given away since.
func signalProcess(s stat, sig syscall.Signal) error {
	fd, err := unix.PidfdOpen(s.pid, 0)
	if errors.Is(err, unix.ENOSYS) {
		return unix.Kill(s.pid, sig)
	}
	if err != nil {
		return err
	}
	defer unix.Close(fd)
	now, err := readStat(s.pid)
	if err != nil || now.start != s.start {
		return unix.ESRCH
	}
	return unix.PidfdSendSignal(fd, sig, nil, 0)
}

// bootID returns the identifier of this boot, "" where it cannot be read.
func bootID() string {
	text, err := os.ReadFile("/proc/sys/kernel/random/boot_id")
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(text))
}

// readIO reads a file of /proc/PID/io.
func readIO(name string) (IO, error) {
	text, err := os.ReadFile(name)
	if err != nil {
		return IO{}, err
	}
	io := IO{Known: true}
	for line := range strings.Lines(string(text)) {
		key, value, _ := strings.Cut(strings.TrimSpace(line), ": ")
		n, err := strconv.ParseInt(value, 10, 64)
		if err != nil {
			return IO{}, fmt.Errorf("read %s: %w", name, err)
		}
		switch key {
		case "read_bytes":
			io.Read = n
		case "write_bytes":
			io.Written = n
		case "cancelled_write_bytes":
			io.Cancelled = n
		}
	}
	return io, nil
}

// descendantsIO returns what all ended descendants read and wrote: the kernel
// adds that of a child to its parent when it is reaped. What this process did
// itself, by its threads, is taken off.
func descendantsIO() IO {
	total, err := readIO("/proc/self/io")
	if err != nil {
		return IO{}
	}
	threads, err := filepath.Glob("/proc/self/task/*/io")
	if err != nil {
		return IO{}
	}
	for _, name := range threads {
		own, err := readIO(name)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return IO{}
		}
		total.Read -= own.Read
		total.Written -= own.Written
		total.Cancelled -= own.Cancelled
	}
	return total
}

// removeSharedMemory removes the System V segments that nobody uses any more
// and that one of the ended processes made: a killed PostgreSQL leaves one. It
// reports whether there are some that are still used, by a process that is
// about to end.
func removeSharedMemory(pids map[int]bool, since time.Time) (used bool) {
	text, err := os.ReadFile("/proc/sysvipc/shm")
	if err != nil {
		return false
	}
	for line := range strings.Lines(string(text)) {
		// key shmid perms size cpid lpid nattch uid gid cuid cgid atime dtime ctime
		f := strings.Fields(line)
		if len(f) < 14 {
			continue
		}
		id, err1 := strconv.Atoi(f[1])
		maker, err2 := strconv.Atoi(f[4])
		changed, err3 := strconv.ParseInt(f[13], 10, 64)
		if err1 != nil || err2 != nil || err3 != nil {
			continue
		}
		if !pids[maker] || changed < since.Unix() {
			continue
		}
		if f[6] != "0" {
			used = true
			continue
		}
		_, _ = unix.SysvShmCtl(id, unix.IPC_RMID, nil)
	}
	return used
}
