package source

import (
	"fmt"
	"strings"

	"github.com/benchproof/benchproof/internal/phrase"
	"github.com/benchproof/benchproof/result"
)

// clean takes out of valid UTF-8 what is not text: see [Decode]. The note,
// which may be nil, is one of text; it is returned among the others, its
// place moved.
func clean(text string, note *Note) (string, []Note) {
	c := cleaner{text: text, place: -1}
	if note != nil {
		c.place = note.Offset
	}
	out := text
	if strings.IndexByte(text, '\r') >= 0 || strings.IndexByte(text, esc) >= 0 || strings.IndexByte(text, 0) >= 0 {
		out = c.run()
	}
	if note != nil && c.place >= 0 {
		note.Offset = min(c.place, len(out))
	}
	var notes []Note
	if note != nil {
		notes = append(notes, *note)
	}
	if c.nuls > 0 {
		notes = append(notes, Note{
			Severity: result.SeverityWarning, Offset: c.firstNUL, Code: "nul",
			Message: fmt.Sprintf("%s, shown as U+FFFD within the text and dropped behind it, the first one here", phrase.Count(c.nuls, "NUL byte")),
		})
	}
	if c.broken > 0 {
		notes = append(notes, Note{
			Severity: result.SeverityWarning, Offset: c.firstBroken, Code: "escape",
			Message: fmt.Sprintf("%s, its ESC shown as U+FFFD, the first one here", phrase.Count(c.broken, "unknown or unfinished terminal escape sequence")),
		})
	}
	if strings.IndexByte(out, '\b') >= 0 {
		out = overstrike(out, notes)
	}
	if trimmed := strings.TrimLeft(out, "\uFEFF"); len(trimmed) < len(out) {
		for i := range notes {
			if notes[i].Offset >= 0 {
				notes[i].Offset = max(0, notes[i].Offset-(len(out)-len(trimmed)))
			}
		}
		out = trimmed
	}
	return out, notes
}

// cleaner copies a text without carriage returns, escape sequences and NULs.
type cleaner struct {
	text  string
	out   strings.Builder
	place int // a place to follow from text to out, -1 for none

	nuls, firstNUL      int
	broken, firstBroken int
}

const esc = 0x1b

func (c *cleaner) run() string {
	text := strings.TrimRight(c.text, "\x00")
	if n := len(c.text) - len(text); n > 0 {
		c.nuls = n
		c.firstNUL = -1 // the end, unless there is one before
	}
	c.out.Grow(len(text))
	start := 0
	place := c.place
	c.place = -1
	for i := 0; i < len(text); {
		b := text[i]
		if b != '\r' && b != esc && b != 0 {
			i++
			continue
		}
		c.copy(text[start:i], start, place)
		var n int
		switch b {
		case '\r':
			n = 1
			if i+1 < len(text) && text[i+1] == '\n' {
				break // the LF is copied with what follows
			}
			c.out.WriteByte('\n')
		case esc:
			n = c.escape(text[i:])
		case 0:
			if c.nuls == 0 || c.firstNUL < 0 {
				c.firstNUL = c.out.Len()
			}
			c.nuls++
			n = 1
			c.out.WriteString(Replacement)
		}
		i += n
		start = i
	}
	c.copy(text[start:], start, place)
	if place >= 0 && c.place < 0 {
		c.place = c.out.Len()
	}
	return c.out.String()
}

// copy writes a part of the text that begins at from.
func (c *cleaner) copy(part string, from, place int) {
	if c.place < 0 && place >= 0 && place < from+len(part) {
		c.place = c.out.Len() + max(0, place-from)
	}
	c.out.WriteString(part)
}

// escape writes what stands for the escape sequence that s begins with, and
// returns its length. Nothing stands for most; a move of the cursor keeps
// apart what it stood between. Of a sequence that is not known or not
// finished only the ESC is taken, and U+FFFD stands for it: a digit that
// might belong to a number is never taken with it.
func (c *cleaner) escape(s string) int {
	n, moves := sequence(s)
	switch {
	case n == 0:
		if c.broken == 0 {
			c.firstBroken = c.out.Len()
		}
		c.broken++
		c.out.WriteString(Replacement)
		return 1
	case moves && c.out.Len() > 0 && !strings.HasSuffix(c.out.String(), "\n") && !strings.HasSuffix(c.out.String(), " "):
		c.out.WriteByte(' ')
	}
	return n
}
