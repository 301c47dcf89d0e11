package export

import (
	"testing"

	"github.com/benchproof/benchproof/result"
)

// TestShownFigures: what was published stays as it is; what was worked out has
// no more digits than it can tell.
func TestShownFigures(t *testing.T) {
	for _, tt := range []struct {
		m       result.Measurement
		want    string
		samples int
	}{
		{result.Measurement{StdError: "0.123765", Samples: 3}, "0.123765", 3},
		{result.Measurement{StdError: "0.123765", StdErrorDerived: true}, "0.124", 0},
		{result.Measurement{StdError: "0.00456789", StdErrorDerived: true}, "0.0046", 0},
		{result.Measurement{StdError: "1987.65", StdErrorDerived: true}, "1988", 0},
		{result.Measurement{StdError: "87.65", StdErrorDerived: true}, "88", 0},
		{result.Measurement{StdError: "1.23457e+18", StdErrorDerived: true}, "1.23457e+18", 0},
		{result.Measurement{StdError: "0", StdErrorDerived: true}, "0", 0},
		{result.Measurement{RawValues: []string{"96.2", "97.1", "96.8"}}, "0.26", 3},
		{result.Measurement{RawValues: []string{"1", "1"}}, "0", 2},
		{result.Measurement{RawValues: []string{"1"}}, "", 1},
		{result.Measurement{}, "", 0},
	} {
		if got, n := ShownFigures(&tt.m); got != tt.want || n != tt.samples {
			t.Errorf("%+v: %q, %d; want %q, %d", tt.m, got, n, tt.want, tt.samples)
		}
	}
}
