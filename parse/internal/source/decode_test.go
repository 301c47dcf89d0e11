package source

import (
	"strings"
	"testing"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/unicode"

	"github.com/benchproof/benchproof/result"
)

// encodeWith makes the test's inputs by the library's encoders, of which the
// decoder under test uses none for UTF-16 and Windows-1252's text.
func encodeWith(t *testing.T, s string, e interface{ String(string) (string, error) }) string {
	t.Helper()
	out, err := e.String(s)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestDecodeEncodings(t *testing.T) {
	const plain = "Büro SSD\nKernel: 6.1 – µs\n"
	const ascii = "Results\nMB/s > Higher Is Better\n"
	const chinese = `<html><head><meta charset="gbk"></head><h1>固态硬盘</h1></html>`
	utf16 := func(order unicode.Endianness, bom unicode.BOMPolicy, s string) string {
		return encodeWith(t, s, unicode.UTF16(order, bom).NewEncoder())
	}
	latin1 := func(s string) string { return encodeWith(t, s, charmap.ISO8859_1.NewEncoder()) }
	page := func(charset, s string) string {
		return `<html><head><meta http-equiv="Content-Type" content="text/html; charset=` + charset + `"></head><p>` + s + `</p></html>`
	}
	tests := []struct {
		name, raw, want string
		severity        result.Severity // of the one note, "" for none
		message         string          // what it must hold
	}{
		{"ascii", ascii, ascii, "", ""},
		{"utf-8", plain, plain, "", ""},
		{"utf-8 with mark", "\xef\xbb\xbf" + plain, plain, "", ""},
		{"two marks", "\xef\xbb\xbf\xef\xbb\xbf" + plain, plain, "", ""},
		{"utf-16le with mark", utf16(unicode.LittleEndian, unicode.UseBOM, plain), plain, "info", "UTF-16LE"},
		{"utf-16be with mark", utf16(unicode.BigEndian, unicode.UseBOM, plain), plain, "info", "UTF-16BE"},
		{"utf-16le without", utf16(unicode.LittleEndian, unicode.IgnoreBOM, ascii), ascii, "info", "UTF-16LE"},
		{"utf-16be without", utf16(unicode.BigEndian, unicode.IgnoreBOM, plain), plain, "info", "UTF-16BE"},
		{"utf-16 above the plane", utf16(unicode.LittleEndian, unicode.UseBOM, "disk 💾 x"), "disk 💾 x", "info", "UTF-16LE"},
		{"utf-16 odd end", "\xff\xfea\x00b\x00c", "ab\uFFFD", "warning", "1 place in it is"},
		{"utf-16 lone surrogate", "\xff\xfea\x00\x00\xd8b\x00", "a\uFFFDb", "warning", "UTF-16LE"},
		{"latin-1", latin1("Büro µs\n"), "Büro µs\n", "warning", "Windows-1252"},
		{"windows-1252", "5 \x80 \x96 \x93x\x94\n", "5 € – “x”\n", "warning", "4 characters"},
		{"one damaged byte", "Büro \xff SSD 0.6 µs\n", "Büro \uFFFD SSD 0.6 µs\n", "warning", "1 place in it is"},
		{"cut within a character", "Büro µs Gr\xc3", "Büro µs Gr\uFFFD", "warning", "UTF-8"},
		{"declared latin-1", page("ISO-8859-1", latin1("Büro")), page("ISO-8859-1", "Büro"), "info", "windows-1252"},
		{"declared latin-1, is utf-8", page("ISO-8859-1", "Büro"), page("ISO-8859-1", "Büro"), "", ""},
		{"declared utf-8, is latin-1", page("utf-8", latin1("Büro")), page("utf-8", "Büro"), "warning", "Windows-1252"},
		{"declared gbk", encodeWith(t, chinese, simplifiedchinese.GBK.NewEncoder()), chinese, "info", "gbk"},
		{"declared unknown", page("klingon", "Büro"), page("klingon", "Büro"), "", ""},
		{"declared in text", "charset=gbk \xb5s", "charset=gbk µs", "warning", "Windows-1252"},
		{
			"xml declaration", "<?xml version=\"1.0\" encoding='iso-8859-1'?><a>\xb5s</a>",
			"<?xml version=\"1.0\" encoding='iso-8859-1'?><a>µs</a>", "info", "windows-1252",
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			text, notes := Decode(test.raw)
			if text != test.want {
				t.Errorf("got  %q\nwant %q", text, test.want)
			}
			if test.severity == "" {
				if len(notes) != 0 {
					t.Errorf("notes %+v", notes)
				}
				return
			}
			if len(notes) != 1 || notes[0].Code != "encoding" || notes[0].Severity != test.severity || !strings.Contains(notes[0].Message, test.message) {
				t.Fatalf("notes %+v, want one %s with %q", notes, test.severity, test.message)
			}
			if strings.Contains(test.want, Replacement) && !strings.HasPrefix(text[notes[0].Offset:], Replacement) {
				t.Errorf("the note is at %d, before %.10q", notes[0].Offset, text[notes[0].Offset:])
			}
		})
	}
}

func TestDecodeTerminal(t *testing.T) {
	tests := []struct {
		name, raw, want string
		codes           string
	}{
		{"crlf", "a\r\nb\r\n", "a\nb\n", ""},
		{"lone cr", "a\rb\r", "a\nb\n", ""},
		{"cr cr lf", "a\r\r\nb", "a\n\nb", ""},
		{"colour", "Average: \x1b[1;34m1394.2 ops/s\x1b[0m\n", "Average: 1394.2 ops/s\n", ""},
		{"colour within a number", "13\x1b[0m94.2\n", "1394.2\n", ""},
		{"colours of many parts", "\x1b[38;2;10;20;30m1394.2\x1b[m", "1394.2", ""},
		{"no end", "\x1b[1;34", "\uFFFD[1;34", "escape"},
		{"bracket alone", "\x1b[1394.2 ops/s", "\uFFFD[1394.2 ops/s", "escape"},
		{"bracket and integer", "\x1b[1394 ops/s", "\uFFFD[1394 ops/s", "escape"},
		{"bracket and unit", "\x1b[1394MB/s", "\uFFFD[1394MB/s", "escape"},
		{"bracket lost", "\x1b1394.2", "\uFFFD1394.2", "escape"},
		{"saved cursor or a number", "\x1b768.5", "\uFFFD768.5", "escape"},
		{"saved cursor", "\x1b7text\x1b8", "text ", ""},
		{"erase", "10%\x1b[2K\x1b[K20", "10%20", ""},
		{"cursor forward", "12\x1b[5C34", "12 34", ""},
		{"cursor home", "\x1b[H\x1b[2Jtext", "text", ""},
		{"private mode", "\x1b[?2004htext\x1b[?2004l", "text", ""},
		{"cursor shape", "\x1b[4 qtext", "text", ""},
		{"title", "\x1b]0;my window\atext", "text", ""},
		{"link", "\x1b]8;;http://x\x1b\\text\x1b]8;;\x1b\\", "text", ""},
		{"title without end", "\x1b]0;1394.2\nnext", "\uFFFD]0;1394.2\nnext", "escape"},
		{"device string", "\x1bPq12\x1b\\text", "text", ""},
		{"character set", "\x1b(Btext\x1b(0", "text", ""},
		{"esc at the end", "text\x1b", "text\uFFFD", "escape"},
		{"bold by overstrike", "B\bBo\bol\bld\bd 1\b13\b3", "Bold 13", ""},
		{"underline by overstrike", "_\b1_\b2", "12", ""},
		{"progress", "10%\b\b\b20%\b\b\b30% done\n1394.2", "30% done\n1394.2", ""},
		{"backspace, nothing over", "1394.2\b\b\n", "1394.2\n", ""},
		{"backspace at the beginning", "\b\b12", "12", ""},
		{"backspace keeps its line", "ab\n\bc", "ab\nc", ""},
		{"wide over narrow", "ab\b\b–x", "–x", ""},
		{"nul within", "13\x0094.2 and more text", "13\uFFFD94.2 and more text", "nul"},
		{"nul behind", "text\n\x00\x00\x00", "text\n", "nul"},
		{"nul and escape", "a\x00b\x1b[1;3", "a\uFFFDb\uFFFD[1;3", "nul,escape"},
		{"mark behind an escape", "\x1b[0m\uFEFFtext", "text", ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			text, notes := Decode(test.raw)
			if text != test.want {
				t.Errorf("got  %q\nwant %q", text, test.want)
			}
			var codes []string
			for _, n := range notes {
				codes = append(codes, n.Code)
			}
			if got := strings.Join(codes, ","); got != test.codes {
				t.Errorf("notes %q, want %q", got, test.codes)
			}
		})
	}
}

// A note's place must follow the text through what is taken out before it.
func TestDecodeNotePlaces(t *testing.T) {
	raw := "\x1b[1mone\r\ntwo\b\b\btoo\r\nB\xc3\xbcro \xff end\x1b[0m\r\nx\x00y\r\n"
	text, notes := Decode(raw)
	if want := "one\ntoo\nBüro \uFFFD end\nx\uFFFDy\n"; text != want {
		t.Fatalf("got %q, want %q", text, want)
	}
	d := New("in", text)
	for i, want := range []string{"3:7", "4:2"} {
		o := d.Origin(notes[i].Offset, "")
		if got := o.String(); got != "in:"+want {
			t.Errorf("%s: at %s, want %s", notes[i].Code, got, want)
		}
	}
}

// What needs nothing done to it must not be copied.
func TestDecodeCopiesNothing(t *testing.T) {
	raw := strings.Repeat("EXT4 ...... 86.08 |======\n", 1000)
	if n := testing.AllocsPerRun(10, func() { Decode(raw) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func FuzzDecode(f *testing.F) {
	for _, s := range []string{
		"plain", "B\xfcro", "\xff\xfea\x00", "\x1b[1;34m1394.2", "a\bb", "\r\r\n", "\x00\x00", "\x1b]0;x\a",
		"<meta charset=gbk>\xb9\xcc", "<?xml version='1.0' encoding='x'?>", "\xef\xbb\xbfx", "\x1b\x1b[m\uFEFF",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, raw string) {
		text, notes := Decode(raw)
		if !utf8.ValidString(text) {
			t.Fatalf("not UTF-8: %q", text)
		}
		if i := strings.IndexAny(text, "\r\x00\x1b\b"); i >= 0 {
			t.Fatalf("%q left at %d of %q", text[i], i, text)
		}
		for _, n := range notes {
			if n.Offset < -1 || n.Offset > len(text) {
				t.Fatalf("note at %d of %d bytes: %+v", n.Offset, len(text), n)
			}
		}
		// Decoded text is text: doing it again changes nothing, but for a
		// document that declares an encoding it no longer has.
		if e, _ := declared(text); e != nil {
			return
		}
		again, notes := Decode(text)
		if again != text {
			t.Fatalf("decoding again changed\n%q to\n%q", text, again)
		}
		if len(notes) != 0 {
			t.Fatalf("decoding again notes %+v", notes)
		}
	})
}
