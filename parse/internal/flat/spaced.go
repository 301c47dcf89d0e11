package flat

import (
	"strings"
)

// Some stored pages keep a blank between the texts of a drawing. Numbers are
// then apart, identifiers still are not: they hold blanks themselves. In this
// form identifiers are kept with the blank behind them, so that they run
// together as in the other form and end only at blanks.

// isSpaced reports whether a run of identifiers is one of the spaced form.
func isSpaced(run string) bool { return strings.HasSuffix(run, " ") }

// token is one word of a text.
type token struct {
	text string
	off  int
}

// tokens divides text at blanks.
func tokens(text string) []token {
	var out []token
	for i := 0; i < len(text); {
		if text[i] == ' ' {
			i++
			continue
		}
		j := strings.IndexByte(text[i:], ' ')
		if j < 0 {
			j = len(text) - i
		}
		out = append(out, token{text[i : i+j], i})
		i += j
	}
	return out
}

// tokenTicks returns the readings of five tick labels among tokens, with the
// index of the first. Those of them that end before a token, if last is set.
func tokenTicks(toks []token, last int) (out []ticks, at []int) {
	for i := 0; i+5 <= len(toks); i++ {
		if last >= 0 && i+5 != last {
			continue
		}
		step, ok := parseTick(toks[i].text)
		if !ok {
			continue
		}
		fits := true
		for k := int64(1); k <= 5 && fits; k++ {
			fits = toks[i+int(k)-1].text == tickLabel(step, k)
		}
		lo, hi, ok := maxBounds(step)
		if fits && ok {
			end := toks[i+4]
			out = append(out, ticks{start: toks[i].off, end: end.off + len(end.text), lo: lo, hi: hi, top: float64(5*step) / tickScale})
			at = append(at, i)
		}
	}
	return out, at
}

// readSpacedTail reads SE entries, ticks and values of a graph whose texts
// are apart.
func (g *graph) readSpacedTail() {
	toks := tokens(g.tail)
	first := -1 // index of the first token of the SE entries
	for i, t := range toks {
		if t.text == "SE" && i+1 < len(toks) && toks[i+1].text == "+/-" {
			first = i
			break
		}
	}
	found, at := tokenTicks(toks, first)
	for k, t := range found {
		g.addAxes(t)
		if first < 0 {
			g.axes[len(g.axes)-1].next = at[k] + 5
		}
	}
	if first < 0 {
		return
	}
	i := first
	for i+5 < len(toks) && toks[i].text == "SE" && toks[i+1].text == "+/-" && toks[i+3].text == "N" && toks[i+4].text == "=" {
		value := strings.TrimSuffix(toks[i+2].text, ",")
		n, ok := smallInt(toks[i+5].text)
		if !isNumberText(value) || !ok {
			break
		}
		g.ses = append(g.ses, stdError{text: value, n: n, off: g.tailOff + toks[i+2].off})
		i += 6
	}
	g.readSpacedRegion(toks, i)
}

// readSpacedRegion reads the values from token i on.
func (g *graph) readSpacedRegion(toks []token, i int) {
	begin := len(g.tail)
	if i < len(toks) {
		begin = toks[i].off
	}
	j := i
	for j < len(toks) && isNumberText(toks[j].text) {
		j++
	}
	end := len(g.tail)
	if j < len(toks) {
		end = toks[j].off
	}
	g.region, g.regionOff = "", g.tailOff+begin
	if j > i {
		last := toks[j-1]
		g.region = g.tail[begin:last.off+len(last.text)] + " "
		if dot := strings.IndexByte(last.text, '.'); dot >= 0 {
			g.decimals = len(last.text) - dot - 1
		}
	}
	g.dots = j - i
	g.notes = g.tail[end:]
	g.readNotes()
}

// smallInt returns the number that text is, up to six digits.
func smallInt(text string) (int, bool) {
	if text == "" || len(text) > 6 {
		return 0, false
	}
	n := 0
	for i := 0; i < len(text); i++ {
		if !isDigit(text[i]) {
			return 0, false
		}
		n = 10*n + int(text[i]-'0')
	}
	return n, true
}

// splitSpacedRun is splitRun for the spaced form.
func splitSpacedRun(rest, table string) []int {
	toks := tokens(rest)
	first := len(toks) // index of the first token of the values, at least
	for first > 0 && isNumberText(toks[first-1].text) {
		first--
	}
	var ends []int
	for k := max(first, 1); k < len(toks); k++ {
		end := toks[k].off
		if !strings.HasPrefix(table, rest[:end]) {
			break
		}
		ends = append(ends, end)
	}
	return ends
}
