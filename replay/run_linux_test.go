package replay

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/benchproof/benchproof/result"
)

func TestRun(t *testing.T) {
	s := newStage(t, 2)
	rows := []Row{
		fakeRow("Mode: ok - Size: 4", "MB/s"),
		fakeRow("Mode: ok - Size: 4", "Files/s"),
		{Source: "fake.txt", Title: "Doom", Version: "3", Scale: "FPS"},
		fakeRow("Mode: files - Size: 6", "MB/s"),
		fakeRow("Mode: server - Size: 7", "MB/s"),
	}
	p := s.plan(rows, nil)
	out := s.run(p)
	// Three runs on two targets, three times each.
	if out != (Outcome{Done: 18, Wanted: 18}) {
		t.Errorf("outcome %+v", out)
	}
	f := s.gather(p)
	if len(f.Tests) != 4 || len(f.Systems) != 2 {
		t.Fatalf("%d tests on %d systems, want 4 on 2", len(f.Tests), len(f.Systems))
	}
	for i, want := range []struct{ value, raw, scale string }{
		{"4.50", "4.50", "MB/s"}, {"4", "4", "Files/s"}, {"6.50", "6.50", "MB/s"}, {"7.50", "7.50", "MB/s"},
	} {
		test := f.Tests[i]
		if test.Title != "Fake" || test.Version != "1.0" || test.Scale != want.scale || test.Proportion != result.HIB {
			t.Errorf("test %d: %s %s in %s", i, test.Title, test.Version, test.Scale)
		}
		for _, m := range test.Measurements {
			got := []any{m.Value, m.RawValues, m.Samples, m.StdError, m.StdErrorDerived, m.Status, len(m.RunTimes)}
			should := []any{want.value, []string{want.raw, want.raw, want.raw}, 3, "0", true, result.StatusOK, 3}
			if diff := cmp.Diff(should, got); diff != "" {
				t.Errorf("test %d: %s", i, diff)
			}
			if diff := cmp.Diff(&result.Replay{Driver: "fake 1.0", Fidelity: result.NativeSameVersion}, m.Replay); diff != "" {
				t.Error(diff)
			}
		}
	}
	if f.Systems[0].Identifier != "a" || f.Systems[1].Identifier != "b" || len(f.Systems[0].Software) == 0 {
		t.Errorf("systems %+v", f.Systems)
	}
	for _, name := range []string{"before.json", "after.json", "steps.json", "reading.json", "traffic.json", "02-fake.out"} {
		dir := filepath.Join(s.journal, runsDir, p.Steps[0].RunID, "b1-r001")
		if info, err := os.Stat(filepath.Join(dir, name)); err != nil || info.Size() == 0 {
			t.Errorf("%s is not kept: %v", name, err)
		}
	}
	// Every program is recorded while it runs: 6 tools thrice, 4 of them
	// prepared, 2 with a server and its load; none is once it has ended.
	recorded := 0
	if err := readJournal(s.journal, func(e event) {
		if e.Event == evProcess {
			recorded++
		}
	}); err != nil || recorded != 6*3+4+2*2*3 {
		t.Errorf("%d programs recorded, %v", recorded, err)
	}
	if st, err := loadState(s.journal); err != nil || len(st.records) > 0 {
		t.Errorf("recorded as running: %v, %v", st.records, err)
	}
	status, err := ReadStatus(s.journal)
	if err != nil {
		t.Fatal(err)
	}
	if status.State != "ended" || status.Done != 18 || status.Total != 18 || status.Failed != 0 || status.Left != 0 || len(status.Runs) != 6 {
		t.Errorf("status %+v", status)
	}
	text, err := json.Marshal(status)
	if err != nil {
		t.Fatal(err)
	}
	checkSchema(t, "status", text)
	if _, err := Run(t.Context(), p, s.options()); !errors.Is(err, ErrJournalExists) {
		t.Errorf("a second run in the journal: %v", err)
	}
}

// TestRunInterleaves: within a block the targets take turns, in the order of
// the seed.
func TestRunInterleaves(t *testing.T) {
	s := newStage(t, 3)
	seed := uint64(2019)
	p := s.plan([]Row{fakeRow("Mode: ok - Size: 4", "MB/s")}, func(o *PlanOptions) { o.Seed, o.Request.Runs = &seed, 2 })
	s.run(p)
	var got, want []string
	for _, e := range s.told {
		if e.Kind == Started {
			got = append(got, e.Target)
		}
	}
	for round := 1; round <= 2; round++ {
		for _, i := range order(seed, p.blocks()[0].key, round, 3) {
			want = append(want, s.specs[i].Label)
		}
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// TestOrder: every round is a permutation, one seed is one order, and all
// orders are as frequent as each other.
func TestOrder(t *testing.T) {
	key := hash("block")
	count := map[string]int{}
	for round := 1; round <= 6000; round++ {
		o := order(7, key, round, 3)
		if !slices.Equal(o, order(7, key, round, 3)) {
			t.Fatal("one seed, two orders")
		}
		count[fmt.Sprint(o)]++
	}
	// Six orders, each 1000 times with a standard deviation of 29: five of
	// those are never passed by chance.
	if len(count) != 6 {
		t.Errorf("%d orders, want 6", len(count))
	}
	for o, n := range count {
		if n < 1000-145 || n > 1000+145 {
			t.Errorf("order %s came %d times of 6000", o, n)
		}
	}
	if slices.Equal(orders(1, key), orders(2, key)) || slices.Equal(orders(1, key), orders(1, hash("other"))) {
		t.Error("another seed or block has the same orders")
	}
}

func orders(seed uint64, key string) []int {
	var list []int
	for round := range 10 {
		list = append(list, order(seed, key, round, 3)...)
	}
	return list
}

// once repeats nothing.
func once(o *PlanOptions) { o.Request.Runs = 1 }

// TestRunFails: a tool that fails, however, gives no value and a reason; the
// rest goes on, and nothing stays.
func TestRunFails(t *testing.T) {
	for _, tt := range []struct{ mode, want string }{
		{"exit", "exit code 7: fake: device on fire"},
		{"hang", "time limit passed"},
		{"stubborn", "time limit passed"},
		{"fork", "left processes running"},
		{"flood", "passed its limit"},
		{"garbage", "the output cannot be read"},
		{"invariant", "held: got no, want yes"},
	} {
		t.Run(tt.mode, func(t *testing.T) {
			if tt.mode == "stubborn" && testing.Short() {
				t.Skip("takes ten seconds")
			}
			s := newStage(t, 1)
			p := s.plan([]Row{fakeRow("Mode: "+tt.mode+" - Size: 4", "MB/s"), fakeRow("Mode: ok - Size: 4", "MB/s")}, once)
			if out := s.run(p); out.Failed != 1 || out.Done != 1 {
				t.Errorf("outcome %+v", out)
			}
			f := s.gather(p)
			m := f.Tests[0].Measurements[0]
			if m.Status != result.StatusFailed || m.Value != "" || m.RawValues != nil || !strings.Contains(m.Reason, tt.want) {
				t.Errorf("got %q %v, want %q", m.Reason, m.RawValues, tt.want)
			}
			if got := f.Tests[1].Measurements[0].Value; got != "4.50" {
				t.Errorf("the rest: %q", got)
			}
			status, err := ReadStatus(s.journal)
			if err != nil {
				t.Fatal(err)
			}
			if r := status.Runs[0]; r.State != "failed" || r.Reason == "" {
				t.Errorf("status %+v", r)
			} else if list, err := os.ReadDir(r.Log); err != nil || len(list) == 0 {
				t.Errorf("the log path %q leads nowhere: %v", r.Log, err)
			}
		})
	}
}

// TestRunFullDisk fills a small file-system, where one can be mounted.
func TestRunFullDisk(t *testing.T) {
	s := newStage(t, 1)
	dir := s.specs[0].Dir
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size=8m"); err != nil {
		t.Skipf("no file-system can be mounted: %v", err)
	}
	t.Cleanup(func() { _ = syscall.Unmount(dir, syscall.MNT_DETACH) })
	p := s.plan([]Row{fakeRow("Mode: fill - Size: 4", "MB/s"), fakeRow("Mode: ok - Size: 4", "MB/s")}, once)
	if out := s.run(p); out.Failed != 1 || out.Done != 1 {
		t.Errorf("outcome %+v", out)
	}
	if m := s.gather(p).Tests[0].Measurements[0]; !strings.Contains(m.Reason, "no space left") {
		t.Errorf("reason %q", m.Reason)
	}
	// More than there is, is not begun.
	if p := s.plan([]Row{fakeRow("Mode: ok - Size: 9999", "MB/s")}, nil); p.Steps[0].Status != Unavailable || !strings.HasPrefix(p.Steps[0].Reason, "no space") {
		t.Errorf("a need of 10 MB on 8 MB: %s %s", p.Steps[0].Status, p.Steps[0].Reason)
	}
	if err := syscall.Mount("", dir, "", syscall.MS_REMOUNT|syscall.MS_RDONLY, ""); err != nil {
		t.Fatal(err)
	}
	var refused *TargetError
	if _, err := InspectTargets(s.specs); !errors.As(err, &refused) {
		t.Errorf("a read-only target: %v", err)
	}
}

// TestRunVanishedMount: where the target's file-system is gone, nothing is
// measured on what lies below.
func TestRunVanishedMount(t *testing.T) {
	s := newStage(t, 1)
	dir := s.specs[0].Dir
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size=8m"); err != nil {
		t.Skipf("no file-system can be mounted: %v", err)
	}
	p := s.plan([]Row{fakeRow("Mode: ok - Size: 4", "MB/s")}, nil)
	o := s.options()
	repetitions := 0
	o.Notify = func(e Progress) {
		if e.Kind == Started {
			repetitions++
		}
		if e.Kind == Done && repetitions == 1 {
			_ = syscall.Unmount(dir, syscall.MNT_DETACH)
		}
	}
	out, err := Run(t.Context(), p, o)
	if err == nil && out.Failed != 1 {
		t.Errorf("outcome %+v", out)
	}
	if list, err := os.ReadDir(dir); err != nil || len(list) > 0 {
		t.Errorf("written below the mount point: %v", list)
	}
	if again, err := InspectTargets(s.specs); err == nil {
		o := fakeOptions(again...)
		var refused *TargetError
		if _, err := p.Again(o); !errors.As(err, &refused) {
			t.Errorf("the plan is run elsewhere: %v", err)
		}
	}
}

func TestRunTimeLimit(t *testing.T) {
	s := newStage(t, 1)
	p := s.plan([]Row{fakeRow("Mode: ok - Size: 4", "MB/s")}, func(o *PlanOptions) {
		o.Request.Set, o.Request.Runs = map[string]string{"pause": "400ms"}, 50
	})
	o := s.options()
	// A repetition is said to take 0.1 s: none is begun.
	o.TimeLimit = 50 * time.Millisecond
	out, err := Run(t.Context(), p, o)
	if err != nil || out != (Outcome{Wanted: 50, Stopped: errTimeLimit.Error()}) {
		t.Errorf("%+v, %v", out, err)
	}
	for _, e := range s.told {
		if e.Kind == Started {
			t.Error("a repetition is begun that would not end in time")
		}
	}
	o.TimeLimit = 1500 * time.Millisecond
	began := time.Now()
	out, err = Resume(t.Context(), p, o)
	if err != nil || out.Stopped == "" || out.Done >= 50 {
		t.Errorf("%+v, %v", out, err)
	}
	if took := time.Since(began); took > 20*time.Second {
		t.Errorf("it took %v", took)
	}
	s.clean()
}

// TestRunRule: the rule of the test suite asks for more where values differ
// much. The first metric of 100, 90, 110 over and over has a relative standard
// deviation of 10 % and more, always about as much: twelve runs and three more.
func TestRunRule(t *testing.T) {
	s := newStage(t, 1)
	noisy, calm := fakeRow("Mode: noisy - Size: 4", "MB/s"), fakeRow("Mode: ok - Size: 4", "MB/s")
	noisy.Date, calm.Date = "2019-08-28", "2019-08-28"
	p := s.plan([]Row{noisy, calm}, func(o *PlanOptions) { o.Request.Rule = rulePTS })
	out := s.run(p)
	f := s.gather(p)
	if n, m := f.Tests[0].Measurements[0], f.Tests[1].Measurements[0]; n.Samples != 15 || m.Samples != 3 || out.Done != 18 {
		t.Errorf("%d and %d repetitions, want 15 and 3: %+v", n.Samples, m.Samples, out)
	} else if n.Value != "100.00" {
		t.Errorf("mean %s", n.Value)
	}
}

// TestRunOddNames: whatever a target's directory is called, it is a directory's
// name and nothing else.
func TestRunOddNames(t *testing.T) {
	s := newStage(t, 0)
	base := t.TempDir()
	for i, name := range []string{"a b; touch harm", "$(touch harm)", "{self} {tool:fake}", "line\nbreak", "'quote\"", "-rf"} {
		dir := filepath.Join(base, name)
		if err := os.Mkdir(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		s.specs = append(s.specs, TargetSpec{Label: string(rune('a' + i)), Dir: dir})
	}
	p := s.plan([]Row{fakeRow("Mode: ok - Size: 4", "MB/s")}, func(o *PlanOptions) { o.Request.Runs = 1 })
	if out := s.run(p); out.Done != 6 || out.Failed != 0 {
		t.Errorf("%+v", out)
	}
	if list, err := os.ReadDir(base); err != nil || len(list) != 6 {
		t.Errorf("%v", list)
	}
}

// TestRunLast: steps behind the last repetition run once, and what they did is
// kept; where there is none nothing is.
func TestRunLast(t *testing.T) {
	s := newStage(t, 1)
	p := s.plan([]Row{fakeRow("Mode: last - Size: 4", "MB/s"), fakeRow("Mode: files - Size: 6", "MB/s")}, func(o *PlanOptions) { o.Request.Runs = 2 })
	if out := s.run(p); out != (Outcome{Done: 4, Wanted: 4}) {
		t.Errorf("outcome %+v", out)
	}
	with, without := filepath.Join(s.journal, runsDir, p.Steps[0].RunID), filepath.Join(s.journal, runsDir, p.Steps[1].RunID)
	text, err := os.ReadFile(filepath.Join(with, "last", "steps.json"))
	if err != nil || !strings.Contains(string(text), `"name": "after"`) {
		t.Errorf("%v: %s", err, text)
	}
	if strings.Contains(string(text), `"name": "fake"`) {
		t.Errorf("the tool is among the last steps: %s", text)
	}
	if list, err := os.ReadDir(without); err != nil || len(list) != 2 {
		t.Errorf("%v, %v: want two repetitions", list, err)
	}
}

// TestRunLeaves: what a replay cannot remove it says in its outcome, and holds
// no descriptor of.
func TestRunLeaves(t *testing.T) {
	open := func() int {
		list, err := os.ReadDir("/proc/self/fd")
		if err != nil {
			t.Fatal(err)
		}
		return len(list)
	}
	s := newStage(t, 1)
	p := s.plan([]Row{fakeRow("Mode: unmark - Size: 4", "MB/s")}, once)
	before := open()
	out, err := Run(t.Context(), p, s.options())
	if err != nil || out.Done != 1 || !strings.Contains(out.Left, "no marker") || !strings.Contains(out.Left, ".benchproof-replay-") {
		t.Errorf("outcome %+v, %v: want one repetition, and what is left", out, err)
	}
	if now := open(); now > before {
		t.Errorf("%d descriptors, %d before", now, before)
	}
	// A directory that carries no marker is nobody's to remove.
	if did, err := Clean(t.Context(), s.journal); err == nil || len(did) > 0 {
		t.Errorf("cleaned %q, %v: want an error", did, err)
	}
}

// TestRunUnmounted: a target that is unmounted under a tool gives no value,
// whatever the tool says, and the reason is that the target is gone. What was
// made on it is removed all the same, and nothing below the mount point is
// touched.
func TestRunUnmounted(t *testing.T) {
	s := newStage(t, 1)
	dir := s.specs[0].Dir
	if err := syscall.Mount("none", dir, "tmpfs", 0, "size=1m"); err != nil {
		t.Skip("needs to mount: ", err)
	}
	t.Cleanup(func() { _ = syscall.Unmount(dir, syscall.MNT_DETACH) })
	at, err := os.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer at.Close()
	p := s.plan([]Row{fakeRow("Mode: detach - Size: 4", "MB/s")}, once)
	out, err := Run(t.Context(), p, s.options())
	if err != nil || out != (Outcome{Wanted: 1, Failed: 1}) {
		t.Errorf("outcome %+v, %v", out, err)
	}
	// The target is on another device at once, or not to be found.
	if m := s.gather(p).Tests[0].Measurements[0]; m.Value != "" || !strings.HasPrefix(m.Reason, "target ") {
		t.Errorf("value %q, reason %q", m.Value, m.Reason)
	}
	if list, err := at.Readdirnames(-1); err != nil || len(list) > 0 {
		t.Errorf("left on what was mounted: %q, %v", list, err)
	}
	if list, err := os.ReadDir(dir); err != nil || len(list) > 0 {
		t.Errorf("made below the mount point: %v, %v", list, err)
	}
}

// TestRunDeafServer: a server gets its own time to end, and where it does not,
// the values say so: the next repetition begins with its recovery.
func TestRunDeafServer(t *testing.T) {
	was := serverGrace
	serverGrace = 200 * time.Millisecond
	t.Cleanup(func() { serverGrace = was })
	s := newStage(t, 1)
	p := s.plan([]Row{fakeRow("Mode: deafserver - Size: 4", "MB/s")}, once)
	began := time.Now()
	if out := s.run(p); out != (Outcome{Done: 1, Wanted: 1}) {
		t.Errorf("outcome %+v", out)
	}
	if d := time.Since(began); d > 9*time.Second { // that of other programs is 10
		t.Errorf("it took %v", d)
	}
	f := s.gather(p)
	if !slices.ContainsFunc(f.Diagnostics, func(d result.Diagnostic) bool {
		return strings.Contains(d.Message, "did not end within 200ms and was killed")
	}) {
		t.Errorf("diagnostics %v", f.Diagnostics)
	}
}
