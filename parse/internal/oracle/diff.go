package oracle

import (
	"fmt"
	"strings"

	"github.com/benchproof/benchproof/result"
)

// Options say what [Diff] compares and how. The zero value compares all that
// the wanted record has.
type Options struct {
	// JoinTitle compares title and description joined by a space: forms
	// without a mark between them.
	JoinTitle bool
	// JoinHead compares a test's title and version joined by a space: no
	// form but XML and JSON marks where the version begins.
	JoinHead bool
	// CollapseSpace takes every run of white space as one space, and drops
	// it at either end, in all texts of both records.
	CollapseSpace bool

	// NumericValues is for a wanted record that was read from XML. A value
	// got must then be the printed rounding of the wanted one: as many
	// decimals as PTS prints for that test ([printedDecimals]), and the
	// wanted number within half a unit of its last place. A standard error
	// got must be that of the wanted raw values, as printed. Values that
	// are no numbers are compared as text. A failed entry, which XML alone
	// has, may be missing or failed, but must have no value.
	NumericValues bool
	// ZeroMayBeMissing lets measurements of exactly 0 be absent: a graph
	// prints no value for them.
	ZeroMayBeMissing bool

	// SkipTitle leaves out title and description.
	SkipTitle bool
	// SkipSource leaves out URL, published identifier and generator.
	SkipSource bool
	// SkipSystems leaves out the list of systems. Measurements are still
	// tied to systems by name.
	SkipSystems bool
	// SkipComponents leaves out the systems' hardware and software, and
	// which keys were inherited.
	SkipComponents bool
	// SkipInherited leaves out which keys were inherited.
	SkipInherited bool
	// SkipNotes leaves out the systems' notes.
	SkipNotes bool
	// SkipGroups leaves out the systems' group paths.
	SkipGroups bool
	// SkipSE leaves out standard errors, N and unassigned errors.
	SkipSE bool
	// SkipMissingSE lets a wanted standard error be absent: the graphs of a
	// result tracker print none. One that is there is compared.
	SkipMissingSE bool
	// SkipFootnotes leaves out the tests' footnotes.
	SkipFootnotes bool
	// SkipXMLFields leaves out what composite.xml alone has: profile,
	// command arguments, display format, parent, annotation, raw values,
	// run times, min and max, accounts and times, metadata.
	SkipXMLFields bool
	// SkipMissingTests lets wanted tests be absent. Those there must still
	// stand in order. Use it for pages, which leave out tests without any
	// value, and for inputs cut short.
	SkipMissingTests bool
	// SkipMissing lets wanted measurements be absent, for readers that say
	// so in a diagnostic.
	SkipMissing bool
	// SkipAmbiguous counts ambiguous measurements in Tally and does not
	// compare them. A test that holds one may lack further measurements,
	// since the name of an ambiguous one may be another's; a system whose
	// name is not exact is not compared.
	SkipAmbiguous bool
	// Order compares the order of the measurements of a test too.
	Order bool

	// Tally, if set, counts the wanted measurements by what became of them.
	Tally *Tally
}

// Tally counts measurements. Every wanted measurement with a value is
// counted once in the first six fields.
type Tally struct {
	Exact         int // read, right, said to be exact
	Inferred      int // read, right, said to be inferred
	Ambiguous     int // said to be ambiguous
	WrongExact    int // wrong and said to be exact: the worst defect
	WrongInferred int // wrong and said to be inferred
	Missing       int // not read

	// AmbiguousWithout counts those of Ambiguous whose alternatives do not
	// hold the wanted value.
	AmbiguousWithout int
	// Unwanted counts measurements with a value that the wanted record has
	// none for.
	Unwanted int
	// MissingTests counts wanted tests that were not read; their
	// measurements are in Missing.
	MissingTests int
}

// Add adds another tally.
func (t *Tally) Add(o Tally) {
	t.Exact += o.Exact
	t.Inferred += o.Inferred
	t.Ambiguous += o.Ambiguous
	t.WrongExact += o.WrongExact
	t.WrongInferred += o.WrongInferred
	t.Missing += o.Missing
	t.AmbiguousWithout += o.AmbiguousWithout
	t.Unwanted += o.Unwanted
	t.MissingTests += o.MissingTests
}

// Total returns the number of wanted measurements counted.
func (t Tally) Total() int {
	return t.Exact + t.Inferred + t.Ambiguous + t.WrongExact + t.WrongInferred + t.Missing
}

// String returns the counts in one line.
func (t Tally) String() string {
	return fmt.Sprintf("%d values: %d exact, %d inferred, %d ambiguous (%d without the truth), %d missing, wrong: %d exact, %d inferred; %d unwanted, %d tests missing",
		t.Total(), t.Exact, t.Inferred, t.Ambiguous, t.AmbiguousWithout, t.Missing, t.WrongExact, t.WrongInferred, t.Unwanted, t.MissingTests)
}

// Diff returns what got has otherwise than want, one line a difference, each
// naming its place; nil where they agree. What want leaves empty although
// its form could not know it (a page's notes in XML, the raw values of a
// text) is not compared; a value, a unit, an option that want has not is.
//
// Measurements are paired by their system's name and, for duplicated names,
// by their order; tests by their place, or, where their numbers differ, by
// their head in order.
func Diff(got, want *result.File, o Options) []string {
	if o.Tally == nil {
		o.Tally = new(Tally)
	}
	d := &differ{Options: o, got: got, want: want}
	if got == nil || want == nil {
		d.add("file: got %v, want %v", got, want)
		return d.lines
	}
	d.file()
	d.systems()
	d.tests()
	return d.lines
}

type differ struct {
	Options
	got, want *result.File
	lines     []string
}

func (d *differ) add(format string, args ...any) {
	d.lines = append(d.lines, fmt.Sprintf(format, args...))
}

// text compares two texts.
func (d *differ) text(what, got, want string) {
	if d.norm(got) != d.norm(want) {
		d.add("%s: got %q, want %q", what, got, want)
	}
}

// known compares two texts where want is known.
func (d *differ) known(what, got, want string) {
	if want != "" {
		d.text(what, got, want)
	}
}

func (d *differ) norm(s string) string {
	if d.CollapseSpace {
		return strings.Join(strings.Fields(s), " ")
	}
	return s
}

func (d *differ) file() {
	got, want := d.got, d.want
	switch {
	case d.SkipTitle:
	case d.JoinTitle:
		whole := join(want.Title, want.Description)
		d.text("title and description", join(got.Title, got.Description), whole)
		d.known("undivided title", whole, got.TitleDescription)
	default:
		d.text("title", got.Title, want.Title)
		d.text("description", got.Description, want.Description)
	}
	if !d.SkipSource {
		d.known("URL", got.URL, want.URL)
		d.known("identifier", got.Identifier, want.Identifier)
		d.known("generator", got.Generator, want.Generator)
	}
	if !d.SkipXMLFields {
		d.known("last modified", got.LastModified, want.LastModified)
		d.known("file notes", got.Notes, want.Notes)
		d.known("internal tags", got.InternalTags, want.InternalTags)
		d.known("reference", got.ReferenceID, want.ReferenceID)
		d.known("environment", got.Environment, want.Environment)
	}
}

// join joins the parts that are not empty by spaces.
func join(parts ...string) string {
	kept := parts[:0:0]
	for _, p := range parts {
		if p != "" {
			kept = append(kept, p)
		}
	}
	return strings.Join(kept, " ")
}

func (d *differ) systems() {
	if d.SkipSystems {
		return
	}
	if len(d.got.Systems) != len(d.want.Systems) {
		d.add("systems: got %d %q, want %d %q", len(d.got.Systems), d.got.SystemNames(), len(d.want.Systems), d.want.SystemNames())
		return
	}
	for i := range d.want.Systems {
		got, want := &d.got.Systems[i], &d.want.Systems[i]
		if d.SkipAmbiguous && got.Decode != result.DecodeExact {
			continue
		}
		at := fmt.Sprintf("system %d %q", i+1, want.Identifier)
		d.text(at+": identifier", got.Identifier, want.Identifier)
		// The truth of text forms says nothing of groups.
		if !d.SkipGroups && (want.GroupPath != nil || d.want.Format != result.FormatTextCollapsed) {
			d.list(at+": groups", got.GroupPath, want.GroupPath)
		}
		if !d.SkipComponents {
			d.components(at+": hardware", got.Hardware, want.Hardware)
			d.components(at+": software", got.Software, want.Software)
			if !d.SkipInherited && !d.NumericValues {
				d.list(at+": inherited keys", got.InheritedKeys, want.InheritedKeys)
			}
		}
		if !d.SkipNotes && !d.NumericValues {
			d.components(at+": notes", got.Notes, want.Notes)
		}
		if !d.SkipXMLFields {
			d.known(at+": user", got.User, want.User)
			d.known(at+": time", got.Timestamp, want.Timestamp)
			d.known(at+": client", got.ClientVersion, want.ClientVersion)
			d.known(at+": notes text", got.NotesText, want.NotesText)
			d.known(at+": details", string(got.Details), string(want.Details))
		}
	}
}

func (d *differ) components(what string, got, want []result.Component) {
	for i := 0; i < len(got) || i < len(want); i++ {
		switch {
		case i >= len(got):
			d.add("%s: lacks %q: %q", what, want[i].Key, want[i].Value)
		case i >= len(want):
			d.add("%s: unwanted %q: %q", what, got[i].Key, got[i].Value)
		default:
			d.text(what+": key", got[i].Key, want[i].Key)
			d.text(what+": "+want[i].Key, got[i].Value, want[i].Value)
		}
	}
}

func (d *differ) list(what string, got, want []string) {
	same := len(got) == len(want)
	for i := 0; same && i < len(got); i++ {
		same = d.norm(got[i]) == d.norm(want[i])
	}
	if !same {
		d.add("%s: got %q, want %q", what, got, want)
	}
}
