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
