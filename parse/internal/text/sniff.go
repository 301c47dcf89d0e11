package text

import "strings"

// Sniff reports whether text looks like a text export of PTS, with or without
// its lines. It looks at the beginning, 4 MiB, alone. True is no promise:
// [Read] may still find nothing.
func Sniff(text string) bool {
	const most = 4 << 20
	text = plainSpaces(text[:min(len(text), most)])
	start, _ := trim(text, 0, len(text))
	for _, other := range [...]string{"<", "{", "[{"} { // a page, XML, JSON
		if strings.HasPrefix(text[start:], other) {
			return false
		}
	}
	v := newView(nil, text, nil)
	s := v.stops(0)
	rows, heads := 0, 0
	for lo := 0; rows == 0 || heads == 0; {
		st, ok := s.after(lo)
		if !ok {
			break
		}
		if st.isRow {
			rows++
		} else {
			heads++
		}
		lo = st.end
	}
	if rows > 0 && heads > 0 {
		return true
	}
	// Only systems, or a dump cut in its first test.
	k, ok := firstSystem(text, 0, len(text))
	if !ok {
		return false
	}
	before := strings.TrimRight(text[:k.start], " \t\n")
	return !isCaption(before[strings.LastIndexAny(before, " \t\n")+1:])
}
