package number

import (
	"math"
	"math/big"
	"strconv"
	"strings"
	"testing"

	"github.com/benchproof/benchproof/result"
)

// A figure rounded to n digits is read as the number nearest to it of that many
// digits, rounds to itself, and has no digit more.
func FuzzSignificant(f *testing.F) {
	for _, v := range []float64{0, 1, -1, 1234567, 0.1, 9.995, 1e-9, 9.999999e-10, 1e15, 999999999999999.9, 5e-324, math.MaxFloat64, math.NaN(), math.Inf(1)} {
		f.Add(v, 6)
	}
	f.Fuzz(func(t *testing.T, v float64, n int) {
		n = 1 + int(uint(n)%15)
		text := Significant(v, n)
		if math.IsNaN(v) || math.IsInf(v, 0) {
			if text != "" {
				t.Errorf("%v is %q", v, text)
			}
			return
		}
		got, ok := new(big.Rat).SetString(text)
		if !ok {
			t.Fatalf("%v is %q", v, text)
		}
		// As the library rounds, exactly, to n digits.
		want, _ := new(big.Rat).SetString(strconv.FormatFloat(v, 'e', n-1, 64))
		if got.Cmp(want) != 0 {
			t.Errorf("%v to %d digits is %q, want %s", v, n, text, want.FloatString(20))
		}
		mantissa, _, _ := strings.Cut(text, "e")
		digits := strings.Trim(strings.NewReplacer("-", "", ".", "").Replace(mantissa), "0")
		if len(digits) > n {
			t.Errorf("%v to %d digits is %q", v, n, text)
		}
		if x, err := strconv.ParseFloat(text, 64); err == nil && Significant(x, n) != text {
			t.Errorf("%v to %d digits is %q, that again %q", v, n, text, Significant(x, n))
		}
	})
}

// The standard error of runs does not depend on their order, is 0 for equal
// ones alone, and is the one that floating point gives as far as that goes.
func FuzzStdError(f *testing.F) {
	f.Add("1.5", "2", "3.25")
	f.Add("1e400", "-1e-400", "0")
	f.Add("1e999999999", "1", "1")
	f.Add("NaN", "PASS", "1/3")
	f.Add("0x1p4", "1_000", "+1")
	f.Fuzz(func(t *testing.T, a, b, c string) {
		got := StdError([]string{a, b, c})
		if other := StdError([]string{c, a, b}); other != got {
			t.Errorf("%q and, in another order, %q", got, other)
		}
		var v [3]float64
		for i, s := range []string{a, b, c} {
			x, ok := result.ParseNumber(s)
			if !ok && got != "" {
				t.Fatalf("%q of %q, which is no number", got, s)
			}
			if !ok || got == "" {
				return
			}
			v[i] = x
		}
		se, err := strconv.ParseFloat(got, 64)
		if err != nil || !(se >= 0) {
			t.Fatalf("%q of %q %q %q", got, a, b, c)
		}
		mean := v[0]/3 + v[1]/3 + v[2]/3
		big := max(math.Abs(v[0]), math.Abs(v[1]), math.Abs(v[2]))
		if !(big < 1e150) || big < 1e-150 {
			return // the squares are beyond floating point
		}
		want := math.Sqrt(((v[0]-mean)*(v[0]-mean) + (v[1]-mean)*(v[1]-mean) + (v[2]-mean)*(v[2]-mean)) / 6)
		if math.Abs(se-want) > 1e-5*want+1e-12*big {
			t.Errorf("%q of %q %q %q, want %v", got, a, b, c, want)
		}
	})
}
