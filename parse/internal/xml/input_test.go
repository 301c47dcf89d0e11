package xml

import (
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/unicode"

	"github.com/benchproof/benchproof/parse/internal/source"
	"github.com/benchproof/benchproof/result"
)

func TestEncodings(t *testing.T) {
	declared := func(name string) string {
		return `<?xml version="1.0" encoding="` + name + `"?>` + "\n" + doc(sys("Büro", "x")+res("a", "Büro=1"))
	}
	encode := func(e encoding.Encoding, text string) string {
		out, err := e.NewEncoder().String(text)
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	for _, test := range []struct{ name, in, codes string }{
		{"utf-8", declared("UTF-8"), ""},
		{"utf-8 with byte-order mark", "\ufeff" + declared("utf-8"), ""},
		{"byte-order mark against the declaration", "\ufeff" + declared("ISO-8859-1"), ""},
		{"no declaration", strings.SplitN(declared("UTF-8"), "\n", 2)[1], ""},
		{"latin-1", encode(charmap.ISO8859_1, declared("ISO-8859-1")), "info/transcoded"},
		{"windows-1252 in single quotes", encode(charmap.Windows1252, strings.ReplaceAll(declared("windows-1252"), `"`, "'")), "info/transcoded"},
		{"gbk", encode(simplifiedchinese.GBK, strings.ReplaceAll(declared("GBK"), "ü", "測")), "info/transcoded"},
		{"utf-16 big-endian", encode(unicode.UTF16(unicode.BigEndian, unicode.UseBOM), declared("UTF-16")), "info/transcoded"},
		{"utf-16 little-endian", encode(unicode.UTF16(unicode.LittleEndian, unicode.UseBOM), declared("UTF-16")), "info/transcoded"},
		{"utf-16 without a mark", encode(unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM), declared("UTF-16")), "info/transcoded"},
		{"utf-16 that is none", declared("UTF-16"), ""},
		{"an unknown encoding", declared("x-nonsense"), "warning/unknown-encoding"},
	} {
		t.Run(test.name, func(t *testing.T) {
			f := readOne(t, test.in)
			want := "Büro=1"
			if test.name == "gbk" {
				want = "B測ro=1"
			}
			if got := cells(f); got != want {
				t.Errorf("cells %q, want %q", got, want)
			}
			if got := codes(f); got != test.codes {
				t.Errorf("diagnostics %v, want %s", f.Diagnostics, test.codes)
			}
		})
	}
}

// Bytes that mean nothing in the encoding are replaced, and reported.
func TestInvalidEncoding(t *testing.T) {
	for _, test := range []struct{ name, in, codes string }{
		{"utf-8", doc(sys("B\xfcro", "x") + res("a", "B\xfcro=1")), "warning/invalid-utf8 warning/invalid-utf8"},
		{"gbk", `<?xml version="1.0" encoding="GBK"?>` + doc(sys("B\xff", "x")+res("a", "B\xff=1")), "info/transcoded warning/invalid-encoding"},
	} {
		f := readOne(t, test.in)
		if got := codes(f); got != test.codes || !strings.Contains(cells(f), "\ufffd") {
			t.Errorf("%s: cells %q, diagnostics %v", test.name, cells(f), f.Diagnostics)
		}
	}
}

// What could not be decoded is counted wherever a read ends inside of it.
func TestReplacedAcrossReads(t *testing.T) {
	const text = "a\ufffdb\ufffd\ufffd\xef\xbf\ufffd"
	for _, r := range []io.Reader{
		strings.NewReader(text), iotest.OneByteReader(strings.NewReader(text)), iotest.HalfReader(strings.NewReader(text)),
	} {
		in := &input{Reader: r, encoding: "gbk"}
		if _, err := io.Copy(io.Discard, struct{ io.Reader }{in}); err != nil || in.takeReplaced() != 4 || in.takeReplaced() != 0 {
			t.Errorf("not 4, or not taken once: %v", err)
		}
	}
}

// Text that was decoded already is not decoded again by its declaration.
func TestReadDocIgnoresTheDeclaration(t *testing.T) {
	in := `<?xml version="1.0" encoding="ISO-8859-1"?>` + doc(sys("Büro", "x")+res("a", "Büro=1"))
	if err := ReadDoc(source.New("t.xml", in), func(f *result.File) error {
		if got := cells(f); got != "Büro=1" {
			t.Errorf("cells %q", got)
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
}
