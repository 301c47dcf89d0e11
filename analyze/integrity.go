package analyze

import (
	"fmt"
	"math"
	"strings"

	"github.com/benchproof/benchproof/analyze/stats"
	"github.com/benchproof/benchproof/result"
)

// Integrity returns what a file's figures say about themselves: means and
// standard errors that are not those of the runs, values that are zero or
// below, units that are suspect, runs that were added, rows that break an
// identity of their test (see the identities of fio and pgbench) or that are
// known to measure something else. They come in the order of these questions,
// each in the order of the file.
//
// A finding is a warning where a figure is likely wrong, and an info where it
// is right but must be known. Only a value outside of all of its runs, which
// no mean can be, is an error.
func Integrity(f *result.File) []result.Diagnostic {
	c := newChecker(f)
	for i := range c.set.Tests {
		t := &c.set.Tests[i]
		c.severalValues(t)
		for j := range t.Cells {
			c.againstRuns(t, &t.Cells[j])
		}
		c.nonPositive(t)
		c.unitSuspect(t)
	}
	c.mixedScales()
	c.fioIdentity()
	c.latencyIdentity()
	c.connections()
	c.censored()
	c.cached()
	c.noise()
	c.empty()
	return c.list
}

type checker struct {
	file  *result.File
	set   *Set
	kinds []kind // of the systems
	list  []result.Diagnostic
	// suspect is why measurements are not what they say; nil where nobody
	// asks.
	suspect map[*result.Measurement]string
}

func newChecker(f *result.File) *checker {
	c := &checker{file: f, set: NewSet([]*result.File{f})}
	for i := range c.set.Systems {
		s := c.set.Systems[i].System
		c.kinds = append(c.kinds, kind{s.Group(), component(s, "Processor"), component(s, "Disk")})
	}
	return c
}

// doubt notes why the cells' values are not what they say.
func (c *checker) doubt(why string, cells ...*Cell) {
	if c.suspect == nil {
		return
	}
	for _, cell := range cells {
		if cell.usable() && c.suspect[cell.Measurement] == "" {
			c.suspect[cell.Measurement] = why
		}
	}
}

// kind is what systems have in common that can be expected to be about as
// fast.
type kind struct{ group, processor, disk string }

func (c *checker) add(s result.Severity, o result.Origin, code, format string, args ...any) {
	c.list = append(c.list, result.Diagnostic{Severity: s, Origin: o, Code: code, Message: fmt.Sprintf(format, args...)})
}

// quotedTest names a test in a message.
func quotedTest(t *Test) string { return fmt.Sprintf("%q%s", middleCut(t.Name()), scaleText(t)) }

// middleCut cuts a test's name, whose end tells options apart, in its middle.
func middleCut(text string) string {
	const most = 120
	runes := []rune(text)
	if len(runes) <= most {
		return text
	}
	return string(runes[:most/2]) + "…" + string(runes[len(runes)-most/2:])
}

func (c *checker) system(cell *Cell) string { return c.set.Systems[cell.System].Name }

// names lists systems, at most six of them.
func (c *checker) names(cells []*Cell) string {
	const most = 6
	var parts []string
	for i, cell := range cells {
		if i == most {
			parts = append(parts, fmt.Sprintf("and %d more", len(cells)-most))
			break
		}
		parts = append(parts, c.system(cell))
	}
	return strings.Join(parts, ", ")
}

func (c *checker) severalValues(t *Test) {
	for i := range t.Cells {
		cell := &t.Cells[i]
		if strings.HasSuffix(cell.Problem, "values in one test") {
			c.add(result.SeverityWarning, cell.Measurement.Origin, "several-values",
				"%s: %s has %s; none is chosen", quotedTest(t), c.system(cell), cell.Problem)
		}
	}
}

// againstRuns holds mean and standard error against the single runs.
func (c *checker) againstRuns(t *Test, cell *Cell) {
	if !cell.usable() || len(cell.Measurement.RawValues) == 0 {
		return
	}
	m := cell.Measurement
	runs, half := parseRuns(m.RawValues)
	s, err := stats.Summarize(runs)
	if err != nil {
		return
	}
	value := cell.Figures.Mean
	least, most := runs[0], runs[0]
	for _, x := range runs {
		least, most = math.Min(least, x), math.Max(most, x)
	}
	// The printed mean is within half a unit of one whose runs may each be
	// half a unit off.
	slack := m.HalfUnit() + half + 1e-9*math.Abs(value)
	off := math.Abs(s.Mean - value)
	switch {
	case off <= slack:
	case value < least-slack || value > most+slack:
		c.add(result.SeverityError, m.Origin, "mean-not-of-runs",
			"%s: %s: the value %s lies outside of its runs, %g to %g", quotedTest(t), c.system(cell), shortened(m.Value), least, most)
	default:
		c.add(result.SeverityWarning, m.Origin, "mean-not-of-runs",
			"%s: %s: the value %s is not the mean of its runs, %.6g", quotedTest(t), c.system(cell), shortened(m.Value), s.Mean)
	}
	se, ok := m.StdErrorNumber()
	if !ok || m.StdErrorDerived || len(runs) < 2 || off > slack {
		return
	}
	room := result.HalfUnit(m.StdError) + half/math.Sqrt(float64(len(runs)-1)) + 1e-6*s.SE
	if math.Abs(se-s.SE) > room {
		c.add(result.SeverityWarning, m.Origin, "error-not-of-runs",
			"%s: %s: the standard error %s is not that of its runs, %.6g", quotedTest(t), c.system(cell), shortened(m.StdError), s.SE)
	}
}

// nonPositive finds values of which there is no ratio.
func (c *checker) nonPositive(t *Test) {
	if t.Proportion == result.ProportionUnknown {
		return
	}
	for i := range t.Cells {
		cell := &t.Cells[i]
		if !cell.usable() || cell.Figures.Mean > 0 {
			continue
		}
		code, word := "zero-value", "zero"
		if cell.Figures.Mean < 0 {
			code, word = "negative-value", "negative"
		}
		c.add(result.SeverityWarning, cell.Measurement.Origin, code,
			"%s: %s: the value is %s: it is in no ratio and no mean", quotedTest(t), c.system(cell), word)
	}
}

// suspectRatio is how far apart two systems of a kind can hardly be.
const suspectRatio = 100

// unitSuspect finds tests in which systems lie so far apart that one may be in
// another unit. Where they are of one kind, with the same disks and processor,
// that is likely, and a warning; where not, as of a disk and an SSD, it must be
// known.
func (c *checker) unitSuspect(t *Test) {
	type span struct{ low, high *Cell }
	spans := map[kind]*span{}
	var order []*span
	all := &span{}
	add := func(sp *span, cell *Cell) {
		if sp.low == nil || cell.Figures.Mean < sp.low.Figures.Mean {
			sp.low = cell
		}
		if sp.high == nil || cell.Figures.Mean > sp.high.Figures.Mean {
			sp.high = cell
		}
	}
	for i := range t.Cells {
		cell := &t.Cells[i]
		if !cell.usable() || cell.Figures.Mean <= 0 {
			continue
		}
		k := c.kinds[cell.System]
		if spans[k] == nil {
			spans[k] = &span{}
			order = append(order, spans[k])
		}
		add(spans[k], cell)
		add(all, cell)
	}
	report := func(sp *span, severity result.Severity, code, why string) bool {
		if sp.low == nil {
			return false
		}
		ratio := sp.high.Figures.Mean / sp.low.Figures.Mean
		if ratio <= suspectRatio {
			return false
		}
		c.add(severity, t.Origin, code, "%s: %s has %s and %s has %s, %s", quotedTest(t),
			c.system(sp.low), shortened(sp.low.Measurement.Value), c.system(sp.high), shortened(sp.high.Measurement.Value), fmt.Sprintf(why, times(ratio)))
		return true
	}
	found := false
	for _, sp := range order {
		found = report(sp, result.SeverityWarning, "unit-suspect", "%s as much on the same hardware: one may be in another unit") || found
	}
	if !found {
		report(all, result.SeverityInfo, "far-apart", "%s as much: unless their hardware is that different, one is in another unit")
	}
}

// times prints a large ratio.
func times(ratio float64) string {
	switch {
	case math.IsInf(ratio, 0):
		return "more than 1e+308 times"
	case ratio < 1e6:
		return fmt.Sprintf("%.0f times", ratio)
	}
	return fmt.Sprintf("%.3g times", ratio)
}

// rates are scales that differ by a factor alone.
var rates = map[string]bool{
	"B/s": true, "KB/s": true, "MB/s": true, "GB/s": true, "KiB/s": true, "MiB/s": true, "GiB/s": true,
	"kB/s": true, "MB/sec": true, "KB/sec": true, "MiB/sec": true, "KiB/sec": true,
}

// mixedScales finds tests that stand several times, in units of one kind.
func (c *checker) mixedScales() {
	type bare struct{ title, version, arguments string }
	seen := map[bare]*Test{}
	for i := range c.set.Tests {
		t := &c.set.Tests[i]
		if !rates[t.Scale] {
			continue
		}
		b := bare{t.Title, t.Version, t.Arguments}
		other, ok := seen[b]
		switch {
		case !ok:
			seen[b] = t
		case other.Scale != t.Scale:
			c.add(result.SeverityWarning, t.Origin, "mixed-scales",
				"%q stands in %s and in %s: rows in different units are not compared", middleCut(t.Name()), other.Scale, t.Scale)
		}
	}
}

// noise says where runs were added and where an error is large.
func (c *checker) noise() {
	added, most := 0, 0
	var rough []string
	for i := range c.set.Tests {
		t := &c.set.Tests[i]
		for j := range t.Cells {
			f := t.Cells[j].Figures
			if !t.Cells[j].Tested() {
				continue
			}
			if f.N > 3 {
				added, most = added+1, max(most, f.N)
			}
			if f.Mean > 0 && f.SE > f.Mean/10 {
				rough = append(rough, fmt.Sprintf("%s of %s %s", c.system(&t.Cells[j]), quotedTest(t), percent(f.SE/f.Mean)))
			}
		}
	}
	origin := result.Origin{Source: c.file.Source}
	if added > 0 {
		c.add(result.SeverityInfo, origin, "runs-added",
			"more than 3 runs, up to %d, stand behind %s: PTS adds runs where they vary, and then the standard error may be too small",
			most, countText(added, "value"))
	}
	const list = 5
	if n := len(rough); n > 0 {
		if n > list {
			rough = append(rough[:list], fmt.Sprintf("and %d more", n-list))
		}
		c.add(result.SeverityInfo, origin, "large-error", "standard error above a tenth of the value: %s", strings.Join(rough, "; "))
	}
}

// empty names systems without any measurement.
func (c *checker) empty() {
	if len(c.set.Tests) == 0 {
		return
	}
	for _, i := range c.set.empty() {
		c.add(result.SeverityInfo, c.set.Systems[i].Origin, "system-empty", "%s has no value in any test", c.set.Systems[i].Name)
	}
}
