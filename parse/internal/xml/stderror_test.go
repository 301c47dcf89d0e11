package xml

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/benchproof/benchproof/internal/number"
)

// The fast way must give the digits of the exact one, or say that it is not
// sure.
func TestFastStdErrorIsExact(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	const rounds = 20_000
	sure := 0
	for range rounds {
		n, places := 2+rng.IntN(12), rng.IntN(5)
		base, spread := rng.Float64()*pow10[rng.IntN(8)], pow10[rng.IntN(5)]
		runs := make([]string, n)
		for i := range runs {
			runs[i] = fmt.Sprintf("%.*f", places, base+spread*rng.NormFloat64()/10)
		}
		if check(t, runs) {
			sure++
		}
	}
	if sure < rounds*9/10 {
		t.Errorf("the fast way was sure of %d of %d only", sure, rounds)
	}
}

// check compares both ways, and reports whether the fast one was sure.
func check(t *testing.T, runs []string) bool {
	t.Helper()
	got, ok := fastStdError(nil, runs)
	if want := number.StdError(runs); ok && string(got) != want {
		t.Fatalf("%v: got %s, want %s", runs, got, want)
	}
	return ok
}

func TestFastStdError(t *testing.T) {
	for _, test := range []struct {
		runs string
		sure bool
	}{
		{"1:1", true},
		{"0:0:0", true},
		{"-1:1", true},
		{"+1.5:-2", true},
		{"1:2:3", true},
		{"100000:200000", true},
		{"4983.3:5027.7:5028.7", true},
		{"0.001:0.002", true},
		{"0.0000001:0.0000002", true},
		{"999999999999999:999999999999998", true},
		{".5:5.", true},
		// Half of a unit of the sixth digit, exactly.
		{"0:0.0000246913", false},
		{"0:200001", false},
		{"1", false},
		{"1:1e3", false},
		{"1:NaN", false},
		{"1:", false},
		{"1:-", false},
		{"1:1.2.3", false},
		{"1234567890123456:1", false},
		{"0:1000000000", false},
		{"0.00000000001:100000", false},
		{strings.Repeat("1:", 40) + "1", false},
	} {
		if sure := check(t, strings.Split(test.runs, ":")); sure != test.sure {
			t.Errorf("%s: sure %v, want %v", test.runs, sure, test.sure)
		}
	}
}

func FuzzFastStdError(f *testing.F) {
	f.Add("1:2:3")
	f.Add("4983.3:5027.7:5028.7")
	f.Fuzz(func(t *testing.T, runs string) {
		if len(runs) < 300 {
			check(t, strings.Split(runs, ":"))
		}
	})
}

// Of very many runs the standard error is worked out in floating point.
func TestStdErrorOfManyRuns(t *testing.T) {
	// 0 and 2 by turns: the sum of squares about 1 is n.
	n := 2 * exactRuns
	runs := strings.Split(strings.TrimSuffix(strings.Repeat("0:2:", n/2), ":"), ":")
	r := &reader{}
	if got, want := r.stdError(runs), number.StdError(runs); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	runs[7] = "PASS"
	if got := r.stdError(runs); got != "" {
		t.Errorf("got %s of what is no number", got)
	}
}
