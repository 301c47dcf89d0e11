package flatrender

import (
	"math"
	"regexp"
	"strings"

	"github.com/benchproof/benchproof/result"
)

// overview returns the text of the overview table: every value of every
// system as it stands in the source.
func (p *page) overview() string {
	t := &table{columns: names(p.file), cells: make([][]string, len(p.file.Systems))}
	pending := "" // label of a row that came to nothing: the next one takes its place
	var only *result.Test
	for i := range p.file.Tests {
		test := &p.file.Tests[i]
		if test.Profile == "" {
			continue
		}
		row := rowLabel(test)
		if !hasNumber(test) {
			pending = row
			continue
		}
		pending = ""
		t.rows = append(t.rows, row)
		only = test
		if test.DisplayFormat != "BAR_GRAPH" {
			continue
		}
		for k := range test.Measurements {
			m := &test.Measurements[k]
			if _, ok := numeric(m.Value); ok {
				t.cells[m.System] = append(t.cells[m.System], m.Value)
			}
		}
	}
	single := len(t.rows) == 1
	if pending != "" {
		t.rows = append(t.rows, pending)
	}
	if single {
		p.extras(t, only)
	}
	return t.text(p)
}

func hasNumber(t *result.Test) bool {
	for i := range t.Measurements {
		if _, ok := numeric(t.Measurements[i].Value); ok {
			return true
		}
	}
	return false
}

// extras adds what the table of a single test shows beside the values: how
// many times each is the worst, its SE and its deviation.
func (p *page) extras(t *table, test *result.Test) {
	low, high := math.Inf(1), math.Inf(-1)
	for i := range test.Measurements {
		if v, ok := numeric(test.Measurements[i].Value); ok {
			high = math.Max(high, v)
			if v != 0 {
				low = math.Min(low, v)
			}
		}
	}
	var diff, se, dev bool
	for i := range test.Measurements {
		m := &test.Measurements[i]
		v, ok := numeric(m.Value)
		if !ok {
			continue
		}
		add := func(text string, suffix string) bool {
			if x, _ := numeric(text); x == 0 {
				return false
			}
			t.cells[m.System] = append(t.cells[m.System], text+suffix)
			return true
		}
		if low != high {
			ratio := v / low
			if test.Proportion == result.LIB {
				ratio = 1 - v/high + 1
			}
			diff = add(fixed(ratio, 2), "x") || diff
		}
		runs := rawNumbers(m)
		mean, sd := deviation(runs)
		if len(runs) > 0 {
			se = add(fixed(sd/math.Sqrt(float64(len(runs))), 2), "") || se
		}
		if mean != 0 {
			dev = add(fixed(sd/mean*100, 2), "%") || dev
		}
	}
	for _, r := range []struct {
		there bool
		label string
	}{{diff, "Difference"}, {se, "Standard Error"}, {dev, "Standard Deviation"}} {
		if r.there {
			t.rows = append(t.rows, r.label)
		}
	}
}

// The words that a row's label shortens, each with the blank behind it.
var shorter = []struct {
	word *regexp.Regexp
	to   string
}{
	{regexp.MustCompile(`(?i)random `), "Rand "},
	{regexp.MustCompile(`(?i)sequential `), "Seq "},
	{regexp.MustCompile(`(?i)frequency `), "Freq "},
	{regexp.MustCompile(`(?i)temperature `), "Temp "},
	{regexp.MustCompile(`(?i)localhost - `), " "},
	{regexp.MustCompile(`(?i)- D\.T\.D `), " "},
}

// rowLabel returns a test's label in the overview: the profile without its
// repository and version, and the options without their keys.
func rowLabel(t *result.Test) string {
	parts := strings.Split(t.Arguments, " - ")
	for i, s := range parts {
		if _, value, ok := strings.Cut(s, ": "); ok {
			parts[i] = value
		}
	}
	options := strings.Join(parts, " - ") + " "
	for _, s := range shorter {
		options = s.word.ReplaceAllLiteralString(options, s.to)
	}
	return baseName(t.Profile) + ": " + strings.TrimSpace(options)
}

// baseName returns the name of a profile alone: "fio" of "pts/fio-1.11.2".
func baseName(profile string) string {
	name := profile[strings.LastIndexByte(profile, '/')+1:]
	if i := strings.LastIndexByte(name, '-'); i > 0 && strings.Contains(name[i:], ".") {
		name = name[:i]
	}
	return name
}
