package text

import (
	"strings"
	"testing"

	"github.com/benchproof/benchproof/result"
)

// Three tests of two systems, the second a line graph's. What is left of the
// mark of the third one's head is put between the pieces.
const (
	damagedBefore = "Stream 2013-01-17\nType: Copy\nMB/s > Higher Is Better\n" +
		"Aa . 10.5 |===========\nB .. 65.0 |====================================================================\n\n\n" +
		"CPU Temperature Monitor\nPhoronix Test Suite System Monitoring\nCelsius < Lower Is Better\n" +
		"Aa . MIN: 40.1  AVG: 57.2  MAX: 69.8 \nB .. MIN: 40.3  AVG: 53.1  MAX: 65.6 \n\n\n" +
		"7-Zip Compression 22.01\nTest: Compression Rating\nMIPS "
	damagedRows = "Aa . 51144 |=====================================================\nB .. 65000 |===================================================================\n"
)

// A head whose last words lost, gained or changed one byte anywhere still ends
// the test before it and begins its own, of which the direction is unknown.
func TestDamagedMark(t *testing.T) {
	const mark = "> Higher Is Better"
	damaged := map[string]string{"broken in two": "> Hig\nher Is Better", "two letters": "> Hgher Is Bttr"}
	for i := range mark {
		damaged["without "+mark[i:]] = mark[:i] + mark[i+1:]
		damaged["x for "+mark[i:]] = mark[:i] + "x" + mark[i+1:]
		damaged["x before "+mark[i:]] = mark[:i] + "x" + mark[i:]
		if i > 0 {
			damaged["newline before "+mark[i:]] = mark[:i] + "\n" + mark[i:]
		}
	}
	for name, mark := range damaged {
		lines := dump([]string{"Aa", "B"}, damagedBefore+mark+"\n"+damagedRows)
		for form, text := range map[string]string{"lines": lines, "collapsed": collapse(lines)} {
			if form == "collapsed" && strings.Join(strings.Fields(mark), " ") == "> Higher Is Better" {
				continue // white space is no damage there
			}
			f := one(t, text)
			if len(f.Tests) != 3 {
				t.Errorf("%s, %s: %d tests", name, form, len(f.Tests))
				continue
			}
			if got := values(f, 1); got != "Aa=57.2(40.1..69.8); B=53.1(40.3..65.6)" {
				t.Errorf("%s, %s: the test before has %s", name, form, got)
			}
			x := &f.Tests[2]
			if got := strings.ReplaceAll(values(f, 2), "?", ""); got != "Aa=51144; B=65000" {
				t.Errorf("%s, %s: the test has %s", name, form, got)
			}
			if x.Title != "7-Zip Compression" || x.Version != "22.01" || x.HeadDecode == result.DecodeExact && x.Scale != "MIPS" {
				t.Errorf("%s, %s: head %q %q, unit %q, %v", name, form, x.Title, x.Version, x.Scale, x.HeadDecode)
			}
			if len(f.Systems) != 2 {
				t.Errorf("%s, %s: systems %q", name, form, f.SystemNames())
			}
		}
	}
}

// Rows that may be another test's are not exact, and what contradicts itself
// is an error.
func TestJoinedRows(t *testing.T) {
	const head = "SQLite 3.41.2\nThreads / Copies: 1\nSeconds < Lower Is Better\n"
	bar := func(system, value string, length int) string { return printRow(system, 3, value, 5, length) + "\n" }
	series := "Bb . MIN: 1.0  AVG: 2.5  MAX: 4.0 \n"
	tests := []struct{ name, rows, want, code string }{
		{"a row again", bar("Aa", "30.5", 60) + bar("Bb", "10.5", 21) + bar("Bb", "20.5", 40) + bar("Cc", "34.1", 67), "Aa=30.5; Bb=?10.5|20.5; Bb=?10.5|20.5; Cc=34.1?", "error duplicate-entry"},
		{"the same row again", bar("Aa", "30.5", 67) + bar("Bb", "10.5", 23) + bar("Bb", "10.5", 23) + bar("Cc", "10.5", 23), "Aa=30.5; Bb=10.5?; Bb=10.5?; Cc=10.5?", "warning duplicate-entry"},
		{"a series among bars", bar("Aa", "30.5", 67) + series + bar("Cc", "10.5", 23), "Aa=30.5; Bb=2.5(1.0..4.0)?; Cc=10.5?", "error mixed-rows"},
		{"a bar among series", series + bar("Cc", "10.5", 67) + bar("Dd", "10.5", 67), "Bb=2.5(1.0..4.0); Cc=10.5?; Dd=10.5?", "error mixed-rows"},
		{"odd dots", bar("Aa", "30.5", 67) + bar("Bb", "30.5", 67) + printRow("Cc", 9, "30.5", 5, 61) + "\n" + bar("Dd", "30.5", 67), "Aa=30.5; Bb=30.5; Cc=30.5?; Dd=30.5?", "warning leader-width"},
		{"no majority of dots", printRow("Aa", 9, "30.5", 5, 61) + "\n" + bar("Bb", "30.5", 67), "Aa=30.5?; Bb=30.5?", "warning leader-width"},
		{"the rest of a row before a name", bar("Aa", "30.5", 67) + "Bb . 30.5 |==== " + bar("Cc", "30.5", 67) + bar("Dd", "30.5", 67), "Aa=30.5; Cc=30.5?; Dd=30.5?", ""},
		{"nothing but the rest of a row", bar("Aa", "30.5", 67) + "x|==== . 30.5 |====\n" + bar("Bb", "30.5", 67), "Aa=30.5; Bb=30.5?", "error unreadable-row"},
		{"no name", bar("Aa", "30.5", 67) + ". 30.5 |====\n" + bar("Bb", "30.5", 67), "Aa=30.5; Bb=30.5?", "error unreadable-row"},
	}
	for _, test := range tests {
		f := one(t, dump([]string{"Aa", "Bb", "Cc", "Dd"}, head+strings.TrimSuffix(test.rows, "\n")))
		got := values(f, 0)
		if test.code == "" {
			// Whether "Bb" is read is open: its row has a whole bar.
			got = strings.Replace(strings.Replace(got, "Bb=30.5; ", "", 1), "Bb=30.5?; ", "", 1)
		}
		if got != test.want {
			t.Errorf("%s: got %s, want %s", test.name, got, test.want)
		}
		if !strings.Contains(codes(f), test.code) {
			t.Errorf("%s: got codes %s, want %s", test.name, codes(f), test.code)
		}
		if len(f.Systems) != 4 {
			t.Errorf("%s: systems %q", test.name, f.SystemNames())
		}
	}
}

// An export that begins within a row has no system without a name, and what
// follows under no head is not exact.
func TestHeadless(t *testing.T) {
	for _, text := range []string{". 1.5 |=====\nB . 2.5 |========\n", ". 1.5 |===== B . 2.5 |========"} {
		for _, f := range checkRead(t, text) {
			for _, s := range f.Systems {
				if s.Identifier == "" {
					t.Errorf("%q: a system without a name", text)
				}
			}
			if got := values(f, 0); got != "B=2.5?" {
				t.Errorf("%q: %s", text, got)
			}
		}
	}
}
