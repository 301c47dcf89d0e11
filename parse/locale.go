package parse

import (
	"fmt"
	"slices"
	"strings"

	"github.com/benchproof/benchproof/result"
)

// localize reads the values of a file that are printed with a decimal comma
// or with thousands apart: "1.234,56", "1 234,56", "1,234.56". The value
// becomes the number in the usual form and a note says what was printed.
//
// "1,234" alone is either of two numbers. Where all other commas of its test
// are of one kind it is taken for that, and marked inferred; else it becomes
// ambiguous, with a diagnostic of severity error. So does "1.234" where another
// value of the file has a decimal comma and none has a decimal point. A mark that
// was given decides both.
func localize(f *result.File, mark Mark) {
	switch f.Format {
	case result.FormatText, result.FormatTextCollapsed, result.FormatCSV, result.FormatCapture:
	default:
		return
	}
	commas := mark == MarkComma || mark == MarkUnknown && decimalCommas(f)
	changed := false
	for i := range f.Tests {
		t := &f.Tests[i]
		if commas && groupPoints(f, t, mark) {
			changed = true
		}
		if localizeTest(f, t, mark) {
			changed = true
		}
	}
	if changed {
		// What the reader said of such values no longer holds.
		f.Diagnostics = slices.DeleteFunc(f.Diagnostics, func(d result.Diagnostic) bool {
			return d.Code == "decimal-comma" || d.Code == "thousands-separator"
		})
	}
}

// decimalCommas reports whether the values of a file have decimal commas where
// they have decimals: one has for sure, and none has a point but before three
// digits.
func decimalCommas(f *result.File) bool {
	commas := false
	for i := range f.Tests {
		for k := range f.Tests[i].Measurements {
			value := f.Tests[i].Measurements[k].Value
			switch _, kind := plainNumber(value); kind {
			case commaDecimal:
				commas = true
			case commaThousands:
				return false
			case noLocale:
				if strings.Contains(value, ".") && !pointGroup(value) {
					return false
				}
			}
		}
	}
	return commas
}

// pointGroup reports whether a number is one of up to six digits whose point
// may part thousands: "1.234".
func pointGroup(value string) bool {
	digits := strings.TrimLeft(value, "+-")
	return grouped(digits, ".") && strings.Count(digits, ".") == 1 && digits[0] != '0'
}

// groupPoints makes the values ambiguous whose point may part thousands, in a
// file with decimal commas. Where these were given, the point does part them.
func groupPoints(f *result.File, t *result.Test, mark Mark) (changed bool) {
	for i := range t.Measurements {
		m := &t.Measurements[i]
		if !pointGroup(m.Value) || m.Decode == result.DecodeAmbiguous {
			continue
		}
		if mark == MarkComma {
			m.Notes = append(slices.Clip(m.Notes), "printed as "+m.Value)
			m.Value = strings.Replace(m.Value, ".", "", 1)
			changed = true
			continue
		}
		f.Diagnostics = append(f.Diagnostics, result.Diagnostic{
			Severity: result.SeverityError, Origin: m.Origin, Code: "number-ambiguous",
			Message: fmt.Sprintf("the value %q has a point that may part thousands, since other values have decimal commas: --input-decimal says which", m.Value),
		})
		m.Alternatives = []string{strings.Replace(m.Value, ".", "", 1), m.Value}
		m.Notes = append(slices.Clip(m.Notes), "printed as "+m.Value)
		m.Value, m.Decode = "", result.DecodeAmbiguous
		changed = true
	}
	return changed
}

func localizeTest(f *result.File, t *result.Test, mark Mark) (changed bool) {
	decimal, thousands := false, false // commas whose meaning is sure
	for i := range t.Measurements {
		switch _, kind := plainNumber(t.Measurements[i].Value); kind {
		case commaDecimal:
			decimal = true
		case commaThousands:
			thousands = true
		}
	}
	for i := range t.Measurements {
		m := &t.Measurements[i]
		text, kind := plainNumber(m.Value)
		switch kind {
		case noLocale:
			continue
		case commaEither:
			whole, fraction, _ := strings.Cut(text, ",")
			switch {
			case mark == MarkComma:
				text = whole + "." + fraction
			case mark == MarkPoint:
				text = whole + fraction
			case decimal && !thousands:
				text = whole + "." + fraction
				m.Decode = max(m.Decode, result.DecodeInferred)
			case thousands && !decimal:
				text = whole + fraction
				m.Decode = max(m.Decode, result.DecodeInferred)
			default:
				f.Diagnostics = append(f.Diagnostics, result.Diagnostic{
					Severity: result.SeverityError, Origin: m.Origin, Code: "number-ambiguous",
					Message: fmt.Sprintf("the value %q has a comma that may be a decimal one or part thousands: --input-decimal says which", m.Value),
				})
				m.Alternatives = []string{whole + "." + fraction, whole + fraction}
				m.Notes = append(slices.Clip(m.Notes), "printed as "+m.Value)
				m.Value, m.Decode = "", result.DecodeAmbiguous
				changed = true
				continue
			}
		}
		m.Notes = append(slices.Clip(m.Notes), "printed as "+m.Value)
		m.Value = text
		changed = true
	}
	return changed
}

// localeKind says what the marks in a printed number are.
type localeKind uint8

const (
	noLocale       localeKind = iota // a plain number, or none at all
	commaDecimal                     // "1.234,5", "12,5", "1 234,5", "1.234.567"
	commaThousands                   // "1,234.5", "1,234,567"
	commaEither                      // "1,234"
	spaced                           // "1 234" or "1 234.5"
)

// plainNumber returns a number with marks of a locale in the usual form, and
// what the marks were; "1,234" as it is.
func plainNumber(value string) (string, localeKind) {
	const longest = 40
	if len(value) > longest || value == "" {
		return value, noLocale
	}
	if _, ok := result.ParseNumber(value); ok {
		return value, noLocale
	}
	sign, digits := "", value
	if value[0] == '-' || value[0] == '+' {
		sign, digits = value[:1], value[1:]
	}
	// White space and the apostrophe part thousands, whatever the rest is.
	apart := strings.NewReplacer("\u202f", " ", "\u00a0", " ", "\u2009", " ", "'", " ", "\u2019", " ").Replace(digits)
	commas, points, spaces := strings.Count(apart, ","), strings.Count(apart, "."), strings.Count(apart, " ")
	for _, c := range apart {
		if (c < '0' || c > '9') && c != ',' && c != '.' && c != ' ' {
			return value, noLocale
		}
	}
	if spaces > 0 && commas+points > 1 {
		return value, noLocale
	}
	last := strings.LastIndexAny(apart, ",.")
	if spaces > 0 {
		whole, fraction, mark := apart, "", ""
		if last >= 0 {
			whole, fraction, mark = apart[:last], apart[last+1:], "."
		}
		if !grouped(whole, " ") || mark != "" && fraction == "" || strings.Contains(fraction, " ") {
			return value, noLocale
		}
		kind := spaced
		if commas > 0 {
			kind = commaDecimal
		}
		return sign + strings.ReplaceAll(whole, " ", "") + mark + fraction, kind
	}
	switch {
	case commas == 1 && points == 0:
		whole, fraction, _ := strings.Cut(apart, ",")
		switch {
		case whole == "" || fraction == "":
			return value, noLocale
		case len(fraction) == 3 && len(whole) <= 3 && whole[0] != '0':
			return value, commaEither
		}
		return sign + whole + "." + fraction, commaDecimal
	case commas == 1 && points >= 1 && apart[last] == ',' && grouped(apart[:last], ".") && last+1 < len(apart):
		return sign + strings.ReplaceAll(apart[:last], ".", "") + "." + apart[last+1:], commaDecimal
	case points == 1 && commas >= 1 && apart[last] == '.' && grouped(apart[:last], ",") && last+1 < len(apart):
		return sign + strings.ReplaceAll(apart[:last], ",", "") + apart[last:], commaThousands
	case commas > 1 && points == 0 && apart[0] != '0' && grouped(apart, ","):
		// The forms that are read so print no lists.
		return sign + strings.ReplaceAll(apart, ",", ""), commaThousands
	case points > 1 && commas == 0 && apart[0] != '0' && grouped(apart, "."):
		return sign + strings.ReplaceAll(apart, ".", ""), commaDecimal
	}
	return value, noLocale
}

// grouped reports whether text is digits in groups of three, the first of one
// to three, with a separator between.
func grouped(text, separator string) bool {
	parts := strings.Split(text, separator)
	for i, p := range parts {
		if i == 0 && (p == "" || len(p) > 3) || i > 0 && len(p) != 3 || strings.Trim(p, "0123456789") != "" {
			return false
		}
	}
	return len(parts) > 1
}
