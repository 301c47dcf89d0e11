package export

import (
	"slices"
	"strings"
	"testing"

	"github.com/benchproof/benchproof/analyze"
)

// The reasons add up to the tests left out, or it is said of how many they are.
func TestLeftOutText(t *testing.T) {
	reasons := func(list ...string) (out []analyze.LeftOut) {
		for _, r := range list {
			out = append(out, analyze.LeftOut{Reason: r})
		}
		return out
	}
	for _, test := range []struct {
		o    analyze.Overall
		want string
	}{
		{analyze.Overall{LeftOutCount: 3, LeftOut: reasons("a", "b", "a")}, "3 tests: 2 (a), 1 (b)"},
		{analyze.Overall{LeftOutCount: 1, LeftOut: reasons("a")}, "1 test (a)"},
		{analyze.Overall{LeftOutCount: 6, LeftOut: reasons("a", "b", "c", "d", "e", "f")}, "6 tests: 1 (a), 1 (b), 1 (c), 1 (d), …"},
		{analyze.Overall{LeftOutCount: 9666, LeftOut: slices.Repeat(reasons("a"), 1000)}, "9666 tests: of the first 1000, 1000 (a)"},
		{analyze.Overall{LeftOutCount: 2}, "2 tests"},
	} {
		if got := LeftOutText(&test.o); got != test.want {
			t.Errorf("%q, want %q", got, test.want)
		}
	}
}

// TestLeftOutOnce: systems of which as many tests are left out for the same
// reason are named together.
func TestLeftOutOnce(t *testing.T) {
	a, b := []analyze.LeftOut{{Reason: "A: no value"}}, []analyze.LeftOut{{Reason: "A: no value"}, {Reason: "C: no value"}}
	var out strings.Builder
	r := newReport(&out, TextOptions{Width: 80})
	r.leftOut(&analyze.Comparison{Overall: []analyze.Overall{
		{SystemName: "B", LeftOutCount: 1, LeftOut: a},
		{SystemName: "C", LeftOutCount: 2, LeftOut: b},
		{SystemName: "D", LeftOutCount: 1, LeftOut: a},
		{SystemName: "E"},
	}})
	if err := r.w.Flush(); err != nil {
		t.Fatal(err)
	}
	const want = "  B, D: left out 1 test (A: no value)\n  C: left out 2 tests: 1 (A: no value), 1 (C: no value)\n"
	if out.String() != want {
		t.Errorf("got\n%swant\n%s", out.String(), want)
	}
}
