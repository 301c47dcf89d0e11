package process

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// parentVariable holds the commands that TestMain's other life runs.
const parentVariable = "BENCHPROOF_TEST_PARENT"

// TestMain becomes a program that runs commands until it is killed, where it
// is told to.
func TestMain(m *testing.M) {
	if text := os.Getenv(parentVariable); text != "" {
		os.Exit(beParent(text))
	}
	if what := os.Getenv(toolVariable); what != "" {
		os.Exit(beTool(what))
	}
	os.Exit(m.Run())
}

// self is this test binary.
func self() string {
	name, err := os.Executable()
	if err != nil {
		return os.Args[0]
	}
	return name
}

// beParent starts the commands one by one, says so, and waits for the last.
func beParent(text string) int {
	var commands []Command
	if err := json.Unmarshal([]byte(text), &commands); err != nil {
		fmt.Println(err)
		return 1
	}
	var last *Process
	for _, c := range commands {
		p, err := Start(context.Background(), c)
		if err != nil {
			fmt.Println(err)
			return 1
		}
		record, err := json.Marshal(p.Record())
		if err != nil {
			fmt.Println(err)
			return 1
		}
		fmt.Printf("started %s\n", record)
		last = p
	}
	r, err := last.Wait()
	fmt.Println("ended", r.Failure(), err)
	return 0
}

// parent runs the commands in a program of its own.
func parent(t *testing.T, commands ...Command) (*exec.Cmd, *bufio.Reader) {
	t.Helper()
	text, err := json.Marshal(commands)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(self())
	cmd.Env = append(os.Environ(), parentVariable+"="+string(text))
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill() })
	return cmd, bufio.NewReader(out)
}

// started waits until the parent has started all of n commands.
func started(t *testing.T, out *bufio.Reader, n int) []Record {
	t.Helper()
	var records []Record
	for range n {
		line, err := out.ReadString('\n')
		text, ok := strings.CutPrefix(line, "started ")
		var r Record
		if err != nil || !ok || json.Unmarshal([]byte(text), &r) != nil {
			t.Fatalf("the parent said %q, %v", line, err)
		}
		records = append(records, r)
	}
	return records
}

// alive returns what runs of the replay: what carries the mark, and what works
// in the directory, since a program can wipe its environment.
func alive(t *testing.T, id, dir string) []string {
	t.Helper()
	left, err := Leftovers(id)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	all, err := processes()
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range left {
		names = append(names, fmt.Sprintf("%s %s, state %c", l, l.Why, all[l.PID].state))
	}
	for pid, s := range all {
		if cwd, err := os.Readlink(fmt.Sprintf("/proc/%d/cwd", pid)); err == nil && !s.dead() && strings.HasPrefix(cwd, dir) {
			names = append(names, fmt.Sprintf("%q (pid %d) in %s", s.name, pid, cwd))
		}
	}
	return names
}

// allGone fails unless nothing is alive within the time.
func allGone(t *testing.T, id, dir string, within time.Duration) {
	t.Helper()
	end := time.Now().Add(within)
	for {
		left := alive(t, id, dir)
		if len(left) == 0 {
			return
		}
		if time.Now().After(end) {
			t.Fatalf("%d alive after %s: %q", len(left), within, left[:min(len(left), 8)])
		}
		time.Sleep(10 * time.Millisecond)
	}
}

// workload is one that forks, with real tools where they are.
type workload struct {
	name string
	// make returns the commands; the last one is waited for.
	make func(t *testing.T, dir string) []Command
}

func workloads() []workload {
	return []workload{
		{"shell", func(t *testing.T, dir string) []Command {
			return []Command{{Argv: sh("(trap '' TERM INT HUP; while :; do sleep 0.01; done) & setsid sh -c 'setsid sleep 1000 & while :; do :; done' & while :; do sleep 0.01 & done"), Dir: dir}}
		}},
		{"chain", func(t *testing.T, dir string) []Command {
			// Each process starts the next one and ends.
			return []Command{{Argv: sh("trap '' TERM; sh -c \"$CHAIN\" & wait; sleep 1000"), Env: []string{"CHAIN=sleep 0.002; setsid sh -c \"$CHAIN\" & exit"}, Dir: dir}}
		}},
		{"copies", func(t *testing.T, dir string) []Command {
			return []Command{{Argv: sh("sleep 1000 & sleep 1000"), Copies: 8, Dir: dir}}
		}},
		{"dbench", func(t *testing.T, dir string) []Command {
			return []Command{{Argv: []string{tool(t, "dbench"), "4", "-c", loadFile(t), "-t", "60"}, Dir: dir}}
		}},
		{"fs_mark", func(t *testing.T, dir string) []Command {
			return []Command{{Argv: []string{tool(t, "fs_mark"), "-d", "m", "-n", "100000", "-s", "4096", "-t", "4"}, Dir: dir}}
		}},
		{"fio", func(t *testing.T, dir string) []Command {
			return []Command{{Argv: []string{tool(t, "fio"), "--name=x", "--rw=randwrite", "--size=16m", "--bs=4k", "--numjobs=4", "--time_based", "--runtime=60"}, Dir: dir}}
		}},
		{"postgres", postgres},
	}
}

// tool returns the path of a program, or skips the test.
func tool(t *testing.T, name string) string {
	t.Helper()
	path, err := exec.LookPath(name)
	if err != nil {
		t.Skipf("needs %s", name)
	}
	return path
}

func loadFile(t *testing.T) string {
	const name = "/usr/share/dbench/client.txt"
	if _, err := os.Stat(name); err != nil {
		t.Skip("needs dbench's load file:", err)
	}
	return name
}

// endWithin is how long the end of a killed program's commands is waited for.
// A quiet machine needs less than two seconds, the grace included; the time
// that it took is logged and decides nothing.
const endWithin = 30 * time.Second

// TestKilled kills the program that runs commands at random moments: nothing
// may be left of them.
func TestKilled(t *testing.T) {
	t.Parallel()
	kills := 20
	if testing.Short() {
		kills = 2
	}
	// All at once: each waits most of the time.
	var all sync.WaitGroup
	defer all.Wait()
	for _, w := range workloads() {
		all.Go(func() {
			t.Run(w.name, func(t *testing.T) {
				if testing.Short() && w.name != "shell" && w.name != "copies" {
					t.Skip("shell and copies are enough for a short run")
				}
				kills := kills
				if w.name == "chain" {
					kills = min(kills, 5) // each takes its second of grace
				}
				dir := reachable(t)
				commands := w.make(t, dir)
				var slowest time.Duration
				for n := range kills {
					id := fmt.Sprintf("killed-%s-%d-%d", w.name, os.Getpid(), n)
					for i := range commands {
						commands[i].ID = id
					}
					cmd, out := parent(t, commands...)
					wait := rand.N(500 * time.Millisecond)
					if n%2 == 0 {
						started(t, out, len(commands))
						if len(alive(t, id, dir)) == 0 {
							t.Fatal("nothing runs")
						}
					}
					time.Sleep(wait)
					if err := cmd.Process.Kill(); err != nil {
						t.Fatal(err)
					}
					began := time.Now()
					_ = cmd.Wait()
					allGone(t, id, dir, endWithin)
					slowest = max(slowest, time.Since(began))
				}
				t.Logf("%d kills, the slowest end after %s", kills, slowest.Round(time.Millisecond))
			})
		})
	}
}

// reachable is a temporary directory that other accounts can enter.
func reachable(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "benchproof-process-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	return dir
}

// TestKilledSupervisor kills the supervisor under a running program: this
// program ends the rest and says so.
func TestKilledSupervisor(t *testing.T) {
	dir := t.TempDir()
	c := Command{ID: "killed-supervisor-" + strconv.Itoa(os.Getpid()), Argv: sh("setsid sleep 1000 & env -i sleep 1001 & (trap '' TERM; sleep 1000) & sleep 1000"), Dir: dir}
	p, err := Start(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	for len(alive(t, c.ID, dir)) < 9 { // five by mark and, with the wiped one, more by directory
		time.Sleep(5 * time.Millisecond)
	}
	// The supervisor, and the programs in no order.
	if err := syscall.Kill(p.Record().Supervisor.PID, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	r, err := p.Wait()
	if err == nil || !strings.Contains(err.Error(), "supervisor: signal: killed") {
		t.Errorf("got %+v, %v", r, err)
	}
	if left := alive(t, c.ID, dir); len(left) > 0 {
		t.Errorf("left: %q", left)
	}
}

// TestKilledSupervisorOfTools does the same to real tools at random moments.
func TestKilledSupervisorOfTools(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("the shell's processes are enough for a short run")
	}
	for _, w := range workloads() {
		t.Run(w.name, func(t *testing.T) {
			dir := reachable(t)
			c := w.make(t, dir)[0]
			c.Stderr = filepath.Join(t.TempDir(), "stderr")
			for n := range 3 {
				c.ID = fmt.Sprintf("supervisor-%s-%d-%d", w.name, os.Getpid(), n)
				// An init that reaps late leaves a zombie that a server
				// takes for its living forerunner.
				_ = os.Remove(filepath.Join(dir, "data", "postmaster.pid"))
				_ = os.Remove(filepath.Join(dir, ".s.PGSQL.5432.lock"))
				p, err := Start(t.Context(), c)
				if err != nil {
					t.Fatal(err)
				}
				time.Sleep(rand.N(300 * time.Millisecond))
				if err := syscall.Kill(p.Record().Supervisor.PID, syscall.SIGKILL); err != nil {
					text, _ := os.ReadFile(c.Stderr)
					t.Fatalf("%v: %s", err, text)
				}
				if _, err := p.Wait(); err == nil {
					t.Error("no error")
				}
				allGone(t, c.ID, dir, endWithin) // at once, where the machine has time
				text, _ := os.ReadFile("/proc/sysvipc/shm")
				for line := range strings.Lines(string(text)) {
					if f := strings.Fields(line); len(f) > 4 && f[4] == strconv.Itoa(p.Record().Copies[0].PID) {
						t.Errorf("shared memory is left: %s", line)
					}
				}
			}
		})
	}
}

// TestKilledBoth kills the program and its supervisor at once, as the kernel
// does when memory is short: what is left is found later by mark and record.
func TestKilledBoth(t *testing.T) {
	id := "killed-both-" + strconv.Itoa(os.Getpid())
	dir := ownDir(t, id)
	c := Command{ID: id, Argv: sh("setsid sleep 1000 & env -i sleep 1001 & sleep 1000"), Dir: dir}
	cmd, out := parent(t, c)
	records := started(t, out, 1)
	for len(alive(t, id, dir)) < 8 { // four processes by mark, more by directory
		time.Sleep(5 * time.Millisecond)
	}
	// Stopped first, neither can see the other's end.
	supervisor := records[0].Supervisor.PID
	for _, pid := range []int{supervisor, cmd.Process.Pid} {
		if err := syscall.Kill(pid, syscall.SIGSTOP); err != nil {
			t.Fatal(err)
		}
	}
	for _, pid := range []int{supervisor, cmd.Process.Pid} {
		if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
			t.Fatal(err)
		}
	}
	_ = cmd.Wait()
	// The shell dies with the supervisor; a sleep in a session of its own
	// does not.
	left, err := Leftovers(id, records...)
	if err != nil || len(left) == 0 {
		t.Fatalf("left %v, %v", left, err)
	}
	// Another replay's name, or another boot's record, finds nothing.
	if other, err := Leftovers(id+"x", records...); err != nil || len(other) != 0 {
		t.Errorf("of another replay: %v, %v", other, err)
	}
	if _, err := KillLeftovers(t.Context(), id, records...); err != nil {
		t.Fatal(err)
	}
	// Nor one that has wiped its environment but not left its session.
	if left := alive(t, id, dir); len(left) > 0 {
		t.Errorf("left %q", left)
	}
}

// ownDir makes a directory as a replay makes for itself.
func ownDir(t *testing.T, id string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), ".benchproof-replay-"+id, "w")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	return dir
}

// TestLeftoversAreSafe: a record whose number is another process's by now, and
// this program itself, are left alone.
func TestLeftoversAreSafe(t *testing.T) {
	bystander := exec.Command("sleep", "1000")
	if err := bystander.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = bystander.Process.Kill(); _ = bystander.Wait() }()
	s, err := readStat(bystander.Process.Pid)
	if err != nil {
		t.Fatal(err)
	}
	self, err := readStat(os.Getpid())
	if err != nil {
		t.Fatal(err)
	}
	reused, rebooted, own := s.started(), s.started(), self.started()
	reused.Start--
	records := []Record{
		{ID: "safe", Boot: bootID(), Supervisor: reused, Copies: []Started{own}},
		{ID: "safe", Boot: "another", Supervisor: rebooted},
		{ID: "other", Boot: bootID(), Supervisor: s.started()},
		// Its session is this one's, but its directory another.
		{ID: "safe", Boot: bootID(), Dir: t.TempDir(), Supervisor: Started{PID: s.session}},
	}
	left, err := KillLeftovers(t.Context(), "safe", records...)
	if err != nil || len(left) != 0 {
		t.Errorf("killed %v, %v", left, err)
	}
	if now, err := readStat(s.pid); err != nil || now.dead() {
		t.Error("a bystander was killed")
	}
	// One that works in a directory of the replay's is.
	inside := exec.Command("sleep", "1000")
	inside.Dir = ownDir(t, "safe")
	if err := inside.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = inside.Process.Kill(); _ = inside.Wait() }()
	if s, err = readStat(inside.Process.Pid); err != nil {
		t.Fatal(err)
	}
	if left, err := Leftovers("safe", Record{ID: "safe", Boot: bootID(), Supervisor: s.started()}); err != nil || len(left) != 1 || left[0].PID != s.pid || left[0].Why != "recorded" {
		t.Errorf("left %+v, %v", left, err)
	}
	if _, err := Leftovers(""); err == nil {
		t.Error("looked for every replay's")
	}
}
