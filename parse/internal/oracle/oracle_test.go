package oracle

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/benchproof/benchproof/result"
)

// The forms' composite.xml was rendered by PTS into the five published
// dumps byte for byte, so truth and XML must tell the same.
func TestTruthAgainstXML(t *testing.T) {
	for _, path := range Glob(t, "samples", "truth", "*.json") {
		name := strings.TrimSuffix(strings.TrimSuffix(filepath.Base(path), ".json"), ".flat")
		t.Run(name, func(t *testing.T) {
			truth := Truth(t, path)
			want := XML(t, Shared(t, "samples", "forms", name+".xml"))
			var tally Tally
			for _, line := range Diff(truth, want, Options{
				NumericValues: true, JoinTitle: true, SkipSE: true, SkipXMLFields: true, SkipSource: true,
				SkipGroups: true, Tally: &tally,
			}) {
				t.Error(line)
			}
			if len(truth.Tests) == 0 || tally.Exact == 0 || tally.Exact != tally.Total() {
				t.Errorf("compared %v", tally)
			}
		})
	}
}

func TestTruth(t *testing.T) {
	f := Truth(t, Shared(t, "samples", "truth", "f2fs-xfs-ext4-hdd-ssd.flat.json"))
	// Read off the published page.
	if f.Identifier != "1901281-SP-F2FSBENCH59" || f.Generator != "Phoronix Test Suite v10.8.4" {
		t.Errorf("identifier %q, generator %q", f.Identifier, f.Generator)
	}
	if n := len(f.Systems); n != 6 {
		t.Fatalf("%d systems", n)
	}
	s := f.Systems[1]
	if s.Identifier != "HDD: F2FS" || s.Group() != "HDD" || s.Label() != "F2FS" || !s.Inherited("Kernel") || s.Inherited("File-System") {
		t.Errorf("system %+v", s)
	}
	var keys []string
	for _, c := range append(s.Hardware[:2:2], s.Software[:2]...) {
		keys = append(keys, c.Key)
	}
	if got := strings.Join(keys, ","); got != "Processor,Motherboard,OS,Kernel" {
		t.Errorf("keys %s", got)
	}
	keys = nil
	for _, c := range s.Notes {
		keys = append(keys, c.Key)
	}
	if got := strings.Join(keys, ","); got != "Compiler,Disk,Processor,Python,Security" {
		t.Errorf("notes %s", got)
	}
	unassigned := 0
	for i := range f.Tests {
		unassigned += len(f.Tests[i].Unassigned)
	}
	if unassigned != 34 {
		t.Errorf("%d unassigned standard errors, want 34", unassigned)
	}
	if f := Truth(t, Shared(t, "samples", "truth", "optane-900p-raid.json")); f.TitleSplit != result.DecodeInferred || f.TitleDescription == "" {
		t.Errorf("title split %v of %q", f.TitleSplit, f.TitleDescription)
	}
}

const smallXML = `<?xml version="1.0"?>
<PhoronixTestSuite>
<Generated><Title>T</Title><Description>D</Description><TestClient>Phoronix Test Suite v10.8.4</TestClient></Generated>
<System><Identifier>A</Identifier><Hardware>Processor: P, x2, Disk: 1TB Foo, Inc, Graphics: G: H</Hardware><Software>OS: Linux, Kernel: 6.1</Software></System>
<System><Identifier>B</Identifier><Hardware></Hardware><Software></Software></System>
<Result><Identifier>pts/x-1.0.0</Identifier><Title>X</Title><AppVersion>2.0</AppVersion><Description>Mode: a</Description><Scale>MB/s</Scale><Proportion>HIB</Proportion><DisplayFormat>BAR_GRAPH</DisplayFormat>
<Data>
<Entry><Identifier>A</Identifier><Value>12.3456</Value><RawString>12.1:12.3:12.6</RawString><JSON>{"min-result":12.1,"test-run-times":"1.5:1.6:1.7"}</JSON></Entry>
<Entry><Identifier>B</Identifier><Value></Value><RawString></RawString><JSON>{"error":"broke"}</JSON></Entry>
<Entry><Identifier>A</Identifier><Value>13</Value><RawString></RawString></Entry>
<Entry><Identifier>C</Identifier><Value>PASS</Value><RawString></RawString></Entry>
</Data></Result>
</PhoronixTestSuite>`

func TestReadXML(t *testing.T) {
	f, err := ReadXML([]byte(smallXML))
	if err != nil {
		t.Fatal(err)
	}
	want := []result.Component{{Key: "Processor", Value: "P, x2"}, {Key: "Disk", Value: "1TB Foo, Inc"}, {Key: "Graphics", Value: "G: H"}}
	for i, c := range f.Systems[0].Hardware {
		if c != want[i] {
			t.Errorf("hardware %d: %+v, want %+v", i, c, want[i])
		}
	}
	if names := strings.Join(f.SystemNames(), ","); names != "A,B,C" {
		t.Errorf("systems %s", names)
	}
	ms := f.Tests[0].Measurements
	if m := ms[0]; m.Samples != 3 || m.RawValues[2] != "12.6" || m.Min != "12.1" || m.RunTimes[1] != "1.6" {
		t.Errorf("first measurement %+v", m)
	}
	if m := ms[1]; m.Status != result.StatusFailed || m.Reason != "broke" || m.System != 1 {
		t.Errorf("second measurement %+v", m)
	}
	if ms[2].System != 0 || ms[3].System != 2 {
		t.Errorf("systems of the last two: %d, %d", ms[2].System, ms[3].System)
	}
	for _, bad := range []string{"", "<a/>", smallXML[:len(smallXML)/2], strings.Replace(smallXML, "</Title>", "</Titel>", 1)} {
		if _, err := ReadXML([]byte(bad)); err == nil {
			t.Errorf("read %.30q… without an error", bad)
		}
	}
}

// printed is the small file as PTS's page would print it.
func printed() *result.File {
	return &result.File{
		Title: "T", Description: "D",
		Systems: []result.System{{Identifier: "A"}, {Identifier: "B"}, {Identifier: "C"}},
		Tests: []result.Test{{
			Title: "X", Version: "2.0", Arguments: "Mode: a", Scale: "MB/s", Proportion: result.HIB,
			Measurements: []result.Measurement{
				{System: 0, Value: "12.35", StdError: "0.15", Samples: 3},
				{System: 0, Value: "13.00"},
				{System: 2, Value: "PASS"},
			},
		}},
	}
}

// Every change to a right record must be seen, and only it.
func TestDiff(t *testing.T) {
	want, err := ReadXML([]byte(smallXML))
	if err != nil {
		t.Fatal(err)
	}
	o := Options{NumericValues: true, SkipComponents: true, SkipXMLFields: true, SkipSource: true}
	tests := []struct {
		name   string
		change func(*result.File)
		adapt  func(*Options)
		lines  string // what every line must hold, "" for no line
	}{
		{"right", func(*result.File) {}, nil, ""},
		{"title", func(f *result.File) { f.Title = "U" }, nil, `title: got "U", want "T"`},
		{"joined title", func(f *result.File) { f.Title, f.Description = "T D", "" }, func(o *Options) { o.JoinTitle = true }, ""},
		{"joined head", func(f *result.File) { f.Tests[0].Title, f.Tests[0].Version = "X 2.0", "" }, func(o *Options) { o.JoinHead = true }, ""},
		{"spaces", func(f *result.File) { f.Title = " T" }, func(o *Options) { o.CollapseSpace = true }, ""},
		{"system name", func(f *result.File) { f.Systems[1].Identifier = "BB" }, nil, `identifier: got "BB"`},
		{"system lost", func(f *result.File) { f.Systems = f.Systems[:2]; f.Tests[0].Measurements[2].System = 1 }, nil, ``},
		{"scale", func(f *result.File) { f.Tests[0].Scale = "MB" }, nil, `scale: got "MB"`},
		{"proportion", func(f *result.File) { f.Tests[0].Proportion = "" }, nil, `proportion`},
		{"digit", func(f *result.File) { f.Tests[0].Measurements[0].Value = "12.36" }, nil, `got exact ok value "12.36"`},
		{"fewer decimals", func(f *result.File) { f.Tests[0].Measurements[0].Value = "12.3" }, nil, `got exact ok value "12.3"`},
		{"source text", func(f *result.File) { f.Tests[0].Measurements[0].Value = "12.3456" }, nil, ``},
		{"swapped", func(f *result.File) {
			m := f.Tests[0].Measurements
			m[0].Value, m[1].Value = m[1].Value, m[0].Value
		}, nil, `value`},
		{"word", func(f *result.File) { f.Tests[0].Measurements[2].Value = "FAIL" }, nil, `got exact ok value "FAIL"`},
		{"missing", func(f *result.File) { f.Tests[0].Measurements = f.Tests[0].Measurements[:2] }, nil, `"C": missing`},
		{"missing skipped", func(f *result.File) { f.Tests[0].Measurements = f.Tests[0].Measurements[:2] }, func(o *Options) { o.SkipMissing = true }, ``},
		{"value of a failed entry", func(f *result.File) {
			f.Tests[0].Measurements = append(f.Tests[0].Measurements, result.Measurement{System: 1, Value: "0.00"})
		}, nil, `want a failed one`},
		{"failed entry kept", func(f *result.File) {
			f.Tests[0].Measurements = append(f.Tests[0].Measurements, result.Measurement{System: 1, Status: result.StatusFailed})
		}, nil, ``},
		{"standard error", func(f *result.File) { f.Tests[0].Measurements[0].StdError = "0.16" }, nil, `standard error "0.16"`},
		{"N", func(f *result.File) { f.Tests[0].Measurements[0].Samples = 4 }, nil, `N = 4`},
		{"no standard error", func(f *result.File) { f.Tests[0].Measurements[0].StdError = "" }, nil, `no standard error`},
		{"no standard error skipped", func(f *result.File) { f.Tests[0].Measurements[0].StdError = "" }, func(o *Options) { o.SkipMissingSE = true }, ``},
		{"wrong standard error not skipped", func(f *result.File) { f.Tests[0].Measurements[0].StdError = "0.16" }, func(o *Options) { o.SkipMissingSE = true }, `standard error "0.16"`},
		{"standard error of one run", func(f *result.File) { f.Tests[0].Measurements[1].StdError = "0.10" }, nil, `want none`},
		{"unassigned standard error", func(f *result.File) {
			f.Tests[0].Measurements[0].StdError = ""
			f.Tests[0].Unassigned = []result.Unassigned{{StdError: "0.15", Samples: 3}}
		}, nil, ``},
		{"ambiguous", func(f *result.File) {
			f.Tests[0].Measurements[0] = result.Measurement{Decode: result.DecodeAmbiguous, Alternatives: []string{"12.35"}}
		}, nil, `ambiguous ["12.35"]`},
		{"ambiguous skipped", func(f *result.File) {
			f.Tests[0].Measurements[0] = result.Measurement{Decode: result.DecodeAmbiguous, Alternatives: []string{"12.35"}}
		}, func(o *Options) { o.SkipAmbiguous = true }, ``},
		{"ambiguous with a value", func(f *result.File) {
			f.Tests[0].Measurements[0] = result.Measurement{Value: "12.35", Decode: result.DecodeAmbiguous}
		}, func(o *Options) { o.SkipAmbiguous = true }, `and yet a value`},
		{"no test", func(f *result.File) { f.Tests = nil }, nil, `test`},
		{"no test skipped", func(f *result.File) { f.Tests = nil }, func(o *Options) { o.SkipMissingTests = true }, ``},
		{"test twice", func(f *result.File) { f.Tests = append(f.Tests, f.Tests[0]) }, nil, `test`},
		{"order", func(f *result.File) {
			m := f.Tests[0].Measurements
			m[1], m[2] = m[2], m[1]
		}, func(o *Options) { o.Order = true }, `order`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, o := printed(), o
			test.change(got)
			if test.adapt != nil {
				test.adapt(&o)
			}
			lines := Diff(got, want, o)
			if test.name == "system lost" {
				// One line for the list, one for the value that lost its owner.
				if len(lines) != 3 {
					t.Errorf("got %q", lines)
				}
				return
			}
			if (len(lines) == 0) != (test.lines == "") {
				t.Errorf("got %q, want %q", lines, test.lines)
			}
			for _, line := range lines {
				if !strings.Contains(line, test.lines) {
					t.Errorf("got %q, want %q in it", line, test.lines)
				}
			}
		})
	}
}

func TestTally(t *testing.T) {
	want, err := ReadXML([]byte(smallXML))
	if err != nil {
		t.Fatal(err)
	}
	got := printed()
	got.Tests[0].Measurements = []result.Measurement{
		{System: 0, Value: "12.99"},
		{System: 0, Value: "13.00", Decode: result.DecodeInferred},
		{System: 1, Value: "1.00"},
	}
	var tally Tally
	Diff(got, want, Options{NumericValues: true, Tally: &tally})
	if want := (Tally{Inferred: 1, WrongExact: 1, Missing: 1, Unwanted: 1}); tally != want {
		t.Errorf("got  %v\nwant %v", tally, want)
	}
}

func TestSummaryOfSeries(t *testing.T) {
	series := func(m result.Measurement) *result.File {
		return &result.File{Systems: []result.System{{Identifier: "A"}}, Tests: []result.Test{{Title: "S", Measurements: []result.Measurement{m}}}}
	}
	want := series(result.Measurement{Value: "60.3,52.0,44.1"})
	for _, test := range []struct {
		m     result.Measurement
		right bool
	}{
		{result.Measurement{Min: "44.1", Value: "52.1", Max: "60.3"}, true},
		{result.Measurement{Min: "44", Value: "52", Max: "60"}, true},
		{result.Measurement{Value: "60.3,52.0,44.1"}, true},
		{result.Measurement{Min: "44.1", Value: "52.2", Max: "60.3"}, false},
		{result.Measurement{Value: "52.1"}, false},
	} {
		if lines := Diff(series(test.m), want, Options{NumericValues: true}); (len(lines) == 0) != test.right {
			t.Errorf("%+v: %q", test.m, lines)
		}
	}
}

func TestSharedEnv(t *testing.T) {
	dir := t.TempDir()
	t.Setenv(SharedEnv, dir)
	if err := os.WriteFile(filepath.Join(dir, "x.xml"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if got, want := Shared(t, "x.xml"), filepath.Join(dir, "x.xml"); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	skipped := false
	t.Run("absent", func(t *testing.T) {
		defer func() { skipped = t.Skipped() }()
		Shared(t, "no", "such")
	})
	if !skipped {
		t.Error("an absent path did not skip")
	}
}
