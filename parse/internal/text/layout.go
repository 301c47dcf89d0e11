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
	// half is set behind a damaged mark whose other half may follow.
	half bool
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
		case l.damagedScale(ln):
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
	l.system = l.b.addSystem(l.v.piece(start, end), start, systemRule, decode)
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

// end reports what is left at the end of the text.
func (l *layout) end() {
	b := l.b
	b.ended = len(l.pending) == 0
	if len(l.pending) == 0 {
		if l.state == inSystems {
			b.diag(result.SeverityInfo, l.to, "no-tests", "the dump has systems and no test")
		}
		b.endsBehindHead()
		return
	}
	chain := l.chain()
	l.skipped(l.pending[:chain])
	last := l.pending[chain:]
	text := l.v.words(last[0].start, last[len(last)-1].end)
	_, isOption := optionAt(text)
	isHead := len(last) <= 3 && (vocab.TitlePrefix(text) != "" || isOption) // title, arguments, unit
	if (isHead || len(last) <= 2 && l.text[l.to-1] != '\n') && l.state != inPreamble {
		b.diag(result.SeverityWarning, last[0].start, "truncated", "the text ends with %q, which may be the head of a test", clip(text))
		return
	}
	l.skipped(last)
}
