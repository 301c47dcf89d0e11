package replay

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"sync"
	"time"
)

// versionAfter is how long a tool may take to tell its version. It is long, as
// one in an emulated guest of a busy machine is loaded for tens of seconds, and
// a version that is not told ends a planned replay. Tests set less.
var versionAfter = time.Minute

// toolDirs are where Debian keeps programs that are in nobody's PATH.
var toolDirs = []string{"/usr/local/sbin", "/usr/local/bin", "/usr/sbin", "/usr/bin", "/sbin", "/bin", "/usr/lib/postgresql/*/bin"}

// versionAsk is how a tool is asked for its version and where the answer is.
type versionAsk struct {
	args []string
	find *regexp.Regexp
}

var (
	anyVersion = regexp.MustCompile(`(\d+(?:\.\d+)+)`)
	pgVersion  = regexp.MustCompile(`\(PostgreSQL\) (\d+(?:\.\d+)*)`)
	dbVersion  = regexp.MustCompile(`(\d+\.\d+\.\d+)-MariaDB`)
)

// versionAsks are the tools that tell their version without doing anything
// else. Others are never run to find it out.
var versionAsks = map[string]versionAsk{
	"fio":       {[]string{"--version"}, regexp.MustCompile(`fio-(\d+(?:\.\d+)*)`)},
	"sqlite3":   {[]string{"--version"}, anyVersion},
	"initdb":    {[]string{"--version"}, pgVersion},
	"postgres":  {[]string{"--version"}, pgVersion},
	"pg_ctl":    {[]string{"--version"}, pgVersion},
	"pgbench":   {[]string{"--version"}, pgVersion},
	"psql":      {[]string{"--version"}, pgVersion},
	"createdb":  {[]string{"--version"}, pgVersion},
	"mariadbd":  {[]string{"--no-defaults", "--version"}, dbVersion},
	"mysqld":    {[]string{"--no-defaults", "--version"}, dbVersion},
	"mysqlslap": {[]string{"--no-defaults", "--version"}, dbVersion},
	"mariadb":   {[]string{"--no-defaults", "--version"}, dbVersion},
	"mpirun":    {[]string{"--version"}, anyVersion},
	"db_bench":  {[]string{"--version"}, anyVersion},
	"iozone":    {[]string{"-v"}, regexp.MustCompile(`(?i)Version[ $:]*Revision: *(\d+\.\d+)|Version\D*(\d+\.\d+)`)},
	"dbench":    {[]string{"--version"}, regexp.MustCompile(`(?i)version (\d+\.\d+)`)},
}

// Finder finds programs in the directories of the system and in those of PATH.
// It asks each at most once. It is safe for concurrent use.
type Finder struct {
	// Path are the directories of the user's PATH, looked through first.
	Path []string

	mu    sync.Mutex
	found map[string]foundTool
}

type foundTool struct {
	path, version string
	ok            bool
}

// Find returns the absolute path of a program and its version, "" where it does
// not tell one, and false where there is no such program. A name with a
// directory in it is none.
func (f *Finder) Find(program string) (path, version string, ok bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if t, known := f.found[program]; known {
		return t.path, t.version, t.ok
	}
	t := foundTool{}
	if t.path = f.look(program); t.path != "" {
		t.ok, t.version = true, askVersion(program, t.path)
	}
	if f.found == nil {
		f.found = make(map[string]foundTool)
	}
	f.found[program] = t
	return t.path, t.version, t.ok
}

func (f *Finder) look(program string) string {
	if program == "" || program != filepath.Base(program) || program[0] == '.' {
		return ""
	}
	for _, pattern := range slices.Concat(f.Path, toolDirs) {
		if !filepath.IsAbs(pattern) {
			continue // a program of the working directory is nobody's tool
		}
		dirs := []string{pattern}
		if slices.Contains(toolDirs, pattern) {
			dirs, _ = filepath.Glob(pattern) // the patterns are well formed
			slices.Reverse(dirs)             // the newest version
		}
		for _, dir := range dirs {
			path := filepath.Join(dir, program)
			if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() && info.Mode()&0o111 != 0 {
				return path
			}
		}
	}
	return ""
}

// maxVersion is how much of a tool's answer is read.
const maxVersion = 64 << 10

// answer keeps the beginning of what a tool prints, and takes no more: the tool
// then has a broken pipe.
type answer struct{ text []byte }

var errLongAnswer = errors.New("the answer is too long")

// Write keeps p, or what of it still fits with an error.
func (a *answer) Write(p []byte) (int, error) {
	n := min(len(p), maxVersion-len(a.text))
	if a.text = append(a.text, p[:n]...); n < len(p) {
		return n, errLongAnswer
	}
	return n, nil
}

// askVersion runs a tool that can tell its version, with no input. Whatever the
// tool does, it takes little time and memory, and nothing of it stays.
func askVersion(program, path string) string {
	ask, ok := versionAsks[program]
	if !ok {
		return ""
	}
	// See ownGroup.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	ctx, cancel := context.WithTimeout(context.Background(), versionAfter)
	defer cancel()
	cmd := exec.CommandContext(ctx, path, ask.args...)
	cmd.Env = []string{"LC_ALL=C", "PATH=/usr/bin:/bin", "HOME=/nonexistent"}
	cmd.Dir = "/"
	cmd.WaitDelay = time.Second
	var out answer
	cmd.Stdout, cmd.Stderr = &out, &out // one writer: one goroutine calls it
	cmd.SysProcAttr = ownGroup()
	cmd.Cancel = func() error { return killGroup(cmd.Process) }
	// Some exit with an error and tell it all the same.
	_ = cmd.Run()
	if found := ask.find.FindSubmatch(out.text); found != nil {
		for _, group := range found[1:] {
			if len(group) > 0 {
				return string(group)
			}
		}
	}
	return ""
}
