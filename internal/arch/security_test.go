package arch

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// starters are the files that may start a program, and what each starts.
var starters = map[string]string{
	"corpus/engine.go":                       "the SQL engine",
	"replay/tools.go":                        "a tool, for its version",
	"replay/cluster/slurm.go":                "a program of Slurm",
	"replay/native/iorrank_linux.go":         "this program, as a rank of IOR",
	"replay/internal/process/run_linux.go":   "this program, as a supervisor",
	"replay/internal/process/start_linux.go": "the program of a step",
}

// starting are what starts a program, or becomes one, by import path.
var starting = map[string][]string{
	"os/exec":               {"Command", "CommandContext", "Cmd"},
	"os":                    {"StartProcess"},
	"syscall":               {"ForkExec", "Exec", "StartProcess"},
	"golang.org/x/sys/unix": {"Exec"},
}

// uses calls f with every use of a name of a package that a file imports.
func uses(fset *token.FileSet, file *ast.File, names map[string][]string, f func(at token.Position, name string)) {
	here := make(map[string][]string)
	for _, spec := range file.Imports {
		path, err := strconv.Unquote(spec.Path.Value)
		if err != nil || names[path] == nil {
			continue
		}
		name := path[strings.LastIndexByte(path, '/')+1:]
		if spec.Name != nil {
			name = spec.Name.Name
		}
		here[name] = names[path]
	}
	ast.Inspect(file, func(n ast.Node) bool {
		if s, ok := n.(*ast.SelectorExpr); ok {
			if id, ok := s.X.(*ast.Ident); ok && id.Obj == nil && slices.Contains(here[id.Name], s.Sel.Name) {
				f(fset.Position(s.Pos()), id.Name+"."+s.Sel.Name)
			}
		}
		return true
	})
}

// TestSecurityExec: programs are started in a few known places.
func TestSecurityExec(t *testing.T) {
	found := make(map[string]bool)
	sources(t, func(_ string, fset *token.FileSet, file *ast.File) {
		uses(fset, file, starting, func(at token.Position, name string) {
			found[at.Filename] = true
			if starters[at.Filename] == "" {
				t.Errorf("%s: uses %s", at, name)
			}
		})
	})
	for name, what := range starters {
		if what != "" && !found[name] {
			t.Errorf("%s starts nothing any more: %s", name, what)
		}
	}
}

// shell matches the names of programs that read commands from text.
var shell = regexp.MustCompile(`^(/usr)?(/bin/)?(ba|da|z|k|c|tc|a)?sh$|^(?i:(cmd|powershell|pwsh)(\.exe)?)$|^(env|xargs|eval|nohup|sudo|su|ssh|perl|python3?|awk)$`)

// scripts are the files that hold a script for Slurm: fixed texts, to which
// paths are given as arguments.
var scripts = []string{"replay/cluster/job.go", "cmd/benchproof/corpus_slurm.go"}

// parents are the files that know shells by name: to tell which started this
// program, and whose completion is wanted.
var parents = []string{"cmd/benchproof/stdout_linux.go", "cmd/benchproof/completion.go"}

// TestSecurityShell: no shell, and nothing else that would read a text as
// commands, is named in the program, but in the two scripts of fixed text that
// Slurm is given.
func TestSecurityShell(t *testing.T) {
	files, inScripts := 0, 0
	sources(t, func(dir string, fset *token.FileSet, file *ast.File) {
		files++
		ast.Inspect(file, func(n ast.Node) bool {
			lit, ok := n.(*ast.BasicLit)
			if !ok || lit.Kind != token.STRING {
				return true
			}
			text, err := strconv.Unquote(lit.Value)
			if err != nil {
				t.Error(err)
				return true
			}
			at := fset.Position(lit.Pos())
			switch {
			case strings.HasPrefix(text, "#!"):
				inScripts++
				if !slices.Contains(scripts, at.Filename) {
					t.Errorf("%s: a script: %q", at, text)
				}
				for line := range strings.Lines(text) {
					if bad := strings.NewReplacer(`"$1"`, "", `"$2"`, "", `"$3"`, "", `"$@"`, "").Replace(line); !strings.HasPrefix(line, "#") && strings.ContainsAny(bad, "$`%\\") {
						t.Errorf("%s: what stands in no quotes, or is put in: %q", at, line)
					}
				}
			case shell.MatchString(text) && !slices.Contains(parents, at.Filename):
				t.Errorf("%s: %q", at, text)
			}
			return true
		})
	})
	if files < 100 || inScripts != len(scripts) {
		t.Errorf("%d files, %d scripts", files, inScripts)
	}
}

// network are what reaches a network, by import path: all of these packages,
// and what others' packages have for it.
var network = map[string][]string{
	"github.com/PuerkitoBio/goquery": {"NewDocument", "NewDocumentFromResponse"},
	"syscall":                        {"Socket", "Connect", "Bind", "Listen"},
	"golang.org/x/sys/unix":          {"Connect", "Bind", "Listen", "Accept", "Accept4"},
}

// TestSecurityNetImports: no package of ours can reach a network.
func TestSecurityNetImports(t *testing.T) {
	sources(t, func(_ string, fset *token.FileSet, file *ast.File) {
		for _, spec := range file.Imports {
			path, _ := strconv.Unquote(spec.Path.Value) // it is parsed
			if path == "net" || strings.HasPrefix(path, "net/") && path != "net/url" && path != "net/netip" || path == "crypto/tls" || path == "plugin" {
				t.Errorf("%s: imports %s", fset.Position(spec.Pos()), path)
			}
		}
		uses(fset, file, network, func(at token.Position, name string) { t.Errorf("%s: uses %s", at, name) })
	})
	// The engine is a module of its own.
	names, err := filepath.Glob(filepath.Join(root(t), "cmd/benchproof-sql/*.go"))
	if err != nil || len(names) == 0 {
		t.Fatal(names, err)
	}
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, bad := range []string{`"net"`, `"net/http"`, `"os/exec"`, `"plugin"`} {
			if !strings.HasSuffix(name, "_test.go") && bytes.Contains(text, []byte(bad)) {
				t.Errorf("%s: imports %s", name, bad)
			}
		}
		// Of syscall it has the names of signals.
		if bytes.Count(text, []byte("syscall.")) != bytes.Count(text, []byte("syscall.SIG")) {
			t.Errorf("%s: uses more of syscall than signals", name)
		}
	}
}

// TestSecurityModes: what is made with rights that are spelt out is made with
// none that others could write by, but for what the umask decides on.
func TestSecurityModes(t *testing.T) {
	// Lock files of disks are every user's.
	allowed := map[string][]string{"replay/internal/target/lock_linux.go": {"0o666"}}
	sources(t, func(_ string, fset *token.FileSet, file *ast.File) {
		ast.Inspect(file, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			name := ""
			switch f := call.Fun.(type) {
			case *ast.SelectorExpr:
				name = f.Sel.Name
			case *ast.Ident:
				name = f.Name
			}
			// That of a tool is set by its supervisor.
			if name == "Umask" && fset.Position(call.Pos()).Filename != "replay/internal/process/supervisor_linux.go" {
				t.Errorf("%s: sets the umask", fset.Position(call.Pos()))
			}
			if !strings.Contains(name, "hmod") || len(call.Args) == 0 {
				return true
			}
			for _, arg := range call.Args {
				lit, ok := arg.(*ast.BasicLit)
				if !ok || lit.Kind != token.INT {
					continue
				}
				at := fset.Position(lit.Pos())
				mode, err := strconv.ParseUint(lit.Value, 0, 32)
				if err == nil && mode&0o022 != 0 && !slices.Contains(allowed[at.Filename], lit.Value) {
					t.Errorf("%s: %s to %s, past the umask", at, name, lit.Value)
				}
			}
			return true
		})
	})
}

// tests returns the names of all test functions of the project, the engine's
// and those of systems other than this one included.
func tests(t *testing.T) map[string]bool {
	t.Helper()
	found := make(map[string]bool)
	function := regexp.MustCompile(`(?m)^func ((?:Test|Fuzz|Example)\w*)\(`)
	err := filepath.WalkDir(root(t), func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (d.Name() == "testdata" || strings.HasPrefix(d.Name(), ".") && d.Name() != ".") {
			return filepath.SkipDir
		}
		if !strings.HasSuffix(path, "_test.go") {
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(root(t), filepath.Dir(path))
		if err != nil {
			return err
		}
		for _, m := range function.FindAllSubmatch(text, -1) {
			found[filepath.ToSlash(rel)+"."+string(m[1])] = true
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// checkClaims returns what is wrong with a document of claims: those of its
// points that no test is behind, and the tests that it names and that are not
// there. It returns the number of claims and of tests as well. A claim is a
// point of a list; behind it stand its tests as `folder.TestName`. The section
// of what is not defended has none.
func checkClaims(text string, have map[string]bool) (wrong []string, claims, named int) {
	name := regexp.MustCompile("`([a-z0-9/-]+\\.(?:Test|Fuzz|Example)\\w+)`")
	section, seen := "", make(map[string]bool)
	var point []string
	end := func() {
		if len(point) == 0 {
			return
		}
		body := strings.Join(point, " ")
		point = nil
		if section == "Not defended" {
			return
		}
		claims++
		found := name.FindAllStringSubmatch(body, -1)
		if len(found) == 0 {
			wrong = append(wrong, fmt.Sprintf("no test is behind %.60q", body))
		}
		for _, m := range found {
			if !have[m[1]] {
				wrong = append(wrong, "there is no test "+m[1])
			}
			if !seen[m[1]] {
				seen[m[1]] = true
				named++
			}
		}
	}
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\n")
		switch {
		case strings.HasPrefix(line, "#"):
			end()
			section = strings.TrimSpace(strings.TrimLeft(line, "#"))
		case strings.HasPrefix(line, "- "):
			end()
			point = []string{line[2:]}
		case strings.HasPrefix(line, "  ") && len(point) > 0:
			point = append(point, strings.TrimSpace(line))
		default:
			end()
		}
	}
	end()
	return wrong, claims, named
}

// TestSecurityClaims: behind every claim of doc/security.md stands a test that
// is there.
func TestSecurityClaims(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(root(t), "doc", "security.md"))
	if err != nil {
		t.Fatal(err)
	}
	wrong, claims, named := checkClaims(string(text), tests(t))
	for _, w := range wrong {
		t.Error(w)
	}
	if t.Logf("%d claims, %d tests", claims, named); claims < 40 || named < 40 {
		t.Errorf("%d claims with %d tests", claims, named)
	}

	have := map[string]bool{"a/b.TestOne": true}
	wrong, claims, named = checkClaims("# T\n\n## One\n\n- It holds:\n  `a/b.TestOne`.\n- It does not: `a/b.TestTwo`.\n- Who knows.\n\nWords `a/b.TestThree`.\n\n## Not defended\n\n- This.\n", have)
	if want := "there is no test a/b.TestTwo|no test is behind \"Who knows.\""; strings.Join(wrong, "|") != want || claims != 3 || named != 2 {
		t.Errorf("%q, %d claims, %d tests; want %q", wrong, claims, named, want)
	}
}
