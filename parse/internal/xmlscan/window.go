package xmlscan

import (
	"bytes"
	"io"

	"github.com/benchproof/benchproof/parse/internal/source"
	"github.com/benchproof/benchproof/result"
)

const (
	windowSize = 128 << 10
	// slack is what a token may have around its text: tags, "<![CDATA[".
	slack = 64 << 10
	// emptyReads is how often a reader may return nothing without an error.
	emptyReads = 100
)

// window is the part of the input that is in memory. Unread input is
// buf[pos:end]; base is the offset of buf[0] in the input. The window grows
// while one token fills it and shrinks once such a token is gone.
type window struct {
	source string
	r      io.Reader
	rerr   error // why r gives no more
	room   int64 // how many bytes r may still give
	limit  source.Limits
	size   int // of the window before it grows

	buf      []byte
	pos, end int
	base     int64
	shift    int // of offsets, where the input is a part of another

	// Lines are counted up to the offset counted, which is on line, whose
	// first byte is at lineStart.
	counted   int64
	line      int
	lineStart int64

	// The current token begins at the offset tok. Its line and column are
	// found when asked for, or before its bytes leave the window.
	tok      int64
	tokFound bool
	tokLine  int
	tokCol   int
}

func newWindow(r io.Reader, name string, limits source.Limits, size int) window {
	w := window{source: name, r: r, room: limits.Input, limit: limits, size: size, buf: make([]byte, size), line: 1}
	if w.need(3) && string(w.buf[:3]) == "\ufeff" {
		w.pos = 3
		w.lineStart = 3
		w.counted = 3
	}
	return w
}

// failure returns why the input ended, nil if it ended whole.
func (w *window) failure() error {
	if w.rerr == io.EOF {
		return nil
	}
	return w.rerr
}

// fill reads more input behind the unread part, which it moves to the front
// of the window. It reports whether there was any. Indexes counted from pos
// stay valid; slices of buf do not.
func (w *window) fill() bool {
	if w.rerr != nil {
		return false
	}
	w.place()
	w.locate(w.base + int64(w.pos))
	rest := w.buf[w.pos:w.end]
	switch {
	case len(w.buf) > 4*w.size && len(rest) < w.size/2:
		w.buf = append(make([]byte, 0, w.size), rest...)[:w.size]
	case len(rest) == len(w.buf):
		most := w.limit.Text + slack
		if len(rest) >= most {
			w.rerr = w.tooLong()
			return false
		}
		w.buf = append(make([]byte, 0, min(2*len(rest), most)), rest...)
		w.buf = w.buf[:cap(w.buf)]
	default:
		copy(w.buf, rest)
	}
	w.base += int64(w.pos)
	w.pos, w.end = 0, len(rest)

	for range emptyReads {
		n, err := w.r.Read(w.buf[w.end:])
		if w.room -= int64(n); w.room < 0 {
			n, err = 0, &source.LimitError{Source: w.source, What: "input", Limit: w.limit.Input, Flag: source.FlagInput}
		}
		w.end += n
		if err != nil {
			w.rerr = err
		}
		if n > 0 || err != nil {
			return n > 0
		}
	}
	w.rerr = io.ErrNoProgress
	return false
}

// need reports whether n unread bytes are in the window, reading them if
// they are not yet.
func (w *window) need(n int) bool {
	for w.end-w.pos < n {
		if !w.fill() {
			return false
		}
	}
	return true
}

// index returns how far from pos the first c stands that is at least from
// bytes away, and -1 if the input ends without one.
func (w *window) index(from int, c byte) int {
	for {
		if from < w.end-w.pos {
			if i := bytes.IndexByte(w.buf[w.pos+from:w.end], c); i >= 0 {
				return from + i
			}
			from = w.end - w.pos
		}
		if !w.fill() {
			return -1
		}
	}
}

// indexString is index for a text of several bytes.
func (w *window) indexString(from int, text string) int {
	for {
		n := w.index(from, text[0])
		if n < 0 || !w.need(n+len(text)) {
			return -1
		}
		if string(w.buf[w.pos+n:w.pos+n+len(text)]) == text {
			return n
		}
		from = n + 1
	}
}

// hasPrefix reports whether the unread input begins with text.
func (w *window) hasPrefix(text string) bool {
	return w.need(len(text)) && string(w.buf[w.pos:w.pos+len(text)]) == text
}

// nameEnd returns how far from pos the name ends that begins n bytes from
// there, and false if the input ends first.
func (w *window) nameEnd(n int) (int, bool) {
	for {
		for w.pos+n < w.end && nameByte(w.buf[w.pos+n]) {
			n++
		}
		if w.pos+n < w.end {
			return n, true
		}
		if !w.fill() {
			return n, false
		}
	}
}

// skipSpace takes white space off the front of the unread input.
func (w *window) skipSpace() {
	for {
		for w.pos < w.end && space(w.buf[w.pos]) {
			w.pos++
		}
		if w.pos < w.end || !w.fill() {
			return
		}
	}
}

// tooLong returns the error for a text or tag over the limit.
func (w *window) tooLong() error {
	o := w.origin()
	return &source.LimitError{Source: w.source, Origin: o, What: "text node", Limit: int64(w.limit.Text), Flag: source.FlagText}
}

// mark makes buf[at] the begin of the current token.
func (w *window) mark(at int) {
	w.tok = w.base + int64(at)
	w.tokFound = false
}

// place finds the line and column of the current token.
func (w *window) place() {
	if !w.tokFound {
		w.tokLine, w.tokCol = w.locate(w.tok)
		w.tokFound = true
	}
}

// locate returns the line and column of an offset. Offsets that lie before
// one already asked for give the place of that one: callers ask in order.
func (w *window) locate(offset int64) (line, column int) {
	if offset > w.counted {
		part := w.buf[w.counted-w.base : offset-w.base]
		if n := bytes.Count(part, newline); n > 0 {
			w.line += n
			w.lineStart = w.counted + int64(bytes.LastIndexByte(part, '\n')) + 1
		}
		w.counted = offset
	}
	return w.line, int(w.counted-w.lineStart) + 1
}

// origin returns the place of the current token.
func (w *window) origin() result.Origin {
	w.place()
	return result.Origin{Source: w.source, Line: w.tokLine, Column: w.tokCol, Offset: int(w.tok) + w.shift}
}

// originAt returns the place of buf[at], which is not before the current
// token.
func (w *window) originAt(at int) result.Origin {
	w.place()
	offset := w.base + int64(at)
	line, column := w.locate(offset)
	return result.Origin{Source: w.source, Line: line, Column: column, Offset: int(offset) + w.shift}
}

var newline = []byte{'\n'}
