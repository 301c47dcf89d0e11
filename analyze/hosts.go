package analyze

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/benchproof/benchproof/analyze/stats"
	"github.com/benchproof/benchproof/result"
)

// ErrNoHosts is returned for a result whose systems are not of two hosts or
// more.
var ErrNoHosts = errors.New("the systems are not of several hosts")

// HostAnalysis is one replay on many hosts: what varies between hosts told apart
// from what varies within one, and which hosts differ from the rest.
type HostAnalysis struct {
	Set *Set
	// Hosts and Configurations are in the order of the systems. A
	// configuration is what a host measured: a target, a file-system.
	Hosts, Configurations []string
	Rows                  []HostRow
	// Wins are for tests of which some host has several configurations.
	Wins []HostWins
	// Summary is a line a host.
	Summary []HostSummary
	// Family and RowFamily are the numbers of tests that the p values of
	// hosts and of rows are adjusted for (Holm).
	Family, RowFamily int
	Warnings          []string
}

// HostRow is one configuration in one test on all hosts.
type HostRow struct {
	Test          *Test
	Configuration string
	Values        []HostValue
	// Mean is the geometric mean of hosts like these, in the unit of the test.
	Mean Quantity
	// Between and Within are relative standard deviations: of a host's true
	// mean from one to another, and of single runs on one host.
	Between, Within Quantity
	// I2 is the share of the hosts' spread that their own runs do not explain.
	I2 Quantity
	// P tests that all hosts have one mean, PAdjusted is it within its family.
	P, PAdjusted Quantity
	// Reason is why a figure is not known.
	Reason string
}

// Differ reports whether the hosts are shown to differ.
func (r *HostRow) Differ() bool { return r.PAdjusted.Known && r.PAdjusted.X <= Alpha }

// HostValue is one host in a row.
type HostValue struct {
	Host  string
	Cell  *Cell
	Value string // as printed
	// Ratio is the host over the mean of all others, normalised so that above 1
	// is better; of a test without a known direction above 1 is more.
	Ratio Quantity
	// P tests that the host is like the others, PAdjusted is it within its
	// family.
	P, PAdjusted Quantity
}

// Odd reports whether the host is shown to differ from the rest.
func (v *HostValue) Odd() bool { return v.PAdjusted.Known && v.PAdjusted.X <= Alpha }

// HostWins is which configuration is best in a test on how many hosts.
type HostWins struct {
	Test *Test
	// Hosts have two configurations or more, Ties of them two that print the
	// same best value.
	Hosts, Ties    int
	Configurations []ConfigurationWins
	Reason         string
}

// ConfigurationWins counts the hosts on which a configuration is best, and those
// on which it is shown to be better than the next.
type ConfigurationWins struct {
	Configuration string
	Wins, Clear   int
}

// HostSummary is a host in all rows.
type HostSummary struct {
	Host string
	// Rows have a value of the host and of others, Odd of them one that is
	// shown to differ.
	Rows, Odd int
	// Ratio is the geometric mean of its ratios to the others.
	Ratio Quantity
}

// hostOf returns host and configuration of a system, by its notes.
func hostOf(s *result.System) (host, configuration string) {
	for _, c := range s.Notes {
		switch c.Key {
		case result.HostNote:
			host = c.Value
		case result.ConfigurationNote:
			configuration = c.Value
		}
	}
	return host, configuration
}

// Hosts analyses a replay that was gathered of many hosts. It works on
// logarithms, in which hosts differ by ratios: see [stats.OneWayRandom] for what
// is between and within, and [stats.DeletedResiduals] for which host differs from
// the others, which needs three. Both take the spread within hosts for one. P
// values are adjusted by Holm over all hosts and rows. The error is ErrNoHosts
// where there are not two hosts.
func Hosts(f *result.File) (*HostAnalysis, error) {
	a := &HostAnalysis{Set: NewSet([]*result.File{f})}
	a.Warnings = append(a.Warnings, a.Set.Warnings...)
	for i := range a.Set.Systems {
		host, configuration := hostOf(a.Set.Systems[i].System)
		if host == "" {
			a.Warnings = append(a.Warnings, fmt.Sprintf("%s does not say which host it is of: it is left out", a.Set.Systems[i].Name))
			continue
		}
		if !slices.Contains(a.Hosts, host) {
			a.Hosts = append(a.Hosts, host)
		}
		if !slices.Contains(a.Configurations, configuration) {
			a.Configurations = append(a.Configurations, configuration)
		}
	}
	if len(a.Hosts) < 2 {
		return nil, ErrNoHosts
	}
	for i := range a.Set.Tests {
		for _, c := range a.Configurations {
			if r := a.row(&a.Set.Tests[i], c); r != nil {
				a.Rows = append(a.Rows, *r)
			}
		}
	}
	a.adjust()
	a.wins()
	a.sumUp()
	return a, nil
}

// row returns a configuration in a test, nil where no host has it.
func (a *HostAnalysis) row(t *Test, configuration string) *HostRow {
	r := &HostRow{Test: t, Configuration: configuration}
	var logs []stats.Summary
	var missing []string
	for i := range t.Cells {
		c := &t.Cells[i]
		host, own := hostOf(a.Set.Systems[c.System].System)
		if host == "" || own != configuration {
			continue
		}
		if !c.usable() {
			missing = append(missing, host+": "+c.Problem)
			continue
		}
		v := HostValue{Host: host, Cell: c, Value: c.Measurement.Value}
		r.Values = append(r.Values, v)
		logs = append(logs, logSummary(c))
	}
	switch {
	case len(r.Values) == 0 && len(missing) == 0:
		return nil
	case len(r.Values) == 0:
		r.Reason = "no host has a value: " + missing[0]
		return r
	case len(missing) > 0:
		a.Warnings = append(a.Warnings, fmt.Sprintf("%s, %s: no value of %s", quotedTest(t), configuration, firstOf(missing, 3)))
	}
	for i := range r.Values {
		if r.Values[i].Cell.Figures.Mean <= 0 {
			r.Reason = "a value is not above zero, and has no ratio"
			return r
		}
	}
	r.ratios(logs)
	r.spread(logs)
	return r
}

// logSummary is what a cell says of the logarithm of its mean, by the delta
// method.
func logSummary(c *Cell) stats.Summary {
	s := stats.Summary{Mean: stats.Ln(c.Figures.Mean), SE: c.Figures.SE / c.Figures.Mean, N: c.Figures.N}
	if !c.Tested() {
		// Of several runs whose spread is not known no more is known than of
		// one.
		s.SE, s.N = math.NaN(), min(s.N, 1)
	}
	return s
}

// ratios sets every host against the mean of the others, all alike.
func (r *HostRow) ratios(logs []stats.Summary) {
	if len(logs) < 2 {
		r.Reason = "one host alone"
		return
	}
	for i, l := range logs {
		sum := 0.0 // of differences, so that equal hosts have a ratio of 1
		for _, other := range logs {
			sum += l.Mean - other.Mean
		}
		r.Values[i].Ratio = r.normalised(sum / float64(len(logs)-1))
	}
}

// normalised returns the ratio of a difference of logarithms.
func (r *HostRow) normalised(log float64) Quantity {
	if r.Test.Proportion == result.LIB {
		log = -log
	}
	return known(math.Exp(log))
}

// spread fills in what is between and within, and tests the hosts.
func (r *HostRow) spread(logs []stats.Summary) {
	if len(logs) < 2 {
		return
	}
	o, err := stats.OneWayRandom(logs)
	switch {
	case errors.Is(err, stats.ErrZeroSE):
		r.Reason = "the runs of no host vary: nothing tells what a difference is worth"
		r.Within = known(0)
		return
	case err != nil:
		r.Reason = "the spread within hosts is not known: " + err.Error()
		return
	}
	r.Mean = known(math.Exp(o.Mean))
	r.Between, r.Within = known(relative(o.Tau2)), known(relative(o.Within*o.Within))
	r.I2, r.P = known(o.I2), known(o.P)
	list, err := stats.DeletedResiduals(logs)
	if err != nil {
		r.Reason = "two hosts: nothing tells which of them is the odd one"
		return
	}
	for i, d := range list {
		// The others' mean is weighted here as the test has it.
		r.Values[i].Ratio, r.Values[i].P = r.normalised(d.Difference), known(d.P)
	}
}

// relative returns the relative standard deviation of what has a normal
// logarithm of a variance (Aitchison and Brown 1957).
func relative(variance float64) float64 { return math.Sqrt(math.Expm1(variance)) }

// adjust adjusts the p values, those of hosts and those of rows each as a family
// of their own.
func (a *HostAnalysis) adjust() {
	var hosts, rows []*Quantity
	var to, rowsTo []*Quantity
	for i := range a.Rows {
		r := &a.Rows[i]
		if r.P.Known {
			rows, rowsTo = append(rows, &r.P), append(rowsTo, &r.PAdjusted)
		}
		for k := range r.Values {
			if v := &r.Values[k]; v.P.Known {
				hosts, to = append(hosts, &v.P), append(to, &v.PAdjusted)
			}
		}
	}
	a.Family, a.RowFamily = len(hosts), len(rows)
	holm(hosts, to)
	holm(rows, rowsTo)
}

func holm(from, to []*Quantity) {
	p := make([]float64, len(from))
	for i, q := range from {
		p[i] = q.X
	}
	adjusted, err := stats.Holm(p)
	if err != nil {
		return
	}
	for i, x := range adjusted {
		*to[i] = known(x)
	}
}

// sumUp counts a host's rows.
func (a *HostAnalysis) sumUp() {
	for _, h := range a.Hosts {
		s := HostSummary{Host: h}
		var ratios []float64
		for i := range a.Rows {
			for k := range a.Rows[i].Values {
				v := &a.Rows[i].Values[k]
				if v.Host != h || !v.Ratio.Known {
					continue
				}
				s.Rows++
				// Without a direction a ratio is neither better nor worse.
				if a.Rows[i].Test.Proportion != result.ProportionUnknown {
					ratios = append(ratios, v.Ratio.X)
				}
				if v.Odd() {
					s.Odd++
				}
			}
		}
		if m, err := stats.GeometricMean(ratios); err == nil {
			s.Ratio = known(m)
		}
		a.Summary = append(a.Summary, s)
	}
}
