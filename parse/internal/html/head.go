package html

import (
	"slices"
	"strings"

	"github.com/benchproof/benchproof/result"
)

// head reads what stands above a graph: title with version, arguments, scale
// and mark. It returns the height of the scale's line, below which the graph
// itself begins.
func (p *page) head(d *drawing, h *heading, g *draft) (top float64) {
	var title, scale *label
	for i := range d.labels {
		l := &d.labels[i]
		if l.lost || l.group > 0 {
			continue
		}
		switch {
		case l.anchor == atEnd && isMark(l.text):
			l.used = true
			top = max(top, l.y)
		case l.anchor != atStart || !l.bold:
		case title == nil && l.size > 12:
			title = l
		case strings.HasSuffix(l.text, better) && (scale == nil || scale.y < l.y):
			scale = l // arguments that end so stand above it
		}
	}
	if scale != nil {
		top = scale.y
	}
	p.title(g, h, title)
	var lines []*label // sub-titles
	for i := range d.labels {
		l := &d.labels[i]
		if l == title || l == scale || l.used || l.lost || l.group > 0 || !l.bold || l.anchor != atStart {
			continue
		}
		switch {
		case title != nil && l.y > title.y && l.y < top-slack && l.x <= title.x+slack:
			lines = append(lines, l)
			l.used = true
		case scale == nil && top > 0 && l.y >= top-slack && l.y <= top+slack:
			scale = l // a scale of which neither direction is better
		}
	}
	if scale != nil {
		scale.used = true
		g.test.Scale, g.test.Proportion = splitScale(scale.text)
	}
	slices.SortStableFunc(lines, func(a, b *label) int { return compare(a.y, b.y) })
	subtitles := make([]string, len(lines))
	for i, l := range lines {
		subtitles[i] = l.text
	}
	p.arguments(g, h, subtitles)
	return top
}

// better ends the line that names the scale.
const better = " Is Better"

// splitScale divides "MB/s, More Is Better".
func splitScale(text string) (string, result.Proportion) {
	rest, ok := strings.CutSuffix(text, better)
	if !ok {
		return text, result.ProportionUnknown
	}
	i := strings.LastIndexByte(rest, ' ')
	scale := strings.TrimSuffix(strings.TrimRight(rest[:i+1], " "), ",")
	switch rest[i+1:] {
	case "More", "Higher":
		return scale, result.HIB
	case "Fewer", "Less", "Lower":
		return scale, result.LIB
	}
	return text, result.ProportionUnknown
}

// title divides the graph's title, which the heading above it has without
// the version.
func (p *page) title(g *draft, h *heading, l *label) {
	t := &g.test
	if l == nil {
		t.Title = h.title.plain()
		t.HeadDecode = result.DecodeInferred
		t.Origin = p.origin(h.title.off, "html/graph")
		return
	}
	l.used = true
	g.off = l.off
	t.Origin = p.origin(l.off, "html/graph")
	g.profile, _ = splitProfile(l.link)
	t.Profile = g.profile
	whole := fold(l.text)
	name, ok := h.title.is(func(s string) bool {
		s = fold(s)
		return s != "" && (whole == s || strings.HasPrefix(whole, s+" "))
	})
	if !ok {
		t.Title = l.text
		t.HeadDecode = result.DecodeInferred
		if h.set && !h.bare {
			p.warn(l.off, "title-mismatch", "the graph is titled %q, the heading above it says %q", clip(l.text), clip(h.title.text))
		}
		return
	}
	t.Title = name
	t.Version = strings.TrimPrefix(whole[len(fold(name)):], " ")
}

// fold takes every run of white space as one space, and none at either end.
func fold(s string) string {
	if strings.ContainsAny(s, "\t\r\n\f") || strings.Contains(s, "  ") {
		return strings.Join(strings.FieldsFunc(s, func(r rune) bool { return strings.ContainsRune(space, r) }), " ")
	}
	return strings.Trim(s, space)
}

// arguments takes the heading's arguments where the graph's sub-titles, in
// which a bar breaks the line, say the same.
func (p *page) arguments(g *draft, h *heading, subtitles []string) {
	t := &g.test
	bare := func(s string) string {
		return strings.Map(func(r rune) rune {
			if r == '|' || strings.ContainsRune(space, r) {
				return -1
			}
			return r
		}, s)
	}
	printed := strings.Join(subtitles, "")
	text, ok := h.arguments.is(func(s string) bool { return s == printed || bare(s) == bare(printed) })
	switch {
	case ok:
		t.Arguments = text
	case len(subtitles) == 0:
		t.Arguments = h.arguments.plain()
	case h.bare && len(subtitles) == 1:
		t.Arguments = subtitles[0]
	default:
		t.Arguments = strings.Join(subtitles, " | ")
		t.HeadDecode = result.DecodeInferred
		if h.set && !h.bare {
			p.warn(g.off, "arguments-mismatch", "the graph's arguments are %q, the heading above it says %q", clip(t.Arguments), clip(h.arguments.text))
		}
	}
	t.Options = result.ParseOptions(t.Arguments)
}

// splitProfile returns the test profile of an address, and its version if
// the address names one: ".../test/pts/fio-1.11.2" is "pts/fio" and "1.11.2".
func splitProfile(address string) (profile, version string) {
	const mark = "openbenchmarking.org/test/"
	i := strings.Index(address, mark)
	if i < 0 {
		return "", ""
	}
	profile = strings.Trim(address[i+len(mark):], "/"+space)
	if i = strings.LastIndexByte(profile, '-'); i >= 0 {
		digits := strings.Trim(profile[i+1:], "0123456789.") == ""
		if v := profile[i+1:]; digits && strings.Contains(v, ".") {
			return profile[:i], v
		}
	}
	return profile, ""
}
