package html

import (
	"fmt"
	"strings"
)

// drawTable draws a systems table or an overview: columns of 100 from 100 on, and
// rows of 15 from 70 on. A cell is "text", or "text*3" over three columns.
func drawTable(columns []string, groups string, rows ...string) string {
	var b strings.Builder
	b.WriteString(`<p><svg width="900" height="300"><text x="5" y="19" font-size="17" text-anchor="start">T</text>`)
	b.WriteString(`<g font-size="8" font-weight="bold" text-anchor="end">`)
	for i, r := range rows {
		name, _, _ := strings.Cut(r, "|")
		name, link, ok := strings.Cut(name, "@")
		text := fmt.Sprintf(`<text x="95" y="%d">%s</text>`, 80+15*i, name)
		if ok {
			text = fmt.Sprintf(`<a xlink:href="https://openbenchmarking.org/test/%s">%s</a>`, link, text)
		}
		b.WriteString(text)
	}
	b.WriteString(`</g>` + groups + `<g font-size="8" font-weight="bold" text-anchor="middle">`)
	for i, c := range columns {
		fmt.Fprintf(&b, `<text x="%d" y="49">%s</text>`, 150+100*i, c)
	}
	b.WriteString(`</g><g fill="#BABABA">`)
	var cells strings.Builder
	for i, r := range rows {
		x := 100
		for _, c := range strings.Split(r, "|")[1:] {
			text, span, _ := strings.Cut(c, "*")
			n := 1
			if span != "" {
				fmt.Sscan(span, &n)
				fmt.Fprintf(&b, `<rect x="%d" y="%d" width="%d" height="15"/>`, x, 70+15*i, 100*n)
			}
			if text != "" {
				fmt.Fprintf(&cells, `<text x="%d" y="%d">%s</text>`, x+50*n, 81+15*i, text)
			}
			x += 100 * n
		}
	}
	b.WriteString(`</g><g text-anchor="middle" font-size="8">` + cells.String() + `</g>`)
	b.WriteString(`<text x="800" y="290" text-anchor="end">Phoronix Test Suite</text></svg></p>`)
	return b.String()
}

// drawGraph draws a lying bar graph with the body's bars, below its heading.
func drawGraph(title, arguments, body string) string {
	return fmt.Sprintf(`<h2>%s</h2><h3>%s</h3><p align="center"><svg width="600" height="300">
<text x="585" y="59" font-size="8" text-anchor="end" font-weight="bold">Phoronix Test Suite</text>
<text x="127" y="59" font-size="8" font-weight="bold" text-anchor="start">MB/s, More Is Better</text>
<a xlink:href="https://openbenchmarking.org/test/pts/x"><text x="6" y="19" font-size="17" text-anchor="start" font-weight="bold">%s 1.0</text></a>
<text x="6" y="36" font-size="11" font-weight="bold" text-anchor="start">%s</text>%s</svg></p><p align="center"></p>`,
		title, arguments, title, arguments, body)
}

// drawBars draws lying bars of 34 from 70 on: "name|value|error|note|fill", all
// but the first may be left out.
func drawBars(list ...string) string {
	var names, rects, errs, values, notes strings.Builder
	for i, line := range list {
		p := append(strings.Split(line, "|"), "", "", "", "")
		y := 70 + 46*i
		if p[0] != "" {
			fmt.Fprintf(&names, `<text y="%d" x="110">%s</text>`, y+15, p[0])
		}
		fill := p[4]
		if fill == "" {
			fill = "#2196f3"
		}
		fmt.Fprintf(&rects, `<rect x="115" y="%d" height="34" width="200" fill="%s"/>`, y, fill)
		if p[2] != "" {
			fmt.Fprintf(&errs, `<text y="%d" x="110">SE +/- %s</text>`, y+31, p[2])
		}
		if p[1] != "" {
			fmt.Fprintf(&values, `<text x="310" y="%d">%s</text>`, y+23, p[1])
		}
		if p[3] != "" {
			fmt.Fprintf(&notes, `<text x="119" y="%d">%s</text>`, y+9, p[3])
		}
	}
	return `<g font-size="11" font-weight="bold" text-anchor="end">` + names.String() + `</g><g>` + rects.String() +
		`</g><g font-size="8" text-anchor="end">` + errs.String() + `</g><g font-weight="bold" text-anchor="end">` + values.String() +
		`</g><g font-size="7" text-anchor="start">` + notes.String() + `</g>`
}

func pageOf(parts ...string) string {
	return `<html><head><title>T - Phoronix Test Suite</title></head><body><h1>T</h1><p>D</p>` +
		strings.Join(parts, "") + `<hr /><p align="center">Phoronix Test Suite v10.8.4</p></body></html>`
}
