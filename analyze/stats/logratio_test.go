package stats

import (
	"errors"
	"math"
	"testing"
)

// Values are R's: the formulas of the doc comments with pt and qt.
func TestLogRatio(t *testing.T) {
	published, err := NewLogRatio(Summary{100, 2, 3}, Summary{80, 1, 5})
	if err != nil {
		t.Fatal(err)
	}
	here, err := NewLogRatio(Summary{60, 0.5, 4}, Summary{50, 0.9, 3})
	if err != nil {
		t.Fatal(err)
	}
	apart := published.Minus(here)
	iv, err := apart.Interval(0.90)
	if err != nil {
		t.Fatal(err)
	}
	slower, err := NewLogRatio(Summary{80, 1, 3}, Summary{100, 2, 3})
	if err != nil {
		t.Fatal(err)
	}
	outside, err := slower.OutsideP(0.9, 1/0.9)
	if err != nil {
		t.Fatal(err)
	}
	single, err := SharedSpreadLogRatio(Summary{90, math.NaN(), 1}, Summary{100, 2, 5})
	if err != nil {
		t.Fatal(err)
	}
	three, err := SharedSpreadLogRatio(Summary{90, math.NaN(), 3}, Summary{100, 2, 5})
	if err != nil {
		t.Fatal(err)
	}
	faster := slower.Inverse()
	mirrored, err := faster.OutsideP(0.9, 1/0.9)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		what      string
		got, want float64
	}{
		{"log", published.Log, 0.2231435513142098},
		{"se", published.SE, 0.0235849528301415},
		{"df", published.DF, 3.5935125326074644},
		{"difference", apart.Log, 0.0408219945202552},
		{"its se", apart.SE, 0.0308171128505648},
		{"its df", apart.DF, 6.4331369774844349},
		{"its p", apart.Test().P, 0.230398937098287},
		{"its low end", iv.Low, 0.981820451030881},
		{"its high end", iv.High, 1.105160768758845},
		{"outside", outside, 0.00588126886108532},
		{"outside of the inverse", mirrored, 0.00588126886108532},
		{"single run: log", single.Log, -0.1053605156578263},
		{"single run: se", single.SE, 0.0489897948556636},
		{"single run: p", single.Test().P, 0.097908800467052},
		{"three runs: se", three.SE, 0.032659863237109},
	} {
		if math.Abs(c.got-c.want) > 1e-10*math.Abs(c.want) {
			t.Errorf("%s: %.16g, want %.16g", c.what, c.got, c.want)
		}
	}
	if inside, err := here.OutsideP(0.5, 2); err != nil || inside != 1 {
		t.Errorf("inside: %v, %v", inside, err)
	}
}

func TestSharedSpreadErrors(t *testing.T) {
	nan := math.NaN()
	for _, c := range []struct {
		a, b Summary
		want error
	}{
		{Summary{1, nan, 1}, Summary{1, nan, 3}, ErrNoSE},
		{Summary{1, 0.1, 3}, Summary{1, 0.1, 3}, ErrNoSE},
		{Summary{0, 0.1, 3}, Summary{1, nan, 3}, ErrNotPositive},
		{Summary{1, 0, 3}, Summary{1, nan, 3}, ErrZeroSE},
		{Summary{nan, 0.1, 3}, Summary{1, nan, 3}, ErrNotFinite},
	} {
		if _, err := SharedSpreadLogRatio(c.a, c.b); !errors.Is(err, c.want) {
			t.Errorf("%v, %v: %v, want %v", c.a, c.b, err, c.want)
		}
	}
}
