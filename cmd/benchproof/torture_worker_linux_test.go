package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/klauspost/compress/zstd"
	"github.com/ulikunitz/xz"

	"github.com/benchproof/benchproof/internal/torture"
)

// tortureName is the name under which the test's program is a worker.
const tortureName = "benchproof-torture"

func init() { programs[tortureName] = tortureWork }

// tortureSetup is the first line that a worker reads; the others are indices.
type tortureSetup struct {
	Seed   uint64
	Seeds  []string // folders
	Dir    string   // of its own, to work in
	Disk   string   // of its own, on a disk: what replays measure
	Engine string   // the SQL engine, "" where there is none
	Failed string   // where inputs that failed go
	// Spawn is how often a command runs a second time, as a process: one in so
	// many; 0 is never.
	Spawn uint64
}

// tortureLine is a line that a worker writes: Begin before a command, or the
// input that is done.
type tortureLine struct {
	Index uint64
	Begin string       `json:",omitempty"`
	Input bool         `json:",omitempty"` // with Begin: the input itself is being made
	Heavy bool         `json:",omitempty"` // with Begin: the input is large
	Size  int          `json:",omitempty"` // with Begin: of the input, in bytes
	Kind  string       `json:",omitempty"`
	Bytes int          `json:",omitempty"`
	Runs  []tortureRun `json:",omitempty"`
}

// tortureRun is one run of a command.
type tortureRun struct {
	Command string
	Args    []string
	Code    int
	CPU     float64 // seconds
	Peak    int     // KiB, of the whole worker
	Faults  []string
	Spawned bool `json:",omitempty"`
}

// tortureWorker runs commands on inputs in one process.
type tortureWorker struct {
	tortureSetup
	g     *torture.Generator
	seeds map[string]torture.Seed
	dirs  map[string]torture.Dir
	base  map[string]*tortureBase
	out   *json.Encoder
	self  string

	replays *replayLab
}

func tortureWork() {
	in := bufio.NewScanner(os.Stdin)
	in.Scan()
	w := &tortureWorker{base: map[string]*tortureBase{}, seeds: map[string]torture.Seed{}, out: json.NewEncoder(os.Stdout)}
	err := json.Unmarshal(in.Bytes(), &w.tortureSetup)
	if err == nil {
		err = w.prepare()
	}
	for err == nil && in.Scan() {
		var i uint64
		if i, err = strconv.ParseUint(in.Text(), 10, 64); err == nil {
			err = w.input(i)
		}
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "torture:", err)
		os.Exit(1)
	}
}

// prepare reads the seeds and makes more of them by the command itself.
func (w *tortureWorker) prepare() error {
	// Most of what a worker does is begin anew: a larger heap saves a third.
	debug.SetGCPercent(300)
	// A fault that eats memory must not take the machine along.
	if err := syscall.Setrlimit(syscall.RLIMIT_AS, &syscall.Rlimit{Cur: 12 << 30, Max: 12 << 30}); err != nil {
		return err
	}
	var err error
	if w.self, err = os.Executable(); err != nil {
		return err
	}
	seeds, err := torture.ReadSeeds(w.Seeds...)
	if err != nil {
		return err
	}
	for _, dir := range []string{"in", "out", "tmp", "bin"} {
		if err := os.MkdirAll(filepath.Join(w.Dir, dir), 0o777); err != nil {
			return err
		}
	}
	dirs, err := tortureDirs()
	if err != nil {
		return err
	}
	w.dirs = dirs
	if err := os.Chdir(w.Dir); err != nil {
		return err
	}
	for name, value := range map[string]string{"TMPDIR": filepath.Join(w.Dir, "tmp"), "PATH": filepath.Join(w.Dir, "bin"), "HOME": filepath.Join(w.Dir, "tmp")} {
		if err := os.Setenv(name, value); err != nil {
			return err
		}
	}
	for i := range seeds {
		if base := seeds[i].Name; base == "samples/kitchen-sink.xml" || base == "samples/ssd-vs-zfs-hdds.flat.txt" || base == "input/hostile.json" {
			made, err := w.forms(seeds[i])
			if err != nil {
				return err
			}
			seeds = append(seeds, made...)
		}
	}
	for _, s := range seeds {
		w.seeds[s.Name] = s
	}
	w.g = &torture.Generator{Seed: w.Seed, Seeds: seeds, Xz: packXz, Zstd: packZstd}
	if err := w.install(); err != nil {
		return err
	}
	if err := w.soundDirs(); err != nil {
		return err
	}
	if err := w.makeReplayLab(); err != nil {
		return err
	}
	return w.corpusDir()
}

// install puts the command and the engine into the folder bin: by its name there
// this program is the command, to the drivers that a replay starts too.
func (w *tortureWorker) install() error {
	to := filepath.Join(w.Dir, "bin", "benchproof")
	if os.Link(w.self, to) != nil { // on another file-system
		data, err := os.ReadFile(w.self)
		if err == nil {
			err = os.WriteFile(to, data, 0o777)
		}
		if err != nil {
			return err
		}
	}
	if w.Engine == "" {
		return nil
	}
	return os.Symlink(w.Engine, filepath.Join(w.Dir, "bin", "benchproof-sql"))
}

// forms writes a seed in the forms of convert.
func (w *tortureWorker) forms(s torture.Seed) ([]torture.Seed, error) {
	path := filepath.Join("in", "seed.txt")
	if err := os.WriteFile(path, s.Data, 0o666); err != nil {
		return nil, err
	}
	var made []torture.Seed
	for _, f := range []struct{ args, form string }{
		{"--format json", "json"},
		{"--format csv", "csv"},
		{"--format csv --layout wide", "csv"},
		{"--format xml", "xml"},
		{"--format pts-text", "text"},
		{"--format ndjson", "text"},
		{"--format md", "text"},
		{"--format txt", "text"},
		{"--format xlsx", "text"},
		{"--format sqlite", "text"},
		{"--format parquet", "text"},
	} {
		if s.Name == "input/hostile.json" && f.form == "text" {
			continue
		}
		code, stdout, stderr := w.command(append([]string{"convert", path}, strings.Fields(f.args)...), nil, false)
		if code != 0 {
			return nil, fmt.Errorf("%s as %s: code %d, %s", s.Name, f.args, code, stderr)
		}
		made = append(made, torture.Seed{Name: s.Name + " " + f.args, Form: f.form, Data: stdout})
	}
	return made, os.Remove(path)
}

func packXz(data []byte) []byte {
	var b bytes.Buffer
	// A dictionary of the usual size is 8 MiB a member to clear.
	c, err := xz.WriterConfig{DictCap: 1 << 16}.NewWriter(&b)
	if err == nil {
		_, err = c.Write(data)
	}
	if err == nil {
		err = c.Close()
	}
	if err != nil {
		panic(err) // a buffer takes all
	}
	return b.Bytes()
}

var zstdEncoder, _ = zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1), zstd.WithWindowSize(1<<16), zstd.WithLowerEncoderMem(true))

func packZstd(data []byte) []byte { return zstdEncoder.EncodeAll(data, nil) }

// command runs one command in this process.
func (w *tortureWorker) command(args []string, stdin []byte, terminal bool) (code int, stdout, stderr []byte) {
	var out, errs bytes.Buffer
	e := &env{
		stdin: bytes.NewReader(stdin), stdout: &out, stderr: &errs,
		getenv:         func(string) string { return "" },
		after:          func(time.Duration, func()) func() { return func() {} },
		stdoutTerminal: terminal, stderrTerminal: terminal, width: 80,
	}
	if !terminal {
		e.width = 0
	}
	code = run(tortureContext, e, args)
	return code, out.Bytes(), errs.Bytes()
}

// spawn runs one command in a process of its own, through pipes.
func (w *tortureWorker) spawn(args []string, stdin []byte) (code int, stdout, stderr []byte, err error) {
	c := tortureProcess(w.self, args)
	c.Stdin = bytes.NewReader(stdin)
	var out, errs bytes.Buffer
	c.Stdout, c.Stderr = &out, &errs
	if err := c.Run(); c.ProcessState == nil {
		return 0, nil, nil, err
	}
	return c.ProcessState.ExitCode(), out.Bytes(), errs.Bytes(), nil
}

// cpuTime returns the processor time of this process, in seconds.
func cpuTime() float64 {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return float64(u.Utime.Sec+u.Stime.Sec) + float64(u.Utime.Usec+u.Stime.Usec)/1e6
}

// clearPeak forgets the peak of this process's memory.
func clearPeak() {
	// Where it cannot be forgotten it is that of a command before.
	_ = os.WriteFile("/proc/self/clear_refs", []byte("5"), 0)
}

// peak returns the most memory that this process had, in KiB.
func peak() int {
	data, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0
	}
	_, after, _ := strings.Cut(string(data), "VmHWM:")
	fields := strings.Fields(after)
	if len(fields) == 0 {
		return 0
	}
	n, err := strconv.Atoi(fields[0])
	if err != nil {
		return 0
	}
	return n
}

// emptyDir removes all that is in a folder.
func emptyDir(dir string) error {
	list, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, e := range list {
		if err := os.RemoveAll(filepath.Join(dir, e.Name())); err != nil {
			return err
		}
	}
	return nil
}

// input makes input i and runs its commands.
func (w *tortureWorker) input(i uint64) error {
	if err := w.out.Encode(tortureLine{Index: i, Begin: "make the input", Input: true}); err != nil {
		return err
	}
	for _, dir := range []string{"in", "out", "tmp"} {
		if err := emptyDir(dir); err != nil {
			return err
		}
	}
	r := tortureRand(w.Seed, i)
	done := tortureLine{Index: i}
	var t *tortureInput
	var err error
	switch {
	case i%dirEvery == dirEvery-1 && r.IntN(3) == 0:
		if done, err = w.replayed(i); err == nil {
			err = w.out.Encode(done)
		}
		debug.FreeOSMemory() // of journals and plans of tens of thousands of lines
		return err
	case i%severalEvery == severalEvery-1:
		if done, err = w.severalInputs(i, r); err == nil {
			err = w.out.Encode(done)
		}
		return err
	case i%dirEvery == dirEvery-1:
		t, err = w.placeDir(i, r)
	default:
		t, err = w.place(i, r)
	}
	if err != nil {
		return err
	}
	done.Kind, done.Bytes = t.kind, t.size
	for n, s := range w.steps(t, r) {
		if err := w.out.Encode(tortureLine{Index: i, Begin: strings.Join(s.args, " "), Heavy: t.Heavy, Size: t.size}); err != nil {
			return err
		}
		ran, err := w.step(t, s)
		if err != nil {
			return err
		}
		done.Runs = append(done.Runs, ran)
		if w.Spawn > 0 && (i+uint64(n))%w.Spawn == 0 && !t.dir && !t.Heavy {
			again, err := w.again(t, s, ran)
			if err != nil {
				return err
			}
			done.Runs = append(done.Runs, again)
		}
	}
	if err := w.keepFaults(i, t, done.Runs); err != nil {
		return err
	}
	if t.Heavy {
		debug.FreeOSMemory()
	}
	return w.out.Encode(done)
}

// step runs one command and looks at all that it did.
func (w *tortureWorker) step(t *tortureInput, s tortureStep) (tortureRun, error) {
	for _, dir := range []string{"out", "tmp"} {
		if err := emptyDir(dir); err != nil {
			return tortureRun{}, err
		}
	}
	ran := tortureRun{Command: s.name, Args: s.args}
	clearPeak()
	before := cpuTime()
	code, stdout, stderr := w.command(s.args, s.stdin, s.terminal)
	ran.Code, ran.CPU, ran.Peak = code, cpuTime()-before, peak()
	o := &tortureOutcome{w: w, t: t, s: &s, code: code, stdout: stdout, stderr: stderr, peak: ran.Peak, cpu: ran.CPU}
	ran.Faults = o.check()
	if ran.Peak > 300<<10 {
		debug.FreeOSMemory()
	}
	return ran, nil
}

// again runs the command as a process and compares.
func (w *tortureWorker) again(t *tortureInput, s tortureStep, first tortureRun) (tortureRun, error) {
	ran := tortureRun{Command: s.name, Args: s.args, Spawned: true}
	if s.terminal {
		s.terminal = false
	}
	if err := emptyDir("out"); err != nil {
		return ran, err
	}
	wantCode, wantOut, wantErr := w.command(s.args, s.stdin, false)
	if err := emptyDir("out"); err != nil {
		return ran, err
	}
	code, stdout, stderr, err := w.spawn(s.args, s.stdin)
	if err != nil {
		return ran, err
	}
	ran.Code = code
	switch {
	case code != wantCode:
		ran.Faults = append(ran.Faults, fmt.Sprintf("process: code %d, here %d: %.300q", code, wantCode, stderr))
	case !bytes.Equal(stdout, wantOut) && !s.varies:
		ran.Faults = append(ran.Faults, "process: stdout is another than here")
	case !bytes.Equal(stderr, wantErr) && !s.varies:
		ran.Faults = append(ran.Faults, fmt.Sprintf("process: stderr %.300q, here %.300q", stderr, wantErr))
	}
	return ran, nil
}
