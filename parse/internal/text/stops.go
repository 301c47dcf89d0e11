package text

import "strings"

// stop is a place in collapsed text that ends what stands before it: the
// words that say which way is better end a head, a bar ends a row.
type stop struct {
	at, end int
	isRow   bool
	higher  bool     // of a head
	row     barSpans // of a row
}

const stopBytes = "|<>"

// reach remembers how far a text was searched for a byte: none of it stands
// in [from, at), one stands at at, or the text ends there. Passes over the
// same text share it, so that no stretch without the byte is searched twice.
type reach struct{ from, at int }

// stops finds the stops of a text in order.
type stops struct {
	text    string
	next    [len(stopBytes)]int
	reached *[len(stopBytes)]reach
}

// stops returns the stops of the view's text at or behind from.
func (v *view) stops(from int) *stops {
	s := &stops{text: v.text, reached: &v.reached}
	for i := range s.next {
		s.seek(i, from)
	}
	return s
}

func (s *stops) seek(i, from int) {
	r := &s.reached[i]
	switch {
	case from < r.from:
		if at := strings.IndexByte(s.text[from:r.from], stopBytes[i]); at >= 0 {
			s.next[i] = from + at
			return
		}
		r.from = from
	case from > r.at || r.at == 0:
		r.from, r.at = from, len(s.text)
		if at := strings.IndexByte(s.text[from:], stopBytes[i]); at >= 0 {
			r.at = from + at
		}
	}
	s.next[i] = r.at
}

// after returns the first stop that begins at or behind lo; a row's
// identifier does not reach before lo. ok is false if there is none.
func (s *stops) after(lo int) (st stop, ok bool) {
	for i := range s.next {
		if s.next[i] < lo {
			s.seek(i, lo)
		}
	}
	for {
		first := 0
		for i := range s.next {
			if s.next[i] < s.next[first] {
				first = i
			}
		}
		at := s.next[first]
		if at >= len(s.text) {
			return stop{at: len(s.text), end: len(s.text)}, false
		}
		if stopBytes[first] == '|' {
			if row, ok := barRowAt(s.text, lo, at); ok {
				return stop{at: at, end: row.end, isRow: true, row: row}, true
			}
		} else if at == 0 || isSpace(s.text[at-1]) {
			if end, higher, ok := markAt(s.text, at); ok {
				return stop{at: at, end: end, higher: higher}, true
			}
		}
		s.seek(first, at+1)
	}
}
