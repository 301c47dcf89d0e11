package arch

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// left reports whether the table of doc/design.md leaves a package out of what
// others stand on.
func left(path string) bool {
	return path == "result" || strings.HasPrefix(path, "internal/")
}

// supports returns for each package, by its path from the root, those that it
// imports, without those that it has by way of another of them.
func supports(pkgs []pkg) map[string][]string {
	graph := make(map[string][]string)
	for _, p := range pkgs {
		from := strings.TrimPrefix(p.ImportPath, module+"/")
		graph[from] = []string{}
		for _, path := range p.Imports {
			if to, ok := strings.CutPrefix(path, module+"/"); ok && !left(to) {
				graph[from] = append(graph[from], to)
			}
		}
	}
	var reaches func(from, to string) bool
	reaches = func(from, to string) bool {
		return slices.ContainsFunc(graph[from], func(next string) bool { return next == to || reaches(next, to) })
	}
	short := make(map[string][]string)
	for from, all := range graph {
		short[from] = slices.DeleteFunc(slices.Sorted(slices.Values(all)), func(to string) bool {
			return slices.ContainsFunc(all, func(other string) bool { return other != to && reaches(other, to) })
		})
	}
	return short
}

var tableName = regexp.MustCompile("`([^`]+)`")

// drawn reads the table of packages of a document: the names of the first
// column, and those of the last.
func drawn(text string) map[string][]string {
	table := make(map[string][]string)
	for line := range strings.Lines(text) {
		cells := strings.Split(strings.TrimSpace(line), "|")
		if len(cells) < 4 || !strings.HasPrefix(cells[1], " `") {
			continue
		}
		list := []string{}
		for _, m := range tableName.FindAllStringSubmatch(cells[len(cells)-2], -1) {
			list = append(list, m[1])
		}
		table[tableName.FindStringSubmatch(cells[1])[1]] = list
	}
	return table
}

// differences says what a table says otherwise than the code.
func differences(table, code map[string][]string) []string {
	var wrong []string
	for _, name := range slices.Sorted(maps.Keys(code)) {
		got, ok := table[name]
		switch {
		case strings.HasPrefix(name, "internal/"):
		case !ok:
			wrong = append(wrong, "has no "+name)
		case !slices.Equal(slices.Sorted(slices.Values(got)), code[name]):
			wrong = append(wrong, fmt.Sprintf("%s stands on %q, and the code says %q", name, got, code[name]))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(table)) {
		if _, ok := code[name]; !ok {
			wrong = append(wrong, "has "+name+", which is no package")
		}
	}
	return wrong
}

// section returns the text of a document below a heading, up to the next.
func section(t *testing.T, file, heading string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root(t), filepath.FromSlash(file)))
	if err != nil {
		t.Fatal(err)
	}
	_, rest, ok := strings.Cut(string(text), "\n## "+heading+"\n")
	if !ok {
		t.Fatalf("%s has no heading %q", file, heading)
	}
	rest, _, _ = strings.Cut(rest, "\n## ")
	return rest
}

// list returns the packages of the module.
func list(t *testing.T) []pkg {
	t.Helper()
	dec := json.NewDecoder(bytes.NewReader(golist(t, "-json=ImportPath,Standard,Imports,Deps", "./...")))
	var pkgs []pkg
	for {
		var p pkg
		err := dec.Decode(&p)
		if errors.Is(err, io.EOF) {
			return pkgs
		}
		if err != nil {
			t.Fatal(err)
		}
		pkgs = append(pkgs, p)
	}
}

// The design shows the packages as they are.
func TestPackageTable(t *testing.T) {
	code := supports(list(t))
	for _, line := range differences(drawn(section(t, "doc/design.md", "The packages")), code) {
		t.Errorf("doc/design.md: %s", line)
	}
}

func TestDifferences(t *testing.T) {
	ours := func(names ...string) (paths []string) {
		for _, name := range names {
			paths = append(paths, module+"/"+name)
		}
		return paths
	}
	code := supports([]pkg{
		{ImportPath: module + "/a", Imports: append(ours("b", "c", "result", "internal/x"), "fmt")},
		{ImportPath: module + "/b", Imports: ours("c")},
		{ImportPath: module + "/c"},
		{ImportPath: module + "/internal/x"},
	})
	for name, test := range map[string]struct{ table, want string }{
		"true":         {"| `a` | x | `b` |\n| `b` | y | `c` |\n| `c` | z | |\n", ""},
		"a line short": {"| `a` | x | `b` |\n| `b` | y | `c` |\n", "has no c"},
		"an edge less": {"| `a` | x | |\n| `b` | y | `c` |\n| `c` | z | |\n", "a stands on"},
		"an edge more": {"| `a` | x | `b` `c` |\n| `b` | y | `c` |\n| `c` | z | |\n", "a stands on"},
		"a line more":  {"| `a` | x | `b` |\n| `b` | y | `c` |\n| `c` | z | |\n| `d` | `z` | |\n", "has d"},
	} {
		got := strings.Join(differences(drawn(test.table), code), "; ")
		if (got == "") != (test.want == "") || !strings.Contains(got, test.want) {
			t.Errorf("%s: got %q, want %q", name, got, test.want)
		}
	}
}
