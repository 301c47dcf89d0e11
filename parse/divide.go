package parse

import (
	"regexp"
	"strings"

	"github.com/benchproof/benchproof/parse/internal/flat"
	"github.com/benchproof/benchproof/parse/internal/source"
	"github.com/benchproof/benchproof/parse/internal/text"
	"github.com/benchproof/benchproof/result"
)

// section is a part of a document that one reader reads.
type section struct {
	doc  *source.Doc
	read func(*source.Doc, func(*result.File) error) error
}

// The marks by which a line shows that it belongs to a text export or to a
// page's text. Both stand in the head of every test but those without a
// direction.
const graph = `(?:OpenBenchmarking\.org|Phoronix Test Suite).*\b(?:Fewer|More) Is Better`

var (
	graphMark = regexp.MustCompile(graph)
	textMark  = regexp.MustCompile(` ?< Lower Is Better| ?> Higher Is Better`)
	pageMark  = regexp.MustCompile(`(?m)` + graph + `|^[^\n]{0,20}HTML result view exported from`)
	// A row's value and bar.
	barMark = regexp.MustCompile(`[0-9] *\|=*`)
	// What ends a page: the client's name and version, alone in its line
	// but for what was appended without a line break.
	footMark = regexp.MustCompile(`(?m)^[ \t]*Phoronix Test Suite v[0-9]+(?:\.[0-9]+)*(?:[a-z][0-9]+)?`)
)

// divide returns the sections of a document: itself, where it is of one
// form; parts of it, where text exports and pages' texts follow each other;
// none, where it is neither.
func divide(doc *source.Doc) []section {
	isText, isPage := isText(doc.Text), isPageText(doc.Text)
	switch {
	case isText && isPage:
	case isText:
		return []section{{doc.Section(0, len(doc.Text)), text.Read}}
	case isPage:
		var sections []section
		start := 0
		for _, end := range pageEnds(doc.Text) {
			sections = append(sections, section{doc.Section(start, end), flat.Read})
			start = end
		}
		return append(sections, section{doc.Section(start, len(doc.Text)), flat.Read})
	default:
		return nil
	}
	var sections []section
	add := func(start, end int, page bool) {
		s := section{doc.Section(start, end), text.Read}
		if page {
			s.read = flat.Read
		}
		sections = append(sections, s)
	}
	marks := findMarks(doc.Text)
	start := 0
	for i, m := range marks {
		if i == 0 || m.page == marks[i-1].page {
			continue
		}
		// A mark may stand within the one before, as where an end was found
		// behind it: a section never begins before the last one.
		cut := max(start, cutBefore(doc.Text, marks[i-1], m))
		add(start, cut, marks[i-1].page)
		start = cut
	}
	if len(marks) == 0 {
		return []section{{doc.Section(0, len(doc.Text)), text.Read}}
	}
	add(start, len(doc.Text), marks[len(marks)-1].page)
	return sections
}

// pageEnds returns where a page ends within a line, as when pages were put
// together without a line break between.
func pageEnds(s string) []int {
	var ends []int
	for _, m := range footMark.FindAllStringIndex(s, -1) {
		rest, _, _ := strings.Cut(s[m[1]:], "\n")
		// A graph of a page begins with the same words.
		if strings.TrimSpace(rest) != "" && !strings.Contains(rest, " Is Better") {
			ends = append(ends, m[1])
		}
	}
	return ends
}

// mark is a place that belongs to one of the two forms.
type mark struct {
	start, end int
	page       bool
}

// findMarks returns the marks of both forms in order.
func findMarks(s string) []mark {
	texts, pages := textMark.FindAllStringIndex(s, -1), pageMark.FindAllStringIndex(s, -1)
	marks := make([]mark, 0, len(texts)+len(pages))
	for len(texts) > 0 || len(pages) > 0 {
		if len(pages) == 0 || len(texts) > 0 && texts[0][0] < pages[0][0] {
			marks = append(marks, mark{texts[0][0], texts[0][1], false})
			texts = texts[1:]
		} else {
			marks = append(marks, mark{pages[0][0], pages[0][1], true})
			pages = pages[1:]
		}
	}
	return marks
}

// cutBefore returns where between the marks a and b, of two forms, the one
// ends and the other begins. Where b begins within a, that is the end of a.
func cutBefore(s string, a, b mark) int {
	between := s[a.end:max(a.end, b.start)]
	if a.page {
		// A page ends with its foot, else with the line of its last graph.
		if m := footMark.FindStringIndex(between); m != nil {
			return a.end + m[1]
		}
		if n := strings.IndexByte(between, '\n'); n >= 0 {
			return a.end + n + 1
		}
		return a.end
	}
	// A text export ends with a row's bar.
	if m := barMark.FindAllStringIndex(between, -1); m != nil {
		return a.end + m[len(m)-1][1]
	}
	if n := strings.IndexByte(between, '\n'); n >= 0 {
		return a.end + n + 1
	}
	return a.end
}
