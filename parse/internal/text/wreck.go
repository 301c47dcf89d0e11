package text

import "strings"

// isWreck reports whether text that should be a name holds what only rows and
// heads have: part of a bar, of a series or of the words that say which way
// is better. Bytes were lost between them.
func isWreck(text string) bool {
	if strings.Contains(text, "|=") || strings.Contains(text, " AVG: ") || strings.HasPrefix(text, "AVG: ") {
		return true
	}
	_, _, ok := damagedMark(text, 0, len(text))
	return ok
}

// longestName is how long a name may be that one row has and no system.
const longestName = 200

// damagedMark finds the first place in text[lo:hi] with what is left of
// "> Higher Is Better" or "< Lower Is Better" after some of it was lost: its
// first two words, or its last two. One lost or added byte leaves either.
func damagedMark(text string, lo, hi int) (start, end int, ok bool) {
	const tail = "Is Better"
	part := text[lo:hi]
	at := strings.Index(part, tail)
	front := -1
	for _, words := range [...]string{"> Higher", "< Lower"} {
		if i := strings.Index(part, words); i >= 0 && (at < 0 || i < at) && (front < 0 || i < front) {
			front = i
			end = lo + i + len(words)
		}
	}
	switch {
	case front >= 0:
		start = lo + front
		for _, want := range [...]string{"Is", "Better"} {
			word := wordAfter(text, end, hi)
			if word.start == word.end || !nearly(text[word.start:word.end], want) {
				break
			}
			end = word.end
		}
		// What was joined to the mark stays behind it.
		if i := strings.Index(text[start:hi], tail); i >= 0 && start+i <= end {
			end = start + i + len(tail)
		}
	case at >= 0:
		start, end = lo+at, lo+at+len(tail)
		word := wordBefore(text, lo, start)
		if w := text[word.start:word.end]; nearly(w, "Higher") || nearly(w, "Lower") {
			start = word.start
			word = wordBefore(text, lo, start)
		}
		if w := text[word.start:word.end]; w == "<" || w == ">" {
			start = word.start
		}
	default:
		return 0, 0, false
	}
	return start, end, true
}

// nearly reports whether word is want with little of it lost, changed or
// added: what both begin with and what both end with is all but two bytes of
// it, or all but one of a short word.
func nearly(word, want string) bool {
	off := min(2, len(want)/2)
	if len(word) > len(want)+off || len(word) < len(want)-off {
		return false
	}
	same := 0
	for same < min(len(word), len(want)) && word[same] == want[same] {
		same++
	}
	tail := 0
	for tail < min(len(word), len(want))-same && word[len(word)-1-tail] == want[len(want)-1-tail] {
		tail++
	}
	return same+tail >= len(want)-off
}
