package xmlscan

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/benchproof/benchproof/parse/internal/source"
)

// reference returns the tokens of encoding/xml in the form of [tokens], and
// false if it does not accept the document. Neighbouring texts are joined:
// where a text is divided is of no meaning.
func reference(doc []byte) (string, bool) {
	// A byte-order mark is text to encoding/xml.
	doc = bytes.TrimPrefix(doc, []byte("\ufeff"))
	strict := xml.NewDecoder(bytes.NewReader(doc))
	strict.CharsetReader = func(string, io.Reader) (io.Reader, error) { return nil, io.ErrUnexpectedEOF }
	for {
		if _, err := strict.Token(); err == io.EOF {
			break
		} else if err != nil {
			return "", false
		}
	}
	// Token gives name-space addresses instead of prefixes; RawToken leaves
	// names as they are but does not check tags.
	d := xml.NewDecoder(bytes.NewReader(doc))
	var w writer
	for {
		token, err := d.RawToken()
		if err == io.EOF {
			return w.done(), true
		}
		if err != nil {
			return "", false
		}
		switch token := token.(type) {
		case xml.StartElement:
			var attrs []string
			for _, a := range token.Attr {
				attrs = append(attrs, qualified(a.Name), a.Value)
			}
			w.start(qualified(token.Name), attrs)
		case xml.EndElement:
			w.add("</" + qualified(token.Name) + ">")
		case xml.CharData:
			w.text.Write(token)
		case xml.Comment:
			w.add("#" + string(token))
		case xml.ProcInst:
			w.add("?" + token.Target + " " + strings.TrimLeft(string(token.Inst), spaces))
		case xml.Directive:
			w.add("!")
		}
	}
}

func qualified(n xml.Name) string {
	if n.Space == "" {
		return n.Local
	}
	return n.Space + ":" + n.Local
}

// joined returns the Scanner's tokens in the same form.
func joined(s *Scanner) (string, error) {
	var w writer
	for {
		kind, err := s.Next()
		switch kind {
		case None:
			if err == io.EOF {
				err = nil
			}
			return w.done(), err
		case Start:
			var attrs []string
			for name, value := range s.attrs {
				attrs = append(attrs, string(name), string(value))
			}
			w.start(string(s.Name()), attrs)
		case End:
			w.add("</" + string(s.Name()) + ">")
		case Text:
			w.text.Write(s.Bytes())
		case Comment:
			w.add("#" + string(s.Bytes()))
		case Inst:
			w.add("?" + string(s.Name()) + " " + string(s.Bytes()))
		case Doctype:
			w.add("!")
		}
	}
}

type writer struct {
	all  strings.Builder
	text bytes.Buffer
}

func (w *writer) add(token string) {
	if w.text.Len() > 0 {
		w.all.WriteString("'" + w.text.String() + "' ")
		w.text.Reset()
	}
	w.all.WriteString(token + " ")
}

func (w *writer) start(name string, attrs []string) {
	token := "<" + name
	for i := 0; i < len(attrs); i += 2 {
		token += fmt.Sprintf(" %s=%q", attrs[i], attrs[i+1])
	}
	w.add(token + ">")
}

func (w *writer) done() string { w.add(""); return w.all.String() }

// FuzzAgainstEncodingXML checks that the scanner gives the tokens of
// encoding/xml for every document that encoding/xml accepts, that how the
// input comes in pieces makes no difference, and that nothing makes it panic.
func FuzzAgainstEncodingXML(f *testing.F) {
	for _, test := range scannerTests {
		f.Add([]byte(test.in))
	}
	f.Add([]byte(`<?xml version="1.0"?><!--Phoronix Test Suite v10.8.6--><PhoronixTestSuite><Result><Title>a &amp; b</Title>` +
		`<Data><Entry><Identifier>A</Identifier><Value>1.5</Value><JSON>{"error":"x"}</JSON></Entry></Data></Result></PhoronixTestSuite>`))
	f.Fuzz(func(t *testing.T, doc []byte) {
		deep := source.Limits{Depth: 1 << 30}
		got, err := joined(New(bytes.NewReader(doc), "t", deep))
		pieces, perr := joined(newScanner(iotest.OneByteReader(bytes.NewReader(doc)), "t", deep, 8))
		if pieces != got || fmt.Sprint(perr) != fmt.Sprint(err) {
			t.Fatalf("byte by byte\n%q, %v\nat once\n%q, %v", pieces, perr, got, err)
		}
		want, accepted := reference(doc)
		if !accepted {
			return
		}
		if err != nil {
			t.Fatalf("encoding/xml accepts what the scanner does not: %v", err)
		}
		if got != want {
			t.Fatalf("got  %q\nwant %q", got, want)
		}
	})
}

// Real files, and the published sets' forms, give the tokens of encoding/xml.
func TestRealFilesAgainstEncodingXML(t *testing.T) {
	n := 0
	for _, pattern := range []string{"samples/forms/*.xml", "flat/*.xml", "corpus/real/*/*.xml", "corpus/defects/*/*.xml"} {
		paths, err := filepath.Glob(filepath.Join("../../../../shared", pattern))
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range paths {
			doc, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			want, accepted := reference(doc)
			got, err := joined(New(bytes.NewReader(doc), path, source.Limits{}))
			if accepted != (err == nil) || accepted && got != want {
				t.Errorf("%s: differs from encoding/xml: %v", path, err)
			}
			n++
		}
	}
	if n == 0 {
		t.Skip("no ../shared beside the repository: no real files to read")
	}
	t.Logf("%d files", n)
}
