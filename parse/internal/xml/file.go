package xml

import (
	"strings"

	"github.com/benchproof/benchproof/parse/internal/source"
	"github.com/benchproof/benchproof/result"
)

// fileState is what is known of the result file that is being read.
type fileState struct {
	f       *result.File // nil between files
	base    int          // how many elements are open around its sections
	closed  bool         // its root has ended
	head    bool         // a Generated or Suite was read
	section string       // the Generated or Suite that is being read
	given   bool         // the handler has it
	held    []*result.Test
	tests   int

	comments comments
	systems  systems
	diags    diagnostics
	broken   *source.SyntaxError // the first

	lastSyntax result.Origin // of the last
	foreign    string        // a child of the root that no result file has
	foreignAt  result.Origin
	begin      result.Origin
}

// begin starts a result file whose sections stand inside base elements.
func (r *reader) begin(base int) {
	r.file = fileState{
		f:     &result.File{Source: r.name, Format: result.FormatXML},
		base:  base,
		begin: r.s.Origin(""),

		comments: r.comments,
	}
	r.comments = comments{}
	if r.before.Line > 0 {
		r.file.diags.add(result.SeverityInfo, r.before, "stray-text", "text before the first element is not read")
		r.before = result.Origin{}
	}
	switch {
	case r.input.unknown != "":
		r.file.diags.add(result.SeverityWarning, r.file.begin, "unknown-encoding",
			"the declared encoding %q is not known, read as UTF-8", r.input.unknown)
	case r.input.encoding != "":
		r.file.diags.add(result.SeverityInfo, r.file.begin, "transcoded",
			"read from %s; positions are those of the text as UTF-8", r.input.encoding)
	}
}

// give hands the head of the file to the handler, if it does not have it yet.
func (r *reader) give() error {
	if r.file.given {
		return nil
	}
	r.file.given = true
	r.file.comments.fill(r.file.f)
	result.SetGroups(r.file.f.Systems)
	return r.handled(r.h.File(r.file.f))
}

// handled keeps an error of the handler, so that it is not taken for one of
// the input.
func (r *reader) handled(err error) error {
	if err != nil {
		r.stop = err
	}
	return err
}

// finishFile ends the current result file, if there is one. It returns an
// error if it was none.
func (r *reader) finishFile() error {
	f := r.file.f
	if f == nil {
		return nil
	}
	r.takeNotes()
	if !r.file.head && len(f.Systems) == 0 && r.file.tests == 0 {
		err := r.noResult()
		r.file = fileState{}
		return err
	}
	r.files++
	r.file.systems.report(f, &r.file.diags)
	if err := r.give(); err != nil {
		return err
	}
	r.file.systems.decode(f, r.file.held)
	for _, t := range r.file.held {
		if err := r.handled(r.h.Test(t)); err != nil {
			return err
		}
	}
	result.SetGroups(f.Systems)
	f.Diagnostics = r.file.diags.list()
	r.file = fileState{}
	return r.handled(r.h.End(f))
}

// noResult returns the error for a file with PTS's root but no result.
func (r *reader) noResult() error {
	if err := r.file.broken; err != nil {
		return err
	}
	const expected = "a result file (Generated, System, Result)"
	if r.file.foreign == "" {
		return r.syntaxError(r.file.begin, "an empty "+rootName, expected)
	}
	found := "the element <" + clip(r.file.foreign) + ">"
	if what := definitions[r.file.foreign]; what != "" {
		found = what + " (" + found + ")"
	}
	return r.syntaxError(r.file.foreignAt, found, expected)
}

// definitions are the other files with PTS's root, by their sections.
var definitions = map[string]string{
	"TestInformation":      "the definition of a test profile",
	"TestProfile":          "the definition of a test profile",
	"TestSettings":         "the definition of a test profile",
	"SuiteInformation":     "the definition of a test suite",
	"Execute":              "the definition of a test suite",
	"ResultsParser":        "the results definition of a test profile",
	"SystemMonitor":        "the results definition of a test profile",
	"ExtraData":            "the results definition of a test profile",
	"ImageParser":          "the results definition of a test profile",
	"Downloads":            "the downloads of a test profile",
	"ExternalDependencies": "a list of external dependencies",
	"TestInstallation":     "the state of an installed test",
	"TestExecution":        "the state of an installed test",
	"Options":              "a configuration",
	"Graphs":               "a configuration",
}

// generated reads Generated, or Suite of PTS 0.1 to 2.6.
func (r *reader) generated(section string) error {
	f := r.file.f
	r.file.head, r.file.section = true, section
	err := r.children(r.s.Depth(), func(name []byte) error {
		switch string(name) {
		case "Title":
			return r.set(&f.Title)
		case "Description":
			return r.set(&f.Description)
		case "LastModified", "TimeStamp":
			return r.set(&f.LastModified)
		case "TestClient":
			return r.set(&f.Generator)
		case "Notes":
			return r.set(&f.Notes)
		case "InternalTags":
			return r.set(&f.InternalTags)
		case "ReferenceID":
			return r.set(&f.ReferenceID)
		case "PreSetEnvironmentVariables":
			return r.set(&f.Environment)
		case "Version":
			// Of Suite it is the version of the suite.
			if section == "Generated" {
				return r.set(&f.Generator)
			}
		}
		return r.unkept(section)
	})
	if err == nil {
		r.file.section = ""
	}
	return err
}

// comments are what PTS writes about a file in comments before its root.
type comments struct {
	client    string
	generated string
}

func (c *comments) add(comment []byte) {
	text := strings.TrimSpace(string(comment[:min(len(comment), 200)]))
	if strings.HasPrefix(text, "Phoronix Test Suite") {
		c.client = text
	}
	if date, ok := strings.CutPrefix(text, "Generated: "); ok {
		c.generated = date
	}
}

// fill fills in from comments what no element says.
func (c *comments) fill(f *result.File) {
	if f.Generator == "" {
		f.Generator = c.client
	}
	if f.LastModified == "" {
		f.LastModified = c.generated
	}
}
