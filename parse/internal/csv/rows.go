package csv

import (
	"strconv"
	"strings"

	"github.com/benchproof/benchproof/internal/phrase"
	"github.com/benchproof/benchproof/result"
)

// rows reads the table of results.
func (t *table) rows() error {
	mark := rowMark(t.sep)
	open, at := "", 0 // lines of a row that has not ended
	for t.l.next() {
		line := t.l.line
		if open == "" && strings.Trim(line, string(t.sep)+" ") == "" {
			continue
		}
		if !mark.MatchString(line) {
			// A label holds a line break, or this is no row.
			if open == "" {
				at = t.l.start
			}
			open = t.l.text[at : t.l.start+len(line)]
			continue
		}
		row, start := line, t.l.start
		switch {
		case open == "":
		case strings.HasPrefix(open, `"`) && !strings.HasPrefix(line, `"`):
			row, start = t.l.text[at:t.l.start+len(line)], at
		default:
			t.unread(open, at)
		}
		open = ""
		if err := t.row(row, start); err != nil {
			return err
		}
	}
	if strings.TrimSpace(open) != "" {
		t.unread(open, at)
	}
	return nil
}

func (t *table) unread(text string, at int) {
	t.f.Error(at, "unread-row", "this is no row of results, and is not read: %q", strings.TrimSpace(text))
}

// row reads one row of results.
func (t *table) row(row string, at int) error {
	// The last mark: a label may hold the like.
	all := rowMark(t.sep).FindAllStringSubmatchIndex(row, -1)
	m := all[len(all)-1]
	if len(all) > 1 {
		t.f.Warn(at, "mark-twice", "more than one place of the row %q looks like the end of its label; the last is taken for it", row)
	}
	label := row[:m[0]+1]
	label = strings.TrimPrefix(label, `"`)
	if t.doubled {
		label = strings.ReplaceAll(label, `""`, `"`)
	}
	test := t.head(label, at)
	switch p := row[m[2]:m[3]]; p {
	case "HIB", "LIB":
		test.Proportion = result.Proportion(p)
	}
	t.f.NextTest()
	rest := row[m[1]:]
	var cells []field
	if t.n > 0 || rest != "" {
		cells = split(rest, at+m[1], t.sep)
	}
	if len(all) > 1 {
		test.HeadDecode = max(test.HeadDecode, result.DecodeInferred)
	}
	if len(cells) != t.n {
		t.f.Error(at+m[1], "shifted-row", "%s for %s in the row of %q: which is whose is not said: %q",
			phrase.Count(len(cells), "value"), phrase.Count(t.n, "system"), test.Name(), rest)
	}
	for i := range t.n {
		if len(cells) != t.n {
			test.Measurements = append(test.Measurements, result.Measurement{
				System: i, Decode: result.DecodeAmbiguous, Origin: t.f.Origin(at+m[1], "shifted-row"),
			})
			continue
		}
		if m, ok := t.cell(&test, cells, i); ok {
			if i == t.n-1 && at+len(row) == len(t.l.text) {
				m.Decode = max(m.Decode, result.DecodeInferred)
				t.f.Warn(at, "line-unended", "the input ends without the end of its last line: the last value may be cut off")
			}
			test.Measurements = append(test.Measurements, m)
		}
	}
	return t.f.AddTest(test)
}

// cell makes the measurement of system i.
func (t *table) cell(test *result.Test, cells []field, i int) (result.Measurement, bool) {
	c := cells[i]
	c.text = strings.TrimSpace(c.text)
	m := result.Measurement{System: i, Value: c.text, Origin: t.f.Origin(c.at, "value")}
	doubt := func(code, format string, args ...any) {
		t.f.Warn(c.at, code, format, args...)
		m.Value, m.Decode, m.Alternatives = "", result.DecodeAmbiguous, []string{c.text}
	}
	k := t.shadow[i]
	switch {
	case c.text == "":
		t.f.Info(c.at, "blank-cell", "no value of %q for %q: the run failed, or there was none", test.Name(), t.f.Systems[i].Identifier)
		return m, false
	case k >= 0 && strings.TrimSpace(cells[k].text) == c.text:
		doubt("columns-mixed", "the value %q of %q may be that of %q", c.text, t.f.Systems[i].Identifier, t.f.Systems[k].Identifier)
	case c.text == "0" && test.Scale == "" && test.Proportion == result.ProportionUnknown:
		doubt("zero-of-words", "the value 0 of %q has no unit: the exporter writes it for lists of words, too", test.Name())
	case isSensor(test):
		m.Decode = result.DecodeInferred
		t.f.Info(c.at, "mean-of-series", "%q is a series over time, of which the exporter prints the mean, rounded", test.Name())
	}
	return m, true
}

// isSensor reports whether a test is what the suite's monitors recorded.
func isSensor(t *result.Test) bool {
	return strings.HasSuffix(t.Title, "Monitor") || strings.HasSuffix(t.Arguments, "Monitor")
}

// head divides a label, "Title - arguments (scale)".
func (t *table) head(label string, at int) result.Test {
	test := result.Test{Origin: t.f.Origin(at, "row")}
	if open := openParenthesis(label); open >= 0 {
		test.Scale = label[open+1 : len(label)-1]
		label = strings.TrimSuffix(label[:open], " ")
	}
	setHead(&test, label)
	return test
}

// setHead divides "Title - arguments". A title may hold the separator, too:
// the division is sure where there is one alone, or where what follows the
// first begins with the key of an option.
func setHead(test *result.Test, label string) {
	title, arguments, ok := strings.Cut(label, " - ")
	if !ok {
		title = strings.TrimSuffix(title, " -")
	}
	test.Title, test.Arguments = strings.TrimSpace(title), strings.TrimSpace(arguments)
	test.Options = result.ParseOptions(test.Arguments)
	if strings.Contains(arguments, " - ") && (len(test.Options) == 0 || test.Options[0].Key == "") {
		test.HeadDecode = result.DecodeInferred
	}
}

// openParenthesis returns where the parenthesis opens that ends label, -1 if
// none does.
func openParenthesis(label string) int {
	depth := 0
	for i := len(label) - 1; i >= 0; i-- {
		switch label[i] {
		case ')':
			depth++
		case '(':
			if depth--; depth == 0 {
				return i
			}
		}
		if depth == 0 {
			return -1
		}
	}
	return strings.LastIndexByte(label, '(')
}

func formatFloat(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }

// runsOf makes the texts of fields, without empty ones.
func runsOf(cells []field) []string {
	var out []string
	for _, c := range cells {
		if text := strings.TrimSpace(c.text); text != "" {
			out = append(out, text)
		}
	}
	return out
}
