package xml

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/benchproof/benchproof/parse/internal/oracle"
)

// The published dumps' truth was read from text and pages, and PTS renders
// these, byte for byte, from the composite.xml of the same sets: what is read
// here must be what was published, notes, footnotes and standard errors
// included.
func TestSamplesAgainstTruth(t *testing.T) {
	for _, path := range oracle.Glob(t, "samples", "truth", "*.json") {
		name := strings.TrimSuffix(strings.TrimSuffix(filepath.Base(path), ".json"), ".flat")
		t.Run(name, func(t *testing.T) {
			var tally oracle.Tally
			options := oracle.Options{
				NumericValues: true, JoinTitle: true, CollapseSpace: true, SkipXMLFields: true, SkipSource: true,
				SkipInherited: true, Tally: &tally,
			}
			truth := oracle.Truth(t, path)
			for _, line := range oracle.Diff(truth, readFile(t, oracle.Shared(t, "samples", "forms", name+".xml")), options) {
				t.Error(line)
			}
			if tally.Exact == 0 || tally.Exact != tally.Total() {
				t.Error(tally)
			}
		})
	}
}
