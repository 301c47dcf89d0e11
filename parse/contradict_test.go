package parse

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/benchproof/benchproof/result"
)

// xmlOf makes a composite.xml of one value.
func xmlOf(format, value, runs string) string {
	return `<?xml version="1.0"?><PhoronixTestSuite><Generated><Title>T</Title></Generated><System><Identifier>A</Identifier></System><Result>` +
		`<Title>Stream</Title><Scale>MB/s</Scale><Proportion>HIB</Proportion><DisplayFormat>` + format + `</DisplayFormat><Data><Entry>` +
		`<Identifier>A</Identifier><Value>` + value + `</Value><RawString>` + runs + `</RawString></Entry></Data></Result></PhoronixTestSuite>`
}

func TestContradictions(t *testing.T) {
	const bars = "BAR_GRAPH"
	tests := []struct{ format, value, runs, want string }{
		{bars, "23.89", "23.79:24.12:23.77", "23.89 exact"},
		{bars, "23.89333", "23.79:24.12:23.77", "23.89333 exact"},
		{bars, "24", "23.79:24.12:23.77", "24 exact"},
		// A test may take the least or the greatest run.
		{bars, "24.12", "23.79:24.12:23.77", "24.12 exact"},
		{bars, "23.77", "23.79:24.12:23.77", "23.77 exact"},
		{bars, "2.5", "2.4:2.5", "2.5 exact"}, // 2.45, rounded up
		{bars, "5.00", "5", "5.00 exact"},
		{bars, "654321.12345", "654321.1:654321.2", "654321.12345 exact"},
		{bars, "654321.25", "654321.1:654321.2", "654321.25 inferred error raw-mismatch"},
		{bars, "5", "", "5 exact"},
		{bars, "5", "PASS:FAIL", "5 exact"},
		{"LINE_GRAPH", "1,2,9", "7", "1,2,9 exact"},
		{"PASS_FAIL", "PASS", "7", "PASS exact"},

		{bars, "93.89", "23.79:24.12:23.77", "93.89 inferred error raw-mismatch"},
		{bars, "23.98", "23.79:24.12:23.77", "23.98 inferred error raw-mismatch"},
		{bars, "00012", "23.79:24.12:23.77", "00012 inferred error raw-mismatch"},
		{bars, "inf", "23.79:24.12:23.77", "inf inferred error raw-mismatch"},
		{bars, "1.2.3", "23.79:24.12:23.77", "1.2.3 inferred error raw-mismatch"},
		{"", "5", "9:9:9", "5 inferred error raw-mismatch"},

		{bars, "&a9;", "", " ambiguous error damaged-value"},
		{bars, "1&foo;5", "", " ambiguous error damaged-value"},
		{bars, "5&#x0;", "", " ambiguous error damaged-value"},
		{bars, "5&#1114112;", "", " ambiguous error damaged-value"},
		{bars, "A &amp; B", "", "A & B exact"},

		{bars, "\u202e21", "", "\u202e21 inferred warning odd-character"},
		{bars, "2\t1", "", "2\t1 inferred warning odd-character"},
		{bars, "2\n1", "", "2\n1 inferred warning odd-character"},
		{bars, "2\u00a01", "", "2\u00a01 inferred warning odd-character"},
		{bars, "2\u200b1", "", "2\u200b1 inferred warning odd-character"},
		{bars, "2\u008f1", "", "2\u008f1 inferred warning odd-character"},
		{bars, "2 1", "", "2 1 exact"},
		{bars, "2ä1", "", "2ä1 exact"},
	}
	for _, test := range tests {
		files, err := readAll(t, xmlOf(test.format, test.value, test.runs), Options{})
		if err != nil || len(files) != 1 {
			t.Fatalf("%q: %d files, error %v", test.value, len(files), err)
		}
		m := files[0].Tests[0].Measurements[0]
		got := fmt.Sprintf("%s %s", m.Value, m.Decode)
		for _, d := range files[0].Diagnostics {
			switch d.Code {
			case "raw-mismatch", "damaged-value", "odd-character", "outside-range":
				got += fmt.Sprintf(" %s %s", d.Severity, d.Code)
				if d.Origin != m.Origin {
					t.Errorf("%q: at %v, the value at %v", test.value, d.Origin, m.Origin)
				}
			}
		}
		if got != test.want {
			t.Errorf("%q of %q: got %q, want %q", test.value, test.runs, got, test.want)
		}
		// What is written and read again says the same, and says it once.
		var record bytes.Buffer
		if err := result.EncodeJSON(&record, files); err != nil {
			t.Fatal(err)
		}
		again, err := readAll(t, record.String(), Options{})
		if err != nil || len(again) != 1 || len(again[0].Diagnostics) != len(files[0].Diagnostics) {
			t.Errorf("%q: read again %v, %v", test.value, again, err)
		}
	}
}

// A value of a bar graph that is no number is in no comparison: that is said.
// Lists and words of other graphs are no numbers by their nature.
func TestNotANumber(t *testing.T) {
	for _, c := range []struct {
		format, value string
		said          int
	}{
		{"BAR_GRAPH", "12.5", 0},
		{"BAR_GRAPH", "1.0e5", 0},
		{"BAR_GRAPH", "-0", 0},
		{"BAR_GRAPH", "", 0},
		{"BAR_GRAPH", "12.5 MB/s", 1},
		{"BAR_GRAPH", "1,234.5", 1},
		{"BAR_GRAPH", "nan", 1},
		{"BAR_GRAPH", "N/A", 1},
		{"BAR_GRAPH", "1e400", 1},
		{"LINE_GRAPH", "1,2,3", 0},
		{"PASS_FAIL", "PASS", 0},
		{"", "PASS", 0},
	} {
		files, err := readAll(t, xmlOf(c.format, c.value, ""), Options{})
		if err != nil || len(files) != 1 {
			t.Fatal(len(files), err)
		}
		m, n := files[0].Tests[0].Measurements[0], 0
		for _, d := range files[0].Diagnostics {
			if d.Code == "not-a-number" && d.Severity == result.SeverityWarning && d.Origin == m.Origin {
				n++
			}
		}
		if m.Value != c.value || m.Decode != result.DecodeExact || n != c.said {
			t.Errorf("%s %q: value %q, %s, said %d times, want %d", c.format, c.value, m.Value, m.Decode, n, c.said)
		}
	}
}

func TestOutsideRange(t *testing.T) {
	for row, want := range map[string]string{
		"MIN: 40.9  AVG: 55.2  MAX: 69.8": "exact",
		"MIN: 0  AVG: 0.4  MAX: 0":        "exact", // all rounded
		"MIN: 40.9  AVG: 5.2   MAX: 69.8": "inferred error",
		"MIN: 40.9  AVG: 552   MAX: 69.8": "inferred error",
	} {
		text := "T\n\n\nA: \n\n\tProcessor: P, Disk: D\n\n\tOS: Linux, File-System: ext4\n\n\nCPU Temperature Monitor\nPhoronix Test Suite System Monitoring\nCelsius < Lower Is Better\nA . " + row + " \n\n"
		files, err := readAll(t, text, Options{})
		if err != nil || len(files) != 1 {
			t.Fatalf("%s: %d files, error %v", row, len(files), err)
		}
		got := files[0].Tests[0].Measurements[0].Decode.String()
		for _, d := range files[0].Diagnostics {
			if d.Code == "outside-range" {
				got += " " + string(d.Severity)
			}
		}
		if got != want {
			t.Errorf("%s: got %s, want %s", row, got, want)
		}
	}
}

// What is ambiguous has no value, whichever reader made it.
func TestAmbiguousHasNoValue(t *testing.T) {
	x := result.Test{Measurements: []result.Measurement{{Value: "5", Decode: result.DecodeAmbiguous, Alternatives: []string{"6"}}}}
	var found findings
	contradictions(&x, &found)
	if m := x.Measurements[0]; m.Value != "" || fmt.Sprint(m.Alternatives) != "[6 5]" || len(found.list()) > 0 {
		t.Errorf("got %+v, %v", m, found.list())
	}
}

// A file with no end of contradictions lists some and counts the rest.
func TestManyContradictions(t *testing.T) {
	one := xmlOf("BAR_GRAPH", "5", "9:9")
	i, j := strings.Index(one, "<Result>"), strings.Index(one, "</PhoronixTestSuite>")
	const n = 3 * mostFindings
	files, err := readAll(t, one[:i]+strings.Repeat(one[i:j], n)+one[j:], Options{})
	if err != nil {
		t.Fatal(err)
	}
	got, last := 0, ""
	for _, d := range files[0].Diagnostics {
		if d.Code == "raw-mismatch" {
			got++
			last = d.Message
		}
	}
	if want := fmt.Sprintf("%d more", n-mostFindings); got != mostFindings+1 || !strings.HasPrefix(last, want) {
		t.Errorf("%d diagnostics, the last %q", got, last)
	}
}
