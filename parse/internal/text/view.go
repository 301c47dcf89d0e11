package text

import (
	"sort"
	"strings"

	"github.com/benchproof/benchproof/parse/internal/source"
	"github.com/benchproof/benchproof/result"
)

// view is the text that a dump is read from: the document's own, or a copy
// in which what mail clients and terminals did to it is undone. Offsets are
// those of the view unless they are called the document's.
type view struct {
	doc  *source.Doc
	text string
	// cuts are the offsets before which a line break of the document was
	// taken out, ascending.
	cuts []int

	// plain is set where the text is the document's own.
	plain bool
	// ragged is set where white space in the text is not the document's.
	ragged bool
	// reached is how far the text was searched for stops.
	reached [len(stopBytes)]reach
}

func newView(doc *source.Doc, text string, cuts []int) *view {
	return &view{doc: doc, text: text, cuts: cuts}
}

// offset returns the document's offset of an offset.
func (v *view) offset(at int) int {
	if len(v.cuts) == 0 {
		return at
	}
	return at + sort.SearchInts(v.cuts, at+1)
}

// endsInBar reports whether the text ends with the mark of a bar or within the
// bar, without the end of its line.
func (v *view) endsInBar() bool {
	return strings.HasSuffix(v.text, "|") || strings.HasSuffix(v.text, "=")
}

// broken reports whether a line break was taken out within [start, end).
func (v *view) broken(start, end int) bool {
	return len(v.cuts) > 0 && sort.SearchInts(v.cuts, start+1) != sort.SearchInts(v.cuts, end)
}

// origin returns the place of an offset in the document, or in the one that
// the document is a part of.
func (v *view) origin(at int, rule string) result.Origin { return v.doc.Origin(v.offset(at), rule) }

// printed returns the document's text for [start, end), without the line
// breaks that were taken out of it.
func (v *view) printed(start, end int) string {
	if v.broken(start, end) {
		return v.text[start:end]
	}
	return v.doc.Text[v.offset(start) : v.offset(end-1)+1]
}

// piece returns the text of a piece of a line as it stands, or with single
// spaces where its own are not the document's.
func (v *view) piece(start, end int) string {
	if v.ragged {
		return v.words(start, end)
	}
	return v.text[start:end]
}

// words returns the text of [start, end) with single spaces for white space
// and none at either end. It copies only where it must.
func (v *view) words(start, end int) string {
	start, end = trim(v.text, start, end)
	s := v.text[start:end]
	for i := 0; i < len(s); i++ {
		if c := s[i]; c == ' ' && s[i+1] == ' ' || isSpace(c) && c != ' ' {
			return strings.Join(strings.FieldsFunc(s, isSpaceRune), " ")
		}
	}
	return s
}

// trim moves start and end over white space.
func trim(text string, start, end int) (int, int) {
	for start < end && isSpace(text[start]) {
		start++
	}
	for end > start && isSpace(text[end-1]) {
		end--
	}
	return start, end
}

func isSpace(c byte) bool { return c == ' ' || c >= '\t' && c <= '\r' }

func isSpaceRune(r rune) bool { return r < 0x80 && isSpace(byte(r)) }

func isDigit(c byte) bool { return c >= '0' && c <= '9' }
