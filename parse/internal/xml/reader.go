package xml

import (
	"errors"
	"fmt"
	"io"

	"github.com/benchproof/benchproof/parse/internal/source"
	"github.com/benchproof/benchproof/parse/internal/xmlscan"
	"github.com/benchproof/benchproof/result"
)

// rootName is the root element of everything that PTS writes.
const rootName = "PhoronixTestSuite"

// sectionNames are the children of the root of a result file.
var sectionNames = []string{"Result", "Benchmark", "System", "Generated", "Suite"}

func isSection(name []byte) bool {
	switch string(name) {
	case "Result", "Benchmark", "System", "Generated", "Suite":
		return true
	}
	return false
}

// isOuter reports whether an element of the name can only stand outside of
// sections: one inside means that an end tag is missing.
func isOuter(name []byte) bool { return isSection(name) || string(name) == rootName }

// resyncTags are where reading can go on after a syntax error.
var resyncTags = []string{
	"<Result>", "<Benchmark>", "<System>", "<Generated>", "<Suite>", "</" + rootName + ">", "<" + rootName + ">",
}

// isContainer reports whether an element of the name holds elements, so that
// it never stands inside text.
func isContainer(name []byte) bool {
	switch string(name) {
	case "Entry", "Data", "Results", "Group":
		return true
	}
	return isOuter(name)
}

// reader reads the result files of one input.
type reader struct {
	s      *xmlscan.Scanner
	input  *input
	name   string
	limits source.Limits
	h      Handler
	stop   error // what h returned

	comments comments
	before   result.Origin // text before the first file
	files    int

	file  fileState
	test  testState
	entry entryState
	sys   systemState

	text arena
	hint int // entries of the test before

	reuse bool                 // the handler keeps no test
	spare []result.Measurement // memory for the next one
}

// run reads all of the input.
func (r *reader) run() error {
	for {
		kind, err := r.s.Next()
		switch {
		case err == io.EOF:
			if err := r.finishFile(); err != nil {
				return err
			}
			if r.files == 0 {
				return r.syntaxError(result.Origin{Line: 1, Column: 1}, "no element", "the element "+rootName)
			}
			return nil
		case err != nil:
			if err := r.recover(err); err != nil {
				return err
			}
			continue
		}
		switch kind {
		case xmlscan.Comment:
			if r.inFile() {
				r.file.comments.add(r.s.Bytes())
			} else {
				r.comments.add(r.s.Bytes())
			}
		case xmlscan.Text:
			r.stray()
		case xmlscan.End:
			r.file.base, r.file.closed = 0, true
		case xmlscan.Start:
			if err := r.start(string(r.s.Name())); err != nil {
				return err
			}
		}
	}
}

// inFile reports whether the root of a result file is open.
func (r *reader) inFile() bool { return r.file.f != nil && !r.file.closed }

// start reads the element that begins between sections or files.
func (r *reader) start(name string) error {
	switch {
	case name == rootName:
		if r.inFile() && r.file.base == 1 {
			r.file.diags.add(result.SeverityError, r.s.Origin(""), "malformed",
				"a second "+rootName+" begins before the first one ends")
			r.s.CloseTo(0)
		}
		if err := r.finishFile(); err != nil {
			return err
		}
		r.begin(1)
		return nil
	case r.inFile():
	case isSection(r.s.Name()):
		if err := r.finishFile(); err != nil {
			return err
		}
		r.begin(0)
	default:
		at := r.s.Origin("")
		if err := r.finishFile(); err != nil {
			return err
		}
		return r.syntaxError(at, "the element <"+clip(name)+">", "the element "+rootName)
	}
	if err := r.section(name); err != nil {
		return r.recover(err)
	}
	return nil
}

// section reads one section.
func (r *reader) section(name string) error {
	r.attributes()
	switch name {
	case "Generated", "Suite":
		return r.generated(name)
	case "System":
		return r.system()
	case "Result", "Benchmark":
		return r.result()
	}
	return r.other(name)
}

// other passes over an element that no result file has. It may show what the
// file is instead.
func (r *reader) other(name string) error {
	if r.file.foreign == "" {
		r.file.foreign, r.file.foreignAt = name, r.s.Origin("")
	}
	r.file.diags.once(name, result.SeverityInfo, r.s.Origin(""), "unknown-element",
		"the element <%s> is none of a result file, passed over", name)
	for depth := r.s.Depth(); r.s.Depth() >= depth; {
		kind, err := r.s.Next()
		if err != nil {
			return err
		}
		if kind == xmlscan.Start && isOuter(r.s.Name()) {
			r.outer()
			return nil
		}
	}
	return nil
}

// recover looks at an error of the scanner. After a syntax error inside a
// file it keeps what is whole, says what is lost and goes on where the next
// section begins. Every other error it returns.
func (r *reader) recover(err error) error {
	if err == io.EOF {
		return r.salvage() // an error before was of the kind to end all
	}
	if !r.isSyntax(err) || r.file.f == nil {
		return err
	}
	r.reportSyntax(err, "the next section")
	if err := r.salvage(); err != nil {
		return err
	}
	r.s.Resync(r.file.base, resyncTags...)
	return nil
}

// isSyntax reports whether err is a syntax error of the input, and not one
// that the handler returned.
func (r *reader) isSyntax(err error) bool {
	var syntax *source.SyntaxError
	return r.stop == nil && errors.As(err, &syntax)
}

// reportSyntax adds the diagnostic for a syntax error, but for one at the
// place of the one before: that place was tried again in vain.
func (r *reader) reportSyntax(err error, next string) {
	var syntax *source.SyntaxError
	if !errors.As(err, &syntax) || syntax.Origin == r.file.lastSyntax {
		return
	}
	r.file.lastSyntax = syntax.Origin
	if r.file.broken == nil {
		r.file.broken = syntax
	}
	if r.s.Truncated() {
		r.file.diags.add(result.SeverityError, syntax.Origin, "truncated",
			"the input ends too early, %s; what is whole before that is kept", words(r.place))
		return
	}
	r.file.diags.add(result.SeverityError, syntax.Origin, "malformed",
		"found %s, expected %s, %s; reading goes on at %s", syntax.Found, syntax.Expected, words(r.place), next)
}

// outer ends what is being read where an element begins that can only stand
// outside of it. That element comes next.
func (r *reader) outer() {
	if string(r.s.Name()) != rootName { // start reports that one
		r.unclosed()
	}
	r.s.CloseTo(r.file.base)
	r.s.Unread()
}

// unclosed reports an element that begins inside another, which cannot be.
func (r *reader) unclosed() {
	r.file.diags.add(result.SeverityError, r.s.Origin(""), "malformed",
		"<%s> begins %s, whose end tag is missing", r.s.Name(), words(r.place))
}

// place says in words what is being read.
func (r *reader) place() string {
	switch {
	case r.entry.open:
		return fmt.Sprintf("in the entry of %q in %s", clip(r.entry.identifier), &r.test)
	case r.test.open:
		return "in " + r.test.String()
	case r.sys.open:
		if r.sys.Identifier == "" {
			return "in a system without an identifier"
		}
		return fmt.Sprintf("in the system %q", clip(r.sys.Identifier))
	case r.file.section != "":
		return "in <" + r.file.section + ">"
	}
	return "between sections"
}

// salvage keeps what was whole of the sections that an error broke off.
func (r *reader) salvage() error {
	if r.entry.open {
		if err := r.salvageEntry(); err != nil {
			return err
		}
	}
	if r.test.open {
		r.test.open = false
		if len(r.test.Measurements) > 0 {
			if err := r.finishTest(); err != nil {
				return err
			}
		}
	}
	r.file.section = ""
	if r.sys.open {
		r.sys.open = false
		if r.sys.named {
			return r.finishSystem()
		}
	}
	return nil
}

func (r *reader) syntaxError(at result.Origin, found, expected string) error {
	at.Source = r.name
	return &source.SyntaxError{Origin: at, Found: found, Expected: expected}
}

// stray reports text where there should be none.
func (r *reader) stray() {
	if r.file.f == nil {
		if r.before.Line == 0 {
			r.before = r.s.Origin("")
		}
		return
	}
	r.file.diags.add(result.SeverityWarning, r.s.Origin(""), "stray-text",
		"text between elements is not read: %q", r.s.Bytes())
}
