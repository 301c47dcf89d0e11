package main

import (
	"slices"
	"strings"
	"unicode"
)

// maxSuggestions is how many names a hint proposes.
const maxSuggestions = 3

// nearest returns the candidates that a word with a slip of the keyboard may
// have been meant for, the likeliest first: those of which it is the beginning
// and those that a few letters make of it. In a short word fewer letters may
// differ, so that nothing far-fetched is proposed.
func nearest(word string, candidates []string) []string {
	return ranked(candidates, func(c string) int {
		w, c := strings.ToLower(word), strings.ToLower(c)
		if len(w) >= 3 && strings.HasPrefix(c, w) {
			return 0
		}
		return slip(w, c)
	})
}

// ranked returns the candidates of the lowest scores, up to maxSuggestions;
// those below zero are left out.
func ranked(candidates []string, score func(string) int) []string {
	type scored struct {
		name  string
		score int
	}
	var list []scored
	for _, c := range candidates {
		if s := score(c); s >= 0 {
			list = append(list, scored{c, s})
		}
	}
	slices.SortStableFunc(list, func(a, b scored) int { return a.score - b.score })
	var names []string
	for _, s := range list[:min(len(list), maxSuggestions)] {
		names = append(names, s.name)
	}
	return names
}

// slip returns how many letters make b of a, and -1 where that is too many for
// a slip. Words of three letters must be as long as each other.
func slip(a, b string) int {
	x, y := []rune(a), []rune(b)
	most := max(1, len(x)/3)
	if len(x) == 3 && len(y) != 3 || len(x) < 3 || len(y) > len(x)+most || len(x) > len(y)+most || len(x) > 100 {
		return -1
	}
	if d := distance(x, y); d <= most {
		return d
	}
	return -1
}

// distance counts the letters to insert, delete, replace or swap with their
// neighbour to make b of a.
func distance(a, b []rune) int {
	before, last, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range row {
		last[j] = j
	}
	for i := range a {
		row[0] = i + 1
		for j := range b {
			cost := 1
			if a[i] == b[j] {
				cost = 0
			}
			row[j+1] = min(last[j]+cost, last[j+1]+1, row[j]+1)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				row[j+1] = min(row[j+1], before[j-1]+1)
			}
		}
		before, last, row = last, row, before
	}
	return last[len(b)]
}

// nearestNames returns the names that a filter which matches none of them may
// have been meant for: one that holds a word like it, or whose words begin with
// its letters, as those of "Flexible IO Tester" do with fio. An alias, which is
// tried as well, stands behind its name and a tab.
func nearestNames(pattern string, names []string) []string {
	pattern = strings.ToLower(strings.Trim(pattern, `^$.*()[]\ `))
	if pattern == "" {
		return nil
	}
	found := ranked(names, func(c string) int {
		name, alias, _ := strings.Cut(strings.ToLower(c), "\t")
		words := strings.FieldsFunc(name, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
		if len(pattern) >= 3 && strings.Contains(alias, pattern) || len(pattern) >= 2 && abbreviates(pattern, words, false) {
			return 0
		}
		best := slip(pattern, name)
		for i, word := range words {
			tries := []string{word}
			if i+1 < len(words) {
				tries = append(tries, word+words[i+1])
			}
			for _, try := range tries {
				if n := slip(pattern, try); n >= 0 && (best < 0 || n < best) {
					best = n
				}
			}
		}
		return best
	})
	for i := range found {
		found[i], _, _ = strings.Cut(found[i], "\t")
	}
	return found
}

// abbreviates reports whether short is made of the beginnings of the first two
// or more words, in order.
func abbreviates(short string, words []string, begun bool) bool {
	if len(words) == 0 || short == "" {
		return false
	}
	for n := 1; n <= len(short) && strings.HasPrefix(words[0], short[:n]); n++ {
		if n == len(short) {
			return begun
		}
		if abbreviates(short[n:], words[1:], true) {
			return true
		}
	}
	return false
}

// didYouMean returns the hint that proposes names, "" for none.
func didYouMean(names []string) string {
	if len(names) == 0 {
		return ""
	}
	return "did you mean " + listed(names) + "?"
}
