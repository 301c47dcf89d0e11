// Package capture reads what a terminal shows while the Phoronix Test Suite
// runs tests: logs and pasted sessions.
//
// A session begins with the suite's table of the system; each is a result
// file of one system. Its name is what was typed in, or else, as the suite
// does not print it, the name of the input, marked inferred. A test's value
// is the average that is printed; its single runs stand above it. Where only
// the deviation is printed, in percent of the average, the standard error is
// worked out from it, average × deviation / 100 / √N, and marked derived.
//
// Titles and versions have no mark between them, so a head is inferred unless
// the title is a known one. A test that ends in an error is failed, with what
// was printed as the reason; one that shows neither has no measurement and a
// diagnostic. Everything else that a run prints (downloads,
// progress, questions) is passed over.
package capture

import (
	"math"
	"regexp"
	"strconv"
	"strings"

	"github.com/benchproof/benchproof/internal/number"
	"github.com/benchproof/benchproof/internal/phrase"
	"github.com/benchproof/benchproof/parse/internal/build"
	"github.com/benchproof/benchproof/parse/internal/source"
	"github.com/benchproof/benchproof/parse/internal/vocab"
	"github.com/benchproof/benchproof/result"
)

var (
	averageMark = regexp.MustCompile(`(?m)^[ \t]*Average: *[-+]?[0-9]`)
	// profileLine is the second line of a test's head.
	profileLine = regexp.MustCompile(`^\s+([a-z0-9][a-z0-9_.-]*/[A-Za-z0-9_.+-]+-[0-9]+(?:\.[0-9]+)+)(?: \[(.*)\])?\s*$`)
	clientLine  = regexp.MustCompile(`^\s*(Phoronix Test Suite v[0-9][0-9A-Za-z.]*)\s*$`)
	averageLine = regexp.MustCompile(`^Average: *(\S+)(?: (.*))?$`)
)

// Sniff reports whether text looks like a capture of a run: it prints an
// average, or the start of a run.
func Sniff(text string) bool {
	return strings.Contains(text, "Average: ") && averageMark.MatchString(text) ||
		strings.Contains(text, "    Started Run 1 @ ") && strings.Contains(text, "    Test 1 of ")
}

// Read reads the sessions in doc and hands each that has a test to emit as a
// record. It returns a [source.SyntaxError] where there is none, a
// [source.LimitError] for one beyond doc.Limits, and what emit returns.
func Read(doc *source.Doc, emit func(*result.File) error) error {
	r := &reader{doc: doc, emit: emit}
	r.begin()
	for at := 0; at < len(doc.Text); {
		end := strings.IndexByte(doc.Text[at:], '\n')
		if end < 0 {
			end = len(doc.Text) - at
		}
		if err := r.line(doc.Text[at:at+end], at); err != nil {
			return err
		}
		if at+end == len(doc.Text) && r.block != nil {
			r.block.Decode = result.DecodeInferred
			r.f.Warn(at, "line-unended", "the input ends without the end of its last line: the last figure may be cut off")
		}
		at += end + 1
	}
	if err := r.finish(); err != nil {
		return err
	}
	if r.files == 0 {
		return &source.SyntaxError{Origin: doc.Origin(0, ""), Found: "no test", Expected: "a terminal capture of a PTS run"}
	}
	return nil
}

// reader reads one session after another.
type reader struct {
	doc    *source.Doc
	emit   func(*result.File) error
	f      *build.File
	files  int
	client string // the suite's name and version, printed before a session

	table   table
	system  result.System
	current string // description that was proposed

	before   string // the last line that was not blank
	beforeAt int
	test     *head
	caption  string   // what stands above the runs
	runs     []string // printed since the caption
	block    *result.Measurement
	blockOf  *result.Test
	blockAt  int
}

// head is the head of a test, for the results that follow.
type head struct {
	title, profile, arguments string
	at, profileAt             int
	errors                    []string
	errorAt                   int
	results                   int
}

func (r *reader) begin() {
	r.f = build.New(r.doc, result.FormatCapture)
	r.f.Generator = r.client
	r.system = result.System{Origin: r.f.Origin(0, "system")}
	r.table = table{}
	r.test, r.block, r.runs, r.caption, r.current = nil, nil, nil, "", ""
}

// line takes one line that stands at an offset.
func (r *reader) line(line string, at int) error {
	text := strings.TrimSpace(line)
	if text == "" {
		return r.blank()
	}
	defer func() { r.before, r.beforeAt = line, at }()
	if m := clientLine.FindStringSubmatch(line); m != nil {
		r.client = m[1]
		return nil
	}
	if text == "System Information" {
		if err := r.finish(); err != nil {
			return err
		}
		r.begin()
		r.system.Origin = r.f.Origin(at, "system")
		r.table.open = true
		return nil
	}
	if r.question(text) {
		r.table.open = false
		return nil
	}
	if r.table.open && r.table.line(line, &r.system) {
		return nil
	}
	if m := profileLine.FindStringSubmatch(line); m != nil && strings.HasSuffix(strings.TrimSpace(r.before), ":") && !indented(r.before) {
		if err := r.endTest(); err != nil {
			return err
		}
		r.table.open = false
		r.test = &head{
			title:   strings.TrimSuffix(strings.TrimSpace(r.before), ":"),
			profile: m[1], arguments: m[2], at: r.beforeAt, profileAt: at,
		}
		r.runs, r.caption = nil, ""
		return nil
	}
	return r.inTest(line, text, at)
}

func indented(line string) bool { return line != "" && (line[0] == ' ' || line[0] == '\t') }

// question takes what was asked and typed in.
func (r *reader) question(text string) bool {
	for _, q := range []struct {
		mark  string
		field *string
	}{
		{"Enter a name to save these results under:", &r.f.Title},
		{"Enter a unique name to describe this test run / configuration:", &r.system.Identifier},
		{"Enter a unique name for this test run:", &r.system.Identifier},
		{"Current Description:", &r.current},
		{"New Description:", &r.f.Description},
	} {
		if answer, ok := strings.CutPrefix(text, q.mark); ok {
			if answer = strings.TrimSpace(answer); answer != "" {
				*q.field = answer
			}
			return true
		}
	}
	return false
}

// inTest takes a line of a test's results.
func (r *reader) inTest(line, text string, at int) error {
	switch {
	case averageLine.MatchString(text):
		m := averageLine.FindStringSubmatch(text)
		return r.average(m[1], m[2], at+strings.Index(line, m[1]))
	case r.figure(text, "Deviation:", at), r.figure(text, "Samples:", at), r.figure(text, "Minimum:", at), r.figure(text, "Maximum:", at):
		return nil
	case strings.HasPrefix(text, "Comparison of "), strings.HasPrefix(text, "Started Run "), strings.HasPrefix(text, "[Std. Dev: "):
		return nil
	}
	if err := r.endBlock(); err != nil {
		return err
	}
	if r.test == nil && r.caption == "" && !strings.HasSuffix(text, ":") {
		return nil
	}
	switch {
	case strings.HasPrefix(line, "    ") && strings.HasSuffix(text, ":") && !isError(text):
		r.caption, r.runs = strings.TrimSuffix(text, ":"), nil
	case r.caption != "" && isRun(text):
		r.runs = append(r.runs, text)
	case r.test != nil && indented(line) && isError(text):
		if len(r.test.errors) == 0 {
			r.test.errorAt = at
		}
		const most = 20
		if n := len(r.test.errors); n < most && (n == 0 || !contains(r.test.errors, text)) {
			r.test.errors = append(r.test.errors, text)
		}
	}
	return nil
}

func contains(list []string, text string) bool {
	for _, s := range list {
		if s == text {
			return true
		}
	}
	return false
}

// isError reports whether a line says that a run failed.
func isError(text string) bool {
	return strings.HasPrefix(text, "E: ") || strings.HasPrefix(text, "The test quit with a non-zero exit status") ||
		strings.HasPrefix(text, "The test run did not produce a result") || strings.HasPrefix(text, "This test failed to run") ||
		strings.HasPrefix(text, "[PROBLEM]")
}

// blank ends a block of figures.
func (r *reader) blank() error {
	r.table.blank()
	return r.endBlock()
}

// average begins the result that an average tells.
func (r *reader) average(value, scale string, at int) error {
	if err := r.endBlock(); err != nil {
		return err
	}
	for {
		// Digits in groups: "1 234.5".
		group, rest, _ := strings.Cut(scale, " ")
		if len(group) < 3 || !isRun(group[:3]) || !isRun(group) {
			break
		}
		value, scale = value+" "+group, rest
	}
	t := &result.Test{Origin: r.f.Origin(at, "average"), Scale: strings.TrimSpace(scale)}
	if r.test != nil {
		r.test.results++
		t.Origin = r.f.Origin(r.test.at, "test")
		t.Profile = r.test.profile
		setHead(t, r.test.title)
		t.Arguments = r.test.arguments
	} else {
		t.HeadDecode = result.DecodeAmbiguous
		r.f.Warn(at, "test-unnamed", "an average of %s stands without the head of its test", value)
	}
	if r.caption != "" && r.caption != "Test Results" {
		t.Arguments = r.caption
	}
	t.Options = result.ParseOptions(t.Arguments)
	m := &result.Measurement{Value: value, Origin: r.f.Origin(at, "average")}
	// What has marks of a locale in it is made a number later.
	if !isNumber(value) && strings.Trim(value, "+-0123456789,. ") != "" {
		r.f.Warn(at, "not-a-number", "the average %q is no number", value)
	}
	if len(r.runs) > 0 {
		build.Runs(m, r.runs)
		if !agrees(value, r.runs) {
			m.Decode = result.DecodeInferred
			r.f.Warn(at, "mean-differs", "the average %s is not the mean of the %s above it", value, phrase.Count(len(r.runs), "run"))
		}
	}
	r.block, r.blockOf, r.blockAt = m, t, at
	r.runs, r.caption = nil, ""
	return nil
}

// figure takes a figure of the block that is open.
func (r *reader) figure(text, mark string, at int) bool {
	figure, ok := strings.CutPrefix(text, mark)
	if !ok || r.block == nil {
		return false
	}
	figure = strings.TrimSpace(figure)
	m := r.block
	switch mark {
	case "Deviation:":
		r.deviation(strings.TrimSuffix(figure, "%"), at)
	case "Samples:":
		n, err := strconv.Atoi(figure)
		if err != nil || n < 1 {
			r.f.Warn(at, "unknown-value", "%q is no number of samples", figure)
			return true
		}
		if len(m.RawValues) > 0 && n != len(m.RawValues) {
			r.f.Warn(at, "samples-differ", "%s %s printed, and %s above", phrase.Count(n, "sample"), phrase.Verb(n, "is", "are"), phrase.Count(len(m.RawValues), "run"))
			m.Decode = result.DecodeInferred
		}
		m.Samples = n
	case "Minimum:":
		m.Min = figure
	case "Maximum:":
		m.Max = figure
	}
	return true
}

// deviation notes the printed deviation, for the standard error of a block
// without runs.
func (r *reader) deviation(percent string, at int) {
	if _, ok := result.ParseNumber(percent); !ok {
		r.f.Warn(at, "unknown-value", "%q is no deviation", percent)
		return
	}
	r.block.Notes = append(r.block.Notes, "Deviation: "+percent+"%")
}

// deviationOf returns the deviation that a block printed.
func deviationOf(m *result.Measurement) (float64, bool) {
	for _, n := range m.Notes {
		if p, ok := strings.CutPrefix(n, "Deviation: "); ok {
			return result.ParseNumber(strings.TrimSuffix(p, "%"))
		}
	}
	return 0, false
}

// endBlock adds the result whose figures have ended.
func (r *reader) endBlock() error {
	if r.block == nil {
		return nil
	}
	m, t := r.block, r.blockOf
	r.block, r.blockOf = nil, nil
	if d, ok := deviationOf(m); ok && m.StdError == "" && m.Samples > 1 {
		if v, ok := m.Number(); ok {
			m.StdError = number.Significant(math.Abs(v)*d/100/math.Sqrt(float64(m.Samples)), 6)
			m.StdErrorDerived = true
		}
	}
	t.Measurements = []result.Measurement{*m}
	return r.f.AddTest(*t)
}

// endTest ends a test: one without any result but an error has failed.
func (r *reader) endTest() error {
	if err := r.endBlock(); err != nil || r.test == nil {
		return err
	}
	h := r.test
	r.test = nil
	if len(h.errors) > 0 && h.results > 0 {
		r.f.Warn(h.errorAt, "value-with-error", "a test has results and an error: %s", strings.Join(h.errors, " "))
	}
	if h.results > 0 {
		return nil
	}
	t := result.Test{
		Profile: h.profile, Arguments: h.arguments, Options: result.ParseOptions(h.arguments), Origin: r.f.Origin(h.at, "test"),
	}
	setHead(&t, h.title)
	if len(h.errors) > 0 {
		t.Measurements = []result.Measurement{{
			Status: result.StatusFailed, Reason: strings.Join(h.errors, " "), Origin: r.f.Origin(h.errorAt, "failed"),
		}}
	} else {
		r.f.Warn(h.profileAt, "no-result", "neither a result nor an error of %q is shown", t.Name())
	}
	return r.f.AddTest(t)
}

// setHead divides title and version. It is sure where the title is a known
// one and what follows looks like a version.
func setHead(t *result.Test, head string) {
	t.Title = head
	if known := vocab.TitlePrefix(head); known != "" {
		t.Title, t.Version = known, strings.TrimSpace(head[len(known):])
		if v := strings.TrimPrefix(t.Version, "v"); v != "" && (v[0] < '0' || v[0] > '9') {
			t.HeadDecode = result.DecodeInferred
		}
		return
	}
	t.HeadDecode = result.DecodeInferred
	if i := strings.LastIndexByte(head, ' '); i > 0 && i+1 < len(head) && head[i+1] >= '0' && head[i+1] <= '9' {
		t.Title, t.Version = strings.TrimSpace(head[:i]), head[i+1:]
	}
}

// finish hands over the session, if it ran a test.
func (r *reader) finish() error {
	if err := r.endTest(); err != nil {
		return err
	}
	if len(r.f.Tests) == 0 {
		return nil
	}
	if r.f.Description == "" {
		r.f.Description = r.current
	}
	if r.system.Identifier == "" {
		r.system.Identifier = r.doc.Name
		r.system.Decode = result.DecodeInferred
		r.f.At(r.system.Origin, result.SeverityInfo, "system-unnamed",
			"the capture does not say what the run is called; it is named after the input")
	}
	for i := range r.f.Tests {
		for k := range r.f.Tests[i].Measurements { // at most one
			m := &r.f.Tests[i].Measurements[k]
			m.Decode = max(m.Decode, r.system.Decode)
		}
	}
	if _, err := r.f.Describe(r.system); err != nil {
		return err
	}
	r.files++
	return r.emit(r.f.Finish())
}
