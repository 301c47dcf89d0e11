package main

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/benchproof/benchproof/export"
	"github.com/benchproof/benchproof/export/ptstext"
	"github.com/benchproof/benchproof/export/xml"
	"github.com/benchproof/benchproof/parse"
	"github.com/benchproof/benchproof/result"
)

// corpusShapes are result files as they are published, from which many others
// are made: the same systems, tests and forms with other values.
type corpusShapes struct{ list []corpusShape }

// corpusShape is one result file in one form, cut at what is varied.
type corpusShape struct {
	ending string
	pieces [][]byte // a slot between each two
	slots  []string // "v" and a value, or a name
	file   *result.File
}

// slotMark is what stands in the place of something to vary. The writers pass
// such text as it is.
var slotMark = regexp.MustCompile(`q9slot([0-9a-f]*)q9end`)

func slot(text string) string { return "q9slot" + hex.EncodeToString([]byte(text)) + "q9end" }

// fileSystems are given to the systems of a file in turn, so that questions
// have something to group by.
var fileSystems = []string{"ext4", "xfs", "btrfs", "f2fs", "zfs", "bcachefs", "ntfs3", "jfs"}

// newCorpusShapes reads the samples and, where they are there, the real files,
// and gives each of them so many systems that it has about values
// measurements.
func newCorpusShapes(t testing.TB, values int) *corpusShapes {
	t.Helper()
	s := &corpusShapes{}
	var paths []string
	for _, pattern := range []string{"../../samples/*.txt", "../../samples/*.xml", "../../../shared/corpus/real/*/composite.xml"} {
		found, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		paths = append(paths, found...)
	}
	for _, p := range paths {
		r, err := parse.Open(p, parse.Options{})
		if err != nil {
			t.Fatal(err)
		}
		for f, err := range r.Files() {
			if err != nil {
				break
			}
			if shape := widen(f, values); shape != nil {
				s.add(t, shape)
			}
		}
		if err := r.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if len(s.list) < 6 {
		t.Fatalf("only %d shapes", len(s.list))
	}
	return s
}

// widen returns a copy of f with about that many measurements: of its first
// tests, on copies of its first systems. It returns nil for a file of little.
func widen(f *result.File, values int) *result.File {
	const systems = 8
	out := &result.File{Title: slot("title"), Description: f.Description, LastModified: slot("date") + " 12:00:00", Format: result.FormatXML}
	if len(f.Systems) == 0 {
		return nil
	}
	for i := range systems {
		s := f.Systems[i%len(f.Systems)]
		s.Identifier = fmt.Sprintf("%s %s", fileSystems[i], strings.ReplaceAll(s.Identifier, ":", ""))
		s.GroupPath, s.InheritedKeys, s.Details, s.Timestamp = nil, nil, nil, ""
		var software []result.Component
		for _, c := range s.Software {
			if c.Key != "File-System" {
				software = append(software, c)
			}
		}
		s.Software = append(software, result.Component{Key: "File-System", Value: fileSystems[i]})
		out.Systems = append(out.Systems, s)
	}
	n := 0
	for i := range f.Tests {
		t := f.Tests[i]
		if len(t.Measurements) == 0 || n >= values {
			continue
		}
		base := t.Measurements[0]
		if v, ok := base.Number(); !ok || v <= 0 {
			continue
		}
		t.Measurements, t.Unassigned = nil, nil
		for k := range systems {
			t.Measurements = append(t.Measurements, result.Measurement{System: k, Value: slot("v" + base.Value)})
			n++
		}
		out.Tests = append(out.Tests, t)
	}
	// Few tests stand several times, as other options of theirs.
	for i := 0; n < values && len(out.Tests) > 0; i++ {
		t := out.Tests[i]
		t.Arguments = strings.TrimPrefix(fmt.Sprintf("%s - Pass: %d", t.Arguments, i+2), " - ")
		t.Options = result.ParseOptions(t.Arguments)
		out.Tests = append(out.Tests, t)
		n += systems
	}
	if n < values/2 {
		return nil
	}
	return out
}

// add adds the forms of a file.
func (s *corpusShapes) add(t testing.TB, f *result.File) {
	t.Helper()
	var x, j bytes.Buffer
	w := xml.New(&x)
	if err := w.Write(f); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if err := result.EncodeJSON(&j, []*result.File{f}); err != nil {
		t.Fatal(err)
	}
	s.list = append(s.list, cut(".xml", x.Bytes(), f), cut(".json", j.Bytes(), f))
}

func cut(ending string, doc []byte, f *result.File) corpusShape {
	s := corpusShape{ending: ending, file: f}
	at := 0
	for _, m := range slotMark.FindAllSubmatchIndex(doc, -1) {
		text, err := hex.DecodeString(string(doc[m[2]:m[3]]))
		if err != nil {
			panic(err)
		}
		s.pieces = append(s.pieces, doc[at:m[0]])
		s.slots = append(s.slots, string(text))
		at = m[1]
	}
	s.pieces = append(s.pieces, doc[at:])
	return s
}

// fill returns what stands in a slot of the nth file.
func fill(text string, n int, random *rand.Rand) string {
	switch {
	case text == "title":
		return fmt.Sprintf("Made result %d", n)
	case text == "date":
		return fmt.Sprintf("20%02d-%02d-%02d", 15+n%10, 1+n%12, 1+n%28)
	}
	value := text[1:]
	v, err := strconv.ParseFloat(value, 64)
	if err != nil {
		panic(err)
	}
	places := 0
	if i := strings.IndexByte(value, '.'); i >= 0 {
		places = len(value) - i - 1
	}
	return strconv.FormatFloat(v*math.Exp(random.NormFloat64()/5)+math.Pow10(-places), 'f', places, 64)
}

// write writes the nth file into dir, the same whenever it is asked: one in
// eight as PTS's text, the others as composite.xml or as the record's JSON.
func (s *corpusShapes) write(dir string, n int) error {
	random := rand.New(rand.NewPCG(uint64(n), 8))
	shape := &s.list[random.IntN(len(s.list))]
	var doc bytes.Buffer
	ending := shape.ending
	if n%8 == 0 {
		ending = ".txt"
		f := *shape.file
		f.Title = fill("title", n, random)
		f.Tests = nil
		for _, t := range shape.file.Tests {
			t.Measurements = append([]result.Measurement(nil), t.Measurements...)
			for k := range t.Measurements {
				m := slotMark.FindStringSubmatch(t.Measurements[k].Value)
				text, err := hex.DecodeString(m[1])
				if err != nil {
					return err
				}
				t.Measurements[k].Value = fill(string(text), n, random)
			}
			f.Tests = append(f.Tests, t)
		}
		var w export.Writer = ptstext.New(&doc)
		if err := w.Write(&f); err != nil {
			return err
		}
		if err := w.Close(); err != nil {
			return err
		}
	} else {
		for i, text := range shape.slots {
			doc.Write(shape.pieces[i])
			io.WriteString(&doc, fill(text, n, random))
		}
		doc.Write(shape.pieces[len(shape.slots)])
	}
	sub := filepath.Join(dir, fmt.Sprintf("%03d", n/1000))
	if err := os.MkdirAll(sub, 0o777); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(sub, fmt.Sprintf("result-%06d%s", n, ending)), doc.Bytes(), 0o666)
}
