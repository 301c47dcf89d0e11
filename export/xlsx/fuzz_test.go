package xlsx

import (
	"encoding/xml"
	"math/big"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/benchproof/benchproof/internal/term"
	"github.com/benchproof/benchproof/result"
)

// code is what a workbook's text has in the place of a character that XML cannot
// hold (ECMA-376 part 1, 22.9.2.19).
var code = regexp.MustCompile(`_x[0-9A-Fa-f]{4}_`)

// FuzzCell: a cell's text, read as XML and its codes undone, is what the record
// says, made visible; a number is the printed one to its last place, shown with
// the digits that were printed, or stays text.
func FuzzCell(f *testing.F) {
	for _, s := range []string{
		"", "=1+1", "_x000D_", "_x000D_x000D_", "_x005F_x000D_", "__x0041__", "a&b<c>]]>", "\x00\r\n\t", "\ufffe\uffff", "\xff", " a ",
		"12.50", "-0.00", "+3", "007", "1.5e+06", "9007199254740993", "123456789012345", "0.000000000000001", "1e-300", "5.", "😀",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		c := figureCell(text)
		switch v := c.value.(type) {
		case nil:
			if text != "" {
				t.Errorf("%q is an empty cell", text)
			}
			return
		case float64:
			printed, ok := new(big.Rat).SetString(text)
			if !ok {
				t.Fatalf("%q became %v", text, v)
			}
			stored, err := strconv.ParseFloat(string(appendNumber(nil, v)), 64)
			if err != nil || stored != v {
				t.Errorf("%v is stored as %s", v, appendNumber(nil, v))
			}
			// What the format shows of the number is the printed one, exactly.
			decimals := result.Decimals(c.look.format)
			shown := strconv.FormatFloat(v, 'f', decimals, 64)
			if strings.Contains(c.look.format, "E") {
				shown = strconv.FormatFloat(v, 'E', decimals, 64)
			}
			if x, ok := new(big.Rat).SetString(shown); !ok || x.Cmp(printed) != 0 {
				t.Errorf("%q is shown as %s by %s", text, shown, c.look.format)
			}
			return
		case string:
			if v != term.VisibleLines(text) {
				t.Errorf("%q became the text %q", text, v)
			}
		default:
			t.Fatalf("%q became %T", text, v)
		}
		text = c.value.(string)
		var got struct {
			Text string `xml:",chardata"`
		}
		doc := append(appendText([]byte("<t>"), literal(text)), "</t>"...)
		if err := xml.Unmarshal(doc, &got); err != nil {
			t.Fatalf("%q is written %s: %v", text, doc, err)
		}
		read := code.ReplaceAllStringFunc(got.Text, func(m string) string {
			n, _ := strconv.ParseUint(m[2:6], 16, 32)
			return string(rune(n))
		})
		if read != text {
			t.Errorf("%q is written %s, which is read as %q", text, doc, read)
		}
		cut, isCut := cutText(text)
		if isCut && !strings.HasPrefix(text, cut) || !isCut && cut != text {
			t.Errorf("%q is cut to %q", text, cut)
		}
	})
}
