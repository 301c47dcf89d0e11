package xml

import (
	"bufio"
	"strings"

	"github.com/benchproof/benchproof/export"
	"github.com/benchproof/benchproof/result"
)

// document writes one file. Errors of w are w's to keep.
type document struct {
	w     *bufio.Writer
	f     *result.File
	names []string // of the systems, as written
	twins []bool   // which systems have the name of another machine
	lost  *losses
}

func (d *document) write() {
	d.names = d.identifiers()
	d.w.WriteString("<?xml version=\"1.0\"?>\n<PhoronixTestSuite>\n")
	d.generated()
	for i := range d.f.Systems {
		d.system(i)
	}
	for i := range d.f.Tests {
		d.test(&d.f.Tests[i])
	}
	d.w.WriteString("</PhoronixTestSuite>\n")
}

const indent = "          "

func (d *document) open(depth int, name string) {
	d.w.WriteString(indent[:2*depth] + "<" + name + ">\n")
}

func (d *document) close(depth int, name string) {
	d.w.WriteString(indent[:2*depth] + "</" + name + ">\n")
}

// leaf writes an element of text.
func (d *document) leaf(depth int, name, text string, at result.Origin) {
	text, bad := clean(text)
	if bad {
		d.lost.add(lostCharacter, at)
	}
	d.w.WriteString(indent[:2*depth] + "<" + name + ">")
	d.w.WriteString(escape(text))
	d.w.WriteString("</" + name + ">\n")
}

// optional writes an element of text if there is any.
func (d *document) optional(depth int, name, text string, at result.Origin) {
	if text != "" {
		d.leaf(depth, name, text, at)
	}
}

func (d *document) generated() {
	f := d.f
	at := result.Origin{Source: f.Source}
	if f.TitleSplit != result.DecodeExact {
		d.lost.add(lostSplit, at)
	}
	if f.URL != "" || f.Identifier != "" {
		d.lost.add(lostAddress, at)
	}
	d.open(1, "Generated")
	d.leaf(2, "Title", f.Title, at)
	d.leaf(2, "LastModified", f.LastModified, at)
	d.leaf(2, "TestClient", f.Generator, at)
	d.leaf(2, "Description", f.Description, at)
	d.optional(2, "Notes", f.Notes, at)
	d.optional(2, "InternalTags", f.InternalTags, at)
	d.optional(2, "ReferenceID", f.ReferenceID, at)
	d.optional(2, "PreSetEnvironmentVariables", f.Environment, at)
	d.close(1, "Generated")
}

func (d *document) system(i int) {
	s := &d.f.Systems[i]
	if len(s.InheritedKeys) > 0 {
		d.lost.add(lostInherit, s.Origin)
	}
	if s.Decode != result.DecodeExact {
		d.lost.add(lostSure, s.Origin)
	}
	d.open(1, "System")
	d.leaf(2, "Identifier", d.names[i], s.Origin)
	d.leaf(2, "Hardware", result.ComponentText(s.Hardware), s.Origin)
	d.leaf(2, "Software", result.ComponentText(s.Software), s.Origin)
	d.leaf(2, "User", s.User, s.Origin)
	d.leaf(2, "TimeStamp", s.Timestamp, s.Origin)
	d.leaf(2, "TestClientVersion", s.ClientVersion, s.Origin)
	d.leaf(2, "Notes", s.NotesText, s.Origin)
	d.optional(2, "JSON", systemDetails(d.f, s), s.Origin)
	for _, n := range s.Notes {
		if n.Key == costNote {
			d.leaf(2, costNote, n.Value, s.Origin)
		}
	}
	d.close(1, "System")
}

// costNote is the note that is an element of its own.
const costNote = "CostValueForComparison"

func (d *document) test(t *result.Test) {
	if t.HeadDecode != result.DecodeExact {
		d.lost.add(lostSure, t.Origin)
	}
	for range t.Unassigned {
		d.lost.add(lostLoose, t.Origin)
	}
	if len(t.Footnotes) > 0 && d.f.Format != result.FormatXML {
		d.lost.add(lostFootnote, t.Origin)
	}
	d.open(1, "Result")
	d.leaf(2, "Identifier", t.Profile, t.Origin)
	d.leaf(2, "Title", t.Title, t.Origin)
	d.leaf(2, "AppVersion", t.Version, t.Origin)
	d.leaf(2, "Arguments", t.CommandArguments, t.Origin)
	d.leaf(2, "Description", t.Arguments, t.Origin)
	d.leaf(2, "Scale", t.Scale, t.Origin)
	d.leaf(2, "Proportion", string(t.Proportion), t.Origin)
	d.leaf(2, "DisplayFormat", d.displayFormat(t), t.Origin)
	d.optional(2, "Annotation", t.Annotation, t.Origin)
	d.optional(2, "Parent", t.Parent, t.Origin)
	d.open(2, "Data")
	d.entries(t)
	d.close(2, "Data")
	d.close(1, "Result")
}

// displayFormat returns how PTS is to draw a test. Where the source is another
// form and does not say, the values tell.
func (d *document) displayFormat(t *result.Test) string {
	if t.DisplayFormat != "" || d.f.Format == result.FormatXML {
		return t.DisplayFormat
	}
	format := "BAR_GRAPH"
	for i := range t.Measurements {
		switch value := export.Value(&t.Measurements[i]); {
		case strings.EqualFold(value, "PASS"), strings.EqualFold(value, "FAIL"):
			return "PASS_FAIL"
		case strings.Contains(value, ","):
			return "LINE_GRAPH"
		}
	}
	return format
}
