package terminal

import (
	"bytes"
	"strings"
	"testing"

	"github.com/benchproof/benchproof/internal/term"
	"github.com/benchproof/benchproof/result"
)

// FuzzView: whatever a record says, the view is text that acts upon nothing,
// with every value of the tests in it, and in ASCII has no letters of its own
// beside.
func FuzzView(f *testing.F) {
	f.Add("Disks", "HDD: EXT4", "SSD: XFS", "12.50", "9.31", "0.1", 80)
	f.Add("\x1b[2J", "\u202eA", "", "NaN", "-1", "1e308", 40)
	f.Add("title\nof two", "日本語日本語日本語日本語日本語日本語", "A", "0", "1e-320", "-5", 0)
	f.Add("t", "A", "A", "99999999999999999999", "0x10", "PASS", 1<<30)
	f.Fuzz(func(t *testing.T, title, a, b, one, two, spread string, width int) {
		file := &result.File{Title: title, Description: b, Source: a}
		file.AddSystem(a)
		file.AddSystem(b)
		result.SetGroups(file.Systems)
		file.Systems[0].Hardware = []result.Component{{Key: a, Value: title}, {Key: "Disk", Value: b}}
		file.Systems[1].Software = []result.Component{{Key: "OS", Value: spread}}
		for _, p := range []result.Proportion{result.HIB, result.LIB, ""} {
			file.Tests = append(file.Tests, result.Test{
				Title: title, Version: b, Arguments: a, Scale: spread, Proportion: p, Footnotes: []string{title},
				Measurements: []result.Measurement{
					{System: 0, Value: one, StdError: spread, Samples: 3, RawValues: []string{one, two}},
					{System: 1, Value: two, StdError: one, Decode: result.DecodeInferred},
					{System: 1, Status: result.StatusFailed, Reason: title},
					{System: 0, Decode: result.DecodeAmbiguous, Alternatives: []string{one, two}},
				},
			})
		}
		for _, o := range []Options{{Width: int(uint(width) % 300)}, {ASCII: true, Brief: true}, {Width: 60, Long: true}} {
			var out bytes.Buffer
			w := New(&out, o)
			if err := w.Write(file); err != nil {
				t.Fatal(err)
			}
			if err := w.Close(); err != nil {
				t.Fatal(err)
			}
			text := out.String()
			if strings.ContainsFunc(text, func(r rune) bool { return r != '\n' && result.Hidden(r) }) || strings.ToValidUTF8(text, "") != text {
				t.Errorf("%+v: %q", o, text)
			}
			squeezed := strings.Join(strings.Fields(text), "")
			for _, v := range []string{one, two} {
				if want := strings.Join(strings.Fields(term.Visible(v)), ""); len(want) < 20 && !strings.Contains(squeezed, want) {
					t.Errorf("%+v: the value %q is not shown:\n%s", o, v, text)
				}
			}
			plain := true
			for _, s := range []string{title, a, b, one, two, spread} {
				for _, r := range s {
					plain = plain && r < 0x80
				}
			}
			if o.ASCII && plain && strings.ContainsFunc(text, func(r rune) bool { return r >= 0x80 }) {
				t.Errorf("in ASCII: %q", text)
			}
		}
	})
}
