package flat

import (
	"math"
	"strconv"
	"strings"
)

// graph is one bar graph's text, read as far as it can be by itself.
type graph struct {
	graphLine
	legend  string // text before the watermark: groups of a multi-way graph
	scale   string
	lower   bool   // fewer is better
	title   string // as the heading has it
	version string

	// tail is what follows the arguments (or the title, where there are
	// none): [version] identifiers ticks SE values notes.
	tail    string
	tailOff int // in the line

	axes   []axis // the readings of version, identifiers and axis
	chosen int    // index of the reading taken, -1 if none fits
	ses    []stdError
	// region holds the digits behind the last "N = " (the last N, then the
	// values), or behind the ticks where there is no SE.
	region    string
	regionOff int // in the line
	decimals  int
	dots      int
	minMax    []minMax
	boxes     []box
	notes     string // text behind the values
	footnotes []string
	lines     string // the legend of a line graph, "MinAvgMax" and its lines
	spaced    bool   // a blank stands between the drawing's texts
	cut       bool   // the page may end within the values
	isLine    bool   // line graph: MIN, AVG and MAX instead of values
}

// axis is one reading of where the identifiers of a graph end.
type axis struct {
	version string
	run     string // identifiers run together
	next    int    // spaced form without SE: index of the first value's token
	ticks
}

// stdError is one printed "SE +/- x, N = n". The last one's N runs into the
// first value: then n is 0.
type stdError struct {
	text string
	n    int
	off  int // of text, in the line
}

type minMax struct{ min, max string }

const seMark = "SE +/- "

// readGraph takes a graph's text apart. It fails only for text without the
// caption.
func readGraph(gl graphLine) (*graph, bool) {
	g := &graph{graphLine: gl}
	text := gl.text
	start, end, lower, ok := markProportion(text)
	if !ok {
		return nil, false
	}
	g.lower = lower
	caption := strings.TrimSuffix(text[:start], ", ")
	mark, markLen := strings.LastIndex(caption, watermarkSite), len(watermarkSite)
	if mark < 0 {
		mark, markLen = strings.LastIndex(caption, watermarkLocal), len(watermarkLocal)
	}
	if mark < 0 {
		return nil, false
	}
	g.legend = caption[:mark]
	g.scale = trimClientVersion(caption[mark+markLen:])
	if strings.HasPrefix(g.legend, legendHead) {
		g.isLine, g.lines = true, g.legend
		g.legend = legendNames(g.legend)
	}
	rest := text[end:]
	if strings.HasPrefix(rest, " ") {
		g.spaced = true
		g.legend, g.scale = strings.TrimSpace(g.legend), strings.TrimSpace(g.scale)
		if g.legend != "" {
			g.legend += " "
		}
		rest, end = rest[1:], end+1
	}
	g.readHead(rest, end)
	if g.spaced {
		g.tailOff += len(g.tail) - len(strings.TrimLeft(g.tail, " "))
		g.tail = strings.TrimLeft(g.tail, " ")
		g.readSpacedTail()
	} else {
		g.readTail()
	}
	return g, true
}

// trimClientVersion removes a client version that a local watermark carries
// in front of the scale.
func trimClientVersion(s string) string {
	t := strings.TrimPrefix(strings.TrimPrefix(s, " "), "v")
	i := 0
	for i < len(t) && (t[i] >= '0' && t[i] <= '9' || t[i] == '.') {
		i++
	}
	if strings.Count(t[:i], ".") == 2 {
		return t[i:]
	}
	return s
}

// readHead finds title, version and arguments at the start of rest, which
// begins at offset off of the line.
func (g *graph) readHead(rest string, off int) {
	g.title = g.graphLine.title.text
	if g.title == "" || !strings.HasPrefix(rest, g.title) {
		// No heading to tell the title by: all of it stays in the tail.
		g.tail, g.tailOff = rest, off
		return
	}
	i := len(g.title)
	args := drawnArguments(g.graphLine.arguments.text, g.spaced)
	if args != "" {
		if j := strings.Index(rest[i:], args); j >= 0 {
			g.version = strings.TrimSpace(rest[i : i+j])
			i += j + len(args)
		}
	}
	g.tail, g.tailOff = rest[i:], off+i
}

// readTail reads SE entries, ticks and the region of the values.
func (g *graph) readTail() {
	first := strings.Index(g.tail, seMark)
	if first >= 0 {
		for _, t := range ticksBefore(g.tail[:first]) {
			g.addAxes(t)
		}
		next := g.readStdErrors(first)
		g.readRegion(next)
		return
	}
	for _, t := range ticksIn(g.tail, g.isLine) {
		g.addAxes(t)
	}
}

// addAxes adds a reading of the ticks. Where a graph has no arguments its
// version stands between title and identifiers with no mark: each blank
// within, and each end of a number or word, may end it.
func (g *graph) addAxes(t ticks) {
	head := g.tail[:t.start]
	g.axes = append(g.axes, axis{run: head, ticks: t})
	if g.graphLine.arguments.text != "" {
		return
	}
	if g.spaced {
		// The version is the first word or two, if there is one.
		for i, n := 0, 0; i < len(head) && n < 2; i++ {
			if head[i] == ' ' {
				n++
				g.axes = append(g.axes, axis{version: head[:i], run: head[i+1:], ticks: t})
			}
		}
		return
	}
	if !strings.HasPrefix(head, " ") {
		return
	}
	for i := 2; i <= len(head) && i < 40; i++ {
		if i < len(head) && (head[i] == ' ' || head[i-1] == ' ') {
			continue
		}
		g.axes = append(g.axes, axis{version: head[1:i], run: head[i:], ticks: t})
	}
}

// readStdErrors reads the SE entries that begin at offset i of the tail and
// returns the offset behind the last "N = ".
func (g *graph) readStdErrors(i int) int {
	for strings.HasPrefix(g.tail[i:], seMark) {
		s := g.tail[i+len(seMark):]
		comma := strings.Index(s, ", N = ")
		if comma < 0 || comma > 24 || !isNumberText(s[:comma]) {
			return i
		}
		se := stdError{text: s[:comma], off: g.tailOff + i + len(seMark)}
		i += len(seMark) + comma + len(", N = ")
		j := i
		for j < len(g.tail) && isDigit(g.tail[j]) {
			j++
		}
		if strings.HasPrefix(g.tail[j:], seMark) {
			se.n, _ = strconv.Atoi(g.tail[i:j])
			g.ses = append(g.ses, se)
			i = j
			continue
		}
		g.ses = append(g.ses, se)
		return i
	}
	return i
}

// readRegion reads the digits and points from offset i of the tail on, and
// what follows them.
func (g *graph) readRegion(i int) {
	j := i
	for j < len(g.tail) && (isDigit(g.tail[j]) || g.tail[j] == '.') {
		j++
	}
	// "1. note": the point is the footnote's if a blank follows it, and the
	// digit before it is the footnote's number.
	if j > i && j < len(g.tail) && g.tail[j] == ' ' && g.tail[j-1] == '.' && j-2 >= i && g.tail[j-2] == '1' {
		j -= 2
	}
	g.region, g.regionOff = g.tail[i:j], g.tailOff+i
	g.notes = g.tail[j:]
	if g.region == "" {
		g.boxes, g.notes = boxes(g.notes)
	}
	g.dots = strings.Count(g.region, ".")
	g.decimals = 0
	if g.dots > 0 {
		g.decimals = len(g.region) - strings.LastIndexByte(g.region, '.') - 1
	}
	g.readNotes()
}

// readNotes reads the notes behind the values: MIN / MAX of single bars and
// the footnotes "1. …", "2. …".
func (g *graph) readNotes() {
	notes := g.notes
	for strings.HasPrefix(notes, "MIN: ") {
		rest := notes[len("MIN: "):]
		sep := strings.Index(rest, " / MAX: ")
		if sep < 0 || !isNumberText(rest[:sep]) {
			break
		}
		m := minMax{min: rest[:sep]}
		rest = rest[sep+len(" / MAX: "):]
		// The maximum has the minimum's decimals, or as many as stand
		// before the next mark.
		end := 0
		for end < len(rest) && (isDigit(rest[end]) || rest[end] == '.') {
			end++
		}
		if end < len(rest) && rest[end] == ' ' && end >= 2 && rest[end-1] == '.' && rest[end-2] == '1' {
			end -= 2
		}
		m.max = rest[:end]
		g.minMax = append(g.minMax, m)
		notes = rest[end:]
	}
	g.notes = notes
	g.footnotes = splitFootnotes(notes)
}

// splitFootnotes divides "1. a2. b" into its notes, without the numbers.
// Text before the first number belongs to bars and is left out.
func splitFootnotes(notes string) []string {
	i := strings.Index(notes, "1. ")
	if i < 0 {
		return nil
	}
	notes = notes[i+3:]
	var out []string
	for n := 2; ; n++ {
		mark := strconv.Itoa(n) + ". "
		j := strings.Index(notes, mark)
		if j <= 0 || !startsNote(notes[j+len(mark):]) {
			break
		}
		out = append(out, strings.TrimSpace(notes[:j]))
		notes = notes[j+len(mark):]
	}
	return append(out, strings.TrimSpace(notes))
}

// startsNote reports whether text may begin a footnote: PTS's begin with a
// bracket or a capital letter.
func startsNote(text string) bool {
	return text != "" && (text[0] == '(' || text[0] >= 'A' && text[0] <= 'Z' || text[0] == '*')
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// isNumberText reports whether s is digits with at most one point.
func isNumberText(s string) bool {
	dots := 0
	for i := 0; i < len(s); i++ {
		if s[i] == '.' {
			dots++
		} else if !isDigit(s[i]) {
			return false
		}
	}
	return s != "" && dots <= 1 && s[0] != '.' && s[len(s)-1] != '.'
}

// top returns the last label of the axis; +Inf if none was read.
func (g *graph) top() float64 {
	switch {
	case g.chosen >= 0:
		return g.axes[g.chosen].top
	case len(g.axes) > 0:
		return g.axes[0].top
	}
	return math.Inf(1)
}

// axisRun returns the identifiers of the reading taken, as they run together.
func (g *graph) axisRun() string {
	if g.chosen < 0 {
		return ""
	}
	return g.axes[g.chosen].run
}
