package text

import (
	"errors"
	"strings"
	"testing"

	"github.com/benchproof/benchproof/parse/internal/source"
	"github.com/benchproof/benchproof/result"
)

// errStop is returned by emit to see that it comes back.
var errStop = errors.New("stop")

// checkRead reads text and checks what must hold of any input: each value
// stands in the text at its origin, what is exact is not guessed, systems
// and tests are referred to as they are.
func checkRead(t *testing.T, text string) []*result.File {
	t.Helper()
	doc := source.New("in.txt", text)
	doc.Limits.Systems, doc.Limits.Tests = 500, 2000
	var files []*result.File
	err := Read(doc, func(f *result.File) error { files = append(files, f); return nil })
	var syntax *source.SyntaxError
	var limit *source.LimitError
	switch {
	case err == nil, errors.As(err, &limit):
	case errors.As(err, &syntax):
		if len(files) > 0 {
			t.Errorf("%d files and a syntax error", len(files))
		}
	default:
		t.Errorf("error %v", err)
	}
	for _, f := range files {
		checkFile(t, doc, f)
	}
	if len(files) > 0 {
		if err := Read(source.New("in.txt", text), func(*result.File) error { return errStop }); err != errStop {
			t.Errorf("emit's error came back as %v", err)
		}
	}
	return files
}

func checkFile(t *testing.T, doc *source.Doc, f *result.File) {
	t.Helper()
	at := func(o result.Origin) string {
		if o.Offset < 0 || o.Offset > len(doc.Text) {
			t.Fatalf("offset %d of %d", o.Offset, len(doc.Text))
		}
		line, column := doc.Position(o.Offset)
		if o.Line != line || o.Column != column {
			t.Errorf("offset %d: %d:%d, want %d:%d", o.Offset, o.Line, o.Column, line, column)
		}
		return doc.Text[o.Offset:]
	}
	for i := range f.Systems {
		at(f.Systems[i].Origin)
	}
	for i := range f.Tests {
		test := &f.Tests[i]
		at(test.Origin)
		exact := make(map[int]bool)
		for j := range test.Measurements {
			m := &test.Measurements[j]
			if m.System < 0 || m.System >= len(f.Systems) {
				t.Fatalf("system %d of %d", m.System, len(f.Systems))
			}
			if exact[m.System] {
				t.Errorf("%q: system %d has a further row beside an exact value", test.Title, m.System)
			}
			exact[m.System] = m.Decode == result.DecodeExact
			if exact[m.System] && test.Title == "" {
				t.Errorf("value %q is exact, its test is not known", m.Value)
			}
			if f.Systems[m.System].Decode != result.DecodeExact && m.Decode == result.DecodeExact {
				t.Errorf("value %q is exact, its system is not", m.Value)
			}
			rest := at(m.Origin)
			if strings.HasSuffix(m.Origin.Rule, "-rejoined") {
				rest = strings.ReplaceAll(rest, "\n", "")
				if m.Decode == result.DecodeExact {
					t.Errorf("value %q is exact and broken", m.Value)
				}
			}
			if m.Decode == result.DecodeAmbiguous {
				if m.Value != "" || m.Min != "" || m.Max != "" || m.Status != result.StatusOK {
					t.Errorf("an ambiguous measurement has a value: %+v", *m)
				}
				continue
			}
			if (m.Value == "") != (m.Status == result.StatusFailed) {
				t.Errorf("value %q has status %v", m.Value, m.Status)
			}
			if !strings.HasPrefix(rest, m.Value) {
				t.Errorf("value %q is not at %v: %.20q", m.Value, m.Origin, rest)
			}
		}
	}
	for _, d := range f.Diagnostics {
		at(d.Origin)
		if d.Code == "" || d.Message == "" {
			t.Errorf("diagnostic %+v", d)
		}
	}
}

const smallDump = `Title here
Some description, of a few words.


EXT4: 

	Processor: AMD Ryzen 9 5900X 12-Core @ 3.70GHz (12 Cores / 24 Threads), Memory: 16GB, Disk: 1000GB A, B + 2TB

	OS: Ubuntu 20.04, Kernel: 5.14.0 (x86_64) 20210822, File-System: ext4, Screen Resolution: 3840x2160

SSD: XFS, v2: 

	Processor: AMD Ryzen 9 5900X 12-Core @ 3.70GHz (12 Cores / 24 Threads), Memory: 16GB, Disk: 1000GB A, B + 2TB

	OS: Ubuntu 20.04, Kernel: 5.14.0 (x86_64) 20210822, File-System: xfs, Screen Resolution: 3840x2160


SQLite 3.30.1
Threads / Copies: 1
Seconds < Lower Is Better
EXT4 ......... 9.127  |======================================
SSD: XFS, v2 . 13.385 |========================================================


Pjdfstest

Test Pass / Fail < Lower Is Better
EXT4 ......... PASS
SSD: XFS, v2 . FAIL


CPU Temperature Monitor
Phoronix Test Suite System Monitoring
Celsius < Lower Is Better
EXT4 ......... MIN: 30.5  AVG: 45.3  MAX: 70.8 
SSD: XFS, v2 . MIN: 31.0  AVG: 2.5   MAX: 4.0 


Dbench 4.0
12 Clients
MB/s > Higher Is Better
EXT4 ......... 
SSD: XFS, v2 . 99 |============================================================


`

func FuzzRead(f *testing.F) {
	f.Add(smallDump)
	f.Add(strings.Join(strings.Fields(smallDump), " "))
	f.Add(hardWrap(smallDump, 60))
	f.Add(softWrap(smallDump, 60))
	f.Add(smallDump + smallDump)
	f.Add(strings.ReplaceAll(smallDump, " ", "\u00a0"))
	f.Add("A . 1 |=\nA .. 2 |\n")
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 1<<16 {
			return
		}
		// Documents have no carriage returns.
		checkRead(t, strings.ReplaceAll(text, "\r", "\n"))
	})
}
