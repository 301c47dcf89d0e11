package xlsx

import (
	"strings"
	"unicode"

	"github.com/benchproof/benchproof/export"
	"github.com/benchproof/benchproof/internal/term"
	"github.com/benchproof/benchproof/result"
)

// familyKey is what the tests of one chart have in common: the program and what
// its numbers are.
type familyKey struct {
	title, version, scale string
	proportion            result.Proportion
}

func keyOf(t *result.Test) familyKey {
	return familyKey{t.Title, t.Version, t.Scale, t.Proportion}
}

// name of the program.
func (k familyKey) name() string { return strings.TrimSpace(k.title + " " + k.version) }

// axis says what the values are, and which are better.
func (k familyKey) axis() string {
	if k.scale == "" {
		return export.ProportionText(k.proportion)
	}
	return k.scale + ", " + export.ProportionText(k.proportion)
}

// options returns the parts of a test's arguments.
func options(t *result.Test) []result.Option {
	if len(t.Options) > 0 {
		return t.Options
	}
	return result.ParseOptions(t.Arguments)
}

// common returns the options that all tests have, in order.
func common(tests []*result.Test) []result.Option {
	var list []result.Option
	for _, o := range options(tests[0]) {
		all := true
		for _, t := range tests[1:] {
			all = all && hasOption(t, o)
		}
		if all {
			list = append(list, o)
		}
	}
	return list
}

func hasOption(t *result.Test, o result.Option) bool {
	for _, other := range options(t) {
		if other == o {
			return true
		}
	}
	return false
}

// ownLabel is what tells a test from others that have options in common.
func ownLabel(t *result.Test, shared []result.Option) string {
	var parts []string
	for _, o := range options(t) {
		own := true
		for _, s := range shared {
			own = own && s != o
		}
		if own {
			parts = append(parts, shortOption(o))
		}
	}
	return strings.Join(parts, ", ")
}

// shortOption is an option without its key where the value tells by itself.
func shortOption(o result.Option) string {
	if strings.ContainsFunc(o.Value, unicode.IsLetter) && o.Value != "Yes" && o.Value != "No" {
		return o.Value
	}
	return o.String()
}

func optionTexts(list []result.Option) string {
	parts := make([]string, len(list))
	for i, o := range list {
		parts[i] = o.String()
	}
	return strings.Join(parts, ", ")
}

// Letters that parts of charts take before they are cut; the sheets have more.
const (
	labelLetters    = 44
	titleLetters    = 60 // of a chart that takes half of a page
	subtitleLetters = 70
)

// short is text in one line of at most n letters, "…" where it was cut.
func short(text string, n int) string { return term.Cut(term.Visible(text), n, "…") }

// label is text in one line that fits beside a bar. Its middle is left out
// where it is too long: names that begin alike must not look alike.
func label(text string) string {
	text = term.Visible(text)
	if term.Width(text) <= labelLetters {
		return text
	}
	letters := []rune(text)
	// The longest end that leaves room for a beginning.
	end := len(letters)
	for end > 0 && term.Width(string(letters[end-1:])) <= labelLetters*3/5 {
		end--
	}
	tail := string(letters[end:])
	return term.Cut(text, labelLetters-term.Width(tail), "…") + tail
}
