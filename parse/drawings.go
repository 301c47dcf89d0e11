package parse

import (
	"regexp"
	"slices"
	"strings"

	"github.com/benchproof/benchproof/parse/internal/source"
)

// A browser may copy every text of a drawing as a line of its own: Chromium does so
// with drawings that stand in the page. Between paragraphs stays an empty line. The
// lines of a drawing are put together as other browsers copy them, which is the
// text that is read.

var (
	// drawingMark matches the line of a drawing that says whose it is.
	drawingMark = regexp.MustCompile(`^(?:OpenBenchmarking\.org|Phoronix Test Suite(?: v?[0-9][0-9A-Za-z.]*)?)$`)
	// drawingCaption matches the line below it in a graph.
	drawingCaption = regexp.MustCompile(`(?:More|Fewer) Is Better$`)
)

// joinDrawings puts the lines of drawings together, and returns the document as it
// is where none are apart. Its places stay those of the original.
func joinDrawings(doc *source.Doc) *source.Doc {
	if isDump(doc.Text) {
		return doc
	}
	var out strings.Builder
	var spans []source.Span
	apart := false
	for _, p := range paragraphs(doc.Text) {
		from, graph := drawingIn(p.of(doc.Text))
		apart = apart || graph
		for i, l := range p.lines {
			spans = append(spans, source.Span{Part: out.Len(), Whole: l[0]})
			out.WriteString(doc.Text[l[0]:l[1]])
			if i < from || i+1 == len(p.lines) {
				out.WriteString("\n\n")
			}
		}
	}
	if !apart || !isPageText(out.String()) {
		return doc
	}
	return doc.Part(out.String(), spans)
}

// drawingIn returns how many lines stand before the drawing in a paragraph, all
// where there is none, and whether it is a graph. Before a graph stand its title
// and its arguments, which it repeats below its caption.
func drawingIn(lines []string) (from int, graph bool) {
	mark := slices.IndexFunc(lines, drawingMark.MatchString)
	if mark < 0 {
		return len(lines), false
	}
	caption := mark + 1
	if caption >= len(lines) || !drawingCaption.MatchString(lines[caption]) {
		return 0, false // the systems table or the overview
	}
	for from < mark && slices.ContainsFunc(lines[caption+1:min(len(lines), caption+4)], func(drawn string) bool { return strings.HasPrefix(drawn, lines[from]) }) {
		from++
	}
	return from, true
}

// paragraphs divides a text at its empty lines.
func paragraphs(text string) []paragraph {
	var list []paragraph
	var p paragraph
	for at := 0; at < len(text); {
		end := len(text)
		if n := strings.IndexByte(text[at:], '\n'); n >= 0 {
			end = at + n
		}
		if strings.TrimSpace(text[at:end]) != "" {
			p.lines = append(p.lines, [2]int{at, end})
		} else if len(p.lines) > 0 {
			list = append(list, p)
			p = paragraph{}
		}
		at = end + 1
	}
	if len(p.lines) > 0 {
		list = append(list, p)
	}
	return list
}

// of returns the lines of the paragraph in its text.
func (p paragraph) of(text string) []string {
	lines := make([]string, len(p.lines))
	for i, l := range p.lines {
		lines[i] = text[l[0]:l[1]]
	}
	return lines
}
