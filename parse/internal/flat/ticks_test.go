package flat

import (
	"math/rand/v2"
	"strings"
	"testing"
)

// TestMaxBounds checks that the bounds of a step hold every value that gives
// the step by PTS's rule, and little else.
func TestMaxBounds(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for range 200_000 {
		v := rng.ExpFloat64()
		for k := rng.IntN(8); k > 0; k-- {
			v *= 10 * rng.Float64()
		}
		if v < 0.001 {
			continue
		}
		step := axisStep(v)
		lo, hi, ok := maxBounds(step)
		if !ok || v < lo || v > hi {
			t.Fatalf("axisStep(%v) = %d, whose bounds are %v, %v, %v", v, step, lo, hi, ok)
		}
		if v >= 6 && hi > 1.5*lo+20 {
			t.Fatalf("bounds of step %d are wide: %v to %v", step, lo, hi)
		}
	}
}

// TestTicks reads labels of real pages back.
func TestTicks(t *testing.T) {
	for _, c := range []struct {
		text   string
		labels string
		v      float64 // a largest value that had them
	}{
		{"EXT4F2FSXFS612182430", "612182430", 24.10},
		{"SSDZFS Mirror70140210280350", "70140210280350", 299.63},
		{"SSD20K40K60K80K100K", "20K40K60K80K100K", 90967},
		{"6.1.01.04182.08363.12544.16725.209", "1.04182.08363.12544.16725.209", 4.63},
		{"Linux 5.10246810", "246810", 7.8},
		{"0.06750.1350.20250.270.3375", "0.06750.1350.20250.270.3375", 0.3},
	} {
		got := ticksBefore(c.text)
		if len(got) != 1 || c.text[got[0].start:] != c.labels {
			t.Errorf("ticksBefore(%q) = %v, want %q", c.text, got, c.labels)
			continue
		}
		if c.v < got[0].lo || c.v > got[0].hi {
			t.Errorf("%q: largest value in [%v, %v], want %v in it", c.text, got[0].lo, got[0].hi, c.v)
		}
		if want := tickLabels(axisStep(c.v)); want != c.labels {
			t.Errorf("labels of %v: %q, want %q", c.v, want, c.labels)
		}
		found := false
		for _, x := range ticksIn(c.text+"305", false) {
			found = found || strings.HasPrefix(c.text[x.start:], c.labels)
		}
		if !found {
			t.Errorf("ticksIn(%q) does not find %q", c.text, c.labels)
		}
	}
}
