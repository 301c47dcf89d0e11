package replay

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/benchproof/benchproof/internal/schematest"
	"github.com/benchproof/benchproof/replay/profile"
	"github.com/benchproof/benchproof/result"
)

// checkSchema holds a document against the schema of its kind.
func checkSchema(t *testing.T, kind string, text []byte) {
	t.Helper()
	_, resolved := schematest.Must(t, kind)
	var doc any
	if err := json.Unmarshal(text, &doc); err != nil {
		t.Fatal(err)
	}
	if err := resolved.Validate(doc); err != nil {
		t.Errorf("%s: %v", kind, err)
	}
}

func planText(t *testing.T, p *Plan) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := p.WriteJSON(&b); err != nil {
		t.Fatal(err)
	}
	checkSchema(t, "plan", b.Bytes())
	return b.Bytes()
}

// hostile are arguments that would do harm where they reached a shell or a path.
var hostile = []string{
	"Mode: ok; rm -rf / - Size: 1", "Mode: $(touch /tmp/harm) - Size: 1", "Mode: ../.. - Size: 1",
	"Mode: ok\nrm - Size: 1", "Mode: ok - Size: 1; rm -rf /", "Mode: `id` - Size: 1", "Mode: {self} - Size: {scratch}",
}

func TestPlan(t *testing.T) {
	rows := []Row{
		fakeRow("Mode: ok - Size: 4", "MB/s"),
		fakeRow("Mode: ok - Size: 4", "Files/s"),
		fakeRow("Mode: ok", "MB/s"),
		{Source: "fake.txt", Title: "Doom", Version: "3", Scale: "FPS"},
		fakeRow("Mode: ok - Size: 4", "MB/s"), // stands twice
	}
	// 4 KiB and a fifth, and a twentieth of 2 MiB: 4096 + 819 + 104857.
	targets := []Target{{Label: "a", Dir: "/a", Free: -1}, {Label: "b", Dir: "/b", Free: 100_000, Total: 2 << 20}}
	p := mustPlan(t, rows, fakeOptions(targets...))
	if len(p.Steps) != 10 {
		t.Fatalf("%d steps, want one a row and target: 10", len(p.Steps))
	}
	type seen struct{ Target, Status, Reason, Profile string }
	want := []seen{
		{"a", Ready, "", "test/fake-1.0.0"},
		{"b", Unavailable, "no space: needs 107 KiB with reserve, 97.7 KiB free", "test/fake-1.0.0"},
		{"a", Ready, "", "test/fake-1.0.0"},
		{"b", Unavailable, "no space: needs 107 KiB with reserve, 97.7 KiB free", "test/fake-1.0.0"},
		{"a", Refused, "Size is unknown", "fake"},
		{"b", Refused, "Size is unknown", "fake"},
		{"a", Refused, `no profile for "Doom" 3`, ""},
		{"b", Refused, `no profile for "Doom" 3`, ""},
		{"a", Ready, "", "test/fake-1.0.0"},
		{"b", Unavailable, "no space: needs 107 KiB with reserve, 97.7 KiB free", "test/fake-1.0.0"},
	}
	ids := map[string]bool{}
	for i, s := range p.Steps {
		if got := (seen{s.Target, s.Status, s.Reason, s.Profile}); got != want[i] {
			t.Errorf("step %d: %+v, want %+v", i, got, want[i])
		}
		if ids[s.ID] {
			t.Errorf("step %d: its id stands twice", i)
		}
		ids[s.ID] = true
	}
	// The two metrics of one run share it, on one target, and the row that
	// stands twice shares it too.
	if a, b := p.Steps[0], p.Steps[2]; a.RunID != b.RunID || a.ID == b.ID || a.RunID == p.Steps[1].RunID || a.RunID != p.Steps[8].RunID {
		t.Errorf("run ids %q %q %q %q", a.RunID, b.RunID, p.Steps[1].RunID, p.Steps[8].RunID)
	}
	planText(t, p)
}

// TestPlanStable: the same request is the same bytes; a change of what runs, or
// where, is another step.
func TestPlanStable(t *testing.T) {
	rows := []Row{fakeRow("Mode: ok - Size: 4", "MB/s")}
	dir := Target{Label: "a", Dir: "/a", Free: -1}
	base := mustPlan(t, rows, fakeOptions(dir))
	if again := mustPlan(t, rows, fakeOptions(dir)); !bytes.Equal(planText(t, base), planText(t, again)) {
		t.Error("two plans of one request differ")
	}
	other := fakeOptions(dir)
	other.Request.Set = map[string]string{"fake.size": "8"}
	moved := fakeOptions(Target{Label: "a", Dir: "/b", Free: -1})
	for name, o := range map[string]PlanOptions{"set": other, "directory": moved} {
		p := mustPlan(t, rows, o)
		if p.Steps[0].ID == base.Steps[0].ID || p.Steps[0].RunID == base.Steps[0].RunID {
			t.Errorf("another %s has the same id", name)
		}
	}
	// No two lists of parts hash alike by moving their ends.
	if hash("ab", "c") == hash("a", "bc") || hash("a") == hash("a", "") {
		t.Error("the hash joins its parts")
	}
}

func TestPlanHostile(t *testing.T) {
	var rows []Row
	for _, a := range hostile {
		rows = append(rows, fakeRow(a, "MB/s"))
	}
	p := mustPlan(t, rows, fakeOptions(Target{Label: "a", Dir: "/a", Free: -1}))
	for i, s := range p.Steps {
		if s.Status != Refused {
			t.Errorf("%q: %s", hostile[i], s.Status)
		}
		if len(s.Argv) != 0 || len(s.Commands) != 0 {
			t.Errorf("%q: would run %q", hostile[i], s.Argv)
		}
	}
	planText(t, p)
}

func TestPlanRefusesRequest(t *testing.T) {
	rows := []Row{fakeRow("Mode: ok - Size: 4", "MB/s")}
	for name, change := range map[string]func(*PlanOptions){
		"no scale":      func(o *PlanOptions) { o.Request.Scale = 0 },
		"large scale":   func(o *PlanOptions) { o.Request.Scale = 1.5 },
		"many runs":     func(o *PlanOptions) { o.Request.Runs = 257 },
		"runs and rule": func(o *PlanOptions) { o.Request.Runs, o.Request.Rule = 3, "pts" },
		"unknown rule":  func(o *PlanOptions) { o.Request.Rule = "pts-11" },
		"unknown key":   func(o *PlanOptions) { o.Request.Set = map[string]string{"sice": "1"} },
		"part of a key": func(o *PlanOptions) { o.Request.Set = map[string]string{"ize": "1"} },
		"equal labels":  func(o *PlanOptions) { o.Targets = []Target{{Label: "a"}, {Label: "a"}} },
		"no tools":      func(o *PlanOptions) { o.Tools = nil },
	} {
		o := fakeOptions()
		change(&o)
		if _, err := NewPlan(rows, o); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	o := fakeOptions()
	o.Request.Set = map[string]string{"sice": "1"}
	_, err := NewPlan(rows, o)
	var unknown *UnknownKeyError
	if !errors.As(err, &unknown) || !cmp.Equal(unknown.Known, []string{"fake.pause", "fake.size"}) {
		t.Errorf("got %v", err)
	}
}

func TestPlanRuns(t *testing.T) {
	rate, count := fakeRow("Mode: ok - Size: 4", "MB/s"), fakeRow("Mode: ok - Size: 4", "Files/s")
	rate.Samples, count.Samples = 4, 9
	for _, tt := range []struct {
		name    string
		rows    []Row
		request Request
		want    int
	}{
		{"published", []Row{rate}, Request{Scale: 1}, 4},
		{"the most of one run's rows", []Row{rate, count}, Request{Scale: 1}, 9},
		{"unknown", []Row{fakeRow("Mode: ok - Size: 4", "MB/s")}, Request{Scale: 1}, 3},
		{"asked for", []Row{rate}, Request{Scale: 1, Runs: 7}, 7},
		{"rule", []Row{rate}, Request{Scale: 1, Rule: "pts"}, 3},
	} {
		o := fakeOptions()
		o.Request = tt.request
		if p := mustPlan(t, tt.rows, o); p.Steps[0].Runs != tt.want {
			t.Errorf("%s: %d runs, want %d", tt.name, p.Steps[0].Runs, tt.want)
		}
	}
}

func TestPlanAgain(t *testing.T) {
	rows := []Row{fakeRow("Mode: ok - Size: 4", "MB/s"), {Source: "x", Title: "Doom"}}
	target := Target{Label: "a", Dir: "/a", Free: -1}
	text := planText(t, mustPlan(t, rows, fakeOptions(target)))
	load := func(text string) *Plan {
		p, err := ReadPlan(strings.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	again, err := load(string(text)).Again(fakeOptions(target))
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(planText(t, again), text) {
		t.Error("the plan made anew is another")
	}
	// Less space is no other plan.
	full := target
	full.Free = 0
	if again, err := load(string(text)).Again(fakeOptions(full)); err != nil || again.Steps[0].Status != Unavailable {
		t.Errorf("full target: %v", err)
	}
	// An edited command is never run.
	edited := strings.Replace(string(text), `"benchproof"`, `"/bin/sh"`, 1)
	var changed *ChangedError
	if _, err := load(edited).Again(fakeOptions(target)); !errors.As(err, &changed) || changed.Field != "argv" {
		t.Errorf("edited command: %v", err)
	}
	newer := fakeOptions(target)
	newer.Tools = fakeTools{"fake": "2.0"}
	if _, err := load(string(text)).Again(newer); !errors.As(err, &changed) || changed.Field != "driver" {
		t.Errorf("another tool: %v", err)
	}
	gone := fakeOptions(target)
	gone.Tools = fakeTools{}
	if _, err := load(string(text)).Again(gone); !errors.As(err, &changed) || changed.Field != "status" {
		t.Errorf("no tool: %v", err)
	}
	// A plan for no target takes any.
	open := planText(t, mustPlan(t, rows, fakeOptions()))
	two := fakeOptions(target, Target{Label: "b", Dir: "/b", Free: -1})
	if again, err := load(string(open)).Again(two); err != nil || len(again.Steps) != 4 {
		t.Errorf("plan without target: %v", err)
	}
}

func TestReadPlanErrors(t *testing.T) {
	good := string(planText(t, mustPlan(t, []Row{fakeRow("Mode: ok - Size: 4", "MB/s")}, fakeOptions())))
	for name, text := range map[string]string{
		"empty":       "",
		"no JSON":     "Plan of x",
		"other":       `{"schema":"benchproof/result/1","files":[]}`,
		"no rows":     `{"schema":"benchproof/plan/1"}`,
		"cut off":     good[:len(good)/2],
		"wrong types": strings.Replace(good, `"runs": 3`, `"runs": "3"`, 1),
		"other row":   strings.Replace(good, `"row": 0`, `"row": 7`, 1),
	} {
		if _, err := ReadPlan(strings.NewReader(text)); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	if _, err := ReadPlan(strings.NewReader("x")); !errors.Is(err, ErrNoPlan) {
		t.Errorf("no plan: %v", err)
	}
}

// TestRows: hand-worked machines, dates and N of published systems.
func TestRows(t *testing.T) {
	system := func(processor, memory, kernel, stamp string) result.System {
		return result.System{
			Hardware:  []result.Component{{Key: "Processor", Value: processor}, {Key: "Memory", Value: memory}},
			Software:  []result.Component{{Key: "Kernel", Value: kernel}},
			Timestamp: stamp, ClientVersion: "8.8.0",
		}
	}
	f := &result.File{
		Source: "s", Identifier: "1908289-HV-1908283HV56",
		Systems: []result.System{
			system("AMD X 32-Core @ 3.00GHz (32 Cores / 64 Threads)", "4 x 8192 MB DDR4-3200MT/s", "5.2.0 (x86_64) 20190605", ""),
			system("AMD X 32-Core @ 3.00GHz (32 Cores / 64 Threads)", "32GB", "5.2.0 (x86_64)", "2019-06-04 10:11:12"),
			system("Intel i7 @ 4.00GHz (16 Cores)", "15900MB", "3.18.0", "2014-11-20 01:02:03"),
			system("Intel i5 @ 3.90GHz (4 Cores)", "8GB + 16GB", "4.15.0-58-generic", ""),
			system("no count", "lots", "4.15.0", ""),
		},
	}
	values := func(samples ...int) []result.Measurement {
		var list []result.Measurement
		for i, n := range samples {
			list = append(list, result.Measurement{System: i, Value: "1", Samples: n})
		}
		return list
	}
	only := func(i, n int) []result.Measurement { return []result.Measurement{{System: i, Value: "1", Samples: n}} }
	f.Tests = []result.Test{
		{Title: "both", Measurements: values(3, 4)},
		{Title: "three", Measurements: values(9, 3, 9)},
		{Title: "old", Measurements: only(2, 0)},
		{Title: "new", Measurements: only(3, 15)},
		{Title: "unknown", Measurements: only(4, 0)},
		{Title: "none"},
	}
	want := []Row{
		{Title: "both", Samples: 3, Machine: Machine{32, 64, 32768}, Date: "2019-06-04", Client: "8.8.0"},
		{Title: "three", Samples: 9, Machine: Machine{}, Date: "2014-11-20", Client: "8.8.0"},
		// Clients of 2014 called logical CPUs cores.
		{Title: "old", Machine: Machine{0, 16, 16384}, Date: "2014-11-20", Client: "8.8.0"},
		{Title: "new", Samples: 15, Machine: Machine{4, 4, 24576}, Date: "2019-08-28", Client: "8.8.0"},
		{Title: "unknown", Date: "2019-08-28", Client: "8.8.0"},
		{Title: "none", Date: "2019-08-28"},
	}
	got := Rows([]*result.File{f})
	for i := range want {
		want[i].Source = "s"
		if diff := cmp.Diff(want[i], got[i]); diff != "" {
			t.Error(diff)
		}
	}
}

func TestFinder(t *testing.T) {
	f := &Finder{}
	for _, name := range []string{"", ".", "..", "../bin/sh", "bin/sh", "no-such-program-at-all"} {
		if path, _, ok := f.Find(name); ok {
			t.Errorf("%q: found %s", name, path)
		}
	}
	if path, version, ok := f.Find("sh"); !ok || path == "" || version != "" {
		t.Errorf("sh: %q %q %v", path, version, ok)
	}
	relative := &Finder{Path: []string{".", "bin"}}
	if _, _, ok := relative.Find("plan_test.go"); ok {
		t.Error("a relative directory is looked through")
	}
}

var _ profile.Tools = (*Finder)(nil)
