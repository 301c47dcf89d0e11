package number

import (
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/benchproof/benchproof/result"
)

func TestSignificant(t *testing.T) {
	for _, tt := range []struct {
		v    float64
		want string
	}{
		{0, "0"},
		{0.5, "0.5"},
		{1.0 / 3, "0.333333"},
		{1234567, "1234570"},
		{123456.789, "123457"},
		{0.00001234567, "0.0000123457"},
		{-2.5, "-2.5"},
		{1.5e20, "1.5e+20"},
		{1e-12, "1e-12"},
		{math.NaN(), ""},
		{math.Inf(1), ""},
	} {
		if got := Significant(tt.v, 6); got != tt.want {
			t.Errorf("Significant(%v) = %q, want %q", tt.v, got, tt.want)
		}
	}
}

func TestStdError(t *testing.T) {
	for _, tt := range []struct{ runs, want string }{
		{"", ""},
		{"5", ""},
		{"5;5;5", "0"},
		{"1;2", "0.5"},
		// R: sd(c(4983.3,5027.7,5028.7))/sqrt(3) = 14.9694504
		{"4983.3;5027.7;5028.7", "14.9695"},
		// R: sd(c(9.31,9.36,9.29,9.33))/sqrt(4) = 0.0149303941
		{"9.31;9.36;9.29;9.33", "0.0149304"},
		// Differences far below the values: floating point gives noise here.
		{"1000000000000001;1000000000000003", "1"},
		{"1;NaN", ""},
		{"1;2,3", ""},
		{"1;", ""},
		{"1e-300000000;1", ""},
		{"0x10;1", ""},
		{"1" + strings.Repeat("0", 401) + ";1", ""},
	} {
		var runs []string
		if tt.runs != "" {
			runs = strings.Split(tt.runs, ";")
		}
		if got := StdError(runs); got != tt.want {
			t.Errorf("StdError(%s) = %q, want %q", tt.runs, got, tt.want)
		}
	}
}

// TestStdErrorShift: adding a constant to every run changes nothing.
func TestStdErrorShift(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var runs, shifted []string
		for _, v := range rapid.SliceOfN(rapid.IntRange(0, 999), 2, 9).Draw(t, "runs") {
			runs = append(runs, Significant(float64(v), 6))
			shifted = append(shifted, Significant(float64(v+1_000_000_000), 15))
		}
		if a, b := StdError(runs), StdError(shifted); a != b {
			t.Fatalf("%v gives %s, %v gives %s", runs, a, shifted, b)
		}
	})
}

func TestFigures(t *testing.T) {
	for _, tt := range []struct {
		m       result.Measurement
		se      string
		samples int
	}{
		{result.Measurement{}, "", 0},
		{result.Measurement{StdError: "0.41", Samples: 9}, "0.41", 9},
		{result.Measurement{RawValues: []string{"1", "2"}}, "0.5", 2},
		{result.Measurement{RawValues: []string{"1"}}, "", 1},
		{result.Measurement{StdError: "0.7", RawValues: []string{"1", "2"}}, "0.7", 2},
	} {
		if se, n := Figures(&tt.m); se != tt.se || n != tt.samples {
			t.Errorf("Figures(%+v) = %q, %d, want %q, %d", tt.m, se, n, tt.se, tt.samples)
		}
	}
}
