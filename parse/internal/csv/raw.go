package csv

import (
	"math/big"
	"strings"

	"github.com/benchproof/benchproof/internal/number"
	"github.com/benchproof/benchproof/parse/internal/build"
	"github.com/benchproof/benchproof/parse/internal/source"
	"github.com/benchproof/benchproof/parse/internal/vocab"
	"github.com/benchproof/benchproof/result"
)

// readRaw reads the raw CSV: a title, then for each test its name, its
// direction, a blank line and a row of runs a system.
func readRaw(doc *source.Doc, emit func(*result.File) error) error {
	t := &table{f: build.New(doc, result.FormatRawCSV), l: lines{text: doc.Text}}
	t.f.Info(0, "values-derived", "a raw CSV prints single runs alone: values are their means")
	t.rawTitle()
	for t.l.next() {
		switch {
		case t.l.line == "":
		case strings.HasPrefix(t.l.line, `"`):
			if err := t.rawTest(); err != nil {
				return err
			}
		default:
			t.unread(t.l.line, t.l.start)
		}
	}
	if !strings.HasSuffix(doc.Text, "\n\n") {
		t.f.Warn(len(doc.Text), "cut-short", "no blank line ends the last test, as its exporter ends each: it may be cut, and rows and tests behind it may be lost")
	}
	return emit(t.f.Finish())
}

// rawTitle reads the title, which may have several lines and ends with a
// comma and a blank line.
func (t *table) rawTitle() {
	for t.l.next() {
		if strings.HasPrefix(t.l.line, `"`) {
			t.l.back()
			break
		}
		if t.l.line == "" && strings.HasSuffix(t.f.Title, ",") {
			break
		}
		if t.f.Title != "" {
			t.f.Title += "\n"
		}
		t.f.Title += t.l.line
	}
	t.f.Title = strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(t.f.Title), ","))
}

// rawTest reads a test whose first line is the current one.
func (t *table) rawTest() error {
	start := t.l.start
	// The name ends with a quote and a comma at the end of a line; line
	// breaks in it stand as they are.
	for !strings.HasSuffix(t.l.line, `",`) || t.l.start == start && t.l.line == `",` {
		if !t.l.next() || t.l.line == "" {
			t.unread(t.l.text[start:t.l.at], start)
			return nil
		}
	}
	name := t.l.text[start+1 : t.l.start+len(t.l.line)-2]
	test := result.Test{Origin: t.f.Origin(start, "test")}
	t.rawHead(&test, name)
	if t.l.next() {
		switch t.l.line {
		case "Higher Results Are Better":
			test.Proportion = result.HIB
		case "Lower Results Are Better":
			test.Proportion = result.LIB
		default:
			t.l.back()
		}
	}
	if t.l.next() && t.l.line != "" {
		// No blank line: rows at once, or no test at all.
		t.l.back()
	}
	t.f.NextTest()
	rows := 0
	for ; t.l.next() && t.l.line != ""; rows++ {
		if err := t.rawRow(&test); err != nil {
			return err
		}
	}
	if rows == 0 {
		t.f.Warn(start, "no-rows", "the test %q has no rows", test.Name())
	}
	return t.f.AddTest(test)
}

// rawHead divides "Title version - arguments". Where the version begins is
// not marked: known titles are looked up, else the last word is taken for it
// where it begins with a digit.
func (t *table) rawHead(test *result.Test, name string) {
	setHead(test, name)
	title := test.Title
	if known := vocab.TitlePrefix(title); known != "" && len(known) < len(title) {
		test.Title, test.Version = known, strings.TrimSpace(title[len(known):])
		return
	}
	if i := strings.LastIndexByte(title, ' '); i > 0 && i+1 < len(title) && title[i+1] >= '0' && title[i+1] <= '9' {
		test.Title, test.Version = strings.TrimSpace(title[:i]), title[i+1:]
	}
	test.HeadDecode = result.DecodeInferred
}

// rawRow reads the runs of one system. Runs are numbers, so the identifier
// ends with the last quote that a comma follows.
func (t *table) rawRow(test *result.Test) error {
	line, start := t.l.line, t.l.start
	end := strings.LastIndex(line, `",`)
	if !strings.HasPrefix(line, `"`) || end < 1 {
		t.unread(line, start)
		return nil
	}
	identifier := line[1:end]
	cells := split(line[end+2:], start+end+2, ',')
	runs := runsOf(cells)
	if len(runs) == 0 {
		t.f.Info(start, "no-runs", "no runs of %q for %q: there was one run, the run failed, or there was none", test.Name(), identifier)
		_, err := t.f.SystemOf(identifier, start)
		return err
	}
	index, err := t.f.SystemOf(identifier, start)
	if err != nil {
		return err
	}
	m := result.Measurement{System: index, Decode: result.DecodeInferred, Origin: t.f.Origin(start+end+2, "runs")}
	build.Runs(&m, runs)
	if m.Value = mean(runs); m.Value == "" {
		m.Decode = result.DecodeAmbiguous
		t.f.Warn(start, "not-a-number", "not all runs of %q for %q are numbers: their mean is not known", test.Name(), identifier)
	}
	test.Measurements = append(test.Measurements, m)
	return nil
}

// mean returns the mean of runs with as many decimals as the run that has
// most, "" where one is no number.
func mean(runs []string) string {
	const longest = 40
	places := 0
	sum := new(big.Rat)
	for _, r := range runs {
		if _, ok := result.ParseNumber(r); !ok {
			return ""
		}
		if len(r) > longest || strings.ContainsAny(r, "eE") {
			return floatMean(runs)
		}
		x, ok := new(big.Rat).SetString(r)
		if !ok {
			return ""
		}
		places = max(places, result.Decimals(r))
		sum.Add(sum, x)
	}
	return sum.Quo(sum, new(big.Rat).SetInt64(int64(len(runs)))).FloatString(places)
}

func floatMean(runs []string) string {
	sum := 0.0
	for _, r := range runs {
		v, ok := result.ParseNumber(r)
		if !ok {
			return ""
		}
		sum += v / float64(len(runs))
	}
	return number.Significant(sum, 15)
}
