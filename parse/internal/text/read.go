package text

import (
	"fmt"
	"strings"

	"github.com/benchproof/benchproof/parse/internal/source"
	"github.com/benchproof/benchproof/result"
)

// Read reads the dumps of a document in order and hands the record of each
// to emit. The records share the document's text.
//
// An error of emit ends the reading and is returned. A document without a
// dump is a [*source.SyntaxError], one with more systems or tests than its
// limits allow a [*source.LimitError]; the records before it are emitted.
func Read(doc *source.Doc, emit func(*result.File) error) error {
	v := prepare(doc)
	found, collapsed := false, false
	for at := 0; at < len(v.text); {
		var b *builder
		var next int
		if !collapsed && hasLines(v, at) {
			b, next, collapsed = readLayout(v, at)
		} else {
			b, next = readCollapsed(v, at)
			collapsed = false
		}
		if b != nil {
			if b.err != nil {
				return b.err
			}
			f := b.finish()
			if n := len(v.cuts); n > 0 && !found {
				f.Diagnostics = append(f.Diagnostics, doc.Diagnostic(result.SeverityInfo, v.offset(v.cuts[0])-1, "line-breaks",
					fmt.Sprintf("line breaks thought to be a terminal's were taken out: %d", n)))
			}
			if err := emit(f); err != nil {
				return err
			}
			found = true
		}
		if next <= at && !collapsed {
			break
		}
		at = next
	}
	if !found {
		return &source.SyntaxError{
			Origin:   doc.Origin(0, ""),
			Found:    "no systems and no rows of results",
			Expected: "a text export of the Phoronix Test Suite",
		}
	}
	return nil
}

// hasLines reports whether the dump at or behind an offset has the lines
// that PTS gave it: whether most of the first heads, or else rows, end a
// line.
func hasLines(v *view, from int) bool {
	text := v.text
	s := v.stops(from)
	heads, headEnds, rows, rowEnds := 0, 0, 0, 0
	lo := from
	for n := 0; n < 256; n++ {
		st, ok := s.after(lo)
		if !ok || heads > 0 && beginsDump(text, lo, st.at) {
			break
		}
		lo = st.end
		ends := endsLine(text, st.end)
		if st.isRow {
			rows++
			if ends {
				rowEnds++
			}
			continue
		}
		heads++
		// A head's last line holds the unit alone.
		const longest = 64
		near := max(from, st.at-longest)
		if ends && (near == from || strings.IndexByte(text[near:st.at], '\n') >= 0) {
			headEnds++
		}
		// Text wrapped at random has some ends of lines there too.
		if others := heads - headEnds; headEnds >= others+3 || others >= headEnds+3 {
			break
		}
	}
	if heads > 0 || rows > 0 {
		return headEnds*2 >= heads && rowEnds*4 >= rows*3
	}
	k, ok := firstSystem(text, from, len(text))
	if !ok {
		return true
	}
	_, end := trim(text, from, k.start)
	return strings.IndexByte(text[end:k.start], '\n') >= 0
}

// endsLine reports whether nothing but blanks stands between an offset and
// the end of its line.
func endsLine(text string, at int) bool {
	for at < len(text) && (text[at] == ' ' || text[at] == '\t') {
		at++
	}
	return at == len(text) || text[at] == '\n'
}
