package html

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/benchproof/benchproof/parse/internal/source"
	"github.com/benchproof/benchproof/result"
)

// Small pages made by hand, in the drawing manners of the suite.

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

// lines returns a test's measurements, one a line, and the page's
// diagnostics by code.
func lines(f *result.File, test int) (values, codes []string) {
	names := f.SystemNames()
	if test < len(f.Tests) {
		for _, m := range f.Tests[test].Measurements {
			s := names[m.System] + " = " + m.Value
			if m.StdError != "" {
				s += fmt.Sprintf(" ± %s/%d", m.StdError, m.Samples)
			}
			if m.Precise != "" {
				s += " precise " + m.Precise
			}
			if m.Min != "" {
				s += " " + m.Min + ".." + m.Max
			}
			for _, n := range m.Notes {
				s += " note " + n
			}
			if m.Status == result.StatusFailed {
				s += " failed: " + m.Reason
			}
			if m.Decode != result.DecodeExact {
				s += fmt.Sprintf(" (%s %s)", m.Decode, strings.Join(m.Alternatives, ","))
			}
			values = append(values, s)
		}
	}
	for _, d := range f.Diagnostics {
		codes = append(codes, d.Code)
	}
	return values, codes
}

func TestGraphs(t *testing.T) {
	ab := drawTable([]string{"A", "B"}, "", "Processor|P*2", "OS|Linux*2")
	multi := drawTable([]string{"HDD: EXT4", "HDD: XFS", "SSD: EXT4", "SSD: XFS"}, "", "OS|Linux*4")
	const legend = `<g><rect x="106" y="40" width="10" height="10" fill="#111111"/><rect x="156" y="40" width="10" height="10" fill="#222222"/></g>` +
		`<g text-anchor="start" font-weight="bold"><text x="119" y="49" fill="#111111">HDD</text><text x="169" y="49" fill="#222222">SSD</text></g>`
	// Two labels, two groups: bars of 20, the second group's 24 further down.
	rows := func(first, second string) string {
		at := func(y int, text string) string {
			return fmt.Sprintf(`<text x="8" y="%d" text-anchor="middle" transform="rotate(90 8 %d)">%s</text>`, y, y, text)
		}
		var names string
		for i, label := range []string{first, second} {
			for _, part := range strings.Split(label, "/") {
				names += at(92+60*i, part)
			}
		}
		return legend + `<g font-size="10">` + names + `</g><g>` +
			`<rect x="115" y="70" width="50" height="20" fill="#111111"/><rect x="115" y="130" width="50" height="20" fill="#111111"/>` +
			`<rect x="115" y="94" width="50" height="20" fill="#222222"/><rect x="115" y="154" width="50" height="20" fill="#222222"/></g>` +
			`<g text-anchor="end"><text y="165" x="160">4</text><text y="81" x="160">1</text><text y="105" x="160">3</text><text y="141" x="160">2</text></g>`
	}
	tests := []struct {
		name  string
		page  string
		want  []string // of the first test
		codes []string
	}{
		{
			"values and errors by height, not by order",
			pageOf(ab, drawGraph("X", "y: z", `<g text-anchor="end"><text x="110" y="131">B</text><text x="110" y="85">A</text></g>`+
				`<g><rect x="115" y="116" height="34" width="10"/><rect x="115" y="70" height="34" width="10"/></g>`+
				`<g text-anchor="end"><text y="101" x="110">SE +/- 0.1, N = 3</text></g>`+
				`<g text-anchor="start"><text x="131" y="139">2.5</text><text x="131" y="93">1.5</text></g>`)),
			[]string{"B = 2.5", "A = 1.5 ± 0.1/3"},
			nil,
		},
		{
			"notes",
			pageOf(ab, drawGraph("X", "y", drawBars("A|1.5|0.1, N = 3|MIN: 1.4 / MAX: 1.6", "B|2.5||-O3"))),
			[]string{"A = 1.5 ± 0.1/3 1.4..1.6", "B = 2.5 note -O3"},
			nil,
		},
		{
			"two numbers at one bar",
			pageOf(ab, drawGraph("X", "y", drawBars("A|1.5", "B|2.5")+`<g text-anchor="end"><text x="310" y="95">1.6</text></g>`)),
			[]string{"A =  (ambiguous 1.5,1.6)", "B = 2.5"},
			[]string{"ambiguous-value"},
		},
		{
			"no value and no overview",
			pageOf(ab, drawGraph("X", "y", drawBars("A||0.00, N = 3", "B|2.5"))),
			[]string{"B = 2.5"},
			[]string{"value-missing"},
		},
		{
			"a zero stands in the overview",
			pageOf(ab, drawTable([]string{"A", "B"}, "", "x: y@pts/x-1.2.3|0|2.5"), drawGraph("X", "y", drawBars("A||0.00, N = 3", "B|2.5"))),
			[]string{"A = 0 ± 0.00/3", "B = 2.5"},
			nil,
		},
		{
			"the overview knows more digits",
			pageOf(ab, drawTable([]string{"A", "B"}, "", "x: y@pts/x-1.2.3|12.345|274"), drawGraph("X", "y", drawBars("A|12.35", "B|274.00"))),
			[]string{"A = 12.35 precise 12.345", "B = 274.00"},
			nil,
		},
		{
			"an overview that contradicts leaves a doubt",
			pageOf(ab, drawTable([]string{"A", "B"}, "", "x: y@pts/x-1.2.3|12.444|274"), drawGraph("X", "y", drawBars("A|12.35", "B|274.00"))),
			[]string{"A = 12.35 (inferred )", "B = 274.00"},
			[]string{"overview-mismatch", "overview-mismatch"},
		},
		{
			"rows without a profile",
			pageOf(ab, drawTable([]string{"A", "B"}, "", "z: y@pts/z-1|7|8", "x: y|12.345|274"), drawGraph("X", "y", drawBars("A|12.35", "B|274.00"))),
			[]string{"A = 12.35 precise 12.345", "B = 274.00"},
			[]string{"overview-mismatch"},
		},
		{
			"graphs without a profile",
			pageOf(ab, drawTable([]string{"A", "B"}, "", "x: y@pts/x-1.2.3|12.345|274"), strings.ReplaceAll(drawGraph("X", "y", drawBars("A|12.35", "B|274.00")), "pts/x", "")),
			[]string{"A = 12.35 precise 12.345", "B = 274.00"},
			nil,
		},
		{
			"rows of which two fit",
			pageOf(ab, drawTable([]string{"A", "B"}, "", "x: y@pts/x-1.2.3|12.345|274"),
				drawGraph("X", "y", drawBars("A|12.35", "B|274.00")), drawGraph("X", "y", drawBars("A|12.35", "B|274.00"))),
			[]string{"A = 12.35", "B = 274.00"},
			[]string{"overview-mismatch"},
		},
		{
			"a failed test's row is passed over",
			pageOf(ab, drawTable([]string{"A", "B"}, "", "x: y@pts/x-1.2.3||", "x: y@pts/x-1.2.3|12.345|274"),
				drawGraph("X", "y", drawBars("A|12.35", "B|274.00"))),
			[]string{"A = 12.35 precise 12.345", "B = 274.00"},
			[]string{"test-without-value"},
		},
		{
			"an overview with a value that is not drawn",
			pageOf(ab, drawTable([]string{"A", "B"}, "", "x: y@pts/x-1.2.3|12.345|274"), drawGraph("X", "y", drawBars("A|12.35"))),
			[]string{"A = 12.35 precise 12.345", "B = 274"},
			[]string{"value-not-drawn"},
		},
		{
			"a bar without identifier that the overview knows",
			pageOf(ab, drawTable([]string{"A", "B"}, "", "x: y@pts/x-1.2.3|12.345|274"), drawGraph("X", "y", drawBars("A|12.35", "|274.00"))),
			[]string{"A = 12.35 precise 12.345", "B = 274.00 (inferred )"},
			[]string{"identifier-missing"},
		},
		{
			"the overview's standard errors",
			pageOf(ab, drawTable([]string{"A", "B"}, "", "x: y@pts/x-1.2.3|12.3|274", "Standard Error|0.10|0.25"), drawGraph("X", "y", drawBars("A|12.3|0.10, N = 3", "B|274.00"))),
			[]string{"A = 12.3 ± 0.10/3", "B = 274.00 ± 0.25/0"},
			nil,
		},
		{
			"the overview's standard errors are another's",
			pageOf(ab, drawTable([]string{"A", "B"}, "", "x: y@pts/x-1.2.3|12.3|274", "Standard Error|0.11|0.25"), drawGraph("X", "y", drawBars("A|12.3|0.10, N = 3", "B|274.00"))),
			[]string{"A = 12.3 ± 0.10/3", "B = 274.00"},
			[]string{"error-mismatch"},
		},
		{
			"another test's row is not used",
			pageOf(ab, drawTable([]string{"A", "B"}, "", "x: other@pts/x-1.2.3|12.345|274"), drawGraph("X", "y", drawBars("A|12.35", "B|274.00"))),
			[]string{"A = 12.35", "B = 274.00"},
			[]string{"overview-mismatch"},
		},
		{
			"a system that the table lacks",
			pageOf(ab, drawGraph("X", "y", drawBars("A|1", "Ghost|2"))),
			[]string{"A = 1", "Ghost = 2"},
			[]string{"unknown-system"},
		},
		{
			"a bar without identifier",
			pageOf(ab, drawGraph("X", "y", drawBars("A|1", "|2"))),
			[]string{"A = 1"},
			[]string{"unknown-bar"},
		},
		{
			"two standard errors at one bar",
			pageOf(ab, drawGraph("X", "y", drawBars("A|1|0.1, N = 3", "B|2|0.2, N = 3")+`<g text-anchor="end"><text y="98" x="110">SE +/- 0.3, N = 3</text></g>`)),
			[]string{"A = 1", "B = 2 ± 0.2/3"},
			[]string{"unplaced-text"},
		},
		{
			"two identifiers at one bar",
			pageOf(ab, drawGraph("X", "y", drawBars("A|1", "B|2")+`<g text-anchor="end"><text y="80" x="110">C</text></g>`+
				`<g text-anchor="end" font-weight="bold"><text y="126" x="110">D</text></g>`)),
			[]string{"A = 1"},
			[]string{"unplaced-text", "unknown-bar"},
		},
		{
			"a system twice",
			pageOf(ab, drawGraph("X", "y", drawBars("A|1", "A|2"))),
			[]string{"A = 1 (inferred )", "A = 2 (inferred )"},
			[]string{"duplicate-bar"},
		},
		{
			"errors below the graph",
			pageOf(ab, drawGraph("X", "y", drawBars("A|1"))+`<p><strong>B:</strong> no space left<br />A: broken</p><p>seen twice</p>`),
			[]string{"A = 1", "B =  failed: no space left"},
			[]string{"error-with-value"},
		},
		{
			"all failed",
			pageOf(ab, `<h2>X</h2><h3>y</h3><p>A: no</p>`),
			[]string{"A =  failed: no"},
			nil,
		},
		{
			"groups by colour",
			pageOf(multi, drawGraph("X", "y", rows("EXT4", "XFS"))),
			[]string{"HDD: EXT4 = 1", "HDD: XFS = 2", "SSD: EXT4 = 3", "SSD: XFS = 4"},
			nil,
		},
		{
			"a label's lines stand in reverse",
			pageOf(drawTable([]string{"HDD: a - b", "HDD: XFS", "SSD: a - b", "SSD: XFS"}, "", "OS|Linux*4"), drawGraph("X", "y", rows("b/a", "XFS"))),
			[]string{"HDD: a - b = 1", "HDD: XFS = 2", "SSD: a - b = 3", "SSD: XFS = 4"},
			nil,
		},
		{
			"one group: by the overview",
			pageOf(multi, drawTable([]string{"HDD: EXT4", "HDD: XFS", "SSD: EXT4", "SSD: XFS"}, "", "x: y@pts/x-1.2.3|||1|2"),
				drawGraph("X", "y", drawBars("EXT4|1", "XFS|2"))),
			[]string{"SSD: EXT4 = 1", "SSD: XFS = 2"},
			nil,
		},
		{
			"one group: by its colour elsewhere",
			pageOf(multi, drawGraph("X", "y", drawBars("EXT4|1|||#222222", "XFS|2|||#222222")), drawGraph("X", "z", rows("EXT4", "XFS"))),
			[]string{"SSD: EXT4 = 1", "SSD: XFS = 2"},
			nil,
		},
		{
			"one group: by its labels alone",
			pageOf(drawTable([]string{"HDD: EXT4", "SSD: EXT4", "SSD: XFS"}, "", "OS|Linux*3"), drawGraph("X", "y", drawBars("EXT4|1", "XFS|2"))),
			[]string{"SSD: EXT4 = 1 (inferred )", "SSD: XFS = 2 (inferred )"},
			nil,
		},
		{
			"one group: not known",
			pageOf(multi, drawGraph("X", "y", drawBars("EXT4|1", "XFS|2"))),
			[]string{"EXT4 =  (ambiguous 1)", "XFS =  (ambiguous 2)"},
			[]string{"unknown-group"},
		},
		{
			"one group: colour against overview",
			pageOf(multi, drawTable([]string{"HDD: EXT4", "HDD: XFS", "SSD: EXT4", "SSD: XFS"}, "", "x: y@pts/x-1.2.3|||1|2"),
				drawGraph("X", "y", drawBars("EXT4|1|||#111111", "XFS|2|||#111111")),
				strings.ReplaceAll(drawGraph("X", "z", rows("EXT4", "XFS")), "test/pts/x", "test/pts/q")),
			[]string{"EXT4 =  (ambiguous 1)", "XFS =  (ambiguous 2)"},
			[]string{"unknown-group"},
		},
		{
			"systems of one name",
			pageOf(drawTable([]string{"A", "A"}, "", "OS|Linux|BSD"), drawGraph("X", "y", drawBars("A|1", "A|2"))),
			[]string{"A = 1", "A #2 = 2"},
			nil,
		},
		{
			"one bar for two systems of a name",
			pageOf(drawTable([]string{"A", "A"}, "", "OS|Linux|BSD"), drawGraph("X", "y", drawBars("A|1"))),
			[]string{"A = 1 (inferred )"},
			[]string{"duplicate-identifier"},
		},
		{
			"standing bars",
			pageOf(ab, drawGraph("X", "y", `<g text-anchor="end"><text x="90" y="154">5</text><text x="90" y="104">10</text></g>`+
				`<g><rect x="110" y="150" width="60" height="50"/><rect x="190" y="100" width="60" height="100"/></g>`+
				`<g text-anchor="middle"><text x="220" y="215">B</text><text x="140" y="215">A</text></g>`+
				`<g text-anchor="middle"><text x="220" y="112">10</text><text x="140" y="162">5</text></g>`)),
			[]string{"A = 5", "B = 10"},
			nil,
		},
		{
			"one standing bar",
			pageOf(ab, drawGraph("X", "y", `<g text-anchor="end"><text x="90" y="154">5</text><text x="90" y="104">10</text></g>`+
				`<g><rect x="110" y="150" width="60" height="50"/></g>`+
				`<g text-anchor="middle"><text x="140" y="215">A</text></g><g text-anchor="middle"><text x="140" y="162">5</text></g>`)),
			[]string{"A = 5"},
			nil,
		},
		{
			"a value that its bar contradicts",
			pageOf(ab, drawGraph("X", "y", drawBars("A|10", "B|100")+
				`<g text-anchor="middle"><text x="215" y="215">50</text><text x="315" y="215">100</text></g>`)),
			[]string{"A = 10 (inferred )", "B = 100"},
			[]string{"bar-mismatch"},
		},
		{
			"bars over one another",
			pageOf(ab, drawGraph("X", "y", `<g><rect x="115" y="70" width="9" height="34"/><rect x="115" y="80" width="9" height="34"/></g>`+
				`<g text-anchor="end"><text x="310" y="90">1</text></g>`)),
			nil,
			[]string{"overlapping-bars", "unplaced-text"},
		},
		{
			"texts without a place",
			pageOf(ab, drawGraph("X", "y", drawBars("A|1")+`<g text-anchor="end"><text x="310">7</text><text x="310" y="700">8</text></g>`+
				`<g transform="translate(5,5)"><text x="310" y="93">9</text></g>`)),
			[]string{"A = 1"},
			[]string{"unplaced-text"},
		},
		{
			"a box plot",
			pageOf(ab, drawGraph("X", "y", `<g text-anchor="end"><text x="110" y="85">A</text><text x="110" y="131">B</text></g>`+
				`<g><rect x="215" y="70" height="34" width="10"/><rect x="165" y="116" height="34" width="10"/></g>`+
				`<g text-anchor="end"><text x="110" y="147">Min: 2 / Avg: 2.5 / Max: 3</text><text x="110" y="101">Min: 4 / Avg: 5 / Max: 6</text></g>`+
				`<g text-anchor="middle"><text x="215" y="215">50</text><text x="315" y="215">100</text></g>`)),
			[]string{"A = 5 4..6 (inferred )", "B = 2.5 2..3 (inferred )"},
			[]string{"box-plot"},
		},
		{
			"a line graph of readings",
			pageOf(ab, drawGraph("X", "y", `<g><text y="80" x="93">Min</text><text y="80" x="171">Avg</text><text y="80" x="249">Max</text></g>`+
				`<g><text x="76" y="92">A</text><text y="92" x="93">1.0</text><text y="92" x="171">2.5</text><text y="92" x="249">4.0</text></g>`+
				`<g text-anchor="end"><text x="53" y="200">20</text></g><g><polyline points="1,2 3,4"/></g>`)),
			[]string{"A = 2.5 1.0..4.0 (inferred )"},
			[]string{"line-graph"},
		},
		{
			"a line graph of results",
			pageOf(ab, drawTable([]string{"A", "B"}, "", "x: y@pts/x-1.2.3|1.04|4"), drawGraph("X", "y",
				`<g><text y="80" x="93">Min</text><text y="80" x="171">Avg</text><text y="80" x="249">Max</text></g>`+
					`<g><text x="76" y="92">all</text><text y="92" x="93">1.0</text><text y="92" x="171">2.5</text><text y="92" x="249">4.0</text></g>`+
					`<g text-anchor="middle"><text x="100" y="300">A</text><text x="200" y="300">B</text></g><g><polyline points="1,2 3,4"/></g>`)),
			[]string{"A = 1.04", "B = 4"},
			nil,
		},
		{
			"a line graph whose overview is another's",
			pageOf(ab, drawTable([]string{"A", "B"}, "", "x: y@pts/x-1.2.3|1.14|4"), drawGraph("X", "y",
				`<g><text y="80" x="93">Min</text><text y="80" x="171">Avg</text><text y="80" x="249">Max</text></g>`+
					`<g><text x="76" y="92">all</text><text y="92" x="93">1.0</text><text y="92" x="171">2.5</text><text y="92" x="249">4.0</text></g>`+
					`<g text-anchor="middle"><text x="100" y="300">A</text><text x="200" y="300">B</text></g><g><polyline points="1,2 3,4"/></g>`)),
			nil,
			[]string{"overview-mismatch", "values-not-printed"},
		},
		{
			"words in boxes",
			pageOf(ab, drawGraph("X", "y", `<rect x="53" y="108" width="523" height="80"/><text x="314" y="143" text-anchor="middle">PASS</text>`+
				`<rect x="53" y="188" width="523" height="79"/><text x="314" y="223" text-anchor="middle">FAIL</text>`+
				`<text x="51" y="226" text-anchor="end">B</text><text x="51" y="146" text-anchor="end">A</text>`)),
			[]string{"A = PASS (inferred )", "B = FAIL (inferred )"},
			nil,
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			doc, f := one(t, "page", test.page)
			values, codes := lines(f, 0)
			if !slices.Equal(values, test.want) {
				t.Errorf("got %q, want %q", values, test.want)
			}
			if !slices.Equal(codes, test.codes) {
				t.Errorf("diagnostics %q, want %q: %v", codes, test.codes, f.Diagnostics)
			}
			sound(t, doc, f)
		})
	}
}

func TestHeads(t *testing.T) {
	tests := []struct {
		name, title, arguments string // of the headings
		graphTitle, subtitle   string // of the drawing, escaped
		want                   result.Test
	}{
		{"plain", "SQLite", "Threads: 1", "SQLite 3.41.2", "Threads: 1", result.Test{Title: "SQLite", Version: "3.41.2", Arguments: "Threads: 1"}},
		{"no version", "Pjdfstest", "", "Pjdfstest", "", result.Test{Title: "Pjdfstest"}},
		{"digits in the title", "7-Zip Compression 9", "x", "7-Zip Compression 9 16.02", "x", result.Test{Title: "7-Zip Compression 9", Version: "16.02", Arguments: "x"}},
		{"escaped", "a &amp; b", "c &lt; d", "a &amp; b 1", "c &lt; d", result.Test{Title: "a & b", Version: "1", Arguments: "c < d"}},
		{"not escaped", "a & <b>b</b>", "c < d && e", "a &amp; &lt;b&gt;b&lt;/b&gt; 1", "c &lt; d &amp;&amp; e", result.Test{Title: "a & <b>b</b>", Version: "1", Arguments: "c < d && e"}},
		{"an entity meant as text", "a &amp; b", "x", "a &amp;amp; b 1", "x", result.Test{Title: "a &amp; b", Version: "1", Arguments: "x"}},
		{"a script", "T <script>alert(1)</script> x", "y", "T &lt;script&gt;alert(1)&lt;/script&gt; x 2", "y", result.Test{Title: "T <script>alert(1)</script> x", Version: "2", Arguments: "y"}},
		{"lines", "T", "a | b", "T 1", `a</text><text x="6" y="44" font-size="11" font-weight="bold" text-anchor="start">b`, result.Test{Title: "T", Version: "1", Arguments: "a | b"}},
		{"another title", "Other", "y", "T 1", "y", result.Test{Title: "T 1", Arguments: "y", HeadDecode: result.DecodeInferred}},
		{"other arguments", "T", "y", "T 1", "z", result.Test{Title: "T", Version: "1", Arguments: "z", HeadDecode: result.DecodeInferred}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			body := drawGraph("X", "Y", drawBars("A|1"))
			body = strings.NewReplacer("<h2>X<", "<h2>"+test.title+"<", "<h3>Y<", "<h3>"+test.arguments+"<",
				">X 1.0<", ">"+test.graphTitle+"<", ">Y<", ">"+test.subtitle+"<").Replace(body)
			_, f := one(t, "page", pageOf(drawTable([]string{"A"}, "", "OS|Linux"), body))
			got := f.Tests[0]
			if got.Title != test.want.Title || got.Version != test.want.Version || got.Arguments != test.want.Arguments || got.HeadDecode != test.want.HeadDecode {
				t.Errorf("got %q, %q, %q, %v", got.Title, got.Version, got.Arguments, got.HeadDecode)
			}
			if mismatch := len(f.Diagnostics) > 0; mismatch != (test.want.HeadDecode != result.DecodeExact) {
				t.Errorf("diagnostics %v", f.Diagnostics)
			}
		})
	}
}

func TestScales(t *testing.T) {
	tests := []struct {
		text, scale string
		proportion  result.Proportion
	}{
		{"MB/s, More Is Better", "MB/s", result.HIB},
		{"Seconds, Fewer Is Better", "Seconds", result.LIB},
		{"Score, Geo Mean, More Is Better", "Score, Geo Mean", result.HIB},
		{"More Is Better", "", result.HIB},
		{"Seconds, Lower Is Better", "Seconds", result.LIB},
		{"Seconds", "Seconds", result.ProportionUnknown},
		{"Beauty, Purple Is Better", "Beauty, Purple Is Better", result.ProportionUnknown},
	}
	for _, test := range tests {
		if scale, p := splitScale(test.text); scale != test.scale || p != test.proportion {
			t.Errorf("%q: got %q, %q", test.text, scale, p)
		}
	}
}

// isNumber is a faster result.ParseNumber.
func TestIsNumber(t *testing.T) {
	for _, text := range []string{
		"", "0", "12", "1.5", ".5", "5.", ".", "-1", "+1.5", "-", "1.2.3", "1e5", "1E-5", "1e", "e5", "1,5", "1K", "NaN", "inf", "0x1", "1_0",
		"１", "1 ", " 1", "99999999999999999999999999999999999999", "1e999", strings.Repeat("9", 400), strings.Repeat("9", 30) + ".5.5",
	} {
		if _, want := result.ParseNumber(text); isNumber(text) != want {
			t.Errorf("%q: got %v, want %v", text, !want, want)
		}
	}
}

func TestSameNumber(t *testing.T) {
	tests := []struct {
		a, b string
		want bool
	}{
		{"274", "274.00", true},
		{"1.5e-05", "0.0000150", true},
		{"0", "0.00", true},
		{"-0", "0", true},
		{"+1", "1", true},
		{"007", "7", true},
		{"100", "1e2", true},
		{"100", "10", false},
		{"-1", "1", false},
		{"9007199254740993", "9007199254740992", false},
		{"0.1", "0.10000000000000001", false},
	}
	for _, test := range tests {
		if sameNumber(test.a, test.b) != test.want || sameNumber(test.b, test.a) != test.want {
			t.Errorf("%s and %s: want %v", test.a, test.b, test.want)
		}
	}
}

func TestShortened(t *testing.T) {
	tests := []struct {
		label, arguments string
		want             bool
	}{
		{"", "", true},
		{"Rand Read - Linux AIO - 4KB", "Type: Random Read - IO Engine: Linux AIO - Block Size: 4KB", true},
		{"LargeRand", "Test: LargeRandom", true},
		{"12 Clients", "12 Clients", true},
		{"Rand Read", "Type: Random Write", false},
		{"Rand Read - 4KB", "Type: Random Read", false},
		{"Rand Read", "Type: Random Read - Block Size: 4KB", false},
		{"Random Read", "Type: Rand Read", false},
		{"", "Type: Random Read", false},
		{"x", "", false},
	}
	for _, test := range tests {
		if shortened(test.label, test.arguments) != test.want {
			t.Errorf("%q of %q: want %v", test.label, test.arguments, test.want)
		}
	}
}

func TestSystemsTable(t *testing.T) {
	page := pageOf(strings.Replace(drawTable([]string{"A", "B", "C"}, "",
		"Processor|P1|P2*2", "Disk|D*2|", "OS|Linux*3", "Screen Resolution|1x1*2|2x2", "Odd|o||"),
		"</svg>", `<text x="6" y="200" style="font-weight: bold" text-anchor="start">Disk Details</text>`+
			`<text x="6" y="210" text-anchor="start">- A: NONE / rw</text><text x="6" y="220" text-anchor="start">- C: CFQ / ro</text>`+
			`<text x="6" y="230" style="font-weight: bold" text-anchor="start">Processor Details</text>`+
			`<text x="6" y="240" text-anchor="start"><tspan x="6" y="240">- Scaling: </tspan><tspan x="6" y="240">on </tspan></text></svg>`, 1))
	_, f := one(t, "page", page)
	want := []string{
		"A | Processor=P1 Disk=D | OS=Linux Screen Resolution=1x1 Odd=o | Disk=NONE / rw Processor=Scaling: on | []",
		"B | Processor=P2 Disk=D | OS=Linux Screen Resolution=1x1 | Processor=Scaling: on | [Disk OS Screen Resolution]",
		"C | Processor=P2 | OS=Linux Screen Resolution=2x2 | Disk=CFQ / ro Processor=Scaling: on | [Processor OS]",
	}
	text := func(list []result.Component) string {
		var parts []string
		for _, c := range list {
			parts = append(parts, c.Key+"="+c.Value)
		}
		return strings.Join(parts, " ")
	}
	for i, s := range f.Systems {
		got := fmt.Sprintf("%s | %s | %s | %s | %v", s.Identifier, text(s.Hardware), text(s.Software), text(s.Notes), s.InheritedKeys)
		if got != want[i] {
			t.Errorf("got  %s\nwant %s", got, want[i])
		}
	}
	if len(f.Systems) != 3 || len(f.Diagnostics) != 0 {
		t.Errorf("%d systems, diagnostics %v", len(f.Systems), f.Diagnostics)
	}
}

// Groups of unequal breadth stand above the middles of their columns.
func TestSystemGroups(t *testing.T) {
	group := func(x int, name string) string { return fmt.Sprintf(`<text x="%d" y="14">%s</text>`, x, name) }
	head := func(texts string) string { return `<g font-weight="bold" text-anchor="middle">` + texts + `</g>` }
	columns := []string{" a", " b", " c", "d"}
	names := func(groups string) string {
		_, f := one(t, "page", pageOf(drawTable(columns, head(groups), "OS|Linux*4")))
		var names []string
		for _, s := range f.Systems {
			names = append(names, s.Identifier)
		}
		return strings.Join(names, ", ")
	}
	if got, want := names(group(250, "G")+group(450, "H")), "G: a, G: b, G: c, H:d"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	// A group that stands above no whole number of columns names none.
	if got, want := names(group(230, "G")+group(450, "H")), "a, b, c, d"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestHeader(t *testing.T) {
	page := strings.Replace(pageOf(drawTable([]string{"A"}, "", "OS|Linux")), "<p>D</p>",
		`<p>a <i>b</i></p><p>HTML result view exported from: <a href="https://openbenchmarking.org/result/2207101-SYN-02?x=1">there</a>.</p>`, 1)
	_, f := one(t, "page", page)
	if f.Title != "T" || f.Description != "a <i>b</i>" || f.URL != "https://openbenchmarking.org/result/2207101-SYN-02?x=1" ||
		f.Identifier != "2207101-SYN-02" || f.Generator != "Phoronix Test Suite v10.8.4" || f.Format != result.FormatHTML || f.Source != "page" {
		t.Errorf("got %+v", f)
	}
}

// Pages that were put together are files of their own.
func TestTwoPages(t *testing.T) {
	a := pageOf(drawTable([]string{"G: A", "H: B"}, "", "OS|Linux*2"), drawGraph("X", "y", drawBars("A|1")))
	b := pageOf(drawTable([]string{"H: A", "G: B"}, "", "OS|BSD*2"), drawGraph("X", "y", drawBars("A|2")))
	doc := source.New("two", a+b)
	var got []string
	err := Read(doc, func(f *result.File) error {
		sound(t, doc, f)
		values, codes := lines(f, 0)
		got = append(got, fmt.Sprint(values, codes))
		return nil
	})
	if want := []string{"[G: A = 1 (inferred )] []", "[H: A = 2 (inferred )] []"}; err != nil || !slices.Equal(got, want) {
		t.Errorf("got %q, %v", got, err)
	}
	stop := errors.New("stop")
	if err := Read(doc, func(*result.File) error { return stop }); err != stop {
		t.Errorf("got %v, want what emit returned", err)
	}
}
