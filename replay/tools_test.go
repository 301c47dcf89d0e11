package replay

import (
	"testing"

	"github.com/benchproof/benchproof/replay/profile"
)

// TestVersionAsks: of every program that a profile runs it is known how it
// tells its version, or that it does not; else its fidelity would be that of
// another version, whichever it is.
func TestVersionAsks(t *testing.T) {
	silent := map[string]bool{ // they tell it only when they run, or never
		"fs_mark": true, "postmark": true, "blogbench": true, "compilebench": true, "ior": true,
	}
	for _, p := range profile.All() {
		for _, tool := range p.Info().Tools {
			_, asked := versionAsks[tool.Program]
			if tool.Program != "" && asked == silent[tool.Program] {
				t.Errorf("%s: %s: add to versionAsks in tools.go how it tells its version, or to silent here that it does not",
					p.Info().Name, tool.Program)
			}
		}
	}
}
