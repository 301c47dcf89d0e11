package main

import (
	"bufio"
	"fmt"
	"strings"

	"github.com/benchproof/benchproof/internal/phrase"
	"github.com/benchproof/benchproof/internal/term"
	"github.com/benchproof/benchproof/result"
)

// checkText prints findings for people: a line a file, and its findings.
type checkText struct {
	w     *bufio.Writer
	width int  // from which lines are wrapped; 0 for never
	all   bool // of findings of one kind, too
	quiet bool // errors alone, nothing where there is none

	errors, warnings, infos int
}

// foldAfter is how many findings of one kind of a file are printed before the
// others are counted. Errors are always printed: each is a value lost.
const foldAfter = 3

// kind is what findings that are folded have in common.
type kind struct {
	severity result.Severity
	code     string
}

func (t *checkText) Write(f *result.File) error {
	if t.quiet && len(f.Diagnostics) == 0 {
		return nil
	}
	c := count(f)
	fmt.Fprintf(t.w, "%s: %s, %s, %s\n", term.Visible(f.Source),
		phrase.Count(len(f.Systems), "system"), phrase.Count(len(f.Tests), "test"), phrase.Count(c.values, "value"))
	left := map[kind]int{}
	for _, d := range f.Diagnostics {
		left[kind{d.Severity, d.Code}]++
	}
	printed := map[kind]int{}
	for _, d := range f.Diagnostics {
		switch d.Severity {
		case result.SeverityError:
			t.errors++
		case result.SeverityWarning:
			t.warnings++
		default:
			t.infos++
		}
		k := kind{d.Severity, d.Code}
		folds := !t.all && d.Severity != result.SeverityError && left[k] > foldAfter
		switch printed[k]++; {
		case folds && printed[k] == foldAfter+1:
			t.line(d.Severity, fmt.Sprintf("%d more of this kind, which --verbose lists (%s)", left[k]-foldAfter, d.Code))
			continue
		case folds && printed[k] > foldAfter:
			continue
		}
		place := ""
		switch {
		case d.Origin.Source != "" && d.Origin.Source != f.Source:
			place = d.Origin.String() + ": "
		case d.Origin.Line > 0:
			place = fmt.Sprintf("%d:%d: ", d.Origin.Line, d.Origin.Column)
		}
		t.line(d.Severity, fmt.Sprintf("%s%s (%s)", place, d.Message, d.Code))
	}
	return t.w.Flush()
}

// line prints one finding, wrapped in its own column.
func (t *checkText) line(s result.Severity, text string) {
	const indent = 11
	lines := []string{term.Visible(text)}
	if t.width > 0 {
		lines = term.Wrap(lines[0], max(t.width-indent, 20))
	}
	fmt.Fprintf(t.w, "  %-7s  %s\n", s, lines[0])
	for _, l := range lines[1:] {
		fmt.Fprintf(t.w, "%s%s\n", strings.Repeat(" ", indent), l)
	}
}

func (t *checkText) Close() error {
	switch {
	case !t.quiet:
		fmt.Fprintf(t.w, "errors: %d, warnings: %d, info: %d\n", t.errors, t.warnings, t.infos)
	case t.errors > 0:
		fmt.Fprintf(t.w, "errors: %d\n", t.errors)
	}
	return t.w.Flush()
}
