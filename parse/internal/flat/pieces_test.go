package flat

import "testing"

func TestRunPieces(t *testing.T) {
	s := &solver{budget: &budget{left: pageBudget}}
	for _, c := range []struct {
		part, whole string
		want        int
	}{
		{"SSDZFS Mirror", "SSDZFS Mirror", 1},
		{"SSD", "SSDZFS Mirror", 1},
		{"EXT4XFS", "EXT4F2FSXFS", 2},
		{"XFSEXT4", "EXT4F2FSXFS", 0},
		{"Mirror", "SSDZFS Mirror", 0}, // a name does not begin behind a blank
		{"1.10.3Linux", "Linux 5.4", 0},
		{"RX 580RTX 3080", "RX 580RX 5700 XTRTX 3080", 2},
	} {
		if got := s.runPieces(c.part, c.whole); got != c.want {
			t.Errorf("runPieces(%q, %q) = %d, want %d", c.part, c.whole, got, c.want)
		}
	}
}
