package source

import (
	"strings"
	"unicode/utf8"
)

// sequence returns the length of the terminal escape sequence that s begins
// with (ECMA-48 and what xterm adds), 0 where it is none that is known or is
// not finished. It reports moves where the sequence puts the cursor
// elsewhere.
func sequence(s string) (n int, moves bool) {
	if len(s) < 2 || s[0] != esc {
		return 0, false
	}
	switch s[1] {
	case '[':
		return controlSequence(s)
	case ']':
		return stringSequence(s, true), false
	case 'P', 'X', '^', '_':
		return stringSequence(s, false), false
	case '(', ')', '*', '+', '-', '.', '/': // a character set
		if len(s) > 2 && (s[2] == '0' || s[2] >= 'A' && s[2] <= 'Z' || s[2] == '<') && !digitAt(s, 3, s[2] == '0') {
			return 3, false
		}
	case '7', '8': // save and restore the cursor
		if !digitAt(s, 2, true) {
			return 2, s[1] == '8'
		}
	case '=', '>', 'c', 'N', 'O', 'Z', '\\':
		return 2, false
	case 'D', 'E', 'H', 'M':
		return 2, true
	}
	return 0, false
}

// digitAt reports whether a number may go on at s[i], where that matters.
func digitAt(s string, i int, matters bool) bool {
	return matters && i < len(s) && (s[i] >= '0' && s[i] <= '9' || s[i] == '.')
}

// controlSequence returns the length of a CSI sequence: parameters,
// intermediate bytes, and a final one. A blank is an intermediate byte of
// very few sequences; before any other letter it is the blank between a
// number and its unit, and the sequence has lost its end. So it has where a
// parameter is longer than terminals have use for.
func controlSequence(s string) (n int, moves bool) {
	i, digits := 2, 0
	for i < len(s) && s[i] >= 0x30 && s[i] <= 0x3f {
		digits++
		if s[i] > '9' {
			digits = 0
		}
		if digits > 3 && s[2] != '?' && s[2] != '>' {
			return 0, false
		}
		i++
	}
	switch {
	case i+1 < len(s) && s[i] == ' ':
		if !strings.ContainsRune("@AqtuP", rune(s[i+1])) {
			return 0, false
		}
		i++
	case i+1 < len(s) && strings.IndexByte("!\"#$'*,", s[i]) >= 0:
		i++
	}
	if i >= len(s) || s[i] < 0x40 || s[i] > 0x7e {
		return 0, false
	}
	return i + 1, strings.IndexByte("ABCDEFGHIZ`adefjksu", s[i]) >= 0
}

// stringSequence returns the length of a sequence that holds text for the
// terminal, such as a window's title, up to its terminator: ESC \, or BEL of
// those that bell says. It ends on its line: what goes on is not finished.
func stringSequence(s string, bell bool) int {
	for i := 2; i < len(s); i++ {
		switch s[i] {
		case '\a':
			if bell {
				return i + 1
			}
		case esc:
			if i+1 < len(s) && s[i+1] == '\\' {
				return i + 2
			}
			return 0
		case '\n', '\r', 0:
			return 0
		}
	}
	return 0
}

// overstrike resolves backspaces as a terminal does: the cursor goes back,
// not beyond the line's beginning, and what follows is written over what
// stood there. The places of notes are kept right.
func overstrike(text string, notes []Note) string {
	var b strings.Builder
	b.Grow(len(text))
	moved := make([]int, len(notes))
	for i := range notes {
		moved[i] = notes[i].Offset
	}
	for start := 0; start < len(text); {
		end := len(text)
		if n := strings.IndexByte(text[start:], '\n'); n >= 0 {
			end = start + n + 1
		}
		line := text[start:end]
		for i := range notes {
			if notes[i].Offset >= start && notes[i].Offset < end {
				// Within a line that changes no place is sure but the line.
				moved[i] = b.Len()
				if strings.IndexByte(line, '\b') < 0 {
					moved[i] += notes[i].Offset - start
				}
			}
		}
		if strings.IndexByte(line, '\b') < 0 {
			b.WriteString(line)
		} else {
			strike(&b, line)
		}
		start = end
	}
	for i := range notes {
		if notes[i].Offset >= len(text) {
			moved[i] = b.Len()
		}
		notes[i].Offset = moved[i]
	}
	return b.String()
}

// strike writes one line with its backspaces resolved.
func strike(b *strings.Builder, line string) {
	cells := make([]rune, 0, utf8.RuneCountInString(line))
	at := 0
	for _, r := range line {
		switch {
		case r == '\b':
			at = max(0, at-1)
			continue
		case r == '\n':
			at = len(cells)
		}
		if at < len(cells) {
			cells[at] = r
		} else {
			cells = append(cells, r)
		}
		at++
	}
	for _, r := range cells {
		b.WriteRune(r)
	}
}
