package phrase

import "testing"

func TestOr(t *testing.T) {
	for _, tt := range []struct {
		words []string
		want  string
	}{
		{nil, ""},
		{[]string{"a"}, "a"},
		{[]string{"a", "b"}, "a or b"},
		{[]string{"a", "b", "c"}, "a, b or c"},
	} {
		if got := Or(tt.words); got != tt.want {
			t.Errorf("%q: %q, want %q", tt.words, got, tt.want)
		}
	}
}

func TestCount(t *testing.T) {
	for _, tt := range []struct {
		n    int
		what string
		want string
	}{
		{0, "input", "0 inputs"},
		{1, "input", "1 input"},
		{2, "input", "2 inputs"},
		{-1, "degree", "-1 degrees"},
		{1, "further path", "1 further path"},
		{21, "further path", "21 further paths"},
		{1, "directory", "1 directory"},
		{2, "directory", "2 directories"},
		{2, "day", "2 days"},
		{2, "box", "2 boxes"},
		{2, "class", "2 classes"},
		{2, "branch", "2 branches"},
		{2, "y", "2 ys"},
		{2, "", "2 "},
	} {
		if got := Count(tt.n, tt.what); got != tt.want {
			t.Errorf("%d %q: %q, want %q", tt.n, tt.what, got, tt.want)
		}
		if got := Count(int64(tt.n), tt.what); got != tt.want {
			t.Errorf("%d %q: %q, want %q", tt.n, tt.what, got, tt.want)
		}
	}
	for n, want := range map[int]string{0: "are", 1: "is", 2: "are"} {
		if got := Verb(n, "is", "are"); got != want {
			t.Errorf("%d: %q, want %q", n, got, want)
		}
	}
}
