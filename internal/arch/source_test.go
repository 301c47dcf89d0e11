package arch

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// printing are the names that no package outside cmd may use, by import path.
// "*" stands for all of a package's.
var printing = map[string][]string{
	"fmt": {"Print", "Printf", "Println"},
	"os":  {"Stdout", "Stderr", "Stdin", "Exit"},
	"log": {"*"},
}

// checkPrinting returns where a file prints, reads a terminal, logs or exits.
func checkPrinting(fset *token.FileSet, file *ast.File) []string {
	forbidden := make(map[string][]string) // by the name in this file
	for _, spec := range file.Imports {
		path, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			continue
		}
		names, ok := printing[path]
		if !ok {
			continue
		}
		name := path
		if spec.Name != nil {
			name = spec.Name.Name
		}
		forbidden[name] = names
	}
	var wrong []string
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			id, ok := n.X.(*ast.Ident)
			// A local variable of a package's name hides the package.
			if !ok || id.Obj != nil {
				return true
			}
			names := forbidden[id.Name]
			if slices.Contains(names, n.Sel.Name) || slices.Contains(names, "*") {
				wrong = append(wrong, fmt.Sprintf("%s: uses %s.%s", fset.Position(n.Pos()), id.Name, n.Sel.Name))
			}
		case *ast.CallExpr:
			if id, ok := n.Fun.(*ast.Ident); ok && id.Obj == nil && (id.Name == "print" || id.Name == "println") {
				wrong = append(wrong, fmt.Sprintf("%s: uses %s", fset.Position(n.Pos()), id.Name))
			}
		}
		return true
	})
	return wrong
}

// checkDocs returns the exported names of a file whose comment is missing, or
// is one that does not begin with the name.
func checkDocs(fset *token.FileSet, file *ast.File) []string {
	var wrong []string
	add := func(pos token.Pos, format string, args ...any) {
		wrong = append(wrong, fmt.Sprintf("%s: ", fset.Position(pos))+fmt.Sprintf(format, args...))
	}
	named := func(pos token.Pos, name string, doc *ast.CommentGroup) {
		text := strings.TrimSpace(doc.Text())
		switch rest, ok := strings.CutPrefix(text, name); {
		case text == "":
			add(pos, "%s has no comment", name)
		case !ok || rest != "" && (rest[0] == '_' || rest[0] >= 'a' && rest[0] <= 'z' || rest[0] >= 'A' && rest[0] <= 'Z'):
			add(pos, "the comment of %s does not begin with its name", name)
		}
	}
	for _, decl := range file.Decls {
		switch d := decl.(type) {
		case *ast.FuncDecl:
			if d.Name.IsExported() && exportedReceiver(d) {
				named(d.Pos(), d.Name.Name, d.Doc)
			}
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				switch s := spec.(type) {
				case *ast.TypeSpec:
					if !s.Name.IsExported() {
						continue
					}
					doc := s.Doc
					if doc == nil {
						doc = d.Doc
					}
					named(s.Pos(), s.Name.Name, doc)
				case *ast.ValueSpec:
					for _, name := range s.Names {
						if name.IsExported() && s.Doc == nil && s.Comment == nil && d.Doc == nil {
							add(name.Pos(), "%s has no comment", name.Name)
						}
					}
				}
			}
		}
	}
	return wrong
}

// exportedReceiver reports whether a function is one, or a method of an
// exported type.
func exportedReceiver(d *ast.FuncDecl) bool {
	if d.Recv == nil {
		return true
	}
	for t := d.Recv.List[0].Type; ; {
		switch x := t.(type) {
		case *ast.StarExpr:
			t = x.X
		case *ast.IndexExpr:
			t = x.X
		case *ast.IndexListExpr:
			t = x.X
		case *ast.Ident:
			return x.IsExported()
		default:
			return true
		}
	}
}

// sources calls f with every Go file of the module, tests and nested modules
// left out, and its directory from the root.
func sources(t *testing.T, f func(dir string, fset *token.FileSet, file *ast.File)) {
	t.Helper()
	base := root(t)
	fset := token.NewFileSet()
	err := filepath.WalkDir(base, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(base, path)
		if err != nil {
			return err
		}
		if d.IsDir() {
			if rel == "." {
				return nil
			}
			if _, err := os.Stat(filepath.Join(path, "go.mod")); err == nil || d.Name() == "testdata" || strings.HasPrefix(d.Name(), ".") {
				return filepath.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		src, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		file, err := parser.ParseFile(fset, filepath.ToSlash(rel), src, parser.ParseComments)
		if err != nil {
			return err
		}
		f(filepath.ToSlash(filepath.Dir(rel)), fset, file)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestPrinting(t *testing.T) {
	files := 0
	sources(t, func(dir string, fset *token.FileSet, file *ast.File) {
		files++
		if dir == "cmd" || strings.HasPrefix(dir, "cmd/") {
			return
		}
		for _, line := range checkPrinting(fset, file) {
			t.Error(line)
		}
	})
	if files < 10 {
		t.Fatalf("found %d files", files)
	}
}

func TestDocs(t *testing.T) {
	commented := make(map[string]bool)
	sources(t, func(dir string, fset *token.FileSet, file *ast.File) {
		for _, line := range checkDocs(fset, file) {
			t.Error(line)
		}
		commented[dir] = commented[dir] || file.Doc != nil
	})
	for dir, ok := range commented {
		if !ok {
			t.Errorf("%s: no file has a package comment", dir)
		}
	}
}

// The rooms of the design must exist, each with a file that says what it is
// for, so that nobody looks for them in vain.
func TestRooms(t *testing.T) {
	for name := range rooms {
		if name == "cmd" || name == "internal" {
			continue // directories of packages
		}
		if _, err := os.Stat(filepath.Join(root(t), name, "doc.go")); err != nil {
			t.Error(err)
		}
	}
}

func TestCheckSource(t *testing.T) {
	const head = "// Package p is one.\npackage p\n\nimport (\n\t\"fmt\"\n\t\"os\"\n\tl \"log\"\n)\n\n"
	tests := []struct {
		name, body  string
		print, docs string
	}{
		{"clean", "// F is documented.\nfunc F() string { return fmt.Sprint(os.Args) }\n", "", ""},
		{"println", "func f() { fmt.Println() }", "uses fmt.Println", ""},
		{"to stderr", "func f() { fmt.Fprintln(os.Stderr) }", "uses os.Stderr", ""},
		{"exit", "func f() { os.Exit(1) }", "uses os.Exit", ""},
		{"log by another name", "func f() { l.Fatal() }", "uses l.Fatal", ""},
		{"builtin", "func f() { println(1) }", "uses println", ""},
		{"own println", "func println(int) {}\nfunc f() { println(1) }", "", ""},
		{"hidden package", "type x struct{ Stdout int }\nfunc f(os x) int { return os.Stdout }", "", ""},
		{"no comment", "func F() {}", "", "F has no comment"},
		{"other name", "// G does.\nfunc F() {}", "", "does not begin with its name"},
		{"longer name", "// Fx does.\nfunc F() {}", "", "does not begin with its name"},
		{"method", "// T is one.\ntype T struct{}\nfunc (t *T) M() {}", "", "M has no comment"},
		{"method of hidden type", "type t struct{}\nfunc (t *t) M() {}", "", ""},
		{"generic", "// T is one.\ntype T[K any] struct{}\nfunc (t *T[K]) M() {}", "", "M has no comment"},
		{"constant", "const C = 1", "", "C has no comment"},
		{"constant with a line", "const C = 1 // is one", "", ""},
		{"group", "// These are.\nconst (\n\tC = 1\n\tD = 2\n)", "", ""},
		{"type", "type T int", "", "T has no comment"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			fset := token.NewFileSet()
			file, err := parser.ParseFile(fset, "p.go", head+test.body, parser.ParseComments)
			if err != nil {
				t.Fatal(err)
			}
			for what, pair := range map[string][2]string{
				"printing": {strings.Join(checkPrinting(fset, file), "; "), test.print},
				"docs":     {strings.Join(checkDocs(fset, file), "; "), test.docs},
			} {
				if (pair[0] == "") != (pair[1] == "") || !strings.Contains(pair[0], pair[1]) {
					t.Errorf("%s: got %q, want %q", what, pair[0], pair[1])
				}
			}
		})
	}
}
