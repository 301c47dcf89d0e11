package xml

import (
	"bytes"
	stdxml "encoding/xml"
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/benchproof/benchproof/parse/internal/source"
	"github.com/benchproof/benchproof/result"
)

// FuzzRead checks what must hold for whatever is read: that the record is
// consistent, that nothing is dropped without a word, and that what
// encoding/xml finds of entries in a well-formed file is all there.
func FuzzRead(f *testing.F) {
	f.Add([]byte(modern))
	f.Add([]byte(old))
	f.Add([]byte(doc(sys("A", "x") + res("a", "A=1", "A=2"))))
	f.Add([]byte(res("a", "A=1")))
	f.Add([]byte(doc("<Result><Data><Entry><Identifier>A</Identifier><Value>1</Value><Entry>") + doc("")))
	f.Add([]byte("<Result><Data><Entry></x>"))
	f.Add([]byte(doc(sys("A", "x")+"<Result><Title>x<Data><Entry><Identifier>A</Identifier><Value>1") + doc(sys("A", "x"))))
	for _, in := range memberTests {
		f.Add([]byte(doc("<Result><Data><Entry><Identifier>A</Identifier><Value>1</Value><JSON>" + in.in + "</JSON></Entry></Data></Result>")))
	}
	limits := source.Limits{Systems: 200, Tests: 200, Text: 1 << 16}
	f.Fuzz(func(t *testing.T, in []byte) {
		var files []*result.File
		err := Read(bytes.NewReader(in), "t.xml", limits, func(f *result.File) error {
			files = append(files, f)
			return nil
		})
		for _, f := range files {
			consistent(t, f, len(in))
		}
		var syntax *source.SyntaxError
		var limit *source.LimitError
		if err != nil && !errors.As(err, &syntax) && !errors.As(err, &limit) {
			t.Fatalf("error %v", err)
		}
		if err != nil || len(files) != 1 {
			return
		}
		var root node
		d := stdxml.NewDecoder(bytes.NewReader(in))
		if d.Decode(&root) != nil || root.XMLName.Local != rootName {
			return
		}
		if _, err := d.Token(); err == nil {
			return // more behind the root
		}
		for _, d := range files[0].Diagnostics {
			if d.Severity == result.SeverityError {
				return // the structure is not PTS's
			}
		}
		count, values := 0, 0
		for _, section := range root.Children {
			if name := section.XMLName.Local; name == "Result" || name == "Benchmark" {
				for _, e := range entriesOf(&section) {
					count++
					if e.get("Value") != "" {
						values++
					}
				}
			}
		}
		for i := range files[0].Tests {
			for j := range files[0].Tests[i].Measurements {
				count--
				if m := &files[0].Tests[i].Measurements[j]; m.Status == result.StatusOK {
					values--
				}
			}
		}
		if count != 0 || values > 0 {
			t.Fatalf("%d entries and %d values are missing", count, values)
		}
	})
}

// entriesOf returns the entries of a result: below its containers only.
func entriesOf(n *node) []*node {
	var list []*node
	for i := range n.Children {
		switch c := &n.Children[i]; c.XMLName.Local {
		case "Entry":
			list = append(list, c)
		case "Data", "Results", "Group":
			list = append(list, entriesOf(c)...)
		}
	}
	return list
}

// consistent checks what every record must obey.
func consistent(t *testing.T, f *result.File, size int) {
	if f.Format != result.FormatXML || f.Source != "t.xml" {
		t.Fatalf("format %q, source %q", f.Format, f.Source)
	}
	for i := range f.Tests {
		seen := make(map[int]bool)
		for j := range f.Tests[i].Measurements {
			m := &f.Tests[i].Measurements[j]
			empty := m.Value == ""
			switch {
			case m.System < 0 || m.System >= len(f.Systems) || seen[m.System]:
				t.Fatalf("system %d of %d, seen %v", m.System, len(f.Systems), seen[m.System])
			case empty != (m.Status == result.StatusFailed || m.Decode == result.DecodeAmbiguous):
				t.Fatalf("value %q, status %v, decode %v", m.Value, m.Status, m.Decode)
			case m.Status == result.StatusFailed && m.Reason == "":
				t.Fatal("failed without a reason")
			case m.RawValues != nil && m.Samples != len(m.RawValues):
				t.Fatalf("%d samples of %q", m.Samples, m.RawValues)
			case m.StdErrorDerived != (m.StdError != ""):
				t.Fatalf("standard error %q, derived %v", m.StdError, m.StdErrorDerived)
			}
			seen[m.System] = true
			place(t, m.Origin, size)
		}
	}
	for _, d := range f.Diagnostics {
		place(t, d.Origin, size)
		if d.Code == "" || d.Message == "" || strings.ContainsAny(d.Message, "\n\r") {
			t.Fatalf("diagnostic %+v", d)
		}
	}
}

func place(t *testing.T, o result.Origin, size int) {
	// A transcoded document is longer than its bytes.
	if o.Line < 1 || o.Column < 1 || o.Offset < 0 || o.Offset > 4*size+4 {
		t.Fatalf("place %+v in %d bytes", o, size)
	}
}

// Each shared file cut off at many places is read without a panic, and keeps
// the values that are whole.
func TestCutSharedFiles(t *testing.T) {
	for _, path := range sharedFiles(t, "corpus/real/*/composite.xml", "samples/forms/*.xml") {
		in, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for cut := 997; cut < len(in); cut += 997 {
			files, err := readAll(string(in[:cut]))
			if err != nil {
				if bytes.Contains(in[:cut], []byte("</Generated>")) {
					t.Fatalf("%s cut at %d: %v", path, cut, err)
				}
				continue
			}
			consistent(t, files[0], cut)
			values := 0
			for i := range files[0].Tests {
				values += len(files[0].Tests[i].Measurements)
			}
			// Values that are whole and not empty are there.
			whole := bytes.Count(in[:cut], []byte("</Value>")) - bytes.Count(in[:cut], []byte("<Value></Value>"))
			if values < whole {
				t.Fatalf("%s cut at %d: %d measurements, %d values are whole", path, cut, values, whole)
			}
		}
	}
}
