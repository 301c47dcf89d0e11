package main

import (
	"fmt"
	"strings"

	"github.com/benchproof/benchproof/analyze"
	"github.com/benchproof/benchproof/internal/phrase"
	"github.com/benchproof/benchproof/result"
)

// findings returns the diagnostics of f and what its record shows about
// itself: names and tests that stand twice, tests whose values have
// different numbers of decimals, what the figures say about themselves, values
// that failed, are missing or are not exact.
func findings(f *result.File) []result.Diagnostic {
	list := append([]result.Diagnostic(nil), f.Diagnostics...)
	list = append(list, twinSystems(f)...)
	list = append(list, twinTests(f)...)
	list = append(list, mixedDecimals(f)...)
	list = append(list, analyze.UnitFindings(f)...)
	list = append(list, analyze.Integrity(f)...)
	return append(list, counts(f)...)
}

// findings returns those of the file handed over last, f being what its filter
// has left. What other tests show about the chosen ones is among them, as that
// a disk which does 400 MB/s there cannot have done 1600 here.
func (s *source) findings(f *result.File) []result.Diagnostic {
	list := findings(f)
	if s.whole == nil || s.whole == f || s.filter.system.active() {
		return list
	}
	type key struct {
		line, column int
		code         string
	}
	of := func(d *result.Diagnostic) key { return key{d.Origin.Line, d.Origin.Column, d.Code} }
	said, chosen := make(map[key]bool), make(map[key]bool)
	for i := range list {
		said[of(&list[i])] = true
	}
	for i := range f.Tests {
		chosen[key{line: f.Tests[i].Origin.Line, column: f.Tests[i].Origin.Column}] = true
	}
	for _, d := range analyze.Integrity(s.whole) {
		k := of(&d)
		if k.line > 0 && chosen[key{line: k.line, column: k.column}] && !said[k] {
			list = append(list, d)
		}
	}
	return list
}

// twinSystems finds systems of one identifier.
func twinSystems(f *result.File) []result.Diagnostic {
	var list []result.Diagnostic
	seen := map[string]int{}
	for i := range f.Systems {
		s := &f.Systems[i]
		seen[s.Identifier]++
		if seen[s.Identifier] == 2 {
			list = append(list, result.Diagnostic{
				Severity: result.SeverityWarning, Origin: s.Origin, Code: "twin-systems",
				Message: fmt.Sprintf("several systems are called %q; the later ones are shown with a number", s.Identifier),
			})
		}
	}
	return list
}

// twinTests finds tests that nothing tells apart.
func twinTests(f *result.File) []result.Diagnostic {
	type key struct{ profile, title, version, arguments, scale string }
	var list []result.Diagnostic
	seen := map[key]int{}
	for i := range f.Tests {
		t := &f.Tests[i]
		k := key{t.Profile, t.Title, t.Version, t.Arguments, t.Scale}
		seen[k]++
		if seen[k] == 2 {
			scale := ""
			if t.Scale != "" {
				scale = " (" + t.Scale + ")"
			}
			list = append(list, result.Diagnostic{
				Severity: result.SeverityWarning, Origin: t.Origin, Code: "twin-tests",
				Message: fmt.Sprintf("the test %q%s stands several times", t.Name(), scale),
			})
		}
	}
	return list
}

// mixedDecimals finds tests some of whose values are printed with more
// decimals than others: they were rounded by different rules, or come from
// different versions of a test.
func mixedDecimals(f *result.File) []result.Diagnostic {
	var list []result.Diagnostic
	for i := range f.Tests {
		t := &f.Tests[i]
		low, high := -1, -1
		for j := range t.Measurements {
			m := &t.Measurements[j]
			if _, ok := m.Number(); !ok {
				continue
			}
			d := result.Decimals(m.Value)
			if low < 0 || d < low {
				low = d
			}
			high = max(high, d)
		}
		if low != high {
			list = append(list, result.Diagnostic{
				Severity: result.SeverityInfo, Origin: t.Origin, Code: "mixed-decimals",
				Message: fmt.Sprintf("values of %q have from %d to %d decimals", t.Name(), low, high),
			})
		}
	}
	return list
}

// tally counts the measurements of a file.
type tally struct {
	values, failed, censored, inferred, ambiguous int
	missing                                       []int // by system
}

func count(f *result.File) tally {
	c := tally{missing: make([]int, len(f.Systems))}
	has := make([]bool, len(f.Systems))
	for i := range f.Tests {
		clear(has)
		for j := range f.Tests[i].Measurements {
			m := &f.Tests[i].Measurements[j]
			has[m.System] = true
			switch {
			case m.Censored():
				c.censored++
			case m.Status == result.StatusFailed:
				c.failed++
			case m.Decode == result.DecodeAmbiguous:
				c.ambiguous++
			default:
				c.values++
			}
			if m.Status == result.StatusOK && m.Decode == result.DecodeInferred {
				c.inferred++
			}
		}
		for s := range has {
			if !has[s] {
				c.missing[s]++
			}
		}
	}
	return c
}

func (c *tally) missingAll() int {
	n := 0
	for _, m := range c.missing {
		n += m
	}
	return n
}

// counts says how many values are not there, or not exact.
func counts(f *result.File) []result.Diagnostic {
	c := count(f)
	origin := result.Origin{Source: f.Source}
	var list []result.Diagnostic
	add := func(severity result.Severity, code, format string, args ...any) {
		list = append(list, result.Diagnostic{Severity: severity, Origin: origin, Code: code, Message: fmt.Sprintf(format, args...)})
	}
	if c.failed > 0 {
		add(result.SeverityWarning, "failed", "%s failed", phrase.Count(c.failed, "measurement"))
	}
	if c.censored > 0 {
		add(result.SeverityInfo, "censored", "censored: %s that the tool measured and the published test does not read", phrase.Count(c.censored, "value"))
	}
	if c.ambiguous > 0 {
		add(result.SeverityWarning, "ambiguous", "ambiguous: %s; benchproof explain shows what is left", phrase.Count(c.ambiguous, "value"))
	}
	if c.inferred > 0 {
		add(result.SeverityInfo, "inferred", "inferred, not exact: %s", phrase.Count(c.inferred, "value"))
	}
	if n := c.missingAll(); n > 0 {
		names := f.SystemNames()
		var parts []string
		for s, n := range c.missing {
			if n > 0 {
				parts = append(parts, fmt.Sprintf("%s %d", names[s], n))
			}
		}
		const most = 8
		if len(parts) > most {
			parts = append(parts[:most], "and "+phrase.Count(len(parts)-most, "more system"))
		}
		add(result.SeverityInfo, "missing", "without a value: %d of %s of test and system: %s",
			n, phrase.Count(len(f.Tests)*len(f.Systems), "pair"), strings.Join(parts, ", "))
	}
	return list
}
