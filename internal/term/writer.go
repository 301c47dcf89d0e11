package term

import (
	"io"
	"unicode/utf8"
)

// VisibleWriter is a writer that passes text on as [VisibleLines] shows it.
// It is for data that goes to a terminal though it is made for programs.
type VisibleWriter struct {
	// W is where the text goes.
	W io.Writer

	tail []byte // bytes of a rune whose rest has not come yet
	last rune   // of what was passed on
}

// Write passes p on. A rune that is cut at the end of p waits for its rest.
func (w *VisibleWriter) Write(p []byte) (int, error) {
	text := append(w.tail, p...)
	end := len(text)
	for i := 1; i <= utf8.UTFMax && i <= len(text); i++ {
		if c := text[len(text)-i]; utf8.RuneStart(c) {
			if c >= utf8.RuneSelf && !utf8.FullRune(text[len(text)-i:]) {
				end -= i
			}
			break
		}
	}
	w.tail = append([]byte(nil), text[end:]...)
	if err := w.pass(text[:end]); err != nil {
		return 0, err
	}
	return len(p), nil
}

func (w *VisibleWriter) pass(text []byte) error {
	if len(text) == 0 {
		return nil
	}
	shown := visible(string(text), "\n\t", w.last)
	w.last, _ = utf8.DecodeLastRuneInString(shown)
	_, err := io.WriteString(w.W, shown)
	return err
}

// Flush passes on what is left of a rune that never came whole.
func (w *VisibleWriter) Flush() error {
	tail := w.tail
	w.tail = nil
	return w.pass(tail)
}
