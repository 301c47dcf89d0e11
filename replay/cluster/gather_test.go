package cluster

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/benchproof/benchproof/replay"
	"github.com/benchproof/benchproof/result"
)

// madeJob makes the directory of a job of two hosts with two targets, an element
// each, of which all but the last are done.
func madeJob(t testing.TB) (dir string, j *Job) {
	t.Helper()
	dir = filepath.Join(t.TempDir(), "job")
	p := &replay.Plan{Schema: "benchproof/plan/1", Source: "s", Rows: make([]replay.Row, 1), Targets: []replay.Target{{Label: "a", Dir: "/a"}, {Label: "b: x", Dir: "/b"}}, Steps: []replay.Step{{Target: "a"}, {Target: "b: x"}}}
	j, err := NewJob(p, []string{"n1", "n2"}, true)
	if err == nil {
		err = j.Create(dir, p, os.Args[0])
	}
	if err != nil {
		t.Fatal(err)
	}
	for i, e := range j.Elements[:3] {
		f := &result.File{Source: fmt.Sprint("replay-", i), Format: result.FormatRecord, Tests: []result.Test{{Title: "t"}}}
		f.AddSystem(e.Targets[0])
		f.AddSystem(e.Targets[0] + " (block 2)")
		f.Tests[0].Measurements = []result.Measurement{{System: 0, Value: fmt.Sprint(10 + i)}, {System: 1, Value: fmt.Sprint(20 + i)}}
		base := ElementDir(dir, i)
		if err := os.MkdirAll(filepath.Join(base, "runs", "1"), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(base, "runs", "1", "out"), []byte("raw"), 0o644); err != nil {
			t.Fatal(err)
		}
		file, err := os.Create(filepath.Join(base, resultFile))
		if err == nil {
			err = errors.Join(result.EncodeJSON(file, []*result.File{f}), file.Close())
		}
		if err == nil {
			err = j.writeManifest(dir, Place{Element: i, Host: e.Host}, replay.Outcome{Done: 2, Wanted: 2, Failed: i}, []string{"runs with fio 3.35 here, planned was fio 3.33 (1 of 1 steps)"})
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return dir, j
}

func TestGather(t *testing.T) {
	dir, j := madeJob(t)
	if err := writeJSON(goFile(dir, 3), &attempt{Place: Place{Element: 3, Host: "n2"}, State: stopped, Reason: "the time limit is over"}); err != nil {
		t.Fatal(err)
	}
	g, err := Gather(dir)
	if err != nil {
		t.Fatal(err)
	}
	if len(g.Missing) != 1 || g.Missing[0].Host != "n2" || g.Missing[0].Reason != "it was stopped: the time limit is over" || g.Incomplete != 3 {
		t.Errorf("missing %+v, incomplete %d", g.Missing, g.Incomplete)
	}
	var names []string
	for _, f := range g.Files {
		names = append(names, f.SystemNames()...)
		if n := len(f.Diagnostics); n != 1 || !strings.HasPrefix(f.Diagnostics[0].Message, f.Systems[0].Notes[0].Value+": runs with fio 3.35") {
			t.Errorf("diagnostics of %s: %+v", f.Source, f.Diagnostics)
		}
	}
	if want := []string{"n1: a", "n1: a (block 2)", "n1: b: x", "n1: b: x (block 2)", "n2: a", "n2: a (block 2)"}; !slices.Equal(names, want) {
		t.Errorf("systems %q, want %q", names, want)
	}
	if notes := g.Files[1].Systems[0].Notes; len(notes) != 2 || notes[0] != (result.Component{Key: result.HostNote, Value: "n1"}) || notes[1].Value != "b: x" {
		t.Errorf("notes %+v", notes)
	}

	// A single target leaves a host its own name.
	f := &result.File{}
	f.AddSystem("a")
	f.AddSystem("a (block 2)")
	Element{Host: "n7", Targets: []string{"a"}}.name(f, false)
	if got := f.SystemNames(); !slices.Equal(got, []string{"n7", "n7 (block 2)"}) {
		t.Errorf("of one target: %q", got)
	}

	// What is not the job's own is none of its results.
	other := *j
	other.ID = "abcdefghijkl"
	if err := other.writeManifest(dir, Place{Element: 1, Host: "n1"}, replay.Outcome{}, nil); err != nil {
		t.Fatal(err)
	}
	var damage *DamageError
	if _, err := Gather(dir); !errors.As(err, &damage) || !strings.Contains(damage.Reason, "another job") {
		t.Errorf("the manifest of another job: %v", err)
	}
}

// A link is no file that an element wrote, wherever it leads.
func TestGatherLink(t *testing.T) {
	dir, _ := madeJob(t)
	name := filepath.Join(ElementDir(dir, 0), "runs", "1", "out")
	if err := os.Rename(name, filepath.Join(dir, "out")); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Join(dir, "out"), name); err != nil {
		t.Skip(err)
	}
	var damage *DamageError
	if _, err := Gather(dir); !errors.As(err, &damage) || damage.File != name {
		t.Errorf("a link in the place of a file: %v", err)
	}
}

// A job that was changed behind its plan's hash is none.
func TestReadJob(t *testing.T) {
	dir, j := madeJob(t)
	if _, p, err := ReadJob(dir); err != nil || len(p.Targets) != 2 {
		t.Fatalf("got %+v, %v", p, err)
	}
	name := filepath.Join(dir, planFile)
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, append(text, ' '), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, _, err := ReadJob(dir); err == nil || !strings.Contains(err.Error(), "not the plan that the job was made with") {
		t.Errorf("another plan: %v", err)
	}
	if err := os.WriteFile(name, text, 0o644); err != nil {
		t.Fatal(err)
	}
	for what, change := range map[string]func(*Job){
		"no name of a host": func(j *Job) { j.Elements = []Element{{Host: "../n", Targets: []string{"a"}}} },
		"has no target":     func(j *Job) { j.Elements = []Element{{Host: "n1"}} },
		"none of the plan's": func(j *Job) {
			j.Elements = []Element{{Host: "n1", Targets: []string{"a"}}, {Host: "n2", Targets: []string{"a", "c"}}}
		},
		"stands twice":               func(j *Job) { j.Elements = []Element{{Host: "n1", Targets: []string{"a", "a"}}} },
		"a time limit of -1 minutes": func(j *Job) { j.Minutes = -1 },
		"0 elements":                 func(j *Job) { j.Elements = nil },
		"found the schema":           func(j *Job) { j.Schema = "benchproof/plan/1" },
		"no identifier":              func(j *Job) { j.ID = "x --all" },
	} {
		other := *j
		change(&other)
		if err := other.Save(dir); err != nil {
			t.Fatal(err)
		}
		if _, _, err := ReadJob(dir); err == nil || !strings.Contains(err.Error(), what) {
			t.Errorf("want %q, got %v", what, err)
		}
	}
	if err := j.Create(dir, &replay.Plan{}, os.Args[0]); err == nil {
		t.Error("a job is made over another")
	}
}

// An element submitted again without luck has begun all the same.
func TestPrepare(t *testing.T) {
	dir, j := madeJob(t)
	if err := Prepare(dir, []int{0, 3}); err != nil {
		t.Fatal(err)
	}
	if _, err := j.readManifest(dir, 0); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the manifest is there: %v", err)
	}
	if _, err := j.readManifest(dir, 1); err != nil {
		t.Errorf("another's is not: %v", err)
	}
}
