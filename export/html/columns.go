package html

import (
	"regexp"
	"strconv"
	"strings"

	"github.com/benchproof/benchproof/analyze"
	"github.com/benchproof/benchproof/export"
)

// pairs are the rows of one comparison, as columns. A column without any known
// value, or equal to what it stands for by default, is absent.
type pairs struct {
	Name     string `json:"name"`
	Baseline string `json:"baseline"`
	Family   string `json:"family"`
	Margin   string `json:"-"`

	Test   column `json:"t"`
	System column `json:"s"`
	// BaseTest and BaseSystem say which cell is the baseline's, -1 where it
	// has none; absent where the test is that of the row, or where all
	// rows have the one system OneBase.
	BaseTest   column `json:"bt,omitempty"`
	BaseSystem column `json:"bs,omitempty"`
	OneBase    int    `json:"b"`
	// X and Y name baseline and system, indices into Names; absent where
	// they are the systems' own.
	X column `json:"x,omitempty"`
	Y column `json:"y,omitempty"`
	// Arguments are those of the row, where they are not those of the test:
	// indices into Parts.
	Arguments column `json:"a,omitempty"`

	Ratio     nums   `json:"r"`
	Low       nums   `json:"l"`
	High      nums   `json:"h"`
	P         nums   `json:"p"`
	PLow      nums   `json:"pl"`
	PHigh     nums   `json:"ph"`
	PAdjusted nums   `json:"pa"`
	Verdict   column `json:"v"`
	Runs      column `json:"n,omitempty"`
	// Reason holds indices into Texts, and so do Residue and Warnings.
	Reason column `json:"q"`

	// Fixes are those of rows and of means.
	Fixes     fixes `json:"f,omitempty"`
	MeanFixes fixes `json:"fo,omitempty"`

	Overall  overall `json:"o"`
	Residue  column  `json:"d"`
	Warnings column  `json:"w"`
}

// overall are systems over all tests that they share with their baselines, as
// columns.
type overall struct {
	X         column `json:"x"` // baseline and system, into Names
	Y         column `json:"y"`
	System    column `json:"s"` // -1 for one side of an axis
	Tests     column `json:"n"`
	Ratio     nums   `json:"r"`
	Low       nums   `json:"l"`
	High      nums   `json:"h"`
	P         nums   `json:"p"`
	PAdjusted nums   `json:"pa"`
	// ByProfile is rounded: nothing else needs it or its interval.
	ByProfile []num  `json:"bp"`
	Wins      column `json:"w"`
	Losses    column `json:"lo"`
	Even      column `json:"e"`
	Verdict   column `json:"v"`
	// Reason, what stands in the way of a verdict, and what was left out:
	// into Texts.
	Reason  column `json:"q"`
	Why     column `json:"y2"`
	LeftOut column `json:"lt"`
}

// nums is a column of numbers, null where none is known.
type nums []num

// MarshalJSON returns the column.
func (c nums) MarshalJSON() ([]byte, error) {
	known := false
	size := 0
	for _, x := range c {
		known = known || x != ""
		size += len(x) + 5
	}
	if !known {
		return []byte("null"), nil
	}
	out := append(make([]byte, 0, size), '[')
	for i, x := range c {
		if i > 0 {
			out = append(out, ',')
		}
		if x == "" {
			out = append(out, "null"...)
		} else {
			out = append(out, x...)
		}
	}
	return append(out, ']'), nil
}

// pairs returns the columns of a comparison.
func (d *pageData) pairs(c comparison) pairs {
	n := len(c.Rows)
	j := pairs{
		Name: visible(c.name), Baseline: visible(c.Baseline), Family: c.FamilyName(), OneBase: -1,
		Test: make(column, n), System: make(column, n), BaseTest: make(column, n), BaseSystem: make(column, n),
		X: make(column, n), Y: make(column, n), Arguments: make(column, n),
		Ratio: make(nums, n), Low: make(nums, n), High: make(nums, n), P: make(nums, n),
		PLow: make(nums, n), PHigh: make(nums, n), PAdjusted: make(nums, n),
		Fixes: fixes{}, MeanFixes: fixes{},
		Verdict: make(column, n), Runs: make(column, n), Reason: make(column, n),
		Residue: make(column, len(c.Residue)), Warnings: d.texts(c.Warnings),
	}
	for i, text := range c.Residue {
		j.Residue[i] = d.residue(text)
	}
	index := map[string]int{}
	for i, v := range verdicts {
		index[string(v)] = i
	}
	otherTest, otherName, otherArguments := false, false, false
	for i := range c.Rows {
		r := &c.Rows[i]
		at := d.places[r.Cell]
		base := place{at.test, -1}
		if r.Baseline != nil {
			base = d.places[r.Baseline]
		} else if s, ok := d.names.index[r.BaselineName]; ok && s < len(d.Systems) {
			base.system = s
		}
		j.Test[i], j.System[i], j.BaseTest[i], j.BaseSystem[i] = at.test, at.system, base.test, base.system
		j.X[i], j.Y[i] = d.names.of(r.BaselineName), d.names.of(r.SystemName)
		otherTest = otherTest || base.test != at.test
		otherName = otherName || j.X[i] != base.system || j.Y[i] != at.system
		j.Arguments[i] = -1
		if r.Arguments != r.Test.Arguments {
			otherArguments = true
			j.Arguments[i] = d.text(visible(r.Arguments))
		}
		j.Ratio[i], j.Low[i], j.High[i] = ratioNum(r.Ratio), ratioNum(r.Interval.Low), ratioNum(r.Interval.High)
		j.P[i], j.PLow[i], j.PHigh[i], j.PAdjusted[i] = pNum(r.P), pNum(r.PRange.Low), pNum(r.PRange.High), pNum(r.PAdjusted)
		j.Verdict[i], j.Runs[i] = index[string(r.Verdict)], r.RunsNeeded
		j.Fixes.add(i, newEstimate(r.Ratio, r.Interval), r.PAdjusted)
		j.Reason[i] = d.text(visible(r.Reason))
	}
	j.compact(otherTest, otherName, otherArguments)
	for i := range c.Overall {
		o := &c.Overall[i]
		m := o.OverTests
		if o.Tested == 0 {
			m = analyze.Mean{}
		}
		system := -1
		if s := d.names.of(o.SystemName); s < len(d.Systems) {
			system = s
		}
		j.MeanFixes.add(i, newEstimate(o.GeoMean, m.Range), o.PAdjusted)
		all := &j.Overall
		for _, f := range []struct {
			to *column
			x  int
		}{
			{&all.X, d.names.of(o.BaselineName)},
			{&all.Y, d.names.of(o.SystemName)},
			{&all.System, system},
			{&all.Tests, o.Ratios},
			{&all.Wins, o.Wins},
			{&all.Losses, o.Losses},
			{&all.Even, o.Even},
			{&all.Verdict, index[string(o.Verdict)]},
			{&all.Reason, d.text(visible(o.Reason))},
			{&all.Why, d.text(visible(o.Why))},
			{&all.LeftOut, d.text(leftOut(o))},
		} {
			*f.to = append(*f.to, f.x)
		}
		for _, f := range []struct {
			to *nums
			x  num
		}{
			{&all.Ratio, ratioNum(o.GeoMean)},
			{&all.Low, ratioNum(m.Low)},
			{&all.High, ratioNum(m.High)},
			{&all.P, pNum(m.P)},
			{&all.PAdjusted, pNum(o.PAdjusted)},
		} {
			*f.to = append(*f.to, f.x)
		}
		all.ByProfile = append(all.ByProfile, num(newEstimate(o.ByProfile, o.OverProfiles.Range).ratio()))
	}
	return j
}

// compact drops columns that say nothing.
func (j *pairs) compact(otherTest, otherName, otherArguments bool) {
	if !otherTest {
		j.BaseTest = nil
	}
	if !otherName {
		j.X, j.Y = nil, nil
	}
	if !otherArguments {
		j.Arguments = nil
	}
	one := len(j.BaseSystem) > 0
	for _, s := range j.BaseSystem {
		one = one && s == j.BaseSystem[0]
	}
	if one {
		j.OneBase, j.BaseSystem = j.BaseSystem[0], nil
	}
	known := false
	for _, x := range j.Runs {
		known = known || x != 0
	}
	if !known {
		j.Runs = nil
	}
}

// column is a column of small numbers. In JSON it is a list of them, or, where
// that is shorter, {"d": [step, count, ...]}: the steps from one to the next,
// each with how often it comes in a row, or {"r": [value, count, ...]}.
type column []int

// MarshalJSON returns the shortest of the forms.
func (c column) MarshalJSON() ([]byte, error) {
	best := appendInts(nil, c)
	steps := make([]int, len(c))
	last := 0
	for i, x := range c {
		steps[i], last = x-last, x
	}
	for _, form := range []struct {
		name string
		list []int
	}{{"r", c}, {"d", steps}} {
		var runs []int
		for _, x := range form.list {
			if n := len(runs); n > 0 && runs[n-2] == x {
				runs[n-1]++
			} else {
				runs = append(runs, x, 1)
			}
		}
		text := appendInts([]byte(`{"`+form.name+`":`), runs)
		if text = append(text, '}'); len(text) < len(best) {
			best = text
		}
	}
	return best, nil
}

func appendInts(out []byte, list []int) []byte {
	out = append(out, '[')
	for i, x := range list {
		if i > 0 {
			out = append(out, ',')
		}
		out = strconv.AppendInt(out, int64(x), 10)
	}
	return append(out, ']')
}

// separators are where texts are divided into parts, of which most are shared.
var separators = regexp.MustCompile(`; | against |\(|\), |no uncertainty known: |too small: `)

// text returns the number of a text in Texts, a list of its parts.
func (d *pageData) text(text string) int {
	var parts []string
	from := 0
	for _, m := range separators.FindAllStringIndex(text, -1) {
		parts = append(parts, text[from:m[1]])
		from = m[1]
	}
	return d.sentence(append(parts, text[from:])...)
}

// sentence is text, divided already.
func (d *pageData) sentence(parts ...string) int {
	at := d.whole.of(strings.Join(parts, ""))
	if at < len(d.Texts) {
		return at
	}
	list := make(column, len(parts))
	for i, part := range parts {
		list[i] = d.parts.of(part)
	}
	d.Texts = append(d.Texts, list)
	return at
}

// residue is the text of what differs between two systems ("A against B:
// differs in …"), whose names may hold separators. There is one a pair.
func (d *pageData) residue(text string) int {
	system, rest, _ := strings.Cut(text, " against ")
	// The longest: another system may be called what a name begins with.
	for i := len(rest) - 1; i > 0; i-- {
		if rest[i] != ':' {
			continue
		}
		if _, ok := d.names.index[rest[:i]]; ok {
			return d.sentence(visible(system+" against "), visible(rest[:i]), visible(rest[i:]))
		}
	}
	return d.text(visible(text))
}

func (d *pageData) texts(list []string) column {
	out := column{}
	for _, text := range list {
		out = append(out, d.text(visible(text)))
	}
	return out
}

func texts(list []string) []string {
	out := make([]string, len(list))
	for i, text := range list {
		out[i] = visible(text)
	}
	return out
}

// leftOut says how many tests are in no mean, and why; "" if all are in it.
func leftOut(o *analyze.Overall) string {
	if o.LeftOutCount == 0 {
		return ""
	}
	return "left out " + visible(export.LeftOutText(o))
}
