package guest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"golang.org/x/sys/unix"

	"github.com/benchproof/benchproof/replay/lab"
)

// Inside is a guest as what runs in it sees it.
type Inside struct {
	// Configs are what the lab is to be made of, Task what was given to
	// [Guest.Boot].
	Configs []lab.Named
	Task    json.RawMessage
	// Journal is the shared directory, Path the user's PATH.
	Journal string
	Path    string
	// SitesDir is where the lab is to be made; it does not exist yet.
	SitesDir string

	mu   sync.Mutex
	talk string
}

// Main is the first program of a guest: it mounts what a system needs, loads
// modules, calls work, leaves its result for the host, and ends the machine. It
// returns only, with an error, where this process is no guest's first program.
//
// The context of work is done when the host asks the guest to end.
func Main(work func(ctx context.Context, in *Inside) (result any, err error)) error {
	if os.Getpid() != 1 {
		return errors.New("this is the first program of a guest, and of nothing else")
	}
	if _, err := os.Stat(missionFile); err != nil {
		return err
	}
	defer powerOff()
	if err := serve(work); err != nil {
		fmt.Fprintln(console(), "benchproof: error: guest:", err)
	}
	return nil
}

// console is where the first program of a guest speaks: its standard error is
// the machine's serial line.
func console() *os.File { return os.NewFile(2, "console") }

func powerOff() {
	unix.Sync()
	_ = unix.Reboot(unix.LINUX_REBOOT_CMD_RESTART)
}

func serve(work func(context.Context, *Inside) (any, error)) error {
	text, err := os.ReadFile(missionFile)
	if err != nil {
		return err
	}
	var m mission
	if err := json.Unmarshal(text, &m); err != nil {
		return fmt.Errorf("%s: %w", missionFile, err)
	}
	if err := settle(&m); err != nil {
		return err
	}
	in := &Inside{
		Configs: m.Configs, Task: m.Task, Journal: m.Journal, Path: m.Path, SitesDir: sitesDir,
		talk: filepath.Join(m.Journal, talkDir),
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	if err := in.alive(0); err != nil {
		return err
	}
	go in.beat(ctx, cancel)
	result, err := work(ctx, in)
	end := ended{}
	if err != nil {
		end.Error = err.Error()
	}
	if end.Result, err = json.Marshal(result); err != nil {
		return err
	}
	if text, err = json.Marshal(end); err != nil {
		return err
	}
	// It is there whole or not at all.
	name := filepath.Join(in.talk, endFile)
	if err := os.WriteFile(name+".new", text, 0o644); err != nil {
		return err
	}
	unix.Sync()
	return os.Rename(name+".new", name)
}

// beatEvery is how often a guest shows that it lives.
const beatEvery = 2 * time.Second

// beat shows the host that the guest lives, and ends the work when the host
// asks for it.
func (in *Inside) beat(ctx context.Context, stop func()) {
	tick := time.NewTicker(beatEvery)
	defer tick.Stop()
	for n := 1; ; n++ {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		_ = in.alive(n) // the host ends a guest that it does not hear of
		if _, err := os.Stat(filepath.Join(in.talk, stopFile)); err == nil {
			stop()
		}
	}
}

func (in *Inside) alive(n int) error {
	return os.WriteFile(filepath.Join(in.talk, aliveFile), fmt.Append(nil, n), 0o644)
}

// Tell says something to the host: one line of JSON. It is safe for concurrent
// use.
func (in *Inside) Tell(v any) {
	text, err := json.Marshal(v)
	if err != nil {
		return
	}
	in.mu.Lock()
	defer in.mu.Unlock()
	file, err := os.OpenFile(filepath.Join(in.talk, progressFile), os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o644)
	if err != nil {
		return
	}
	_, _ = file.Write(append(text, '\n')) // the host does without
	_ = file.Close()
}

// diskWait is how long a disk may take to appear.
const diskWait = 20 * time.Second

// Disk returns the path of a disk of a configuration, both counted from 0: that
// of the serial number that it was given.
func (in *Inside) Disk(config, disk int) (string, error) {
	want := serial(config, disk)
	for end := time.Now().Add(diskWait); ; time.Sleep(50 * time.Millisecond) {
		files, _ := filepath.Glob("/sys/block/vd*/serial") // the pattern is well formed
		for _, f := range files {
			if text, err := os.ReadFile(f); err == nil && strings.TrimSpace(string(text)) == want {
				return "/dev/" + filepath.Base(filepath.Dir(f)), nil
			}
		}
		if time.Now().After(end) {
			return "", fmt.Errorf("there is no disk %s", want)
		}
	}
}

// settle mounts and sets what programs need of a system.
func settle(m *mission) error {
	if err := unix.Sethostname([]byte("guest")); err != nil {
		return err
	}
	for _, at := range []struct{ kind, point, data string }{
		{"proc", "/proc", ""},
		{"sysfs", "/sys", ""},
		{"devtmpfs", "/dev", ""},
		{"tmpfs", "/run", "mode=0755"},
		{"tmpfs", "/tmp", "mode=1777"},
		{"tmpfs", "/var", "mode=0755"},
		{"tmpfs", "/dev/shm", "mode=1777"},
	} {
		if err := os.MkdirAll(at.point, 0o755); err != nil {
			return err
		}
		if err := unix.Mount(at.kind, at.point, at.kind, unix.MS_NOSUID, at.data); err != nil {
			return fmt.Errorf("mount %s: %w", at.point, err)
		}
	}
	for _, dir := range []string{"/run/lock", "/run/mdadm", "/var/tmp", "/var/lib"} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return err
		}
	}
	for name, to := range map[string]string{
		"/dev/fd": "/proc/self/fd", "/dev/stdin": "/proc/self/fd/0", "/dev/stdout": "/proc/self/fd/1",
		"/dev/stderr": "/proc/self/fd/2", "/var/run": "/run", "/var/lock": "/run/lock",
	} {
		if err := os.Symlink(to, name); err != nil && !errors.Is(err, fs.ErrExist) {
			return err
		}
	}
	for _, name := range m.Modules {
		if err := loadModule(name); err != nil {
			return fmt.Errorf("load %s: %w", filepath.Base(name), err)
		}
		_ = os.Remove(name) // its memory is the guest's
	}
	for _, s := range m.Shares {
		if err := mountShare(s); err != nil {
			return fmt.Errorf("mount %s: %w", s.Point, err)
		}
	}
	return loopbackUp()
}

func loadModule(name string) error {
	file, err := os.Open(name)
	if err != nil {
		return err
	}
	defer file.Close()
	if err := unix.FinitModule(int(file.Fd()), "", 0); err != nil && !errors.Is(err, unix.EEXIST) {
		return err
	}
	return nil
}

// mountShare mounts a directory of the host. What is only read may be kept in
// memory; of what is written both must see the same at once.
func mountShare(s share) error {
	if err := os.MkdirAll(s.Point, 0o755); err != nil {
		return err
	}
	flags, data := uintptr(unix.MS_NOSUID|unix.MS_NODEV), "trans=virtio,version=9p2000.L,msize=262144,cache=none"
	if !s.Writable {
		flags |= unix.MS_RDONLY
		data = "trans=virtio,version=9p2000.L,msize=262144,cache=loose"
	}
	return unix.Mount(s.Tag, s.Point, "9p", flags, data)
}

// loopbackUp brings up the loopback interface: database servers are reached
// through it.
func loopbackUp() error {
	fd, err := unix.Socket(unix.AF_INET, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return err
	}
	defer unix.Close(fd)
	request, err := unix.NewIfreq("lo")
	if err != nil {
		return err
	}
	request.SetUint16(unix.IFF_UP | unix.IFF_RUNNING)
	return unix.IoctlIfreq(fd, unix.SIOCSIFFLAGS, request)
}
