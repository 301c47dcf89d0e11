package analyze

import (
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/benchproof/benchproof/result"
	"pgregory.net/rapid"
)

// TestChange: percentages worked out by hand, with the digits that the printed
// values bear.
func TestChange(t *testing.T) {
	for _, tt := range []struct {
		name, scale string
		better      result.Proportion
		base, value string
		want        string
	}{
		// 130.26/143.62 = 0.90698
		{"less time", "Seconds", result.LIB, "143.62", "130.26", "9.3 % less time than A"},
		{"more time", "ms", result.LIB, "130.26", "143.62", "10 % more time than A"},
		// 112.4/100.1 = 1.1229
		{"more of a rate", "MB/s", result.HIB, "100.1", "112.4", "12 % more MB/s than A"},
		{"less of a rate", "MB/s", result.HIB, "472", "128", "73 % less MB/s than A"},
		// 299.63/86.08 = 3.4808
		{"more than twice", "Seconds", result.LIB, "86.08", "299.63", "248 % more time than A"},
		{"not known which is better", "MB/s", result.ProportionUnknown, "100", "112", "12 % more MB/s than A"},
		{"no unit", "", result.HIB, "100", "112", "12 % more than A"},
		{"percents of percents", "% of peak", result.HIB, "50.0", "56.0", "12 % more than A"},
		// 3 of 2.5 to 3.5, 2 of 1.5 to 2.5: from no difference to 133 % more.
		{"all within rounding", "MB/s", result.HIB, "2", "3", "no difference from A beyond the rounding of the values"},
		// 1.4/1.0; 1.35/1.05 = 1.29, 1.45/0.95 = 1.53: an error of 12, so that units are open.
		{"one digit", "MB/s", result.HIB, "1.0", "1.4", "40 % more MB/s than A"},
		// 6.1/5.7 = 1.0702; 6.05/5.75 = 1.052, 6.15/5.65 = 1.088: an error of 1.8.
		{"units alone", "MB/s", result.HIB, "5.7", "6.1", "7 % more MB/s than A"},
		// 27/25 = 1.08; 26.5/25.5 = 1.0392, 27.5/24.5 = 1.1224: an error of 4.2.
		{"no digit sure", "MB/s", result.HIB, "25", "27", "3.9 to 12.3 % more MB/s than A"},
		// 24.5/27.5 = 0.8909, 25.5/26.5 = 0.9623
		{"no digit sure, and less", "Seconds", result.LIB, "27", "25", "3.7 to 11.0 % less time than A"},
		{"the same", "MB/s", result.HIB, "10", "10", "the same as A"},
		// 0.0012 % more, and the error is 0.0001 %.
		{"small", "MB/s", result.HIB, "1000000.0", "1000012.0", "0.0012 % more MB/s than A"},
		{"out of all proportion", "MB/s", result.HIB, "1e-290", "1e10", "1e+302 % more MB/s than A"},
		{"zero", "MB/s", result.HIB, "10", "0", ""},
		{"of zero", "MB/s", result.HIB, "0", "10", ""},
		{"negative", "MB/s", result.HIB, "-10", "10", ""},
		{"a value that may be zero", "MB/s", result.HIB, "0", "0", ""},
		{"failed", "MB/s", result.HIB, "10", "failed", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			test := row("T", tt.better, tt.base, tt.value)
			test.Scale = tt.scale
			c := compare(t, CompareOptions{}, file("A,B", test))
			if got := c.Rows[0].Change(); got != tt.want {
				t.Errorf("%q, want %q", got, tt.want)
			}
		})
	}
}

// TestChangeHolds: the printed percentage is within half a unit of its last digit
// of that of the printed values, and all that rounding allows within two units
// more; a range holds all of it.
func TestChangeHolds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		places := rapid.IntRange(0, 4).Draw(t, "places")
		draw := func(label string) (text string, v, half float64) {
			n := rapid.IntRange(1, 100_000).Draw(t, label)
			text = strconv.FormatFloat(float64(n)/math.Pow10(places), 'f', places, 64)
			return text, float64(n), 0.5
		}
		baseText, b, half := draw("baseline")
		text, v, _ := draw("value")
		test := row("T", result.HIB, baseText, text)
		test.Scale = ""
		c, err := Compare(NewSet([]*result.File{file("A,B", test)}), CompareOptions{})
		if err != nil {
			t.Fatal(err)
		}
		got := c.Rows[0].Change()
		change, low, high := 100*(v/b-1), 100*((v-half)/(b+half)-1), 100*((v+half)/(b-half)-1)
		if v == b || low <= 1e-9 && high >= -1e-9 {
			if strings.Contains(got, "%") {
				t.Fatalf("%s and %s: %q", baseText, text, got)
			}
			return
		}
		word := " % more than A"
		if v < b {
			word, change, low, high = " % less than A", -change, -high, -low
		}
		figure, ok := strings.CutSuffix(got, word)
		if !ok {
			t.Fatalf("%s and %s: %q", baseText, text, got)
		}
		number := func(text string) float64 {
			x, err := strconv.ParseFloat(text, 64)
			if err != nil {
				t.Fatalf("%s and %s: %q", baseText, text, got)
			}
			return x
		}
		if from, to, ok := strings.Cut(figure, " to "); ok {
			if number(from) > low+1e-9 || number(to) < high-1e-9 {
				t.Fatalf("%s and %s: %q, %v to %v", baseText, text, got, low, high)
			}
			return
		}
		// A last digit that is zero and no place behind the point may be
		// rounded to tens or hundreds.
		unit := 2 * result.HalfUnit(figure)
		for unit >= 1 && math.Mod(number(figure), 10*unit) == 0 && (high-low)/2 > 2*unit {
			unit *= 10
		}
		if x := number(figure); math.Abs(x-change) > unit/2+1e-9 || (high-low)/2 > 2*unit+1e-9 || x <= 0 {
			t.Fatalf("%s and %s: %q, is %v of %v to %v", baseText, text, got, change, low, high)
		}
	})
}
