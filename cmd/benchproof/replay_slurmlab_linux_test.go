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

	"github.com/benchproof/benchproof/replay/cluster"
)

// fakeFio is a program that answers as fio does, at once or after as many
// seconds as the file pause-HOST beside it says while it waits, with figures that
// follow from the job alone: what is gathered of any hosts can be compared to the
// digit.
const fakeFio = `#!/bin/sh
[ "$1" = --version ] && { echo fio-3.33; exit 0; }
here=${0%/*}
host=${PWD#*/hosts/}
waited=0
while [ $waited -lt "$(cat "$here/pause-${host%%/*}" 2>/dev/null || echo 0)" ]; do
	sleep 1
	waited=$((waited + 1))
done
value() { sed -n "s/^$1=//p" fio.job | tail -n 1; }
rw=$(value rw) bs=$(value bs) runtime=$(value runtime)
case $bs in *m) size=$((${bs%m} * 1048576)) ;; *k) size=$((${bs%k} * 1024)) ;; *) size=$bs ;; esac
case $rw in randread) n=50000 ;; randwrite) n=40000 ;; read) n=300 ;; *) n=200 ;; esac
one='{"io_bytes":'$((n * size * runtime))',"bw_bytes":'$((n * size))',"iops":'$n',"runtime":'$((runtime * 1000))',"total_ios":'$((n * runtime))'}'
case $rw in *read) sides='"read":'$one ;; *) sides='"write":'$one ;; esac
echo '{"fio version":"fio-3.33","global options":{},"jobs":[{"jobname":"test","error":0,"job options":{"rw":"'$rw'","bs":"'$bs'","ioengine":"'$(value ioengine)'"},'$sides'}]}'
`

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

// half waits until an element of a host has done something and is at work, and
// has it stay there: however slow the machine is, what is done to it next finds it
// so.
func (l *slurmLab) half(job, what, host string, n int) {
	l.t.Helper()
	l.until(job, what, func(s *cluster.Status) bool {
		e := &s.Elements[n]
		at := e.State == cluster.Running && e.Done >= 2 && e.Done < e.Total-1 && e.Run != ""
		if at {
			l.pause(host, "600")
		}
		return at
	})
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
