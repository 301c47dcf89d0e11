package flatrender

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

func TestFixed(t *testing.T) {
	for _, tt := range []struct {
		v      float64
		places int
		want   string
	}{
		{0, 0, "0"},
		{0, 2, "0.00"},
		{1, 3, "1.000"},
		{-1.5, 0, "-2"},
		{-0.001, 2, "0.00"},
		// The halves as PHP's number_format prints them.
		{1.005, 2, "1.01"},
		{2.675, 2, "2.68"},
		{0.5, 0, "1"},
		{1.5, 0, "2"},
		{2.5, 0, "3"},
		{1190.555, 2, "1190.56"},
		{9.995, 2, "10.00"},
		{99.5, 0, "100"},
		{0.00499, 2, "0.00"},
		{0.005, 2, "0.01"},
		{1e-9, 2, "0.00"},
		{123456789, 2, "123456789.00"},
		{1e15, 0, "1000000000000000"},
		{32310.0049, 2, "32310.00"},
	} {
		if got := fixed(tt.v, tt.places); got != tt.want {
			t.Errorf("fixed(%v, %d): got %q, want %q", tt.v, tt.places, got, tt.want)
		}
	}
}

// TestFixedNear: what is printed lies within half a unit of the number.
func TestFixedNear(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := rapid.Float64Range(-1e9, 1e9).Draw(t, "v")
		places := rapid.IntRange(0, 5).Draw(t, "places")
		text := fixed(v, places)
		got, ok := numeric(text)
		if !ok || decimals(text) != places || math.Abs(got-v) > 0.5*math.Pow10(-places)*(1+1e-9)+math.Abs(v)*1e-14 {
			t.Fatalf("fixed(%v, %d) is %q", v, places, text)
		}
	})
}

func TestShown(t *testing.T) {
	for _, tt := range []struct {
		v    float64
		want string
	}{
		{0.1 + 0.2, "0.3"},
		{12, "12"},
		{0.0675, "0.0675"},
		{0.00009, "9.0E-5"},
		{1.25e-7, "1.25E-7"},
		{1e15, "1.0E+15"},
		{123456789012345, "1.2345678901234E+14"},
		{99999999999999, "99999999999999"},
		{-2.5, "-2.5"},
	} {
		if got := shown(tt.v); got != tt.want {
			t.Errorf("shown(%v): got %q, want %q", tt.v, got, tt.want)
		}
	}
}

func TestSame(t *testing.T) {
	for _, tt := range []struct {
		a, b string
		want bool
	}{
		{"5.1", "5.10", true},
		{"1", "1.0", true},
		{"1e3", "1000", true},
		{"5.1", "5.2", false},
		{"v5.1", "v5.10", false},
		{"a", "A", false},
		{"", "0", false},
		{"0x10", "16", false},
		{"nan", "nan", true},
		{"inf", "Inf", false},
	} {
		if got := same(tt.a, tt.b); got != tt.want {
			t.Errorf("same(%q, %q) is %v", tt.a, tt.b, got)
		}
	}
}
