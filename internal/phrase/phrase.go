// Package phrase words what messages say of several things.
package phrase

import "strings"

// Or returns words as "a, b or c": what a value can be. It returns the one word
// of a list of one, and "" for none.
func Or(words []string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	last := len(words) - 1
	return strings.Join(words[:last], ", ") + " or " + words[last]
}
