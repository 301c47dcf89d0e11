package csv

import "strings"

// lines walks the lines of a text with their offsets.
type lines struct {
	text string
	at   int // where the next line begins
	// Of the current line, without its newline.
	line  string
	start int
}

func (l *lines) next() bool {
	if l.at >= len(l.text) {
		return false
	}
	l.start = l.at
	n := strings.IndexByte(l.text[l.at:], '\n')
	if n < 0 {
		l.line, l.at = l.text[l.at:], len(l.text)
		return true
	}
	l.line, l.at = l.text[l.at:l.at+n], l.at+n+1
	return true
}

// back makes the current line the next one.
func (l *lines) back() { l.at = l.start }

// field is one cell of a row.
type field struct {
	text string
	at   int // offset in the input
}

// split divides a row that stands at offset into fields. A field that begins
// with a quote ends with one that a separator or the end follows; doubled
// quotes in it stand for one. Once a quote is not closed, quotes are text.
func split(row string, at int, sep byte) []field {
	var out []field
	quotes := true
	for start := 0; ; {
		end, next, text := len(row), len(row)+1, ""
		if quotes && start < len(row) && row[start] == '"' {
			if n := closing(row[start+1:], sep); n >= 0 {
				text = strings.ReplaceAll(row[start+1:start+1+n], `""`, `"`)
				next = start + n + 3
				out = append(out, field{text, at + start + 1})
				if next > len(row) {
					return out
				}
				start = next
				continue
			}
			quotes = false // lest each of them be looked for to the end
		}
		if n := strings.IndexByte(row[start:], sep); n >= 0 {
			end, next = start+n, start+n+1
		}
		out = append(out, field{row[start:end], at + start})
		if next > len(row) {
			return out
		}
		start = next
	}
}

// closing returns where the quote stands that ends a field, -1 if none does.
func closing(s string, sep byte) int {
	for i := 0; i < len(s); i++ {
		if s[i] != '"' {
			continue
		}
		if i+1 == len(s) || s[i+1] == sep {
			return i
		}
		if s[i+1] == '"' {
			i++
		}
	}
	return -1
}
