package export

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/benchproof/benchproof/analyze"
	"github.com/benchproof/benchproof/result"
)

func q(x float64) analyze.Quantity { return analyze.Quantity{X: x, Known: true} }

// TestRatioDigits: a ratio has two digits of half its interval, three of its own
// without one, and never less than two of its own.
func TestRatioDigits(t *testing.T) {
	unknown := analyze.Quantity{}
	for _, tt := range []struct {
		ratio, low, high analyze.Quantity
		want, interval   string
	}{
		{q(0.287288), q(0.24721), q(0.333863), "0.287", "0.247 to 0.334"},
		{q(3.25523), q(1.49578), q(7.08426), "3.3", "1.5 to 7.1"},
		{q(1.0010), q(0.99774), q(1.00427), "1.0010", "0.9977 to 1.0043"},
		{q(14.0414), unknown, unknown, "14.0", ""},
		{q(0.776523), unknown, unknown, "0.777", ""},
		{q(1), unknown, unknown, "1.00", ""},
		{q(1.2), q(0.001), q(1000), "1.2", "0.001 to 1000"},
		{q(0.37), q(0.00243), q(56.21), "0.37", "0.0024 to 56"},
		{q(1e-9), q(1e-10), q(1e-8), "0.000000001", "1e-10 to 0.00000001"},
		{q(12345678), unknown, unknown, "12300000", ""},
		{unknown, unknown, unknown, "", ""},
	} {
		iv := analyze.Range{Low: tt.low, High: tt.high}
		if got := ratioCell(tt.ratio, iv); got != tt.want {
			t.Errorf("%v in %v: %q, want %q", tt.ratio, iv, got, tt.want)
		}
		if got := intervalCell(iv); got != tt.interval {
			t.Errorf("interval %v: %q, want %q", iv, got, tt.interval)
		}
	}
}

func TestPCell(t *testing.T) {
	for want, p := range map[string]analyze.Quantity{
		"": {}, "<0.0001": q(0), "0.0001": q(0.0001), "0.0500": q(0.05), "1.0000": q(1),
	} {
		if got := pCell(p); got != want {
			t.Errorf("%v: %q, want %q", p, got, want)
		}
	}
}

// hostileFile has text of all kinds where names stand.
func hostileFile() *result.File {
	return &result.File{
		Source: "f", Title: "=1+1|\x1b[31m", Systems: []result.System{{Identifier: "=A|`"}, {Identifier: "\x1b[31mB\n"}},
		Tests: []result.Test{{
			Title: "<b>", Arguments: "-x, \"y\"", Scale: "MB/s", Proportion: result.HIB,
			Measurements: []result.Measurement{{System: 0, Value: "-5"}, {System: 1, Value: "7"}},
		}},
	}
}

// TestHostileNames: text of the source is no formula, no markup and no escape
// code in any form; figures keep their sign.
func TestHostileNames(t *testing.T) {
	set := analyze.NewSet([]*result.File{hostileFile()})
	c, err := analyze.Compare(set, analyze.CompareOptions{})
	if err != nil {
		t.Fatal(err)
	}
	r, err := analyze.Rank(set)
	if err != nil {
		t.Fatal(err)
	}
	outputs := map[string]string{}
	keep := func(name string, write func(*bytes.Buffer) error) {
		var b bytes.Buffer
		if err := write(&b); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		outputs[name] = b.String()
	}
	for _, form := range []string{"csv", "ndjson", "md", "txt"} {
		keep("compare "+form, func(b *bytes.Buffer) error { return WriteRows(b, form, CompareColumns, CompareRows(c)) })
		keep("rank "+form, func(b *bytes.Buffer) error { return WriteRows(b, form, RankColumns, RankRows(r)) })
	}
	keep("compare text", func(b *bytes.Buffer) error { return WriteCompareText(b, c, TextOptions{}) })
	keep("rank text", func(b *bytes.Buffer) error { return WriteRankText(b, r, TextOptions{}) })
	keep("compare json", func(b *bytes.Buffer) error { return WriteCompareJSON(b, c) })
	keep("rank json", func(b *bytes.Buffer) error { return WriteRankJSON(b, r) })
	for name, text := range outputs {
		if strings.Contains(text, "\x1b") && !strings.HasSuffix(name, "csv") {
			t.Errorf("%s has an escape code:\n%q", name, text)
		}
		if strings.Contains(text, "NaN") || strings.Contains(text, "Inf") {
			t.Errorf("%s has a number that is none:\n%s", name, text)
		}
		if strings.HasSuffix(name, "json") && !strings.HasSuffix(name, "ndjson") && !json.Valid([]byte(text)) {
			t.Errorf("%s is no JSON", name)
		}
	}
	if csv := outputs["compare csv"]; !strings.Contains(csv, "'=A|`") || !strings.Contains(csv, ",-5,7,") {
		t.Errorf("CSV:\n%s", csv)
	}
	if md := outputs["rank md"]; !strings.Contains(md, "&lt;b&gt;") || !strings.Contains(md, "\\|\\`") {
		t.Errorf("Markdown:\n%s", md)
	}
	if err := WriteRows(&bytes.Buffer{}, "pdf", RankColumns, RankRows(r)); err == nil {
		t.Error("a table as PDF")
	}
}
