package terminal

import (
	"strconv"
	"strings"

	"github.com/benchproof/benchproof/analyze"
	"github.com/benchproof/benchproof/analyze/stats"
	"github.com/benchproof/benchproof/export"
	"github.com/benchproof/benchproof/internal/term"
	"github.com/benchproof/benchproof/result"
)

// row is one measurement, ready to be set.
type row struct {
	name    string
	value   string // as published, or in words
	mark    string // of certainty, behind the value
	figures string // standard error and N
	style   style
	number  float64
	high    float64 // upper end of the mean's interval, number where unknown
	barred  bool    // number is one and gets a bar
	words   bool    // value is a sentence that takes the rest of the line
}

// test prints one test: its head, a line a measurement, and what else the
// source says below its graph.
func (v *view) test(t *result.Test, cells *analyze.Test, names []string) {
	v.line("")
	v.paragraph(0, term.Visible(strings.TrimSpace(t.Title+" "+t.Version))+v.mark(t.HeadDecode), bold)
	v.paragraph(0, term.Visible(t.Arguments), plain)
	unit := export.ProportionText(t.Proportion)
	if t.Scale != "" {
		unit = t.Scale + ", " + unit
	}
	v.paragraph(0, term.Visible(unit), dim)

	v.rows(v.measurements(t, cells, names))
	v.missing(t, names)
	for _, u := range t.Unassigned {
		var of []string
		for _, s := range u.Systems {
			of = append(of, names[s])
		}
		text := "SE " + u.StdError
		if u.Samples > 0 {
			text += ", N=" + strconv.Itoa(u.Samples)
		}
		v.paragraph(2, term.Visible(text+": of one of "+strings.Join(of, ", ")), dim)
	}
	for i := range t.Measurements {
		for _, n := range t.Measurements[i].Notes {
			v.paragraph(2, term.Visible(names[t.Measurements[i].System]+": "+n), dim)
		}
	}
	for i, n := range t.Footnotes {
		v.paragraph(2, strconv.Itoa(i+1)+". "+term.Visible(n), dim)
	}
	if t.Annotation != "" {
		v.paragraph(2, term.Visible(t.Annotation), dim)
	}
	v.explain()
}

// measurements turns a test's measurements into rows.
func (v *view) measurements(t *result.Test, cells *analyze.Test, names []string) []row {
	rows := make([]row, len(t.Measurements))
	for i := range t.Measurements {
		m := &t.Measurements[i]
		r := &rows[i]
		r.name = term.Visible(names[m.System])
		switch {
		case m.Status == result.StatusFailed:
			r.value, r.words = term.Visible(m.Failure()), true
		case m.Decode == result.DecodeAmbiguous:
			r.value, r.words = v.mark(m.Decode), true
			if len(m.Alternatives) > 0 {
				r.value += " " + term.Visible(strings.Join(m.Alternatives, " or "))
			}
		default:
			r.value = term.Visible(m.Value)
			r.number, r.barred = m.Number()
			r.high = r.number
			if c := cells.Cell(m.System); c != nil && c.Measurement == m && c.Tested() {
				if iv, err := stats.MeanInterval(c.Figures.Summary, analyze.Level); err == nil {
					r.high = iv.High
				}
			}
			r.mark = v.mark(m.Decode)
			if !r.barred {
				r.value, r.words = v.shortList(r.value)+r.mark, true
			}
		}
		if stdError, samples := export.ShownFigures(m); !r.words {
			r.figures = v.figures(stdError, samples)
		}
	}
	v.rank(t, rows)
	return rows
}

// shortList cuts the values of a line graph down to the first few.
func (v *view) shortList(value string) string {
	const shown = 4
	more := ",… ("
	if v.o.ASCII {
		more = ",... ("
	}
	parts := strings.SplitN(value, ",", shown+1)
	if len(parts) <= shown {
		return value
	}
	n := strings.Count(value, ",") + 1
	return strings.Join(parts[:shown], ",") + more + strconv.Itoa(n) + " values)"
}

func (v *view) figures(stdError string, samples int) string {
	var parts []string
	if stdError != "" {
		sign := "±"
		if v.o.ASCII {
			sign = "+/-"
		}
		parts = append(parts, sign+term.Visible(stdError))
	}
	if samples > 0 {
		parts = append(parts, "N="+strconv.Itoa(samples))
	}
	return strings.Join(parts, " ")
}

// rank styles the best and the worst rows, where the test says which way is
// better and its values differ.
func (v *view) rank(t *result.Test, rows []row) {
	var low, high float64
	n := 0
	for i := range rows {
		if !rows[i].barred {
			continue
		}
		x := rows[i].number
		if n++; n == 1 {
			low, high = x, x
		}
		low, high = min(low, x), max(high, x)
	}
	if low == high || t.Proportion == result.ProportionUnknown {
		return
	}
	top, bottom := high, low
	if t.Proportion == result.LIB {
		top, bottom = low, high
	}
	v.legend.color.used = v.legend.color.used || v.o.Color
	for i := range rows {
		switch {
		case !rows[i].barred:
		case rows[i].number == top:
			rows[i].style = best
		case rows[i].number == bottom:
			rows[i].style = worst
		}
	}
}

// rows prints the rows in columns: name, value, figures, bar.
func (v *view) rows(rows []row) {
	values := make([]string, len(rows))
	for i, r := range rows {
		if !r.words {
			values[i] = r.value
		}
	}
	values = alignPoints(values)
	name, value, figures, top, high := 0, 0, 0, 0.0, 0.0
	for i, r := range rows {
		if !r.words {
			values[i] += r.mark
		}
		name = max(name, term.Width(r.name))
		value = max(value, term.Width(values[i]))
		figures = max(figures, term.Width(r.figures))
		top, high = max(top, r.number), max(high, r.high)
	}
	// Whiskers may take a fifth of the room, and bars no less than the rest.
	top = max(top, min(high, top/0.8))
	name = min(name, max(20, v.o.Width*2/5))
	used := 2 + name + 2 + value
	if figures > 0 {
		used += 2 + figures
	}
	cells := v.o.Width - used - 2
	for i, r := range rows {
		lines := term.Wrap(r.name, name)
		text := "  " + term.Pad(lines[0], name, false) + "  "
		if r.words {
			v.words(text, r.value, 4+name)
		} else {
			text += v.paint(term.Pad(values[i], value, false), r.style)
			if figures > 0 {
				text += "  " + term.Pad(r.figures, figures, false)
			}
			if b := term.Bar(r.number, top, cells, v.o.ASCII); b != "" && cells >= 8 {
				whisker := term.Whisker(r.number, r.high, top, cells, v.o.ASCII)
				v.legend.whisker.used = v.legend.whisker.used || whisker != ""
				color := r.style
				if color == plain {
					color = calm
				}
				text += "  " + v.paint(b, color) + v.paint(whisker, dim)
			}
			v.line(strings.TrimRight(text, " "))
		}
		for _, l := range lines[1:] {
			v.line("  " + l)
		}
	}
}

// words prints a sentence behind a name, wrapped in its own column.
func (v *view) words(name, text string, indent int) {
	for i, l := range term.Wrap(text, max(v.o.Width-indent, 12)) {
		if i > 0 {
			name = strings.Repeat(" ", indent)
		}
		v.line(strings.TrimRight(name+l, " "))
	}
}

// missing names the systems that have no measurement.
func (v *view) missing(t *result.Test, names []string) {
	has := make([]bool, len(names))
	for i := range t.Measurements {
		has[t.Measurements[i].System] = true
	}
	var without []string
	for i, name := range names {
		if !has[i] {
			without = append(without, name)
		}
	}
	if len(without) > 0 {
		v.paragraph(2, term.Visible("no value: "+strings.Join(without, ", ")), dim)
	}
}
