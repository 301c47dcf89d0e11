package xlsx

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/benchproof/benchproof/analyze"
	"github.com/benchproof/benchproof/analyze/stats"
	"github.com/benchproof/benchproof/export"
	"github.com/benchproof/benchproof/internal/number"
	"github.com/benchproof/benchproof/result"
)

// valueComments are the comments of the sheet Results: how sure each value is,
// and where it was read.
func (w *Writer) valueComments(wide *export.WideTable) []comment {
	if len(wide.Columns()) > w.maxColumns {
		return nil // the sheet is left out
	}
	values := 0
	for _, cells := range wide.Cells() {
		for _, m := range cells {
			if m != nil {
				values++
			}
		}
	}
	if !w.fits("Results", values, "the sheet Records says the same in columns") {
		return nil
	}
	var files []*result.File // a column
	for _, f := range w.files {
		for range f.Systems {
			files = append(files, f)
		}
	}
	rows := map[*result.Measurement]*analyze.CompareRow{}
	for _, c := range w.comparisons {
		for i := range c.Rows {
			if r := &c.Rows[i]; r.Ratio.Known && rows[r.Cell.Measurement] == nil {
				rows[r.Cell.Measurement] = r
			}
		}
	}
	list := make([]comment, 0, values)
	row := 0
	for t, cells := range wide.Cells() {
		for i, m := range cells {
			if m != nil {
				list = append(list, comment{row, resultHead + i, valueComment(t, m, rows[m], files[i].Source)})
			}
		}
		row++
	}
	return list
}

// valueComment says in words what is known of a value beside it: by the source,
// and by its comparison, nil where there is none.
func valueComment(t *result.Test, m *result.Measurement, compared *analyze.CompareRow, source string) string {
	var b strings.Builder
	line := func(format string, args ...any) {
		if b.Len() > 0 {
			b.WriteByte('\n')
		}
		fmt.Fprintf(&b, format, args...)
	}
	switch {
	case m.Status == result.StatusFailed:
		line("%s", m.Failure())
	case m.Decode == result.DecodeAmbiguous:
		line("ambiguous: the source leaves the readings %s", strings.Join(m.Alternatives, ", "))
	default:
		line("%s%s", m.Value, after(" ", t.Scale))
		if _, ok := m.Number(); ok {
			line("%s", uncertainty(m))
		}
		if m.Decode == result.DecodeInferred {
			line("%s", export.InferredMeaning)
		}
	}
	if compared != nil {
		line("%s: ratio %s, %s", verdictText(compared), number.Significant(compared.Ratio.X, 6), interval(compared.Interval))
	}
	if n := len(m.RawValues); n > 0 {
		shown := m.RawValues[:min(n, 10)]
		text := strings.Join(shown, "; ")
		if n > len(shown) {
			text += fmt.Sprintf(" and %d more", n-len(shown))
		}
		line("runs: %s", text)
	}
	for _, note := range m.Notes {
		line("%s", note)
	}
	if m.Replay != nil {
		line("replayed by %s, %s%s", m.Replay.Driver, m.Replay.Fidelity, after(", ", m.Replay.Scaling))
	}
	line("%s", place(m, source))
	return b.String()
}

// verdictText is a verdict with what it is about.
func verdictText(r *analyze.CompareRow) string {
	link := "against"
	switch r.Verdict {
	case analyze.Better, analyze.Worse:
		link = "than"
	case analyze.Equivalent:
		link = "to"
	}
	return fmt.Sprintf("%s %s %s", r.Verdict, link, r.BaselineName)
}

// after is text with a mark before it, "" without text.
func after(mark, text string) string {
	if text == "" {
		return ""
	}
	return mark + text
}

// uncertainty is the interval of a value at 95 % with what it is made of, or
// why there is none.
func uncertainty(m *result.Measurement) string {
	text, n := number.Figures(m)
	interval, err := valueInterval(m)
	basis := fmt.Sprintf("SE %s, N %s", orUnknown(text), orUnknown(countText(n)))
	if m.StdErrorDerived || m.StdError == "" && text != "" {
		basis += ", from the single runs"
	}
	switch {
	case err == nil:
		// One place more than the value: where the interval ends matters
		// less than the value does.
		places := result.Decimals(m.Value) + 1
		return fmt.Sprintf("95 %% CI %s to %s (%s)", decimals(interval.Low, places), decimals(interval.High, places), basis)
	case errors.Is(err, stats.ErrZeroSE):
		return fmt.Sprintf("no interval: the standard error prints as zero (%s)", basis)
	case text == "":
		return "no uncertainty known"
	}
	return fmt.Sprintf("no interval (%s)", basis)
}

// valueInterval is the interval of a value at 95 %, by its standard error and
// N.
func valueInterval(m *result.Measurement) (stats.Interval, error) {
	v, ok := m.Number()
	if !ok {
		return stats.Interval{}, stats.ErrNotFinite
	}
	text, n := number.Figures(m)
	se, ok := result.ParseNumber(text)
	if !ok {
		se = math.NaN()
	}
	return stats.MeanInterval(stats.Summary{Mean: v, SE: se, N: n}, analyze.Level)
}

func decimals(v float64, places int) string {
	if a := math.Abs(v); places > 15 || a >= 1e15 {
		return number.Significant(v, 6)
	}
	return strconv.FormatFloat(v, 'f', places, 64)
}

func countText(n int) string {
	if n == 0 {
		return ""
	}
	return strconv.Itoa(n)
}

func orUnknown(text string) string {
	if text == "" {
		return "unknown"
	}
	return text
}

// place is where a measurement was read, by which rule and how surely.
func place(m *result.Measurement, source string) string {
	o := m.Origin
	if o.Source != "" {
		source = o.Source
	}
	where := orUnknown(source)
	if o.Line > 0 {
		where += fmt.Sprintf(", line %d, column %d", o.Line, o.Column)
	}
	return fmt.Sprintf("%s%s: %s", where, after(", by rule ", o.Rule), m.Decode)
}
