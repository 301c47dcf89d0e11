package profile

import (
	"os"
	"slices"
	"strings"
	"testing"
)

// packagedTool reports whether a profile runs a tool that Debian packages. The
// others run the user's build of it, or a driver of this program.
func packagedTool(p Profile) bool { return p.Info().Tools[0].Package != "" }

// TestCovered: every profile has what the tests of all profiles need, and says
// where to add it: rows that can be replayed, which TestSecurityFreeText,
// TestMissingTool, FuzzResolve and FuzzParse take, its tools among those of
// Debian 12, and their packages among those that `make test` asks for.
func TestCovered(t *testing.T) {
	packages, err := os.ReadFile("../../scripts/packages")
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range All() {
		name := p.Info().Name
		if !slices.ContainsFunc(goodRows(), p.Match) {
			t.Errorf("%s: add a row that can be replayed to goodRows in security_test.go", name)
		}
		if !packagedTool(p) {
			continue
		}
		for _, tool := range p.Info().Tools {
			if _, _, ok := debian12.Find(tool.Program); !ok {
				t.Errorf("%s: add %s with its version to debian12 in shared_test.go", name, tool.Program)
			}
			if !strings.Contains(string(packages), "\t"+tool.Package+"\n") {
				t.Errorf("%s: add the package %s with its program to scripts/packages", name, tool.Package)
			}
		}
	}
	for _, r := range goodRows() {
		n := 0
		for _, p := range All() {
			if p.Match(r) {
				n++
			}
		}
		if n != 1 {
			t.Errorf("%s is of %d profiles, want 1", r.Test.Title, n)
		}
	}
}
