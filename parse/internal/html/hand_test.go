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
