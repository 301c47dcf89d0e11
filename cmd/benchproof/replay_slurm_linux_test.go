package main

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/benchproof/benchproof/replay/cluster"
	"github.com/benchproof/benchproof/result"
)

// slurmRows is a published result whose rows the fake answers.
const slurmRows = `{"schema":"benchproof/result/1","files":[{"title":"hosts","source":"hosts","format":"record",
"systems":[{"identifier":"A"}],"tests":[
{"title":"Flexible IO Tester","version":"3.1","arguments":"Type: Random Read - IO Engine: Sync - Buffered: Yes - Direct: No - Block Size: 4KB - Disk Target: Default Test Directory","scale":"IOPS","proportion":"HIB","measurements":[{"system_index":0,"value":"30000"}]},
{"title":"Flexible IO Tester","version":"3.1","arguments":"Type: Random Write - IO Engine: Sync - Buffered: Yes - Direct: No - Block Size: 4KB - Disk Target: Default Test Directory","scale":"IOPS","proportion":"HIB","measurements":[{"system_index":0,"value":"20000"}]},
{"title":"Flexible IO Tester","version":"3.1","arguments":"Type: Sequential Write - IO Engine: Sync - Buffered: Yes - Direct: No - Block Size: 2MB - Disk Target: Default Test Directory","scale":"MB/s","proportion":"HIB","measurements":[{"system_index":0,"value":"200"}]}
]}]}`

const slurmRuns = 3

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
	t.Parallel()
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
	l.half("pair", "at work", "n1", 0)
	l.command(0, "scontrol", "requeue", pair+"_0")

	// Killed, which the queue holds for its end.
	l.half("pair", "at work", "n2", 1)
	l.kill("pair", "n2")
	l.until("pair", "lost", element(1, cluster.Lost))
	l.pause("n2", "0")

	// A node that is taken for dead and is not: what runs there goes on, and
	// what is started again waits for its end.
	l.half("node", "at work", "n3", 0)
	l.command(0, l.script, "down", l.slurm, "n3")
	l.command(0, "scontrol", "update", "NodeName=n3", "State=DOWN", "Reason=test")
	l.until("node", "waiting for its node", element(0, cluster.Waiting))
	if _, said := l.run(4, "replay", "gather", "node"); !strings.Contains(said, "no result of element 0 (n3: disk)") {
		t.Errorf("gather of what is not done says %s", said)
	}
	l.command(0, l.script, "up", l.slurm, "n3")
	l.pause("n3", "1")

	// A node that dies with all that runs on it, of the one that was requeued.
	l.half("pair", "at work again", "n1", 0)
	l.command(0, l.script, "die", l.slurm, "n1")
	if left := l.runners("pair", "n1"); len(left) > 0 {
		t.Fatalf("the dead node runs %d", left)
	}
	l.command(0, "scontrol", "update", "NodeName=n1", "State=DOWN", "Reason=test")
	l.until("pair", "waiting for its node", element(0, cluster.Waiting))
	l.pause("n1", "0")
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
			_, said := l.run(3, "replay", "gather", job, "--partial")
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
	if _, said := l.run(3, "replay", "gather", job); !strings.Contains(said, strings.TrimPrefix(extra, l.dir+"/")) {
		l.t.Errorf("gather with a file too many says %s", said)
	}
	if err := os.Remove(extra); err != nil {
		l.t.Fatal(err)
	}
	l.run(0, "replay", "gather", job, "--quiet")
}
