package analyze

import (
	"strings"
	"testing"

	"github.com/benchproof/benchproof/result"
)

// TestSameTest: rows of two files are one test only if what both say of it
// agrees.
func TestSameTest(t *testing.T) {
	for _, tt := range []struct {
		name string
		edit func(*result.Test)
		want bool
	}{
		{"alike", func(*result.Test) {}, true},
		{"another patch of the profile", func(t *result.Test) { t.Profile = "pts/fio-1.11.5" }, true},
		{"a profile without a version", func(t *result.Test) { t.Profile = "fio" }, true},
		{"no profile", func(t *result.Test) { t.Profile = "" }, true},
		{"another profile version", func(t *result.Test) { t.Profile = "pts/fio-2.0.0" }, false},
		{"another profile", func(t *result.Test) { t.Profile = "pts/fs-mark-1.11.2" }, false},
		{"another version", func(t *result.Test) { t.Version = "3.25" }, false},
		{"other arguments", func(t *result.Test) { t.Arguments = "4KB" }, false},
		{"another scale", func(t *result.Test) { t.Scale = "MiB/s" }, false},
		{"the other direction", func(t *result.Test) { t.Proportion = result.LIB }, false},
		{"no direction", func(t *result.Test) { t.Proportion = result.ProportionUnknown }, true},
		{"another command", func(t *result.Test) { t.CommandArguments = "--other" }, false},
		{"no command", func(t *result.Test) { t.CommandArguments = "" }, true},
	} {
		plain := func() *result.File {
			f := file("A", row("T", result.HIB, "1"))
			f.Tests[0].Profile, f.Tests[0].CommandArguments = "pts/fio-1.11.2", "--run"
			return f
		}
		other := plain()
		tt.edit(&other.Tests[0])
		for _, files := range [][]*result.File{{plain(), other}, {other, plain()}} {
			s := NewSet(files)
			if (len(s.Tests) == 1) != tt.want || tt.want && s.Tests[0].Proportion != result.HIB {
				t.Errorf("%s: %d tests, direction %q", tt.name, len(s.Tests), s.Tests[0].Proportion)
			}
		}
	}
}

// TestTwins: tests that nothing tells apart stay apart within a file and are
// joined in their order with those of another.
func TestTwins(t *testing.T) {
	a := file("A", row("T", result.HIB, "1"), row("T", result.HIB, "2"))
	b := file("B", row("T", result.HIB, "10"), row("T", result.HIB, "20"), row("T", result.HIB, "30"))
	s := NewSet([]*result.File{a, b})
	var got []string
	for i := range s.Tests {
		var values []string
		for _, c := range s.Tests[i].Cells {
			values = append(values, s.Systems[c.System].Name+c.Measurement.Value)
		}
		got = append(got, strings.Join(values, "+"))
	}
	if text := strings.Join(got, " "); text != "A1+B10 A2+B20 B30" {
		t.Error(text)
	}
}

// TestSystemNames: no two systems of a set share a name.
func TestSystemNames(t *testing.T) {
	a, b, c := file("A,A,B"), file("A"), file("A")
	a.Source, b.Source, c.Source = "x", "y", "y"
	var names []string
	for _, s := range NewSet([]*result.File{a, b, c}).Systems {
		names = append(names, s.Name)
	}
	if got := strings.Join(names, ", "); got != "x: A, x: A #2, x: B, y: A, y: A #2" {
		t.Error(got)
	}
	names = nil
	for _, s := range NewSet([]*result.File{file("A,A"), file("B")}).Systems {
		names = append(names, s.Name)
	}
	if got := strings.Join(names, ", "); got != "A, A #2, B" {
		t.Error(got)
	}
}
