package xlsx

import (
	"strings"
	"testing"

	"github.com/xuri/excelize/v2"
	"pgregory.net/rapid"

	"github.com/benchproof/benchproof/result"
)

func TestFigureCell(t *testing.T) {
	for _, tt := range []struct {
		text   string
		format string // "" for a text cell
	}{
		{"274.00", "0.00"},
		{"476", "0"},
		{"-0.5", "0.0"},
		{"+3", "0"},
		{".5", "0.0"},
		{"007", "0"},
		{"0", "0"},
		{"-0.00", ""}, // would be shown without its sign
		{"0.000", "0.000"},
		{"123456789012345", "0"},
		{"1234567890123456", ""},
		{"9007199254740993", ""},
		{"0.1234567890123456", ""},
		{"123456.1234567890", ""},
		{"1.5e+06", "0.0E+00"},
		{"1.50e-300", ""},
		{"15e3", ""},
		{"0.5e3", ""},
		{"NaN", ""},
		{"PASS", ""},
		{"1,2,3", ""},
		{"5.", ""},
	} {
		c := figureCell(tt.text)
		_, text := c.value.(string)
		if c.look.format != tt.format || text != (tt.format == "") {
			t.Errorf("%q: format %q, value %v, want %q", tt.text, c.look.format, c.value, tt.format)
		}
	}
}

// TestShownAsPrinted: a number cell shows what was printed, digit for digit,
// but for a plus sign and the zeros before the first digit.
func TestShownAsPrinted(t *testing.T) {
	x := excelize.NewFile()
	defer x.Close()
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringMatching(`[+-]?[0-9]{1,12}(\.[0-9]{1,8})?(e[+-]?[0-9]{1,2})?`).Draw(t, "text")
		c := figureCell(text)
		v, ok := c.value.(float64)
		if !ok {
			if c.value != text {
				t.Fatalf("%q became the text %v", text, c.value)
			}
			return
		}
		if n, _ := result.ParseNumber(text); n != v {
			t.Fatalf("%q became %v", text, v)
		}
		if err := x.SetCellValue("Sheet1", "A1", v); err != nil {
			t.Fatal(err)
		}
		id, err := x.NewStyle(&excelize.Style{CustomNumFmt: &c.look.format})
		if err != nil {
			t.Fatal(err)
		}
		if err := x.SetCellStyle("Sheet1", "A1", "A1", id); err != nil {
			t.Fatal(err)
		}
		shown, err := x.GetCellValue("Sheet1", "A1")
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(text, "e") {
			return // compared as numbers above; the library shows exponents its own way
		}
		if !samePrinted(shown, text) {
			t.Fatalf("%q is shown as %q by %s", text, shown, c.look.format)
		}
	})
}

func TestCutTo(t *testing.T) {
	for _, tt := range []struct {
		in    string
		units int
		want  string
		cut   bool
	}{
		{"abc", 3, "abc", false},
		{"abcd", 3, "abc", true},
		{"😀😀", 3, "😀", true}, // two units each
		{"日本", 2, "日本", false},
		{"", 0, "", false},
	} {
		if got, cut := cutTo(tt.in, tt.units); got != tt.want || cut != tt.cut {
			t.Errorf("cutTo(%q, %d) = %q, %v, want %q, %v", tt.in, tt.units, got, cut, tt.want, tt.cut)
		}
	}
}

func TestTextLines(t *testing.T) {
	for _, tt := range []struct {
		text  string
		width float64
		want  int
	}{
		{"", 10, 1},
		{"short", 10, 1},
		{"one two three four", 8, 3},
		{"a\nb\n", 10, 3},
		{strings.Repeat("x", 25), 10, 3},
	} {
		if got := textLines(tt.text, tt.width); got != tt.want {
			t.Errorf("textLines(%q, %v) = %d, want %d", tt.text, tt.width, got, tt.want)
		}
	}
}
