package parse

import (
	"strings"
	"unicode/utf8"

	"github.com/benchproof/benchproof/parse/internal/source"
)

// The text of a page has paragraphs of hundreds of letters: its systems table,
// its overview, its graphs. A terminal, an editor or a mail client may have
// broken them into lines, at blanks or at its last column.

const (
	// widestWrap is the widest window, in columns, that is thought to have
	// broken lines; the systems table of a page is longer than that.
	widestWrap = 256
	// leastWrap is the narrowest one.
	leastWrap = 40
	// leastBroken is how many paragraphs of three lines or more must look
	// broken: one alone may be so by chance.
	leastBroken = 2
)

// paragraph is a run of lines without an empty one between.
type paragraph struct{ lines [][2]int }

// unwrapPage joins the lines of a page's text that were broken, and returns
// the document as it is where none were. Its places stay those of the
// original.
func unwrapPage(doc *source.Doc) *source.Doc {
	t := brokenLines(doc.Text)
	for _, width := range []int{t.longest, t.worded} {
		if width < leastWrap || width > widestWrap {
			continue
		}
		n := 0
		for _, p := range t.paragraphs {
			if len(p.lines) > 2 && p.broken(doc.Text, width) {
				n++
			}
		}
		if n >= leastBroken {
			return t.join(doc, width)
		}
	}
	return doc
}

// join returns the document with its broken paragraphs in one line each.
func (t brokenText) join(doc *source.Doc, width int) *source.Doc {
	var out strings.Builder
	var spans []source.Span
	for _, p := range t.paragraphs {
		join := p.broken(doc.Text, width)
		for i, l := range p.lines {
			line := doc.Text[l[0]:l[1]]
			spans = append(spans, source.Span{Part: out.Len(), Whole: l[0]})
			out.WriteString(line)
			switch {
			case i+1 == len(p.lines):
				out.WriteString("\n\n")
			case !join:
				out.WriteByte('\n')
			case strings.HasSuffix(line, " "):
			case width < t.longest, !t.spaced && columns(line) < width:
				out.WriteByte(' ') // the blank that the line break took
			}
		}
	}
	return doc.Part(out.String(), spans)
}

// brokenText is a text of short lines.
type brokenText struct {
	paragraphs []paragraph
	longest    int  // columns of the longest line
	worded     int  // of the longest of more than one word: longer words may not have been broken
	spaced     bool // lines keep the blank that they were broken at
}

// brokenLines divides a text into paragraphs: none where a line is too long
// for text that was broken.
func brokenLines(text string) brokenText {
	var t brokenText
	var p paragraph
	quote := quoted(text)
	ends := 0
	for at := 0; at < len(text); {
		n := strings.IndexByte(text[at:min(len(text), at+16*widestWrap+1)], '\n')
		end := at + n
		if n < 0 {
			if len(text)-at > 16*widestWrap {
				return brokenText{}
			}
			end = len(text)
		}
		next := end + 1
		for quote && at < end && text[at] == '>' {
			at++
			if at < end && text[at] == ' ' {
				at++
			}
		}
		line := text[at:end]
		switch {
		case strings.TrimSpace(line) == "":
			if len(p.lines) > 0 {
				t.paragraphs = append(t.paragraphs, p)
				p = paragraph{}
			}
		default:
			if strings.HasSuffix(line, " ") {
				ends++
			}
			t.longest = max(t.longest, columns(line))
			if strings.Contains(strings.TrimSpace(line), " ") {
				t.worded = max(t.worded, columns(line))
			}
			p.lines = append(p.lines, [2]int{at, end})
		}
		at = next
	}
	if len(p.lines) > 0 {
		t.paragraphs = append(t.paragraphs, p)
	}
	t.spaced = ends > leastBroken
	return t
}

// broken reports whether every line of the paragraph but the last is as long
// as the width allows: the next word, or the next letter of one that is longer
// than a line, would not have fitted, with the blank behind it.
func (p paragraph) broken(text string, width int) bool {
	for i := 0; i+1 < len(p.lines); i++ {
		line, next := text[p.lines[i][0]:p.lines[i][1]], text[p.lines[i+1][0]:p.lines[i+1][1]]
		word, _, _ := strings.Cut(next, " ")
		if columns(strings.TrimRight(line, " "))+1+columns(word) < width {
			return false
		}
	}
	return len(p.lines) > 1
}

// quoted reports whether a mail client put a mark before the lines of a text:
// before nine of ten.
func quoted(text string) bool {
	lines, marked := 0, 0
	for line := range strings.Lines(text) {
		if strings.TrimSpace(line) != "" {
			lines++
			if line[0] == '>' {
				marked++
			}
		}
	}
	return lines > 3 && marked*10 >= lines*9
}

func columns(s string) int { return utf8.RuneCountInString(s) }

// oddBlanks are characters that a browser or a word processor may put for a
// blank.
const oddBlanks = "\u00a0\u2007\u2009\u202f"

// plainBlanks puts a blank for each odd one where that makes a page's text of
// what would be none. Elsewhere they stay: they may divide the thousands of a
// number.
func plainBlanks(doc *source.Doc) *source.Doc {
	if !strings.ContainsAny(doc.Text, oddBlanks) || isDump(doc.Text) {
		return doc
	}
	var out strings.Builder
	var spans []source.Span
	for at := 0; at < len(doc.Text); {
		spans = append(spans, source.Span{Part: out.Len(), Whole: at})
		n := strings.IndexAny(doc.Text[at:], oddBlanks)
		if n < 0 {
			out.WriteString(doc.Text[at:])
			break
		}
		out.WriteString(doc.Text[at : at+n])
		out.WriteByte(' ')
		_, size := utf8.DecodeRuneInString(doc.Text[at+n:])
		at += n + size
	}
	if !isPageText(out.String()) {
		return doc
	}
	return doc.Part(out.String(), spans)
}
