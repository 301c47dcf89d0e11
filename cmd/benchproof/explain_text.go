package main

import (
	"bufio"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/benchproof/benchproof/export"
	"github.com/benchproof/benchproof/internal/term"
	"github.com/benchproof/benchproof/result"
)

// excerpt is a piece of one line of a source with a value in it.
type excerpt struct {
	Before string `json:"before"`
	Value  string `json:"value"`
	After  string `json:"after"`
}

// excerptAt returns the text around a value that stands at an offset, up to
// reach bytes of its line on either side, and nil where the value is not what
// the text holds there.
func excerptAt(text string, offset int, value string, reach int) *excerpt {
	if offset < 0 || offset >= len(text) || !strings.HasPrefix(text[offset:], value) {
		return nil
	}
	start := max(offset-reach, 0)
	if i := strings.LastIndexByte(text[start:offset], '\n'); i >= 0 {
		start += i + 1
	}
	for start < offset && !utf8.RuneStart(text[start]) {
		start++
	}
	end := min(offset+len(value)+reach, len(text))
	if i := strings.IndexByte(text[offset+len(value):end], '\n'); i >= 0 {
		end = offset + len(value) + i
	}
	for end > offset+len(value) && end < len(text) && !utf8.RuneStart(text[end]) {
		end--
	}
	return &excerpt{text[start:offset], value, text[offset+len(value) : end]}
}

// lines returns the excerpt as two lines, the second with marks below the
// value, or below its first letter where the value's extent is not known.
func (x *excerpt) lines(indent int) (string, string) {
	before, value := term.Visible(x.Before), term.Visible(x.Value)
	space := strings.Repeat(" ", indent)
	marks := strings.Repeat("^", max(term.Width(value), 1))
	return space + before + value + term.Visible(x.After), space + strings.Repeat(" ", term.Width(before)) + marks
}

// explainText writes explanations for people.
type explainText struct{ x *explainer }

func (t *explainText) Write(f *result.File) error {
	w := bufio.NewWriter(t.x.w)
	t.x.file = t.x.text()
	names := f.SystemNames()
	for i := range f.Tests {
		test := &f.Tests[i]
		head := strings.TrimSpace(test.Title + " " + test.Version)
		fmt.Fprintf(w, "%s%s\n", term.Visible(head), export.Mark(test.HeadDecode))
		for _, l := range []string{test.Arguments, test.Scale} {
			if l != "" {
				fmt.Fprintf(w, "%s\n", term.Visible(l))
			}
		}
		if test.HeadDecode != result.DecodeExact {
			fmt.Fprintf(w, "(how title, version, arguments and scale divide is %s)\n", test.HeadDecode)
		}
		for j := range test.Measurements {
			m := &test.Measurements[j]
			t.measurement(w, t.x.explain(f, test, m, names[m.System]), m)
		}
		fmt.Fprintln(w)
	}
	return w.Flush()
}

func (t *explainText) measurement(w *bufio.Writer, e explanation, m *result.Measurement) {
	fmt.Fprintf(w, "  %s\n", term.Visible(e.System))
	row := func(name, format string, args ...any) {
		fmt.Fprintf(w, "    %-8s %s\n", name, term.Visible(fmt.Sprintf(format, args...)))
	}
	switch {
	case m.Status == result.StatusFailed:
		row("value", "none: failed")
		if m.Reason != "" {
			row("reason", "%s", m.Reason)
		}
	case m.Decode == result.DecodeAmbiguous:
		row("value", "none: ambiguous")
		row("may be", "%s", strings.Join(m.Alternatives, " or "))
	default:
		row("value", "%s (%s)", e.Value, e.Decode)
	}
	if m.StdError != "" {
		how := ""
		if m.StdErrorDerived {
			how = " (from the runs)"
		}
		row("error", "%s%s", m.StdError, how)
	}
	if m.Origin.Line == 0 {
		row("read at", "place unknown")
		return
	}
	source := m.Origin
	if source.Source == "" {
		source.Source = e.Source
	}
	row("read at", "%s, byte %d", source, source.Offset)
	if source.Rule != "" {
		row("rule", "%s", source.Rule)
	}
	if e.Excerpt == nil {
		return
	}
	text, marks := e.Excerpt.lines(0)
	fmt.Fprintf(w, "    %-8s %s\n", "text", text)
	fmt.Fprintf(w, "    %-8s %s\n", "", marks)
}

func (t *explainText) Close() error { return nil }
