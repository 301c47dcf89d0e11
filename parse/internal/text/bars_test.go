package text

import (
	"math"
	"strings"
	"testing"

	"github.com/benchproof/benchproof/parse/internal/oracle"
	"github.com/benchproof/benchproof/result"
)

// A digit of a value is changed. Where its bar then has another length by
// the published rule, that row and no other is reported.
func TestBarContradicts(t *testing.T) {
	changed, reported := 0, 0
	for _, form := range []string{"text", "collapsed"} {
		for _, path := range oracle.Glob(t, "samples", "forms", "*."+form+".txt") {
			text := load(t, path)
			whole := one(t, text)
			for i := range whole.Tests {
				test := &whole.Tests[i]
				largest := 0.0
				for j := range test.Measurements {
					v, _ := test.Measurements[j].Number()
					largest = max(largest, v)
				}
				for j := range test.Measurements {
					m := &test.Measurements[j]
					v, _ := m.Number()
					if v == largest || (i+j)%7 != 0 {
						continue
					}
					// The first digit, changed so that the value stays below
					// the largest.
					at := m.Origin.Offset
					digit := byte('1')
					if text[at] == '1' {
						digit = '2'
					}
					wrong := string(digit) + m.Value[1:]
					w, _ := result.ParseNumber(wrong)
					if w >= largest {
						continue
					}
					rest := text[at:]
					bar := rest[strings.IndexByte(rest, '|')+1:]
					length := len(bar) - len(strings.TrimLeft(bar, "="))
					room := roomOf(whole, i, test)
					if unseen(whole, test) {
						continue // the room is smaller than the rows show
					}
					share := w / largest * float64(room)
					if room <= 0 || math.Abs(share-float64(length)) < 0.51 {
						continue
					}
					changed++
					f := one(t, text[:at]+wrong+text[at+len(wrong):])
					var found []result.Diagnostic
					for _, d := range f.Diagnostics {
						if d.Code == "bar-mismatch" {
							found = append(found, d)
						}
					}
					if len(found) == 1 && found[0].Severity == result.SeverityError && found[0].Origin.Offset == at {
						reported++
						if got := f.Tests[i].Measurements[j]; got.Value != wrong {
							t.Errorf("%s: value %q, want %q", path, got.Value, wrong)
						}
						continue
					}
					t.Errorf("%s: %q for %q: %v", path, wrong, m.Value, found)
				}
			}
		}
	}
	if changed < 50 {
		t.Errorf("only %d values changed", changed)
	}
	t.Logf("%d of %d reported", reported, changed)
}

// unseen reports whether a test has an entry without a row.
func unseen(f *result.File, test *result.Test) bool {
	for _, d := range f.Diagnostics {
		if d.Code == "failed-entry" && d.Origin.Offset == test.Measurements[0].Origin.Offset {
			return true
		}
	}
	return false
}

// roomOf returns the columns of a test's longest bar by the published rule.
func roomOf(f *result.File, index int, test *result.Test) int {
	longest, width := 0, 0
	for i := range test.Measurements {
		longest = max(longest, len(f.Systems[test.Measurements[i].System].Identifier))
		width = max(width, len(test.Measurements[i].Value))
	}
	return 79 - (longest + 1) - 2 - (width + 1) - 1
}

func TestBars(t *testing.T) {
	const head = "SQLite 3.41.2\nThreads / Copies: 1\nSeconds < Lower Is Better\n"
	tests := []struct {
		name string
		rows []string
		want string
	}{
		{"right", []string{printRow("A", 2, "1.5", 4, 43), printRow("B", 2, "2.5", 4, 71)}, ""},
		{"too long", []string{printRow("A", 2, "1.5", 4, 44), printRow("B", 2, "2.5", 4, 71)}, "A"},
		{"too short", []string{printRow("A", 2, "1.5", 4, 42), printRow("B", 2, "2.5", 4, 71)}, "A"},
		{"the largest one lost its point", []string{printRow("A", 2, "1.5", 4, 43), printRow("B", 2, "2.5", 4, 71), printRow("C", 2, "205", 4, 60)}, "C"},
		{"a half is rounded up", []string{printRow("A", 2, "1.0", 4, 36), printRow("B", 2, "2.0", 4, 71)}, ""},
		{"none where values are 0", []string{printRow("A", 2, "0", 2, 0), printRow("B", 2, "0", 2, 0)}, ""},
		{"the only one lost a digit", []string{printRow("A", 2, "47", 3, 71)}, "A"},
		{"of an indented export", []string{printRow("A", 2, "10", 3, 34), printRow("B", 2, "20", 3, 68)}, ""},
		{"of a wide terminal", []string{printRow("A", 2, "10", 3, 50), printRow("B", 2, "20", 3, 99)}, ""},
	}
	for _, test := range tests {
		full := head + printRow("A", 2, "1.5", 4, 71)
		text := dump([]string{"A", "B", "C"}, head+strings.Join(test.rows, "\n"), full, full)
		switch test.name {
		case "of an indented export", "of a wide terminal":
			text = dump([]string{"A", "B"}, head+strings.Join(test.rows, "\n"))
		}
		for _, text := range []string{text, collapse(text)} {
			f := one(t, text)
			var found []string
			for _, d := range f.Diagnostics {
				if d.Severity != result.SeverityError {
					continue
				}
				for i := range f.Tests {
					for j := range f.Tests[i].Measurements {
						if m := &f.Tests[i].Measurements[j]; m.Origin.Offset == d.Origin.Offset {
							found = append(found, f.Systems[m.System].Identifier)
						}
					}
				}
			}
			if got := strings.Join(found, " "); got != test.want {
				t.Errorf("%s: reported %q, want %q: %v", test.name, got, test.want, f.Diagnostics)
			}
		}
	}
}

// A row that is not there: its bar was the longest.
func TestRowMissing(t *testing.T) {
	const head = "SQLite 3.41.2\nThreads / Copies: 1\nSeconds < Lower Is Better\n"
	short := head + printRow("A", 2, "1.5", 4, 21) + "\n" + printRow("B", 2, "2.5", 4, 35)
	full := head + printRow("A", 2, "1.5", 4, 71)
	for _, text := range []string{dump([]string{"A", "B"}, full, short, full), collapse(dump([]string{"A", "B"}, full, short, full))} {
		if got := codes(one(t, text)); !strings.Contains(got, "error row-missing") {
			t.Errorf("in the middle: %s", got)
		}
	}
	for _, text := range []string{dump([]string{"A", "B"}, full, short), collapse(dump([]string{"A", "B"}, full, short))} {
		if got := codes(one(t, text)); !strings.Contains(got, "warning truncated") || strings.Contains(got, "error") {
			t.Errorf("at the end: %s", got)
		}
	}
	// The last bar cut short by the end of the input.
	text := strings.TrimSpace(dump([]string{"A", "B"}, full, head+printRow("B", 2, "2.5", 4, 71)+"\n"+printRow("A", 2, "1.5", 4, 40)))
	if got := codes(one(t, text)); got != "warning truncated" {
		t.Errorf("a cut bar: %s", got)
	}
}
