package parse

import (
	"testing"

	"github.com/benchproof/benchproof/parse/internal/source"
)

// Sections cover a text from its beginning to its end, none of it twice, also
// where the marks of the two forms lie within each other.
func TestDivideCovers(t *testing.T) {
	const (
		page = "OpenBenchmarking.orgMB/s, More Is Better"
		both = "OpenBenchmarking.org> Higher Is Better More Is Better"
		row  = "A . 1 |==\n"
	)
	for _, text := range []string{
		both,
		both + row + both,
		"OpenBenchmarking.org> Higher Is Better < Lower Is Better Fewer Is Better 1 |== \n" + page,
		both + "\n" + page + "\nPhoronix Test Suite v1.2\n" + both + "\nA > Higher Is Better\n" + row + page,
		"x > Higher Is Better\n" + row + page + " < Lower Is Better More Is Better\n" + row,
	} {
		at := 0
		for i, s := range divide(source.New("x", text)) {
			if begin := s.doc.Outer(0); begin != at {
				t.Errorf("%q: section %d begins at %d, the one before ends at %d", text, i, begin, at)
			}
			at += len(s.doc.Text)
		}
		if at != len(text) {
			t.Errorf("%q: the sections end at %d of %d", text, at, len(text))
		}
		if _, err := readAll(t, text, Options{}); err != nil {
			isFormat(t, err)
		}
	}
}
