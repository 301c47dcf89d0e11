package text

import "strings"

// isWreck reports whether text that should be a name holds what only rows and
// heads have: part of a bar, of a series or of the words that say which way
// is better. Bytes were lost between them.
func isWreck(text string) bool {
	if strings.Contains(text, "|=") || strings.Contains(text, "=====") || strings.Contains(text, " AVG: ") || strings.HasPrefix(text, "AVG: ") {
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
		end = joinedAfter(text, end, hi)
	case at >= 0:
		end = lo + at + len(tail)
		start = joinedBefore(text, lo, lo+at)
	default:
		return 0, 0, false
	}
	return start, end, true
}

// mostPieces is how many words are thought to be pieces of two.
const mostPieces = 4

// joinedAfter returns the end of the first words of text[lo:hi] that together
// are most like "Is Better", lo if none are.
func joinedAfter(text string, lo, hi int) int {
	joined, end, best := "", lo, mostWrong+1
	for at := lo; strings.Count(joined, " ") < mostPieces; {
		word := wordAfter(text, at, hi)
		if word.start == word.end || len(joined) > 2*len("Is Better") {
			break
		}
		at = word.end
		joined += " " + text[word.start:word.end]
		if n := wrong(strings.ReplaceAll(joined, " ", ""), "IsBetter"); n < best {
			best, end = n, at
		}
	}
	if end > lo {
		return end
	}
	// The second word is gone.
	if word := wordAfter(text, lo, hi); text[word.start:word.end] == "Is" {
		return word.end
	}
	return lo
}

// joinedBefore returns the start of the last words of text[lo:hi] that
// together are most like "> Higher" or "< Lower", hi if none are.
func joinedBefore(text string, lo, hi int) int {
	joined, start, best := "", hi, mostWrong+1
	for at, n := hi, 0; n < mostPieces; n++ {
		word := wordBefore(text, lo, at)
		if word.start == word.end || word.end-word.start > len(">Higher")+mostWrong {
			break
		}
		at = word.start
		joined = text[word.start:word.end] + joined
		for _, want := range [...]string{">Higher", "<Lower", "Higher", "Lower"} {
			if n := wrong(joined, want); n < best {
				best, start = n, at
			}
		}
	}
	return start
}

// mostWrong is how many bytes of a word may be lost, changed or added.
const mostWrong = 2

// wrong returns how many bytes of word and want do not belong to what both
// begin with and what both end with.
func wrong(word, want string) int {
	short := min(len(word), len(want))
	head, tail := 0, 0
	for head < short && word[head] == want[head] {
		head++
	}
	for tail < short-head && word[len(word)-1-tail] == want[len(want)-1-tail] {
		tail++
	}
	return max(len(word), len(want)) - head - tail
}

// endsMark reports whether a line is the rest of a mark that was broken in
// two: what "> Higher Is Better" or "< Lower Is Better" ends with.
func endsMark(line string) bool {
	line = strings.Join(strings.Fields(line), " ")
	return line != "" && (strings.HasSuffix("> Higher Is Better", line) || strings.HasSuffix("< Lower Is Better", line))
}
