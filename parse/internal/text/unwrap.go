package text

import (
	"strings"
	"unicode/utf8"

	"github.com/benchproof/benchproof/parse/internal/vocab"
)

// widest is the widest mail or terminal, in columns, that is thought to have
// wrapped lines.
const widest = 256

// wrapped is a line of text that may have been wrapped.
type wrapped struct {
	start, end int // without the line break, with all white space
	columns    int // without white space behind, a tab being one
	tab        bool
}

// tabColumns is how wide most terminals show the tab at a line's beginning.
const tabColumns = 8

// short returns how many columns a line lacks to fill the width: 0 if it
// does, 1 if a blank at its end may be lost, more if it was not wrapped.
func (l wrapped) short(width int) int {
	lacks := width - l.columns
	if l.tab && lacks >= tabColumns-1 {
		lacks -= tabColumns - 1
	}
	return max(lacks, 0)
}

// unwrap undoes the line breaks that a mail client put in for spaces, or a
// terminal at its last column. A terminal's are taken out; cuts are the
// offsets in the text returned before which one stood. Text that shows no
// such line breaks is returned as it is.
func unwrap(text string) (unwrapped string, cuts []int) {
	lines, width := wrappedLines(text)
	if width == 0 {
		return text, nil
	}
	inside, full, longest := continued(text, lines, width)
	switch {
	case allFull(lines, width):
		return joinHard(text, lines, width, false)
	case inside == 0:
		return text, nil
	case inside > 1 && full == inside:
		return joinHard(text, lines, width, true)
	}
	return joinSoft(text, lines, longest), nil
}

// wrappedLines returns the lines of text and the columns of the longest, 0
// if one is too long for text that was wrapped.
func wrappedLines(text string) (lines []wrapped, width int) {
	if i := strings.IndexByte(text, '\n'); i < 0 {
		return nil, 0
	}
	// Most text that is not wrapped has a long line near its start: nothing
	// is kept until none is found.
	for pass := range 2 {
		for at := 0; at < len(text); {
			end := strings.IndexByte(text[at:min(len(text), at+4*widest+1)], '\n')
			if end < 0 {
				if len(text)-at > 4*widest {
					return nil, 0
				}
				end = len(text) - at
			}
			end += at
			_, stop := trim(text, at, end)
			if pass == 0 {
				width = max(width, utf8.RuneCountInString(text[at:stop]))
				if width > widest {
					return nil, 0
				}
			} else {
				lines = append(lines, wrapped{at, end, utf8.RuneCountInString(text[at:stop]), end > at && text[at] == '\t'})
			}
			at = end + 1
		}
	}
	if width < 20 {
		return nil, 0
	}
	return lines, width
}

// continued counts the lines within lists of components that are followed by
// another line of the list (PTS prints a list in one line), those of them
// that fill the width, and returns the columns of the longest. It counts none
// where no list of hardware is continued: behind one of software a head may
// follow without an empty line. Equal lines, of systems with the same
// components, count once.
func continued(text string, lines []wrapped, width int) (inside, full, longest int) {
	kind, hardware := vocab.Unknown, false
	seen := make(map[string]bool)
	for i := 0; i+1 < len(lines); i++ {
		line := strings.TrimSpace(text[lines[i].start:lines[i].end])
		next := strings.TrimSpace(text[lines[i+1].start:lines[i+1].end])
		if key, starts := vocab.StartsWithKey(line); starts {
			kind = vocab.KeyKind(key)
		}
		key, _ := vocab.StartsWithKey(next)
		if line == "" || next == "" || key == "OS" || key == "Processor" || strings.HasSuffix(next, ":") && !strings.Contains(next, ", ") {
			kind = vocab.Unknown
		}
		if kind == vocab.Unknown || seen[line] {
			continue
		}
		seen[line] = true
		inside++
		if lines[i].short(width) <= 1 {
			full++
		}
		longest = max(longest, lines[i].columns)
		hardware = hardware || kind == vocab.Hardware
	}
	if !hardware {
		return 0, 0, 0
	}
	return inside, full, longest
}

// fits reports whether the first word of the next line would have found room
// behind a line: then the line was not broken for want of it.
func fits(line wrapped, next string, width int) bool {
	word := next
	if i := strings.IndexByte(next, ' '); i >= 0 {
		word = next[:i]
	}
	columns := line.columns
	if line.tab {
		columns += tabColumns - 1
	}
	return columns+1+utf8.RuneCountInString(word) <= width
}

// allFull reports whether all lines but the last of a paragraph end at the
// last column, or before the blank that was there: text without lines of its
// own that a terminal wrapped.
func allFull(lines []wrapped, width int) bool {
	full, other := 0, 0
	for i := 0; i+1 < len(lines); i++ {
		if lines[i].columns == 0 || lines[i+1].columns == 0 {
			continue
		}
		if lines[i].columns >= width-1 {
			full++
		} else {
			other++
		}
	}
	return full >= 3 && other*20 <= full
}

// joinHard takes out the line breaks behind lines that fill the width. With
// lines of its own a row or a head that ends there stays a line.
func joinHard(text string, lines []wrapped, width int, ownLines bool) (string, []int) {
	var b strings.Builder
	b.Grow(len(text))
	var cuts []int
	for i, l := range lines {
		b.WriteString(text[l.start:l.end])
		if l.end == len(text) {
			break
		}
		next := ""
		if i+1 < len(lines) {
			next = text[lines[i+1].start:lines[i+1].end]
		}
		line := text[l.start:l.end]
		whole := endsWhole(line) && !strings.HasPrefix(next, "=")
		switch {
		case strings.TrimSpace(next) == "" || l.short(width) > 1, ownLines && (whole || endsWithMark(strings.TrimRight(next, " "))):
			b.WriteByte('\n')
		case isSpace(line[len(line)-1]) || isSpace(next[0]):
			cuts = append(cuts, b.Len())
		case l.short(width) == 1 || whole || line[len(line)-1] == ',' || startsWithKey(next):
			b.WriteByte(' ') // the blank was lost
		default:
			cuts = append(cuts, b.Len())
		}
	}
	return b.String(), cuts
}

func startsWithKey(line string) bool {
	_, ok := vocab.StartsWithKey(line)
	return ok
}

// joinSoft puts a space for the line breaks that a mail client put in for
// one.
func joinSoft(text string, lines []wrapped, width int) string {
	out := []byte(text)
	for i := 0; i+1 < len(lines); i++ {
		line, next := text[lines[i].start:lines[i].end], strings.TrimSpace(text[lines[i+1].start:lines[i+1].end])
		if lines[i].columns == 0 || next == "" || endsWhole(line) {
			continue
		}
		if next[0] == '|' || !fits(lines[i], next, width) && !endsWithMark(next) {
			out[lines[i].end] = ' '
		}
	}
	return string(out)
}

// endsWhole reports whether a line ends with a bar, or with the words that
// say which way is better.
func endsWhole(line string) bool {
	line = strings.TrimRight(line, " \t")
	if endsWithMark(line) {
		return true
	}
	bar := strings.TrimRight(line, "=")
	return strings.HasSuffix(bar, " |") || bar == "|"
}

func endsWithMark(line string) bool {
	return strings.HasSuffix(line, "< Lower Is Better") || strings.HasSuffix(line, "> Higher Is Better")
}
