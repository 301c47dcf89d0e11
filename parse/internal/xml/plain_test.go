package xml

import (
	"bytes"
	stdxml "encoding/xml"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/benchproof/benchproof/parse/internal/source"
	"github.com/benchproof/benchproof/result"
)

// node is an element as encoding/xml alone reads it.
type node struct {
	XMLName  stdxml.Name
	Text     string `xml:",chardata"`
	Children []node `xml:",any"`
}

// all returns the elements of the name below n, at any depth.
func (n *node) all(name string) []*node {
	var list []*node
	for i := range n.Children {
		c := &n.Children[i]
		if c.XMLName.Local == name {
			list = append(list, c)
		} else {
			list = append(list, c.all(name)...)
		}
	}
	return list
}

// get returns the text of the first child with one of the names.
func (n *node) get(names ...string) string {
	for _, name := range names {
		for i := range n.Children {
			if n.Children[i].XMLName.Local == name {
				return strings.Trim(n.Children[i].Text, " \t\r\n")
			}
		}
	}
	return ""
}

// sharedFiles returns the files of a pattern in the directory of facts beside
// the repository, and skips the test where it is absent.
func sharedFiles(t *testing.T, patterns ...string) []string {
	t.Helper()
	var paths []string
	for _, p := range patterns {
		list, err := filepath.Glob(filepath.Join("../../../../shared", p))
		if err != nil {
			t.Fatal(err)
		}
		paths = append(paths, list...)
	}
	if len(paths) == 0 {
		t.Skip("no ../shared beside the repository: no files of other people to read")
	}
	return paths
}

// readFile reads the one result file in path.
func readFile(t *testing.T, path string) *result.File {
	t.Helper()
	doc, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return readOne(t, string(doc))
}

// readOne reads the one result file in doc.
func readOne(t testing.TB, doc string) *result.File {
	t.Helper()
	files, err := readAll(doc)
	if err != nil || len(files) != 1 {
		t.Fatalf("%d files, error %v", len(files), err)
	}
	return files[0]
}

func readAll(doc string) ([]*result.File, error) {
	var files []*result.File
	err := Read(strings.NewReader(doc), "t.xml", source.Limits{}, func(f *result.File) error {
		files = append(files, f)
		return nil
	})
	return files, err
}

// Every file of the corpus and every sample must give exactly what
// encoding/xml finds in it: each entry with its system, value, runs and
// details, each system with its strings, nothing more and nothing less.
func TestAgainstPlainReading(t *testing.T) {
	files, entries, failed, runs := 0, 0, 0, 0
	for _, path := range sharedFiles(t, "corpus/real/*/composite.xml", "corpus/defects/*/composite.xml", "samples/forms/*.xml", "flat/*.xml") {
		doc, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		var root node
		if err := stdxml.Unmarshal(doc, &root); err != nil {
			if !strings.Contains(path, "d25-truncated") {
				t.Errorf("%s: %v", path, err)
			}
			continue
		}
		name := filepath.Base(filepath.Dir(path)) + "/" + filepath.Base(path)
		f := readOne(t, string(doc))
		files++
		d := &difference{t: t, name: name}
		d.head(f, &root)
		d.systems(f, &root)
		results := append(root.all("Result"), root.all("Benchmark")...)
		if len(f.Tests) != len(results) {
			t.Errorf("%s: %d tests, want %d", name, len(f.Tests), len(results))
			continue
		}
		for i, r := range results {
			d.test(f, &f.Tests[i], r)
			entries += len(f.Tests[i].Measurements)
			for j := range f.Tests[i].Measurements {
				m := &f.Tests[i].Measurements[j]
				if m.Status == result.StatusFailed {
					failed++
				}
				runs += len(m.RawValues)
				d.origin(doc, m)
			}
		}
	}
	t.Logf("%d files, %d entries, %d of them failed, %d runs", files, entries, failed, runs)
}

// difference reports where a record differs from the plain reading.
type difference struct {
	t    *testing.T
	name string
}

func (d *difference) equal(what, got, want string) {
	d.t.Helper()
	if got != want {
		d.t.Errorf("%s: %s\n got %q\nwant %q", d.name, what, got, want)
	}
}

func (d *difference) head(f *result.File, root *node) {
	head := &node{}
	for _, h := range append(root.all("Generated"), root.all("Suite")...) {
		head.Children = append(head.Children, h.Children...)
	}
	d.equal("title", f.Title, head.get("Title"))
	d.equal("description", f.Description, head.get("Description"))
	d.equal("notes", f.Notes, head.get("Notes"))
	d.equal("tags", f.InternalTags, head.get("InternalTags"))
	d.equal("reference", f.ReferenceID, head.get("ReferenceID"))
	d.equal("environment", f.Environment, head.get("PreSetEnvironmentVariables"))
	d.equal("generator", f.Generator, head.get("TestClient"))
	if len(root.all("Suite")) == 0 {
		d.equal("last modified", f.LastModified, head.get("LastModified"))
	}
}

func (d *difference) systems(f *result.File, root *node) {
	i := 0
	for _, s := range root.all("System") {
		ids := []string{s.get("Identifier")}
		if list := s.get("AssociatedIdentifiers"); list != "" {
			ids = strings.Split(list, ", ")
		}
		for _, id := range ids {
			if i >= len(f.Systems) {
				d.t.Fatalf("%s: %d systems, want more", d.name, len(f.Systems))
			}
			g := &f.Systems[i]
			i++
			d.equal("identifier", g.Identifier, id)
			d.equal("hardware", join(g.Hardware), s.get("Hardware"))
			d.equal("software", join(g.Software), s.get("Software"))
			d.equal("user", g.User, s.get("User", "Author"))
			d.equal("time", g.Timestamp, s.get("TimeStamp", "TestDate"))
			d.equal("client", g.ClientVersion, s.get("TestClientVersion", "Version"))
			d.equal("notes", g.NotesText, s.get("Notes", "TestNotes"))
			d.equal("details", string(g.Details), s.get("JSON"))
		}
	}
}

// join puts components together as PTS does.
func join(list []result.Component) string {
	var parts []string
	for _, c := range list {
		part := c.Value
		if c.Key != "" {
			part = strings.TrimSpace(c.Key + ": " + c.Value)
		}
		parts = append(parts, part)
	}
	return strings.Join(parts, ", ")
}

func (d *difference) test(f *result.File, got *result.Test, want *node) {
	d.equal("profile", got.Profile, want.get("Identifier", "TestName"))
	d.equal("test title", got.Title, want.get("Title", "Name"))
	d.equal("version", got.Version, want.get("AppVersion", "Version"))
	d.equal("arguments", got.Arguments, want.get("Description", "Attributes"))
	d.equal("command arguments", got.CommandArguments, want.get("Arguments", "TestArguments"))
	d.equal("scale", got.Scale, want.get("Scale"))
	d.equal("proportion", string(got.Proportion), want.get("Proportion"))
	d.equal("display format", got.DisplayFormat, want.get("DisplayFormat", "ResultFormat"))
	d.equal("annotation", got.Annotation, want.get("Annotation"))
	d.equal("parent", got.Parent, want.get("Parent"))

	entries := want.all("Entry")
	if len(got.Measurements) != len(entries) {
		d.t.Errorf("%s: %s: %d measurements, want %d", d.name, got.Name(), len(got.Measurements), len(entries))
		return
	}
	seen := make(map[int]bool)
	for i, e := range entries {
		m := &got.Measurements[i]
		if seen[m.System] {
			d.t.Errorf("%s: %s: two measurements of system %d", d.name, got.Name(), m.System)
		}
		seen[m.System] = true
		d.equal("entry", f.Systems[m.System].Identifier, e.get("Identifier"))
		d.equal("value", m.Value, e.get("Value"))
		d.equal("runs", strings.Join(m.RawValues, ":"), e.get("RawString"))
		d.equal("details", string(m.Details), e.get("JSON"))
		if failed := e.get("Value") == ""; failed != (m.Status == result.StatusFailed) || failed != (m.Reason != "") {
			d.t.Errorf("%s: %s: status %v, reason %q for value %q", d.name, got.Name(), m.Status, m.Reason, e.get("Value"))
		}
		d.stdError(m)
	}
}

// stdError checks the standard error by the textbook.
func (d *difference) stdError(m *result.Measurement) {
	n := float64(len(m.RawValues))
	if m.Samples != len(m.RawValues) {
		d.t.Errorf("%s: %d samples of %v", d.name, m.Samples, m.RawValues)
	}
	var values []float64
	var sum, squares float64
	for _, run := range m.RawValues {
		v, ok := result.ParseNumber(run)
		if !ok {
			d.equal("standard error of what is no number", m.StdError, "")
			return
		}
		values = append(values, v)
		sum += v
	}
	if len(values) < 2 {
		d.equal("standard error of too few runs", m.StdError, "")
		return
	}
	for _, v := range values {
		squares += (v - sum/n) * (v - sum/n)
	}
	want := math.Sqrt(squares / (n - 1) / n)
	got, ok := m.StdErrorNumber()
	if !ok || !m.StdErrorDerived || math.Abs(got-want) > 1e-5*want+1e-9*math.Abs(sum/n) {
		d.t.Errorf("%s: standard error %q of %v, want %v", d.name, m.StdError, m.RawValues, want)
	}
}

// origin checks that a value's place is where it stands in the document.
func (d *difference) origin(doc []byte, m *result.Measurement) {
	o := m.Origin
	if m.Value == "" || bytes.ContainsAny([]byte(m.Value), "&<>") {
		return
	}
	line := 1 + bytes.Count(doc[:o.Offset], []byte("\n"))
	column := o.Offset - bytes.LastIndexByte(doc[:o.Offset], '\n')
	if !bytes.HasPrefix(doc[o.Offset:], []byte(m.Value)) || o.Line != line || o.Column != column || o.Rule != "xml/value" {
		d.t.Errorf("%s: value %.20q is said to be at %v, offset %d", d.name, m.Value, o, o.Offset)
	}
}

// A file of every kind in ../shared is taken for what it is by Sniff.
func TestSniffSharedFiles(t *testing.T) {
	for _, path := range sharedFiles(t, "corpus/*/*/*", "samples/forms/*", "flat/00*", "corpus/site/*.html", "samples/*.txt") {
		doc, err := os.ReadFile(path)
		if err != nil {
			continue // a directory
		}
		if got, want := Sniff(string(doc)), strings.HasSuffix(path, ".xml"); got != want {
			t.Errorf("Sniff(%s) = %v", path, got)
		}
	}
}
