package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/benchproof/benchproof/replay/cluster"
	"github.com/benchproof/benchproof/result"
)

// fakeFio is a program that answers as fio does, at once or after as many
// seconds as the file pause-HOST beside it says, with figures that follow from
// the job alone: what is gathered of any hosts can be compared to the digit.
const fakeFio = `#!/bin/sh
[ "$1" = --version ] && { echo fio-3.33; exit 0; }
here=${0%/*}
host=${PWD#*/hosts/}
sleep "$(cat "$here/pause-${host%%/*}" 2>/dev/null || echo 0)"
value() { sed -n "s/^$1=//p" fio.job | tail -n 1; }
rw=$(value rw) bs=$(value bs) runtime=$(value runtime)
case $bs in *m) size=$((${bs%m} * 1048576)) ;; *k) size=$((${bs%k} * 1024)) ;; *) size=$bs ;; esac
case $rw in randread) n=50000 ;; randwrite) n=40000 ;; read) n=300 ;; *) n=200 ;; esac
one='{"io_bytes":'$((n * size * runtime))',"bw_bytes":'$((n * size))',"iops":'$n',"runtime":'$((runtime * 1000))',"total_ios":'$((n * runtime))'}'
case $rw in *read) sides='"read":'$one ;; *) sides='"write":'$one ;; esac
echo '{"fio version":"fio-3.33","global options":{},"jobs":[{"jobname":"test","error":0,"job options":{"rw":"'$rw'","bs":"'$bs'","ioengine":"'$(value ioengine)'"},'$sides'}]}'
`

// slurmRows is a published result whose rows the fake answers.
const slurmRows = `{"schema":"benchproof/result/1","files":[{"title":"hosts","source":"hosts","format":"record",
"systems":[{"identifier":"A"}],"tests":[
{"title":"Flexible IO Tester","version":"3.1","arguments":"Type: Random Read - IO Engine: Sync - Buffered: Yes - Direct: No - Block Size: 4KB - Disk Target: Default Test Directory","scale":"IOPS","proportion":"HIB","measurements":[{"system_index":0,"value":"30000"}]},
{"title":"Flexible IO Tester","version":"3.1","arguments":"Type: Random Write - IO Engine: Sync - Buffered: Yes - Direct: No - Block Size: 4KB - Disk Target: Default Test Directory","scale":"IOPS","proportion":"HIB","measurements":[{"system_index":0,"value":"20000"}]},
{"title":"Flexible IO Tester","version":"3.1","arguments":"Type: Sequential Write - IO Engine: Sync - Buffered: Yes - Direct: No - Block Size: 2MB - Disk Target: Default Test Directory","scale":"MB/s","proportion":"HIB","measurements":[{"system_index":0,"value":"200"}]}
]}]}`

const slurmRuns = 3

// slurmLab is a Slurm of the test's own, on virtual nodes of this machine.
type slurmLab struct {
	t       *testing.T
	dir     string // of all files
	slurm   string // of Slurm's
	script  string
	program string
	env     []string
}

func newSlurmLab(t *testing.T, nodes int) *slurmLab {
	t.Helper()
	if testing.Short() {
		t.Skip("starts a Slurm and waits for its queue")
	}
	script, err := filepath.Abs("../../scripts/slurm-test")
	if err != nil {
		t.Fatal(err)
	}
	// Paths of sockets are short.
	dir, err := os.MkdirTemp("", "bp-slurm-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	l := &slurmLab{t: t, dir: dir, slurm: filepath.Join(dir, "slurm"), script: script, program: filepath.Join(dir, "benchproof")}
	out, err := exec.Command(script, "start", l.slurm, strconv.Itoa(nodes)).CombinedOutput()
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.ExitCode() == 77 {
		t.Skipf("Slurm cannot be started here: %s", out)
	}
	if err != nil {
		t.Fatalf("start Slurm: %v: %s", err, out)
	}
	t.Cleanup(func() {
		if t.Failed() {
			l.logs()
		}
		if out, err := exec.Command(script, "stop", l.slurm).CombinedOutput(); err != nil {
			t.Errorf("stop Slurm: %v: %s", err, out)
		}
		if left := l.left(); len(left) > 0 {
			t.Errorf("processes are left: %q", left)
		}
	})
	self, err := os.Executable()
	if err == nil {
		err = os.Symlink(self, l.program) // by that name it is the command
	}
	for _, host := range []string{"n1", "n2", "n3", "n4", "local"} {
		if err == nil {
			err = errors.Join(os.MkdirAll(filepath.Join(dir, "hosts", host), 0o755), os.MkdirAll(filepath.Join(dir, "locks", host), 0o755))
		}
	}
	if err == nil {
		err = os.Mkdir(filepath.Join(dir, "bin"), 0o755)
	}
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, "bin", "fio"), []byte(fakeFio), 0o755)
	}
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, "rows.json"), []byte(slurmRows), 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
	l.env = append(os.Environ(), "SLURM_CONF="+filepath.Join(l.slurm, "slurm.conf"), "PATH="+filepath.Join(dir, "bin")+":"+os.Getenv("PATH"))
	return l
}

// left returns the command lines of processes that name the lab's directory.
func (l *slurmLab) left() []string {
	var list []string
	names, _ := filepath.Glob("/proc/[0-9]*/cmdline")
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err == nil && bytes.Contains(text, []byte(l.slurm)) {
			list = append(list, strings.ReplaceAll(string(text), "\x00", " "))
		}
	}
	return list
}

// logs shows what a failed test wants to know.
func (l *slurmLab) logs() {
	names, _ := filepath.Glob(filepath.Join(l.dir, "*", "element-*.log"))
	names = append(names, filepath.Join(l.slurm, "slurmctld.log"))
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err == nil {
			l.t.Logf("%s:\n%s", name, text[max(0, len(text)-3000):])
		}
	}
}

// pause has the fake wait for so many seconds on a host.
func (l *slurmLab) pause(host, seconds string) {
	l.t.Helper()
	name := filepath.Join(l.dir, "bin", "pause-"+host)
	if err := os.WriteFile(name+".new", []byte(seconds), 0o644); err != nil {
		l.t.Fatal(err)
	}
	if err := os.Rename(name+".new", name); err != nil {
		l.t.Fatal(err)
	}
}

// command runs a program in the lab's directory and returns its output; it
// fails the test where the exit code is not the wanted one.
func (l *slurmLab) command(code int, name string, args ...string) (stdout, stderr string) {
	l.t.Helper()
	c := exec.Command(name, args...)
	c.Dir, c.Env = l.dir, l.env
	var out, said strings.Builder
	c.Stdout, c.Stderr = &out, &said
	err := c.Run()
	if got := c.ProcessState.ExitCode(); got != code {
		l.t.Fatalf("%s %q: exit code %d (%v), want %d\n%s%s", filepath.Base(name), args, got, err, code, out.String(), said.String())
	}
	return out.String(), said.String()
}

// run runs benchproof.
func (l *slurmLab) run(code int, args ...string) (stdout, stderr string) {
	l.t.Helper()
	return l.command(code, l.program, args...)
}

// submit submits the lab's plan to hosts, as the job of a directory, and
// returns the number of the array.
func (l *slurmLab) submit(job, hosts string, more ...string) string {
	l.t.Helper()
	out, _ := l.run(0, append([]string{
		"replay", "submit", "plan.json", "--slurm", "--hosts", hosts, "--journal", job, "--json",
		"--target", "disk=" + filepath.Join(l.dir, "hosts", "{host}"), "--lock-dir", filepath.Join(l.dir, "locks", "{host}"),
	}, more...)...)
	var doc struct {
		Array string `json:"array"`
	}
	if err := json.Unmarshal([]byte(out), &doc); err != nil || doc.Array == "" {
		l.t.Fatalf("submit printed %s", out)
	}
	return doc.Array
}

func (l *slurmLab) status(job string) *cluster.Status {
	l.t.Helper()
	out, _ := l.run(0, "replay", "status", job, "--json")
	var s cluster.Status
	if err := json.Unmarshal([]byte(out), &s); err != nil {
		l.t.Fatal(err)
	}
	return &s
}

// until waits for a job's status to be as wanted.
func (l *slurmLab) until(job, what string, want func(*cluster.Status) bool) *cluster.Status {
	l.t.Helper()
	var s *cluster.Status
	for end := time.Now().Add(90 * time.Second); time.Now().Before(end); time.Sleep(200 * time.Millisecond) {
		if s = l.status(job); want(s) {
			return s
		}
	}
	l.t.Fatalf("%s: not %s after 90 s: %+v", job, what, s)
	return nil
}

// element returns what waits for an element to be in a state.
func element(n int, state string) func(*cluster.Status) bool {
	return func(s *cluster.Status) bool { return s.Elements[n].State == state }
}

func allDone(s *cluster.Status) bool {
	return !slices.ContainsFunc(s.Elements, func(e cluster.ElementStatus) bool { return e.State != cluster.Done })
}

// half waits until an element has done something and is at work.
func half(n int) func(*cluster.Status) bool {
	return func(s *cluster.Status) bool {
		e := &s.Elements[n]
		return e.State == cluster.Running && e.Done >= 2 && e.Done < e.Total-1 && e.Run != ""
	}
}

// runners returns the processes that run elements of a job on a host.
func (l *slurmLab) runners(job, host string) []int {
	l.t.Helper()
	var list []int
	names, _ := filepath.Glob("/proc/[0-9]*/environ")
	for _, name := range names {
		env, err := os.ReadFile(name)
		if err != nil || !bytes.Contains(env, []byte("SLURMD_NODENAME="+host+"\x00")) || !bytes.Contains(env, []byte("SLURM_CONF="+l.slurm)) {
			continue
		}
		args, err := os.ReadFile(filepath.Join(filepath.Dir(name), "cmdline"))
		if err == nil && bytes.HasSuffix(args, []byte("replay\x00element\x00"+filepath.Join(l.dir, job)+"\x00")) {
			pid, _ := strconv.Atoi(filepath.Base(filepath.Dir(name)))
			list = append(list, pid)
		}
	}
	return list
}

// kill kills what runs the elements of a job on a host.
func (l *slurmLab) kill(job, host string) {
	l.t.Helper()
	pids := l.runners(job, host)
	if len(pids) == 0 {
		l.t.Fatalf("no process runs the element of %s", host)
	}
	for _, pid := range pids {
		if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
			l.t.Error(err)
		}
	}
}

// repetitions counts the finished repetitions of an element's journal, each of
// which may be there once.
func (l *slurmLab) repetitions(job string, n int) int {
	l.t.Helper()
	file, err := os.Open(filepath.Join(cluster.ElementDir(filepath.Join(l.dir, job), n), "journal.jsonl"))
	if err != nil {
		l.t.Fatal(err)
	}
	defer file.Close()
	seen := make(map[string]bool)
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var e struct {
			Event string `json:"event"`
			Run   string `json:"run_id"`
			Block int    `json:"block"`
			Rep   int    `json:"repetition"`
		}
		if err := json.Unmarshal(lines.Bytes(), &e); err != nil {
			l.t.Fatal(err)
		}
		if e.Event != "done" {
			continue
		}
		key := fmt.Sprint(e.Run, " ", e.Block, " ", e.Rep)
		if seen[key] {
			l.t.Errorf("%s: element %d did repetition %s twice", job, n, key)
		}
		seen[key] = true
	}
	return len(seen)
}

// figures are what must be alike wherever a plan ran.
type figures struct{ Test, Scale, Value, StdError, Raw, Driver, Scaling string }

// figuresOf returns the figures of one system of a file.
func figuresOf(t *testing.T, f *result.File, system string) []figures {
	t.Helper()
	at := f.SystemIndex(system)
	if at < 0 {
		t.Fatalf("no system %q in %q", system, f.SystemNames())
	}
	var list []figures
	for i := range f.Tests {
		for j := range f.Tests[i].Measurements {
			if m := &f.Tests[i].Measurements[j]; m.System == at {
				list = append(list, figures{
					f.Tests[i].Title + " " + f.Tests[i].Arguments, f.Tests[i].Scale, m.Value, m.StdError,
					strings.Join(m.RawValues, ";"), m.Replay.Driver, m.Replay.Scaling,
				})
			}
		}
	}
	return list
}

func readRecord(t *testing.T, name string) *result.File {
	t.Helper()
	file, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	files, err := result.DecodeJSON(file)
	if err != nil || len(files) != 1 {
		t.Fatalf("%s: %d files, %v", name, len(files), err)
	}
	return files[0]
}

// A plan on four hosts, of which everything happens to one or another: an
// element is requeued, one is killed, a node dies, a time limit comes. All end
// with the figures that the same plan gives here, and no repetition counts twice.
func TestSlurm(t *testing.T) {
	l := newSlurmLab(t, 4)
	l.run(0, "replay", "plan", "rows.json", "--scale", "0.004", "--runs", strconv.Itoa(slurmRuns), "-o", "plan.json", "--quiet")
	l.run(0, "replay", "run", "plan.json", "--journal", "local", "--quiet",
		"--target", "disk="+filepath.Join(l.dir, "hosts", "local"), "--lock-dir", filepath.Join(l.dir, "locks", "local"))
	want := figuresOf(t, readRecord(t, filepath.Join(l.dir, "local", "result.json")), "disk")
	if len(want) != 3 || want[0].Value != "50000" || want[1].Value != "40000" || want[0].Raw != "50000;50000;50000" {
		t.Fatalf("the fake gives %+v", want)
	}
	for _, host := range []string{"n1", "n2", "n3"} {
		l.pause(host, "1")
	}
	l.pause("n4", "8")

	// Nothing is submitted by a dry run.
	dry, _ := l.run(0, "replay", "submit", "plan.json", "--slurm", "--target", "disk="+filepath.Join(l.dir, "hosts", "{host}"), "--journal", "dry", "--dry-run")
	if !strings.Contains(dry, "sbatch --parsable --hold") || !strings.Contains(dry, "n4: disk ("+filepath.Join(l.dir, "hosts", "n4")+")") {
		t.Errorf("the dry run says\n%s", dry)
	}
	if _, err := os.Stat(filepath.Join(l.dir, "dry")); err == nil {
		t.Error("the dry run has made the job's directory")
	}

	// A minute is all that its two are for the queue: it says so at once.
	l.submit("limit", "n4", "--time", "1m")
	pair := l.submit("pair", "n[1-2]")
	l.submit("node", "n3")

	// Requeued while it runs.
	l.until("pair", "at work", half(0))
	l.command(0, "scontrol", "requeue", pair+"_0")

	// Killed, which the queue holds for its end.
	l.until("pair", "at work", half(1))
	l.kill("pair", "n2")
	l.until("pair", "lost", element(1, cluster.Lost))

	// A node that is taken for dead and is not: what runs there goes on, and
	// what is started again waits for its end.
	l.until("node", "at work", half(0))
	l.command(0, l.script, "down", l.slurm, "n3")
	l.command(0, "scontrol", "update", "NodeName=n3", "State=DOWN", "Reason=test")
	l.until("node", "waiting for its node", element(0, cluster.Waiting))
	if _, said := l.run(4, "replay", "gather", "node"); !strings.Contains(said, "no result of element 0 (n3: disk)") {
		t.Errorf("gather of what is not done says %s", said)
	}
	l.command(0, l.script, "up", l.slurm, "n3")

	// A node that dies with all that runs on it, of the one that was requeued.
	l.until("pair", "at work again", half(0))
	l.command(0, l.script, "die", l.slurm, "n1")
	if left := l.runners("pair", "n1"); len(left) > 0 {
		t.Fatalf("the dead node runs %d", left)
	}
	l.command(0, "scontrol", "update", "NodeName=n1", "State=DOWN", "Reason=test")
	l.until("pair", "waiting for its node", element(0, cluster.Waiting))
	l.command(0, l.script, "up", l.slurm, "n1")

	// The killed one goes on where it is told to.
	l.run(0, "replay", "submit", "--resume", "--journal", "pair")
	s := l.until("pair", "done", allDone)
	if s.Elements[0].Restarts != 2 {
		t.Errorf("element 0 was started again %d times, want 2: %+v", s.Elements[0].Restarts, s.Elements[0])
	}
	if s = l.until("node", "done", allDone); s.Elements[0].Restarts != 1 {
		t.Errorf("the element of n3 was started again %d times, want 1", s.Elements[0].Restarts)
	}

	// The one at its limit has kept what it had.
	l.until("limit", "stopped", element(0, cluster.Stopped))
	kept := l.repetitions("limit", 0)
	if kept >= 3*slurmRuns {
		t.Errorf("all %d repetitions were done before the limit", kept)
	}
	l.pause("n4", "0")
	l.run(0, "replay", "submit", "--resume", "--journal", "limit", "--time", "10m")
	l.until("limit", "done", allDone)

	for job, hosts := range map[string][]string{"pair": {"n1", "n2"}, "node": {"n3"}, "limit": {"n4"}} {
		l.run(0, "replay", "gather", job, "-o", job+".json", "--quiet")
		f := readRecord(t, filepath.Join(l.dir, job+".json"))
		if !slices.Equal(f.SystemNames(), hosts) {
			t.Errorf("%s: systems %q, want %q", job, f.SystemNames(), hosts)
		}
		for n, host := range hosts {
			if diff := cmp.Diff(want, figuresOf(t, f, host)); diff != "" {
				t.Errorf("%s: %s differs from the local run (-local +host):\n%s", job, host, diff)
			}
			if got := l.repetitions(job, n); got != 3*slurmRuns {
				t.Errorf("%s: %s has %d repetitions, want %d", job, host, got, 3*slurmRuns)
			}
			if left, _ := filepath.Glob(filepath.Join(l.dir, "hosts", host, ".*")); len(left) > 0 {
				t.Errorf("left on %s: %q", host, left)
			}
		}
	}
	if _, said := l.run(4, "replay", "submit", "--resume", "--journal", "pair"); !strings.Contains(said, "no element has failed") {
		t.Errorf("submitting what is done again says %s", said)
	}
	l.damage("pair")
}

// damage changes files of a job that is done: gather must name each.
func (l *slurmLab) damage(job string) {
	l.t.Helper()
	base := cluster.ElementDir(filepath.Join(l.dir, job), 1)
	outputs, _ := filepath.Glob(filepath.Join(base, "runs", "*", "*", "01-fio.out"))
	if len(outputs) == 0 {
		l.t.Fatal("no outputs")
	}
	for _, name := range []string{filepath.Join(base, "result.json"), outputs[0], filepath.Join(base, "journal.jsonl")} {
		text, err := os.ReadFile(name)
		if err != nil {
			l.t.Fatal(err)
		}
		for what, change := range map[string]func() error{
			"its SHA-256 is": func() error {
				other := bytes.Clone(text)
				other[len(other)/2] ^= 1
				return os.WriteFile(name, other, 0o644)
			},
			"bytes, expected": func() error { return os.WriteFile(name, text[:len(text)-1], 0o644) },
			"it is missing":   func() error { return os.Remove(name) },
		} {
			if err := change(); err != nil {
				l.t.Fatal(err)
			}
			_, said := l.run(4, "replay", "gather", job, "--partial")
			if !strings.Contains(said, strings.TrimPrefix(name, l.dir+"/")) || !strings.Contains(said, what) {
				l.t.Errorf("gather of %s where %q says %s", name, what, said)
			}
			if err := os.WriteFile(name, text, 0o644); err != nil {
				l.t.Fatal(err)
			}
		}
	}
	extra := filepath.Join(base, "runs", "extra")
	if err := os.WriteFile(extra, nil, 0o644); err != nil {
		l.t.Fatal(err)
	}
	if _, said := l.run(4, "replay", "gather", job); !strings.Contains(said, strings.TrimPrefix(extra, l.dir+"/")) {
		l.t.Errorf("gather with a file too many says %s", said)
	}
	if err := os.Remove(extra); err != nil {
		l.t.Fatal(err)
	}
	l.run(0, "replay", "gather", job, "--quiet")
}
