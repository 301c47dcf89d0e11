package flat

import (
	"strings"

	"github.com/benchproof/benchproof/parse/internal/source"
)

// line is one paragraph of a page's text with its place in the input.
type line struct {
	text string
	off  int
}

// page is the text of one result page, divided into its parts. A part that
// the page lacks is empty.
type page struct {
	title, description line
	url                line
	table              line // systems table
	overview           line
	graphs             []graphLine
	footer             line
	stray              []line // paragraphs of no known kind
}

// graphLine is a graph with the two headings above it.
type graphLine struct {
	line
	title, arguments line
}

// splitLines returns the paragraphs of a text, blank ones left out. Where a
// mail client quoted the text, the marks before each line are left out too.
func splitLines(text string) []line {
	margin := " \t\r\v\f\u00a0"
	if n := strings.Count(text, "\n>"); n > 2 && 2*n > strings.Count(text, "\n") {
		margin += ">"
	}
	var out []line
	for off := 0; off < len(text); {
		end := strings.IndexByte(text[off:], '\n')
		next := off + end + 1
		if end < 0 {
			end, next = len(text)-off, len(text)
		}
		s := text[off : off+end]
		trimmed := strings.TrimLeft(s, margin)
		start := off + len(s) - len(trimmed)
		if trimmed = strings.TrimRight(trimmed, " \t\r\v\f\u00a0"); trimmed != "" {
			out = append(out, line{trimmed, start})
		}
		off = next
	}
	return out
}

// watermarks end or begin the text of every drawing of a page.
const (
	watermarkSite  = "OpenBenchmarking.org"
	watermarkLocal = "Phoronix Test Suite"
)

// splitPages divides the paragraphs of an input into pages. A page begins
// with the headings above a systems table, or where graphs begin without
// one.
func splitPages(doc *source.Doc) []page {
	lines := splitOneLine(splitLines(doc.Text))
	var pages []page
	var cur *page
	begin := func() {
		pages = append(pages, page{})
		cur = &pages[len(pages)-1]
	}
	var pending []line // paragraphs not placed yet
	for i := 0; i < len(lines); i++ {
		l := lines[i]
		switch {
		case isSystemsTable(l, pending):
			if cur != nil {
				pending = takeFooter(cur, pending)
			}
			begin()
			cur.table = l
			takeHead(cur, pending)
			pending = nil
		case isGraph(l.text):
			if cur == nil {
				begin()
			}
			g := graphLine{line: l}
			pending = takeHeadings(&g, pending)
			cur.stray = append(cur.stray, pending...)
			pending = nil
			cur.graphs = append(cur.graphs, g)
		case cur != nil && cur.overview.text == "" && len(cur.graphs) == 0 && isOverview(l.text):
			cur.stray = append(cur.stray, pending...)
			pending = nil
			cur.overview = l
		default:
			pending = append(pending, l)
		}
	}
	if cur != nil {
		cur.stray = append(cur.stray, takeFooter(cur, pending)...)
	}
	return pages
}

// takeFooter gives a page its footer, the first of the paragraphs behind its
// last graph that is one, and returns what follows it. What stands before it
// belongs to the page too.
func takeFooter(p *page, pending []line) []line {
	for i, l := range pending {
		if isFooter(l.text) {
			p.footer = l
			p.stray = append(p.stray, pending[:i]...)
			return pending[i+1:]
		}
	}
	return pending
}

// takeHead places the paragraphs above a systems table: title, description
// and the line with the address the page was exported from.
func takeHead(p *page, pending []line) {
	// What belongs to the page is at most what follows the last footer, and
	// a title is one paragraph: take the last paragraphs before the table.
	if n := len(pending); n > 0 && strings.Contains(pending[n-1].text, "exported from") {
		p.url = pending[n-1]
		pending = pending[:n-1]
	}
	// The table repeats the title, save in multi-way results. What stands
	// before it is not the page's.
	for i, l := range pending {
		if strings.HasPrefix(p.table.text, l.text) {
			p.stray = append(p.stray, pending[:i]...)
			pending = pending[i:]
			break
		}
	}
	switch len(pending) {
	case 0:
	case 1:
		p.title = pending[0]
	default:
		p.title = pending[0]
		p.description = pending[1]
		// Further paragraphs are part of a description with line breaks.
		p.stray = append(p.stray, pending[2:]...)
	}
}

// takeHeadings gives a graph the headings above it, the last one or two of
// the pending paragraphs, and returns the others. The graph repeats its
// headings, which tells one from two.
func takeHeadings(g *graphLine, pending []line) []line {
	n := len(pending)
	head, ok := afterProportion(g.text)
	if !ok {
		return pending
	}
	spaced := strings.HasPrefix(head, " ")
	head = strings.TrimPrefix(head, " ")
	if n >= 2 && strings.HasPrefix(head, pending[n-2].text) &&
		strings.Contains(head[len(pending[n-2].text):], drawnArguments(pending[n-1].text, spaced)) {
		g.title, g.arguments = pending[n-2], pending[n-1]
		return pending[:n-2]
	}
	if n >= 1 && strings.HasPrefix(head, pending[n-1].text) {
		g.title = pending[n-1]
		return pending[:n-1]
	}
	return pending
}

// drawnArguments returns arguments as a graph draws them: divided at "|"
// into sub-titles, which run together unless a blank stands between the
// drawing's texts.
func drawnArguments(arguments string, spaced bool) string {
	if !strings.Contains(arguments, "|") {
		return arguments
	}
	var b strings.Builder
	for part := range strings.SplitSeq(arguments, "|") {
		if spaced && b.Len() > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(strings.TrimSpace(part))
	}
	return b.String()
}

// markProportion finds the end of a graph's caption: ", Fewer Is Better" or
// ", More Is Better". It returns the offsets of the phrase and behind it.
func markProportion(text string) (start, end int, lower, ok bool) {
	if i := strings.Index(text, "Fewer Is Better"); i >= 0 {
		start, end, lower, ok = i, i+len("Fewer Is Better"), true, true
	}
	if i := strings.Index(text, "More Is Better"); i >= 0 && (!ok || i < start) {
		start, end, lower, ok = i, i+len("More Is Better"), false, true
	}
	return start, end, lower, ok
}

// afterProportion returns the text of a graph behind its caption.
func afterProportion(text string) (string, bool) {
	_, end, _, ok := markProportion(text)
	if !ok {
		return "", false
	}
	return text[end:], true
}

func isGraph(text string) bool {
	start, _, _, ok := markProportion(text)
	if !ok {
		return false
	}
	head := text[:start]
	return strings.Contains(head, watermarkSite) || strings.Contains(head, watermarkLocal)
}

func isFooter(text string) bool {
	rest, ok := strings.CutPrefix(text, watermarkLocal)
	return ok && isVersion(rest)
}

// isOverview reports whether a paragraph may be the overview table: it ends
// in a watermark and holds row labels.
func isOverview(text string) bool {
	body, ok := trimWatermark(text)
	return ok && strings.Contains(body, ": ")
}

// trimWatermark removes the watermark at the end of a drawing's text.
func trimWatermark(text string) (string, bool) {
	if s, ok := strings.CutSuffix(text, watermarkSite); ok {
		return s, true
	}
	if i := strings.LastIndex(text, watermarkLocal); i >= 0 {
		if rest := text[i+len(watermarkLocal):]; isVersion(rest) {
			return text[:i], true
		}
	}
	return "", false
}

// isVersion reports whether text is empty or a client version such as
// " v10.8.4" or "10.8.6m1".
func isVersion(text string) bool {
	text = strings.TrimPrefix(strings.TrimSpace(text), "v")
	if len(text) > 20 {
		return false
	}
	for _, c := range text {
		if (c < '0' || c > '9') && c != '.' && (c < 'a' || c > 'z') {
			return false
		}
	}
	return true
}

// titleReach is how many paragraphs before a systems table its title may stand:
// a description may have many.
const titleReach = 64

// isSystemsTable reports whether a paragraph is the systems table: after an
// optional repeat of the title, at least three known row keys run together.
func isSystemsTable(l line, pending []line) bool {
	title := ""
	for _, p := range pending[max(0, len(pending)-titleReach):] {
		if strings.HasPrefix(l.text, p.text) {
			title = p.text
		}
	}
	keys, _, ok := tableKeys(l.text, title)
	return ok && len(keys) >= 3
}
