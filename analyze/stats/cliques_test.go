package stats

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestCliques: groups of mean ranks by hand, from Demšar's rule: no two of a
// group further apart than the difference, no group within another.
func TestCliques(t *testing.T) {
	for _, tt := range []struct {
		ranks []float64
		cd    float64
		want  [][2]int
	}{
		{[]float64{1, 2.4, 2.6}, 1, [][2]int{{1, 2}}},
		{[]float64{1, 1.9, 2.8, 3.7}, 1, [][2]int{{0, 1}, {1, 2}, {2, 3}}},
		{[]float64{1, 1.5, 2}, 1, [][2]int{{0, 2}}},
		{[]float64{1, 1.5, 2, 2.2}, 1, [][2]int{{0, 2}, {1, 3}}},
		{[]float64{1, 3, 5}, 1, nil},
		{[]float64{2, 2, 2}, 0, [][2]int{{0, 2}}},
	} {
		if diff := cmp.Diff(tt.want, Cliques(tt.ranks, tt.cd)); diff != "" {
			t.Errorf("%v, %v (-want +got):\n%s", tt.ranks, tt.cd, diff)
		}
	}
}
