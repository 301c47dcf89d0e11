package analyze

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"github.com/benchproof/benchproof/result"
)

// wrongUnit is a unit that test profiles are known to print though their
// numbers are in another one.
type wrongUnit struct {
	// Printed is the unit as published, Real the one of the numbers, Below
	// that of numbers below Limit ("" if there is no such limit).
	Printed, Real, Below string
	Limit                float64
	// To is the unit that ConvertUnits converts to.
	To string
	// Why says in words where the fault comes from.
	Why string
}

// bytesOf are the units of throughput that the table names, in bytes a
// second. A unit of "KiB/s ÷ 1000" is what a program makes of KiB/s that it
// takes for KB/s.
var bytesOf = map[string]*big.Rat{
	"KiB/s":        big.NewRat(1024, 1),
	"MiB/s":        big.NewRat(1024*1024, 1),
	"MB/s":         big.NewRat(1000*1000, 1),
	"KiB/s ÷ 1000": big.NewRat(1024*1000, 1),
}

// lookupUnit returns what is known of a test's unit, false where nothing is
// known to be wrong with it, or where its values have been converted already.
// It goes by the test profile where the source names it, else by title and
// version of the program.
func lookupUnit(t *result.Test) (wrongUnit, bool) {
	if converted(t) {
		return wrongUnit{}, false
	}
	profile, version := profileVersion(t.Profile)
	is := func(name, title string) bool {
		if profile != "" {
			return profile == name
		}
		return t.Title == title
	}
	switch {
	case is("fio", "Flexible IO Tester") && t.Scale == "MiB/s" && (version == "" || version == "2.0.0"):
		return wrongUnit{
			Printed: "MiB/s", Real: "KiB/s", To: "MiB/s",
			Why: "the profile takes the number of a line in KiB/s for MiB/s",
		}, true
	case is("fio", "Flexible IO Tester") && t.Scale == "MB/s" && old(t.Version):
		return wrongUnit{
			Printed: "MB/s", Real: "KiB/s ÷ 1000", To: "MB/s",
			Why: "fio 2 prints KiB/s as KB/s, which the profile divides by 1000",
		}, true
	case is("fio", "Flexible IO Tester") && t.Scale == "MB/s":
		return wrongUnit{
			Printed: "MB/s", Real: "MiB/s", Below: "KiB/s ÷ 1000", Limit: 10, To: "MB/s",
			Why: "fio prints MiB/s, or KiB/s below 10 MiB/s, which the profile divides by 1000",
		}, true
	case is("compilebench", "Compile Bench") && t.Scale == "MB/s",
		is("ior", "IOR") && t.Scale == "MB/s",
		is("iozone", "IOzone") && t.Scale == "MB/s":
		return wrongUnit{Printed: "MB/s", Real: "MiB/s", To: "MB/s", Why: "the program counts in units of 1024"}, true
	}
	return wrongUnit{}, false
}

// profileVersion divides "pts/fio-1.11.2" into "fio" and "1.11.2".
func profileVersion(profile string) (name, version string) {
	name = profile[strings.LastIndexByte(profile, '/')+1:]
	if i := strings.LastIndexByte(name, '-'); i > 0 && i+1 < len(name) && name[i+1] >= '0' && name[i+1] <= '9' {
		return name[:i], name[i+1:]
	}
	return name, ""
}

// old reports whether a version of fio is 1 or 2.
func old(version string) bool {
	return strings.HasPrefix(version, "1.") || strings.HasPrefix(version, "2.")
}

// unit returns the unit of a number that is printed in u.Printed.
func (u wrongUnit) unit(v float64) string {
	if u.Below != "" && v < u.Limit {
		return u.Below
	}
	return u.Real
}

// UnitFindings returns a diagnostic for each kind of test whose unit is known
// to be wrong.
func UnitFindings(f *result.File) []result.Diagnostic {
	type found struct {
		unit  wrongUnit
		test  *result.Test
		count int
	}
	var list []*found
	for i := range f.Tests {
		t := &f.Tests[i]
		u, ok := lookupUnit(t)
		if !ok {
			continue
		}
		k := slices.IndexFunc(list, func(e *found) bool { return e.unit == u && e.test.Title == t.Title })
		if k < 0 {
			k = len(list)
			list = append(list, &found{unit: u, test: t})
		}
		list[k].count++
	}
	var out []result.Diagnostic
	for _, e := range list {
		real := e.unit.Real
		if e.unit.Below != "" {
			real += fmt.Sprintf(" (below %g: %s)", e.unit.Limit, e.unit.Below)
		}
		severity := result.SeverityInfo
		if ratio, _ := new(big.Rat).Quo(bytesOf[e.unit.Printed], bytesOf[e.unit.Real]).Float64(); ratio > 2 || ratio < 0.5 {
			severity = result.SeverityWarning
		}
		tests := "test"
		if e.count > 1 {
			tests = "tests"
		}
		out = append(out, result.Diagnostic{
			Severity: severity, Origin: e.test.Origin, Code: "unit-known-wrong",
			Message: fmt.Sprintf("%d %s of %q: printed as %s, the numbers are %s: %s", e.count, tests, e.test.Title, e.unit.Printed, real, e.unit.Why),
		})
	}
	return out
}

// ConvertUnits returns f with the values of tests whose unit is known to be
// wrong converted, to as many digits as are printed, and f itself where there
// are none. The printed figures stand in the measurement's notes; a converted
// value is at best inferred. The test's annotation says that it was converted.
// f is not changed.
func ConvertUnits(f *result.File) *result.File {
	var out *result.File
	for i := range f.Tests {
		u, ok := lookupUnit(&f.Tests[i])
		if !ok {
			continue
		}
		if out == nil {
			shallow := *f
			out = &shallow
			out.Tests = slices.Clone(f.Tests)
			out.Diagnostics = slices.Clone(f.Diagnostics)
		}
		t := &out.Tests[i]
		t.Scale = u.To
		if t.Annotation != "" {
			t.Annotation += "; "
		}
		t.Annotation += convertedMark + u.To + ": " + u.Why
		t.Measurements = slices.Clone(t.Measurements)
		for j := range t.Measurements {
			u.convert(&t.Measurements[j])
		}
		t.Unassigned = slices.Clone(t.Unassigned)
		for j := range t.Unassigned {
			t.Unassigned[j].StdError = "" // which unit it has is not known
		}
	}
	if out == nil {
		return f
	}
	for _, d := range UnitFindings(f) {
		d.Code, d.Severity = "unit-converted", result.SeverityInfo
		out.Diagnostics = append(out.Diagnostics, d)
	}
	return out
}

// convertedMark begins the annotation of tests whose values were converted. An
// annotation lives on in a composite.xml, too: what was converted must not be
// converted again.
const convertedMark = "benchproof converted the values to "

func converted(t *result.Test) bool { return strings.Contains(t.Annotation, convertedMark) }

// convert converts the figures of a measurement. One that cannot be converted
// as a whole becomes ambiguous, its figures kept in the note.
func (u wrongUnit) convert(m *result.Measurement) {
	if m.Status != result.StatusOK || m.Value == "" {
		return
	}
	v, ok := m.Number()
	if !ok {
		return
	}
	from := u.unit(v)
	factor := new(big.Rat).Quo(bytesOf[from], bytesOf[u.To])
	note := fmt.Sprintf("printed as %s %s, which is %s", m.Value, u.Printed, from)
	if m.StdError != "" {
		note += ", SE " + m.StdError
	}
	m.Notes = append(slices.Clip(m.Notes), note)
	m.Decode = max(m.Decode, result.DecodeInferred)
	figures := []*string{&m.Value, &m.StdError, &m.Min, &m.Max, &m.Precise}
	m.RawValues = slices.Clone(m.RawValues)
	for k := range m.RawValues {
		figures = append(figures, &m.RawValues[k])
	}
	for _, p := range figures {
		*p = scaled(*p, factor)
	}
	m.Details = scaledDetails(m.Details, factor)
}

// scaledDetails returns an entry's JSON with its least and greatest result
// times a factor, everything else as it stands.
func scaledDetails(details []byte, factor *big.Rat) []byte {
	var have map[string]json.RawMessage
	if len(details) == 0 || json.Unmarshal(details, &have) != nil {
		return details
	}
	out := details
	for _, key := range []string{"min-result", "max-result"} {
		raw, ok := have[key]
		if !ok {
			continue
		}
		text := strings.Trim(string(raw), `"`)
		changed := scaled(text, factor)
		// The member, not a string that looks like it: its value follows.
		for at := 0; ; {
			i := bytes.Index(out[at:], []byte(`"`+key+`"`))
			if i < 0 {
				break
			}
			at += i + len(key) + 2
			colon := len(out[at:]) - len(bytes.TrimLeft(out[at:], " \t\r\n"))
			if at+colon >= len(out) || out[at+colon] != ':' {
				continue
			}
			from := at + colon + 1
			from += len(out[from:]) - len(bytes.TrimLeft(out[from:], " \t\r\n"))
			if !bytes.HasPrefix(out[from:], raw) {
				continue
			}
			value := strings.Replace(string(raw), text, changed, 1)
			out = slices.Concat(out[:from], []byte(value), out[from+len(raw):])
			break
		}
	}
	return out
}

// scaled returns a printed number times a factor, to as many significant
// digits as are printed and one more, so that converting loses nothing; other
// text as it is.
func scaled(text string, factor *big.Rat) string {
	v, ok := exact(text)
	if _, number := result.ParseNumber(text); !ok || !number || len(text) > 400 {
		return text
	}
	product := v.Mul(v, factor)
	digits := 1
	mantissa, _, _ := strings.Cut(strings.ToLower(text), "e")
	digits += len(strings.TrimLeft(strings.NewReplacer("-", "", "+", "", ".", "").Replace(mantissa), "0"))
	f, _ := product.Float64()
	// The place of the first digit gives the number of decimals.
	exponent := 0
	if f != 0 {
		s := strconv.FormatFloat(f, 'e', digits-1, 64)
		exponent, _ = strconv.Atoi(s[strings.IndexByte(s, 'e')+1:])
	}
	decimals := digits - 1 - exponent
	if decimals > 0 {
		return product.FloatString(decimals)
	}
	return product.FloatString(0)
}
