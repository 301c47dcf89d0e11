package csv

import (
	"regexp"
	"strings"

	"github.com/benchproof/benchproof/internal/phrase"
	"github.com/benchproof/benchproof/parse/internal/build"
	"github.com/benchproof/benchproof/parse/internal/source"
	"github.com/benchproof/benchproof/parse/internal/vocab"
	"github.com/benchproof/benchproof/result"
)

// table is one of the suite's exports while it is read.
type table struct {
	f   *build.File
	l   lines
	sep byte
	n   int // systems
	// doubled is set where quotes in labels are doubled: the file was
	// written again by a spreadsheet.
	doubled bool
	// shadow[i] is the earlier system whose values the exporter prints for
	// system i too, -1 if none.
	shadow []int
	// twins are the systems that share their whole identifier: the exporter
	// prints the components of the last one for each.
	twins []bool
}

// readPTS reads the export of one result file.
func readPTS(doc *source.Doc, emit func(*result.File) error) error {
	t := &table{f: build.New(doc, result.FormatCSV), l: lines{text: doc.Text}}
	m := headMark.FindStringIndex(doc.Text)
	t.sep = doc.Text[m[0]+1]
	t.title(doc.Text[:m[0]])
	t.l.at = m[0]
	t.l.next()
	header := t.l.line
	if err := t.header(header, t.l.start); err != nil {
		return err
	}
	t.components(header)
	if err := t.rows(); err != nil {
		return err
	}
	if len(t.f.Tests) == 0 {
		t.f.Warn(len(doc.Text), "no-results", "the export holds no results; its exporter writes none for a file that it cannot read")
	}
	checkEnd(doc, t.f)
	return emit(t.f.Finish())
}

// title takes the title out of the first row, which is not quoted whatever
// it holds.
func (t *table) title(row string) {
	row = strings.Trim(row, "\n")
	row = strings.TrimPrefix(row, string(t.sep))
	t.f.Title = strings.TrimSpace(strings.TrimRight(row, string(t.sep)))
}

// header reads the identifiers.
func (t *table) header(line string, at int) error {
	rest := line[min(3, len(line)):]
	at += min(3, len(line))
	var cells []field
	quoted := len(rest) > 1 && rest[0] == '"' && rest[len(rest)-1] == '"'
	switch {
	case rest == "":
	case quoted:
		// Quotes inside of identifiers are not doubled, so only a quote
		// with a separator and a quote parts two of them.
		joint := `"` + string(t.sep) + `"`
		inner := rest[1 : len(rest)-1]
		for at := at + 1; ; {
			id, more, ok := strings.Cut(inner, joint)
			cells = append(cells, field{id, at})
			if !ok {
				break
			}
			at, inner = at+len(id)+len(joint), more
		}
	default:
		cells = split(rest, at, t.sep)
		t.doubled = true
	}
	for _, c := range cells {
		if _, err := t.f.Describe(result.System{Identifier: c.text, Origin: t.f.Origin(c.at, "system")}); err != nil {
			return err
		}
	}
	t.n = len(cells)
	t.shadow, t.twins = make([]int, t.n), make([]bool, t.n)
	seen := make(map[string]int)
	for i, c := range cells {
		t.shadow[i] = -1
		key := c.text
		if v, ok := result.ParseNumber(strings.TrimSpace(key)); ok {
			key = "number " + formatFloat(v)
		}
		if k, ok := seen[key]; ok {
			t.shadow[i] = k
			t.f.Warn(c.at, "columns-mixed", "the exporter takes %q and %q for the same system: what it prints for the second may be the first one's",
				cells[k].text, c.text)
			if cells[k].text == c.text {
				t.f.Warn(c.at, "components-mixed", "the components of the systems named %q are those of one of them, and are not kept", c.text)
				t.twins[k], t.twins[i] = true, true
			}
			continue
		}
		seen[key] = i
	}
	return nil
}

// components reads the table of systems, up to the second header.
func (t *table) components(header string) {
	sep := string(t.sep)
	for t.l.next() {
		line := t.l.line
		switch {
		case strings.Trim(line, sep+" ") == "" && line != header:
			continue
		case line == header:
			return
		case strings.HasPrefix(line, `"`) && rowMark(t.sep).MatchString(line):
			t.f.Warn(t.l.start, "header-missing", "results begin without a header of their own; the first one is taken for theirs")
			t.l.back()
			return
		}
		key, rest, ok := strings.Cut(line, sep+sep)
		if !ok || key == "" {
			t.f.Warn(t.l.start, "unknown-row", "a row among the systems is not read: %q", line)
			continue
		}
		t.component(key, rest, t.l.start+len(key)+2)
	}
}

func (t *table) component(key, rest string, at int) {
	cells := split(rest, at, t.sep)
	switch {
	case t.n == 1:
		cells = []field{{rest, at}}
	case len(cells) != t.n:
		t.f.Warn(at, "shifted-row", "%s for %s in the row %q: which is whose is not said, and none is kept: %q",
			phrase.Count(len(cells), "cell"), phrase.Count(t.n, "system"), key, rest)
		return
	}
	for i, c := range cells {
		if c.text == "" || t.twins[i] {
			continue
		}
		s := &t.f.Systems[i]
		list := &s.Hardware
		if vocab.KeyKind(key) == vocab.Software {
			list = &s.Software
		}
		*list = append(*list, result.Component{Key: key, Value: c.text})
	}
}

var rowMarks = map[byte]*regexp.Regexp{}

func init() {
	for _, sep := range separators {
		s := regexp.QuoteMeta(string(sep))
		rowMarks[sep] = regexp.MustCompile(`\)"?` + s + `(HIB|LIB|ABSTRACT| ?)` + s)
	}
}

// rowMark is what stands between a row's label and its values.
func rowMark(sep byte) *regexp.Regexp { return rowMarks[sep] }
