package export

import (
	"bufio"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/benchproof/benchproof/analyze"
	"github.com/benchproof/benchproof/internal/number"
	"github.com/benchproof/benchproof/internal/term"
)

// TextOptions are those of comparisons and rankings for people.
type TextOptions struct {
	Width int // cells of a line; 80 if 0, never below 40
	// ASCII writes our own words and lines in ASCII letters. Text of the
	// source stays.
	ASCII bool
	// Color sets titles in bold and verdicts in colour. The words stay.
	Color bool
}

// wide is the width from which tables have more columns.
const wide = 120

// report prints the parts of a text report.
type report struct {
	w *bufio.Writer
	o TextOptions
	// common is the reason of all rows, which is said once.
	common string
}

func newReport(w io.Writer, o TextOptions) *report {
	if o.Width == 0 {
		o.Width = 80
	}
	o.Width = max(o.Width, 40)
	return &report{w: bufio.NewWriterSize(w, 64<<10), o: o}
}

var toASCII = strings.NewReplacer("–", "-", "±", "+/-", "…", "...", "×", "x")

func (t *report) line(text string) {
	t.w.WriteString(text)
	t.w.WriteByte('\n')
}

// words prints text of ours and of the source, wrapped; further lines are
// indented by two more.
func (t *report) words(indent int, text, style string) {
	if text == "" {
		return
	}
	if t.o.ASCII {
		text = toASCII.Replace(text)
	}
	for i, l := range term.Wrap(term.Visible(text), t.o.Width-indent-2) {
		if i == 1 {
			indent += 2
		}
		t.line(strings.Repeat(" ", indent) + t.paint(l, style))
	}
}

func (t *report) paint(text, style string) string {
	if !t.o.Color {
		return text
	}
	return term.Paint(text, style)
}

// styles of text.
const (
	bold = "1"
	dim  = "2"
	good = "32" // green
	bad  = "31" // red
	open = "33" // yellow
	calm = "36" // cyan
)

// Measures of tables: the spaces before their lines and between columns.
const (
	tableIndent = 2
	tableGap    = 2
)

// table prints a table.
func (t *report) table(table *term.Table) {
	table.Width, table.ASCII, table.Indent, table.Color = t.o.Width, t.o.ASCII, tableIndent, t.o.Color
	// Errors of the buffered writer come back from its Flush.
	_, _ = table.WriteTo(t.w)
}

// heading prints what a test is: title, arguments, unit and direction.
func (t *report) heading(test, arguments, scale, better string) {
	t.line("")
	t.words(0, test, bold)
	t.words(0, arguments, "")
	if scale != "" {
		better = scale + ", " + better
	}
	t.words(0, better, dim)
}

// files names what was read.
func (t *report) files(s *analyze.Set) {
	for _, f := range s.Files {
		title := f.Title
		if title == "" {
			title = f.Source
		} else {
			title += " (" + f.Source + ")"
		}
		t.words(0, title, bold)
	}
}

// decimals returns how many decimals a ratio is worth: two digits of half its
// interval, or three digits of itself where it has none.
func decimals(x float64, iv analyze.Range) int {
	d := 2 - int(math.Floor(math.Log10(math.Abs(x))))
	if iv.Low.Known && iv.High.Known && iv.High.X > iv.Low.X {
		// Never less than two digits of the ratio itself.
		d = max(d-1, 1-int(math.Floor(math.Log10((iv.High.X-iv.Low.X)/2))))
	}
	return min(max(d, 0), 6)
}

// ratioCell returns a ratio with the digits that its uncertainty allows.
func ratioCell(q analyze.Quantity, iv analyze.Range) string {
	switch {
	case !q.Known || q.X <= 0:
		return ""
	case q.X < 0.001 || q.X >= 1e6:
		return number.Significant(q.X, 3)
	}
	return strconv.FormatFloat(q.X, 'f', decimals(q.X, iv), 64)
}

func intervalCell(iv analyze.Range) string {
	if !iv.Low.Known || !iv.High.Known {
		return ""
	}
	switch {
	case iv.Low.X > 0 && iv.High.X/iv.Low.X > 100:
		// One number of decimals would not do for both.
		return number.Significant(iv.Low.X, 2) + " to " + number.Significant(iv.High.X, 2)
	case iv.Low.X < 0.001 || iv.High.X >= 1e6:
		return number.Significant(iv.Low.X, 3) + " to " + number.Significant(iv.High.X, 3)
	}
	d := decimals(1, iv)
	return strconv.FormatFloat(iv.Low.X, 'f', d, 64) + " to " + strconv.FormatFloat(iv.High.X, 'f', d, 64)
}

// pCell returns a p value with at most four decimals.
func pCell(q analyze.Quantity) string {
	switch {
	case !q.Known:
		return ""
	case q.X < 0.0001:
		return "<0.0001"
	}
	return strconv.FormatFloat(q.X, 'f', 4, 64)
}

// RatioText returns a ratio with the digits that its interval allows, as the
// reports for people print it; "" where it is not known.
func RatioText(ratio analyze.Quantity, in analyze.Range) string { return ratioCell(ratio, in) }

// IntervalText returns an interval of a ratio as "0.92 to 1.17"; "" where it is
// not known.
func IntervalText(in analyze.Range) string { return intervalCell(in) }
