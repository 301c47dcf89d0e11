package flatrender

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/benchproof/benchproof/result"
)

// bar is one entry of a graph.
type bar struct {
	id    string // as the graph has it: without group in multi-way graphs
	group string
	value string // as printed
	m     *result.Measurement
}

// graph returns the text of a test's graph, "" if it has no value.
func (p *page) graph(t *result.Test) (string, error) {
	bars := p.bars(t)
	if !slices.ContainsFunc(bars, func(b bar) bool { return b.value != "" }) {
		return "", nil
	}
	ids := make([]string, 0, len(t.Measurements))
	for i := range t.Measurements {
		ids = append(ids, p.file.Systems[t.Measurements[i].System].Identifier)
	}
	switch {
	case t.DisplayFormat == "LINE_GRAPH" && !p.tracker:
		if len(p.file.Systems) > 7 || isMulti(ids) {
			return "", errKind
		}
		return p.lineGraph(t, bars), nil
	case t.DisplayFormat != "" && t.DisplayFormat != "BAR_GRAPH":
		return "", errKind
	case p.tracker && isMulti(ids):
		return p.trackerGraph(t, bars), nil
	}
	return p.barGraph(t, bars, isMulti(ids)), nil
}

// bars returns the entries that are drawn, under their full names, with the
// values as printed.
func (p *page) bars(t *result.Test) []bar {
	places := printedDecimals(t)
	var out []bar
	for i := range t.Measurements {
		m := &t.Measurements[i]
		if m.Value == "" && !p.FailedNames {
			continue
		}
		b := bar{id: p.file.Systems[m.System].Identifier, value: m.Value, m: m}
		if v, ok := numeric(m.Value); ok {
			b.value = fixed(v, places)
		}
		out = append(out, b)
	}
	return out
}

// printedDecimals returns the decimals of all values of a test: the most that
// one has, but at most two where the smallest is ten or more. A smallest of
// zero does not count if another value follows it.
func printedDecimals(t *result.Test) int {
	most, least := 0, 0.0
	for i := range t.Measurements {
		text := t.Measurements[i].Value
		for part := range strings.SplitSeq(text, ",") {
			v, ok := numeric(part)
			if !ok {
				continue
			}
			if v < least || least == 0 {
				least = v
			}
			most = max(most, decimals(text))
		}
	}
	if least >= 10 {
		return min(most, 2)
	}
	return most
}

// head returns the texts that every graph begins with, its key apart.
func (p *page) head(t *result.Test) string {
	var b strings.Builder
	b.WriteString(p.mark)
	if scale, _, _ := strings.Cut(t.Scale, "|"); strings.TrimSpace(scale) != "" {
		b.WriteString(strings.TrimSpace(scale))
		switch t.Proportion {
		case result.HIB:
			b.WriteString(", More Is Better")
		case result.LIB:
			b.WriteString(", Fewer Is Better")
		}
	}
	b.WriteString(strings.TrimSpace(t.Title + " " + t.Version))
	for s := range strings.SplitSeq(t.Arguments, "|") {
		b.WriteString(strings.TrimSpace(s))
	}
	return b.String()
}

// barGraph returns the text of a bar graph.
func (p *page) barGraph(t *result.Test, bars []bar, multi bool) string {
	var ids, order []string
	largest := 0.0
	shown := bars[:0:0]
	for _, b := range bars {
		v, _ := numeric(b.m.Value)
		largest = math.Max(largest, v)
		if multi {
			g, l, _ := strings.Cut(b.id, ":")
			b.group, b.id = strings.TrimSpace(g), strings.TrimSpace(l)
			if !in(order, b.group) {
				order = append(order, b.group)
			}
			if !in(ids, b.id) {
				ids = append(ids, b.id)
			}
		} else {
			// A name that PTS takes for an earlier one is left out.
			if in(ids, b.id) {
				continue
			}
			ids = append(ids, b.id)
		}
		shown = append(shown, b)
	}
	bars = shown
	if len(order) < 2 {
		multi = false
	}
	if order == nil {
		order = []string{""}
	}
	var text strings.Builder
	if multi {
		text.WriteString(strings.Join(order, ""))
	}
	text.WriteString(p.head(t))
	for _, id := range ids {
		if !multi {
			text.WriteString(drawn(id))
			continue
		}
		parts := strings.Split(id, " - ")
		for i := len(parts) - 1; i >= 0; i-- {
			text.WriteString(drawn(parts[i]))
		}
	}
	end := top(largest)
	text.WriteString(labels(end))
	var grouped []bar
	for _, g := range order {
		for _, b := range bars {
			if b.group == g || len(order) > 1 && same(b.group, g) {
				grouped = append(grouped, b)
			}
		}
	}
	foot, beside := footnotes(bars)
	var ses, values, notes strings.Builder
	for _, b := range grouped {
		ses.WriteString(stdError(b))
		if v, _ := numeric(b.value); v > 0 {
			values.WriteString(b.value)
		}
		if !multi && noteFits(b, bars, ids, end) {
			notes.WriteString(beside[b.id])
		}
	}
	text.WriteString(ses.String() + values.String() + notes.String())
	for i, n := range foot {
		text.WriteString(wrapped(strconv.Itoa(i+1)+". "+n, 8, 600-5))
	}
	return text.String()
}

// drawn returns the text that is drawn for a name: PTS takes "0" for none.
func drawn(name string) string {
	if name == "0" {
		return ""
	}
	return name
}

// stdError returns the SE that is printed for a bar: for two or more runs.
func stdError(b bar) string {
	runs := rawNumbers(b.m)
	if len(runs) < 2 {
		return ""
	}
	_, sd := deviation(runs)
	return "SE +/- " + fixed(sd/math.Sqrt(float64(len(runs))), max(2, decimals(b.value))) + ", N = " + strconv.Itoa(len(runs))
}

// rawNumbers returns the single runs. A lone run that equals the value is none.
func rawNumbers(m *result.Measurement) []float64 {
	if len(m.RawValues) == 1 && same(m.RawValues[0], m.Value) {
		return nil
	}
	var out []float64
	for _, r := range m.RawValues {
		if v, ok := numeric(r); ok {
			out = append(out, v)
		}
	}
	return out
}

// deviation returns mean and sample standard deviation, zero for fewer than
// two runs.
func deviation(runs []float64) (mean, sd float64) {
	if len(runs) == 0 {
		return 0, 0
	}
	n := float64(len(runs))
	for _, v := range runs {
		mean += v
	}
	mean /= n
	if len(runs) < 2 {
		return mean, 0
	}
	for _, v := range runs {
		sd += (v - mean) * (v - mean)
	}
	return mean, math.Sqrt(sd / (n - 1))
}

// noteFits reports whether a bar is long enough for a note in it: its value
// fits too, and there are not so many bars that they are drawn small.
func noteFits(b bar, bars []bar, ids []string, end float64) bool {
	if len(bars) >= 20 {
		return false
	}
	left := math.Max(textWidth("SE +/- 0.04, N = 3", 9), math.Ceil(textWidth(longest(ids), 10)*1.09)+24)
	left = math.Min(331, math.Max(left, 70)) + 10
	if end == 0 {
		end = 1
	}
	v, _ := numeric(b.value)
	return textWidth(b.value, 10)+2 < math.Max(0, math.Round(v/end*(585-left)))
}
