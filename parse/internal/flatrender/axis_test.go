package flatrender

import "testing"

// TestLabels: the labels that PTS drew for tests with these largest values.
func TestLabels(t *testing.T) {
	for _, tt := range []struct {
		largest float64
		want    string
	}{
		{0, ""},
		{0.074, "0.01670.03340.05010.06680.0835"},
		{0.3, "0.06750.1350.20250.270.3375"},
		{2, "0.450.91.351.82.25"},
		{4.63, "1.04182.08363.12544.16725.209"},
		{5.7, "1.28252.5653.84755.136.4125"},
		{6.38, "246810"},
		{11, "3691215"},
		{25, "612182430"},
		{55.47, "1224364860"},
		{97, "20406080100"},
		{125.77, "306090120150"},
		{414, "90180270360450"},
		{974, "2004006008001000"},
		{2780.47, "6001200180024003000"},
		{4410.94, "9001800270036004500"},
		{12404, "3K6K9K12K15K"},
		{53703, "12K24K36K48K60K"},
		{755667, "160K320K480K640K800K"},
	} {
		if got := labels(top(tt.largest)); got != tt.want {
			t.Errorf("largest %v: got %q, want %q", tt.largest, got, tt.want)
		}
	}
}
