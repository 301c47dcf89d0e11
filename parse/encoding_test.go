package parse

import (
	"strings"
	"testing"

	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/unicode"

	"github.com/benchproof/benchproof/parse/internal/oracle"
	"github.com/benchproof/benchproof/result"
)

func TestEncodings(t *testing.T) {
	encode := func(e interface {
		String(string) (string, error)
	}, s string,
	) string {
		out, err := e.String(s)
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	want := mustRead(t, smallText, 1)[0]
	if len(want.Diagnostics) != 0 {
		t.Fatalf("diagnostics of the plain text: %v", want.Diagnostics)
	}
	same(t, "values", values(want), []string{
		"SQLite 3.22 Timed SQLite Insertions|Büro SSD|86.08",
		"SQLite 3.22 Timed SQLite Insertions|Keller|299.63",
		"PostMark 1.51 Disk Transaction Performance|Büro SSD|5769",
		"PostMark 1.51 Disk Transaction Performance|Keller|1096",
	})
	coloured := strings.ReplaceAll(smallText, "86.08", "\x1b[1;34m86.08\x1b[0m")
	coloured = strings.ReplaceAll(coloured, "1096", "1\x1b[1m096\x1b[m")
	tests := []struct {
		name, raw string
		codes     string // of the diagnostics
	}{
		{"utf-8 with mark", "\xef\xbb\xbf" + smallText, ""},
		{"utf-16le", encode(unicode.UTF16(unicode.LittleEndian, unicode.UseBOM).NewEncoder(), smallText), "info encoding"},
		{"utf-16be", encode(unicode.UTF16(unicode.BigEndian, unicode.UseBOM).NewEncoder(), smallText), "info encoding"},
		{"utf-16le without mark", encode(unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM).NewEncoder(), smallText), "info encoding"},
		{"utf-16be without mark", encode(unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM).NewEncoder(), smallText), "info encoding"},
		{"latin-1", encode(charmap.ISO8859_1.NewEncoder(), smallText), "warning encoding"},
		{"crlf", strings.ReplaceAll(smallText, "\n", "\r\n"), ""},
		{"cr", strings.ReplaceAll(smallText, "\n", "\r"), ""},
		{"colours", coloured, ""},
		{"overstrikes", strings.ReplaceAll(smallText, "86.08", "8\b86\b6.\b.0\b08\b8"), ""},
		{"nuls behind", smallText + strings.Repeat("\x00", 100), "warning nul"},
		{"page in latin-1", "<html><meta charset=latin1><pre>" + strings.ReplaceAll(encode(charmap.ISO8859_1.NewEncoder(), smallText), "<", "&lt;") + "</pre>", "info encoding"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got := mustRead(t, test.raw, 1)[0]
			var codes []string
			for _, d := range got.Diagnostics {
				codes = append(codes, string(d.Severity)+" "+d.Code)
			}
			if got := strings.Join(codes, ","); got != test.codes {
				t.Errorf("diagnostics %q, want %q", got, test.codes)
			}
			for _, line := range oracle.Diff(got, want, oracle.Options{Order: true}) {
				t.Error(line)
			}
			for i := range got.Tests {
				for k, m := range got.Tests[i].Measurements {
					if want := want.Tests[i].Measurements[k].Origin.Line; m.Origin.Line != want {
						t.Errorf("%q is said to be on line %d, want %d", m.Value, m.Origin.Line, want)
					}
				}
			}
		})
	}
}

func TestDamagedByte(t *testing.T) {
	raw := strings.Replace(smallText, "Of two", "Of \xfftwo", 1)
	f := mustRead(t, raw, 1)[0]
	if f.Description != "Of \uFFFDtwo machines." {
		t.Errorf("description %q", f.Description)
	}
	if len(f.Diagnostics) != 1 || f.Diagnostics[0].String() != "in:2:4: warning: read as UTF-8; 1 place in it is no character, shown as U+FFFD, the first one here" {
		t.Errorf("diagnostics %v", f.Diagnostics)
	}
}

// A broken escape sequence must not eat into a value, nor a NUL join two; nor
// may what they leave pass for a value.
func TestNoValueFromDamage(t *testing.T) {
	for _, damage := range []string{"\x1b[86.08", "\x1b86.08", "86\x00.08", "\x1b]86.08"} {
		f := mustRead(t, strings.Replace(smallText, "86.08", damage, 1), 1)[0]
		for _, m := range f.Tests[0].Measurements {
			if m.System == 0 && (m.Value != "" || m.Decode != result.DecodeAmbiguous) {
				t.Errorf("%q: read as %s %q", damage, m.Decode, m.Value)
			}
		}
		codes := ""
		for _, d := range f.Diagnostics {
			codes += " " + d.Code
		}
		if !strings.Contains(codes, "damaged-value") && len(f.Tests[0].Measurements) == 2 {
			t.Errorf("%q: diagnostics%s", damage, codes)
		}
	}
}
