package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
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
	return w.corpusDir()
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
	if i%dirEvery == dirEvery-1 {
		t, err = w.placeDir(i, r)
	} else {
		t, err = w.place(i, r)
	}
	if err != nil {
		return err
	}
	done.Kind, done.Bytes = t.kind, t.size
	failed := false
	for n, s := range w.steps(t, r) {
		if err := w.out.Encode(tortureLine{Index: i, Begin: strings.Join(s.args, " "), Heavy: t.Heavy, Size: t.size}); err != nil {
			return err
		}
		ran, err := w.step(t, s)
		if err != nil {
			return err
		}
		done.Runs = append(done.Runs, ran)
		failed = failed || len(ran.Faults) > 0
		if w.Spawn > 0 && (i+uint64(n))%w.Spawn == 0 && !t.dir && !t.Heavy {
			again, err := w.again(t, s, ran)
			if err != nil {
				return err
			}
			done.Runs = append(done.Runs, again)
			failed = failed || len(again.Faults) > 0
		}
	}
	if failed {
		if err := w.keep(i, t, done.Runs); err != nil {
			return err
		}
	}
	if t.Heavy {
		debug.FreeOSMemory()
	}
	return w.out.Encode(done)
}

// keep copies an input that failed, with what was wrong.
func (w *tortureWorker) keep(i uint64, t *tortureInput, runs []tortureRun) error {
	dir := filepath.Join(w.Failed, fmt.Sprintf("%d-%d-%s", w.Seed, i, strings.ReplaceAll(t.kind, " ", "-")))
	if t.size > 20<<20 {
		return nil // seed and index make it again
	}
	if err := os.RemoveAll(dir); err != nil {
		return err
	}
	if err := copyTree(dir, "in"); err != nil {
		return err
	}
	var b strings.Builder
	fmt.Fprintf(&b, "seed %d, index %d, kind %s, from %s\n", w.Seed, i, t.kind, t.Seed)
	for _, r := range runs {
		for _, f := range r.Faults {
			fmt.Fprintf(&b, "%q\n  %s\n", r.Args, f)
		}
	}
	return os.WriteFile(filepath.Join(dir, "FAULTS"), []byte(b.String()), 0o666)
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

// copyTree copies the regular files below a folder, whatever they are called:
// os.CopyFS takes no name that is not UTF-8.
func copyTree(to, from string) error {
	return filepath.WalkDir(from, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		switch {
		case d.IsDir():
			return os.MkdirAll(filepath.Join(to, name), 0o777)
		case !d.Type().IsRegular():
			return nil
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(to, name), data, 0o666)
	})
}
