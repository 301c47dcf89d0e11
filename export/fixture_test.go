package export

import (
	"strings"
	"testing"

	"github.com/benchproof/benchproof/result"
)

// small is a file with every kind of measurement that an output must tell
// apart: with and without standard error and runs, negative, failed,
// ambiguous, inferred, a list, missing, doubled, of twin systems.
func small() *result.File {
	return &result.File{
		Title: "Small", Description: "two lines\nof text", Source: "small.txt", Format: result.FormatText,
		Systems: []result.System{
			{
				Identifier: "HDD: EXT4", GroupPath: []string{"HDD", "EXT4"},
				Hardware: []result.Component{{Key: "Disk", Value: "500GB Foo, Inc"}, {Key: "Memory", Value: "16GB"}},
				Software: []result.Component{{Key: "File-System", Value: "ext4"}},
				Notes:    []result.Component{{Key: "Disk", Value: "relatime,rw"}},
			},
			{
				Identifier: "HDD: XFS", GroupPath: []string{"HDD", "XFS"},
				Hardware:      []result.Component{{Key: "Disk", Value: "500GB Foo, Inc"}, {Key: "Memory", Value: "16GB"}},
				Software:      []result.Component{{Key: "File-System", Value: "xfs"}},
				InheritedKeys: []string{"Disk"},
			},
			{Identifier: "HDD: XFS", GroupPath: []string{"HDD", "XFS"}},
		},
		Tests: []result.Test{
			{
				Profile: "pts/fs-mark-1.0.2", Title: "FS-Mark", Version: "3.3", Arguments: "Test: 1000 Files, 1MB Size",
				Options: []result.Option{{Key: "Test", Value: "1000 Files, 1MB Size"}},
				Scale:   "Files/s", Proportion: result.HIB, Footnotes: []string{"gcc -O2"},
				Measurements: []result.Measurement{
					{Value: "698.00", StdError: "0.41", Samples: 9, Origin: result.Origin{Source: "small.txt", Line: 7, Column: 3}},
					{System: 1, Value: "-5", RawValues: []string{"-4", "-6"}},
					{System: 2, Status: result.StatusFailed, Reason: "did not produce a result"},
				},
			},
			{
				Title: "Sensor", Scale: "Celsius", Proportion: result.LIB,
				Measurements: []result.Measurement{
					{System: 1, Value: "1,2,3"},
					{System: 0, Value: "0.50", Decode: result.DecodeInferred},
					{System: 1, Value: "7"},
				},
			},
			{
				Title: "Unsure", Scale: "s",
				Measurements: []result.Measurement{
					{System: 0, Decode: result.DecodeAmbiguous, Alternatives: []string{"1.2", "12"}},
				},
			},
			{Title: "Empty"},
		},
		Diagnostics: []result.Diagnostic{
			{Severity: result.SeverityWarning, Origin: result.Origin{Source: "small.txt", Line: 3, Column: 1}, Code: "twin", Message: "HDD: XFS twice"},
			{Severity: result.SeverityInfo, Code: "note", Message: "no place"},
		},
	}
}

// hostile strings that a published file may hold.
var hostile = []string{
	"=1+1", "+1", "-1+1", "@SUM(A1)", "\t=1+1", "\r=1+1",
	"\x1b[31mred\x1b[0m", "\u009b31m", "bell\a", "nul\x00in", "del\x7f",
	"</script><script>alert(1)</script>", "<b>bold</b> & <i>",
	"a,b", `say "hi"`, "line\nbreak", "crlf\r\nbreak", "a;b", "a|b", "a\tb",
	"\u202egnp.exe", "\ufeffbom", "日本語", "e\u0301", "*b* _i_ `c` [l](u) ~s~ $m$",
	"# head", "- item", "1. item", "' quoted", "", " ", "\\", "_x000D_",
}

// nasty is a file with each hostile string in every place that has text.
func nasty() *result.File {
	f := &result.File{Title: "</script>", Description: "=1+1\n# head", Source: "=evil.txt"}
	for i, s := range hostile {
		f.Systems = append(f.Systems, result.System{
			Identifier: s + "·", Hardware: []result.Component{{Key: s, Value: s}}, Notes: []result.Component{{Key: s, Value: s}},
		})
		f.Tests = append(f.Tests, result.Test{
			Profile: s, Title: s, Version: s, Arguments: s, Scale: s, Options: result.ParseOptions(s), Footnotes: []string{s},
			Measurements: []result.Measurement{
				{System: i, Value: "1.50", RawValues: []string{"1", "2"}},
				{System: 0, Value: s},
				{System: i, Status: result.StatusFailed, Reason: s},
				{System: i, Decode: result.DecodeAmbiguous, Alternatives: []string{s, "2"}},
			},
		})
		f.Diagnostics = append(f.Diagnostics, result.Diagnostic{Severity: result.SeverityWarning, Code: s, Message: s})
	}
	return f
}

// write returns what a writer makes of files.
func write(t *testing.T, open func(*strings.Builder) Writer, files ...*result.File) string {
	t.Helper()
	var b strings.Builder
	w := open(&b)
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
