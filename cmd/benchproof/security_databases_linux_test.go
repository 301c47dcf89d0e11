package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// stranger is a user that is neither the one who tests nor one that a replay
// gives its tools to; nobody is one that it does, where it runs as root.
const (
	stranger = 4242
	nobody   = 65534
)

// databaseRows are what is replayed: the rows of a published file with small
// numbers.
const databaseRows = `source,title,test,version,profile,arguments,scale,proportion,system,value,std_error,samples,raw_values,status,decode,line,column
x,x,PostgreSQL pgbench,13.0,pts/pgbench-1.10.2,Scaling Factor: 1 - Clients: 1 - Mode: Read Write,TPS,HIB,A,100,,,,ok,exact,,
x,x,MariaDB,10.6.4,pts/mysqlslap-1.2.0,Clients: 2,Queries Per Second,HIB,A,100,,,,ok,exact,,
`

// TestSecurityDatabases replays PostgreSQL and MariaDB and looks, while they
// run, at every socket that any process of the replay has: none is of a network,
// and those that listen lie in directories that no other user gets through.
func TestSecurityDatabases(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("takes seconds")
	}
	// The account of the tools must reach the target.
	base, err := os.MkdirTemp("", "bp-db-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(base) })
	target, input := filepath.Join(base, "target"), filepath.Join(base, "rows.csv")
	if err := errors.Join(os.Chmod(base, 0o755), os.Mkdir(target, 0o755), os.WriteFile(input, []byte(databaseRows), 0o644)); err != nil {
		t.Fatal(err)
	}
	c := process(t, "replay", "run", input, "--target", target, "--journal", filepath.Join(base, "journal"), "--runs", "1", "--lock-dir", t.TempDir(),
		"--scale", "0.1", "--set", "pgbench.threads=1", "--set", "pgbench.duration=3", "--set", "mysqlslap.iterations=20", "--set", "mysqlslap.queries=1000")
	// What would lead a client or server elsewhere.
	c.Env = append(os.Environ(), "PGHOST=127.0.0.1", "PGPORT=1", "PGSSLMODE=require", "MYSQL_HOST=127.0.0.1", "MYSQL_TCP_PORT=1", "PGOPTIONS=-c listen_addresses=*")
	var said bytes.Buffer
	c.Stdout, c.Stderr = &said, &said
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- c.Wait() }()
	seen := map[string]bool{} // listening sockets, by path
	for running := true; running; {
		select {
		case err := <-ended:
			running = false
			if err != nil {
				if strings.Contains(said.String(), "not installed") {
					t.Skip("needs PostgreSQL and MariaDB: ", said.String())
				}
				t.Errorf("%v: %s", err, said.String())
			}
		case <-time.After(30 * time.Millisecond):
			for _, pid := range descendants(c.Process.Pid) {
				for _, path := range sockets(t, pid) {
					if !seen[path] {
						seen[path] = true
						checkSocket(t, target, path)
					}
				}
			}
		}
	}
	for _, name := range []string{".s.PGSQL.7777", "s.sock"} {
		if n := len(slices.DeleteFunc(keys(seen), func(p string) bool { return filepath.Base(p) != name })); n != 1 {
			t.Errorf("%d sockets %s, want 1 of all %v", n, name, keys(seen))
		}
	}
	if len(seen) != 2 {
		t.Errorf("sockets that listen: %v, want 2", keys(seen))
	}
}

func keys(m map[string]bool) []string {
	var list []string
	for k := range m {
		list = append(list, k)
	}
	return list
}

// descendants returns the processes below one.
func descendants(of int) []int {
	children := map[int][]int{}
	names, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			continue // it has ended
		}
		fields := strings.Fields(string(text[bytes.LastIndexByte(text, ')')+1:]))
		pid, _ := strconv.Atoi(filepath.Base(filepath.Dir(name)))
		if parent, err := strconv.Atoi(fields[1]); err == nil {
			children[parent] = append(children[parent], pid)
		}
	}
	var list []int
	for queue := children[of]; len(queue) > 0; queue = queue[1:] {
		list = append(list, queue[0])
		queue = append(queue, children[queue[0]]...)
	}
	return list
}

// sockets returns the absolute paths of the sockets of a process that listen,
// and reports those of a network.
func sockets(t *testing.T, pid int) []string {
	t.Helper()
	dir := fmt.Sprintf("/proc/%d", pid)
	own := map[string]bool{}
	files, _ := os.ReadDir(dir + "/fd")
	for _, f := range files {
		to, _ := os.Readlink(filepath.Join(dir, "fd", f.Name()))
		if inode, ok := strings.CutPrefix(to, "socket:["); ok {
			own[strings.TrimSuffix(inode, "]")] = true
		}
	}
	if len(own) == 0 {
		return nil
	}
	// sl local rem st tx:rx tr:when retrnsmt uid timeout inode
	for _, name := range []string{"tcp", "tcp6", "udp", "udp6", "raw", "raw6"} {
		text, err := os.ReadFile(filepath.Join(dir, "net", name))
		if err != nil {
			continue // it has ended, or there is no such protocol
		}
		for line := range strings.Lines(string(text)) {
			if f := strings.Fields(line); len(f) > 9 && own[f[9]] {
				comm, _ := os.ReadFile(dir + "/comm")
				t.Errorf("%s has a socket of %s: %s", bytes.TrimSpace(comm), name, line)
			}
		}
	}
	// Num RefCount Protocol Flags Type St Inode Path
	const acceptsConnections = 0x10000
	var list []string
	text, _ := os.ReadFile(dir + "/net/unix")
	for line := range strings.Lines(string(text)) {
		f := strings.Fields(line)
		if len(f) < 7 || !own[f[6]] {
			continue
		}
		if flags, err := strconv.ParseUint(f[3], 16, 64); err != nil || flags&acceptsConnections == 0 {
			continue
		}
		path := strings.Join(f[7:], " ")
		if !filepath.IsAbs(path) && path != "" && path[0] != '@' {
			cwd, err := os.Readlink(dir + "/cwd")
			if err != nil {
				continue // it has ended
			}
			path = filepath.Join(cwd, path)
		}
		list = append(list, path)
	}
	return list
}

// checkSocket makes sure that a socket lies in the target, and that no other
// user can connect to it.
func checkSocket(t *testing.T, target, path string) {
	t.Helper()
	if !strings.HasPrefix(path, target+"/.benchproof-replay-") {
		t.Errorf("a socket listens at %q", path)
		return
	}
	if os.Geteuid() != 0 {
		t.Log("without root nobody else can try to connect")
		return
	}
	if err := dialAs(stranger, path); !errors.Is(err, syscall.EACCES) {
		t.Errorf("user %d at %s: %v", stranger, path, err)
	}
	// The same by the server's account: it is the path that stops others.
	if err := dialAs(nobody, path); err != nil && !errors.Is(err, syscall.ENOENT) && !errors.Is(err, syscall.ECONNREFUSED) {
		t.Errorf("the server's account at %s: %v", path, err)
	}
}

// dialAs connects to a socket as another user.
func dialAs(uid uintptr, path string) error {
	ended := make(chan error)
	go func() {
		// The rights of a thread are its own (setresuid(2), of the kernel);
		// this one ends with them.
		runtime.LockOSThread()
		ended <- func() error {
			const keep = ^uintptr(0)
			for _, call := range [][4]uintptr{{syscall.SYS_SETGROUPS, 0, 0, 0}, {syscall.SYS_SETRESGID, keep, uid, keep}, {syscall.SYS_SETRESUID, keep, uid, keep}} {
				if _, _, errno := syscall.RawSyscall(call[0], call[1], call[2], call[3]); errno != 0 {
					return errno
				}
			}
			fd, err := syscall.Socket(syscall.AF_UNIX, syscall.SOCK_STREAM|syscall.SOCK_CLOEXEC, 0)
			if err != nil {
				return err
			}
			defer syscall.Close(fd)
			return syscall.Connect(fd, &syscall.SockaddrUnix{Name: path})
		}()
	}()
	return <-ended
}
