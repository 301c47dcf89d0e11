package xml

import (
	"fmt"
	"strings"

	"github.com/benchproof/benchproof/parse/internal/source"
	"github.com/benchproof/benchproof/result"
)

// testState is the Result or Benchmark that is being read.
type testState struct {
	result.Test
	open           bool
	number         int // of the test in the file, from 1
	proportion     string
	profileVersion string // apart from the profile, in some old files

	footnotes map[string]bool // those of Test.Footnotes, once they are many
	compiler  []byte          // compiler-options of the entry before
}

// Where reading can go on after an error inside an entry, and elsewhere in a
// result.
var (
	entryTags  = append([]string{"<Entry>", "</Data>", "</Group>"}, resultTags...)
	resultTags = append([]string{"<Data>", "<Results>", "</Result>", "</Benchmark>"}, resyncTags...)
)

// result reads a Result, or Benchmark of PTS 0.1 to 2.6.
func (r *reader) result() error {
	if r.file.tests >= r.limits.Tests {
		r.stop = &source.LimitError{
			Source: r.name, Origin: r.s.Origin(""), What: "number of tests",
			Limit: int64(r.limits.Tests), Flag: source.FlagTests,
		}
		return r.stop
	}
	r.test = testState{
		Test:   result.Test{Origin: r.s.Origin("xml/result"), Measurements: r.room()},
		open:   true,
		number: r.file.tests + 1,
	}
	t := &r.test
	section, depth := string(r.s.Name()), r.s.Depth()
	read := func(name []byte) error {
		switch string(name) {
		case "Entry":
			return r.entries()
		case "Data", "Results", "Group":
			return nil // what is inside comes next
		case "Identifier", "TestName":
			return r.set(&t.Profile)
		case "ProfileVersion":
			return r.set(&t.profileVersion)
		case "Title", "Name":
			return r.set(&t.Title)
		case "AppVersion", "Version":
			return r.set(&t.Version)
		case "Arguments", "TestArguments":
			return r.set(&t.CommandArguments)
		case "Description", "Attributes":
			return r.set(&t.Arguments)
		case "Scale":
			return r.set(&t.Scale)
		case "Proportion":
			return r.set(&t.proportion)
		case "DisplayFormat", "ResultFormat":
			return r.set(&t.DisplayFormat)
		case "Annotation":
			return r.set(&t.Annotation)
		case "Parent":
			return r.set(&t.Parent)
		}
		return r.unkept(section)
	}
	for {
		err := r.children(depth, read)
		if err == nil {
			return r.finishTest()
		}
		if r.s.Truncated() || !r.isSyntax(err) {
			return err
		}
		// An error in the head costs no entry, but a part of the head.
		t.HeadDecode = result.DecodeInferred
		r.reportSyntax(err, "the next part of the result")
		r.s.Resync(depth, resultTags...)
	}
}

// entries reads an Entry. An error in it costs no more than that entry: those
// that follow are read.
func (r *reader) entries() error {
	depth := r.s.Depth() - 1
	err := r.readEntry()
	if err == nil || r.s.Truncated() || !r.isSyntax(err) {
		return err
	}
	r.reportSyntax(err, "the next entry")
	if err := r.salvageEntry(); err != nil {
		return err
	}
	r.s.Resync(depth, entryTags...)
	return nil
}

// finishTest hands over the test that was read.
func (r *reader) finishTest() error {
	t := &r.test
	t.open = false
	if t.profileVersion != "" && t.Profile != "" && !strings.HasSuffix(t.Profile, "-"+t.profileVersion) {
		t.Profile += "-" + t.profileVersion
	}
	switch t.proportion {
	case "HIB", "LIB":
		t.Proportion = result.Proportion(t.proportion)
	case "":
	default:
		r.file.diags.once(t.proportion, result.SeverityInfo, t.Origin, "unknown-proportion",
			"proportion %q says of no value which is better", t.proportion)
	}
	t.Options = result.ParseOptions(t.Arguments)
	r.hint = len(t.Measurements)
	r.file.tests++

	handed := t.Test
	if !r.file.head || r.file.systems.described == 0 || len(r.file.held) > 0 {
		r.file.held = append(r.file.held, &handed)
		return nil
	}
	if err := r.give(); err != nil {
		return err
	}
	if err := r.handled(r.h.Test(&handed)); err != nil {
		return err
	}
	if r.reuse {
		r.spare = handed.Measurements
		r.text.rewind()
	}
	return nil
}

// room returns room for the measurements of a test.
func (r *reader) room() []result.Measurement {
	if room := r.spare; room != nil {
		r.spare = nil
		clear(room)
		return room[:0]
	}
	return make([]result.Measurement, 0, r.hint)
}

// String names the test in a message.
func (t *testState) String() string {
	name := t.Name()
	if t.Scale != "" {
		name += " (" + t.Scale + ")"
	}
	return fmt.Sprintf("the result %q", clip(name))
}
