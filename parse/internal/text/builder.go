package text

import (
	"fmt"
	"math"
	"strings"

	"github.com/benchproof/benchproof/parse/internal/source"
	"github.com/benchproof/benchproof/result"
)

// rowKind says how a row prints its value.
type rowKind uint8

const (
	barRow   rowKind = iota // a number and a bar
	lineRow                 // minimum, average and maximum of a series
	wordRow                 // PASS or FAIL
	blankRow                // nothing: the run gave no number
)

// row is one printed row of a test.
type row struct {
	kind             rowKind
	system           string
	systemAt         int
	leader           int // bytes of the identifier and of its dots
	value            string
	start, end       int // of the value
	minimum, maximum string
	bar              int // length of the bar
	column           int // of its mark, behind the value's first byte
	decode           result.Decode
}

// cell is what the checks of a file need of a row once it is a measurement.
type cell struct {
	value  float64 // NaN if it is no number
	bar    int32   // -1 if it has none
	leader int32
	length int32 // of the value
	column int32 // of the bar's mark behind it, 0 if it does not count
}

// block is what they need of a test.
type block struct {
	first, n int // its cells
	leader   int // that of most of its rows
	width    int // bytes of its longest value
	format   string
}

// builder makes the record of one dump.
type builder struct {
	v    *view
	lim  source.Limits
	file *result.File
	err  error // a limit was broken

	names  map[string]*name
	serial []int // by system, the number of the last test it has a row in
	next   int   // the system that the next row likely belongs to

	open   bool // there is a test to add rows to
	ms     []result.Measurement
	cells  []cell
	blocks []block
	counts map[string]int // diagnostics by code
	codes  []string       // the codes in order
	length map[int][]int  // systems by the length of their identifier
	// ended is set where the input ends with the last test: what its last
	// rows lack may have been cut off.
	ended bool
	// headless is set where the dump has no systems: its rows name them.
	headless bool
	// doubtful is set where a row of the open test may be another test's.
	doubtful bool
	repeated []entry // what has several rows in a test
}

// name is what is known of an identifier.
type name struct {
	systems []int // those that have it
	serial  int   // the test that used is of
	used    int   // how many of them have a row in that test
}

// systemRule is the rule of systems whose identifier has a line of its own.
const systemRule = "text/system"

func newBuilder(v *view, format result.Format) *builder {
	lim, def := v.doc.Limits, source.DefaultLimits()
	if lim.Systems == 0 {
		lim.Systems = def.Systems
	}
	if lim.Tests == 0 {
		lim.Tests = def.Tests
	}
	return &builder{
		v:      v,
		lim:    lim,
		file:   &result.File{Source: v.doc.Name, Format: format},
		names:  make(map[string]*name),
		counts: make(map[string]int),
		length: make(map[int][]int),
	}
}

// shown is how many diagnostics of one code a file gets; the rest is counted.
const shown = 100

// diag adds a diagnostic at an offset.
func (b *builder) diag(severity result.Severity, at int, code, format string, args ...any) {
	b.diagAt(severity, b.v.origin(at, ""), code, format, args...)
}

func (b *builder) diagAt(severity result.Severity, origin result.Origin, code, format string, args ...any) {
	if b.counts[code]++; b.counts[code] == 1 {
		b.codes = append(b.codes, code)
	}
	if b.counts[code] > shown {
		return
	}
	origin.Rule = ""
	b.file.Diagnostics = append(b.file.Diagnostics, result.Diagnostic{
		Severity: severity, Origin: origin, Code: code, Message: fmt.Sprintf(format, args...),
	})
}

func (b *builder) limit(what string, limit int, flag string, at int) {
	if b.err == nil {
		b.err = &source.LimitError{Source: b.v.doc.Name, Origin: b.v.origin(at, ""), What: what, Limit: int64(limit), Flag: flag}
	}
}

// addSystem adds a system and returns its index.
func (b *builder) addSystem(identifier string, at int, rule string, decode result.Decode) int {
	if len(b.file.Systems) >= b.lim.Systems {
		b.limit("number of systems", b.lim.Systems, "--max-systems", at)
		return len(b.file.Systems) - 1
	}
	i := b.file.AddSystem(identifier)
	b.file.Systems[i].Origin = b.v.origin(at, rule)
	b.file.Systems[i].Decode = decode
	b.serial = append(b.serial, -1)
	n := b.names[identifier]
	if n == nil {
		n = &name{serial: -1}
		b.names[identifier] = n
	}
	n.systems = append(n.systems, i)
	b.length[len(identifier)] = append(b.length[len(identifier)], i)
	if len(n.systems) == 2 {
		b.diag(result.SeverityWarning, at, "duplicate-system", "several systems are named %q; rows of that name go to them in order", identifier)
	}
	return i
}

// startTest begins a test. The one before must have ended.
func (b *builder) startTest(h head) {
	b.endTest()
	if len(b.file.Tests) >= b.lim.Tests {
		b.limit("number of tests", b.lim.Tests, "--max-tests", h.at)
		return
	}
	b.open, b.next = true, 0
	// Nobody knows which test's rows they are.
	b.doubtful = h.title == ""
	rule := "text/head"
	if b.file.Format == result.FormatTextCollapsed {
		rule = "text/collapsed-head"
	}
	b.file.Tests = append(b.file.Tests, result.Test{
		Title:      h.title,
		Version:    h.version,
		HeadDecode: h.decode,
		Arguments:  h.args,
		Options:    result.ParseOptions(h.args),
		Scale:      h.scale,
		Proportion: h.proportion,
		Origin:     b.v.origin(h.at, rule),
	})
	// Tests of one file mostly have the same systems.
	n := 0
	if len(b.blocks) > 0 {
		n = b.blocks[len(b.blocks)-1].n
	}
	b.ms = make([]result.Measurement, 0, n)
	b.blocks = append(b.blocks, block{first: len(b.cells)})
}

// systemFor returns the index of the system that a row of the open test
// belongs to, and whether its name alone says so.
func (b *builder) systemFor(r *row) (index int, sure bool) {
	test := len(b.file.Tests) - 1
	if i := b.next; i < len(b.file.Systems) && b.file.Systems[i].Identifier == r.system && b.serial[i] != test && len(b.names[r.system].systems) == 1 {
		b.next++
		b.serial[i] = test
		return i, true
	}
	n := b.names[r.system]
	if n == nil {
		if !b.headless {
			b.diag(result.SeverityWarning, r.systemAt, "unknown-system", "the row's identifier %q is none of the systems'", r.system)
		}
		decode := r.decode
		if !b.headless {
			decode = result.DecodeInferred // it may be damaged
			b.doubt()
		}
		i := b.addSystem(r.system, r.systemAt, "text/row-identifier", decode)
		b.serial[i] = test
		b.next = i + 1
		return i, true
	}
	if n.serial != test {
		n.serial, n.used = test, 0
	}
	for n.used < len(n.systems) && b.serial[n.systems[n.used]] == test {
		n.used++
	}
	i := n.systems[0]
	if n.used < len(n.systems) {
		i = n.systems[n.used]
	} else {
		b.repeated = append(b.repeated, entry{test, i})
		b.doubt()
	}
	b.serial[i] = test
	b.next = i + 1
	return i, len(n.systems) == 1
}

// addRow adds a row to the open test.
func (b *builder) addRow(r *row) {
	if !b.open || b.err != nil {
		return
	}
	if !b.rename(r) {
		b.doubt()
		return
	}
	last := &b.blocks[len(b.blocks)-1]
	if format := displayFormats[r.kind]; last.format == "" {
		last.format = format
	} else if format != "" && format != last.format {
		b.mixed(r, last.format)
	}
	system, sure := b.systemFor(r)
	c := cell{value: math.NaN(), bar: -1, leader: small(r.leader), length: small(len(r.value)), column: small(r.column)}
	m := result.Measurement{System: system, Value: r.value, Decode: r.decode}
	s := &b.file.Systems[system]
	if s.Origin.Rule == systemRule && r.decode == result.DecodeExact {
		s.Decode = result.DecodeExact // the row says the same name
	}
	m.Decode = max(m.Decode, s.Decode)
	if !sure || b.doubtful {
		m.Decode = max(m.Decode, result.DecodeInferred)
	}
	switch r.kind {
	case barRow:
		c.bar = small(r.bar)
		if v, ok := m.Number(); ok {
			c.value = v
		}
	case lineRow:
		m.Min, m.Max = r.minimum, r.maximum
	case blankRow:
		m.Status = result.StatusFailed
	}
	m.Origin = b.v.origin(r.start, rules[r.kind])
	if b.v.broken(r.start, r.end) {
		// The number's parts are joined over a line break that a terminal
		// is thought to have put in.
		m.Origin.Rule += "-rejoined"
		m.Decode = max(m.Decode, result.DecodeInferred)
	}
	b.ms = append(b.ms, m)
	b.cells = append(b.cells, c)
	last.n++
	last.width = max(last.width, len(r.value))
}

// small keeps a length within 32 bits: no line is longer.
func small(n int) int32 { return int32(min(n, math.MaxInt32)) }

var rules = [...]string{
	barRow:   "text/bar-row",
	lineRow:  "text/line-row",
	wordRow:  "text/word-row",
	blankRow: "text/blank-row",
}

// displayFormats are what PTS shows as such rows.
var displayFormats = [...]string{barRow: "BAR_GRAPH", lineRow: "LINE_GRAPH", wordRow: "PASS_FAIL", blankRow: ""}

// endTest closes the open test, if any.
func (b *builder) endTest() {
	if !b.open {
		return
	}
	b.open = false
	t := &b.file.Tests[len(b.file.Tests)-1]
	t.Measurements = b.ms
	b.ms = nil
	t.DisplayFormat = b.blocks[len(b.blocks)-1].format
	b.checkLeaders(t)
	b.checkNumbers(t)
	b.checkForms(t)
}

// endsBehindHead says that the input ends right behind the head of a test. A
// test without rows is one where every run failed: it ends with an empty line.
func (b *builder) endsBehindHead() {
	if !b.open || len(b.ms) > 0 || b.doubtful {
		return
	}
	text := b.v.text
	if strings.Count(text[len(strings.TrimRight(text, " \t\r\n")):], "\n") > 1 {
		return
	}
	t := &b.file.Tests[len(b.file.Tests)-1]
	b.diagAt(result.SeverityWarning, t.Origin, "truncated", "the text ends behind the head of %q: its rows are missing", clip(t.Title))
}

// finish closes the dump and returns its record.
func (b *builder) finish() *result.File {
	b.endTest()
	b.checkColumns()
	b.checkBars()
	b.settleEntries()
	for _, code := range b.codes {
		if n := b.counts[code] - shown; n > 0 {
			b.file.Diagnostics = append(b.file.Diagnostics, result.Diagnostic{
				Severity: result.SeverityWarning, Origin: b.v.origin(0, ""), Code: code,
				Message: fmt.Sprintf("%d more of these are not listed", n),
			})
		}
	}
	result.SetGroups(b.file.Systems)
	return b.file
}
