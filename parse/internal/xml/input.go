package xml

import (
	"bufio"
	"bytes"
	"io"
	"strings"

	"golang.org/x/net/html/charset"
	"golang.org/x/text/encoding/unicode"
)

// input is a document as UTF-8, with what its decoding lost.
type input struct {
	io.Reader
	encoding string // what was decoded, "" for UTF-8
	unknown  string // the name of an encoding that is not known, if any
	replaced int    // characters that could not be decoded
	carry    []byte // begin of a U+FFFD at the end of the last read
}

// prologSize is how far an XML declaration is looked for.
const prologSize = 1 << 10

// decode returns r as UTF-8. The encoding is that of the byte-order mark, or
// of the first bytes if they are "<" and "?" in UTF-16, or the one that the
// XML declaration names.
func decode(r io.Reader) (*input, error) {
	b := bufio.NewReaderSize(r, prologSize)
	head, err := b.Peek(prologSize)
	if err != nil && err != io.EOF && len(head) == 0 {
		return nil, err
	}
	utf16 := func(order unicode.Endianness) *input {
		return &input{Reader: unicode.UTF16(order, unicode.UseBOM).NewDecoder().Reader(b), encoding: "utf-16"}
	}
	switch {
	case bytes.HasPrefix(head, []byte("\xef\xbb\xbf")):
		return &input{Reader: b}, nil
	case bytes.HasPrefix(head, []byte("\xfe\xff")), bytes.HasPrefix(head, []byte("\x00<\x00")):
		return utf16(unicode.BigEndian), nil
	case bytes.HasPrefix(head, []byte("\xff\xfe")), bytes.HasPrefix(head, []byte("<\x00?\x00")), bytes.HasPrefix(head, []byte("<\x00P\x00")):
		return utf16(unicode.LittleEndian), nil
	}
	name := declaredEncoding(head)
	if asciiBased(name) {
		return &input{Reader: b}, nil
	}
	text, err := charset.NewReaderLabel(name, b)
	if err != nil {
		return &input{Reader: b, unknown: name}, nil
	}
	return &input{Reader: text, encoding: name}, nil
}

// asciiBased reports whether a document that declares the encoding in ASCII
// is read as UTF-8. UTF-16 is such a name too: where it is true, the
// declaration itself is no ASCII.
func asciiBased(name string) bool {
	switch name {
	case "", "utf-8", "utf8", "us-ascii", "ascii", "utf-16", "utf-16le", "utf-16be", "ucs-2", "iso-10646-ucs-2":
		return true
	}
	return false
}

// declaredEncoding returns the encoding that the XML declaration at the front
// of head names, in lower case, and "" if there is none.
func declaredEncoding(head []byte) string {
	if !bytes.HasPrefix(head, []byte("<?xml")) {
		return ""
	}
	declaration, _, ok := bytes.Cut(head, []byte("?>"))
	if !ok {
		return ""
	}
	_, rest, ok := bytes.Cut(declaration, []byte("encoding"))
	if !ok {
		return ""
	}
	rest = bytes.TrimLeft(rest, " \t\r\n=")
	if len(rest) == 0 || rest[0] != '"' && rest[0] != '\'' {
		return ""
	}
	name, _, ok := bytes.Cut(rest[1:], rest[:1])
	if !ok {
		return ""
	}
	return strings.ToLower(string(name))
}

// Read counts what a decoder could not read: it puts U+FFFD in such a place
// without a word.
func (in *input) Read(p []byte) (int, error) {
	n, err := in.Reader.Read(p)
	if in.encoding != "" {
		const bad = "\ufffd"
		all := append(in.carry, p[:n]...)
		in.replaced += bytes.Count(all, []byte(bad))
		keep := 0
		for k := 1; k < len(bad) && k <= len(all); k++ {
			if bytes.HasSuffix(all, []byte(bad[:k])) {
				keep = k
			}
		}
		in.carry = append(in.carry[:0], all[len(all)-keep:]...)
	}
	return n, err
}

// takeReplaced returns how many characters could not be decoded since it was
// last called.
func (in *input) takeReplaced() int {
	n := in.replaced
	in.replaced = 0
	return n
}
