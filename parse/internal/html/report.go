package html

import (
	"fmt"
	"strings"

	"github.com/benchproof/benchproof/result"
)

// origin returns the place of an offset, and the source alone for -1.
func (p *page) origin(off int, rule string) result.Origin {
	if off < 0 {
		return result.Origin{Source: p.doc.Name, Rule: rule}
	}
	return p.doc.Origin(off, rule)
}

func (p *page) info(off int, code, format string, args ...any) {
	p.report(result.SeverityInfo, off, code, format, args...)
}

func (p *page) warn(off int, code, format string, args ...any) {
	p.report(result.SeverityWarning, off, code, format, args...)
}

func (p *page) report(severity result.Severity, off int, code, format string, args ...any) {
	p.file.Diagnostics = append(p.file.Diagnostics, result.Diagnostic{
		Severity: severity, Origin: p.origin(off, ""), Code: code, Message: fmt.Sprintf(format, args...),
	})
}

func (p *page) unplaced(l *label) {
	p.warn(l.off, "unplaced-text", "a text of a drawing has no known place and was left out: %q", clip(l.text))
}

// leftover reports the labels of a drawing that found no meaning, in one
// diagnostic.
func (p *page) leftover(d *drawing) {
	const most = 5
	var texts []string
	n, first, cut := 0, -1, false
	for i := range d.labels {
		l := &d.labels[i]
		if l.used || l.text == "" {
			continue
		}
		if n == 0 {
			first = l.off
		}
		if n++; n <= most {
			texts = append(texts, fmt.Sprintf("%q", clip(l.text)))
		}
		cut = cut || l.lost && p.cuts.open("text", l.off)
	}
	switch {
	case n == 0:
	case cut && n == 1:
		p.warn(first, "text-cut", "the page ends within a text, which was left out: %s", texts[0])
	case n == 1:
		p.warn(first, "unplaced-text", "a text of a drawing has no known place and was left out: %s", texts[0])
	case n <= most:
		p.warn(first, "unplaced-text", "texts of a drawing have no known place and were left out: %s", strings.Join(texts, ", "))
	default:
		p.warn(first, "unplaced-text", "%d texts of a drawing have no known place and were left out: %s, …", n, strings.Join(texts, ", "))
	}
}
