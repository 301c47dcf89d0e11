package xml

import (
	"bytes"
	"slices"

	"github.com/benchproof/benchproof/parse/internal/xmlscan"
	"github.com/benchproof/benchproof/result"
)

// Reasons of failed measurements whose entry gives none.
const (
	noReason     = "the source gives neither a value nor an error message"
	noReasonRuns = "the source gives runs, but neither a value nor an error message"
)

const (
	// runsMost is how many runs of one entry are kept one by one.
	runsMost = 1_000_000
	// alternativesMost is how many values of one entry are kept.
	alternativesMost = 100
)

// entryState is the Entry that is being read.
type entryState struct {
	m          *result.Measurement // the last of the test
	open       bool
	identifier []byte
	named      bool // it has an Identifier
	valued     bool // it has a Value
}

// readEntry reads an Entry. Another one or a section that begins inside it
// ends it, and comes next.
func (r *reader) readEntry() error {
	r.attributes()
	e := &r.entry
	t := &r.test.Test
	t.Measurements = append(t.Measurements, result.Measurement{})
	*e = entryState{m: &t.Measurements[len(t.Measurements)-1], open: true, identifier: e.identifier[:0]}
	depth := r.s.Depth()
	for {
		kind, err := r.s.Next()
		if err != nil {
			return err
		}
		switch kind {
		case xmlscan.End:
			if r.s.Depth() < depth {
				return r.finishEntry()
			}
		case xmlscan.Text:
			r.stray()
		case xmlscan.Start:
			switch string(r.s.Name()) {
			case "Identifier":
				err = r.readIdentifier()
			case "Value":
				err = r.readValue()
			case "RawString":
				err = r.readRuns()
			case "JSON":
				err = r.readDetails()
			case "Entry":
				r.unclosed()
				r.s.CloseTo(depth - 1)
				r.s.Unread()
				return r.finishEntry()
			default:
				if isOuter(r.s.Name()) {
					r.s.CloseTo(depth - 1)
					r.s.Unread()
					return r.finishEntry()
				}
				err = r.unkept("Entry")
			}
			if err != nil {
				return err
			}
		}
	}
}

func (r *reader) readIdentifier() error {
	e := &r.entry
	text, err := r.leaf()
	if err != nil {
		return err
	}
	if e.named && !bytes.Equal(e.identifier, text) {
		r.repeated(text)
		return nil
	}
	e.named = true
	e.identifier = append(e.identifier[:0], text...)
	return nil
}

// readValue reads a Value. A second one that differs, or one with elements
// inside, leaves open which text is the value: then it is ambiguous.
func (r *reader) readValue() error {
	m := r.entry.m
	text, err := r.leaf()
	if err != nil {
		return err
	}
	value := r.text.string(text)
	if r.entry.valued {
		if value != m.Value && !slices.Contains(m.Alternatives, value) {
			r.repeated(text)
			r.ambiguous(m.Value)
			r.ambiguous(value)
		}
		return nil
	}
	r.entry.valued = true
	m.Origin = r.s.Origin("xml/value")
	if r.s.Nested() {
		r.ambiguous(value)
		return nil
	}
	m.Value = value
	return nil
}

// ambiguous makes the measurement ambiguous, with one more alternative.
func (r *reader) ambiguous(value string) {
	m := r.entry.m
	m.Decode = result.DecodeAmbiguous
	m.Value = ""
	if value != "" && len(m.Alternatives) < alternativesMost {
		m.Alternatives = append(m.Alternatives, value)
	}
}

func (r *reader) readRuns() error {
	m := r.entry.m
	text, err := r.leaf()
	if err != nil || len(text) == 0 {
		return err
	}
	if m.Samples > 0 {
		r.repeated(text)
		return nil
	}
	m.Samples = bytes.Count(text, colon) + 1
	if m.Samples > runsMost {
		r.file.diags.add(result.SeverityWarning, r.s.Origin(""), "too-many-runs",
			"%d runs of one entry are counted but not kept", m.Samples)
		return nil
	}
	var empty bool
	if m.RawValues, empty = r.text.split(r.text.string(text), m.Samples); empty {
		r.file.diags.add(result.SeverityWarning, r.s.Origin(""), "empty-run", "an empty run in RawString is passed over")
		m.RawValues = slices.DeleteFunc(m.RawValues, func(run string) bool { return run == "" })
		m.Samples = len(m.RawValues)
	}
	return nil
}

var colon = []byte{':'}

// repeated reports an element that stands twice where it may stand once.
func (r *reader) repeated(text []byte) {
	r.file.diags.add(result.SeverityWarning, r.s.Origin(""), "repeated-element",
		"a second <%s> says %q", r.s.Name(), text)
}

// finishEntry adds the measurement of the entry that was read to the test.
func (r *reader) finishEntry() error {
	e, m := &r.entry, r.entry.m
	if !e.valued {
		m.Origin = r.s.Origin("xml/value")
	}
	if len(e.identifier) == 0 {
		r.file.diags.once("", result.SeverityWarning, m.Origin, "empty-identifier",
			"an entry without an identifier in %s; its system has no name", &r.test)
	}
	index, decode, err := r.systemOf(e.identifier, m.Origin)
	if err != nil {
		return err
	}
	e.open = false
	m.System = index
	m.Decode = max(m.Decode, decode)
	if len(m.RawValues) > 1 {
		m.StdError = r.stdError(m.RawValues)
		m.StdErrorDerived = m.StdError != ""
	}
	switch {
	case m.Value == "" && m.Decode != result.DecodeAmbiguous:
		m.Status = result.StatusFailed
		if m.Reason == "" {
			if m.Reason = noReason; m.Samples > 0 {
				m.Reason = noReasonRuns
			}
		}
	case m.Reason != "":
		r.file.diags.add(result.SeverityWarning, m.Origin, "value-with-error",
			"the entry of %q in %s has both a value and an error message", e.identifier, &r.test)
	}
	return nil
}

// salvageEntry keeps an entry that an error broke off, if what makes it one
// was whole: the identifier, and a value or an error.
func (r *reader) salvageEntry() error {
	e := &r.entry
	if !e.open {
		return nil
	}
	if e.named && (e.m.Value != "" || e.m.Reason != "" || e.m.Decode == result.DecodeAmbiguous) {
		return r.finishEntry()
	}
	e.open = false
	r.test.Measurements = r.test.Measurements[:len(r.test.Measurements)-1]
	return nil
}
