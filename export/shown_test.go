package export

import (
	"slices"
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
		{analyze.Overall{LeftOutCount: 1, LeftOut: reasons("a")}, "1 test: 1 (a)"},
		{analyze.Overall{LeftOutCount: 6, LeftOut: reasons("a", "b", "c", "d", "e", "f")}, "6 tests: 1 (a), 1 (b), 1 (c), 1 (d), …"},
		{analyze.Overall{LeftOutCount: 9666, LeftOut: slices.Repeat(reasons("a"), 1000)}, "9666 tests: of the first 1000, 1000 (a)"},
		{analyze.Overall{LeftOutCount: 2}, "2 tests"},
	} {
		if got := LeftOutText(&test.o); got != test.want {
			t.Errorf("%q, want %q", got, test.want)
		}
	}
}
