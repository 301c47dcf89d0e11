package corpus

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Runs keep the order, none is empty, and their bytes differ by no more than an
// input's.
func TestSplit(t *testing.T) {
	for _, test := range []struct {
		name  string
		sizes []int64
		n     int
		want  [][]int64
	}{
		{"even", []int64{1, 1, 1, 1, 1, 1}, 3, [][]int64{{1, 1}, {1, 1}, {1, 1}}},
		{"more parts than inputs", []int64{5, 5}, 4, [][]int64{{5}, {5}}},
		{"one is most", []int64{100, 1, 1, 1}, 2, [][]int64{{100}, {1, 1, 1}}},
		{"one is most, last", []int64{1, 1, 1, 100}, 2, [][]int64{{1, 1, 1}, {100}}},
		{"bytes, not number", []int64{4, 4, 1, 1, 1, 1, 4}, 2, [][]int64{{4, 4}, {1, 1, 1, 1, 4}}},
		{"empty files", []int64{0, 0, 0, 0}, 2, [][]int64{{0, 0}, {0, 0}}},
		{"one", []int64{3, 4}, 1, [][]int64{{3, 4}}},
		{"none", nil, 3, nil},
	} {
		var in []Input
		for _, s := range test.sizes {
			in = append(in, Input{Size: s})
		}
		var got [][]int64
		for _, part := range Split(in, test.n) {
			var sizes []int64
			for _, i := range part {
				sizes = append(sizes, i.Size)
			}
			got = append(got, sizes)
		}
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.name, diff)
		}
	}
}

func TestListLine(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "a b $(x);'`.txt")
	if err := os.WriteFile(name, []byte("x"), 0o666); err != nil {
		t.Skip(err) // no such name on this file-system
	}
	line, err := ListLine(name)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for in := range List(strings.NewReader(line)) {
		got = append(got, in.Path)
	}
	if !cmp.Equal(got, []string{name}) {
		t.Errorf("%q comes back as %q", name, got)
	}
	for _, bad := range []string{"a\nb", "a\r", strings.Repeat("x", maxListLine)} {
		if line, err := ListLine(bad); err == nil {
			t.Errorf("%.20q makes %.40q", bad, line)
		}
	}
}

// What is discarded is not taken in, unless somebody writes it.
func TestDiscard(t *testing.T) {
	in, dir := t.TempDir(), filepath.Join(t.TempDir(), "set")
	many(t, in, 10)
	for _, name := range []string{"a", "a.1"} {
		if _, err := Add(t.Context(), dir, Walk(in), AddOptions{Partial: name}); err != nil {
			t.Fatal(err)
		}
	}
	s, err := openStore(filepath.Join(dir, partialDir, "a"), "test")
	if err != nil {
		t.Fatal(err)
	}
	if err := Discard(dir, "a"); !errors.Is(err, ErrLocked) {
		t.Errorf("discarded under its writer: %v", err)
	}
	if err := s.close(); err != nil {
		t.Fatal(err)
	}
	if err := Discard(dir, "a", "none"); err != nil {
		t.Error(err)
	}
	if got, err := Waiting(dir); err != nil || !cmp.Equal(got, []string{"a.1"}) {
		t.Errorf("waiting: %q, %v", got, err)
	}
	if r, err := Commit(t.Context(), dir, "test"); err != nil || r.Sets != 1 || r.Files != 10 || r.Duplicates != 0 {
		t.Errorf("%+v, %v", r, err)
	}
	if err := Discard(dir, "../x"); err == nil {
		t.Error("a name that leads outside")
	}
}
