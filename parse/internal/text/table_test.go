package text

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/benchproof/benchproof/parse/internal/source"
	"github.com/benchproof/benchproof/result"
)

const machine = "\n\n\tProcessor: P @ 1.00GHz (4 Cores), Disk: 500GB SSD\n\n\tOS: Linux, File-System: ext4\n\n"

// dump makes an export with lines of systems and tests.
func dump(systems []string, tests ...string) string {
	var b strings.Builder
	b.WriteString("Title\nDescription\n\n\n")
	for _, s := range systems {
		b.WriteString(s + ": " + machine)
	}
	b.WriteString("\n" + strings.Join(tests, "\n\n\n") + "\n\n\n")
	return b.String()
}

// printRow is a row of a test as PTS prints it: width bytes for identifier
// and dots, a value padded to pad bytes, a bar.
func printRow(system string, width int, value string, pad, bar int) string {
	return fmt.Sprintf("%s %s %-*s|%s", system, strings.Repeat(".", width-len(system)), pad, value, strings.Repeat("=", bar))
}

// values lists what a test says: "system=value" with marks for what is not
// exact or failed.
func values(f *result.File, test int) string {
	var parts []string
	for _, m := range f.Tests[test].Measurements {
		s := f.Systems[m.System].Identifier + "=" + m.Value
		if m.Min != "" {
			s += "(" + m.Min + ".." + m.Max + ")"
		}
		if m.Status == result.StatusFailed {
			s += "failed"
		}
		if m.Decode != result.DecodeExact {
			s += "?" + strings.Join(m.Alternatives, "|")
		}
		parts = append(parts, s)
	}
	return strings.Join(parts, "; ")
}

func codes(f *result.File) string {
	var list []string
	for _, d := range f.Diagnostics {
		list = append(list, string(d.Severity)+" "+d.Code)
	}
	return strings.Join(list, ", ")
}

func TestRows(t *testing.T) {
	const head = "SQLite 3.41.2\nThreads / Copies: 1\nSeconds < Lower Is Better\n"
	tests := []struct {
		name    string
		systems []string
		rows    string
		want    string // of the form with lines
		words   string // of the collapsed form, "" if the same
		codes   string
		wcodes  string // "" if the same, "-" if none
	}{
		{
			name: "bars", systems: []string{"A", "B: c, d"},
			rows: printRow("A", 8, "1.5", 4, 39) + "\n" + printRow("B: c, d", 8, "2.5", 4, 65) + "\n",
			want: "A=1.5; B: c, d=2.5",
		},
		{
			name: "identifiers that look like rows", systems: []string{"1. = a - b", "x ... 2 y"},
			rows: printRow("1. = a - b", 11, "10", 3, 32) + "\n" + printRow("x ... 2 y", 11, "20", 3, 63) + "\n",
			want: "1. = a - b=10; x ... 2 y=20",
		},
		{
			name: "negative and zero", systems: []string{"A", "B"},
			rows: printRow("A", 2, "-5", 3, 0) + "\n" + printRow("B", 2, "0", 3, 0) + "\n",
			want: "A=-5; B=0",
		},
		{
			name: "series with box plots", systems: []string{"A", "B"},
			rows:   "A . MIN: 0.0  AVG: 45.3  MAX: 70.8 [ . |----###X##---| .]\nB . MIN: 1.0  AVG: 2.5   MAX: 4.0 [|-#X#-|    ]\n",
			want:   "A=45.3(0.0..70.8); B=2.5(1.0..4.0)",
			wcodes: "warning truncated", words: "A=45.3(0.0..70.8); B=2.5(1.0..4.0)?",
		},
		{
			name: "pass and fail", systems: []string{"A", "B"},
			rows: "A . PASS\nB . FAIL\n",
			want: "A=PASS; B=FAIL",
		},
		{
			name: "no value", systems: []string{"A", "B"},
			rows: "A . \n" + printRow("B", 2, "2.5", 4, 71) + "\n",
			want: "A=failed; B=2.5",
		},
		{
			name: "a row cut in the middle", systems: []string{"A", "B"},
			rows:  "A . 12.\n" + printRow("B", 2, "2.5", 4, 71) + "\n",
			want:  "B=2.5?",
			codes: "error truncated",
		},
		{
			name: "unknown identifier", systems: []string{"A"},
			rows:  printRow("A", 6, "1.5", 4, 40) + "\n" + printRow("Ghost", 6, "2.5", 4, 67) + "\n",
			want:  "A=1.5; Ghost=2.5?",
			codes: "warning unknown-system",
		},
		{
			name: "characters lost", systems: []string{"A", "B", "C", "D", "E"},
			rows: printRow("A", 2, "11.50", 6, 68) + "\n" + printRow("B", 2, "11.5", 6, 68) + "\n" + printRow("C", 2, ".50", 6, 3) + "\n" +
				printRow("D", 2, "01.50", 6, 9) + "\n" + printRow("E", 2, "1.50", 5, 9) + "\n",
			want:   "A=11.50; B=11.5?; C=.50?; D=01.50?; E=1.50?",
			codes:  "warning odd-number, warning odd-number, warning odd-number, warning value-width",
			wcodes: "warning odd-number, warning odd-number, warning odd-number", words: "A=11.50; B=11.5?; C=.50?; D=01.50?; E=1.50",
		},
		{
			name: "one system twice", systems: []string{"A"},
			rows:  printRow("A", 2, "1.5", 4, 43) + "\n" + printRow("A", 2, "2.5", 4, 71) + "\n",
			want:  "A=?1.5|2.5; A=?1.5|2.5",
			codes: "error duplicate-entry",
		},
		{
			name: "two systems of one name", systems: []string{"A", "A"},
			rows:  printRow("A", 2, "1.5", 4, 43) + "\n" + printRow("A", 2, "2.5", 4, 71) + "\n",
			want:  "A=1.5?; A=2.5?",
			codes: "warning duplicate-system",
		},
		{
			name: "an entry unseen", systems: []string{"A", "Long name", "Other one"},
			rows:   printRow("A", 10, "1.5", 4, 63) + "\n",
			want:   "A=1.5",
			codes:  "info failed-entry",
			wcodes: "info identifier-guessed, info identifier-guessed, info failed-entry",
		},
		{
			name: "decimal commas", systems: []string{"A", "B"},
			rows:  printRow("A", 2, "12,34", 6, 30) + "\n" + printRow("B", 2, "1,234", 6, 3) + "\n",
			want:  "A=12,34; B=1,234",
			codes: "warning decimal-comma",
		},
		{
			name: "digits in groups", systems: []string{"A", "B"},
			rows:  printRow("A", 2, "1 234.5", 8, 30) + "\n" + printRow("B", 2, "1,234.5", 8, 30) + "\n",
			want:  "A=1 234.5; B=1,234.5",
			codes: "warning thousands-separator",
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			text := dump(test.systems, head+strings.TrimSuffix(test.rows, "\n"))
			for i, text := range []string{text, collapse(text)} {
				f := one(t, text)
				want, wantCodes := test.want, test.codes
				if i == 1 {
					if test.words != "" {
						want = test.words
					}
					if test.wcodes != "" {
						wantCodes = test.wcodes
					}
				}
				if len(f.Tests) != 1 {
					t.Fatalf("form %d: %d tests", i, len(f.Tests))
				}
				if got := values(f, 0); got != want {
					t.Errorf("form %d: got %s, want %s", i, got, want)
				}
				if got := codes(f); got != wantCodes {
					t.Errorf("form %d: got codes %s, want %s: %v", i, got, wantCodes, f.Diagnostics)
				}
				x := &f.Tests[0]
				if x.Title != "SQLite" || x.Version != "3.41.2" || x.Arguments != "Threads / Copies: 1" || x.Scale != "Seconds" || x.Proportion != result.LIB {
					t.Errorf("form %d: head %q %q %q %q %q", i, x.Title, x.Version, x.Arguments, x.Scale, x.Proportion)
				}
			}
		})
	}
}

func TestHeads(t *testing.T) {
	row := "\n" + printRow("A", 2, "1.5", 4, 71)
	tests := []struct {
		head                                    string
		title, version, args, scale, proportion string
		lines, words                            result.Decode
	}{
		{"SQLite 3.41.2\nThreads / Copies: 1\nSeconds < Lower Is Better", "SQLite", "3.41.2", "Threads / Copies: 1", "Seconds", "LIB", 0, 0},
		{"Pjdfstest\n\nSeconds < Lower Is Better", "Pjdfstest", "", "", "Seconds", "LIB", 0, 0},
		{"Gzip Compression\n2GB File Compression\nSeconds < Lower Is Better", "Gzip Compression", "", "2GB File Compression", "Seconds", "LIB", 0, 0},
		{"BRL-CAD 7.36\nVGR Performance Metric\nVGR Performance Metric > Higher Is Better", "BRL-CAD", "7.36", "VGR Performance Metric", "VGR Performance Metric", "HIB", 0, 0},
		{"Numpy Benchmark\n\nScore > Higher Is Better", "Numpy Benchmark", "", "", "Score", "HIB", 0, 0},
		{"F1 2018\nResolution: 1920 x 1080\nFrames Per Second > Higher Is Better", "F1 2018", "", "Resolution: 1920 x 1080", "Frames Per Second", "HIB", 0, 0},
		{"Flexible IO Tester 2.1.11\nType: Random Read - Result: MB/s\nMB/s > Higher Is Better", "Flexible IO Tester", "2.1.11", "Type: Random Read - Result: MB/s", "MB/s", "HIB", 0, 0},
		{"Zstd Compression 1.1 Beta\nCompression Level: 3\nMB/s > Higher Is Better", "Zstd Compression", "1.1 Beta", "Compression Level: 3", "MB/s", "HIB", 0, 0},
		// Unknown titles, units and captions: rules decide.
		{"Frobnicator 1.2.3\nSpeed: Fast\nMB/s > Higher Is Better", "Frobnicator", "1.2.3", "Speed: Fast", "MB/s", "HIB", result.DecodeInferred, result.DecodeInferred},
		{"My Own Test\nTest: Reads of 4 kinds\nms < Lower Is Better", "My Own Test", "", "Test: Reads of 4 kinds", "ms", "LIB", result.DecodeInferred, result.DecodeInferred},
		{"Total Peace: The Game 1.0\nResolution: 640 x 480\nFPS > Higher Is Better", "Total Peace: The Game", "1.0", "Resolution: 640 x 480", "FPS", "HIB", result.DecodeInferred, result.DecodeInferred},
		{"SQLite 3.41.2\nThreads / Copies: 1\nGizmos Per Hour > Higher Is Better", "SQLite", "3.41.2", "Threads / Copies: 1", "Gizmos Per Hour", "HIB", 0, result.DecodeInferred},
		{"=HYPERLINK(\"x\") 3.41.2\nThreads / Copies: 1\nSeconds < Lower Is Better", "=HYPERLINK(\"x\")", "3.41.2", "Threads / Copies: 1", "Seconds", "LIB", result.DecodeInferred, result.DecodeInferred},
		// No words that say which way is better.
		{"SQLite 3.41.2\nThreads / Copies: 1\nSeconds", "SQLite", "3.41.2", "Threads / Copies: 1", "Seconds", "", result.DecodeInferred, result.DecodeInferred},
		{"Pjdfstest\n\nSeconds", "Pjdfstest", "", "", "Seconds", "", result.DecodeInferred, result.DecodeInferred},
	}
	for _, test := range tests {
		first := "Stream 2013-01-17\nType: Copy\nMB/s > Higher Is Better\n" + printRow("A", 2, "9.5", 4, 71)
		text := dump([]string{"A"}, first, test.head+row, first)
		for i, text := range []string{text, collapse(text)} {
			f := one(t, text)
			if len(f.Tests) != 3 {
				t.Errorf("%q form %d: %d tests", test.head, i, len(f.Tests))
				continue
			}
			x := &f.Tests[1]
			got := fmt.Sprintf("%q %q %q %q %q %v", x.Title, x.Version, x.Arguments, x.Scale, x.Proportion, x.HeadDecode)
			want := fmt.Sprintf("%q %q %q %q %q %v", test.title, test.version, test.args, test.scale, test.proportion, [...]result.Decode{test.lines, test.words}[i])
			if got != want {
				t.Errorf("%q form %d: got %s, want %s", test.head, i, got, want)
			}
			if v := values(f, 1); v != "A=1.5" {
				t.Errorf("%q form %d: values %s", test.head, i, v)
			}
			if len(f.Diagnostics) > 0 {
				t.Errorf("%q form %d: %v", test.head, i, f.Diagnostics)
			}
		}
	}
}

// An unknown unit of several words is what two tests of a title end with.
func TestRepeatedScale(t *testing.T) {
	row := "\n" + printRow("A", 2, "1.5", 4, 71)
	head := func(args, scale string) string {
		return "Laghos 3.1\n" + args + "\n" + scale + " > Higher Is Better" + row
	}
	tests := []struct{ first, second, scale, wantFirst, wantSecond string }{
		{"Test: Sedov Wave, cube", "Test: Triple Point", "Minor Core Total Rate", "Test: Sedov Wave, cube", "Test: Triple Point"},
		// No words of the value are left, or the unit has a form of its own.
		{"Test: Sedov", "Test: Sedov", "Minor Rate", "Test: Sedov Minor", "Test: Sedov Minor"},
		{"Test: Slow Reads", "Test: Fast Reads", "Gizmos/x", "Test: Slow Reads", "Test: Fast Reads"},
	}
	for _, test := range tests {
		f := one(t, collapse(dump([]string{"A"}, head(test.first, test.scale), head(test.second, test.scale))))
		if len(f.Tests) != 2 {
			t.Fatalf("%d tests", len(f.Tests))
		}
		for i, want := range []string{test.wantFirst, test.wantSecond} {
			if x := &f.Tests[i]; x.Arguments != want || x.Options[0].Value != strings.TrimPrefix(want, "Test: ") || x.HeadDecode != result.DecodeInferred {
				t.Errorf("%s: got %q and %q, %v", test.scale, x.Arguments, x.Scale, x.HeadDecode)
			}
		}
	}
}

func TestTitles(t *testing.T) {
	const body = "\n\n\nIntel Core i5: \n\n\tProcessor: Intel Core i5 @ 3.90GHz (4 Cores), Motherboard: ASUS Z97, Graphics: HD 7000\n\n\tOS: Ubuntu 18.04, File-System: ext4, System Layer: KVM\n\n\nSQLite 3.22\nTimed SQLite Insertions\nSeconds < Lower Is Better\nIntel Core i5 . 86.08 |===========================================================\n"
	tests := []struct {
		text               string
		title, description string
		decode             result.Decode
		collapsedTitle     string // with the collapsed description, "" if undivided
	}{
		{"My title\nSome words.", "My title", "Some words.", 0, ""},
		{"My title\n", "My title", "", 0, ""},
		{"A title on\ntwo lines\nand words.", "A title on", "two lines and words.", result.DecodeInferred, ""},
		{"Disks\nIntel Core i5 testing with a ASUS Z97 and HD 7000 on Ubuntu 18.04 via the Phoronix Test Suite.", "Disks", "Intel Core i5 testing with a ASUS Z97 and HD 7000 on Ubuntu 18.04 via the Phoronix Test Suite.", 0, "Disks"},
		{"In a KVM\nKVM testing on Ubuntu 18.04 via the Phoronix Test Suite.", "In a KVM", "KVM testing on Ubuntu 18.04 via the Phoronix Test Suite.", 0, "In a KVM"},
		{"stream\nRunning pts/stream-1.2.0 via the Phoronix Test Suite.", "stream", "Running pts/stream-1.2.0 via the Phoronix Test Suite.", 0, "stream"},
		{"twice the same\ntwice the same", "twice the same", "twice the same", 0, "twice the same"},
		{"    Do you want to view the text results (Y/n): Y\nMy title\nSome words.", "My title", "Some words.", 0, ""},
	}
	for _, test := range tests {
		f := one(t, test.text+body)
		if f.Title != test.title || f.Description != test.description || f.TitleSplit != test.decode {
			t.Errorf("%q: %q, %q, %v", test.text, f.Title, f.Description, f.TitleSplit)
		}
		f = one(t, collapse(test.text+body))
		raw := collapse(test.title + " " + test.description)
		wantTitle, wantDecode := raw, result.DecodeAmbiguous
		if test.collapsedTitle != "" {
			wantTitle, wantDecode = test.collapsedTitle, result.DecodeInferred
		}
		if f.Title != wantTitle || f.TitleDescription != raw || f.TitleSplit != wantDecode || collapse(f.Title+" "+f.Description) != raw {
			t.Errorf("collapsed %q: %q, %q, %q, %v", test.text, f.Title, f.Description, f.TitleDescription, f.TitleSplit)
		}
	}
}

func TestComponents(t *testing.T) {
	text := "T\nD\n\n\nHDD: EXT4: \n\n\tProcessor: CPU A (Total Cores: 2), System Memory: 8GB, Disk: 2 x 480GB SSD, RAID0, Flux Capacitor: 1.21GW, npu: X\n\n\tOS: Ubuntu 8.04, X.Org Server: 1.4, OpenGL: 4.6 Mesa 21.0 (git-2b4b310, LLVM 12), Display Server: X, System Layer: Xen HVM domU 4.2.amazon\n\n" +
		"HDD: XFS: \n\n\tProcessor: CPU B\n\n\tOS: Ubuntu 8.04, Compiler: GCC 4.2\n\n\n" +
		"SQLite 3.22\nTimed SQLite Insertions\nSeconds < Lower Is Better\n" + printRow("HDD: EXT4", 10, "86.08", 6, 60) + "\n" + printRow("HDD: XFS", 10, "86.08", 6, 60) + "\n"
	for i, text := range []string{text, collapse(text)} {
		f := one(t, text)
		if n := f.SystemNames(); len(n) != 2 || n[0] != "HDD: EXT4" || n[1] != "HDD: XFS" || f.Systems[1].Label() != "XFS" {
			t.Fatalf("form %d: systems %q", i, n)
		}
		got := fmt.Sprint(f.Systems[0].Hardware, f.Systems[0].Software, f.Systems[1].Hardware, f.Systems[1].Software)
		want := "[Processor: CPU A (Total Cores: 2) System Memory: 8GB Disk: 2 x 480GB SSD, RAID0 Flux Capacitor: 1.21GW npu: X]" +
			" [OS: Ubuntu 8.04 X.Org Server: 1.4 OpenGL: 4.6 Mesa 21.0 (git-2b4b310, LLVM 12) Display Server: X System Layer: Xen HVM domU 4.2.amazon]" +
			" [Processor: CPU B] [OS: Ubuntu 8.04 Compiler: GCC 4.2]"
		if got != want {
			t.Errorf("form %d: got  %s\nwant %s", i, got, want)
		}
		if len(f.Diagnostics) > 0 {
			t.Errorf("form %d: %v", i, f.Diagnostics)
		}
	}
}

// Several dumps in one text, and text around them.
func TestSeveral(t *testing.T) {
	a := smallDump
	b := dump([]string{"X", "Yy"}, "Dbench 4.0\n12 Clients\nMB/s > Higher Is Better\n"+printRow("X", 3, "10", 3, 36)+"\n"+printRow("Yy", 3, "20", 3, 71))
	first, second := one(t, a), one(t, b)
	for name, text := range map[string]string{
		"lines":              a + b,
		"lines, text":        "Hello,\n\nhere they are:\n\n" + a + "And the other one.\n\n" + b + "Bye\n",
		"collapsed":          collapse(a) + " " + collapse(b),
		"collapsed, a line":  collapse(a) + "\n" + collapse(b) + "\n",
		"collapsed, text":    "Hello,\n\nhere they are:\n\n" + collapse(a) + "\n\n" + collapse(b) + "\n\nBye\n",
		"collapsed, lines":   collapse(a) + "\n\n" + b,
		"lines, collapsed":   a + "\n" + collapse(b) + "\n",
		"lines, no newlines": strings.TrimSpace(a) + "\n" + strings.TrimSpace(b),
	} {
		files := checkRead(t, text)
		if len(files) != 2 {
			t.Errorf("%s: %d dumps", name, len(files))
			continue
		}
		for i, want := range []*result.File{first, second} {
			f := files[i]
			if got := strings.Join(f.SystemNames(), "|"); got != strings.Join(want.SystemNames(), "|") {
				t.Errorf("%s, dump %d: systems %s", name, i, got)
			}
			if title := f.Title + " " + f.Description; strings.TrimSpace(title) != want.Title+" "+want.Description {
				t.Errorf("%s, dump %d: title %q", name, i, title)
			}
			if len(f.Tests) != len(want.Tests) {
				t.Errorf("%s, dump %d: %d tests", name, i, len(f.Tests))
				continue
			}
			for j := range want.Tests {
				if got, want := values(f, j), values(want, j); got != want {
					t.Errorf("%s, dump %d, test %d: %s, want %s", name, i, j, got, want)
				}
			}
		}
	}
}

// A part of a document: its places are those of the whole.
func TestSection(t *testing.T) {
	whole := source.New("x", "Before\n\n"+smallDump)
	start := strings.Index(whole.Text, "Title here")
	for _, text := range []string{whole.Text, whole.Text[:start] + collapse(smallDump)} {
		whole.Text = text
		err := Read(whole.Section(start, len(whole.Text)), func(f *result.File) error {
			for i := range f.Tests {
				for _, m := range f.Tests[i].Measurements {
					line, column := whole.Position(m.Origin.Offset)
					if m.Origin.Line != line || m.Origin.Column != column || !strings.HasPrefix(whole.Text[m.Origin.Offset:], m.Value) {
						t.Errorf("value %q at %v, offset %d", m.Value, m.Origin, m.Origin.Offset)
					}
				}
			}
			return nil
		})
		if err != nil {
			t.Error(err)
		}
		whole = source.New("x", whole.Text)
	}
}

func TestNothing(t *testing.T) {
	for _, text := range []string{"", " \n", "some words\nand more", "{\"a\": 1}", "a: b: c\n | = < Lower"} {
		err := Read(source.New("x", text), func(*result.File) error { t.Errorf("%q: a record", text); return nil })
		var syntax *source.SyntaxError
		if !errors.As(err, &syntax) {
			t.Errorf("%q: error %v", text, err)
		}
		if Sniff(text) {
			t.Errorf("%q looks like an export", text)
		}
	}
}

func TestLimits(t *testing.T) {
	doc := source.New("x", dump([]string{"A", "B", "C"}, "T 1.0\nA: b\ns < Lower Is Better\n"+printRow("A", 2, "1", 2, 73), "T 1.0\nA: c\ns < Lower Is Better\n"+printRow("A", 2, "1", 2, 73)))
	for _, collapsed := range []bool{false, true} {
		if collapsed {
			doc.Text = collapse(doc.Text)
		}
		for flag, limits := range map[string]source.Limits{"--max-systems": {Systems: 2}, "--max-tests": {Tests: 1}} {
			doc.Limits = limits
			err := Read(doc, func(*result.File) error { return nil })
			var limit *source.LimitError
			if !errors.As(err, &limit) || limit.Flag != flag {
				t.Errorf("%s: error %v", flag, err)
			}
		}
		doc.Limits = source.Limits{}
		if err := Read(doc, func(*result.File) error { return nil }); err != nil {
			t.Errorf("zero limits: %v", err)
		}
	}
}
