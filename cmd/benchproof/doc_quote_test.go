package main

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

// TestDocQuotes: Go code in the documents stands, line by line, in the file that
// its first line names, so that what they show compiles and is tested.
func TestDocQuotes(t *testing.T) {
	block := regexp.MustCompile("(?s)\n```go\n// ([^\n]+)\n(.*?\n)```\n")
	for _, doc := range []string{"doc/howto-add-profile.md", "doc/howto-add-reader.md"} {
		text, err := os.ReadFile("../../" + doc)
		if err != nil {
			t.Fatal(err)
		}
		quotes := block.FindAllStringSubmatch(string(text), -1)
		if len(quotes) < 4 || len(quotes) != strings.Count(string(text), "\n```go\n") {
			t.Errorf("%s: %d quotes that name their file", doc, len(quotes))
		}
		for _, q := range quotes {
			code, err := os.ReadFile("../../" + q[1])
			if err != nil {
				t.Fatal(err)
			}
			if !strings.Contains("\n"+string(code), "\n"+q[2]) {
				t.Errorf("%s: %s does not have\n%s", doc, q[1], q[2])
			}
		}
	}
}
