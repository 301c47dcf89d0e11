package terminal

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/benchproof/benchproof/internal/term"
	"github.com/benchproof/benchproof/result"
)

func sample() *result.File {
	return &result.File{
		Title: "File-systems", Description: "SSD and HDD", Source: "fs.txt", Format: result.FormatFlat,
		TitleSplit: result.DecodeInferred, Generator: "Phoronix Test Suite v10.8.4",
		Systems: []result.System{
			{Identifier: "HDD", Hardware: []result.Component{{Key: "Disk", Value: "150GB WD"}, {Key: "Memory", Value: "16GB"}}},
			{Identifier: "日本", Hardware: []result.Component{{Key: "Disk", Value: "1TB"}, {Key: "Memory", Value: "16GB"}}},
			{Identifier: "SSD", Hardware: []result.Component{{Key: "Disk", Value: "1TB"}, {Key: "Memory", Value: "16GB"}}},
		},
		Tests: []result.Test{
			{
				Title: "SQLite", Version: "3.22", Arguments: "Timed Insertions", Scale: "Seconds", Proportion: result.LIB,
				Footnotes: []string{"gcc -O2"},
				Measurements: []result.Measurement{
					{System: 0, Value: "80.00", StdError: "0.41", Samples: 9},
					{System: 1, Value: "5.5", Decode: result.DecodeInferred},
					{System: 2, Value: "40.25", StdError: "0.1", Notes: []string{"-march=znver1"}},
				},
				Unassigned: []result.Unassigned{{StdError: "0.7", Samples: 3, Systems: []int{1, 2}}},
			},
			{
				Title: "FS-Mark", Scale: "Files/s", Proportion: result.HIB,
				Measurements: []result.Measurement{
					{System: 0, Status: result.StatusFailed, Reason: "no result"},
					{System: 1, Decode: result.DecodeAmbiguous, Alternatives: []string{"1.2", "12"}},
				},
			},
			{
				Title: "Sensor", Measurements: []result.Measurement{
					{System: 0, Value: "1,2,3,4,5,6"}, {System: 1, Value: "NaN"}, {System: 2, Value: "PASS"},
				},
			},
			{
				Title: "Delta", Proportion: result.HIB, Measurements: []result.Measurement{
					{System: 0, Value: "-3"}, {System: 1, Value: "0"}, {System: 2, Value: "2"},
				},
			},
		},
	}
}

func show(t interface{ Fatal(...any) }, o Options, files ...*result.File) string {
	var b strings.Builder
	w := New(&b, o)
	for _, f := range files {
		if err := w.Write(f); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestView(t *testing.T) {
	want := `File-systems~
SSD and HDD
~ inferred: where the title ends and the description
  begins
fs.txt, flat, 3 systems, 4 tests, Phoronix Test Suite
  v10.8.4

Systems
  system  Disk
  ──────  ────────
  HDD     150GB WD
  日本    1TB
  SSD     1TB

The same in all systems
  Memory: 16GB

SQLite 3.22
Timed Insertions
Seconds, less is better
  HDD   80.00   ±0.41 N=9  █████████████████████████████▋
  日本   5.5 ~             ██
  SSD   40.25   ±0.1       ██████████████▉
  SE 0.7, N=3: of one of 日本, SSD
  SSD: -march=znver1
  1. gcc -O2
  ~ inferred: the source leaves this reading as the
    plausible one

FS-Mark
Files/s, more is better
  HDD   failed: no result
  日本  ? 1.2 or 12
  no value: SSD
  ? ambiguous: the source leaves several readings

Sensor
better direction unknown
  HDD   1,2,3,4,… (6 values)
  日本  NaN
  SSD   PASS

Delta
more is better
  HDD   -3
  日本   0
  SSD    2  █████████████████████████████████████████████
`
	if diff := cmp.Diff(want, show(t, Options{Width: 57}, sample())); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestASCII(t *testing.T) {
	f := sample()
	f.Systems[1].Identifier = "NVMe"
	out := show(t, Options{ASCII: true}, f)
	for _, r := range out {
		if r > 0x7e {
			t.Fatalf("%q in ASCII output:\n%s", r, out)
		}
	}
	if !strings.Contains(out, "+/-0.41 N=9  ####") {
		t.Errorf("no bar or error in\n%s", out)
	}
}

// TestWhiskers: a bar and its whisker end where the upper end of the interval
// is on the scale of the test. By hand: t of two degrees of freedom is 4.303, so
// that the first mean may be 142.6 and the second 54.303; the scale ends at 125,
// where bars keep four fifths of the room, 40 cells of which are 100.
func TestWhiskers(t *testing.T) {
	f := &result.File{Source: "x", Systems: []result.System{{Identifier: "A"}, {Identifier: "日"}, {Identifier: "C"}}, Tests: []result.Test{{
		Title: "T", Scale: "MB/s", Proportion: result.HIB, Measurements: []result.Measurement{
			{System: 0, Value: "100", StdError: "9.9", Samples: 3},
			{System: 1, Value: "50", StdError: "1", Samples: 3},
			{System: 2, Value: "75", StdError: "0", Samples: 3},
		},
	}}}
	out := show(t, Options{Width: 2 + 2 + 2 + 3 + 2 + 8 + 2 + 50}, f)
	for _, want := range []string{
		"  A   100  ±9.9 N=3  " + strings.Repeat("█", 40) + "─────────▸\n",
		"  日   50  ±1 N=3    " + strings.Repeat("█", 20) + "─┤\n",
		"  C    75  ±0 N=3    " + strings.Repeat("█", 30) + "\n",
		"  ─┤ how high the mean may be",
	} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
	if out := show(t, Options{Width: 71, ASCII: true}, f); !strings.Contains(out, "#--------->\n") || !strings.Contains(out, "#-]\n") {
		t.Errorf("ASCII:\n%s", out)
	}
}

// TestWidths: the view in 80 and 200 columns, in Unicode and ASCII, keeps to
// the width, and in colour is the same text.
func TestWidths(t *testing.T) {
	f := sample()
	f.Systems[0].Identifier = "cafe\u0301 👩\u200d💻 🇩🇪"
	for _, width := range []int{80, 200} {
		for _, ascii := range []bool{false, true} {
			name := fmt.Sprintf("show-%d", width)
			if ascii {
				name += "-ascii"
			}
			plain, colored := show(t, Options{Width: width, ASCII: ascii}, f), show(t, Options{Width: width, ASCII: ascii, Color: true}, f)
			golden(t, name+".txt", plain)
			golden(t, name+"-color.txt", strings.ReplaceAll(colored, "\x1b", "␛"))
			for line := range strings.Lines(plain) {
				if n := term.Width(strings.TrimSuffix(line, "\n")); n > width {
					t.Errorf("%d cells in %q", n, line)
				}
			}
		}
	}
}

var update = flag.Bool("update", false, "rewrite the expected views in testdata")

func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", name, diff)
	}
}

// TestColor: best green, worst red, which is said once, and the same text
// below the colours.
func TestColor(t *testing.T) {
	colored, bare := show(t, Options{Color: true}, sample()), show(t, Options{}, sample())
	for _, want := range []string{"\x1b[1mSQLite 3.22\x1b[0m", "\x1b[31m80.00", "\x1b[32m 5.5", "\x1b[32m 2\x1b[0m", "\x1b[31m-3"} {
		if !strings.Contains(colored, want) {
			t.Errorf("no %q in\n%s", want, colored)
		}
	}
	if strings.Contains(colored, "\x1b[31m40.25") || strings.Contains(colored, "\x1b[32m40.25") {
		t.Error("a middle value has a colour")
	}
	legend := "  \x1b[32mbest\x1b[0m, \x1b[31mworst\x1b[0m\n"
	if strings.Count(colored, legend) != 1 {
		t.Errorf("no legend of the colours, or several, in\n%s", colored)
	}
	colored = strings.Replace(colored, legend, "", 1)
	for _, s := range []string{"\x1b[0m", "\x1b[1m", "\x1b[2m", "\x1b[31m", "\x1b[32m", "\x1b[36m"} {
		colored = strings.ReplaceAll(colored, s, "")
	}
	if diff := cmp.Diff(bare, colored); diff != "" {
		t.Errorf("(-bare +colored):\n%s", diff)
	}
}

// TestSystems: a filtered view has a line a system, with what tells it apart;
// a long value that all share is told of, and shown where asked for.
func TestSystems(t *testing.T) {
	long := strings.Repeat("--with-x ", 30)
	system := func(name, disk, board, fs string) result.System {
		return result.System{
			Identifier: name,
			Hardware:   []result.Component{{Key: "Disk", Value: disk}, {Key: "Motherboard", Value: board}},
			Software:   []result.Component{{Key: "File-System", Value: fs}},
			Notes:      []result.Component{{Key: "Compiler", Value: long}},
		}
	}
	f := &result.File{Source: "x", Format: result.FormatText, Systems: []result.System{
		system("A", strings.Repeat("d", 40), strings.Repeat("m", 30), "ext4"),
		system("B", "1TB", strings.Repeat("m", 30), "xfs"),
		system("C", "1TB", "none", "zfs"),
	}}
	want := `x
x, text, 3 systems, 0 tests

Systems
  system  Disk                            File-System
  ──────  ──────────────────────────────  ───────────
  A       ddddddddddddddddddddddddddddd…  ext4
  B       1TB                             xfs
  C       1TB                             zfs
  also different: Motherboard; --verbose shows all
`
	if diff := cmp.Diff(want, show(t, Options{Width: 60, Brief: true}, f)); diff != "" {
		t.Errorf("brief (-want +got):\n%s", diff)
	}
	if out := show(t, Options{Width: 60, Brief: true, ASCII: true}, f); !strings.Contains(out, "ddd...  ext4") {
		t.Errorf("ASCII: %s", out)
	}
	if out := show(t, Options{}, f); !strings.Contains(out, "  Compiler (notes): 270 characters, which --verbose shows\n") {
		t.Errorf("no word of a long value in\n%s", out)
	}
	if out := show(t, Options{Long: true}, f); strings.Count(out, "--with-x") != 30 {
		t.Errorf("the long value is not whole in\n%s", out)
	}
}

// TestLongDifference: long values that systems do not share are cut, too.
func TestLongDifference(t *testing.T) {
	flags := strings.Repeat("-fno-x ", 100)
	f := &result.File{Source: "x", Format: result.FormatText, Systems: []result.System{
		{Identifier: "A", Notes: []result.Component{{Key: "Environment", Value: flags + "-fa"}}},
		{Identifier: "B", Notes: []result.Component{{Key: "Environment", Value: flags + "-fb"}}},
	}}
	out := show(t, Options{Width: 80}, f)
	if n := strings.Count(out, "-fno-x"); n > 50 || n < 30 || !strings.Contains(out, "  values over 160 characters are cut; --verbose shows them whole\n") {
		t.Errorf("%d flags in\n%s", n, out)
	}
	if out := show(t, Options{Width: 80, Long: true}, f); strings.Count(out, "-fno-x") != 200 || strings.Contains(out, "are cut") {
		t.Errorf("not whole with Long:\n%s", out)
	}
}

func TestTwoFiles(t *testing.T) {
	one := show(t, Options{}, sample())
	exact := &result.File{Title: "Second", Systems: []result.System{{Identifier: "A"}}}
	both := show(t, Options{}, sample(), exact)
	rest, ok := strings.CutPrefix(both, one+"\n")
	if !ok || !strings.HasPrefix(rest, "Second\n") || strings.Contains(rest, "inferred") {
		t.Errorf("second file:\n%s", rest)
	}
}

func TestAlignPoints(t *testing.T) {
	got := alignPoints([]string{"12.50", "3", "-100.125", "", "1e3"})
	want := []string{"  12.50 ", "   3    ", "-100.125", "        ", "   1e3  "}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestHostile: whatever a record holds, the view has no control character,
// keeps to its width, and names every value.
func TestHostile(t *testing.T) {
	text := rapid.OneOf(rapid.StringN(0, 60, -1), rapid.SampledFrom([]string{
		"\x1b]8;;http://x\x07y\x1b]8;;\x07", "\u009d0;t\u009c", "\a", "a\u200bb", "a\u200db", "👨\u200d👩\u200d👧", "🇩🇪e\u0301",
		"\x1b[2J", "\u009b31m", "a\nb", "\u202eabc", "\x00", "日本語日本語日本語日本語", "</script>", strings.Repeat("x", 300),
	}))
	rapid.Check(t, func(t *rapid.T) {
		f := &result.File{Title: text.Draw(t, "title"), Description: text.Draw(t, "description"), Source: text.Draw(t, "source")}
		for range rapid.IntRange(1, 4).Draw(t, "systems") {
			f.Systems = append(f.Systems, result.System{
				Identifier: text.Draw(t, "system"),
				Hardware:   []result.Component{{Key: text.Draw(t, "key"), Value: text.Draw(t, "value")}},
			})
		}
		test := result.Test{
			Title: text.Draw(t, "test"), Arguments: text.Draw(t, "arguments"), Scale: text.Draw(t, "scale"),
			Proportion: result.HIB, Footnotes: []string{text.Draw(t, "footnote")},
		}
		for i := range f.Systems {
			m := result.Measurement{System: i, Value: "123456.75"}
			if rapid.Bool().Draw(t, "failed") {
				m = result.Measurement{System: i, Status: result.StatusFailed, Reason: text.Draw(t, "reason")}
			}
			test.Measurements = append(test.Measurements, m)
		}
		f.Tests = []result.Test{test}
		width := rapid.IntRange(40, 120).Draw(t, "width")
		out := show(t, Options{Width: width}, f)
		for line := range strings.SplitSeq(out, "\n") {
			if strings.ContainsFunc(line, result.Hidden) {
				t.Fatalf("hidden character in %q", line)
			}
			if w := term.Width(line); w > width {
				t.Fatalf("%d cells, want %d: %q", w, width, line)
			}
		}
		for i := range test.Measurements {
			if test.Measurements[i].Value != "" && !strings.Contains(out, "123456.75") {
				t.Fatalf("value is not shown:\n%s", out)
			}
		}
	})
}
