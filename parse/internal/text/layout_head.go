package text

import (
	"strings"

	"github.com/benchproof/benchproof/parse/internal/vocab"
	"github.com/benchproof/benchproof/result"
)

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

// damagedScale reads the last line of a head whose words that say which way
// is better are damaged. Which way it was is not known then.
func (l *layout) damagedScale(ln textLine) bool {
	if l.state == inPreamble {
		return false
	}
	if l.half && ln.blank == 0 && endsMark(l.text[ln.start:ln.end]) {
		l.half = false
		return true
	}
	_, end, ok := damagedMark(l.text, ln.start, ln.end)
	if !ok {
		return false
	}
	l.damagedHead(ln, end)
	if rest, stop := trim(l.text, end, ln.end); rest < stop {
		l.skipped([]textLine{{span: span{rest, stop}}})
	}
	return true
}

// damagedHead begins the test whose head ends with a damaged mark, which ends
// at end.
func (l *layout) damagedHead(ln textLine, end int) {
	at, _, _ := damagedMark(l.text, ln.start, end)
	_, stop := trim(l.text, ln.start, at)
	l.b.diag(result.SeverityError, ln.start, "damaged-head", "the head of a test ends with %q, which does not say which way is better", clip(l.text[ln.start:end]))
	if n := len(l.pending); stop == ln.start && n > 0 {
		// The mark stands on two lines.
		last := l.pending[n-1]
		if i := strings.LastIndexAny(l.text[last.start:last.end], "<>"); i >= 0 {
			l.pending = l.pending[:n-1]
			ln = last
			_, stop = trim(l.text, ln.start, ln.start+i)
		}
	}
	h := l.headLines(ln)
	h.decode = result.DecodeInferred
	h.scale = l.v.piece(ln.start, stop)
	h.clear()
	l.startTest(h)
	l.half = true
}

func (l *layout) startTest(h head) {
	l.half = false
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
	if len(lines) == 1 && below.blank == 0 {
		// PTS prints an empty line where there are no arguments: this one
		// may have lost its arguments, or its title.
		h.decode = result.DecodeInferred
		l.b.diag(result.SeverityWarning, h.at, "head-short", "a line of the head may be missing: between %q and the unit stand no arguments, nor an empty line for them",
			clip(l.text[lines[0].start:lines[0].end]))
	}
	return h
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
