package text

import "strings"

// span is a piece of a text, [start, end).
type span struct{ start, end int }

// barSpans are the parts of a row that ends with a bar.
type barSpans struct {
	identEnd int // the identifier ends here
	dots     span
	value    span
	end      int // the bar ends here
	bar      int // its length
}

// barRowAt reads the row whose bar's mark is at pipe, backwards, not beyond
// lo: a value, dots, an identifier. ok is false where there is no such row.
func barRowAt(text string, lo, pipe int) (s barSpans, ok bool) {
	if pipe <= lo || !isSpace(text[pipe-1]) {
		return s, false
	}
	s.end = pipe + 1
	for s.end < len(text) && text[s.end] == '=' {
		s.end++
	}
	if s.end < len(text) && !isSpace(text[s.end]) {
		return s, false
	}
	s.bar = s.end - pipe - 1
	s.value = wordBefore(text, lo, pipe)
	if s.value.start == s.value.end || isDots(text[s.value.start:s.value.end]) {
		return s, false
	}
	word := s.value
	for range 4 {
		s.dots = wordBefore(text, lo, word.start)
		dots := text[s.dots.start:s.dots.end]
		if isDots(dots) {
			_, s.identEnd = trim(text, lo, s.dots.start)
			return s, true
		}
		// Digits in groups: "1 234.5".
		if !isGroup(dots) || !isDigit(text[word.start]) {
			return s, false
		}
		word = s.dots
		s.value.start = word.start
	}
	return s, false
}

// isGroup reports whether a word may be the first digits of a number that
// spaces divide into groups.
func isGroup(word string) bool {
	for i := 0; i < len(word); i++ {
		if !isDigit(word[i]) && (word[i] != '-' || i > 0) {
			return false
		}
	}
	return hasDigit(word)
}

// wordBefore returns the last word of text[lo:hi], empty if there is none.
func wordBefore(text string, lo, hi int) span {
	for hi > lo && isSpace(text[hi-1]) {
		hi--
	}
	start := hi
	for start > lo && !isSpace(text[start-1]) {
		start--
	}
	return span{start, hi}
}

// wordAfter returns the first word of text[lo:hi], empty if there is none.
func wordAfter(text string, lo, hi int) span {
	for lo < hi && isSpace(text[lo]) {
		lo++
	}
	end := lo
	for end < hi && !isSpace(text[end]) {
		end++
	}
	return span{lo, end}
}

// isDots reports whether a word is dots and nothing else.
func isDots(word string) bool {
	if word == "" || word[0] != '.' || word[len(word)-1] != '.' {
		return false
	}
	for i := 0; i < len(word); i++ {
		if word[i] != '.' {
			return false
		}
	}
	return true
}

// dotsIn returns the first word of dots in text[lo:hi] that has a word before
// it; ok is false if there is none.
func dotsIn(text string, lo, hi int) (dots span, ok bool) {
	lo, hi = trim(text, lo, hi)
	for i := lo + 1; i < hi; {
		at := strings.IndexByte(text[i:hi], '.')
		if at < 0 {
			break
		}
		i += at
		start := i
		for i < hi && text[i] == '.' {
			i++
		}
		if isSpace(text[start-1]) && (i == hi || isSpace(text[i])) {
			return span{start, i}, true
		}
	}
	return span{}, false
}

// series are the parts of a row of a series behind its dots.
type series struct {
	minimum, average, maximum span
	end                       int // its box plot, if any, ends here
}

// seriesAt reads "MIN: a AVG: b MAX: c" and a box plot at lo.
func seriesAt(text string, lo, hi int) (s series, ok bool) {
	at := lo
	for _, part := range [...]struct {
		word string
		to   *span
	}{{"MIN:", &s.minimum}, {"AVG:", &s.average}, {"MAX:", &s.maximum}} {
		word := wordAfter(text, at, hi)
		if text[word.start:word.end] != part.word {
			return s, false
		}
		*part.to = wordAfter(text, word.end, hi)
		if !hasDigit(text[part.to.start:part.to.end]) {
			return s, false
		}
		at = part.to.end
	}
	s.end = at
	if box := wordAfter(text, at, hi); box.start < box.end && text[box.start] == '[' {
		i := box.start
		for i < hi && strings.IndexByte("[]|-#X.+* \t\n", text[i]) >= 0 {
			i++
			if text[i-1] == ']' {
				s.end = i
				break
			}
		}
	}
	return s, true
}

func hasDigit(word string) bool {
	for i := 0; i < len(word); i++ {
		if isDigit(word[i]) {
			return true
		}
	}
	return false
}

// isVerdict reports whether a word is what PTS prints for a test that passes
// or fails, or a comma list of those.
func isVerdict(word string) bool {
	if word == "" {
		return false
	}
	for part := range strings.SplitSeq(word, ",") {
		switch part {
		case "PASS", "FAIL", "Pass", "Fail", "PASSED", "FAILED":
		default:
			return false
		}
	}
	return true
}

// markAt returns the end of the words that say which way is better, if they
// stand at an offset, and which.
func markAt(text string, at int) (end int, higher, ok bool) {
	const lower, better = "< Lower Is Better", "> Higher Is Better"
	want := lower
	if text[at] == '>' {
		want, higher = better, true
	}
	if strings.HasPrefix(text[at:], want) {
		return endOfMark(text, at+len(want), higher)
	}
	// Wrapped: any white space between the words.
	i := at
	for word := range strings.SplitSeq(want, " ") {
		for i < len(text) && isSpace(text[i]) {
			i++
		}
		if !strings.HasPrefix(text[i:], word) {
			return 0, false, false
		}
		i += len(word)
	}
	return endOfMark(text, i, higher)
}

func endOfMark(text string, end int, higher bool) (int, bool, bool) {
	return end, higher, end == len(text) || isSpace(text[end])
}
