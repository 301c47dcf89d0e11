package replay

import (
	"slices"
	"strings"
	"testing"

	"github.com/benchproof/benchproof/replay/profile"
	"github.com/benchproof/benchproof/result"
)

// TestScaling: what is not as published is said of every value.
func TestScaling(t *testing.T) {
	for _, tt := range []struct{ scaled, changed, want string }{
		{"", "", ""},
		{"size 1g -> 64m", "scaled: size 1g -> 64m", "size 1g -> 64m"},
		{"size 1g -> 64m", "", "size 1g -> 64m"},
		{"", "changed by --set: np 12", "changed by --set: np 12"},
		{"size 1g -> 64m", "changed by --set: np 12; scaled: size 1g -> 64m", "changed by --set: np 12; scaled: size 1g -> 64m"},
	} {
		s := &Step{Scaled: tt.scaled, Changed: tt.changed}
		if got := s.scaling(); got != tt.want {
			t.Errorf("%+v: %q", tt, got)
		}
	}
}

// TestGatherSets: two inputs that hold the same row give one test where it was
// one run, and a part of the repetitions that failed is said.
func TestGatherSets(t *testing.T) {
	dir := t.TempDir()
	one, two := fakeRow("Mode: ok - Size: 4", "MB/s"), fakeRow("Mode: ok - Size: 4", "MB/s")
	two.Source = "other.txt"
	p := mustPlan(t, []Row{one, two}, fakeOptions(Target{Label: "a", Dir: "/a", Free: -1}))
	j, err := createJournal(dir, p)
	if err != nil {
		t.Fatal(err)
	}
	run := p.Steps[0].RunID
	value := func(v float64, text, reason string) []Value {
		x := Value{Text: text, Reason: reason}
		x.Metric, x.Value = "rate", v
		return []Value{x}
	}
	for _, e := range []event{
		{Event: evPlan, ID: "x"},
		{Event: evBlock, Block: 1},
		{Event: evDone, RunID: run, Block: 1, Rep: 1, Seconds: 2, Values: value(4, "4.00", ""), Warnings: []string{"hot"}},
		{Event: evDone, RunID: run, Block: 1, Rep: 2, Seconds: 3, Values: value(5, "5.00", "")},
		{Event: evDone, RunID: run, Block: 1, Rep: 2, Seconds: 3, Values: value(9, "9.00", "")}, // again: it counts once
		{Event: evDone, RunID: run, Block: 1, Rep: 3, Seconds: 1, Values: value(-1, "", "below zero")},
		{Event: evFailed, RunID: run, Block: 1, Rep: 4, Reason: "exit code 7"},
	} {
		if err := j.write(e); err != nil {
			t.Fatal(err)
		}
	}
	j.close()
	f, err := Gather(p, dir)
	if err != nil {
		t.Fatal(err)
	}
	if len(f.Tests) != 1 || len(f.Tests[0].Measurements) != 1 {
		t.Fatalf("%+v", f.Tests)
	}
	m := f.Tests[0].Measurements[0]
	// Of 4 and 5 the standard error is 0.5.
	if m.Value != "4.50" || m.Samples != 2 || m.StdError != "0.5" || m.Status != result.StatusOK {
		t.Errorf("%+v", m)
	}
	want := []string{
		"Fake 1.0 Mode: ok - Size: 4 on a: hot (1 of 3 repetitions)",
		"Fake 1.0 Mode: ok - Size: 4 on a: no value: below zero (1 of 3 repetitions)",
		"Fake 1.0 Mode: ok - Size: 4 on a: repetition 4 failed (exit code 7); 3 count",
	}
	if len(f.Diagnostics) != len(want) {
		t.Fatalf("%+v", f.Diagnostics)
	}
	for i, d := range f.Diagnostics {
		if d.Message != want[i] {
			t.Errorf("got %q, want %q", d.Message, want[i])
		}
	}
}

// TestGatherTurns: the same row in three inputs, of which the second is of
// another run, as of another revision of its profile, is two tests.
func TestGatherTurns(t *testing.T) {
	dir := t.TempDir()
	row := fakeRow("Mode: ok - Size: 4", "MB/s")
	p := mustPlan(t, []Row{row, row, row}, fakeOptions(Target{Label: "a", Dir: "/a", Free: -1}))
	p.Steps[1].RunID = "another"
	j, err := createJournal(dir, p)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range []event{
		{Event: evPlan, ID: "x"},
		{Event: evBlock, Block: 1},
		{Event: evDone, RunID: p.Steps[0].RunID, Block: 1, Rep: 1, Values: []Value{{Sample: profile.Sample{Metric: "rate", Value: 4}, Text: "4.00"}}},
		{Event: evDone, RunID: "another", Block: 1, Rep: 1, Values: []Value{{Sample: profile.Sample{Metric: "rate", Value: 5}, Text: "5.00"}}},
	} {
		if err := j.write(e); err != nil {
			t.Fatal(err)
		}
	}
	j.close()
	f, err := Gather(p, dir)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for i := range f.Tests {
		for _, m := range f.Tests[i].Measurements {
			got = append(got, m.Value)
		}
	}
	if !slices.Equal(got, []string{"4.00", "5.00"}) {
		t.Errorf("tests of the values %q", got)
	}
}

// TestGatherLacking: a row for which there is no room has failed with that
// reason on the target that lacks it, and one that nobody can replay is left
// out.
func TestGatherLacking(t *testing.T) {
	dir := t.TempDir()
	rows := []Row{fakeRow("Mode: ok - Size: 4", "MB/s"), fakeRow("Mode: dance - Size: 4", "MB/s")}
	small, large := Target{Label: "small", Dir: "/small", Free: 1 << 10, Total: 1 << 30}, Target{Label: "large", Dir: "/large", Free: 1 << 40, Total: 1 << 40}
	p := mustPlan(t, rows, fakeOptions(small, large))
	if n := p.Lacking(); n != 1 {
		t.Errorf("%d steps lack something, want 1: %+v", n, p.Steps)
	}
	j, err := createJournal(dir, p)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range []event{
		{Event: evPlan, ID: "x"},
		{Event: evBlock, Block: 1},
		{Event: evDone, RunID: p.Steps[1].RunID, Block: 1, Rep: 1, Values: []Value{{Sample: profile.Sample{Metric: "rate", Value: 4}, Text: "4.00"}}},
	} {
		if err := j.write(e); err != nil {
			t.Fatal(err)
		}
	}
	j.close()
	f, err := Gather(p, dir)
	if err != nil {
		t.Fatal(err)
	}
	if len(f.Tests) != 1 || len(f.Tests[0].Measurements) != 2 {
		t.Fatalf("%+v", f.Tests)
	}
	lacks, has := f.Tests[0].Measurements[0], f.Tests[0].Measurements[1]
	if f.Systems[lacks.System].Identifier != "small" || lacks.Status != result.StatusFailed || !strings.HasPrefix(lacks.Reason, "no space: needs ") || lacks.Value != "" {
		t.Errorf("%+v", lacks)
	}
	if f.Systems[has.System].Identifier != "large" || has.Value != "4.00" {
		t.Errorf("%+v", has)
	}
}

// TestGatherHole: a repetition that lacks the value that the others have is told
// of, as is one whose value the published test does not read.
func TestGatherHole(t *testing.T) {
	value := Value{Sample: profile.Sample{Metric: "iops", Value: 10449, Unit: "1/s"}, Text: "10400"}
	for _, tt := range []struct {
		name string
		hole []Value
		want string
	}{
		{"no text", []Value{{Sample: value.Sample}}, "the journal has no published value of iops (1 of 2 repetitions)"},
		{"no value", nil, "the output has no iops (1 of 2 repetitions)"},
		{"censored", []Value{{Sample: value.Sample, Reason: "too small"}}, "no value: too small (1 of 2 repetitions)"},
		{"whole", []Value{value}, ""},
	} {
		g := &gatherer{plan: &Plan{}, file: &result.File{}}
		g.diagnose(&Step{Metric: "iops", Target: "d"}, []repetition{{values: []Value{value}}, {values: tt.hole}})
		var got string
		for _, d := range g.file.Diagnostics {
			got += string(d.Severity) + " " + d.Message
		}
		if tt.want == "" && got != "" || tt.want != "" && (!strings.HasPrefix(got, "warning ") || !strings.HasSuffix(got, tt.want)) {
			t.Errorf("%s: %q", tt.name, got)
		}
	}
	// Where none has one, the measurement says it.
	g := &gatherer{plan: &Plan{}, file: &result.File{}}
	g.diagnose(&Step{Metric: "iops"}, []repetition{{}, {}})
	if len(g.file.Diagnostics) > 0 {
		t.Errorf("none: %v", g.file.Diagnostics)
	}
}

// TestGatherCensored: a figure that the tool measured and the published test
// does not read is no failure of the run, and what was measured is told.
func TestGatherCensored(t *testing.T) {
	g := &gatherer{plan: &Plan{}, file: &result.File{}}
	slow := Value{Sample: profile.Sample{Metric: "iops", Value: 9164.25, Unit: "1/s"}, Reason: "fio printed 9164, and the profile reads thousands (k) alone"}
	fast := Value{Sample: profile.Sample{Metric: "iops", Value: 10449, Unit: "1/s"}, Text: "10400"}
	for _, tt := range []struct {
		name                 string
		reps                 []repetition
		value, reason, notes string
		censored             bool
	}{
		{
			"all",
			[]repetition{{values: []Value{slow}}, {values: []Value{slow}}},
			"", "censored: fio printed 9164, and the profile reads thousands (k) alone", "measured, not published: 9164.25 1/s, 9164.25 1/s", true,
		},
		{"one of two", []repetition{{values: []Value{slow}}, {values: []Value{fast}}}, "10400", "", "measured, not published: 9164.25 1/s", false},
		{"no such figure", []repetition{{values: nil}}, "", "the output has no iops", "", false},
	} {
		m := result.Measurement{}
		g.values(&m, tt.reps, "iops")
		if m.Value != tt.value || m.Reason != tt.reason || strings.Join(m.Notes, "|") != tt.notes || m.Censored() != tt.censored {
			t.Errorf("%s: %+v", tt.name, m)
		}
	}
}
