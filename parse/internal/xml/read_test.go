package xml

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/benchproof/benchproof/parse/internal/source"
	"github.com/benchproof/benchproof/result"
)

const modern = `<?xml version="1.0"?>
<!--Phoronix Test Suite v10.8.6-->
<PhoronixTestSuite>
  <Generated>
    <Title>Disks &amp; more</Title>
    <LastModified>2025-01-31 00:02:48</LastModified>
    <TestClient>Phoronix Test Suite v10.8.6</TestClient>
    <Description>Two disks.</Description>
    <Notes>a note</Notes>
    <InternalTags>x,y</InternalTags>
    <ReferenceID>1901281-SP-F2FSBENCH59</ReferenceID>
    <PreSetEnvironmentVariables>MONITOR=cpu.usage</PreSetEnvironmentVariables>
  </Generated>
  <System>
    <Identifier>HDD: EXT4</Identifier>
    <Hardware>Processor: AMD @ 3.50GHz (2 Cores), Disk: 2 x 480GB, RAID0: fast + 1TB, Memory: 8GB</Hardware>
    <Software>OS: Debian 12, Kernel: 6.1 (x86_64), File-System: ext4</Software>
    <User>root</User>
    <TimeStamp>2025-01-30 13:21:52</TimeStamp>
    <TestClientVersion>10.8.6</TestClientVersion>
    <Notes>quiet room</Notes>
    <JSON>{"disk-scheduler":"MQ-DEADLINE","disk-mount-options":"relatime,rw","cpu-scaling-governor":"acpi-cpufreq ondemand","python":"Python 3.9.2","security":"a: b + c \/ d","compiler-configuration":"--with-x"}</JSON>
  </System>
  <System><Identifier>SSD: XFS</Identifier></System>
  <Result>
    <Identifier>pts/fio-1.11.2</Identifier>
    <Title>Flexible IO Tester</Title>
    <AppVersion>3.1</AppVersion>
    <Arguments>randread libaio</Arguments>
    <Description>Type: Random Read - Block Size: 4KB - Direct</Description>
    <Scale>MB/s</Scale>
    <Proportion>HIB</Proportion>
    <DisplayFormat>BAR_GRAPH</DisplayFormat>
    <Annotation>on battery</Annotation>
    <Parent>574605b3c1e5c7738ce985e400a9f87823af489d</Parent>
    <Data>
      <Entry>
        <Identifier>HDD: EXT4</Identifier>
        <Value>12.50</Value>
        <RawString>12.4:12.5:12.6</RawString>
        <JSON>{"compiler-options":{"compiler-type":"CC","compiler":"gcc","compiler-options":"-O3"},"install-footnote":"ruby 2.5","min-result":2.10,"max-result":"20.5","test-run-times":"4.39:2.22"}</JSON>
      </Entry>
      <Entry>
        <Identifier>SSD: XFS</Identifier>
        <Value></Value>
        <RawString></RawString>
        <JSON>{"error":"disk \"full\""}</JSON>
      </Entry>
    </Data>
  </Result>
</PhoronixTestSuite>
`

func TestReadPresentSchema(t *testing.T) {
	got := readOne(t, modern)
	want := &result.File{
		Title: "Disks & more", Description: "Two disks.", Source: "t.xml",
		Generator: "Phoronix Test Suite v10.8.6", Format: result.FormatXML,
		LastModified: "2025-01-31 00:02:48", Notes: "a note", InternalTags: "x,y",
		ReferenceID: "1901281-SP-F2FSBENCH59", Environment: "MONITOR=cpu.usage",
		Systems: []result.System{
			{
				Identifier: "HDD: EXT4", GroupPath: []string{"HDD", "EXT4"},
				Hardware: []result.Component{{Key: "Processor", Value: "AMD @ 3.50GHz (2 Cores)"}, {Key: "Disk", Value: "2 x 480GB, RAID0: fast + 1TB"}, {Key: "Memory", Value: "8GB"}},
				Software: []result.Component{{Key: "OS", Value: "Debian 12"}, {Key: "Kernel", Value: "6.1 (x86_64)"}, {Key: "File-System", Value: "ext4"}},
				Notes: []result.Component{
					{Key: "Compiler", Value: "--with-x"},
					{Key: "Disk", Value: "MQ-DEADLINE / relatime,rw"},
					{Key: "Processor", Value: "Scaling Governor: acpi-cpufreq ondemand"},
					{Key: "Python", Value: "Python 3.9.2"},
					{Key: "Security", Value: "a: b + c / d"},
				},
				User: "root", Timestamp: "2025-01-30 13:21:52", ClientVersion: "10.8.6", NotesText: "quiet room",
				Details: []byte(`{"disk-scheduler":"MQ-DEADLINE","disk-mount-options":"relatime,rw","cpu-scaling-governor":"acpi-cpufreq ondemand","python":"Python 3.9.2","security":"a: b + c \/ d","compiler-configuration":"--with-x"}`),
				Origin:  result.Origin{Source: "t.xml", Column: 3, Rule: "xml/system"},
			},
			{
				Identifier: "SSD: XFS", GroupPath: []string{"SSD", "XFS"},
				Origin: result.Origin{Source: "t.xml", Column: 3, Rule: "xml/system"},
			},
		},
		Tests: []result.Test{{
			Profile: "pts/fio-1.11.2", Title: "Flexible IO Tester", Version: "3.1",
			Arguments: "Type: Random Read - Block Size: 4KB - Direct", CommandArguments: "randread libaio",
			Options: []result.Option{{Key: "Type", Value: "Random Read"}, {Key: "Block Size", Value: "4KB"}, {Value: "Direct"}},
			Scale:   "MB/s", Proportion: result.HIB, DisplayFormat: "BAR_GRAPH",
			Footnotes: []string{"(CC) gcc options: -O3", "ruby 2.5"},
			Parent:    "574605b3c1e5c7738ce985e400a9f87823af489d", Annotation: "on battery",
			Measurements: []result.Measurement{
				{
					System: 0, Value: "12.50", StdError: "0.057735", StdErrorDerived: true, Samples: 3,
					RawValues: []string{"12.4", "12.5", "12.6"}, Min: "2.10", Max: "20.5", RunTimes: []string{"4.39", "2.22"},
					Details: []byte(`{"compiler-options":{"compiler-type":"CC","compiler":"gcc","compiler-options":"-O3"},"install-footnote":"ruby 2.5","min-result":2.10,"max-result":"20.5","test-run-times":"4.39:2.22"}`),
					Origin:  result.Origin{Source: "t.xml", Column: 16, Rule: "xml/value"},
				},
				{
					System: 1, Status: result.StatusFailed, Reason: `disk "full"`,
					Details: []byte(`{"error":"disk \"full\""}`),
					Origin:  result.Origin{Source: "t.xml", Column: 16, Rule: "xml/value"},
				},
			},
			Origin: result.Origin{Source: "t.xml", Column: 3, Rule: "xml/result"},
		}},
		Diagnostics: []result.Diagnostic{{
			Severity: result.SeverityInfo, Origin: result.Origin{Source: "t.xml", Column: 3, Rule: "xml/system"}, Code: "unknown-component",
			Message: `"RAID0:" is no known component; kept in the value before it`,
		}},
	}
	// Lines and offsets are those of the text in the document.
	for _, place := range []struct {
		at   *result.Origin
		text string
	}{
		{&want.Systems[0].Origin, "<System>\n"},
		{&want.Diagnostics[0].Origin, "<System>\n"},
		{&want.Systems[1].Origin, "<System><I"},
		{&want.Tests[0].Origin, "<Result>"},
		{&want.Tests[0].Measurements[0].Origin, "12.50<"},
		{&want.Tests[0].Measurements[1].Origin, "</Value>\n        <RawString></"},
	} {
		place.at.Offset = strings.Index(modern, place.text)
		place.at.Line = 1 + strings.Count(modern[:place.at.Offset], "\n")
	}
	if d := cmp.Diff(want, got, cmpopts.EquateEmpty()); d != "" {
		t.Error(d)
	}
}

// PTS 0.1 to 2.6: the results come first, then the systems, then the title.
const old = `<?xml version="1.0"?>
<!-- Generated: 2008-04-02 14:57:35 -->
<PhoronixTestSuite>
	<Benchmark>
		<Name>Ogg Encoding</Name>
		<Version>1.2.0</Version>
		<ProfileVersion>1.1</ProfileVersion>
		<Attributes>WAV to Ogg</Attributes>
		<Scale>Seconds</Scale>
		<Proportion>LIB</Proportion>
		<ResultFormat>BAR_GRAPH</ResultFormat>
		<TestName>encode-ogg</TestName>
		<TestArguments>-q</TestArguments>
		<Results>
			<Group>
				<Entry><Identifier>Test 1, fast</Identifier><Value>8.90</Value><RawString>8.8:9.0</RawString></Entry>
				<Entry><Identifier>Test 2</Identifier><Value>9.10</Value></Entry>
				<Entry><Identifier>Test 3</Identifier><Value>9.30</Value></Entry>
			</Group>
		</Results>
	</Benchmark>
	<System>
		<Hardware>Processor: Intel Core2 Duo CPU     T9300 (Total Cores: 2), Motherboard Chipset: Intel, System Memory: 1982MB </Hardware>
		<Software>OS: Ubuntu 8.04, X.Org Server: 1.4.0.90 </Software>
		<Author>michael</Author>
		<TestDate>April 2, 2008 02:57 PM</TestDate>
		<TestNotes> </TestNotes>
		<Version>0.1.0</Version>
		<AssociatedIdentifiers>Test 1, fast, Test 2</AssociatedIdentifiers>
	</System>
	<Suite>
		<Title>New Test</Title>
		<Name>encode-ogg</Name>
		<Description>How long it takes.</Description>
		<Maintainer>Someone</Maintainer>
	</Suite>
</PhoronixTestSuite>
`

func TestReadOldSchema(t *testing.T) {
	f := readOne(t, old)
	test := &f.Tests[0]
	got := fmt.Sprint([]string{
		f.Title, f.Description, f.LastModified, test.Title, test.Version, test.Profile, test.Arguments, test.CommandArguments,
		test.Scale, string(test.Proportion), test.DisplayFormat,
	})
	want := "[New Test How long it takes. 2008-04-02 14:57:35 Ogg Encoding 1.2.0 encode-ogg-1.1 WAV to Ogg -q Seconds LIB BAR_GRAPH]"
	if got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if got, want := cells(f), "Test 1, fast=8.90 Test 2=9.10 Test 3=9.30"; got != want {
		t.Errorf("cells %s, want %s", got, want)
	}
	// One System element describes the first two, in spite of the comma in a
	// name; none describes the third.
	for i, want := range []int{3, 3, 0} {
		if got := len(f.Systems[i].Hardware); got != want {
			t.Errorf("system %d has %d components, want %d", i, got, want)
		}
	}
	if s := f.Systems[1]; s.User != "michael" || s.Timestamp != "April 2, 2008 02:57 PM" || s.ClientVersion != "0.1.0" || s.NotesText != "" {
		t.Errorf("system %+v", s)
	}
	if got, want := codes(f), "info/unkept-element info/unkept-element info/system-missing"; got != want {
		t.Errorf("diagnostics %s, want %s", got, want)
	}
	if m := test.Measurements[0]; m.StdError != "0.1" || m.Samples != 2 {
		t.Errorf("standard error %q of %d", m.StdError, m.Samples)
	}
}

// doc wraps sections in a result file.
func doc(sections string) string {
	return "<PhoronixTestSuite><Generated><Title>t</Title></Generated>" + sections + "</PhoronixTestSuite>"
}

// res is a Result with entries, each "identifier=value".
func res(title string, entries ...string) string {
	var b strings.Builder
	b.WriteString("<Result><Title>" + title + "</Title><Data>")
	for _, e := range entries {
		id, value, _ := strings.Cut(e, "=")
		b.WriteString("<Entry><Identifier>" + id + "</Identifier><Value>" + value + "</Value></Entry>")
	}
	return b.String() + "</Data></Result>"
}

func sys(id, hardware string) string {
	return "<System><Identifier>" + id + "</Identifier><Hardware>Processor: " + hardware + "</Hardware></System>"
}

func TestStructure(t *testing.T) {
	for _, test := range []struct{ name, in, cells, codes string }{
		{
			name: "fragment without a head", in: "<PhoronixTestSuite>" + res("a", "A=1") + "</PhoronixTestSuite>",
			cells: "A=1", codes: "info/system-missing",
		},
		{name: "a bare result", in: res("a", "A=1") + res("b", "A=2"), cells: "A=1 | A=2", codes: "info/system-missing"},
		{
			name: "lines before the file", in: "Notice: no network\n" + doc(sys("A", "x")+res("a", "A=1")),
			cells: "A=1", codes: "info/stray-text",
		},
		{name: "text behind the file", in: doc(sys("A", "x")+res("a", "A=1")) + "\nbye", cells: "A=1", codes: "warning/stray-text"},
		{name: "systems behind the results", in: doc(res("a", "B=1", "A=2") + sys("A", "x") + sys("B", "y")), cells: "B=1 A=2"},
		{
			name: "head in the middle", in: "<PhoronixTestSuite>" + res("a", "A=1") + "<Generated><Title>t</Title></Generated>" + sys("A", "x") + res("b", "A=2") + "</PhoronixTestSuite>",
			cells: "A=1 | A=2",
		},
		{
			name: "three entries of one name", in: doc(sys("A", "x") + res("a", "A=1", "A=2", "A=3") + res("b", "A=4")),
			cells: "A=1 A #2=2 A #3=3 | A=4", codes: "warning/duplicate-entry",
		},
		{
			name: "two systems of one name and an entry each", in: doc(sys("A", "x") + sys("A", "y") + res("a", "A=1", "A=2")),
			cells: "A=1~ A #2=2~", codes: "warning/duplicate-system",
		},
		{
			name: "two systems of one name behind the results", in: doc(res("a", "A=1", "A=2") + sys("A", "x") + sys("A", "y")),
			cells: "A=1~ A #2=2~", codes: "warning/duplicate-entry warning/duplicate-system",
		},
		{
			name: "two systems that are the same", in: doc(sys("A", "x") + sys("A", "x") + res("a", "A=1", "A=2")),
			cells: "A=1 A #2=2", codes: "warning/duplicate-system",
		},
		{
			name: "names that differ by a space", in: doc(sys("A", "x") + sys("a", "x") + res("a", "A=1", "a=2", "A b=3")),
			cells: "A=1 a=2 A b=3", codes: "info/system-missing",
		},
		{
			name: "no identifier", in: doc(sys("", "x") + res("a", "=1", "B=2")), cells: "=1 B=2",
			codes: "warning/empty-identifier warning/empty-identifier info/system-missing",
		},
		{
			name: "neither value nor error", in: doc(sys("A", "x") + res("a", "A=")), cells: "A=!" + noReason,
		},
		{
			name: "no value at all", in: doc(sys("A", "x") + "<Result><Data><Entry><Identifier>A</Identifier><RawString>1:2</RawString></Entry></Data></Result>"),
			cells: "A=!" + noReasonRuns,
		},
		{
			name: "a value and an error", in: doc(sys("A", "x") + `<Result><Data><Entry><Identifier>A</Identifier><Value>1</Value><JSON>{"error":"e"}</JSON></Entry></Data></Result>`),
			cells: "A=1", codes: "warning/value-with-error",
		},
		{
			name: "two values that differ", in: doc(sys("A", "x") + "<Result><Data><Entry><Identifier>A</Identifier><Value>1</Value><Value>2</Value></Entry></Data></Result>"),
			cells: `A=?["1" "2"]`, codes: "warning/repeated-element",
		},
		{
			name: "markup in a value", in: doc(sys("A", "x") + "<Result><Data><Entry><Identifier>A</Identifier><Value>1<b>2</b></Value></Entry></Data></Result>"),
			cells: `A=?["12"]`, codes: "warning/nested-element",
		},
		{
			name: "a value in pieces", in: doc(sys("A", "x") + "<Result><Data><Entry><Identifier>A</Identifier><Value> 1<![CDATA[2]]>.<!-- -->5\n</Value></Entry></Data></Result>"),
			cells: "A=12.5",
		},
		{
			name: "unknown elements and attributes", in: doc(`<Weather>wet</Weather>` + sys("A", "x") + `<Result kind="x"><Colour>red</Colour><Title a="b">t</Title><Data><Entry><Identifier>A</Identifier><Value>1</Value><Mood/></Entry></Data></Result>`),
			cells: "A=1", codes: "info/unknown-element info/unknown-attribute info/unkept-element info/unknown-attribute",
		},
		{
			name: "stray ampersand and HTML entity", in: doc(sys("R&D &eacute;", "x") + res("a", "R&D &eacute;=1")),
			cells: "R&D é=1", codes: "warning/stray-ampersand info/html-entity warning/stray-ampersand info/html-entity",
		},
		{
			name: "broken JSON", in: doc(sys("A", "x") + `<Result><Data><Entry><Identifier>A</Identifier><Value>1</Value><JSON>{"error":"e",}</JSON></Entry></Data></Result>`),
			cells: "A=1", codes: "warning/bad-json warning/value-with-error",
		},
		{
			name: "PTS's empty JSON", in: doc(sys("A", "x") + `<Result><Data><Entry><Identifier>A</Identifier><Value>1</Value><JSON>[]</JSON></Entry></Data></Result>`),
			cells: "A=1",
		},
		{
			name: "an empty run", in: doc(sys("A", "x") + `<Result><Data><Entry><Identifier>A</Identifier><Value>1</Value><RawString>1::3</RawString></Entry></Data></Result>`),
			cells: "A=1", codes: "warning/empty-run",
		},
		{
			name: "an unknown component", in: doc(sys("A", "x, Sidecar: 2, Disk: y")), codes: "info/unknown-component",
		},
		{
			name: "a proportion of another kind", in: doc(sys("A", "x") + `<Result><Proportion>ABSTRACT</Proportion></Result>`), codes: "info/unknown-proportion",
		},
		{name: "no results", in: doc("")},
	} {
		t.Run(test.name, func(t *testing.T) {
			f := readOne(t, test.in)
			if got := cells(f); got != test.cells {
				t.Errorf("cells\n got %s\nwant %s", got, test.cells)
			}
			if got := codes(f); got != test.codes {
				t.Errorf("diagnostics\n got %s\nwant %s", got, test.codes)
			}
			for _, d := range f.Diagnostics {
				if d.Origin.Line == 0 || d.Message == "" {
					t.Errorf("diagnostic without place or message: %+v", d)
				}
			}
		})
	}
}

// Of a system behind its entries, the second of them too gets the components.
func TestLateSystemFillsDuplicates(t *testing.T) {
	f := readOne(t, doc(res("a", "A=1", "A=2")+sys("A", "x")))
	for i := range f.Systems {
		if len(f.Systems[i].Hardware) != 1 {
			t.Errorf("system %d: %+v", i, f.Systems[i])
		}
	}
}

func TestSeveralFiles(t *testing.T) {
	one := "<?xml version=\"1.0\"?>\n" + doc(sys("A", "x")+res("a", "A=1"))
	for _, test := range []struct{ name, in, cells, codes string }{
		{"end to end", one + "\n" + one, "A=1 ; A=1", " ; "},
		{"the first unclosed", strings.TrimSuffix(one, "</PhoronixTestSuite>") + doc(res("b", "B=2")), "A=1 ; B=2", "error/malformed ; info/system-missing"},
		{"the first cut in a value", doc(sys("A", "x") + res("a", "A=1", "B=2"))[:205] + one, " ; A=1", "error/malformed error/malformed ; "},
		{"the first cut in an entry", doc(sys("A", "x") + res("a", "A=1", "B=2"))[:220] + one, "A=1 ; A=1", "error/malformed error/malformed ; "},
		{"the second cut", one + doc(sys("B", "y") + res("b", "B=2"))[:150], "A=1 ; ", " ; error/truncated"},
		{"a bare one behind", one + res("b", "B=2"), "A=1 ; B=2", " ; info/system-missing"},
	} {
		t.Run(test.name, func(t *testing.T) {
			files, err := readAll(test.in)
			if err != nil || len(files) != 2 {
				t.Fatalf("%d files, %v", len(files), err)
			}
			if got := cells(files[0]) + " ; " + cells(files[1]); got != test.cells {
				t.Errorf("cells %s, want %s", got, test.cells)
			}
			if got := codes(files[0]) + " ; " + codes(files[1]); got != test.codes {
				t.Errorf("diagnostics %s, want %s", got, test.codes)
			}
		})
	}
}

func TestNoResultFile(t *testing.T) {
	for _, test := range []struct{ name, in, want string }{
		{"nothing", "", "t.xml:1:1: found no element, expected the element PhoronixTestSuite"},
		{"text", "hello", "t.xml:1:1: found no element, expected the element PhoronixTestSuite"},
		{"another root", "<?xml version='1.0'?>\n<html></html>", "t.xml:2:1: found the element <html>, expected the element PhoronixTestSuite"},
		{"an empty root", "<PhoronixTestSuite></PhoronixTestSuite>", "t.xml:1:1: found an empty PhoronixTestSuite, expected a result file (Generated, System, Result)"},
		{
			"a test profile", "<PhoronixTestSuite>\n <TestInformation><Title>fio</Title></TestInformation></PhoronixTestSuite>",
			"t.xml:2:2: found the definition of a test profile (the element <TestInformation>), expected a result file (Generated, System, Result)",
		},
		{
			"a suite", "<PhoronixTestSuite><SuiteInformation/><Execute/></PhoronixTestSuite>",
			"t.xml:1:20: found the definition of a test suite (the element <SuiteInformation>), expected a result file (Generated, System, Result)",
		},
		{"another kind", "<PhoronixTestSuite><Menu/></PhoronixTestSuite>", "t.xml:1:20: found the element <Menu>, expected a result file (Generated, System, Result)"},
		{"cut in the head", "<PhoronixTestSuite><Gener", "t.xml:1:26: found the end of the input, expected the end of a start tag"},
	} {
		t.Run(test.name, func(t *testing.T) {
			files, err := readAll(test.in)
			var syntax *source.SyntaxError
			if !errors.As(err, &syntax) || err.Error() != test.want {
				t.Errorf("%d files, error %v, want %s", len(files), err, test.want)
			}
		})
	}
}

func TestSniff(t *testing.T) {
	for _, test := range []struct {
		name, in string
		want     bool
	}{
		{"present", modern, true},
		{"old", old, true},
		{"byte order mark", "\ufeff" + modern, true},
		{"a definition", "<PhoronixTestSuite><TestInformation/></PhoronixTestSuite>", true},
		{"an empty root", "<PhoronixTestSuite/>", true},
		{"lines before", "Notice\n\n<PhoronixTestSuite>", true},
		{"a bare result", "<!-- x --><Result>\n<Identifier>pts/x</Identifier>", true},
		{"a bare System of another kind", "<System><Name>x</Name></System>", false},
		{"a longer name", "<PhoronixTestSuites>", false},
		{"a page about it", "<!DOCTYPE html><html><pre><PhoronixTestSuite></pre>", false},
		{"text about it", "the root is PhoronixTestSuite", false},
		{"an open comment", "<!-- <Result>", false},
		{"nothing", "", false},
		{"a part with words before it", "From an issue, cut:\n\n<Result>\n<Identifier>pts/x-1.0.0</Identifier>", true},
		{"words in a line before it", "From an issue: <Result>\n<Identifier>pts/x-1.0.0</Identifier>", false},
		{"a text export", "Set\n\nA:\n\nX 1\nSeconds < Lower Is Better\n<Result><Identifier>", false},
	} {
		if got := Sniff(test.in); got != test.want {
			t.Errorf("%s: Sniff = %v", test.name, got)
		}
	}
}
