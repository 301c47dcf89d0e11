package text

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/benchproof/benchproof/parse/internal/oracle"
	"github.com/benchproof/benchproof/result"
)

// softWrap breaks lines at blanks, as mail clients do.
func softWrap(text string, width int) string {
	var out []string
	for _, line := range strings.Split(text, "\n") {
		at := 0
		for len(line)-at > width {
			i := strings.LastIndexByte(line[at:at+width+1], ' ')
			if i <= 0 {
				i = strings.IndexByte(line[at+width:], ' ')
				if i < 0 {
					break
				}
				i += width
			}
			out = append(out, line[at:at+i])
			at += i + 1
		}
		out = append(out, line[at:])
	}
	return strings.Join(out, "\n")
}

// hardWrap breaks lines at a column, as terminals do.
func hardWrap(text string, width int) string {
	var out []string
	for _, line := range strings.Split(text, "\n") {
		for len(line) > width {
			out = append(out, line[:width])
			line = line[width:]
		}
		out = append(out, line)
	}
	return strings.Join(out, "\n")
}

func trimLines(text string) string {
	lines := strings.Split(text, "\n")
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " ")
	}
	return strings.Join(lines, "\n")
}

// mangled are what happens to a text on its way.
func mangled(text string, width int) map[string]string {
	spaced := strings.ReplaceAll(text, "\t", "        ")
	blankless := strings.ReplaceAll(strings.ReplaceAll(text, "\n\n", "\n"), "\n\n", "\n")
	return map[string]string{
		"mail":              softWrap(text, width),
		"mail, no tabs":     softWrap(spaced, width),
		"terminal":          hardWrap(text, width),
		"terminal, no tabs": hardWrap(spaced, width),
		"terminal, trimmed": trimLines(hardWrap(text, width)),
		"doubled lines":     strings.ReplaceAll(text, "\n", "\n\n"),
		"no empty lines":    blankless,
		"indented":          "    " + strings.ReplaceAll(text, "\n", "\n    "),
		"trailing blanks":   strings.ReplaceAll(text, "\n", "   \n"),
		"quoted":            "> " + strings.ReplaceAll(text, "\n", "\n> "),
		"odd spaces":        strings.ReplaceAll(text, " ", "\u00a0"),
	}
}

// The published dumps as mail, terminals and word processors leave them.
func TestMangled(t *testing.T) {
	widths := []int{60, 72, 76, 80, 100, 120, 132}
	if testing.Short() {
		widths = []int{72, 80}
	}
	for _, path := range oracle.Glob(t, "samples", "truth", "*.json") {
		want := oracle.Truth(t, path)
		name := strings.TrimSuffix(strings.TrimSuffix(filepath.Base(path), ".json"), ".flat")
		for _, form := range []string{"text", "collapsed"} {
			text := load(t, oracle.Shared(t, "samples", "forms", name+"."+form+".txt"))
			for _, width := range widths {
				for how, text := range mangled(text, width) {
					t.Run(fmt.Sprintf("%s/%s/%s/%d", name, form, how, width), func(t *testing.T) {
						f := one(t, text)
						o := forText(nil)
						o.Order = true
						for _, line := range oracle.Diff(f, want, o) {
							t.Error(line)
						}
						for _, line := range unexpected(f, "failed-entry", "identifier-guessed", "line-breaks") {
							t.Error(line)
						}
						if form == "collapsed" && f.Format != result.FormatTextCollapsed {
							t.Errorf("format %s", f.Format)
						}
					})
				}
			}
		}
	}
}
