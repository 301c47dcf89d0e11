package capture

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/benchproof/benchproof/parse/internal/oracle"
	"github.com/benchproof/benchproof/parse/internal/readertest"
	"github.com/benchproof/benchproof/parse/internal/source"
	"github.com/benchproof/benchproof/result"
)

func read(t testing.TB, text string) []*result.File {
	t.Helper()
	return readertest.Files(t, Read, "in.log", text)
}

// rows lists the measurements of a file, each in a line.
func rows(f *result.File) []string {
	var out []string
	for _, test := range f.Tests {
		for _, m := range test.Measurements {
			out = append(out, strings.Join([]string{
				test.Title, test.Version, test.Profile, test.Arguments, test.Scale,
				m.Value, m.StdError, strings.Join(m.RawValues, ";"), m.Status.String(), m.Reason, m.Decode.String(),
			}, "|"))
		}
	}
	return out
}

const session = `Phoronix Test Suite v10.8.4
System Information

  PROCESSOR:              Foo 5 @ 3.50GHz
    Core Count:           32

  DISK:                   960GB Bar
    File-System:          xfs

  OPERATING SYSTEM:       Debian 12
    Kernel:               6.1.0 (x86_64)

    Enter a name to save these results under: disks
    Enter a unique name to describe this test run / configuration: SSD

New Description: of a disk

SQLite 3.30.1:
    pts/sqlite-2.1.0 [Threads / Copies: 1]
    Test 1 of 3
    Estimated Trial Run Count:    3
        Started Run 1 @ 00:44:59
        Started Run 2 @ 00:46:32  [Std. Dev: 5.58%]
        Started Run 3 @ 00:47:29

    Threads / Copies: 1:
        1
        2
        3

    Average: 2.00 Seconds
    Deviation: 50.00%
    Samples: 3

Dbench 4.0:
    pts/dbench-1.0.2 [1 Clients]
        Started Run 1 @ 00:44:59
        The test quit with a non-zero exit status.
        E: disk full
        Started Run 2 @ 00:44:59
        The test quit with a non-zero exit status.

x265 3.4:
    pts/x265-1.3.0
        Started Run 1 @ 00:44:59

    Test Results:

    Average: 200 Frames Per Second
    Minimum: 190
    Maximum: 210
    Deviation: 1.50%
    Samples: 9
`

// Figures as a client prints them under the locale of its machine, and what it
// prints for none, are figures all the same: no run is lost.
func TestFigures(t *testing.T) {
	for _, c := range []struct{ runs, average, value, scale, raw, codes string }{
		{"1.4 1.6", "1.5 Seconds", "1.5", "Seconds", "1.4;1.6", ""},
		{"1,4 1,6", "1,5 Seconds", "1,5", "Seconds", "1,4;1,6", ""},
		{"1.4 nan 1.6", "nan Seconds", "nan", "Seconds", "1.4;nan;1.6", "not-a-number"},
		{"1234.4 1234.6", "1 234.5 Files/s", "1 234.5", "Files/s", "1234.4;1234.6", ""},
		{"1234567 1234567", "1 234 567 Files/s", "1 234 567", "Files/s", "1234567;1234567", ""},
		{"50 52", "51 1080p FPS", "51", "1080p FPS", "50;52", ""},
	} {
		text := "Enter a unique name to describe this test run / configuration: SSD\n\nSQLite 3.30.1:\n    pts/sqlite-2.1.0 [x]\n        Started Run 1 @ 00:44:59\n\n    x:\n        " +
			strings.ReplaceAll(c.runs, " ", "\n        ") + "\n\n    Average: " + c.average + "\n\n"
		f := read(t, text)[0]
		m := f.Tests[0].Measurements[0]
		var codes []string
		for _, d := range f.Diagnostics {
			codes = append(codes, d.Code)
		}
		if m.Value != c.value || f.Tests[0].Scale != c.scale || strings.Join(m.RawValues, ";") != c.raw || strings.Join(codes, " ") != c.codes {
			t.Errorf("%s: value %q, scale %q, runs %q, %q", c.average, m.Value, f.Tests[0].Scale, m.RawValues, codes)
		}
	}
}

func TestSession(t *testing.T) {
	f := read(t, session)[0]
	want := []string{
		// sd 1, over root 3
		"SQLite|3.30.1|pts/sqlite-2.1.0|Threads / Copies: 1|Seconds|2.00|0.57735|1;2;3|ok||exact",
		"Dbench|4.0|pts/dbench-1.0.2|1 Clients||||" + "|failed|The test quit with a non-zero exit status. E: disk full|exact",
		// 200 × 1.5 / 100 / 3
		"x265|3.4|pts/x265-1.3.0||Frames Per Second|200|1||ok||exact",
	}
	if d := cmp.Diff(want, rows(f)); d != "" {
		t.Error(d)
	}
	m := f.Tests[2].Measurements[0]
	if !m.StdErrorDerived || m.Samples != 9 || m.Min != "190" || m.Max != "210" {
		t.Errorf("%+v", m)
	}
	s := f.Systems[0]
	if f.Title != "disks" || f.Description != "of a disk" || s.Identifier != "SSD" || f.Generator != "Phoronix Test Suite v10.8.4" {
		t.Errorf("%q, %q, %q, %q", f.Title, f.Description, s.Identifier, f.Generator)
	}
	if d := cmp.Diff([]result.Component{{Key: "Processor", Value: "Foo 5 @ 3.50GHz"}, {Key: "Disk", Value: "960GB Bar"}}, s.Hardware); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff([]result.Component{{Key: "File-System", Value: "xfs"}, {Key: "OS", Value: "Debian 12"}, {Key: "Kernel", Value: "6.1.0 (x86_64)"}}, s.Software); d != "" {
		t.Error(d)
	}
}

// What a terminal leaves in a capture is taken out before the reader sees it:
// colours must not take a digit with them.
func TestTerminal(t *testing.T) {
	raw := "progress 10%\b\b\b20%\rprogress 30%\r\n    Average: \x1b[1;34m1394.2 ops/s\x1b[0m\r\n    Deviation: 0.37%\r\n    Samples: 4\r\n"
	text, _ := source.Decode(raw)
	f := read(t, text)[0]
	m := f.Tests[0].Measurements[0]
	// 1394.2 × 0.37 / 100 / 2
	if m.Value != "1394.2" || f.Tests[0].Scale != "ops/s" || m.StdError != "2.57927" || !m.StdErrorDerived {
		t.Errorf("%+v", m)
	}
	if f.Tests[0].HeadDecode != result.DecodeAmbiguous || f.Systems[0].Decode != result.DecodeInferred || m.Decode != result.DecodeInferred {
		t.Error("a test without a head or a system without a name is taken for sure")
	}
}

func TestDoubt(t *testing.T) {
	f := read(t, strings.Replace(session, "Average: 2.00", "Average: 2.10", 1))[0]
	if m := f.Tests[0].Measurements[0]; m.Decode != result.DecodeInferred || m.Value != "2.10" {
		t.Errorf("an average that is not the mean of its runs: %+v", m)
	}
	f = read(t, strings.Replace(session, "Samples: 3", "Samples: 4", 1))[0]
	if m := f.Tests[0].Measurements[0]; m.Decode != result.DecodeInferred {
		t.Errorf("samples that are not as many as the runs: %+v", m)
	}
}

// A run that was broken off has no result; that is no failure.
func TestNoResult(t *testing.T) {
	cut := session[:strings.Index(session, "The test quit")]
	f := read(t, cut)[0]
	if len(f.Tests) != 2 || len(f.Tests[1].Measurements) != 0 {
		t.Errorf("%q", rows(f))
	}
	found := false
	for _, d := range f.Diagnostics {
		found = found || d.Code == "no-result" && d.Origin.Line > 30
	}
	if !found {
		t.Errorf("%v", f.Diagnostics)
	}
}

func TestSessions(t *testing.T) {
	if n := len(read(t, session+"\n"+session)); n != 2 {
		t.Errorf("%d files, want 2", n)
	}
	var syntax *source.SyntaxError
	if err := Read(source.New("in", "System Information\n\nnothing\n"), func(*result.File) error { return nil }); !errors.As(err, &syntax) {
		t.Error(err)
	}
}

// A capture cut anywhere says nothing that the whole one does not.
func TestTruncated(t *testing.T) {
	whole := map[string]bool{}
	for _, test := range read(t, session)[0].Tests {
		for _, m := range test.Measurements {
			whole[m.Value] = true
		}
	}
	for n := range session {
		_ = Read(source.New("in", session[:n]), func(f *result.File) error {
			for _, test := range f.Tests {
				for _, m := range test.Measurements {
					if m.Decode == result.DecodeExact && !whole[m.Value] {
						t.Errorf("cut at %d: value %q", n, m.Value)
					}
				}
			}
			return nil
		})
	}
}

func FuzzRead(f *testing.F) {
	f.Add(session)
	f.Add("    Average: 1394.2 ops/s\n    Deviation: 0.37%\n    Samples: 3\n")
	f.Add("System Information\n\nHardware:\nProcessor: A, b, Memory: 1\n\nSoftware:\nOS: x\n\nX 1:\n    pts/x-1.0\n    Test Results:\n        1\n    Average: 1 s\n")
	f.Fuzz(func(t *testing.T, text string) {
		_ = Read(source.New("in", text), func(file *result.File) error {
			oracle.Stands(t, file, text)
			return nil
		})
	})
}
