package analyze

import (
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"github.com/benchproof/benchproof/result"
)

// DifferenceKind says what two files disagree on.
type DifferenceKind string

// The kinds of differences.
const (
	DiffHead      DifferenceKind = "head"      // title, description, client, …
	DiffSystem    DifferenceKind = "system"    // a system that one file lacks
	DiffComponent DifferenceKind = "component" // hardware, software or notes
	DiffTest      DifferenceKind = "test"      // a test that one file lacks
	DiffField     DifferenceKind = "field"     // version, scale, direction, … of a test
	DiffMissing   DifferenceKind = "missing"   // a measurement that one file lacks
	DiffValue     DifferenceKind = "value"     // two values that are not the same number
	DiffDigits    DifferenceKind = "digits"    // the same number with fewer digits
	DiffStatus    DifferenceKind = "status"    // failed, ambiguous, or the reason
	DiffRuns      DifferenceKind = "runs"      // single runs, or their number
	DiffError     DifferenceKind = "std_error" // standard errors
)

// Difference is one thing that two files disagree on.
type Difference struct {
	Kind DifferenceKind `json:"kind"`
	// Test and System are what it is about, "" where it is about none.
	Test   *result.Test `json:"-"`
	System string       `json:"system,omitempty"`
	// What names the part of a head, system or test.
	What string `json:"what,omitempty"`
	// A and B are what the files say, "" where one says nothing.
	A string `json:"a"`
	B string `json:"b"`
}

// Diff returns what two exports of one result disagree on: what one of them
// lost, changed or rounded. Tests are tied by title, version, arguments and
// scale, and where that leaves some over, by title and arguments alone, since
// forms shorten units and leave out versions; systems by identifier, the n-th
// of a name to the n-th. How sure a reader was of a value that both have is
// no difference.
func Diff(a, b *result.File) []Difference {
	d := &differ{a: a, b: b}
	d.heads()
	d.systems()
	d.tests()
	return d.out
}

type differ struct {
	a, b           *result.File
	namesA, namesB []string
	toB            []int // by system of a: that of b, -1 for none
	out            []Difference
}

func (d *differ) add(kind DifferenceKind, t *result.Test, system, what, a, b string) {
	d.out = append(d.out, Difference{kind, t, system, what, a, b})
}

// fold takes every run of white space as one space.
func fold(text string) string { return strings.Join(strings.Fields(text), " ") }

func (d *differ) heads() {
	a, b := d.a, d.b
	whole := func(f *result.File) string {
		if f.TitleDescription != "" {
			return f.TitleDescription
		}
		return f.Title + " " + f.Description
	}
	if a.TitleDescription != "" || b.TitleDescription != "" {
		// One of the forms has no mark between the two.
		if fold(whole(a)) != fold(whole(b)) {
			d.add(DiffHead, nil, "", "title and description", whole(a), whole(b))
		}
	} else {
		d.text(DiffHead, nil, "", "title", a.Title, b.Title)
		d.text(DiffHead, nil, "", "description", a.Description, b.Description)
	}
	d.text(DiffHead, nil, "", "generator", a.Generator, b.Generator)
	d.text(DiffHead, nil, "", "last modified", a.LastModified, b.LastModified)
	d.text(DiffHead, nil, "", "notes", a.Notes, b.Notes)
}

func (d *differ) text(kind DifferenceKind, t *result.Test, system, what, a, b string) {
	if fold(a) != fold(b) {
		d.add(kind, t, system, what, a, b)
	}
}

// systems ties the systems of the two files.
func (d *differ) systems() {
	d.namesA, d.namesB = d.a.SystemNames(), d.b.SystemNames()
	index := make(map[string]int, len(d.namesB))
	for i, name := range d.namesB {
		index[fold(name)] = i
	}
	d.toB = make([]int, len(d.namesA))
	met := make([]bool, len(d.namesB))
	for i, name := range d.namesA {
		j, ok := index[fold(name)]
		if !ok || met[j] {
			d.toB[i] = -1
			d.add(DiffSystem, nil, name, "", name, "")
			continue
		}
		d.toB[i], met[j] = j, true
		d.components(name, "hardware", d.a.Systems[i].Hardware, d.b.Systems[j].Hardware)
		d.components(name, "software", d.a.Systems[i].Software, d.b.Systems[j].Software)
		d.components(name, "notes", d.a.Systems[i].Notes, d.b.Systems[j].Notes)
	}
	for j, name := range d.namesB {
		if !met[j] {
			d.add(DiffSystem, nil, name, "", "", name)
		}
	}
}

// components compares components by key, the n-th of a key with the n-th.
func (d *differ) components(system, kind string, a, b []result.Component) {
	type key struct {
		key string
		nth int
	}
	values := make(map[key]string, len(b))
	count := make(map[string]int)
	for _, c := range b {
		values[key{c.Key, count[c.Key]}] = c.Value
		count[c.Key]++
	}
	clear(count)
	for _, c := range a {
		k := key{c.Key, count[c.Key]}
		count[c.Key]++
		v := values[k]
		delete(values, k)
		d.text(DiffComponent, nil, system, kind+": "+c.Key, c.Value, v)
	}
	clear(count)
	for _, c := range b {
		k := key{c.Key, count[c.Key]}
		count[c.Key]++
		if v, ok := values[k]; ok {
			d.text(DiffComponent, nil, system, kind+": "+c.Key, "", v)
		}
	}
}

// tests ties the tests of the two files and compares them.
func (d *differ) tests() {
	pair := make([]int, len(d.a.Tests))
	for i := range pair {
		pair[i] = -1
	}
	met := make([]bool, len(d.b.Tests))
	join := func(s ...string) string {
		for i := range s {
			s[i] = strconv.Quote(fold(s[i]))
		}
		return strings.Join(s, " ")
	}
	for _, key := range []func(*result.Test) string{
		func(t *result.Test) string {
			return join(t.Title, t.Version, t.Arguments, t.Scale, string(t.Proportion), t.CommandArguments)
		},
		func(t *result.Test) string { return join(t.Title, t.Version, t.Arguments, t.Scale) },
		// Title and version without a mark between them, as some forms have.
		func(t *result.Test) string { return join(t.Title+" "+t.Version, t.Arguments, t.Scale) },
		func(t *result.Test) string { return join(t.Title+" "+t.Version, t.Arguments) },
		func(t *result.Test) string { return join(t.Title, t.Arguments, string(t.Proportion)) },
		func(t *result.Test) string { return join(t.Title, t.Arguments) },
	} {
		free := make(map[string][]int)
		for j := range d.b.Tests {
			if !met[j] {
				k := key(&d.b.Tests[j])
				free[k] = append(free[k], j)
			}
		}
		for i := range d.a.Tests {
			if pair[i] >= 0 {
				continue
			}
			k := key(&d.a.Tests[i])
			if list := free[k]; len(list) > 0 {
				pair[i], met[list[0]] = list[0], true
				free[k] = list[1:]
			}
		}
	}
	for i, j := range pair {
		if j < 0 {
			d.add(DiffTest, &d.a.Tests[i], "", "", d.a.Tests[i].Name(), "")
			continue
		}
		d.test(&d.a.Tests[i], &d.b.Tests[j])
	}
	for j := range met {
		if !met[j] {
			d.add(DiffTest, &d.b.Tests[j], "", "", "", d.b.Tests[j].Name())
		}
	}
}

func (d *differ) test(a, b *result.Test) {
	if fold(a.Title+" "+a.Version) != fold(b.Title+" "+b.Version) {
		d.text(DiffField, a, "", "title", a.Title, b.Title)
		d.text(DiffField, a, "", "version", a.Version, b.Version)
	}
	d.text(DiffField, a, "", "profile", a.Profile, b.Profile)
	d.text(DiffField, a, "", "scale", a.Scale, b.Scale)
	d.text(DiffField, a, "", "proportion", string(a.Proportion), string(b.Proportion))
	d.text(DiffField, a, "", "command arguments", a.CommandArguments, b.CommandArguments)
	d.text(DiffField, a, "", "annotation", a.Annotation, b.Annotation)

	type cell struct{ system, nth int }
	cells := make(map[cell]*result.Measurement, len(b.Measurements))
	count := make(map[int]int)
	for i := range b.Measurements {
		m := &b.Measurements[i]
		cells[cell{m.System, count[m.System]}] = m
		count[m.System]++
	}
	clear(count)
	met := make(map[*result.Measurement]bool)
	for i := range a.Measurements {
		m := &a.Measurements[i]
		if m.System < 0 || m.System >= len(d.toB) {
			continue
		}
		nth := count[m.System]
		count[m.System]++
		name := d.namesA[m.System]
		var other *result.Measurement
		if j := d.toB[m.System]; j >= 0 {
			other = cells[cell{j, nth}]
		}
		if other == nil {
			d.add(DiffMissing, a, name, "", shown(m), "")
			continue
		}
		met[other] = true
		d.measurement(a, name, m, other)
	}
	for i := range b.Measurements {
		m := &b.Measurements[i]
		if !met[m] && m.System >= 0 && m.System < len(d.namesB) {
			d.add(DiffMissing, a, d.namesB[m.System], "", "", shown(m))
		}
	}
}

func (d *differ) measurement(t *result.Test, system string, a, b *result.Measurement) {
	state := func(m *result.Measurement) string {
		switch {
		case m.Status == result.StatusFailed:
			return "failed: " + m.Reason
		case m.Decode == result.DecodeAmbiguous:
			return "ambiguous: " + strings.Join(m.Alternatives, " or ")
		}
		return m.Value
	}
	if isKnown(a) && isKnown(b) {
		if kind, ok := sameValue(a.Value, b.Value); !ok {
			d.add(kind, t, system, "value", a.Value, b.Value)
		}
	} else if state(a) != state(b) {
		d.add(DiffStatus, t, system, "value", state(a), state(b))
	}
	if kind, ok := sameRuns(a.RawValues, b.RawValues); !ok {
		d.add(kind, t, system, "runs", strings.Join(a.RawValues, ";"), strings.Join(b.RawValues, ";"))
	} else if a.Samples != b.Samples {
		d.add(DiffRuns, t, system, "N", samplesText(a.Samples), samplesText(b.Samples))
	}
	if a.StdErrorDerived && b.StdErrorDerived {
		return // the runs have been compared
	}
	if kind, ok := sameValue(a.StdError, b.StdError); !ok && kind != DiffDigits {
		d.add(DiffError, t, system, "std_error", a.StdError, b.StdError)
	}
	d.text(DiffField, t, system, "minimum", a.Min, b.Min)
	d.text(DiffField, t, system, "maximum", a.Max, b.Max)
	d.text(DiffField, t, system, "run times", strings.Join(a.RunTimes, ";"), strings.Join(b.RunTimes, ";"))
}

func isKnown(m *result.Measurement) bool {
	return m.Status == result.StatusOK && m.Decode != result.DecodeAmbiguous
}

func samplesText(n int) string {
	if n == 0 {
		return ""
	}
	return strconv.Itoa(n)
}

// sameRuns compares single runs: DiffDigits where they are the same numbers,
// DiffRuns where they are others, or more.
func sameRuns(a, b []string) (DifferenceKind, bool) {
	if slices.Equal(a, b) {
		return "", true
	}
	if len(a) != len(b) {
		return DiffRuns, false
	}
	for i := range a {
		if kind, ok := sameValue(a[i], b[i]); !ok && kind != DiffDigits {
			return DiffRuns, false
		}
	}
	return DiffDigits, false
}

// sameValue compares two printed figures: the same text, the same number with
// other digits, or one that is the other rounded (DiffDigits), or two numbers
// (DiffValue). The same number printed twice, "5" and "5.00", is DiffDigits
// as well: the first may have been rounded.
func sameValue(a, b string) (DifferenceKind, bool) {
	if a == b {
		return "", true
	}
	const longest = 400
	x, ok := result.ParseNumber(a)
	y, ok2 := result.ParseNumber(b)
	if !ok || !ok2 || len(a) > longest || len(b) > longest {
		return DiffValue, false
	}
	half := max(result.HalfUnit(a), result.HalfUnit(b))
	if diff := x - y; diff > 2*half || diff < -2*half {
		return DiffValue, false
	}
	// Within reach of the rounding: exact, since floats lose last digits.
	p, ok := exact(a)
	q, ok2 := exact(b)
	h, ok3 := exact(fmt.Sprint(half))
	if !ok || !ok2 || !ok3 {
		return DiffValue, false
	}
	if p.Sub(p, q).Abs(p).Cmp(h) <= 0 {
		return DiffDigits, false
	}
	return DiffValue, false
}

// exact returns printed text as a fraction, false for exponents that would
// make it huge.
func exact(text string) (*big.Rat, bool) {
	if i := strings.IndexAny(text, "eE"); i >= 0 {
		if e, err := strconv.Atoi(text[i+1:]); err != nil || e > 400 || e < -400 {
			return nil, false
		}
	}
	return new(big.Rat).SetString(text)
}
