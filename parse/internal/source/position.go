package source

import "strings"

// chunk is the number of bytes between two marks of a line index. A look-up
// reads at most so many, whatever the lengths of the lines: an input may be
// all in one line, or hold nothing but newlines.
const chunk = 4 << 10

// lineIndex finds lines in a text with 16 bytes for every chunk of it.
type lineIndex struct {
	marks []mark
}

// mark says of a chunk's beginning how many newlines stand before it and
// where its line begins.
type mark struct {
	newlines  int
	lineStart int
}

func newLineIndex(text string) *lineIndex {
	x := &lineIndex{marks: make([]mark, 0, len(text)/chunk+1)}
	var m mark
	for at := 0; ; at += chunk {
		x.marks = append(x.marks, m)
		if at+chunk > len(text) {
			return x
		}
		m = m.advance(text, at, at+chunk)
	}
}

// advance returns the mark at offset to, given that m is the one at from.
func (m mark) advance(text string, from, to int) mark {
	part := text[from:to]
	if n := strings.Count(part, "\n"); n > 0 {
		m.newlines += n
		m.lineStart = from + strings.LastIndexByte(part, '\n') + 1
	}
	return m
}

func (x *lineIndex) position(text string, offset int) (line, column int) {
	k := offset / chunk
	m := x.marks[k].advance(text, k*chunk, offset)
	return m.newlines + 1, offset - m.lineStart + 1
}
