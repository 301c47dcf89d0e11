package arch

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// wished are the exported names that no other package of this module uses, each
// with the reason why it is exported all the same.
var wished = map[string]string{}

// foreign are methods that interfaces of the standard library ask for, which
// call them from where no selector shows.
var foreign = []string{
	"Error", "Unwrap", "Is", "String", "MarshalText", "UnmarshalText", "MarshalJSON", "UnmarshalJSON",
	"Read", "Write", "Close", "Seek", "ReadAt", "WriteAt", "ReadByte", "WriteTo", "ReadFrom", "WriteString", "Len", "Less", "Swap",
}

// checked is a package of ours with its types, and what is used in it.
type checked struct {
	path  string
	types *types.Package
	uses  map[*ast.Ident]types.Object
	files []*ast.File
}

// nameOf returns a name for an object that is the same whether it comes from
// source or from export data: "result.File", "result.File.AddSystem"; "" for
// what is no name of a package of ours, fields included.
func nameOf(o types.Object) string {
	if o == nil || o.Pkg() == nil || !o.Exported() {
		return ""
	}
	path, ok := strings.CutPrefix(o.Pkg().Path(), module+"/")
	if !ok {
		return ""
	}
	if f, ok := o.(*types.Func); ok {
		if recv := f.Signature().Recv(); recv != nil {
			t := recv.Type()
			if p, ok := t.(*types.Pointer); ok {
				t = p.Elem()
			}
			named, ok := t.(*types.Named)
			if !ok {
				return ""
			}
			return path + "." + named.Obj().Name() + "." + o.Name()
		}
	}
	if o.Parent() != o.Pkg().Scope() {
		return ""
	}
	return path + "." + o.Name()
}

// unusedNames returns the exported names of packages that no other of them
// needs. One is needed that another package names, and what that has in its
// signature, its fields and its methods' signatures; the constants of a needed
// type; and the methods that an interface asks for.
//
// What tests alone use (byTests) is needed, too.
func unusedNames(pkgs []checked, byTests map[string]bool) []string {
	needed := make(map[string]bool)
	asked := make(map[string]bool) // methods of interfaces, by name
	for _, name := range foreign {
		asked[name] = true
	}
	objects := make(map[string]types.Object)
	methods := make(map[string][]*types.Func) // by the name of their type
	for _, p := range pkgs {
		for _, file := range p.files {
			ast.Inspect(file, func(n ast.Node) bool {
				if i, ok := n.(*ast.InterfaceType); ok {
					for _, m := range i.Methods.List {
						for _, name := range m.Names {
							asked[name.Name] = true
						}
					}
				}
				return true
			})
		}
		scope := p.types.Scope()
		for _, name := range scope.Names() {
			o := scope.Lookup(name)
			if !o.Exported() {
				continue
			}
			objects[nameOf(o)] = o
			if t, ok := o.(*types.TypeName); ok && !t.IsAlias() {
				if named, ok := t.Type().(*types.Named); ok {
					for m := range named.Methods() {
						if m.Exported() {
							objects[nameOf(m)] = m
							methods[nameOf(o)] = append(methods[nameOf(o)], m)
						}
					}
				}
			}
		}
	}
	// What another package names.
	var queue []string
	need := func(name string) {
		if name != "" && !needed[name] && objects[name] != nil {
			needed[name] = true
			queue = append(queue, name)
		}
	}
	for _, p := range pkgs {
		for _, o := range p.uses {
			if o.Pkg() != nil && o.Pkg().Path() != p.path {
				if f, ok := o.(*types.Func); ok {
					o = f.Origin()
				}
				need(nameOf(o))
			}
		}
	}
	for name := range objects {
		if byTests[name] {
			need(name)
		}
	}
	for len(queue) > 0 {
		name := queue[0]
		queue = queue[1:]
		o := objects[name]
		reach(o.Type(), func(t *types.TypeName) { need(nameOf(t)) })
		if t, ok := o.(*types.TypeName); ok {
			reach(t.Type().Underlying(), func(t *types.TypeName) { need(nameOf(t)) })
			for _, m := range methods[name] {
				if asked[m.Name()] {
					need(nameOf(m))
				}
			}
			for other, c := range objects {
				if c, ok := c.(*types.Const); ok && types.Identical(c.Type(), t.Type()) {
					need(other)
				}
			}
		}
	}
	var unused []string
	for _, name := range slices.Sorted(maps.Keys(objects)) {
		if !needed[name] {
			unused = append(unused, name)
		}
	}
	return unused
}

// reach calls f with the named types that a type is written with.
func reach(t types.Type, f func(*types.TypeName)) {
	switch t := t.(type) {
	case *types.Alias:
		f(t.Obj())
		reach(t.Rhs(), f)
	case *types.Named:
		f(t.Obj())
		for a := range t.TypeArgs().Types() {
			reach(a, f)
		}
	case *types.Pointer:
		reach(t.Elem(), f)
	case *types.Slice:
		reach(t.Elem(), f)
	case *types.Array:
		reach(t.Elem(), f)
	case *types.Chan:
		reach(t.Elem(), f)
	case *types.Map:
		reach(t.Key(), f)
		reach(t.Elem(), f)
	case *types.Signature:
		for v := range t.Params().Variables() {
			reach(v.Type(), f)
		}
		for v := range t.Results().Variables() {
			reach(v.Type(), f)
		}
	case *types.Struct:
		for v := range t.Fields() {
			if v.Exported() || v.Embedded() {
				reach(v.Type(), f)
			}
		}
	case *types.Interface:
		for m := range t.Methods() {
			reach(m.Type(), f)
		}
	}
}

// checkAll checks the types of our packages from source, and takes all that
// they import from what the compiler wrote.
func checkAll(t *testing.T) []checked {
	t.Helper()
	dec := json.NewDecoder(bytes.NewReader(golist(t, "-export", "-deps", "-json=ImportPath,Dir,GoFiles,Export,ImportMap", "./...")))
	type listed struct {
		ImportPath, Dir, Export string
		GoFiles                 []string
	}
	exports := make(map[string]string)
	var ours []listed
	for {
		var p listed
		err := dec.Decode(&p)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		exports[p.ImportPath] = p.Export
		if room(p.ImportPath) != "" {
			ours = append(ours, p)
		}
	}
	fset := token.NewFileSet()
	imports := importer.ForCompiler(fset, "gc", func(path string) (io.ReadCloser, error) {
		name := exports[path]
		if name == "" {
			name = exports["vendor/"+path]
		}
		if name == "" {
			return nil, fmt.Errorf("nothing compiled of %s", path)
		}
		return os.Open(name)
	})
	var pkgs []checked
	for _, p := range ours {
		var files []*ast.File
		for _, name := range p.GoFiles {
			f, err := parser.ParseFile(fset, filepath.Join(p.Dir, name), nil, parser.SkipObjectResolution)
			if err != nil {
				t.Fatal(err)
			}
			files = append(files, f)
		}
		info := &types.Info{Uses: make(map[*ast.Ident]types.Object)}
		conf := types.Config{Importer: imports}
		checkedTypes, err := conf.Check(p.ImportPath, fset, files, info)
		if err != nil {
			t.Fatal(err)
		}
		pkgs = append(pkgs, checked{p.ImportPath, checkedTypes, info.Uses, files})
	}
	return pkgs
}

// usedByTests returns the exported names of internal packages that the tests of
// other packages use. What is behind a dot of anything else than a package is
// taken for a method of every internal package that the file imports.
func usedByTests(t *testing.T) map[string]bool {
	t.Helper()
	used := make(map[string]bool)
	methods := make(map[string][]string) // by package, the types' names
	sources(t, func(dir string, _ *token.FileSet, file *ast.File) {
		for _, decl := range file.Decls {
			if d, ok := decl.(*ast.GenDecl); ok && d.Tok == token.TYPE {
				for _, spec := range d.Specs {
					methods[dir] = append(methods[dir], spec.(*ast.TypeSpec).Name.Name)
				}
			}
		}
	})
	goFiles(t, func(path string, src []byte) {
		if !strings.HasSuffix(path, "_test.go") {
			return
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, src, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		imported := make(map[string]string) // by name
		for _, spec := range file.Imports {
			full, ok := strings.CutPrefix(strings.Trim(spec.Path.Value, `"`), module+"/")
			if !ok || !strings.Contains("/"+full, "/internal/") || full == filepath.ToSlash(filepath.Dir(path)) {
				continue
			}
			name := full[strings.LastIndexByte(full, '/')+1:]
			if spec.Name != nil {
				name = spec.Name.Name
			}
			imported[name] = full
		}
		ast.Inspect(file, func(n ast.Node) bool {
			sel, ok := n.(*ast.SelectorExpr)
			if !ok {
				return true
			}
			if id, ok := sel.X.(*ast.Ident); ok && imported[id.Name] != "" {
				used[imported[id.Name]+"."+sel.Sel.Name] = true
				return true
			}
			for _, full := range imported {
				for _, typ := range methods[full] {
					used[full+"."+typ+"."+sel.Sel.Name] = true
				}
			}
			return true
		})
	})
	return used
}

// An exported name is a promise: it is there because another package needs it,
// or because a user of the library would.
func TestExportedNames(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles all")
	}
	unused := unusedNames(checkAll(t), usedByTests(t))
	for _, name := range unused {
		if wished[name] == "" {
			t.Errorf("%s: no other package uses it; unexport it, or say in wished who would", name)
		}
	}
	for name := range wished {
		if !slices.Contains(unused, name) {
			t.Errorf("%s is in wished, and is used or not there", name)
		}
	}
}
