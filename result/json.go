package result

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"unicode/utf16"
	"unicode/utf8"
)

// SchemaID names the JSON form: the value of a document's key "schema". Package
// result/schema has its JSON Schema.
const SchemaID = "benchproof/result/1"

// EncodeJSON writes files as one indented JSON document; see [Encoder].
func EncodeJSON(w io.Writer, files []*File) error {
	e := NewEncoder(w)
	for _, f := range files {
		if err := e.Encode(f); err != nil {
			return err
		}
	}
	return e.Close()
}

// Encoder writes result files as one JSON document
//
//	{"schema": "benchproof/result/1", "files": […]}
//
// file by file, so that only one test's text is in memory at a time. Equal
// files give equal bytes. [Decoder] reads the document back.
//
// Strings must be valid UTF-8; other bytes become U+FFFD. Control characters
// and the marks that turn the direction of text are written as \u escapes,
// and so are <, > and &: the document can be shown by a terminal and put
// into a page as it is.
type Encoder struct {
	// Compact leaves out newlines and indentation. Set it before the
	// first Encode.
	Compact bool

	w     io.Writer
	files int
	err   error
}

// NewEncoder returns an encoder that writes to w. Close ends the document.
func NewEncoder(w io.Writer) *Encoder { return &Encoder{w: w} }

// Encode writes one file. It returns the first error of the encoder's life,
// be it of the writer or of a record that names a system it does not have.
func (e *Encoder) Encode(f *File) error {
	e.open()
	e.files++
	e.separate(2, e.files == 1)
	e.file(f)
	return e.err
}

// Close ends the document. It does not close the writer. An encoder without
// files writes an empty list.
func (e *Encoder) Close() error {
	e.open()
	if e.files > 0 {
		e.newline(1)
	}
	e.raw("]")
	e.newline(0)
	e.raw("}\n")
	err := e.err
	if e.err == nil {
		e.err = errors.New("result: encoder is closed")
	}
	return err
}

func (e *Encoder) open() {
	if e.files > 0 {
		return
	}
	e.raw("{")
	e.newline(1)
	e.key("schema")
	e.value(SchemaID, 1)
	e.separate(1, false)
	e.key("files")
	e.raw("[")
}

func (e *Encoder) file(f *File) {
	// The head is written open, for the lists to follow in the same object.
	head, err := e.marshal(shapeHead(f), 2)
	if err != nil {
		e.fail(err)
		return
	}
	head = bytes.TrimRight(head[:len(head)-1], "\n ")
	e.write(head)

	e.list("systems", len(f.Systems), func(i int) (any, error) { return shapeSystem(&f.Systems[i]), nil })
	names := f.SystemNames()
	e.list("tests", len(f.Tests), func(i int) (any, error) { return shapeTest(&f.Tests[i], names) })
	e.list("diagnostics", len(f.Diagnostics), func(i int) (any, error) { return f.Diagnostics[i], nil })
	e.newline(2)
	e.raw("}")
}

// list writes one key of a file with its n elements.
func (e *Encoder) list(key string, n int, element func(i int) (any, error)) {
	e.separate(3, false)
	e.key(key)
	e.raw("[")
	for i := range n {
		if e.err != nil {
			return
		}
		v, err := element(i)
		if err != nil {
			e.fail(err)
			return
		}
		e.separate(4, i == 0)
		e.value(v, 4)
	}
	if n > 0 {
		e.newline(3)
	}
	e.raw("]")
}

func (e *Encoder) key(k string) {
	e.raw(`"` + k + `":`)
	if !e.Compact {
		e.raw(" ")
	}
}

func (e *Encoder) value(v any, depth int) {
	b, err := e.marshal(v, depth)
	if err != nil {
		e.fail(err)
		return
	}
	e.write(b)
}

func (e *Encoder) marshal(v any, depth int) ([]byte, error) {
	b, err := json.Marshal(v)
	if err != nil {
		return nil, err
	}
	if !e.Compact {
		var out bytes.Buffer
		if err := json.Indent(&out, b, spaces[:depth], " "); err != nil {
			return nil, err
		}
		b = out.Bytes()
	}
	return escapeJSON(b), nil
}

const spaces = "        "

func (e *Encoder) separate(depth int, first bool) {
	if !first {
		e.raw(",")
	}
	e.newline(depth)
}

func (e *Encoder) newline(depth int) {
	if !e.Compact {
		e.raw("\n" + spaces[:depth])
	}
}

func (e *Encoder) raw(s string) { e.write([]byte(s)) }

func (e *Encoder) write(b []byte) {
	if e.err == nil {
		_, e.err = e.w.Write(b)
	}
}

func (e *Encoder) fail(err error) {
	if e.err == nil {
		e.err = err
	}
}

// escapeJSON returns JSON text in which the characters that json.Marshal
// passes but a terminal may act upon or that hide from the eye (DEL, the C1
// controls, marks that turn the direction of text, spaces of no width, tags)
// are \u escapes. It means the same. It returns doc itself where nothing is to
// be escaped.
func escapeJSON(doc []byte) []byte {
	var out []byte
	start := 0
	for i := 0; i < len(doc); {
		// No hidden rune begins with another byte.
		if !mayHide[doc[i]] {
			i++
			continue
		}
		r, n := utf8.DecodeRune(doc[i:])
		if Hidden(r) {
			out = append(out, doc[start:i]...)
			for _, unit := range utf16.Encode([]rune{r}) {
				out = fmt.Appendf(out, `\u%04x`, unit)
			}
			start = i + n
		}
		i += n
	}
	if out == nil {
		return doc
	}
	return append(out, doc[start:]...)
}

// mayHide are the bytes that hidden runes of JSON text begin with: DEL, and
// the first bytes of letters that are mostly in other scripts than Latin.
var mayHide = [256]bool{
	0x7f: true, 0xc2: true, 0xcd: true, 0xd8: true, 0xe1: true, 0xe2: true, 0xe3: true, 0xef: true, 0xf0: true, 0xf3: true,
}
