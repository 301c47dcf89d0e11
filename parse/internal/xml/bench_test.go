package xml

import (
	"bytes"
	stdxml "encoding/xml"
	"fmt"
	"io"
	"strconv"
	"sync"
	"testing"

	"github.com/benchproof/benchproof/parse/internal/source"
	"github.com/benchproof/benchproof/parse/internal/xmlscan"
	"github.com/benchproof/benchproof/result"
)

// composite writes a composite.xml of so many results and systems, with run
// values, run times and compiler options as PTS writes them.
func composite(w *bytes.Buffer, results, systems int) {
	w.WriteString("<?xml version=\"1.0\"?>\n<!--Phoronix Test Suite v10.8.4-->\n<PhoronixTestSuite>\n  <Generated>\n" +
		"    <Title>Synthetic</Title>\n    <LastModified>2026-01-01 00:00:00</LastModified>\n" +
		"    <TestClient>Phoronix Test Suite v10.8.4</TestClient>\n    <Description>Made for a benchmark.</Description>\n  </Generated>\n")
	for s := range systems {
		fmt.Fprintf(w, "  <System>\n    <Identifier>System %d</Identifier>\n    <Hardware>Processor: CPU %d, Disk: 500GB SSD</Hardware>\n"+
			"    <Software>OS: Linux, File-System: ext4</Software>\n    <User>u</User>\n    <TimeStamp>2026-01-01 00:00:00</TimeStamp>\n"+
			"    <TestClientVersion>10.8.4</TestClientVersion>\n    <Notes></Notes>\n    <JSON>{\"cpu-microcode\":\"0x417\"}</JSON>\n  </System>\n", s, s)
	}
	for i := range results {
		fmt.Fprintf(w, "  <Result>\n    <Identifier>pts/fio-1.11.%d</Identifier>\n    <Title>Flexible IO Tester</Title>\n    <AppVersion>3.1</AppVersion>\n"+
			"    <Arguments>randread libaio 0 1 4k %d</Arguments>\n    <Description>Type: Random Read - Block Size: %dKB</Description>\n"+
			"    <Scale>MB/s</Scale>\n    <Proportion>HIB</Proportion>\n    <DisplayFormat>BAR_GRAPH</DisplayFormat>\n    <Data>\n", i%7, i, i)
		for s := range systems {
			v := 1000 + (i*31+s*17)%977
			fmt.Fprintf(w, "      <Entry>\n        <Identifier>System %d</Identifier>\n        <Value>%d.%d</Value>\n"+
				"        <RawString>%d.12:%d.5:%d.88</RawString>\n"+
				"        <JSON>{\"compiler-options\":{\"compiler-type\":\"CC\",\"compiler\":\"gcc\",\"compiler-options\":\"-O3 -lm\"},\"test-run-times\":\"4.39:2.22:2.%d\"}</JSON>\n"+
				"      </Entry>\n", s, v, s%10, v, v+1, v-1, 10+s)
		}
		w.WriteString("    </Data>\n  </Result>\n")
	}
	w.WriteString("</PhoronixTestSuite>\n")
}

// fifty is a file of about 50 MB.
var fifty = sync.OnceValue(func() []byte {
	var w bytes.Buffer
	composite(&w, 6400, 24)
	return w.Bytes()
})

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
