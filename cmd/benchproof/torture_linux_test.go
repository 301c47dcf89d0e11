package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// Variables of the environment that make torture sets.
const (
	tortureCountVar = "BENCHPROOF_TORTURE"       // how many inputs
	tortureSeedVar  = "BENCHPROOF_TORTURE_SEED"  // the number that they follow from
	tortureFirstVar = "BENCHPROOF_TORTURE_FIRST" // the index of the first
	tortureTimeVar  = "BENCHPROOF_TORTURE_TIME"  // when to end, such as 60m
	tortureOutVar   = "BENCHPROOF_TORTURE_OUT"   // a folder for inputs that failed
	tortureJobsVar  = "BENCHPROOF_TORTURE_JOBS"  // how many workers
)

// Hostile input in bulk: every input goes through check, through the record,
// and through some of all other commands, in workers that may crash. Each run
// is looked at from all sides: see the method check of tortureOutcome.
//
// Without the variables of make torture it is short.
func TestTorture(t *testing.T) {
	computes(t)
	number := func(name string, otherwise uint64) uint64 {
		text := os.Getenv(name)
		if text == "" {
			return otherwise
		}
		n, err := strconv.ParseUint(text, 10, 64)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		return n
	}
	short := os.Getenv(tortureCountVar) == ""
	count := number(tortureCountVar, 120)
	if testing.Short() && short {
		count = 40
	}
	l := &tortureLab{
		t: t, first: number(tortureFirstVar, 0), count: count, short: short,
		runs: map[string]*tortureCount{}, kinds: map[string]*tortureCount{}, said: map[string]int{},
	}
	l.setup = tortureSetup{Seed: number(tortureSeedVar, 1), Spawn: 60}
	limit := 2 * time.Hour
	if text := os.Getenv(tortureTimeVar); text != "" {
		var err error
		if limit, err = time.ParseDuration(text); err != nil {
			t.Fatalf("%s: %v", tortureTimeVar, err)
		}
	}
	l.until = time.Now().Add(limit)
	dirs := []string{"../../samples", "testdata/input", "../../result/testdata", "../../parse/testdata", "../../parse/internal/csv/testdata", "../../parse/internal/capture/testdata", "../../internal/torture/testdata/seeds"}
	if !short {
		dirs = append(dirs, "../../../shared/samples", "../../../shared/corpus/defects", "../../../shared/corpus/site", "../../../shared/corpus/real", "../../../shared/flat")
	}
	l.setup.Seeds = dirs
	if l.setup.Failed = os.Getenv(tortureOutVar); l.setup.Failed == "" {
		l.setup.Failed = t.TempDir()
	} else {
		abs, err := filepath.Abs(l.setup.Failed)
		if err == nil {
			err = os.MkdirAll(abs, 0o777)
		}
		if err != nil {
			t.Fatal(err)
		}
		l.setup.Failed = abs
	}
	l.setup.Engine = tortureEngine(t)
	var wait sync.WaitGroup
	for range max(1, number(tortureJobsVar, 1)) {
		wait.Go(l.work)
	}
	wait.Wait()
	l.report()
}

// tortureEngine returns the SQL engine that questions to a corpus are asked of,
// without which those of make torture would not be asked.
func tortureEngine(t *testing.T) string {
	t.Helper()
	engine := os.Getenv("BENCHPROOF_SQL")
	if engine == "" {
		engine = "../../bin/benchproof-sql"
	}
	engine, err := filepath.Abs(engine)
	if err == nil {
		_, err = os.Stat(engine)
	}
	switch {
	case err == nil:
		return engine
	case os.Getenv(tortureCountVar) != "":
		t.Fatalf("no SQL engine: make sql: %v", err)
	}
	t.Logf("corpora are asked nothing: %v", err)
	return ""
}

// tortureCount counts runs of a command, or inputs of a kind.
type tortureCount struct {
	runs, faults int
	codes        map[int]int
	cpu, longest float64
	peak         int
}

// tortureLab hands out inputs and counts.
type tortureLab struct {
	t            *testing.T
	setup        tortureSetup
	first, count uint64
	short        bool
	until        time.Time

	mu          sync.Mutex
	next, done  uint64
	runs, kinds map[string]*tortureCount
	spawned     int
	bytes       int
	said        map[string]int // faults by what they begin with
}

// take returns the next index.
func (l *tortureLab) take() (uint64, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.next == l.count || time.Now().After(l.until) {
		return 0, false
	}
	l.next++
	return l.first + l.next - 1, true
}

// work keeps a worker at work, and begins another where one has crashed.
func (l *tortureLab) work() {
	for {
		again, err := l.worker()
		if err != nil {
			l.t.Error(err)
			return
		}
		if !again {
			return
		}
	}
}

// worker runs one worker to its end. again is true where it crashed.
func (l *tortureLab) worker() (again bool, err error) {
	setup := l.setup
	if setup.Dir, err = os.MkdirTemp(tortureRoom(l.t), "torture"); err != nil {
		return false, err
	}
	defer os.RemoveAll(setup.Dir)
	// No memory is measured as a disk.
	setup.Disk = l.t.TempDir()
	self, err := os.Executable()
	if err != nil {
		return false, err
	}
	c := &exec.Cmd{Path: self, Args: []string{tortureName}}
	var stderr tail
	c.Stderr = &stderr
	stdin, err := c.StdinPipe()
	if err != nil {
		return false, err
	}
	stdout, err := c.StdoutPipe()
	if err != nil {
		return false, err
	}
	if err := c.Start(); err != nil {
		return false, err
	}
	ended := false
	defer func() {
		if !ended {
			_ = c.Process.Kill()
			_ = c.Wait()
		}
	}()
	first, err := json.Marshal(setup)
	if err != nil {
		return false, err
	}
	fmt.Fprintf(stdin, "%s\n", first)
	lines := make(chan tortureLine)
	go func() {
		defer close(lines)
		r := bufio.NewReader(stdout)
		for {
			text, err := r.ReadBytes('\n')
			var line tortureLine
			if err != nil || json.Unmarshal(text, &line) != nil {
				return
			}
			lines <- line
		}
	}()
	for {
		i, ok := l.take()
		if !ok {
			ended = true
			stdin.Close()
			for range lines {
			}
			return false, c.Wait()
		}
		fmt.Fprintf(stdin, "%d\n", i)
		now, why := l.watch(c.Process.Pid, lines)
		if why == "" {
			continue
		}
		// It hangs, or is gone.
		_ = c.Process.Kill()
		for range lines {
		}
		ended = true
		werr := c.Wait()
		l.crashed(i, now, fmt.Sprintf("%s: %v: %s", why, werr, stderr.text()), setup.Dir)
		return true, nil
	}
}

// tortureRoom returns where workers work: in memory where there is such a
// place, for the files are many and small.
func tortureRoom(t *testing.T) string {
	if info, err := os.Stat("/dev/shm"); err == nil && info.IsDir() && os.Getenv(tortureCountVar) != "" {
		return "/dev/shm"
	}
	return t.TempDir()
}

// watch waits until an input is done. why is set where it hangs or the worker
// has ended; begun is then what it was at.
func (l *tortureLab) watch(pid int, lines <-chan tortureLine) (begun tortureLine, why string) {
	tick := time.NewTicker(500 * time.Millisecond)
	defer tick.Stop()
	began, cpu := time.Now(), procTime(pid)
	for {
		select {
		case line, ok := <-lines:
			if !ok {
				return begun, "crashed"
			}
			if line.Begin == "" {
				l.add(line)
				return line, ""
			}
			begun, began, cpu = line, time.Now(), procTime(pid)
		case <-tick.C:
			used := procTime(pid) - cpu
			// Heavy inputs are of some hundred MiB at most.
			limit := float64(torturePatience + tortureSlow*(begun.Size>>20))
			if begun.Input || begun.Heavy {
				limit *= 12
			}
			if used > limit || time.Since(began) > 10*time.Minute {
				return begun, fmt.Sprintf("hangs: %.1f s of processor, %.0f s", used, time.Since(began).Seconds())
			}
		}
	}
}

// procTime returns the processor time of a process, in seconds.
func procTime(pid int) float64 {
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0
	}
	_, after, _ := strings.Cut(string(data), ") ")
	fields := strings.Fields(after)
	if len(fields) < 13 {
		return 0
	}
	user, err1 := strconv.ParseFloat(fields[11], 64)
	sys, err2 := strconv.ParseFloat(fields[12], 64)
	if err1 != nil || err2 != nil {
		return 0
	}
	return (user + sys) / 100
}

// add counts an input that is done.
func (l *tortureLab) add(line tortureLine) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.done++
	l.bytes += line.Bytes
	kind := counted(l.kinds, line.Kind)
	kind.runs++
	for _, r := range line.Runs {
		if r.Spawned {
			l.spawned++
		}
		c := counted(l.runs, r.Command)
		c.runs++
		c.codes[r.Code]++
		c.cpu += r.CPU
		kind.cpu += r.CPU
		c.longest = max(c.longest, r.CPU)
		c.peak = max(c.peak, r.Peak)
		kind.peak = max(kind.peak, r.Peak)
		for _, f := range r.Faults {
			c.faults++
			kind.faults++
			l.fault(line.Index, line.Kind, r.Args, f)
		}
	}
	if l.done%5000 == 0 {
		l.t.Logf("%s: %d inputs", time.Now().Format(time.TimeOnly), l.done)
	}
}

func counted(m map[string]*tortureCount, name string) *tortureCount {
	if m[name] == nil {
		m[name] = &tortureCount{codes: map[int]int{}}
	}
	return m[name]
}

// fault reports a fault, the first few of a sort.
func (l *tortureLab) fault(i uint64, kind string, args []string, text string) {
	sort := args[0] + " " + text[:min(len(text), 24)]
	l.said[sort]++
	if l.said[sort] > 4 {
		l.t.Fail()
		return
	}
	l.t.Errorf("seed %d, input %d (%s): %q: %s", l.setup.Seed, i, kind, args, text)
}

// crashed counts an input that took the worker with it, and keeps it.
func (l *tortureLab) crashed(i uint64, begun tortureLine, why, dir string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.done++
	counted(l.kinds, "(crashed)").faults++
	l.fault(i, "crashed", []string{begun.Begin}, why)
	kept := filepath.Join(l.setup.Failed, fmt.Sprintf("%d-%d-crashed", l.setup.Seed, i))
	_ = os.RemoveAll(kept)
	if err := copyTree(kept, filepath.Join(dir, "in")); err != nil {
		l.t.Error(err)
	}
	if err := os.WriteFile(filepath.Join(kept, "FAULTS"), []byte(begun.Begin+"\n"+why+"\n"), 0o666); err != nil {
		l.t.Error(err)
	}
}

// tail keeps the beginning and the end of what is written to it.
type tail struct {
	mu         sync.Mutex
	head, last []byte
}

func (b *tail) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.head) < 3000 {
		b.head = append(b.head, p[:min(len(p), 3000-len(b.head))]...)
	}
	b.last = append(b.last, p...)
	if len(b.last) > 2000 {
		b.last = b.last[len(b.last)-1000:]
	}
	return len(p), nil
}

func (b *tail) text() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return string(b.head)
}

// report prints the tables.
func (l *tortureLab) report() {
	var b strings.Builder
	commands := 0
	fmt.Fprintf(&b, "%-20s %8s %8s %8s %8s %8s %7s\n", "kind of input", "inputs", "", "faults", "CPU s", "", "MiB")
	for _, name := range slices.Sorted(maps.Keys(l.kinds)) {
		c := l.kinds[name]
		fmt.Fprintf(&b, "%-20s %8d %8s %8d %8.0f %8s %7d\n", name, c.runs, "", c.faults, c.cpu, "", c.peak>>10)
	}
	fmt.Fprintf(&b, "\n%-20s %8s %8s %8s %8s %7s  codes\n", "command", "runs", "faults", "CPU s", "longest", "MiB")
	for _, name := range slices.Sorted(maps.Keys(l.runs)) {
		c := l.runs[name]
		commands += c.runs
		fmt.Fprintf(&b, "%-20s %8d %8d %8.0f %8.2f %7d ", name, c.runs, c.faults, c.cpu, c.longest, c.peak>>10)
		for _, code := range slices.Sorted(maps.Keys(c.codes)) {
			fmt.Fprintf(&b, " %d:%d", code, c.codes[code])
		}
		b.WriteByte('\n')
	}
	sum := 0
	for _, n := range l.said {
		sum += n
	}
	fmt.Fprintf(&b, "\nseed %d: %d inputs of %d MB, %d runs, %d of them processes; %d faults of %d sorts\n", l.setup.Seed, l.done, l.bytes>>20, commands, l.spawned, sum, len(l.said))
	for _, s := range slices.Sorted(maps.Keys(l.said)) {
		fmt.Fprintf(&b, "%6d  %q\n", l.said[s], s)
	}
	if sum > 0 && os.Getenv(tortureOutVar) != "" {
		fmt.Fprintf(&b, "inputs that failed are in %s\n", l.setup.Failed)
	}
	l.t.Logf("\n%s", b.String())
}
