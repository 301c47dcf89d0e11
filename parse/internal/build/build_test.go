package build

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/benchproof/benchproof/parse/internal/source"
	"github.com/benchproof/benchproof/result"
)

func TestSystems(t *testing.T) {
	f := New(source.New("in", strings.Repeat("x\n", 100)), result.FormatJSON)
	take := func(id string, want int) {
		t.Helper()
		if got, err := f.SystemOf(id, 2); err != nil || got != want {
			t.Errorf("system of %q: %d, %v, want %d", id, got, err, want)
		}
	}
	f.NextTest()
	take("A", 0) // named before it is described
	if i, _ := f.Describe(result.System{Identifier: "A", User: "u"}); i != 0 {
		t.Errorf("described as system %d", i)
	}
	take("A", 1) // a second value in one test
	take("B", 2)
	f.NextTest()
	take("A", 0)
	file := f.Finish()
	if len(file.Systems) != 3 || file.Systems[1].User != "u" {
		t.Errorf("%+v", file.Systems)
	}
	var codes []string
	for _, d := range file.Diagnostics {
		codes = append(codes, d.Code)
	}
	if d := cmp.Diff([]string{"duplicate-entry", "system-missing"}, codes); d != "" {
		t.Error(d)
	}
}

func TestLimits(t *testing.T) {
	doc := source.New("in", "x")
	doc.Limits.Systems, doc.Limits.Tests = 1, 1
	f := New(doc, result.FormatCSV)
	_, err1 := f.Describe(result.System{Identifier: "A"})
	_, err2 := f.Describe(result.System{Identifier: "B"})
	err3 := f.AddTest(result.Test{})
	err4 := f.AddTest(result.Test{})
	var limit *source.LimitError
	if err1 != nil || err3 != nil || !errors.As(err2, &limit) || limit.Flag != source.FlagSystems || !errors.As(err4, &limit) || limit.Flag != source.FlagTests {
		t.Error(err1, err2, err3, err4)
	}
}

// Of one code a hundred diagnostics are kept, and the others counted.
func TestDiagnostics(t *testing.T) {
	f := New(source.New("in", strings.Repeat("x\n", 500)), result.FormatCSV)
	for i := range 250 {
		f.Warn(2*i, "odd", "thing %q", strings.Repeat("y", 1000))
	}
	f.Info(0, "other", "x")
	list := f.Finish().Diagnostics
	if len(list) != 102 {
		t.Fatalf("%d diagnostics, want 100, another, and the count", len(list))
	}
	if last := list[101]; last.Code != "odd" || last.Message != "150 more of this kind behind this place" || last.Origin.Line != 100 {
		t.Errorf("%+v", last)
	}
	if n := len(list[0].Message); n > 120 {
		t.Errorf("a message of %d bytes", n)
	}
}

func TestComponents(t *testing.T) {
	want := []result.Component{{Key: "Disk", Value: "1000GB Foo, Inc SSD"}, {Key: "Graphics", Value: "ASPEED: x"}, {Key: "Memory", Value: "2 x 8GB DDR4, 3200MT/s"}}
	if d := cmp.Diff(want, Components("Disk: 1000GB Foo, Inc SSD, Graphics: ASPEED: x, Memory: 2 x 8GB DDR4, 3200MT/s")); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff([]result.Component{{Value: "what, Odd: it"}}, Components("what, Odd: it")); d != "" {
		t.Error(d)
	}
}

func TestRuns(t *testing.T) {
	var m result.Measurement
	Runs(&m, []string{"5", "5", "5"})
	if m.Samples != 3 || m.StdError != "0" || !m.StdErrorDerived {
		t.Errorf("%+v", m)
	}
	m = result.Measurement{}
	Runs(&m, []string{"9.31"})
	if m.Samples != 1 || m.StdError != "" || m.StdErrorDerived {
		t.Errorf("%+v", m)
	}
}
