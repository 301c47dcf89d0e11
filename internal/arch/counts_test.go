package arch

import (
	"go/ast"
	"go/token"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// counted matches a number in a format with a noun in the plural behind it. What
// a formula of analyze/stats says of its arguments is for programmers.
var counted = regexp.MustCompile(`%d (?:more |different |further |equal |whole )?[a-z]+s\b`)

// noCount are words behind a number that are no nouns that it counts, and
// bytes, of which there are more than one wherever they are counted.
var noCount = []string{"%d is", "%d was", "%d has", "%d does", "%d says", "%d its", "%d as", "%d takes", "%d bytes", "%d times"}

// never1 are the ends and beginnings of formats whose number is a limit, or is
// above one wherever it is printed.
var never1 = []string{
	"the server accepts %d connections", "the %d connections of the published server", "the profile starts up to %d clients", "%d clients are more than",
	"%d systems of %s are those of", "%d values in one test", "from %d to %d decimals",
	"%d runs a side would decide it", "about %d runs would decide it",
	"systems are too many for a picture", "%d measurements, the limit of a workbook", "charts of values, a family of tests %d bars", "a chart and %d tests; filter",
	"%d rows of the sheet Compare", "with %d tests and %d ratios", "charts of %d bars", "is left out: %d columns",
	"%d graphs stand in one paragraph", "%d texts of a drawing", "%d systems are called", "has %d numbers, of which the first", "the longest bar has %d columns",
	"%d rows of %q that contradict", "%d values beside a bar", "%d runs of one entry", "a result file of %d systems", "a result file of %d tests",
	"a guest has %d disks", "%d numbers from %d on", "%d arrays lie on", "its name has %d disks", "the machine has %d equal disks", "took %d requests of 1",
	"more than %d requests", "more than %d processes", "%d requests that wait at once", "%d options set", "%d bytes in %d files",
}

// TestCounts: what is counted in a message is worded by internal/phrase, which
// knows 1 input from 2 inputs, or is never one.
func TestCounts(t *testing.T) {
	used := make(map[string]bool)
	sources(t, func(dir string, fset *token.FileSet, file *ast.File) {
		if strings.HasSuffix(dir, "analyze/stats") || strings.Contains(dir, "internal/torture") || strings.Contains(dir, "internal/oracle") || strings.Contains(dir, "internal/flatrender") {
			return
		}
		ast.Inspect(file, func(n ast.Node) bool {
			lit, ok := n.(*ast.BasicLit)
			if !ok || lit.Kind != token.STRING {
				return true
			}
			text, err := strconv.Unquote(lit.Value)
			if err != nil {
				return true
			}
			for _, at := range counted.FindAllStringIndex(text, -1) {
				if slices.Contains(noCount, text[at[0]:at[1]]) {
					continue
				}
				known := false
				for _, k := range never1 {
					if strings.Contains(text, k) {
						used[k], known = true, true
					}
				}
				if !known {
					t.Errorf("%s: %q counts by itself: phrase.Count", fset.Position(lit.Pos()), text)
				}
			}
			return true
		})
	})
	for _, k := range never1 {
		if !used[k] {
			t.Errorf("no message says %q any longer", k)
		}
	}
}
