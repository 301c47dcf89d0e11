package text

import (
	"strings"

	"github.com/benchproof/benchproof/parse/internal/source"
)

// prepare returns a document's text as it is read: odd spaces and the marks
// of quoted mail are spaces, and line breaks that a mail client or terminal
// put in are undone where they can be told.
func prepare(doc *source.Doc) *view {
	text := plainSpaces(doc.Text)
	ragged := text != doc.Text
	text = unquote(text)
	text, cuts := unwrap(text)
	v := newView(doc, text, cuts)
	v.ragged = ragged
	v.plain = len(cuts) == 0 && text == doc.Text
	return v
}

// oddSpaces are characters that pages and word processors put for a space.
var oddSpaces = [...]string{"\u00a0", "\u2007", "\u2009", "\u200b", "\u202f", "\ufeff"}

// plainSpaces puts spaces for odd ones, as many as they have bytes, so that
// offsets stay what they are.
func plainSpaces(text string) string {
	if !strings.Contains(text, "\u00a0") && !strings.Contains(text, "\xe2\x80") && !strings.Contains(text, "\ufeff") {
		return text
	}
	pairs := make([]string, 0, 2*len(oddSpaces))
	for _, s := range oddSpaces {
		pairs = append(pairs, s, "   "[:len(s)])
	}
	return strings.NewReplacer(pairs...).Replace(text)
}

// unquote puts spaces for the ">" at the beginning of lines if nearly all
// lines have one.
func unquote(text string) string {
	const sample = 200
	lines, quoted, spaced := 0, 0, 0
	for rest := text; rest != "" && lines < sample; {
		var line string
		line, rest, _ = strings.Cut(rest, "\n")
		if start, end := trim(line, 0, len(line)); start < end {
			lines++
			if line[start] == '>' {
				quoted++
				if start+1 < end && line[start+1] == ' ' {
					spaced++
				}
			}
		}
	}
	if quoted*10 < lines*9 || quoted < 4 && spaced < lines || quoted == 0 {
		return text
	}
	if lines == 1 {
		return unquoteWords(text)
	}
	out := []byte(text)
	for i := 0; i < len(out); {
		for i < len(out) && (out[i] == '>' || out[i] == ' ') {
			out[i] = ' '
			i++
		}
		for i < len(out) && out[i] != '\n' {
			i++
		}
		i++
	}
	return string(out)
}

// unquoteWords is unquote for text of one line that was several: a mark stands
// where each began. Of a head's words "> Higher Is Better" it is a part.
func unquoteWords(text string) string {
	const part = "Higher Is Better"
	out := []byte(text)
	for i := range out {
		alone := out[i] == '>' && (i == 0 || isSpace(out[i-1]) || out[i-1] == '>') &&
			(i+1 == len(out) || isSpace(text[i+1]) || text[i+1] == '>')
		if alone && !strings.HasPrefix(strings.TrimLeft(text[i+1:min(len(text), i+1+2*len(part))], " "), part) {
			out[i] = ' '
		}
	}
	return string(out)
}
