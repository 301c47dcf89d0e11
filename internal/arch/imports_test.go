package arch

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/benchproof/benchproof"

// rooms are the top directories and the rooms of ours that each may import, be it
// by way of others. Every room may import itself and internal.
var rooms = map[string][]string{
	"result":   {},
	"internal": {"result"},
	"parse":    {"result"},
	"analyze":  {"result"},
	"export":   {"result", "analyze"},
	"replay":   {"result"},
	"corpus":   {"result", "parse", "export", "analyze"},
	"cmd":      {"result", "parse", "analyze", "export", "replay", "corpus"},
}

// homes are the places of third-party packages, by the beginning of their
// path, the longest that fits. Nothing else may import them directly.
var homes = map[string][]string{
	"github.com/PuerkitoBio/goquery":  {"parse/internal/html"},
	"github.com/andybalholm/cascadia": {"parse/internal/html"},
	"golang.org/x/net/html":           {"parse"},
	"github.com/spf13/cobra":          {"cmd"},
	"github.com/spf13/pflag":          {"cmd"},
	"gonum.org/v1/gonum":              {"analyze/stats"},
	"gonum.org/v1/plot":               {"export/picture"},
	"github.com/xuri/excelize":        {"export"},
	"github.com/parquet-go":           {"export"},
	"github.com/duckdb":               {}, // a module of its own
}

// pkg is what go list says of a package.
type pkg struct {
	ImportPath string
	Standard   bool
	Imports    []string // direct
	Deps       []string // all
}

// room returns the directory of ours that a package is in, "" for others'.
func room(path string) string {
	rest, ok := strings.CutPrefix(path, module+"/")
	if !ok {
		return ""
	}
	first, _, _ := strings.Cut(rest, "/")
	return first
}

// standard reports whether an import path is of the standard library.
func standard(path string) bool {
	first, _, _ := strings.Cut(path, "/")
	return !strings.Contains(first, ".")
}

// checkImports returns what is wrong with a package's imports.
func checkImports(p pkg) []string {
	in := room(p.ImportPath)
	allowed, known := rooms[in]
	if !known {
		return []string{fmt.Sprintf("%s: in no known room", p.ImportPath)}
	}
	var wrong []string
	for _, dep := range p.Deps {
		to := room(dep)
		if to != "" && to != in && to != "internal" && !slices.Contains(allowed, to) {
			wrong = append(wrong, fmt.Sprintf("%s: reaches %s, and %s may not use %s", p.ImportPath, dep, in, to))
		}
		if in == "result" && to == "" && !standard(dep) && !strings.HasPrefix(dep, "vendor/") {
			wrong = append(wrong, fmt.Sprintf("%s: reaches %s, and result is on the standard library alone", p.ImportPath, dep))
		}
	}
	for _, path := range p.Imports {
		home := ""
		for prefix := range homes {
			if (path == prefix || strings.HasPrefix(path, prefix+"/")) && len(prefix) > len(home) {
				home = prefix
			}
		}
		if home == "" {
			continue
		}
		at := strings.TrimPrefix(p.ImportPath, module+"/")
		if !slices.ContainsFunc(homes[home], func(place string) bool { return at == place || strings.HasPrefix(at, place+"/") }) {
			wrong = append(wrong, fmt.Sprintf("%s: imports %s, whose place is %v", p.ImportPath, path, homes[home]))
		}
	}
	return wrong
}

// checkPlaces returns the third-party modules that more than one room
// imports. The Go project's own are free.
func checkPlaces(pkgs []pkg, modules []string) []string {
	users := make(map[string]map[string]bool)
	for _, p := range pkgs {
		for _, path := range p.Imports {
			if standard(path) || room(path) != "" || strings.HasPrefix(path, "golang.org/x/") {
				continue
			}
			for _, m := range modules {
				if path == m || strings.HasPrefix(path, m+"/") {
					if users[m] == nil {
						users[m] = make(map[string]bool)
					}
					users[m][room(p.ImportPath)] = true
				}
			}
		}
	}
	var wrong []string
	for m, in := range users {
		if len(in) > 1 {
			var names []string
			for name := range in {
				names = append(names, name)
			}
			slices.Sort(names)
			wrong = append(wrong, fmt.Sprintf("%s: used in %s; a module stays in one place", m, strings.Join(names, " and ")))
		}
	}
	slices.Sort(wrong)
	return wrong
}

// golist runs go list in the module's root.
func golist(t *testing.T, args ...string) []byte {
	t.Helper()
	tool, err := exec.LookPath("go")
	if err != nil {
		t.Skip("needs the go tool")
	}
	cmd := exec.Command(tool, append([]string{"list"}, args...)...)
	cmd.Dir = root(t)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list: %v\n%s", err, stderr.Bytes())
	}
	return out
}

// root returns the directory of go.mod, two above this one.
func root(t *testing.T) string {
	t.Helper()
	dir, err := filepath.Abs(filepath.Join("..", ".."))
	if err == nil {
		_, err = os.Stat(filepath.Join(dir, "go.mod"))
	}
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

func TestImports(t *testing.T) {
	pkgs := list(t)
	for _, p := range pkgs {
		for _, line := range checkImports(p) {
			t.Error(line)
		}
	}
	if len(pkgs) < 5 {
		t.Fatalf("go list found %d packages", len(pkgs))
	}
	modules := strings.Fields(string(golist(t, "-m", "-f", "{{if not .Main}}{{.Path}}{{end}}", "all")))
	for _, line := range checkPlaces(pkgs, modules) {
		t.Error(line)
	}
}

// The checks must be able to fail.
func TestCheckImports(t *testing.T) {
	ours := func(s string) string { return module + "/" + s }
	tests := []struct {
		from string
		deps []string
		want string
	}{
		{"result", []string{"fmt", "encoding/json"}, ""},
		{"result", []string{"golang.org/x/text/width"}, "standard library alone"},
		{"parse/internal/text", []string{ours("result"), ours("internal/number")}, ""},
		{"parse", []string{ours("analyze")}, "parse may not use analyze"},
		{"analyze", []string{ours("replay/profile")}, "analyze may not use replay"},
		{"analyze/stats", []string{ours("parse")}, "analyze may not use parse"},
		{"replay", []string{ours("parse/internal/text")}, "replay may not use parse"},
		{"replay", []string{ours("analyze")}, "replay may not use analyze"},
		{"export", []string{ours("analyze"), ours("result")}, ""},
		{"export", []string{ours("parse")}, "export may not use parse"},
		{"internal/term", []string{ours("export")}, "internal may not use export"},
		{"cmd/benchproof", []string{ours("parse"), ours("replay"), "github.com/spf13/cobra"}, ""},
		{"export", []string{"github.com/spf13/pflag"}, "whose place is [cmd]"},
		{"parse/internal/html", []string{"github.com/PuerkitoBio/goquery"}, ""},
		{"parse", []string{"github.com/PuerkitoBio/goquery"}, "whose place is"},
		{"cmd/benchproof", []string{"github.com/xuri/excelize/v2"}, "whose place is [export]"},
		{"analyze", []string{"gonum.org/v1/gonum/stat"}, "whose place is [analyze/stats]"},
		{"analyze/stats", []string{"gonum.org/v1/gonum/stat/distuv"}, ""},
		{"analyze/stats", []string{"gonum.org/v1/plot"}, "whose place is [export/picture]"},
		{"export", []string{"gonum.org/v1/plot/vg"}, "whose place is [export/picture]"},
		{"export/picture", []string{"gonum.org/v1/plot/vg"}, ""},
		{"attic", nil, "in no known room"},
	}
	for _, test := range tests {
		got := checkImports(pkg{ImportPath: ours(test.from), Imports: test.deps, Deps: test.deps})
		if (test.want == "") != (len(got) == 0) || len(got) > 0 && !strings.Contains(got[0], test.want) {
			t.Errorf("%s imports %v: got %q, want %q", test.from, test.deps, got, test.want)
		}
	}
	a, b := pkg{ImportPath: ours("parse"), Imports: []string{"example.org/m/x"}}, pkg{ImportPath: ours("export"), Imports: []string{"example.org/m"}}
	if got := checkPlaces([]pkg{a, b}, []string{"example.org/m"}); len(got) != 1 {
		t.Errorf("a module in two rooms: got %q", got)
	}
	if got := checkPlaces([]pkg{a}, []string{"example.org/m"}); got != nil {
		t.Errorf("a module in one room: got %q", got)
	}
}
