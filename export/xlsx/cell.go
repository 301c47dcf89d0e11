package xlsx

import (
	"strconv"
	"strings"
	"time"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/benchproof/benchproof/internal/term"
	"github.com/benchproof/benchproof/result"
)

// look is how a cell is shown.
type look struct {
	format string // number format; "" for text
	tone   tone
	wrap   bool
	right  bool // set flush right, as numbers are
	indent bool
}

type tone uint8

const (
	normal    tone = iota
	header         // bold on grey
	inferred       // italic: not certain
	faded          // grey: in words, or inherited
	uncertain      // grey italic
	total          // bold: over all tests
	heading        // large and bold
	small          // smaller and grey
)

// cell is a typed value with its look.
type cell struct {
	value any // string, float64, int, bool or nil
	// formula works value out of other cells, "" if there is none.
	formula string
	look    look
	// width is what it takes to show it in one line, in digits.
	width int
}

// maxCellUnits is the number of UTF-16 units that a cell takes.
const maxCellUnits = 32767

// textCell returns text as a plain string. Control characters but newlines
// and tabs are made visible: a workbook cannot hold them.
func textCell(text string) cell {
	if text == "" {
		return cell{}
	}
	text = term.VisibleLines(text)
	return cell{value: text, width: textWidth(text)}
}

// figureCell returns printed text as a number with the printed number of
// decimals, or as text where it is none, or where a number cell would show
// or keep other digits.
func figureCell(text string) cell {
	v, ok := result.ParseNumber(text)
	if !ok {
		return textCell(text)
	}
	format, ok := numberFormat(text, v)
	if !ok {
		return textCell(text)
	}
	return cell{value: v, look: look{format: format}, width: len(text)}
}

// spreadsheetDigits is the number of significant digits that spreadsheets
// keep and show.
const spreadsheetDigits = 15

var withoutSigns = strings.NewReplacer("-", "", "+", "", ".", "")

// numberFormat returns the format that shows v as text prints it, and false
// where there is none.
func numberFormat(text string, v float64) (string, bool) {
	mantissa, exponent, scientific := text, "", false
	if i := strings.IndexAny(text, "eE"); i >= 0 {
		mantissa, exponent, scientific = text[:i], text[i+1:], true
	}
	digits := strings.TrimLeft(withoutSigns.Replace(mantissa), "0")
	decimals := result.Decimals(mantissa)
	if len(digits) > spreadsheetDigits || decimals > spreadsheetDigits {
		return "", false
	}
	if v == 0 && strings.HasPrefix(text, "-") {
		return "", false // a sign that would not be shown
	}
	format := "0"
	if decimals > 0 {
		format += "." + strings.Repeat("0", decimals)
	}
	if !scientific {
		// What is shown must be what is printed, but for a plus sign
		// and zeros before the first digit.
		return format, samePrinted(strconv.FormatFloat(v, 'f', decimals, 64), text)
	}
	if exponent = strings.TrimLeft(exponent, "+-0"); len(exponent) > 2 {
		return "", false
	}
	whole, _, _ := strings.Cut(strings.TrimLeft(mantissa, "+-"), ".")
	if len(whole) != 1 || whole == "0" {
		return "", false
	}
	return format + "E+00", true
}

func samePrinted(a, b string) bool {
	plain := func(s string) string {
		sign := ""
		if strings.HasPrefix(s, "-") {
			sign = "-"
		}
		return sign + strings.TrimLeft(s, "+-0")
	}
	return plain(a) == plain(b)
}

// timeCell returns a time as published, "2025-01-31 00:02:48", as one that
// spreadsheets sort and reckon with, and other text as it is.
func timeCell(text string) cell {
	t, err := time.Parse(time.DateTime, text)
	if err != nil || t.Year() <= 1900 {
		return textCell(text)
	}
	days := t.Sub(time.Date(1899, 12, 30, 0, 0, 0, 0, time.UTC)).Hours() / 24
	return cell{value: days, look: look{format: "yyyy-mm-dd hh:mm:ss"}, width: len(time.DateTime)}
}

// countCell returns a whole number, and an empty cell for 0, the record's
// word for unknown.
func countCell(n int) cell {
	if n == 0 {
		return cell{}
	}
	return cell{value: n, look: look{format: "0"}, width: len(strconv.Itoa(n))}
}

// cutText returns text cut to what a cell takes, and whether it was cut.
func cutText(text string) (string, bool) { return cutTo(text, maxCellUnits) }

// cutTo returns text cut to a number of UTF-16 units, and whether it was cut.
func cutTo(text string, units int) (string, bool) {
	if len(text) <= units {
		return text, false
	}
	for i, r := range text {
		n := utf16.RuneLen(r)
		if n < 0 {
			n = utf16.RuneLen(utf8.RuneError)
		}
		if units -= n; units < 0 {
			return text[:i], true
		}
	}
	return text, false
}
