package flatrender

import (
	_ "embed"
	"strconv"
	"strings"
	"sync"

	"github.com/benchproof/benchproof/result"
)

// headTable has a line for each head of a test as it is published: profile,
// title, version, arguments, scale, proportion, and how many decimals its
// values have.
//
//go:embed testdata/heads.tsv
var headTable string

// head is what a test is called, and how its values are printed.
type head struct {
	profile, title, version, arguments, scale string
	proportion                                result.Proportion
	decimals                                  int
}

// heads returns the published heads.
var heads = sync.OnceValue(func() []head {
	var out []head
	for l := range strings.Lines(headTable) {
		f := strings.Split(strings.TrimSuffix(l, "\n"), "\t")
		n, _ := strconv.Atoi(f[6])
		out = append(out, head{f[0], f[1], f[2], f[3], f[4], result.Proportion(f[5]), n})
	}
	return out
})
