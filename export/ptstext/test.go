package ptstext

import (
	"math"
	"strings"

	"github.com/benchproof/benchproof/internal/term"
	"github.com/benchproof/benchproof/result"
)

// row is a line of a test.
type row struct {
	name  string
	value string  // as written
	size  float64 // of the bar
	list  *spread // of a list of values
	word  bool    // value is a word such as PASS
	left  bool    // left out
}

// test writes the head and the rows of a test. names are those of the
// systems.
func (w *Writer) test(t *result.Test, names []string) {
	w.line(strings.TrimSpace(term.Visible(t.Title + " " + t.Version)))
	w.line(term.Visible(t.Arguments))
	scale := term.Visible(t.Scale)
	switch t.Proportion {
	case result.HIB:
		scale += " > Higher Is Better"
	case result.LIB:
		scale += " < Lower Is Better"
	}
	w.line(scale)

	longest := longestName(t, names)
	for _, r := range w.rows(t, names, longest) {
		if r.left {
			continue
		}
		w.w.WriteString(r.name + " " + strings.Repeat(".", max(1, longest+1-len(r.name))) + " ")
		w.w.WriteString(r.value)
		w.w.WriteByte('\n')
	}
}

// paddedMost is the length in bytes from which a name does not make the names
// of other rows longer.
const paddedMost = 1000

// longestName returns the length of the longest name of a test's rows, those
// without a value included. It is in bytes, as in PTS.
func longestName(t *result.Test, names []string) int {
	longest := 0
	for i := range t.Measurements {
		if n := len(names[t.Measurements[i].System]); n <= paddedMost {
			longest = max(longest, n)
		}
	}
	return longest
}

// rows returns the rows of a test, their values ready to be written.
func (w *Writer) rows(t *result.Test, names []string, longest int) []row {
	var rows []row
	var figures []string
	lists := false
	for i := range t.Measurements {
		m := &t.Measurements[i]
		switch {
		case m.Status == result.StatusFailed || m.Value == "" && m.Decode != result.DecodeAmbiguous:
			w.failed++
			continue
		case m.Decode == result.DecodeAmbiguous:
			w.ambiguous++
			continue
		case m.Decode == result.DecodeInferred:
			w.inferred++
		}
		r := row{name: names[m.System]}
		if v, ok := result.ParseNumber(m.Value); ok {
			r.size = v
			figures = append(figures, m.Value)
		} else if r.list = parseSpread(m.Value); r.list != nil {
			lists = true
		} else {
			r.word = true
		}
		r.value = m.Value
		rows = append(rows, r)
	}
	if lists {
		writeSpreads(rows)
		return rows
	}
	decimals := precision(figures)
	largest, widest := math.Inf(-1), 0
	for i := range rows {
		r := &rows[i]
		if r.word {
			// PTS leaves the place of a number empty that is none.
			if r.value = term.Visible(r.value); notNumber(r.value) {
				w.blanks++
				r.value = ""
			}
			continue
		}
		r.value = round(r.value, decimals)
		r.size, _ = result.ParseNumber(r.value) // a bar is that of the printed value
		largest = max(largest, r.size)
		widest = max(widest, len(r.value))
	}
	for i := range rows {
		r := &rows[i]
		if r.word {
			continue
		}
		prefix := longest + 3 + widest + 2
		if r.value == "0" {
			w.zeros++ // PTS takes the figure 0 for nothing
			r.left = true
			continue
		}
		r.value += strings.Repeat(" ", widest+1-len(r.value)) + "|" + bar(r.size, largest, w.columns()-prefix)
	}
	return rows
}

// bar returns the bar of a value: the largest one of a test has all of width.
func bar(v, largest float64, width int) string {
	// A half may come out as a little less: PTS rounds to 15 digits first.
	n := math.Floor(v/largest*float64(width) + 0.5 + 1e-12)
	if width <= 0 || !(n >= 1) { // also if it is NaN
		return ""
	}
	return strings.Repeat("=", int(min(n, float64(width))))
}
