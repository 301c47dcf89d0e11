package systable

import (
	"html"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/benchproof/benchproof/parse/internal/oracle"
	"github.com/benchproof/benchproof/result"
)

// want is the truth of one systems table: what each system lists, and what
// the page prints of it.
type want struct {
	name    string
	title   string
	keys    []string
	systems []string
	lists   [][]result.Component // hardware, then software
	printed [][]result.Component // by column
	cells   string
	gap     string // what stands between two cells
}

// spaced returns the same table with a blank between all cells.
func (w want) spaced() want {
	var values []string
	for _, c := range slices.Concat(w.printed...) {
		values = append(values, c.Value)
	}
	w.cells, w.gap = strings.Join(values, " "), " "
	return w
}

// render makes the table that PTS prints of systems: its rule, by which a
// row is a key in the order of first appearance, hardware first, and a cell
// is printed where the column before has not the same value.
func render(name string, systems []string, hardware, software [][]result.Component) want {
	w := want{name: name, systems: systems}
	for _, group := range [][][]result.Component{hardware, software} {
		for _, list := range group {
			for _, c := range list {
				if !slices.Contains(w.keys, c.Key) {
					w.keys = append(w.keys, c.Key)
				}
			}
		}
	}
	var b strings.Builder
	before := make(map[string]string)
	for i := range systems {
		list := slices.Concat(hardware[i], software[i])
		now := make(map[string]string)
		var printed []result.Component
		for _, c := range list {
			now[c.Key] = c.Value
			if v, ok := before[c.Key]; !ok || v != c.Value {
				printed = append(printed, c)
				b.WriteString(c.Value)
			}
		}
		before = now
		w.lists = append(w.lists, list)
		w.printed = append(w.printed, printed)
	}
	w.cells = b.String()
	return w
}

// score counts cells.
type score struct {
	pages, wholePages        int
	cells, divided, right    int // printed cells, those found, and those found in their column
	table, tableRight        int // all of a system's components, inherited ones included
	exact, inferred, unsure  int // columns with a wrong printed cell, by what they call themselves
	columns, columnsInferred int
}

func (s *score) add(o score) {
	s.pages += o.pages
	s.wholePages += o.wholePages
	s.cells += o.cells
	s.right += o.right
	s.divided += o.divided
	s.table += o.table
	s.tableRight += o.tableRight
	s.exact += o.exact
	s.inferred += o.inferred
	s.unsure += o.unsure
	s.columns += o.columns
	s.columnsInferred += o.columnsInferred
}

func (s score) share() float64 { return float64(s.right) / float64(max(1, s.cells)) }

// atLeast fails the test where fewer cells are divided right, or stand in
// their column, than the given percentages; where a column with a wrong cell
// is called exact; or where more than one in 200 inferred ones has one.
func (s score) atLeast(t testing.TB, what string, divided, right float64) {
	t.Helper()
	s.log(t, what)
	if got := 100 * float64(s.divided) / float64(max(1, s.cells)); got < divided {
		t.Errorf("%s: %.2f%% of the cells divided, want %.2f%%", what, got, divided)
	}
	if got := 100 * s.share(); got < right {
		t.Errorf("%s: %.2f%% of the cells right, want %.2f%%", what, got, right)
	}
	if s.exact > 0 {
		t.Errorf("%s: %d columns with a wrong cell are called exact", what, s.exact)
	}
	if 200*s.inferred > s.columnsInferred {
		t.Errorf("%s: %d of %d inferred columns have a wrong cell", what, s.inferred, s.columnsInferred)
	}
	if s.pages == 0 {
		t.Errorf("%s: no pages", what)
	}
}

func (s score) log(t testing.TB, what string) {
	t.Helper()
	t.Logf("%s: %d pages, %d whole; %d printed cells, %.2f%% divided, %.2f%% right; %d cells in all, %.2f%% right; %d columns, %d inferred; columns with a wrong cell: %d exact, %d inferred, %d ambiguous",
		what, s.pages, s.wholePages, s.cells, 100*float64(s.divided)/float64(max(1, s.cells)), 100*s.share(), s.table, 100*float64(s.tableRight)/float64(max(1, s.table)),
		s.columns, s.columnsInferred, s.exact, s.inferred, s.unsure)
}

// judge compares a table with the truth.
func judge(t testing.TB, w want, got Table, verbose bool) score {
	t.Helper()
	checkTable(t, w.cells, w.keys, w.systems, got)
	s := score{pages: 1, wholePages: 1, columns: len(w.systems)}
	if len(got.Columns) != len(w.systems) {
		t.Fatalf("%s: %d columns, want %d", w.name, len(got.Columns), len(w.systems))
	}
	type spot struct {
		key    string
		offset int
	}
	found := make(map[spot]string)
	for i := range got.Columns {
		col := &got.Columns[i]
		for k, c := range slices.Concat(col.Hardware, col.Software) {
			if col.Offsets[k] >= 0 {
				found[spot{c.Key, col.Offsets[k]}] = c.Value
			}
		}
	}
	offset := 0
	for i, list := range w.printed {
		col := &got.Columns[i]
		for _, c := range list {
			if found[spot{c.Key, offset}] == c.Value {
				s.divided++
			} else if verbose {
				t.Logf("%s: %q not found at %d as %s", w.name, c.Value, offset, c.Key)
			}
			offset += len(c.Value) + len(w.gap)
		}
		var printed []result.Component
		all := slices.Concat(col.Hardware, col.Software)
		for k, c := range all {
			if col.Offsets[k] >= 0 {
				printed = append(printed, c)
			}
		}
		right := 0
		for _, c := range list {
			if slices.Contains(printed, c) {
				right++
			} else if verbose {
				t.Logf("%s: system %d %q (%v): lacks %s %q", w.name, i+1, w.systems[i], col.Decode, c.Key, c.Value)
			}
		}
		wrong := right < len(list)
		for _, c := range printed {
			if !slices.Contains(list, c) {
				wrong = true
				if verbose {
					t.Logf("%s: system %d %q (%v): has   %s %q", w.name, i+1, w.systems[i], col.Decode, c.Key, c.Value)
				}
			}
		}
		s.cells += len(list)
		s.right += right
		for _, k := range w.keys {
			a, inTruth := find(w.lists[i], k)
			b, inGot := find(all, k)
			s.table++
			if inTruth == inGot && a == b {
				s.tableRight++
			}
		}
		if col.Decode == result.DecodeInferred {
			s.columnsInferred++
		}
		if wrong {
			s.wholePages = 0
			switch col.Decode {
			case result.DecodeExact:
				s.exact++
			case result.DecodeInferred:
				s.inferred++
			default:
				s.unsure++
			}
		}
	}
	return s
}

func find(list []result.Component, key string) (string, bool) {
	for _, c := range list {
		if c.Key == key {
			return c.Value, true
		}
	}
	return "", false
}

// loadPage renders the systems of a composite.xml and checks the outcome
// against the page that PTS made of it, where that lies beside it.
func loadPage(t testing.TB, xmlPath, htmlPath string) (want, bool) {
	t.Helper()
	data, err := os.ReadFile(xmlPath)
	if err != nil {
		t.Fatal(err)
	}
	f, err := oracle.ReadXML(data)
	if err != nil {
		return want{}, false
	}
	var names []string
	var hw, sw [][]result.Component
	for _, s := range f.Systems {
		if len(s.Hardware) == 0 && len(s.Software) == 0 {
			continue
		}
		names = append(names, s.Identifier)
		hw = append(hw, trimmed(s.Hardware))
		sw = append(sw, trimmed(s.Software))
	}
	if len(names) == 0 {
		return want{}, false
	}
	w := render(xmlPath, names, hw, sw)
	w.title = f.Title
	if htmlPath == "" {
		return w, true
	}
	texts := svgTexts(t, htmlPath)
	if texts == nil {
		return want{}, false
	}
	joined := strings.Join(texts, "")
	if !strings.Contains(joined, w.cells) {
		t.Logf("%s: the page does not hold the cells as rendered", htmlPath)
		return want{}, false
	}
	return w, true
}

func trimmed(list []result.Component) []result.Component {
	var out []result.Component
	for _, c := range list {
		c.Value = strings.TrimSpace(c.Value)
		out = append(out, c)
	}
	return out
}

var (
	svgForm  = regexp.MustCompile(`(?s)<svg.*?</svg>`)
	textForm = regexp.MustCompile(`(?s)<text[^>]*>(.*?)</text>`)
	tagForm  = regexp.MustCompile(`<[^>]*>`)
)

// svgTexts returns the texts of a page's systems table.
func svgTexts(t testing.TB, path string) []string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		return nil
	}
	for _, svg := range svgForm.FindAllString(string(data), -1) {
		if !strings.Contains(svg, "Processor") {
			continue
		}
		var out []string
		for _, m := range textForm.FindAllStringSubmatch(svg, -1) {
			out = append(out, html.UnescapeString(tagForm.ReplaceAllString(m[1], "")))
		}
		return out
	}
	return nil
}
