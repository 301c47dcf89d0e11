package json

import (
	"slices"
	"strings"

	"github.com/benchproof/benchproof/parse/internal/build"
	"github.com/benchproof/benchproof/result"
)

// result reads one test, which stands under its comparison hash.
func (r *reader) result(hash string, at int) error {
	if r.s.peek() != isObject {
		r.f.Warn(at, "unknown-value", "the result %q is no object, and is not read", hash)
		return r.s.skip()
	}
	r.f.NextTest()
	r.test = result.Test{Origin: r.f.Origin(at, "result")}
	r.testOpen = true
	t := &r.test
	var proportion string
	err := r.s.object(func(key string, at int) error {
		switch key {
		case "identifier":
			return r.text(&t.Profile)
		case "title":
			return r.text(&t.Title)
		case "app_version":
			return r.text(&t.Version)
		case "arguments":
			return r.text(&t.CommandArguments)
		case "description":
			err := r.text(&t.Arguments)
			t.Options = result.ParseOptions(t.Arguments)
			return err
		case "scale":
			return r.text(&t.Scale)
		case "proportion":
			err := r.text(&proportion)
			r.proportion(proportion, at)
			return err
		case "display_format":
			return r.text(&t.DisplayFormat)
		case "annotation":
			return r.text(&t.Annotation)
		case "parent":
			return r.text(&t.Parent)
		case "results":
			if ok, err := r.expectList("the entries of a result"); !ok {
				return err
			}
			_, err := r.s.each(r.readEntry)
			return err
		}
		return r.unkept("a result", key, at)
	})
	if err != nil {
		return err
	}
	r.testOpen = false
	return r.f.AddTest(*t)
}

func (r *reader) proportion(text string, at int) {
	switch p := result.Proportion(text); p {
	case result.HIB, result.LIB:
		r.test.Proportion = p
	case "", "ABSTRACT":
	default:
		r.f.Warn(at, "unknown-proportion", "%q is no proportion that is known", text)
	}
}

// entry is the entry that is being read.
type entry struct {
	m          result.Measurement
	identifier string
	open       bool
	at         int // of the key
	valueEnd   int // where its value ends
	runs       []string
}

// doubt marks the value of an entry whose JSON is none behind text. Where
// nothing but a comma stands between them the value may go on: "3,099.96".
func (e *entry) doubt(text string) {
	if strings.Trim(text[e.valueEnd:], ", \t\r\n") == "" {
		e.m.Decode, e.m.Alternatives = result.DecodeAmbiguous, append(e.m.Alternatives, e.m.Value)
	}
}

// readEntry reads one entry, which stands under its system's identifier.
func (r *reader) readEntry(identifier string, at int) error {
	if r.s.peek() != isObject {
		r.f.Error(at, "unknown-value", "the entry of %q is no object, and is not read", identifier)
		return r.s.skip()
	}
	r.entry = entry{identifier: identifier, at: at, open: true}
	e := &r.entry
	e.m.Origin = r.f.Origin(at, "value")
	err := r.s.object(func(key string, at int) error {
		switch key {
		case "value":
			return r.value()
		case "raw_values":
			return r.whole(&e.runs, at)
		case "min_result":
			return r.single(&e.m.Min, key, at)
		case "max_result":
			return r.single(&e.m.Max, key, at)
		case "test_run_times":
			return r.whole(&e.m.RunTimes, at)
		case "details":
			return r.entryDetails(at)
		}
		return r.unkept("an entry", key, at)
	})
	if err != nil {
		return err
	}
	return r.finishEntry()
}

// value reads the value of an entry.
func (r *reader) value() error {
	m := &r.entry.m
	t, err := r.s.token()
	if err != nil {
		return err
	}
	if m.Value != "" {
		r.f.Error(t.at, "repeated-key", "an entry has a second value, %q", t.text)
		if t.text != m.Value {
			m.Alternatives = append(m.Alternatives, m.Value, t.text)
			m.Decode = result.DecodeAmbiguous
		}
		return nil
	}
	m.Origin = r.f.Origin(t.at, "value")
	r.entry.valueEnd = r.s.at
	switch t.kind {
	case isObject, isArray, isBool:
		r.f.Error(t.at, "unknown-value", "the value of %q is neither a number nor a text, and is not read", r.entry.identifier)
		return r.s.skip2(t)
	case isOdd:
		r.f.Warn(t.at, "not-a-number", "the value of %q is %s, which is no number", r.entry.identifier, t.text)
	case isNumber:
		if isLong(t.text) {
			m.Decode = max(m.Decode, result.DecodeInferred)
			r.f.Warn(t.at, "float-digits", "%s has more digits than the exporter keeps: the last may differ from what was measured", t.text)
		}
	}
	m.Value = t.text
	return nil
}

// skip2 passes over the value that a token begins.
func (s *scanner) skip2(t token) error {
	if t.kind == isObject || t.kind == isArray {
		return s.skip()
	}
	return nil
}

// isLong reports whether a number has so many digits that a float64 need not
// hold them: 17 of them, or 16 of a whole number past 2^53.
func isLong(number string) bool {
	mantissa, _, exponent := strings.Cut(strings.ToLower(strings.TrimPrefix(number, "-")), "e")
	digits := strings.TrimLeft(strings.Replace(mantissa, ".", "", 1), "0")
	if len(digits) >= 17 {
		return true
	}
	const largest = "9007199254740992" // 2^53
	return !exponent && !strings.Contains(mantissa, ".") && len(digits) == len(largest) && digits >= largest
}

// list reads a list of numbers or texts; PHP writes an object where it left
// out elements.
func (r *reader) list(into *[]string, at int) error {
	if k := r.s.peek(); k != isArray && k != isObject {
		// One alone.
		t, err := r.s.token()
		if err == nil && t.kind != isNull {
			*into = append(*into, t.text)
		}
		return err
	}
	_, err := r.s.each(func(string, int) error {
		t, err := r.s.token()
		if err != nil {
			return err
		}
		switch t.kind {
		case isObject, isArray:
			r.f.Warn(t.at, "unknown-value", "an object or list among numbers is not read")
			return r.s.skip()
		case isNull:
			r.f.Warn(t.at, "empty-run", "an empty run is passed over")
			return nil
		case isOdd:
			r.f.Warn(t.at, "not-a-number", "%s among the runs of %q is no number", t.text, r.entry.identifier)
		}
		*into = append(*into, t.text)
		return nil
	})
	return err
}

// whole is list for one of which a part is of no use: the number of runs and
// what is worked out from them would be wrong.
func (r *reader) whole(into *[]string, at int) error {
	err := r.list(into, at)
	if err != nil {
		*into = nil
	}
	return err
}

// single reads a list that should have one element.
func (r *reader) single(field *string, key string, at int) error {
	var list []string
	if err := r.list(&list, at); err != nil {
		return err
	}
	if len(list) > 0 {
		*field = list[0]
	}
	if len(list) > 1 {
		r.f.Info(at, "several-limits", "%s has %d numbers, of which the first is kept", key, len(list))
	}
	return nil
}

// entryDetails reads the details of an entry.
func (r *reader) entryDetails(at int) error {
	e := &r.entry
	if r.s.peek() != isObject {
		return r.s.skip()
	}
	start := r.s.at
	odd := r.s.odd
	err := r.s.object(func(key string, _ int) error {
		switch key {
		case "error":
			return r.text(&e.m.Reason)
		case "install-footnote":
			var text string
			err := r.text(&text)
			r.footnote(text)
			return err
		case "compiler-options":
			return r.compiler()
		}
		return r.s.skip() // kept in Details
	})
	if err == nil && r.s.odd == odd {
		e.m.Details = []byte(r.s.text[start:r.s.at])
	}
	return err
}

// compiler makes the footnote of a compiler and its options.
func (r *reader) compiler() error {
	if r.s.peek() != isObject {
		return r.s.skip()
	}
	var kind, name, options string
	err := r.s.object(func(key string, _ int) error {
		switch key {
		case "compiler-type":
			return r.text(&kind)
		case "compiler":
			return r.text(&name)
		case "compiler-options":
			return r.text(&options)
		}
		return r.s.skip()
	})
	if kind+name+options != "" {
		r.footnote("(" + strings.ToUpper(kind) + ") " + name + " options: " + options)
	}
	return err
}

// footnotesMost is how many different footnotes of one test are kept; the
// details of its entries have all of them.
const footnotesMost = 100

func (r *reader) footnote(text string) {
	text = strings.TrimSpace(text)
	if t := &r.test; text != "" && len(t.Footnotes) < footnotesMost && !slices.Contains(t.Footnotes, text) {
		t.Footnotes = append(t.Footnotes, text)
	}
}

// finishEntry adds the measurement of the entry that was read to the test.
func (r *reader) finishEntry() error {
	e := &r.entry
	e.open = false
	m := &e.m
	index, err := r.f.SystemOf(e.identifier, e.at)
	if err != nil {
		return err
	}
	m.System = index
	if len(e.runs) > 0 {
		build.Runs(m, e.runs)
	}
	switch {
	case m.Decode == result.DecodeAmbiguous:
		m.Value = ""
	case m.Value == "":
		r.valueless(m)
	case m.Reason != "":
		r.f.Warn(e.at, "value-with-error", "the entry of %q has both a value and an error message", e.identifier)
	}
	r.test.Measurements = append(r.test.Measurements, *m)
	return nil
}

// valueless decides what an entry without a value is: the exporter leaves
// out the value 0 as it leaves out the empty one.
func (r *reader) valueless(m *result.Measurement) {
	zeros := 0
	for _, run := range m.RawValues {
		if v, ok := result.ParseNumber(run); ok && v == 0 {
			zeros++
		}
	}
	switch {
	case m.Reason != "":
		m.Status = result.StatusFailed
	case len(m.RawValues) > 0 && zeros == len(m.RawValues):
		m.Value, m.Decode = m.RawValues[0], result.DecodeInferred
		r.f.Info(r.entry.at, "zero-left-out", "the value of %q is left out and all its runs are 0: it is taken for 0", r.entry.identifier)
	case len(m.RawValues) > 0:
		m.Status, m.Reason = result.StatusFailed, "the source gives runs, but neither a value nor an error message"
	default:
		m.Decode, m.Alternatives = result.DecodeAmbiguous, []string{"0"}
		r.f.Warn(r.entry.at, "value-left-out", "the export gives %q no value: it was 0, or there was none", r.entry.identifier)
	}
}
