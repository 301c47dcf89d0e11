package flat

import (
	"fmt"
	"strings"

	"github.com/benchproof/benchproof/result"
)

// box is a row of a box plot, which prints the spread of a system's runs in place
// of its result: "Min: 1.4 / Avg: 1.5 / Max: 1.6".
type box struct {
	min, avg, max string
	off           int // of avg, in what follows the axis
}

const (
	boxMark    = "Min: "
	averageSep = " / Avg: "
	mostSep    = " / Max: "
)

// boxes reads the rows of a box plot that text begins with, and returns what
// follows them. The digit of the first footnote may run into the last row.
func boxes(text string) (list []box, rest string) {
	rest = text
	for strings.HasPrefix(rest, boxMark) {
		low, after, ok := strings.Cut(rest[len(boxMark):], averageSep)
		average, more, ok2 := strings.Cut(after, mostSep)
		n := 0
		for n < len(more) && (isDigit(more[n]) || more[n] == '.') {
			n++
		}
		if n >= 2 && n < len(more) && more[n] == ' ' && more[n-2:n] == "1." {
			n -= 2
		}
		if !ok || !ok2 || !isNumberText(low) || !isNumberText(average) || !isNumberText(more[:n]) {
			break
		}
		list = append(list, box{low, average, more[:n], len(text) - len(after)})
		rest = more[n:]
		if next := strings.TrimLeft(rest, " "); strings.HasPrefix(next, boxMark) {
			rest = next
		}
	}
	return list, rest
}

// boxMeasurements adds the averages of a box plot, if its rows are as many as the
// systems that it names, and reports whether they are.
func (r *reader) boxMeasurements(t *result.Test, g *graph, d decoded) bool {
	if len(g.boxes) == 0 || len(d.names) == 0 {
		return false
	}
	var systems []int
	for i := range g.axes {
		if g.chosen >= 0 && i != g.chosen {
			continue
		}
		masks := runMasks(g.axes[i].run, d.names)
		if len(masks) != 1 {
			continue
		}
		systems = nil
		for sys, has := range masks[0] {
			if has {
				systems = append(systems, sys)
			}
		}
		if len(systems) == len(g.boxes) {
			break
		}
	}
	if len(systems) != len(g.boxes) {
		return false
	}
	t.DisplayFormat = "HORIZONTAL_BOX_PLOT"
	r.diagnose(result.SeverityInfo, g.off, "box-plot",
		fmt.Sprintf("the page prints minimum, average and maximum of the runs of %q, not their result", excerpt(t.Title)))
	for i, b := range g.boxes {
		m := result.Measurement{System: systems[i], Decode: max(result.DecodeInferred, d.nameDecode[systems[i]]), Origin: r.doc.Origin(g.off+g.regionOff+b.off, "flat/box-average")}
		if m.Decode == result.DecodeAmbiguous {
			m.Alternatives = []string{b.avg} // whose it is is not known
		} else {
			m.Value, m.Min, m.Max = b.avg, b.min, b.max
		}
		t.Measurements = append(t.Measurements, m)
	}
	return true
}
