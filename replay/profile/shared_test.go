package profile

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/benchproof/benchproof/result"
)

// sharedTools are the tools as if all were installed, with the versions of
// Debian 12.
type sharedTools map[string]string

func (s sharedTools) Find(program string) (path, version string, ok bool) {
	v, ok := s[program]
	return "/usr/bin/" + program, v, ok
}

var debian12 = sharedTools{
	"fio": "3.33", "db_bench": "7.8.3", "fs_mark": "", "dbench": "4.00", "postmark": "", "sqlite3": "3.40.1",
	"initdb": "15.20", "postgres": "15.20", "pgbench": "15.20", "createdb": "15.20", "dropdb": "15.20", "pg_isready": "15.20",
	"mariadb-install-db": "", "mariadbd": "10.11.19", "mariadb-admin": "10.11.19", "mysqlslap": "10.11.19", "mariadb": "10.11.19",
}

// row makes a row by its published texts.
func row(title, version, arguments, scale string) Row {
	return Row{Test: &result.Test{
		Title: title, Version: version, Arguments: arguments,
		Options: result.ParseOptions(arguments), Scale: scale,
	}}
}

// at returns the row with a date, "2019-06-05".
func (r Row) at(t *testing.T, date string) Row {
	t.Helper()
	var err error
	if r.Date, err = time.Parse(time.DateOnly, date); err != nil {
		t.Fatal(err)
	}
	return r
}

// kept returns the real tool outputs that are kept beside the project, or
// skips the test.
func kept(t *testing.T, elements ...string) string {
	t.Helper()
	dir := filepath.Join(append([]string{"..", "..", "..", "shared", "tool-outputs"}, elements...)...)
	if _, err := os.Stat(dir); err != nil {
		t.Skip("needs the kept tool outputs, which are not here")
	}
	return dir
}

func readFile(t *testing.T, path string) []byte {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// refusal asserts that an error is a refusal whose reason and hint hold the
// texts.
func refusal(t *testing.T, err error, reason, hint string) *Refusal {
	t.Helper()
	r, ok := err.(*Refusal)
	if !ok {
		t.Fatalf("got %v, want a refusal for %q", err, reason)
	}
	if !strings.Contains(r.Reason, reason) {
		t.Errorf("reason %q, want one with %q", r.Reason, reason)
	}
	if !strings.Contains(r.Hint, hint) {
		t.Errorf("hint %q, want one with %q", r.Hint, hint)
	}
	return r
}

// resolve resolves a row with all tools there, or fails the test.
func resolve(t *testing.T, r Row, set map[string]string, scale float64) *Job {
	t.Helper()
	p := Find(r)
	if p == nil {
		t.Fatalf("no profile for %q", r.Test.Title)
	}
	job, err := p.Resolve(Request{Row: r, Set: set, Scale: scale, Tools: debian12})
	if err != nil {
		t.Fatal(err)
	}
	return job
}

// broken asserts which invariant of a reading is broken, "" for none.
func broken(t *testing.T, r *Reading, want string) {
	t.Helper()
	got := r.Broken()
	if want == "" && got != "" || want != "" && !strings.HasPrefix(got, want) {
		t.Errorf("broken invariant %q, want %q", got, want)
	}
}

// one makes outputs of one step.
func one(name string, stdout []byte) *Outputs {
	return &Outputs{Steps: []Output{{Name: name, Stdout: stdout}}}
}
