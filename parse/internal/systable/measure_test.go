package systable

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/benchproof/benchproof/parse/internal/oracle"
)

// verbose shows every wrong cell; set SYSTABLE_VERBOSE to see them.
var verbose = os.Getenv("SYSTABLE_VERBOSE") != ""

func TestPages(t *testing.T) {
	var sum score
	for _, path := range append(oracle.Glob(t, "flat", "*.xml"), oracle.Glob(t, "samples", "forms", "*.xml")...) {
		w, ok := loadPage(t, path, strings.TrimSuffix(path, ".xml")+".html")
		if !ok {
			t.Errorf("%s: cannot be used", path)
			continue
		}
		sum.add(judge(t, w, Split(w.cells, w.keys, w.systems), verbose))
	}
	sum.log(t, "pages")
}

func TestCorpus(t *testing.T) {
	var sum score
	paths, err := filepath.Glob(filepath.Join(oracle.Shared(t, "corpus", "real"), "*", "composite.xml"))
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range paths {
		w, ok := loadPage(t, path, "")
		if !ok {
			continue
		}
		sum.add(judge(t, w, Split(w.cells, w.keys, w.systems), verbose))
	}
	sum.log(t, "corpus")
}
