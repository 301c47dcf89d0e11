package xml

import (
	"bytes"
	"slices"
	"strings"

	"github.com/benchproof/benchproof/result"
)

// readDetails reads the JSON of an entry: run times, limits, the error, and
// what makes footnotes of the test.
func (r *reader) readDetails() error {
	m := r.entry.m
	text, err := r.leaf()
	if err != nil || len(text) == 0 {
		return err
	}
	if m.Details != nil {
		r.repeated(text)
		return nil
	}
	m.Details = r.text.bytes(text)
	it := walk(m.Details)
	it.known = r.test.compiler
	for it.next() {
		switch string(it.key) {
		case "test-run-times":
			if times := it.text(); len(times) > 0 && len(times) < 8*runsMost {
				m.RunTimes, _ = r.text.split(r.text.string(times), bytes.Count(times, colon)+1)
			}
		case "min-result":
			m.Min = r.text.string(it.text())
		case "max-result":
			m.Max = r.text.string(it.text())
		case "error":
			m.Reason = r.text.string(it.text())
		case "decode":
			// Of this project's own files: PTS has no such detail.
			if string(it.text()) == result.DecodeInferred.String() {
				m.Decode = max(m.Decode, result.DecodeInferred)
			}
		case "install-footnote":
			r.footnote(string(it.text()))
		case "compiler-options":
			r.compilerOptions(it.value)
		}
	}
	if it.bad {
		r.file.diags.add(result.SeverityWarning, r.s.Origin(""), "bad-json",
			"the details of an entry are no JSON object; kept as they stand")
	}
	return nil
}

// compilerOptions makes the footnote of a test's compiler and its options.
func (r *reader) compilerOptions(value []byte) {
	t := &r.test
	if bytes.Equal(value, t.compiler) {
		return // as for the system before
	}
	t.compiler = append(t.compiler[:0], value...)
	var kind, compiler, options string
	it := walk(value)
	for it.next() {
		switch string(it.key) {
		case "compiler-type":
			kind = string(it.text())
		case "compiler":
			compiler = string(it.text())
		case "compiler-options":
			options = string(it.text())
		}
	}
	if kind == "" && compiler == "" && options == "" {
		return
	}
	r.footnote(strings.TrimSpace("(" + strings.ToUpper(kind) + ") " + compiler + " options: " + options))
}

// footnote adds a footnote to the test, unless it has the same already.
func (r *reader) footnote(text string) {
	t := &r.test
	if text == "" {
		return
	}
	const few = 8
	if len(t.Footnotes) < few {
		if !slices.Contains(t.Footnotes, text) {
			t.Footnotes = append(t.Footnotes, text)
		}
		return
	}
	if t.footnotes == nil {
		t.footnotes = make(map[string]bool)
		for _, f := range t.Footnotes {
			t.footnotes[f] = true
		}
	}
	if !t.footnotes[text] {
		t.footnotes[text] = true
		t.Footnotes = append(t.Footnotes, text)
	}
}
