package parse

import (
	"strings"
	"testing"

	"github.com/benchproof/benchproof/result"
)

// What is left of compressed data that lost its end is read, but nothing
// vouches for it: a wrong byte would look the same.
func TestUnverified(t *testing.T) {
	for name, raw := range samples(t) {
		if !strings.HasSuffix(name, ".text.txt") && !strings.HasSuffix(name, ".xml") {
			continue
		}
		for _, by := range []string{".gz", ".xz"} {
			packed := pack(t, by, raw)
			files, err := readAll(t, packed[:len(packed)-9], Options{})
			if err != nil || len(files) == 0 {
				t.Errorf("%s%s: %d files, error %v", name, by, len(files), err)
			}
			n := 0
			for _, f := range files {
				for i := range f.Tests {
					for _, m := range f.Tests[i].Measurements {
						n++
						if m.Decode == result.DecodeExact {
							t.Errorf("%s%s: the value %q is exact", name, by, m.Value)
						}
					}
				}
				if len(f.Diagnostics) == 0 || f.Diagnostics[0].Severity != result.SeverityError || f.Diagnostics[0].Code != "truncated" {
					t.Errorf("%s%s: diagnostics %v", name, by, f.Diagnostics)
				}
			}
			if n == 0 {
				t.Errorf("%s%s: no values", name, by)
			}
		}
	}
}
