package systable

import (
	"slices"
	"strings"
	"testing"

	"github.com/benchproof/benchproof/result"
)

// published is a page of testdata/published.txt.
type published struct {
	name    string
	systems []string
	printed [][]result.Component
	text    string
}

// keys returns the rows in the order of first appearance.
func (p published) keys() []string {
	var keys []string
	for _, c := range slices.Concat(p.printed...) {
		if !slices.Contains(keys, c.Key) {
			keys = append(keys, c.Key)
		}
	}
	return keys
}

func publishedPages(t testing.TB) []published {
	t.Helper()
	var out []published
	for line := range strings.Lines(readFile(t, "testdata/published.txt")) {
		line = strings.TrimSuffix(line, "\n")
		word, rest, _ := strings.Cut(line, " ")
		switch {
		case line == "" || line[0] == '#':
		case word == "page":
			out = append(out, published{name: rest})
		case word == "system":
			p := &out[len(out)-1]
			p.systems = append(p.systems, rest)
			p.printed = append(p.printed, nil)
		case word == "text":
			out[len(out)-1].text = rest
		default:
			p := &out[len(out)-1]
			last := len(p.printed) - 1
			p.printed[last] = append(p.printed[last], listOf(t, line)...)
		}
	}
	return out
}

// TestPublished reads tables that were published, apart from the samples.
func TestPublished(t *testing.T) {
	for _, p := range publishedPages(t) {
		t.Run(p.name, func(t *testing.T) {
			keys := p.keys()
			table := Split(p.text, keys, p.systems)
			checkTable(t, p.text, keys, p.systems, table)
			for i, want := range p.printed {
				col := &table.Columns[i]
				var got []result.Component
				for k, c := range slices.Concat(col.Hardware, col.Software) {
					if col.Offsets[k] >= 0 {
						got = append(got, c)
					}
				}
				if !slices.Equal(got, want) {
					t.Errorf("%s (%v):\n got %q\nwant %q", p.systems[i], col.Decode, got, want)
				}
				if col.Decode != result.DecodeInferred {
					t.Logf("%s: %v", p.systems[i], col.Decode)
				}
			}
		})
	}
}
