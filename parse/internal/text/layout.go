package text

import (
	"strings"

	"github.com/benchproof/benchproof/parse/internal/vocab"
	"github.com/benchproof/benchproof/result"
)

// textLine is a line without the white space at its ends.
type textLine struct {
	span
	// blank is the number of empty lines before it.
	blank int
	// indented is set where white space stood before it.
	indented bool
}

// layout reads a dump that has its lines.
type layout struct {
	v    *view
	b    *builder
	text string
	pos  int // the next line begins here
	to   int // the dump's text ends here at the latest
	// double is set where every line is followed by an empty one that PTS
	// did not print.
	double bool

	state state
	// pending are lines that are not read yet: the head of the test, or of
	// the dump, that follows.
	pending []textLine
	// system is the index of the system whose components are being read.
	system int
	// other is set where a dump follows that has lost its lines.
	other bool
	// afterRow is set while lines follow a row without an empty line.
	afterRow bool
}

type state uint8

const (
	inPreamble state = iota
	inSystems
	inTests
)

// readLayout reads the dump that begins at or behind from. It returns nil if
// there is none, and where the text behind the dump begins.
//
// collapsed is set where that text is a dump that has lost its lines.
func readLayout(v *view, from int) (b *builder, next int, collapsed bool) {
	l := &layout{v: v, b: newBuilder(v, result.FormatText), text: v.text, pos: from, to: len(v.text), system: -1}
	l.double = doubled(v.text[from:min(len(v.text), from+1<<16)])
	next = l.read()
	if len(l.b.file.Systems) == 0 && len(l.b.file.Tests) == 0 {
		return nil, next, l.other
	}
	return l.b, next, l.other
}

// doubled reports whether text has an empty line behind every line.
func doubled(text string) bool {
	lines, adjacent := 0, 0
	blank := true
	for len(text) > 0 {
		line, rest, _ := strings.Cut(text, "\n")
		empty := strings.TrimSpace(line) == ""
		if !empty {
			lines++
			if !blank {
				adjacent++
			}
		}
		blank, text = empty, rest
	}
	return lines > 8 && adjacent == 0
}

// line returns the next line that is not empty.
func (l *layout) line() (ln textLine, ok bool) {
	for l.pos < l.to {
		end := l.to
		if i := strings.IndexByte(l.text[l.pos:l.to], '\n'); i >= 0 {
			end = l.pos + i
		}
		start, stop := trim(l.text, l.pos, end)
		ln.indented = start > l.pos
		l.pos = min(end+1, l.to)
		if start < stop {
			ln.span = span{start, stop}
			if l.double {
				ln.blank = max(0, ln.blank-1) / 2
			}
			return ln, true
		}
		ln.blank++
	}
	return ln, false
}

// read reads lines to the end of the dump and returns where that is.
func (l *layout) read() int {
	for l.b.err == nil {
		ln, ok := l.line()
		if !ok {
			l.end()
			return l.to
		}
		switch {
		case l.text[ln.end-1] == ':' && !isCaption(l.text[ln.start:ln.end]) && l.beginsSystem():
			if next, other := l.otherDump(); other {
				return next
			}
			l.openSystem(ln)
			l.afterRow = false
		case l.state == inSystems && len(l.pending) == 0 && l.component(ln):
		case l.isDump(ln):
			l.other = true
			l.end()
			return ln.start
		case l.scaleLine(ln):
		case l.rowLine(ln):
		default:
			l.pending = append(l.pending, ln)
			l.afterRow = l.afterRow && ln.blank == 0
		}
	}
	return l.to
}

// beginsSystem reports whether the next line that is not empty is one of
// components, so that the line before it names their system.
func (l *layout) beginsSystem() bool {
	pos := l.pos
	ln, ok := l.line()
	l.pos = pos
	if !ok {
		return false
	}
	if _, ok := vocab.StartsWithKey(l.text[ln.start:ln.end]); ok {
		return true
	}
	parts := vocab.Components(l.text[ln.start:ln.end])
	return ln.indented && len(parts) > 1 && parts[0].Key != ""
}

// isCaption reports whether a line stands above the components of the machine
// in the terminal output of a run. There it is no system's identifier.
func isCaption(line string) bool { return line == "Hardware:" || line == "Software:" }

// isDump reports whether a line is a dump that has lost its lines.
func (l *layout) isDump(ln textLine) bool {
	const shortest = 160 // heads and rows are shorter
	if ln.end-ln.start < shortest {
		return false
	}
	_, ok := firstSystem(l.text, ln.start, ln.end)
	return ok
}

// otherDump reports whether a system that begins now is another dump's, and
// where that dump begins.
func (l *layout) otherDump() (next int, other bool) {
	if l.state == inPreamble || l.state == inSystems && len(l.pending) == 0 {
		return 0, false
	}
	chain := l.chain()
	l.skipped(l.pending[:chain])
	if chain < len(l.pending) {
		return l.pending[chain].start, true
	}
	return l.lineStart(), true
}

// lineStart returns the start of the line that was read last.
func (l *layout) lineStart() int {
	end := l.pos
	if end > 0 && end <= len(l.text) && l.text[end-1] == '\n' {
		end--
	}
	return strings.LastIndexByte(l.text[:end], '\n') + 1
}

// chain returns the index of the first of the pending lines that end them
// without an empty line between.
func (l *layout) chain() int {
	i := len(l.pending) - 1
	for i > 0 && l.pending[i].blank == 0 {
		i--
	}
	return max(i, 0)
}

// skipped reports lines that were not read.
func (l *layout) skipped(lines []textLine) {
	if len(lines) == 0 {
		return
	}
	first := lines[0]
	l.b.diag(result.SeverityInfo, first.start, "ignored-text", "lines that are no part of the dump: %d, from %q on", len(lines), clip(l.text[first.start:first.end]))
}

// clip shortens text for a message.
func clip(s string) string {
	const most = 60
	if len(s) <= most {
		return s
	}
	i := most
	for i > 0 && s[i]&0xC0 == 0x80 {
		i--
	}
	return s[:i] + "…"
}

// joined returns the text of lines: of one as it stands, of several with
// single spaces between all words.
func (l *layout) joined(lines []textLine) string {
	if len(lines) == 1 {
		return l.v.piece(lines[0].start, lines[0].end)
	}
	return l.v.words(lines[0].start, lines[len(lines)-1].end)
}

func (l *layout) openSystem(ln textLine) {
	decode := result.DecodeExact
	if l.state == inPreamble {
		if len(l.pending) == 0 {
			// The text begins here, and may begin within the identifier.
			decode = result.DecodeInferred
		}
		l.title()
		l.state = inSystems
	}
	start, end := trim(l.text, ln.start, ln.end-1)
	l.system = l.b.addSystem(l.v.piece(start, end), start, "text/system", decode)
}

// title takes title and description from the pending lines.
func (l *layout) title() {
	f := l.b.file
	if len(l.pending) == 0 {
		return
	}
	chain := l.chain()
	lines := l.pending[chain:]
	for i := range lines {
		// On a terminal a question and its answer may stand above.
		n := afterQuestion(l.text[lines[i].start:lines[i].end])
		if lines[i].start += n; n > 0 {
			if lines = lines[i:]; lines[0].start == lines[0].end {
				lines = lines[1:]
			}
			break
		}
	}
	if len(lines) == 0 {
		l.pending = l.pending[:0]
		return
	}
	f.Title = l.v.piece(lines[0].start, lines[0].end)
	if len(lines) > 1 {
		f.Description = l.joined(lines[1:])
	}
	if len(lines) > 2 {
		// Either of them may be of several lines.
		f.TitleSplit = result.DecodeInferred
		f.TitleDescription = l.v.words(lines[0].start, lines[len(lines)-1].end)
	}
	l.skipped(l.pending[:chain])
	l.pending = l.pending[:0]
}

// afterQuestion returns where text goes on behind the last question of PTS
// ("… (Y/n): ") and its answer, 0 if there is none.
func afterQuestion(text string) int {
	at := 0
	for _, mark := range [...]string{"(Y/n):", "(y/n):"} {
		if i := strings.LastIndex(text, mark); i >= 0 {
			at = max(at, i+len(mark))
		}
	}
	if at == 0 {
		return 0
	}
	word := wordAfter(text, at, len(text))
	switch text[word.start:word.end] {
	case "Y", "y", "N", "n", "":
		word = wordAfter(text, word.end, len(text))
	}
	return word.start
}

// component reads a line of hardware or software.
func (l *layout) component(ln textLine) bool {
	text := l.v.piece(ln.start, ln.end)
	key, ok := vocab.StartsWithKey(text)
	if !ok && !ln.indented {
		return false
	}
	parts := vocab.Components(text)
	if !ok && parts[0].Key == "" {
		return false
	}
	s := &l.b.file.Systems[l.system]
	switch {
	case s.Hardware == nil && s.Software == nil && vocab.KeyKind(key) != vocab.Software:
		s.Hardware = parts
	case s.Software == nil:
		s.Software = parts
	default:
		return false
	}
	return true
}

// scaleLine reads a line that ends with the words that say which way is
// better: the last line of a test's head.
func (l *layout) scaleLine(ln textLine) bool {
	text := l.text[:ln.end]
	if text[len(text)-1] != 'r' || !strings.HasSuffix(text[ln.start:], "Better") {
		return false
	}
	at := strings.LastIndexAny(text[ln.start:], "<>")
	if at < 0 {
		return false
	}
	at += ln.start
	end, higher, ok := markAt(text, at)
	if !ok || end != ln.end || at > ln.start && !isSpace(text[at-1]) {
		return false
	}
	h := l.headLines(ln)
	_, end = trim(l.text, ln.start, at)
	h.scale = l.v.piece(ln.start, end)
	h.proportion = result.LIB
	if higher {
		h.proportion = result.HIB
	}
	l.startTest(h)
	return true
}

func (l *layout) startTest(h head) {
	if l.state != inTests && len(l.b.file.Systems) == 0 {
		l.b.headless = true
		l.b.diag(result.SeverityWarning, h.at, "truncated", "the text begins within a dump: its systems are not here")
	}
	l.state = inTests
	l.b.startTest(h)
	l.afterRow = true
}

// headLines takes title, version and arguments from the pending lines. below
// is the line that follows them.
func (l *layout) headLines(below textLine) head {
	defer func() { l.pending = l.pending[:0] }()
	h := head{at: below.start}
	if len(l.pending) == 0 || below.blank > 1 {
		l.skipped(l.pending)
		l.b.diag(result.SeverityWarning, below.start, "truncated", "the head of this test is not here")
		h.decode = result.DecodeInferred
		return h
	}
	chain := l.chain()
	lines := l.pending[chain:]
	l.skipped(l.pending[:chain])
	if len(lines) > 1 && below.blank > 0 {
		// An empty line stands for arguments where there are none.
		l.skipped(lines[:len(lines)-1])
		lines = lines[len(lines)-1:]
	}
	h.at = lines[0].start
	var sure bool
	h.title, h.version, sure = splitTitle(l.v.piece(lines[0].start, lines[0].end))
	if len(lines) > 1 {
		h.args = l.joined(lines[1:])
	}
	if !sure || len(lines) > 2 {
		h.decode = result.DecodeInferred
	}
	return h
}

// rowLine reads a line that is a row.
func (l *layout) rowLine(ln textLine) bool {
	line := l.text[:ln.end]
	if pipe := strings.LastIndexByte(line[ln.start:], '|'); pipe >= 0 {
		if s, ok := barRowAt(line, ln.start, ln.start+pipe); ok && s.end == ln.end {
			ident := l.v.piece(ln.start, s.identEnd)
			r := row{
				kind: barRow, system: ident, systemAt: ln.start, leader: len(ident) + s.dots.end - s.dots.start,
				value: l.v.printed(s.value.start, s.value.end), start: s.value.start, end: s.value.end, bar: s.bar,
			}
			return l.row(ln, &r)
		}
	}
	if !l.b.open || !l.afterRow || ln.blank > 0 {
		return false
	}
	dots, ok := l.leaderIn(ln)
	if !ok {
		return false
	}
	_, end := trim(line, ln.start, dots.start)
	ident := l.v.piece(ln.start, end)
	r := row{system: ident, systemAt: ln.start, leader: len(ident) + dots.end - dots.start}
	value := wordAfter(line, dots.end, ln.end)
	if s, ok := seriesAt(line, dots.end, ln.end); ok && s.end == ln.end {
		r.kind = lineRow
		r.minimum = l.v.printed(s.minimum.start, s.minimum.end)
		r.maximum = l.v.printed(s.maximum.start, s.maximum.end)
		value = s.average
		if ln.end == len(l.text) {
			r.decode = result.DecodeInferred
			l.b.diag(result.SeverityWarning, s.maximum.start, "truncated", "the input ends with the number %q, which may go on", r.maximum)
		}
	} else if value.end < ln.end || !isVerdict(line[value.start:value.end]) {
		if value.start < value.end || ln.end == len(l.text) {
			l.cut(ln)
			return true
		}
		r.kind = blankRow
		r.start, r.end = dots.start, dots.end
		return l.row(ln, &r)
	} else {
		r.kind = wordRow
	}
	r.start, r.end = value.start, value.end
	r.value = l.v.printed(value.start, value.end)
	return l.row(ln, &r)
}

// leaderIn returns the dots of a row without a bar: the first ones behind an
// identifier that is known, else the first ones at all.
func (l *layout) leaderIn(ln textLine) (span, bool) {
	first, ok := dotsIn(l.text, ln.start, ln.end)
	dots, more := first, ok
	for range 16 { // no identifier holds more words of dots
		if !more {
			break
		}
		_, end := trim(l.text, ln.start, dots.start)
		if l.b.names[l.v.piece(ln.start, end)] != nil {
			return dots, true
		}
		dots, more = dotsIn(l.text, dots.end-1, ln.end)
	}
	return first, ok
}

// cut reports a row without its bar: its number may have lost its end.
func (l *layout) cut(ln textLine) {
	l.b.diag(result.SeverityError, ln.start, "truncated", "the row %q has no bar: its value may be cut and is not read", clip(l.text[ln.start:ln.end]))
}

// row adds a row, first beginning a test if the pending lines are the head
// of one that does not say which way is better.
func (l *layout) row(ln textLine, r *row) bool {
	switch {
	case len(l.pending) > 0 && l.b.open && l.afterRow && ln.blank == 0 && l.inBlock(r):
		for _, p := range l.pending {
			l.b.diag(result.SeverityError, p.start, "unreadable-row", "among the rows stands %q, which is none", clip(l.text[p.start:p.end]))
		}
		l.pending = l.pending[:0]
	case len(l.pending) > 0:
		l.startTest(l.plainHead(ln))
	case !l.b.open:
		l.b.diag(result.SeverityWarning, ln.start, "truncated", "the text begins within a test: its head is not here")
		l.startTest(head{at: ln.start, decode: result.DecodeInferred})
		r.decode = result.DecodeInferred // its identifier may be cut
	}
	l.afterRow = true
	l.b.addRow(r)
	return true
}

// inBlock reports whether a row's dots go on with the open test's.
func (l *layout) inBlock(r *row) bool {
	cells := l.b.last()
	return len(cells) > 0 && cells[len(cells)-1].leader == r.leader
}

// plainHead takes a test's head from the pending lines where none of them
// says which way is better: title, arguments and unit.
func (l *layout) plainHead(below textLine) head {
	scale := textLine{span: span{below.start, below.start}}
	lines := l.pending[l.chain():]
	if n := len(lines); n > 2 || n == 1 && len(l.pending) > 1 && lines[0].blank == 1 || n == 2 && isScale(l.text[lines[1].start:lines[1].end]) {
		scale = lines[n-1]
		l.pending = l.pending[:len(l.pending)-1]
	}
	h := l.headLines(scale)
	h.scale = l.v.piece(scale.start, scale.end)
	h.decode = result.DecodeInferred
	return h
}

// isScale reports whether a whole line is a known unit.
func isScale(line string) bool { return vocab.ScaleSuffix(line, len(line)) == line }

// end reports what is left at the end of the text.
func (l *layout) end() {
	b := l.b
	b.ended = len(l.pending) == 0
	if len(l.pending) == 0 {
		if l.state == inSystems {
			b.diag(result.SeverityInfo, l.to, "no-tests", "the dump has systems and no test")
		}
		return
	}
	chain := l.chain()
	l.skipped(l.pending[:chain])
	last := l.pending[chain:]
	text := l.v.words(last[0].start, last[len(last)-1].end)
	if _, isOption := optionAt(text); len(last) <= 2 && (vocab.TitlePrefix(text) != "" || isOption || l.text[l.to-1] != '\n') && l.state != inPreamble {
		b.diag(result.SeverityWarning, last[0].start, "truncated", "the text ends with %q, which may be the head of a test", clip(text))
		return
	}
	l.skipped(last)
}
