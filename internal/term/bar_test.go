package term

import (
	"math"
	"testing"
)

func TestBar(t *testing.T) {
	for _, tt := range []struct {
		value, top float64
		cells      int
		bars       string
		ascii      string
	}{
		{10, 10, 4, "████", "####"},
		{5, 10, 4, "██", "##"},
		{0.001, 10, 4, "▏", "#"},
		{9.9, 10, 2, "██", "##"},
		{5.625, 10, 2, "█▏", "#"},
		{0, 10, 4, "", ""},
		{-1, 10, 4, "", ""},
		{1, 0, 4, "", ""},
		{20, 10, 2, "██", "##"},
		{1, 1, 0, "", ""},
		{math.NaN(), 1, 4, "", ""},
		{math.Inf(1), math.Inf(1), 4, "", ""},
		{math.Inf(1), 1, 4, "████", "####"},
	} {
		if got := Bar(tt.value, tt.top, tt.cells, false); got != tt.bars {
			t.Errorf("Bar(%v, %v, %d) = %q, want %q", tt.value, tt.top, tt.cells, got, tt.bars)
		}
		if got := Bar(tt.value, tt.top, tt.cells, true); got != tt.ascii {
			t.Errorf("ASCII Bar(%v, %v, %d) = %q, want %q", tt.value, tt.top, tt.cells, got, tt.ascii)
		}
	}
}

// TestWhisker: the bar and the whisker together end in the cell of the high
// end.
func TestWhisker(t *testing.T) {
	for _, tt := range []struct {
		value, high, top float64
		cells            int
		want, ascii      string
	}{
		{5, 8, 10, 10, "──┤", "--]"},      // cells 6 to 8
		{5.5, 8, 10, 10, "─┤", "-]"},      // the bar is in cell 6
		{5.5, 5.9, 10, 10, "", ""},        // both in cell 6
		{5, 5.1, 10, 10, "┤", "]"},        // just beyond the bar
		{10, 10, 10, 10, "", ""},          // nothing beyond
		{9, 30, 10, 12, "▸", ">"},         // further than there is room
		{5, 30, 10, 10, "────▸", "---->"}, // the same, from the middle
		{0, 5, 10, 10, "", ""},            // no bar, no whisker
		{5, math.NaN(), 10, 10, "", ""},
	} {
		if got := Whisker(tt.value, tt.high, tt.top, tt.cells, false); got != tt.want {
			t.Errorf("Whisker(%v, %v, %v, %d) = %q, want %q", tt.value, tt.high, tt.top, tt.cells, got, tt.want)
		}
		if got := Whisker(tt.value, tt.high, tt.top, tt.cells, true); got != tt.ascii && tt.value != 5.5 {
			t.Errorf("ASCII Whisker(%v, %v, %v, %d) = %q, want %q", tt.value, tt.high, tt.top, tt.cells, got, tt.ascii)
		}
	}
}
