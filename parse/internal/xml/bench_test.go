package xml

import (
	"bytes"
	stdxml "encoding/xml"
	"io"
	"strconv"
	"sync"
	"testing"

	"github.com/benchproof/benchproof/internal/composite"
	"github.com/benchproof/benchproof/parse/internal/source"
	"github.com/benchproof/benchproof/parse/internal/xmlscan"
	"github.com/benchproof/benchproof/result"
)

// made returns a composite.xml of so many results and systems.
func made(results, systems int) []byte {
	var w bytes.Buffer
	_ = composite.Write(&w, results, systems) // a buffer's writes do not fail
	return w.Bytes()
}

// fifty is a file of about 50 MB.
var fifty = sync.OnceValue(func() []byte { return made(6400, 24) })

// rows is a Handler that writes what the long CSV has of each measurement.
type rows struct {
	w     io.Writer
	f     *result.File
	names []string
	line  []byte
	count int
}

func (h *rows) File(f *result.File) error { h.f = f; return nil }
func (h *rows) End(*result.File) error    { return nil }
func (h *rows) KeepsNoTest()              {}

func (h *rows) Test(t *result.Test) error {
	if len(h.names) < len(h.f.Systems) {
		h.names = h.f.SystemNames()
	}
	for i := range t.Measurements {
		m := &t.Measurements[i]
		line := h.line[:0]
		for _, field := range [...]string{
			h.f.Source, h.f.Title, t.Title, t.Version, t.Profile, t.Arguments, t.Scale, string(t.Proportion),
			h.names[m.System], m.Value, m.StdError,
		} {
			line = append(append(line, field...), ',')
		}
		line = append(strconv.AppendInt(line, int64(m.Samples), 10), ',')
		for j, raw := range m.RawValues {
			if j > 0 {
				line = append(line, ';')
			}
			line = append(line, raw...)
		}
		line = strconv.AppendInt(append(line, ','), int64(m.Origin.Line), 10)
		line = strconv.AppendInt(append(line, ','), int64(m.Origin.Column), 10)
		h.line = append(line, '\n')
		if _, err := h.w.Write(h.line); err != nil {
			return err
		}
		h.count++
	}
	return nil
}

// BenchmarkStream reads a file of 50 MB and writes rows, as the conversion to
// long CSV does.
func BenchmarkStream(b *testing.B) {
	doc := fifty()
	b.SetBytes(int64(len(doc)))
	b.ReportAllocs()
	for b.Loop() {
		h := &rows{w: io.Discard}
		if err := Stream(bytes.NewReader(doc), "t", source.Limits{}, h); err != nil || h.count != 6400*24 {
			b.Fatal(h.count, err)
		}
	}
}

// BenchmarkScanner reads only the tokens of the same file.
func BenchmarkScanner(b *testing.B) {
	doc := fifty()
	b.SetBytes(int64(len(doc)))
	b.ReportAllocs()
	for b.Loop() {
		s := xmlscan.New(bytes.NewReader(doc), "t", source.Limits{})
		s.SkipSpace = true
		for {
			if _, err := s.Next(); err == io.EOF {
				break
			} else if err != nil {
				b.Fatal(err)
			}
		}
	}
}

// BenchmarkEncodingXML reads the same file with encoding/xml, each Result on
// its own.
func BenchmarkEncodingXML(b *testing.B) {
	doc := fifty()
	b.SetBytes(int64(len(doc)))
	b.ReportAllocs()
	for b.Loop() {
		d := stdxml.NewDecoder(bytes.NewReader(doc))
		n := 0
		for {
			token, err := d.Token()
			if err == io.EOF {
				break
			}
			if err != nil {
				b.Fatal(err)
			}
			if start, ok := token.(stdxml.StartElement); ok && start.Name.Local == "Result" {
				var r struct {
					Identifier, Title, AppVersion, Arguments, Description, Scale, Proportion, DisplayFormat string

					Data struct {
						Entry []struct{ Identifier, Value, RawString, JSON string }
					}
				}
				if err := d.DecodeElement(&r, &start); err != nil {
					b.Fatal(err)
				}
				n += len(r.Data.Entry)
			}
		}
		if n != 6400*24 {
			b.Fatal(n)
		}
	}
}
