package flat

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/benchproof/benchproof/parse/internal/source"
	"github.com/benchproof/benchproof/parse/internal/systable"
	"github.com/benchproof/benchproof/result"
)

// Read decodes the result pages in doc and emits one file a page. It returns
// a *source.SyntaxError if there is none, and emit's error if that fails.
func Read(doc *source.Doc, emit func(*result.File) error) error {
	pages := splitPages(doc)
	if len(pages) == 0 {
		return &source.SyntaxError{
			Origin:   doc.Origin(0, ""),
			Found:    "no systems table and no graph",
			Expected: "the text of an OpenBenchmarking.org or Phoronix Test Suite result page",
		}
	}
	for i := range pages {
		f, err := readPage(doc, &pages[i])
		if err != nil {
			return err
		}
		if err := emit(f); err != nil {
			return err
		}
	}
	return nil
}

// reader builds the record of one page.
type reader struct {
	doc  *source.Doc
	page *page
	file *result.File
}

func readPage(doc *source.Doc, p *page) (*result.File, error) {
	if len(p.graphs) > doc.Limits.Tests {
		return nil, &source.LimitError{
			Source: doc.Name, Origin: doc.Origin(p.graphs[doc.Limits.Tests].off, ""),
			What: "the number of tests", Limit: int64(doc.Limits.Tests), Flag: "--max-tests",
		}
	}
	r := &reader{doc: doc, page: p, file: &result.File{Source: doc.Name, Format: result.FormatFlat}}
	r.head()
	var bars, all []*graph
	for _, gl := range p.graphs {
		g, ok := readGraph(gl)
		if !ok {
			continue
		}
		if n := len(captionMark.FindAllStringIndex(gl.text, -1)); n > 1 {
			r.diagnose(result.SeverityError, gl.off, "graphs-undivided",
				fmt.Sprintf("%d graphs stand in one paragraph and could not be told apart: their values are not read; copied with its line breaks, the page has them", n))
			continue
		}
		all = append(all, g)
		g.chosen = -1
		bars = append(bars, g)
	}
	if n := len(bars); n > 0 && p.footer.text == "" && bars[n-1].notes == "" && bars[n-1].off+len(bars[n-1].text) == len(doc.Text) {
		bars[n-1].cut = true
		r.diagnose(result.SeverityWarning, bars[n-1].off+len(bars[n-1].text), "truncated", "the page ends without its footer: the last graph may be cut")
	}
	title := p.title.text
	keys, end := r.keys(bars)
	table := p.table.text[end:]
	b := &budget{left: pageBudget}
	over, hasOver := readOverview(p.overview.text, title, table, bars, b)
	d := decode(bars, over, hasOver, table, r.pieces(table, p.table.off+end), b)
	if !hasOver && p.overview.text != "" && !b.spent() {
		r.diagnose(result.SeverityWarning, p.overview.off, "overview-unread", "the overview table does not fit the graphs: tests that it lists may have none here")
	}
	if b.spent() {
		r.diagnose(result.SeverityWarning, p.table.off, "gave-up", "the page was not decoded whole: it has too many readings")
	}
	r.systems(d)
	if d.unknown && len(bars) > 0 {
		r.diagnose(result.SeverityWarning, bars[0].off, "names-unknown",
			fmt.Sprintf("the text has no systems table, so whose the values are is not known: its graphs list %s; copy the table above them too", excerpt(d.run+bars[0].axisRun())))
	}
	r.components(keys, table, end, d)
	r.tests(all, d)
	for _, l := range p.stray {
		r.diagnose(result.SeverityInfo, l.off, "unplaced-text", fmt.Sprintf("text that belongs to no known part of a page: %s", excerpt(l.text)))
	}
	result.SetGroups(r.file.Systems)
	return r.file, nil
}

// head reads title, description, address and generator.
func (r *reader) head() {
	f, p := r.file, r.page
	f.Title = p.title.text
	f.Description = p.description.text
	if i := strings.Index(p.url.text, "http"); i >= 0 {
		f.URL = strings.TrimSuffix(strings.Fields(p.url.text[i:])[0], ".")
		f.Identifier = f.URL[strings.LastIndexByte(f.URL, '/')+1:]
	}
	f.Generator = p.footer.text
}

// keys returns the row keys of the systems table and the offset of what
// follows them.
func (r *reader) keys(graphs []*graph) (keys []string, end int) {
	text, title := r.page.table.text, r.page.title.text
	greedy, greedyEnd, ok := tableKeys(text, title)
	if !ok {
		return nil, len(text)
	}
	if len(graphs) > 0 && graphs[0].spaced {
		return greedy, greedyEnd
	}
	keys, end, ok = systable.Keys(text, title)
	if !ok || beginsRuns(text[greedyEnd:], graphs) > beginsRuns(text[end:], graphs) {
		return greedy, greedyEnd
	}
	return keys, end
}

// beginsRuns returns how many graphs may list the identifiers that text
// begins with: identifiers may look like a key, and keys stand out of order.
func beginsRuns(text string, graphs []*graph) int {
	n := 0
	for _, g := range graphs {
		if slices.ContainsFunc(g.axes, func(a axis) bool { return len(a.run) > 1 && strings.HasPrefix(text, a.run) }) ||
			g.legend != "" && strings.HasPrefix(text, g.legend) {
			n++
		}
	}
	return n
}

// pieces returns the beginning of the systems table, which stands at offset off,
// in the pieces that were lines of their own, as some browsers copy them; nil if
// it does not begin with one.
func (r *reader) pieces(table string, off int) []string {
	if table == "" || off == 0 || !r.doc.Apart(off) {
		return nil
	}
	var list []string
	from := 0
	for i := 1; i < min(len(table), maxRun+1); i++ {
		if r.doc.Apart(off + i) {
			list = append(list, table[from:i])
			from = i
		}
	}
	return list
}

// components divides the cells of the systems table, which follow the
// identifiers, and the notes below it. off is the offset of table in its
// paragraph.
func (r *reader) components(keys []string, table string, off int, d decoded) {
	if len(d.names) == 0 || len(d.run) > len(table) || !strings.HasPrefix(table, d.run) {
		if r.page.table.text != "" {
			r.diagnose(result.SeverityWarning, r.page.table.off, "systems-undecoded", "the systems table could not be read: its identifiers are not known")
		}
		return
	}
	cells, notes := table[len(d.run):], ""
	mark, size := strings.Index(cells, watermarkSite), len(watermarkSite)
	if mark < 0 {
		mark, size = strings.LastIndex(cells, watermarkLocal), len(watermarkLocal)
	}
	if mark >= 0 {
		cells, notes = cells[:mark], cells[mark+size:]
	}
	names := make([]string, len(r.file.Systems))
	for i := range names {
		names[i] = r.file.Systems[i].Identifier
	}
	t := systable.Split(cells, keys, names)
	all := systable.AllNotes(notes, names)
	for i := range r.file.Systems {
		s := &r.file.Systems[i]
		if i < len(t.Columns) {
			c := &t.Columns[i]
			s.Hardware, s.Software, s.InheritedKeys = c.Hardware, c.Software, c.Inherited
		}
		if i < len(all) {
			s.Notes = all[i]
		}
	}
	at := r.page.table.off + off + len(d.run)
	if t.Stopped {
		r.diagnose(result.SeverityWarning, at, "components-gave-up", "the systems table was not divided whole into components: it takes too many steps")
	}
	switch t.Decode {
	case result.DecodeInferred:
		r.diagnose(result.SeverityInfo, at, "components-inferred", "the systems table runs together without marks: its components were told apart by what they look like")
	case result.DecodeAmbiguous:
		r.diagnose(result.SeverityWarning, at, "components-ambiguous", "the systems table runs together without marks: it can be divided into components in several ways, and this is the likeliest")
	}
}

// systems adds the systems by their decoded names.
func (r *reader) systems(d decoded) {
	for k, name := range d.names {
		i := r.file.AddSystem(strings.TrimSuffix(name, " "))
		s := &r.file.Systems[i]
		s.Decode = d.nameDecode[k]
		s.Origin = r.doc.Origin(r.page.table.off, "flat/systems-table")
	}
}

// tests adds the tests in the order of their graphs.
func (r *reader) tests(all []*graph, d decoded) {
	byGraph := map[*graph]*decodedTest{}
	for i := range d.tests {
		byGraph[d.tests[i].graph] = &d.tests[i]
	}
	for _, g := range all {
		t := r.head1(g)
		if dt := byGraph[g]; dt != nil {
			t.Profile = dt.profile
			r.measurements(&t, g, dt, d)
		} else if !r.boxMeasurements(&t, g, d) {
			r.diagnose(result.SeverityError, g.off, "graph-undecoded", g.undecoded(&t))
		}
		r.file.Tests = append(r.file.Tests, t)
	}
}

// head1 returns a test with the head of a graph.
func (r *reader) head1(g *graph) result.Test {
	t := result.Test{
		Title:     g.title,
		Version:   g.version,
		Arguments: g.graphLine.arguments.text,
		Scale:     g.scale,
		Footnotes: g.footnotes,
		Origin:    r.doc.Origin(g.off, "flat/graph"),
	}
	if g.chosen >= 0 && g.chosen < len(g.axes) && g.axes[g.chosen].version != "" {
		t.Version = g.axes[g.chosen].version
		t.HeadDecode = result.DecodeInferred
	}
	t.Options = result.ParseOptions(t.Arguments)
	t.Proportion = result.HIB
	if g.lower {
		t.Proportion = result.LIB
	}
	t.DisplayFormat = "BAR_GRAPH"
	if g.isLine {
		t.DisplayFormat = "LINE_GRAPH"
	}
	return t
}

// measurements adds what was decoded of a graph.
func (r *reader) measurements(t *result.Test, g *graph, dt *decodedTest, d decoded) {
	if !dt.solved {
		if r.boxMeasurements(t, g, d) {
			return
		}
		r.diagnose(result.SeverityError, g.off+g.regionOff, "graph-undecoded", g.undecoded(t))
		return
	}
	if dt.lines != nil {
		r.lineMeasurements(t, g, dt.lines, d)
		return
	}
	var valued []int  // indexes into t.Measurements
	var errored []int // of those that may have an SE: a 0 may, too
	for sys, c := range dt.cells {
		m := result.Measurement{System: sys, Decode: max(c.decode, d.nameDecode[sys])}
		if d.unknown {
			// A number claims nothing of whose the value is.
			m.Decode = max(c.decode, result.DecodeInferred)
		}
		at := g.off + g.regionOff + c.off
		if c.table {
			at = r.page.overview.off + d.digitsOff + c.off
		}
		m.Origin = r.doc.Origin(at, "flat/"+ruleOf(c.decode))
		switch {
		case c.decode == result.DecodeAmbiguous:
			if len(c.alternatives) == 0 {
				continue
			}
			m.Alternatives = c.alternatives
			valued = append(valued, len(t.Measurements))
		case (c.kind == hasValue || c.kind == isZero) && m.Decode == result.DecodeAmbiguous:
			// The value is known, whose it is is not.
			m.Alternatives = []string{c.text()}
			valued = append(valued, len(t.Measurements))
		case c.kind == hasValue:
			m.Value = c.value
			if len(c.raw) > len(c.value) {
				m.Precise = c.raw
			}
			valued = append(valued, len(t.Measurements))
		case c.kind == isZero:
			m.Value = "0"
			m.Origin = r.doc.Origin(r.page.overview.off, "flat/overview-zero")
		case c.kind == noValue:
			m.Status = result.StatusFailed
			m.Reason = "the graph names the system without a value: the run failed, or its result is exactly 0"
		default:
			continue
		}
		if m.Status == result.StatusOK {
			errored = append(errored, len(t.Measurements))
		}
		t.Measurements = append(t.Measurements, m)
	}
	r.stdErrors(t, g, dt, errored)
	if len(g.minMax) == len(valued) {
		for k, i := range valued {
			t.Measurements[i].Min, t.Measurements[i].Max = g.minMax[k].min, g.minMax[k].max
		}
	}
}

// undecoded says of a graph that its values could not be read.
func (g *graph) undecoded(t *result.Test) string {
	name := "a graph without heading"
	if t.Title != "" {
		name = strconv.Quote(excerpt(t.Title))
	}
	switch {
	case g.isLine:
		return fmt.Sprintf("the values of %s are drawn as lines and not printed, and what its legend and the overview say of them cannot be told apart", name)
	case len(g.axes) == 0:
		return fmt.Sprintf("the axis of %s could not be read, expected five labels that are multiples of one step", name)
	case g.region == "":
		return fmt.Sprintf("%s prints no values, expected digits behind its axis", name)
	}
	return fmt.Sprintf("no reading of %q as the values of %s fits its axis and the rest of the page", excerpt(g.region), name)
}

// lineMeasurements adds the lines of a line graph: the average stands for
// the value, since the points are not printed.
func (r *reader) lineMeasurements(t *result.Test, g *graph, lines []legendLine, d decoded) {
	for _, l := range lines {
		sys := slices.Index(d.names, l.name)
		t.Measurements = append(t.Measurements, result.Measurement{
			System: sys, Value: l.avg, Min: l.min, Max: l.max,
			Decode: max(result.DecodeInferred, d.nameDecode[sys]),
			Origin: r.doc.Origin(g.off+l.off, "flat/line-average"),
		})
	}
	r.diagnose(result.SeverityInfo, g.off, "line-graph",
		fmt.Sprintf("the page prints minimum, average and maximum of each line of %q, not its points", t.Title))
}

// stdErrors gives the printed SEs to the values. Where fewer are printed
// than values they cannot be assigned and stay with the test.
func (r *reader) stdErrors(t *result.Test, g *graph, dt *decodedTest, valued []int) {
	n, k := len(valued), len(g.ses)
	for i, se := range g.ses {
		samples := se.n
		if i == k-1 && !g.spaced {
			samples = dt.samples
		}
		if n == k {
			m := &t.Measurements[valued[i]]
			m.StdError, m.Samples = se.text, samples
			if i == k-1 {
				m.Decode = max(m.Decode, min(dt.nDecode, result.DecodeInferred))
			}
			continue
		}
		u := result.Unassigned{StdError: se.text, Samples: samples, Origin: r.doc.Origin(g.off+se.off, "flat/std-error")}
		// SEs stand in the order of their values.
		for j := i; j < n && j <= n-k+i; j++ {
			u.Systems = append(u.Systems, t.Measurements[valued[j]].System)
		}
		t.Unassigned = append(t.Unassigned, u)
	}
}

func ruleOf(d result.Decode) string {
	switch d {
	case result.DecodeExact:
		return "unique"
	case result.DecodeInferred:
		return "plausible"
	}
	return "ambiguous"
}

func (r *reader) diagnose(severity result.Severity, off int, code, message string) {
	r.file.Diagnostics = append(r.file.Diagnostics, r.doc.Diagnostic(severity, off, code, message))
}

// excerpt returns the beginning of text, for a message.
func excerpt(text string) string {
	if len(text) <= 60 {
		return text
	}
	return strings.ToValidUTF8(text[:60], "") + "…"
}
