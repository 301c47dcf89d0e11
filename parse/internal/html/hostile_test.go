package html

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/benchproof/benchproof/parse/internal/oracle"
	"github.com/benchproof/benchproof/parse/internal/source"
	"github.com/benchproof/benchproof/result"
)

// claim is one thing that a record says for sure.
type claim struct{ test, system, what, value string }

// claims returns what a record says for sure.
func claims(f *result.File) map[claim]int {
	all := make(map[claim]int)
	names := f.SystemNames()
	for i := range f.Tests {
		t := &f.Tests[i]
		head := t.Title + " | " + t.Arguments + " | " + t.Scale
		for k := range t.Measurements {
			m := &t.Measurements[k]
			say := func(what, value string) {
				if value != "" {
					all[claim{head, names[m.System], what, value}]++
				}
			}
			if m.Decode == result.DecodeExact {
				say("value", m.Value)
				say("precise", m.Precise)
			}
			if m.StdError != "" {
				say("error", fmt.Sprint(m.StdError, "/", m.Samples))
			}
			say("range", m.Min+m.Max)
			say("note", strings.Join(m.Notes, "\n"))
		}
	}
	for i := range f.Systems {
		s := &f.Systems[i]
		for _, list := range [][]result.Component{s.Hardware, s.Software, s.Notes} {
			for _, c := range list {
				all[claim{"", names[i], c.Key, c.Value}]++
			}
		}
	}
	for what, value := range map[string]string{"title": f.Title, "description": f.Description, "URL": f.URL, "generator": f.Generator} {
		if value != "" {
			all[claim{"", "", what, value}]++
		}
	}
	return all
}

// A page that is cut off anywhere says nothing for sure that the whole page
// does not say, and says that it is cut.
func TestCutPages(t *testing.T) {
	step := 997
	if testing.Short() {
		step = 9973
	}
	for _, path := range []string{
		oracle.Shared(t, "flat", "000.html"),
		oracle.Shared(t, "flat", "027.html"),
		oracle.Shared(t, "flat", "m04.ob.html"),
		oracle.Shared(t, "flat", "m06.html"),
		oracle.Shared(t, "samples", "forms", "f2fs-xfs-ext4-hdd-ssd.html"),
		oracle.Shared(t, "corpus", "defects", "d05-zero-value", "pts.html"),
		oracle.Shared(t, "corpus", "real", "gen-monitor-linegraph", "pts.html"),
		oracle.Shared(t, "corpus", "real", "html-ub-apache-3ghz", "result.html"),
	} {
		name := filepath.Base(filepath.Dir(path)) + "/" + filepath.Base(path)
		text := load(t, path)
		_, f := one(t, name, text)
		whole := claims(f)
		by := step
		if len(text) < 10_000 {
			by = 7
		}
		for n := 0; n < len(text); n += by {
			doc := source.New(name, text[:n])
			err := Read(doc, func(f *result.File) error {
				sound(t, doc, f)
				for c, times := range claims(f) {
					if times > whole[c] {
						t.Errorf("%s cut at %d: says %q %d times, the whole page %d times", name, n, c, times, whole[c])
					}
				}
				if n < strings.LastIndex(text, "</p>") && !hasCode(f, "page-cut") {
					t.Errorf("%s cut at %d: no diagnostic says so", name, n)
				}
				return nil
			})
			// A cut before the first drawing leaves nothing to read.
			if err != nil && n > strings.Index(text, "<rect") {
				t.Errorf("%s cut at %d: %v", name, n, err)
			}
		}
	}
}

func hasCode(f *result.File, code string) bool {
	for _, d := range f.Diagnostics {
		if d.Code == code {
			return true
		}
	}
	return false
}

// Long inputs of one kind must not take time that grows with their square:
// each of these would run for minutes. None may panic.
func TestLongPages(t *testing.T) {
	const n = 20_000
	times := func(n int, format string) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, format, i)
		}
		return b.String()
	}
	few := make([]string, 200)
	for i := range few {
		few[i] = fmt.Sprintf("S%d", i)
	}
	table := drawTable([]string{"A", "B"}, "", "OS|Linux*2")
	tests := map[string]string{
		"texts in a graph":    pageOf(table, drawGraph("X", "y", drawBars("A|1")+`<g>`+times(n, `<text x="300" y="%d">x</text>`)+`</g>`)),
		"bars":                pageOf(table, drawGraph("X", "y", `<g text-anchor="end">`+times(n, `<text x="110" y="%d0">A</text>`)+`</g><g>`+times(n, `<rect x="115" y="%d0" width="9" height="9"/>`)+`</g><g text-anchor="end">`+times(n, `<text x="300" y="%d0">7</text>`)+`</g>`)),
		"legend":              pageOf(table, drawGraph("X", "y", `<g>`+times(n, `<rect x="%d" y="10" width="9" height="9" fill="#1"/>`)+`</g><g text-anchor="start">`+times(n, `<text x="%d" y="15" fill="#1">A</text>`)+`</g>`)),
		"rows of an overview": pageOf(table, drawTable([]string{"A", "B"}, "", strings.Split(strings.TrimSuffix(times(n, "x: y%d@pts/x-1.2.3|1|2\n"), "\n"), "\n")...), drawGraph("X", "y", drawBars("A|1", "B|2")), drawGraph("X", "z", drawBars("A|1", "B|2"))),
		"graphs and rows":     pageOf(table, drawTable([]string{"A", "B"}, "", strings.Split(strings.TrimSuffix(times(2000, "x: y@pts/x-1.2.3|%d.5|2\n"), "\n"), "\n")...), strings.Repeat(drawGraph("X", "y", drawBars("A|1", "B|2")), 2001)),
		"cells in one place":  pageOf(strings.Replace(drawTable(few, "", "OS|Linux*200"), `<g text-anchor="middle" font-size="8">`, `<g text-anchor="middle" font-size="8">`+times(n, `<text x="10100" y="81">c%d</text>`), 1)),
		"rows of systems":     pageOf(drawTable(few, "", strings.Split(strings.TrimSuffix(times(n, "K%d|v*200\n"), "\n"), "\n")...)),
		"notes":               pageOf(strings.Replace(drawTable(few, "", "OS|Linux*200"), "</svg>", times(n, `<text x="6" y="5000" text-anchor="start">- %d</text>`)+"</svg>", 1)),
		"long note":           pageOf(strings.Replace(table, "</svg>", `<text x="6" y="5000" text-anchor="start">- `+strings.Repeat(": ", 1<<20)+"</text></svg>", 1)),
		"long identifier":     pageOf(strings.Replace(drawTable([]string{strings.Repeat("a: ", 1<<16)}, "", "OS|Linux"), "</svg>", times(200, `<text x="6" y="5000" text-anchor="start">- `+strings.Repeat("a: ", 1<<10)+`%d</text>`)+"</svg>", 1)),
		"errors":              pageOf(table, drawGraph("X", "y", drawBars("A|1")), times(n, "<p>A: %d</p>")),
		"one system often":    pageOf(drawTable(strings.Split(strings.Repeat("A ", 2000)+"A", " "), "", "OS|Linux*2001"), drawGraph("X", "y", drawBars(strings.Split(strings.Repeat("A|1 ", 1999)+"A|1", " ")...))),
		"headings":            pageOf(table, times(n, "<h2>%d</h2>")),
		"first headings":      pageOf(table, times(n, "<h1>%d</h1>")),
		"tags without end":    pageOf(table) + times(n, `<a b="%d>`),
		"texts out of step":   pageOf(table) + "<table>" + times(n, "<tr>%d<td>x</td></tr>"),
		"attributes":          pageOf(`<svg ` + times(n, `a%d="x"`) + `></svg>`),
		"a long attribute":    pageOf(strings.Replace(table, "<svg ", `<svg data-x="`+strings.Repeat(">", 1<<22)+`" `, 1)),
		"comments":            pageOf(strings.Repeat("<!-- > -- -->", n), table),
		"an open comment":     pageOf(table) + "<!--" + strings.Repeat("--", 1<<20),
		"scripts":             pageOf(table, strings.Repeat("<script>if (a<b) '</p>'</script>", n)),
		"an open script":      pageOf(table) + "<script>" + strings.Repeat("</", 1<<20),
		"entities":            pageOf("<p>"+strings.Repeat("&amp;&lt;&nope;", n)+"</p>", table),
		"groups":              pageOf(drawTable(few, `<g font-weight="bold" text-anchor="middle">`+times(n, `<text x="%d" y="14">G</text>`)+`</g>`, "OS|Linux*200")),
	}
	for name, page := range tests {
		t.Run(name, func(t *testing.T) {
			doc := source.New("page", page)
			if err := Read(doc, func(f *result.File) error {
				sound(t, doc, f)
				return nil
			}); err != nil {
				t.Fatal(err)
			}
		})
	}
}

// Odd drawings: no record may come of them that is not sound.
func TestOddDrawings(t *testing.T) {
	tests := map[string]string{
		"empty drawing":       pageOf("<svg></svg>", "<h2>X</h2><svg></svg>"),
		"huge coordinates":    pageOf(drawTable([]string{"A"}, "", "OS|Linux"), drawGraph("X", "y", `<g><rect x="1e300" y="-1e8" width="1e9" height="1e9"/></g><g text-anchor="end"><text x="NaN" y="Inf">1</text><text x="1e308" y="1">2</text></g>`)),
		"boxes without size":  pageOf(drawGraph("X", "y", `<g><rect x="1" y="90" width="0" height="0"/><rect x="1" y="90" width="0" height="0"/></g><g text-anchor="end"><text x="9" y="90">1</text></g>`)),
		"negative size":       pageOf(drawGraph("X", "y", `<g><rect x="1" y="90" width="-5" height="9"/></g>`)),
		"a drawing in one":    pageOf(drawTable([]string{"A"}, "", "OS|Linux"), drawGraph("X", "y", drawBars("A|1")+`<svg x="9"><g text-anchor="end"><text x="310" y="93">2</text></g></svg>`)),
		"text in text":        pageOf(drawGraph("X", "y", `<g text-anchor="end"><text x="1" y="2">a<a href="b"><tspan>b</tspan></a><!-- c --></text></g>`)),
		"data sections":       pageOf(drawTable([]string{"A"}, "", "OS|Linux"), drawGraph("X", "y", drawBars("A|<![CDATA[1]]>"))),
		"nul":                 pageOf(drawTable([]string{"A\x00"}, "", "OS|Linux"), drawGraph("X", "y", drawBars("A\x00|1"))),
		"broken UTF-8":        pageOf(drawTable([]string{"A\xff"}, "", "OS|Linux"), drawGraph("X", "y", drawBars("A\xff|1"))),
		"values before names": pageOf(drawGraph("X", "y", drawBars("A|1")), drawTable([]string{"A"}, "", "OS|Linux")),
		"three tables":        pageOf(drawTable([]string{"A"}, "", "OS|Linux"), drawTable([]string{"A"}, "", "x: y@pts/x-1.2.3|1"), drawTable([]string{"A"}, "", "OS|Linux")),
	}
	for name, page := range tests {
		t.Run(name, func(t *testing.T) {
			doc := source.New("page", page)
			n := 0
			if err := Read(doc, func(f *result.File) error {
				n++
				sound(t, doc, f)
				return nil
			}); err != nil || n != 1 {
				t.Fatalf("%d files, %v", n, err)
			}
		})
	}
}
