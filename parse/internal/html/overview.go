package html

import (
	"strconv"
	"strings"

	"github.com/benchproof/benchproof/result"
)

// linksTests reports whether a row of the table leads to a test profile: the
// mark of the overview.
func (t *table) linksTests() bool {
	for i := range t.rows {
		if profile, _ := splitProfile(t.rows[i].link); profile != "" {
			return true
		}
	}
	return false
}

// summary is a row of the overview: the values of one test.
type summary struct {
	row     *row
	profile string // without version
	version string
	label   string // the options' values, shortened
	cells   []figure
}

// figure is a number of the overview.
type figure struct {
	text   string
	system int
	off    int
}

// summaries returns the overview's rows that hold numbers of tests.
func (p *page) summaries() []summary {
	t := p.overview
	if t == nil {
		return nil
	}
	system := p.tie(t)
	last := make([]int, len(t.columns)) // the last row with a figure in each column
	var list []summary
	for i := range t.rows {
		r := &t.rows[i]
		s := summary{row: r}
		s.profile, s.version = splitProfile(r.link)
		_, label, ok := strings.Cut(r.name+" ", ": ")
		if !ok {
			continue // figures that are derived from the others
		}
		s.label = strings.TrimSpace(label)
		s.cells = make([]figure, 0, len(r.cells))
		for _, c := range r.cells {
			if !isNumber(c.text) {
				continue // derived figures, or a word
			}
			k := c.first
			if k != c.last || last[k] > i || t.columns[k].part {
				p.warn(c.off, "unplaced-text", "a figure of the overview has no cell of its own and was left out: %q", clip(c.text))
				continue
			}
			last[k] = i + 1
			if system[k] < 0 {
				system[k] = p.names.add(t.columns[k].name, p.origin(t.columns[k].off, "html/overview"))
			}
			s.cells = append(s.cells, figure{c.text, system[k], c.off})
		}
		if len(s.cells) > 0 {
			list = append(list, s)
		} else {
			p.info(r.off, "test-without-value", "the overview has the test %q without a value", clip(r.name))
		}
	}
	return list
}

// tie returns the systems of a table's columns by name, -1 for names that no
// system has.
func (p *page) tie(t *table) []int {
	system := make([]int, len(t.columns))
	seen := make(map[string]int, len(t.columns))
	for i := range t.columns {
		name := t.columns[i].name
		system[i] = p.names.nth(name, seen[name])
		seen[name]++
	}
	return system
}

// errorRow takes standard errors from the row that the overview of a single
// test ends with, for systems whose graph prints none. A test without values
// shifts that row, and then it is not read; nor where it contradicts the
// graph.
func (p *page) errorRow(rows []summary) {
	if len(rows) != 1 || len(p.file.Tests) != 1 {
		return
	}
	t, test := p.overview, &p.file.Tests[0]
	tests, errors := 0, -1
	for i := range t.rows {
		switch {
		case t.rows[i].name == "Standard Error":
			errors = i
		case strings.Contains(t.rows[i].name+" ", ": "):
			tests++
		}
	}
	if errors < 0 || tests != 1 {
		return
	}
	bySystem := make(map[int]string)
	system := p.tie(t)
	for _, c := range t.rows[errors].cells {
		if isNumber(c.text) {
			bySystem[system[c.first]] = c.text
		}
	}
	for i := range test.Measurements {
		m := &test.Measurements[i]
		if se, ok := bySystem[m.System]; ok && m.StdError != "" && m.StdError != se {
			p.warn(t.rows[errors].off, "error-mismatch", "the overview's standard error of %q is %s, the graph's %s",
				clip(p.file.Systems[m.System].Identifier), se, m.StdError)
			return
		}
	}
	for i := range test.Measurements {
		if m := &test.Measurements[i]; m.StdError == "" && m.Value != "" {
			m.StdError = bySystem[m.System]
		}
	}
}

// shortened reports whether label is what the overview makes of arguments:
// the options' values joined by " - ", long words cut short.
func shortened(label, arguments string) bool {
	const between = " - "
	for more := true; more; {
		var short, part string
		var less bool
		short, label, less = strings.Cut(label, between)
		part, arguments, more = strings.Cut(arguments, between)
		if less != more {
			return false
		}
		if _, value, ok := strings.Cut(part, ": "); ok {
			part = value
		}
		if part != short && !shortWords(short, part) {
			return false
		}
	}
	return true
}

// shortWords reports whether the words of short begin those of text.
func shortWords(short, text string) bool {
	cut, words := strings.Fields(short), strings.Fields(text)
	if len(cut) != len(words) {
		return false
	}
	for i := range cut {
		if !strings.HasPrefix(words[i], cut[i]) {
			return false
		}
	}
	return true
}

// agrees reports whether a number of the overview is one that a graph prints
// rounded.
func agrees(precise, printed string) bool {
	if sameNumber(precise, printed) {
		return true
	}
	a, ok := result.ParseNumber(precise)
	b, ok2 := result.ParseNumber(printed)
	if !ok || !ok2 {
		return false
	}
	d := a - b
	if d < 0 {
		d = -d
	}
	size := max(a, -a)
	return d <= result.HalfUnit(printed)*(1+1e-9)+size*1e-14
}

// sameNumber reports whether two decimal texts are one number, to the last
// digit.
func sameNumber(a, b string) bool {
	if a == b {
		return true
	}
	digits, exponent := canonical(a)
	others, other := canonical(b)
	return digits == others && exponent == other
}

// canonical returns the digits of a decimal text without zeros at either end,
// the sign in front, and the power of ten of the last.
func canonical(text string) (string, int) {
	mantissa, exponent := text, 0
	if i := strings.IndexAny(text, "eE"); i >= 0 {
		mantissa = text[:i]
		exponent, _ = strconv.Atoi(text[i+1:])
	}
	sign := ""
	if rest, ok := strings.CutPrefix(mantissa, "-"); ok {
		sign, mantissa = "-", rest
	}
	whole, fraction, _ := strings.Cut(strings.TrimPrefix(mantissa, "+"), ".")
	digits := strings.TrimLeft(whole+fraction, "0")
	short := strings.TrimRight(digits, "0")
	if short == "" {
		return "", 0
	}
	return sign + short, exponent - len(fraction) + len(digits) - len(short)
}
