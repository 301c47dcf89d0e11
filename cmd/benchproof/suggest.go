package main

import (
	"regexp"
	"regexp/syntax"
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
	return slices.Compact(found)
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

// wordsOf returns the words that a text which matches the regular expression
// must hold as they stand there, in lower case; nil where a part of it has a
// choice.
func wordsOf(expression string) []string {
	re, err := syntax.Parse(expression, syntax.Perl)
	if err != nil {
		return nil
	}
	var b strings.Builder
	if !literals(&b, re) {
		return nil
	}
	return splitWords(strings.ToLower(b.String()))
}

// literals writes the literal parts of a regular expression, a blank for what
// else is in it. It reports whether they are all needed.
func literals(b *strings.Builder, re *syntax.Regexp) bool {
	switch re.Op {
	case syntax.OpLiteral:
		b.WriteString(string(re.Rune))
		return true
	case syntax.OpAlternate, syntax.OpQuest:
		return false
	case syntax.OpConcat, syntax.OpCapture, syntax.OpPlus:
		for _, sub := range re.Sub {
			if !literals(b, sub) {
				return false
			}
		}
		return true
	}
	b.WriteByte(' ')
	return true
}

func splitWords(text string) []string {
	return strings.FieldsFunc(text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}

// sameWords returns those of the texts that hold all words of a regular
// expression, but not as it has them, and whether that took no slip of the
// keyboard. One word alone is no order.
func sameWords(expression string, texts []string) (found []string, all bool) {
	words := wordsOf(expression)
	if len(words) < 2 {
		return nil, false
	}
	var slips []string
	for _, text := range texts {
		lower := strings.ToLower(text)
		of := splitWords(lower)
		held, slipped := 0, 0
		for _, w := range words {
			switch {
			case strings.Contains(lower, w):
				held++
			case slices.ContainsFunc(of, func(o string) bool { return slip(w, o) >= 0 }):
				slipped++
			}
		}
		switch {
		case held == len(words):
			found = append(found, text)
		case held > 0 && held+slipped == len(words):
			slips = append(slips, text)
		}
	}
	if len(found) > 0 {
		return found, true
	}
	return slips, false
}

// inOrderOf returns an expression of the words of another one in the order, and
// the case, in which text has them; nil where that is none that matches it.
func inOrderOf(expression, text string) *regexp.Regexp {
	lower := strings.ToLower(text)
	if len(lower) != len(text) {
		return nil
	}
	type place struct{ from, to int }
	var places []place
	for _, w := range wordsOf(expression) {
		at := strings.Index(lower, w)
		if at < 0 {
			return nil
		}
		places = append(places, place{at, at + len(w)})
	}
	slices.SortFunc(places, func(a, b place) int { return a.from - b.from })
	var words []string
	for _, p := range places {
		words = append(words, regexp.QuoteMeta(text[p.from:p.to]))
	}
	re, err := regexp.Compile(strings.Join(words, ".*"))
	if err != nil || !re.MatchString(text) {
		return nil
	}
	return re
}
