package guest

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/benchproof/benchproof/replay/internal/process"
	"github.com/benchproof/benchproof/replay/lab"
)

// pollEach is how often the host looks what the guest has left.
const pollEach = 200 * time.Millisecond

// patience is how long a guest may take for what it does.
type patience struct {
	boot    time.Duration // until its first program is up
	silence time.Duration // without a sign of life after that
	stop    time.Duration // to end when it is asked to
	off     time.Duration // for its machine to end after its work has
}

// usual is generous, since a busy machine translates slowly. How long the tools
// may take is for what runs inside to watch.
var usual = patience{boot: 5 * time.Minute, silence: 3 * time.Minute, stop: 30 * time.Second, off: 30 * time.Second}

// Setup is what a guest is made of.
type Setup struct {
	lab.Setup
	// Journal is the directory that the guest writes its outputs to.
	Journal string
	// Self is this executable: it must be static.
	Self string
	// Path are the directories of the user's PATH. The guest sees those
	// outside of /usr too.
	Path []string
}

// Guest is the disks and the root of a guest. Each Boot makes a new machine of
// them.
type Guest struct {
	setup  Setup
	images *lab.Images
	kernel *kernel
	boots  int
}

// Open makes the images of a guest's disks. The error is a [*lab.DirError]
// where they may not lie in their directory.
func Open(ctx context.Context, s Setup) (*Guest, error) {
	var specs []lab.Spec
	for _, c := range s.Configs {
		spec, err := lab.ParseSpec(c.Spec)
		if err != nil {
			return nil, err
		}
		specs = append(specs, spec)
	}
	names, ok := modulesFor(specs...)
	if !ok {
		return nil, errors.New("a configuration is of a file-system that no guest has")
	}
	k, err := findKernel(kernelRoots(), names)
	if err != nil {
		return nil, err
	}
	if err := static(s.Self); err != nil {
		return nil, err
	}
	if s.Journal, err = filepath.Abs(s.Journal); err != nil {
		return nil, err
	}
	images, err := lab.OpenImages(ctx, s.Setup)
	if err != nil {
		return nil, err
	}
	return &Guest{setup: s, images: images, kernel: k}, nil
}

// Kernel returns the release of the guest's kernel.
func (g *Guest) Kernel() string { return g.kernel.release }

// Close removes the images. It returns what it did in words.
func (g *Guest) Close(ctx context.Context) ([]string, error) { return g.images.Close(ctx) }

// End is how a guest ended.
type End struct {
	// Died is why the guest did not end its work, "" where it did.
	Died string
	// Log is the file of the guest's console.
	Log string
	// Result is what the work inside came to, Failed its error, "" for none.
	Result json.RawMessage
	Failed string
}

// Boot runs a guest from its power on to its end, on disks that are zeros, and
// gives the task to [Main] inside. Each line that the work there says is given
// to tell. When ctx is done, the guest is asked to end, and ended. The error is
// of what goes on outside of the guest: its own end, however early, is in End.
//
// Nothing of the guest runs when Boot returns.
func (g *Guest) Boot(ctx context.Context, task any, tell func(line []byte)) (End, error) {
	talk := filepath.Join(g.setup.Journal, talkDir)
	if err := g.prepare(talk); err != nil {
		return End{}, err
	}
	m, err := g.machine(talk, task)
	if err != nil {
		return End{}, err
	}
	defer os.Remove(m.root)
	argv, err := m.argv()
	if err != nil {
		return End{}, err
	}
	out := strings.TrimSuffix(m.log, ".log") + "-qemu.out"
	// ctx's end first asks the guest: the process is ended by watch.
	p, err := process.Start(context.WithoutCancel(ctx), process.Command{
		ID: g.setup.ID, Argv: argv, Dir: g.images.Dir(), Stdout: out, Stderr: out, Limit: 1 << 20,
	})
	if err != nil {
		return End{}, fmt.Errorf("start the guest: %w", err)
	}
	w := &watcher{patience: usual, talk: talk, tell: tell, began: time.Now()}
	why := w.watch(ctx, p)
	res, err := p.Stop(0, 0) // where it has ended, it stays as it was
	if err != nil {
		return End{}, err
	}
	w.said()
	end, err := readEnd(talk, m.log, out, why, res)
	return end, errors.Join(err, forget(talk))
}

// forget removes what host and guest have said. The logs stay.
func forget(talk string) error {
	for _, name := range []string{aliveFile, progressFile, stopFile, endFile, endFile + ".new"} {
		if err := os.Remove(filepath.Join(talk, name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

// prepare makes the directory by which both talk as it is before a boot: logs of
// earlier ones stay.
func (g *Guest) prepare(talk string) error {
	if err := os.MkdirAll(talk, 0o755); err != nil {
		return err
	}
	if err := forget(talk); err != nil {
		return err
	}
	return g.images.Reset()
}

// machine makes the root of the next boot and says what the machine is.
func (g *Guest) machine(talk string, task any) (*machine, error) {
	text, err := json.Marshal(task)
	if err != nil {
		return nil, err
	}
	var log string
	for free := false; !free; {
		g.boots++
		log = filepath.Join(talk, fmt.Sprintf("console-%03d.log", g.boots))
		_, err := os.Lstat(log)
		free = errors.Is(err, fs.ErrNotExist)
	}
	shares, path := g.shares()
	ms := &mission{
		ID: g.setup.ID, Configs: g.setup.Configs, Shares: shares, Journal: journalPoint, Path: path, Task: text,
	}
	m := &machine{
		accel: TCG, cpus: min(max(runtime.NumCPU(), 1), 4), memory: 2048,
		kernel: g.kernel.image, root: filepath.Join(g.images.Dir(), lab.RootFile), log: log, shares: shares,
	}
	var specs []lab.Spec
	for n, c := range g.setup.Configs {
		spec, err := lab.ParseSpec(c.Spec)
		if err != nil {
			return nil, err
		}
		specs = append(specs, spec)
		if c.Guest == KVM {
			m.accel = KVM
		}
		for d := range c.Disks {
			m.disks = append(m.disks, disk{serial(n, d), g.images.Path(n, d), c.Limit})
		}
	}
	names, _ := modulesFor(specs...) // Open has made sure
	modules, err := g.kernel.closure(names)
	if err != nil {
		return nil, err
	}
	return m, writeRoot(m.root, g.setup.Self, modules, ms)
}

// shares returns the directories that the guest sees, and its PATH: /usr, the
// journal, and those of the user's PATH that lie elsewhere.
func (g *Guest) shares() ([]share, string) {
	list := []share{
		{Tag: "usr", Host: "/usr", Point: "/usr"},
		{Tag: "journal", Host: g.setup.Journal, Point: journalPoint, Writable: true},
	}
	var path []string
	for _, dir := range g.setup.Path {
		real, err := filepath.EvalSymlinks(dir)
		if err != nil || !filepath.IsAbs(dir) {
			continue
		}
		path = append(path, dir)
		if real == "/usr" || strings.HasPrefix(real, "/usr/") || filepath.Clean(dir) == "/" {
			continue
		}
		dir = filepath.Clean(dir)
		known := false
		for _, s := range list {
			known = known || s.Point == dir
		}
		if !known && len(list) < perSlot {
			list = append(list, share{Tag: fmt.Sprintf("path%d", len(list)), Host: real, Point: dir})
		}
	}
	return list, strings.Join(path, string(filepath.ListSeparator))
}

// readEnd says how a guest ended, by what it left.
func readEnd(talk, log, out, why string, res process.Result) (End, error) {
	e := End{Log: log}
	text, err := os.ReadFile(filepath.Join(talk, endFile))
	var done ended
	if err == nil {
		err = json.Unmarshal(text, &done)
	}
	if err == nil {
		e.Result, e.Failed = done.Result, done.Error
		return e, nil
	}
	if !errors.Is(err, fs.ErrNotExist) {
		why = fmt.Sprintf("what it says of its end cannot be read: %v", err)
	}
	if why == "" {
		why = "it ended before its work did"
		if f := res.Failure(); f != "" {
			why += " (" + emulator + ": " + f + ")"
		}
	}
	for _, name := range []string{out, log} {
		if line := lastLine(name); line != "" {
			why += ": " + line
			break
		}
	}
	e.Died = "the guest died: " + why
	return e, nil
}

// lastLine returns the last line of a file, cut, with what is no text replaced.
func lastLine(name string) string {
	text, err := os.ReadFile(name)
	if err != nil {
		return ""
	}
	lines := strings.Split(strings.TrimSpace(strings.ToValidUTF8(string(text), "?")), "\n")
	line := strings.Map(func(c rune) rune {
		if c < ' ' || c == 0x7f {
			return -1
		}
		return c
	}, lines[len(lines)-1])
	const most = 200
	if len(line) > most {
		line = strings.ToValidUTF8(line[:most], "") + "…"
	}
	return strings.TrimSpace(line)
}

// watcher follows a guest while it runs.
type watcher struct {
	patience
	talk  string
	tell  func([]byte)
	began time.Time
	at    int64 // how much was read of what it says
}

// watch returns when the guest has ended by itself, with "", or should be
// ended, with the reason.
func (w *watcher) watch(ctx context.Context, p *process.Process) string {
	tick := time.NewTicker(pollEach)
	defer tick.Stop()
	var asked, over time.Time
	var last string
	sign := time.Now()
	up := false
	done := ctx.Done()
	for {
		select {
		case <-p.Done():
			return ""
		case <-done:
			done = nil
			asked = time.Now()
			if err := os.WriteFile(filepath.Join(w.talk, stopFile), nil, 0o644); err != nil {
				return "it could not be asked to end: " + err.Error()
			}
		case <-tick.C:
		}
		w.said()
		now := time.Now()
		if over.IsZero() {
			if _, err := os.Stat(filepath.Join(w.talk, endFile)); err == nil {
				over = now
			}
		}
		if text, err := os.ReadFile(filepath.Join(w.talk, aliveFile)); err == nil && string(text) != last {
			last, sign, up = string(text), now, true
		}
		switch {
		case !over.IsZero():
			if now.Sub(over) > w.off {
				return "its machine did not end"
			}
		case !asked.IsZero():
			if !up || now.Sub(asked) > w.stop {
				return "it was told to end"
			}
		case !up && now.Sub(w.began) > w.boot:
			return fmt.Sprintf("it was not up after %s", w.boot)
		case up && now.Sub(sign) > w.silence:
			return fmt.Sprintf("it showed no sign of life for %s", w.silence)
		}
	}
}

// maxSaid is the longest line that a guest may say.
const maxSaid = 1 << 20

// said passes on the lines that the guest has said since.
func (w *watcher) said() {
	file, err := os.Open(filepath.Join(w.talk, progressFile))
	if err != nil {
		return
	}
	defer file.Close()
	in := bufio.NewReaderSize(io.NewSectionReader(file, w.at, 1<<40), maxSaid)
	for {
		line, err := in.ReadSlice('\n')
		if errors.Is(err, bufio.ErrBufferFull) {
			w.at += int64(len(line)) // none of ours is so long
			continue
		}
		if err != nil {
			return // a line that does not end yet is read later
		}
		w.at += int64(len(line))
		if w.tell != nil {
			w.tell(bytes.Clone(line))
		}
	}
}
