package xml_test

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"github.com/benchproof/benchproof/export/xml"
	"github.com/benchproof/benchproof/parse"
	"github.com/benchproof/benchproof/result"
)

// write returns f as composite.xml, and what of it is lost.
func write(t testing.TB, f *result.File) (string, []result.Diagnostic) {
	t.Helper()
	var b strings.Builder
	w := xml.New(&b)
	if err := w.Write(f); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String(), w.Diagnostics()
}

// read returns the one file in a document.
func read(t testing.TB, name string, in io.Reader) *result.File {
	t.Helper()
	r, err := parse.NewReader(in, name, parse.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	files, err := r.All()
	if err != nil || len(files) != 1 {
		t.Fatalf("%s: %d files, %v", name, len(files), err)
	}
	return files[0]
}

// same compares records but for where they were read and what was said of it.
var same = cmp.Options{
	cmpopts.IgnoreTypes(result.Origin{}),
	cmpopts.IgnoreFields(result.File{}, "Diagnostics"),
	cmpopts.EquateEmpty(),
}

func codes(list []result.Diagnostic) string {
	var words []string
	for _, d := range list {
		words = append(words, d.Code)
	}
	return strings.Join(words, " ")
}

// published returns the files of the facts directory.
func published(t testing.TB, patterns ...string) []string {
	t.Helper()
	var paths []string
	for _, p := range patterns {
		found, err := filepath.Glob(filepath.Join("../../../shared", p))
		if err != nil {
			t.Fatal(err)
		}
		paths = append(paths, found...)
	}
	if len(paths) == 0 {
		t.Skip("no ../shared with published files next to the repository")
	}
	return paths
}

// Published files that are read, written and read again give equal records,
// and written again equal bytes.
func TestPublishedFilesComeBack(t *testing.T) {
	files := 0
	for _, path := range published(t, "corpus/real/*/composite.xml", "corpus/defects/*/composite.xml", "samples/forms/*.xml", "flat/*.xml") {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		first := read(t, "in.xml", bytes.NewReader(data))
		text, lost := write(t, first)
		second := read(t, "in.xml", strings.NewReader(text))
		files++
		if diff := cmp.Diff(first, second, same); diff != "" {
			t.Errorf("%s (-first +second):\n%s", path, diff)
		}
		if len(lost) > 0 {
			t.Errorf("%s: lost: %v", path, lost)
		}
		again, _ := write(t, second)
		if again != text {
			t.Errorf("%s: written again it differs", path)
		}
		if err := checkSchema(text); err != nil {
			t.Errorf("%s: %v", path, err)
		}
	}
	t.Logf("%d files", files)
}

func TestLosses(t *testing.T) {
	system := []result.System{{Identifier: "A"}, {Identifier: "B"}}
	with := func(m ...result.Measurement) *result.File {
		return &result.File{Systems: system, Tests: []result.Test{{Title: "T", Measurements: m}}}
	}
	for _, test := range []struct {
		name  string
		file  *result.File
		codes string
		holds []string
	}{
		{"nothing", with(result.Measurement{Value: "274.00", RawValues: []string{"273", "275.0"}, StdError: "1", StdErrorDerived: true, Samples: 2}), "", []string{
			"<Value>274.00</Value>", "<RawString>273:275.0</RawString>",
		}},
		{"a failure", with(result.Measurement{Status: result.StatusFailed, Reason: `no "result" & <more>`}), "", []string{
			"<Value></Value>", `<JSON>{"error":"no \"result\" &amp; &lt;more&gt;"}</JSON>`,
		}},
		{"figures", with(result.Measurement{Value: "5", Min: "4.50", Max: "5,5", RunTimes: []string{"4.39", "2"}}), "", []string{
			`<JSON>{"min-result":4.50,"max-result":"5,5","test-run-times":"4.39:2"}</JSON>`,
		}},
		{"an inferred value", with(result.Measurement{Value: "5", Decode: result.DecodeInferred}), "inferred", []string{
			"<Value>5</Value>", `<JSON>{"decode":"inferred"}</JSON>`,
		}},
		{"an ambiguous value", with(result.Measurement{Decode: result.DecodeAmbiguous, Alternatives: []string{"1.2", "12"}}), "ambiguous", []string{
			"<Value></Value>", `<JSON>{"error":"the source leaves several readings of the value: 1.2 or 12"}</JSON>`,
		}},
		{"an ambiguous value with details", with(result.Measurement{Decode: result.DecodeAmbiguous, Details: []byte(`{"test-run-times":"1"}`)}), "ambiguous", []string{
			`<JSON>{"test-run-times":"1","error":"the source leaves several readings of the value"}</JSON>`,
		}},
		{"a standard error", with(result.Measurement{Value: "5", StdError: "0.41", Samples: 9}), "std-error", nil},
		{"digits", with(result.Measurement{Value: "5.00", Precise: "5.0012"}), "precise", []string{"<Value>5.00</Value>"}},
		{"a control character in a value", with(result.Measurement{Value: "1\x002"}), "control-character-value", []string{
			"<Value></Value>", `"error":"the value cannot be written as XML"`,
		}},
		{"in a run", with(result.Measurement{Value: "1", RawValues: []string{"1\x01", "2"}}), "runs", []string{"<RawString></RawString>"}},
		{"a colon in a run", with(result.Measurement{Value: "1", RawValues: []string{"1:1", "2"}}), "runs", []string{"<RawString></RawString>"}},
		{"in a name", &result.File{Title: "a\x1bb\xffc", Systems: []result.System{{Identifier: "x\ufffe"}}}, "control-character", []string{
			"<Title>abc</Title>", "<Identifier>x</Identifier>",
		}},
		{"footnotes", &result.File{Tests: []result.Test{{Footnotes: []string{"gcc"}}}}, "footnotes", nil},
		{"several of one system", with(result.Measurement{Value: "1"}, result.Measurement{Value: "2"}), "duplicate-entry", []string{"<Value>1</Value>", "<Value>2</Value>"}},
		{"who", &result.File{URL: "http://a", TitleSplit: result.DecodeInferred}, "title-split address", nil},
		{"an uncertain name", &result.File{Systems: []result.System{{Identifier: "A", Decode: result.DecodeInferred, InheritedKeys: []string{"Disk"}}}}, "inherited uncertain-name", nil},
		{"carriage return", &result.File{Title: "a\r\nb"}, "", []string{"<Title>a&#13;\nb</Title>"}},
	} {
		text, lost := write(t, test.file)
		if got := codes(lost); got != test.codes {
			t.Errorf("%s: lost %q, want %q", test.name, got, test.codes)
		}
		for _, want := range test.holds {
			if !strings.Contains(text, want) {
				t.Errorf("%s: no %s in\n%s", test.name, want, text)
			}
		}
		if err := checkSchema(text); err != nil {
			t.Errorf("%s: %v", test.name, err)
		}
	}
}

// Systems of one name keep it only where entries say which one they are of.
func TestTwins(t *testing.T) {
	ssd, hdd := []result.Component{{Key: "Disk", Value: "SSD"}}, []result.Component{{Key: "Disk", Value: "HDD"}}
	both := func(a, b result.Decode) []result.Test {
		return []result.Test{{Measurements: []result.Measurement{{System: 0, Value: "1", Decode: a}, {System: 1, Value: "2", Decode: b}}}}
	}
	for _, test := range []struct {
		name    string
		systems []result.System
		tests   []result.Test
		want    string
	}{
		{"copies in order", []result.System{{Identifier: "A", Hardware: ssd}, {Identifier: "A", Hardware: ssd}}, both(0, 0), "A A"},
		{"only the second", []result.System{{Identifier: "A"}, {Identifier: "A"}}, []result.Test{{Measurements: []result.Measurement{{System: 1, Value: "2"}}}}, "A A #2"},
		{"other machines", []result.System{{Identifier: "A", Hardware: ssd}, {Identifier: "A", Hardware: hdd}}, both(0, 0), "A A #2"},
		{"other machines, not certain", []result.System{{Identifier: "A", Hardware: ssd}, {Identifier: "A", Hardware: hdd}}, both(1, 1), "A A"},
		{"alike without what XML forbids", []result.System{{Identifier: "A\x01"}, {Identifier: "A"}}, both(0, 0), "A A #2"},
		{"a number that is taken", []result.System{{Identifier: "A"}, {Identifier: "A #2"}, {Identifier: "A"}}, []result.Test{{Measurements: []result.Measurement{{System: 2, Value: "1"}}}}, "A A #2 A #3"},
	} {
		f := &result.File{Systems: test.systems, Tests: test.tests}
		text, _ := write(t, f)
		back := read(t, "x.xml", strings.NewReader(text))
		var names []string
		for _, s := range back.Systems {
			names = append(names, s.Identifier)
		}
		if got := strings.Join(names, " "); got != test.want {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
		for i, m := range back.Tests[0].Measurements {
			if want := test.tests[0].Measurements[i]; m.System != want.System || m.Value != want.Value || m.Decode != want.Decode {
				t.Errorf("%s: entry %d is %v, want %v", test.name, i, m, want)
			}
		}
	}
}

// Notes of a page become the details of which PTS makes the same notes.
func TestNotesComeBack(t *testing.T) {
	notes := []result.Component{
		{Key: "Kernel", Value: "quiet - Transparent Huge Pages: always"},
		{Key: "Environment", Value: "FLAGS=-O2"},
		{Key: "Compiler", Value: "--build=x86_64-linux-gnu -v"},
		{Key: "Disk", Value: "MQ-DEADLINE / relatime,rw / Block Size: 4096"},
		{Key: "Processor", Value: "Scaling Governor: acpi-cpufreq ondemand - CPU Microcode: 0x8 - x"},
		{Key: "OpenCL", Value: "GPU Compute Cores: 384"},
		{Key: "Python", Value: "Python 2.7.15+ + Python 3.6.7"},
		{Key: "Security", Value: "l1tf: <a> & \"b\""},
	}
	text, lost := write(t, &result.File{Format: result.FormatHTML, Systems: []result.System{{Identifier: "A", Notes: notes}}})
	back := read(t, "x.xml", strings.NewReader(text))
	if diff := cmp.Diff(notes, back.Systems[0].Notes); diff != "" || len(lost) > 0 {
		t.Errorf("%v\n%s\n%s", lost, diff, text)
	}
}

// A value that is inferred does not become exact by way of composite.xml.
func TestInferredComesBack(t *testing.T) {
	f := &result.File{Systems: []result.System{{Identifier: "A"}, {Identifier: "B"}}, Tests: []result.Test{{Measurements: []result.Measurement{
		{System: 0, Value: "1", Decode: result.DecodeInferred, RunTimes: []string{"3"}}, {System: 1, Value: "2"},
	}}}}
	text, _ := write(t, f)
	back := read(t, "x.xml", strings.NewReader(text))
	for i, want := range []result.Decode{result.DecodeInferred, result.DecodeExact} {
		if got := back.Tests[0].Measurements[i].Decode; got != want {
			t.Errorf("measurement %d is %v, want %v", i, got, want)
		}
	}
}

func TestSecondFile(t *testing.T) {
	w := xml.New(io.Discard)
	if err := w.Write(&result.File{}); err != nil {
		t.Fatal(err)
	}
	if err := w.Write(&result.File{}); !errors.Is(err, xml.ErrSecondFile) {
		t.Errorf("second file: %v", err)
	}
}

// Records that hold what composite.xml can hold come back whole.
func TestRecordsComeBack(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		f := drawFile(rt)
		text, lost := write(t, f)
		if len(lost) > 0 {
			rt.Fatalf("lost %v", lost)
		}
		if err := checkSchema(text); err != nil {
			rt.Fatalf("%v\n%s", err, text)
		}
		back := read(t, "x.xml", strings.NewReader(text))
		if diff := cmp.Diff(f, back, same); diff != "" {
			rt.Fatalf("%s\n%s", diff, text)
		}
	})
}

func drawFile(t *rapid.T) *result.File {
	text := rapid.Map(rapid.OneOf(
		rapid.StringMatching(`[A-Za-z0-9<>&"'éß日 ]{0,12}`),
		rapid.SampledFrom([]string{"]]>", "a\nb", "a\r\nb", "&amp;", "<![CDATA[x", "<!-- -->", "a\tb", "\u202e"}),
	), strings.TrimSpace)
	name := rapid.StringMatching(`[A-Za-z0-9:.&<]{1,4}( [0-9])?`)
	number := rapid.StringMatching(`-?[0-9]{1,12}(\.[0-9]{1,6})?|PASS|NaN|1,2,3`)
	f := &result.File{
		Source: "x.xml", Format: result.FormatXML,
		Title: text.Draw(t, "title"), Description: text.Draw(t, "description"),
		Generator: text.Draw(t, "generator"), LastModified: text.Draw(t, "modified"),
		Notes: text.Draw(t, "notes"), InternalTags: text.Draw(t, "tags"), ReferenceID: text.Draw(t, "reference"), Environment: text.Draw(t, "environment"),
	}
	for _, id := range rapid.SliceOfNDistinct(name, 1, 4, rapid.ID).Draw(t, "systems") {
		f.Systems = append(f.Systems, result.System{
			Identifier: id, User: text.Draw(t, "user"), Timestamp: text.Draw(t, "time"), ClientVersion: text.Draw(t, "client"), NotesText: text.Draw(t, "system notes"),
			Hardware: []result.Component{{Key: "Processor", Value: "X, y: z" + strings.ReplaceAll(id, ":", "")}, {Key: "Disk", Value: "2 x 480GB, RAID0"}},
			Software: []result.Component{{Key: "OS", Value: "Debian 12"}},
			Notes:    []result.Component{{Key: "Security", Value: "s <" + id}},
			Details:  []byte(`{"security":"s <` + id + `"}`),
		})
	}
	result.SetGroups(f.Systems)
	for range rapid.IntRange(0, 3).Draw(t, "tests") {
		test := result.Test{
			Profile: text.Draw(t, "profile"), Title: text.Draw(t, "test"), Version: text.Draw(t, "version"), Arguments: text.Draw(t, "arguments"),
			CommandArguments: text.Draw(t, "command"), Scale: text.Draw(t, "scale"), DisplayFormat: text.Draw(t, "format"),
			Annotation: text.Draw(t, "annotation"), Parent: text.Draw(t, "parent"),
			Proportion: rapid.SampledFrom([]result.Proportion{result.HIB, result.LIB, ""}).Draw(t, "proportion"),
		}
		test.Options = result.ParseOptions(test.Arguments)
		for i := range f.Systems {
			switch rapid.IntRange(0, 3).Draw(t, "kind") {
			case 0: // missing
			case 1:
				test.Measurements = append(test.Measurements, result.Measurement{
					System: i, Status: result.StatusFailed, Reason: "r & \"q\"", Details: []byte(`{"error":"r & \"q\""}`),
				})
			default:
				m := result.Measurement{System: i, Value: number.Draw(t, "value")}
				if rapid.Bool().Draw(t, "run") {
					m.RawValues, m.Samples = []string{m.Value}, 1 // another run would contradict it
				}
				if rapid.Bool().Draw(t, "times") {
					m.RunTimes, m.Details = []string{"1.5", "2"}, []byte(`{"test-run-times":"1.5:2"}`)
				}
				test.Measurements = append(test.Measurements, m)
			}
		}
		f.Tests = append(f.Tests, test)
	}
	return f
}

// Whatever a record holds, the document is well-formed and has the elements
// of the form.
func FuzzWrite(f *testing.F) {
	f.Add("title", "A", "B", "1.5", "{}", "1:2")
	f.Add("\x00<>&", "A\x01", "A", "1\xff", "{", "]]>")
	f.Fuzz(func(t *testing.T, title, a, b, value, details, run string) {
		text, _ := write(t, &result.File{
			Title: title, Systems: []result.System{{Identifier: a, Notes: []result.Component{{Key: title, Value: value}}}, {Identifier: b}},
			Tests: []result.Test{{Title: title, Measurements: []result.Measurement{
				{System: 1, Value: value, RawValues: []string{run, value}, Details: []byte(details)},
				{System: 0, Decode: result.DecodeAmbiguous, Details: []byte(details)},
				{System: 0, Value: value, Decode: result.DecodeInferred},
			}}},
		})
		if err := checkSchema(text); err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
	})
}
