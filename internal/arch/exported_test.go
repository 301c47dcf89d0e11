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

// wish is exported names that no other package of this module uses, with the
// reason why they are exported all the same.
type wish struct {
	reason, pkg, names string
}

var wishes = []wish{
	{
		"formulas for single runs, which analyze seldom has: a program that has them wants the usual ones", "analyze/stats",
		"HodgesLehmann MedianInterval MAD ModifiedZ Outliers OutlierThreshold RunDominance Dominance SignedRank SignedRankTest WelchRuns " +
			"MannWhitneyRuns Drift DriftTest WelchANOVA ANOVATest",
	},
	{
		"correlation and agreement of two series, and how studies are put together", "analyze/stats",
		"Spearman SpearmanTest Kendall KendallTest CorrelationTest Concordance ConcordanceEstimate RatioPairs DerSimonianLaird ClopperPearson",
	},
	{
		"the rest of a family of which analyze uses another member", "analyze/stats",
		"BenjaminiYekutieli NemenyiP Reduction FromDeviation RoundedFromDeviation RoundedRatio RoundedRatioEstimate RoundedRatioEstimate.Different " +
			"LogRatio.Inverse RatioEstimate.Inverse Pair.Significant Plan.DifferencePower Plan.EquivalencePower Rounded.Disjoint " +
			"Summary.DeviationPercent Summary.PopulationSD Range.Contains Range.Decide Answer Answer.String Yes No Undecided",
	},
	{"errors.Is asks for it", "analyze/stats", "ErrNoVariation ErrTooLarge ErrUnreachable"},
	{"errors.Is asks for it", "replay", "ErrNoPlan"},
	{"errors.Is asks for it", "replay/lab", "ErrSystem"},
	{"errors.Is asks for it on other systems than Linux", "replay/internal/process", "ErrSystem"},
	{"errors.Is asks for it", "replay/cluster", "ErrWrongHost"},
	{"errors.As asks for it in what AddOptions.Problem is told", "corpus", "KnownError KnownError.Error KnownError.Is"},
	{"who reads the documents and files with other programs goes by it", "result", "SchemaID"},
	{"who reads the documents and files with other programs goes by it", "corpus", "SchemaID Corpus.Files"},
	{"who reads the documents and files with other programs goes by it", "export/parquet", "SchemaID Row"},
	{"who reads the documents and files with other programs goes by it", "export/sqlite", "Version"},
	{"a program that wants an input's results at once", "parse", "ReadFile Reader.All"},
	{"a program that walks a corpus without the engine", "corpus", "Corpus.Each"},
	{"a program that writes tables in a form of its own", "export", "Table.Rows WideTable.Rows"},
	{"what a program is told besides Warnings, with places", "export/xml", "Writer.Diagnostics"},
	{"a kind of progress like the others", "replay", "Begun"},
	{"an administrator's, who does not know the replays that were killed", "replay/lab", "Sweep"},
	{"a profile of another package needs them", "replay/profile", "Find Outputs.Step Reading.Sample"},
}

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
// other packages use, those beside the package among them. What is behind a dot of anything else than a package is
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
			if !ok || !strings.Contains("/"+full, "/internal/") || full == filepath.ToSlash(filepath.Dir(path)) && !strings.HasSuffix(file.Name.Name, "_test") {
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
	wished := make(map[string]bool)
	for _, w := range wishes {
		for _, name := range strings.Fields(w.names) {
			wished[w.pkg+"."+name] = true
			if !slices.Contains(unused, w.pkg+"."+name) {
				t.Errorf("%s.%s is among the wishes, and is used or not there", w.pkg, name)
			}
		}
	}
	for _, name := range unused {
		if !wished[name] {
			t.Errorf("%s: no other package uses it; unexport it, or say among the wishes who would", name)
		}
	}
}

// made is an importer of packages that are made in a test.
type made map[string]*types.Package

func (m made) Import(path string) (*types.Package, error) {
	if p := m[path]; p != nil {
		return p, nil
	}
	return nil, fmt.Errorf("no %s", path)
}

// The check must be able to fail.
func TestUnusedNames(t *testing.T) {
	packages := made{}
	var pkgs []checked
	for _, p := range []struct{ path, src string }{
		{module + "/a", `package a
type Used struct { Field Inner }
type Inner int
const One Inner = 1
func (Used) Called() {}
func (Used) Asked() {}
func (Used) Idle() {}
func (Used) String() string { return "" }
type Idle struct{}
func New() *Made { return nil }
type Made struct{}
func Alone() { New() }
func Generic[T any](T) {}
func hidden() {}
`},
		{module + "/b", `package b
import "` + module + `/a"
type asker interface { Asked() }
func f(u a.Used) { u.Called(); a.New(); a.Generic(1); var _ asker = u }
`},
	} {
		fset := token.NewFileSet()
		file, err := parser.ParseFile(fset, "x.go", p.src, 0)
		if err != nil {
			t.Fatal(err)
		}
		info := &types.Info{Uses: make(map[*ast.Ident]types.Object)}
		conf := types.Config{Importer: packages}
		c, err := conf.Check(p.path, fset, []*ast.File{file}, info)
		if err != nil {
			t.Fatal(err)
		}
		packages[p.path] = c
		pkgs = append(pkgs, checked{p.path, c, info.Uses, []*ast.File{file}})
	}
	want := []string{"a.Alone", "a.Idle", "a.Used.Idle"}
	if got := unusedNames(pkgs, nil); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if got := unusedNames(pkgs, map[string]bool{"a.Idle": true}); !slices.Equal(got, []string{"a.Alone", "a.Used.Idle"}) {
		t.Errorf("with what tests use: got %q", got)
	}
}
