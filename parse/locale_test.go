package parse

import (
	"strings"
	"testing"

	"github.com/benchproof/benchproof/result"
)

func TestPlainNumber(t *testing.T) {
	for _, c := range []struct {
		value, want string
		kind        localeKind
	}{
		{"1.234,56", "1234.56", commaDecimal},
		{"1 234,56", "1234.56", commaDecimal},
		{"1\u202f234,56", "1234.56", commaDecimal},
		{"12.345.678,9", "12345678.9", commaDecimal},
		{"1'234.5", "1234.5", spaced},
		{"1\u00a0234", "1234", spaced},
		{"1,234.56", "1234.56", commaThousands},
		{"1,234,567.8", "1234567.8", commaThousands},
		{"1,234,567", "1234567", commaThousands},
		{"-1.234.567", "-1234567", commaDecimal},
		{"-12,5", "-12.5", commaDecimal},
		{"0,123", "0.123", commaDecimal},
		{"1234,567", "1234.567", commaDecimal},
		{"1,234", "1,234", commaEither},
		// Plain numbers, lists and other texts stay.
		{"1.234", "1.234", noLocale},
		{"1234", "1234", noLocale},
		{"1,2,3", "1,2,3", noLocale},
		{"0,234,567", "0,234,567", noLocale},
		{"1,23,456", "1,23,456", noLocale},
		{"1.23.456", "1.23.456", noLocale},
		{"PASS", "PASS", noLocale},
		{"12,", "12,", noLocale},
		{",5", ",5", noLocale},
		{"1 23,4", "1 23,4", noLocale},
		{"1.23,4", "1.23,4", noLocale},
		{"", "", noLocale},
	} {
		if got, kind := plainNumber(c.value); got != c.want || kind != c.kind {
			t.Errorf("%q: got %q, kind %d, want %q, kind %d", c.value, got, kind, c.want, c.kind)
		}
	}
}

// rowsOf returns a CSV export of one test whose systems have the values.
func rowsOf(values ...string) string {
	names := []string{"A", "B", "C"}[:len(values)]
	head := " ;;" + strings.Join(names, ";")
	return ";T;\n\n" + head + "\nOS;;L;L;L\n\n" + head + "\n\"X - a (sec)\";LIB;" + strings.Join(values, ";") + "\n"
}

func TestLocale(t *testing.T) {
	for _, c := range []struct {
		name   string
		values []string
		want   string // value, decode and alternatives of each
		errors int
	}{
		{"sure", []string{"1.234,56", "7,5"}, "1234.56 exact []|7.5 exact []", 0},
		{"by its neighbour", []string{"1,234", "7,5"}, "1.234 inferred []|7.5 exact []", 0},
		{"by its neighbour's thousands", []string{"1,234", "7,500.25"}, "1234 inferred []|7500.25 exact []", 0},
		{"alone", []string{"1,234"}, " ambiguous [1.234 1234]", 1},
		{"beside a plain number", []string{"1,234", "5.5"}, " ambiguous [1.234 1234]|5.5 exact []", 1},
		{"points part thousands", []string{"1.234", "7,5"}, " ambiguous [1234 1.234]|7.5 exact []", 1},
		{"points part thousands of a larger one", []string{"1.234.567", "1.234"}, "1234567 exact []| ambiguous [1234 1.234]", 1},
		{"points are decimal", []string{"1.234", "7.5"}, "1.234 exact []|7.5 exact []", 0},
		{"neither is sure", []string{"1.234", "7,5", "7.5"}, "1.234 exact []|7.5 exact []|7.5 exact []", 0},
		{"neighbours disagree", []string{"1,234", "7,5", "7,500.25"}, " ambiguous [1.234 1234]|7.5 exact []|7500.25 exact []", 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := mustRead(t, rowsOf(c.values...), 1)[0]
			var got []string
			for _, m := range f.Tests[0].Measurements {
				got = append(got, m.Value+" "+m.Decode.String()+" ["+strings.Join(m.Alternatives, " ")+"]")
			}
			if s := strings.Join(got, "|"); s != c.want {
				t.Errorf("got %s, want %s", s, c.want)
			}
			errors := 0
			for _, d := range f.Diagnostics {
				if d.Severity == result.SeverityError && d.Code == "number-ambiguous" && d.Origin.Line == 7 {
					errors++
				}
			}
			if errors != c.errors {
				t.Errorf("%d errors with the line, want %d: %v", errors, c.errors, f.Diagnostics)
			}
		})
	}
	// A mark that was given decides, and changes nothing else.
	for _, c := range []struct {
		mark   Mark
		values []string
		want   string
	}{
		{MarkComma, []string{"1,234"}, "1.234 exact"},
		{MarkPoint, []string{"1,234"}, "1234 exact"},
		{MarkComma, []string{"1.234", "12"}, "1234 exact|12 exact"},
		{MarkPoint, []string{"1.234", "7,5"}, "1.234 exact|7.5 exact"},
		{MarkPoint, []string{"1.234,56", "0.123"}, "1234.56 exact|0.123 exact"},
		{MarkComma, []string{"12.5", "1,234.5"}, "12.5 exact|1234.5 exact"},
	} {
		r, err := NewReader(strings.NewReader(rowsOf(c.values...)), "x.csv", Options{Mark: c.mark})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for f, err := range r.Files() {
			if err != nil {
				t.Fatal(err)
			}
			for _, m := range f.Tests[0].Measurements {
				got = append(got, m.Value+" "+m.Decode.String())
			}
		}
		if s := strings.Join(got, "|"); s != c.want {
			t.Errorf("%v with mark %d: %s, want %s", c.values, c.mark, s, c.want)
		}
	}
	// The same in a text export.
	text := strings.NewReplacer("86.08 ", "86,08 ", "299.63", "299,63").Replace(smallText)
	f := mustRead(t, text, 1)[0]
	if m := f.Tests[0].Measurements[0]; m.Value != "86.08" || strings.Join(m.Notes, "") != "printed as 86,08" {
		t.Errorf("%+v", m)
	}
	for _, d := range f.Diagnostics {
		if d.Code == "decimal-comma" {
			t.Errorf("still said to be no number: %s", d.Message)
		}
	}
}
