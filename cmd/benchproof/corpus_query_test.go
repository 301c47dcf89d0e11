package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/benchproof/benchproof/internal/schematest"
)

// corpusEngine builds benchproof-sql, or skips the test.
func corpusEngine(t *testing.T) string {
	t.Helper()
	if testing.Short() {
		t.Skip("building DuckDB takes its time")
	}
	if _, err := exec.LookPath("gcc"); err != nil {
		t.Skip("no C compiler for DuckDB")
	}
	path := filepath.Join(t.TempDir(), "benchproof-sql")
	c := exec.Command("go", "build", "-o", path, ".")
	c.Dir = filepath.Join("..", "benchproof-sql")
	c.Env = append(os.Environ(), "CGO_ENABLED=1")
	if out, err := c.CombinedOutput(); err != nil {
		t.Skipf("benchproof-sql cannot be built here: %v: %s", err, out)
	}
	return path
}

// runIn runs the command line in this process.
func runIn(t *testing.T, want int, args ...string) (stdout, stderr string) {
	t.Helper()
	e, out, errs := testEnv(nil)
	if code := run(t.Context(), e, args); code != want {
		t.Fatalf("%q: exit code %d, want %d\n%s%s", args, code, want, out, errs)
	}
	return out.String(), errs.String()
}

func TestCorpusShow(t *testing.T) {
	set := filepath.Join(t.TempDir(), "set")
	inputs := []string{small, "testdata/input/small.xml", "testdata/input/doubtful.json", "testdata/input/hostile.json"}
	runIn(t, exitOK, append([]string{"corpus", "add", "--into", set}, inputs...)...)
	for _, path := range inputs {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		sum := sha256.Sum256(data)
		// The ID is the first 63 bits of the hash: all digits of half of it.
		id := fmt.Sprintf("%016x", beUint64(sum[:8])>>1)
		var want, got bytes.Buffer
		e, out, _ := testEnv(nil)
		run(t.Context(), e, []string{"convert", "--json", path})
		want.Write(out.Bytes())
		e, out, stderr := testEnv(nil)
		if code := run(t.Context(), e, []string{"corpus", "show", "--from", set, id[:12], "--json"}); code != exitOK {
			t.Errorf("%s: exit code %d: %s", path, code, stderr)
		}
		got.Write(out.Bytes())
		if !bytes.Equal(want.Bytes(), got.Bytes()) || want.Len() < 100 {
			t.Errorf("%s: %d bytes came back as %d others", path, want.Len(), got.Len())
		}
	}
}

func beUint64(b []byte) (n uint64) {
	for _, c := range b {
		n = n<<8 | uint64(c)
	}
	return n
}

func TestCorpusQuery(t *testing.T) {
	computes(t)
	engine := corpusEngine(t)
	dir := t.TempDir()
	set := filepath.Join(dir, "set")
	runIn(t, exitOK, "corpus", "add", small, "--into", set)
	query := func(want int, args ...string) (string, string) {
		return runIn(t, want, append([]string{"corpus", "query", "--from", set, "--engine", engine}, args...)...)
	}
	// The values are those that convert prints.
	csvText, _ := runIn(t, exitOK, "convert", small)
	table, err := csv.NewReader(strings.NewReader(csvText)).ReadAll()
	if err != nil || len(table) < 3 {
		t.Fatal(table, err)
	}
	got, _ := query(exitOK, "--format", "csv", `SELECT source, coalesce(title, '') AS title, test, coalesce(version, '') AS version, coalesce(profile, '') AS profile,
 coalesce(arguments, '') AS arguments, coalesce(scale, '') AS scale, coalesce(proportion, '') AS proportion, system, value, std_error, n AS samples,
 (SELECT coalesce(string_agg(r.value, ';' ORDER BY run), '') FROM runs r WHERE r.file = x.file AND r.test_number = x.test_number AND r.measurement = x.measurement) AS raw_values,
 status, decode, line, col AS "column" FROM results x ORDER BY test_number, measurement`)
	back, err := csv.NewReader(strings.NewReader(got)).ReadAll()
	if err != nil || len(back) != len(table) {
		t.Fatalf("%v: %d rows, want %d\n%s", err, len(back), len(table), got)
	}
	for i := range table {
		for k, cell := range table[i] {
			if name := table[0][k]; name == "std_error" && i > 0 && back[i][k] == "" {
				continue // worked out of the runs: std_error_number has it
			}
			if back[i][k] != cell {
				t.Errorf("row %d, %s: %q, want %q", i, table[0][k], back[i][k], cell)
			}
		}
	}
	out, _ := query(exitOK, "--json", "SELECT 9007199254740993 AS n, NULL AS none, '\u202e=1' AS text")
	var doc struct {
		Schema  string
		Columns []struct{ Name, Type string }
		Rows    [][]json.RawMessage
	}
	if err := json.Unmarshal([]byte(out), &doc); err != nil || doc.Schema != "benchproof/corpus-query/1" || len(doc.Rows) != 1 ||
		string(doc.Rows[0][0]) != "9007199254740993" || string(doc.Rows[0][1]) != "null" || doc.Columns[0].Type != "BIGINT" || strings.Contains(out, "\u202e") {
		t.Errorf("%v: %s", err, out)
	}
	if out, _ := query(exitOK, "--format", "csv", "SELECT '=1+1' AS a, -5 AS b"); out != "a,b\n'=1+1,-5\n" {
		t.Errorf("CSV %q", out)
	}
	if out, _ := query(exitOK, "--format", "ndjson", "SELECT 1 AS b, 'x' AS a"); out != `{"b":1,"a":"x"}`+"\n" {
		t.Errorf("NDJSON %q", out)
	}
	out, stderr := query(exitOK, "--max-rows", "2", "SELECT range AS n FROM range(10)")
	if !strings.Contains(out, "2 rows") || !strings.Contains(stderr, "only the first 2 rows") {
		t.Errorf("%q, %q", out, stderr)
	}
	if out, _ := query(exitOK, "--format", "csv", "--param", "it's", "SELECT ? AS p"); out != "p\nit's\n" {
		t.Errorf("parameter %q", out)
	}
	if _, stderr := query(exitUsage, "DELETE FROM files"); !strings.Contains(stderr, "error") {
		t.Errorf("%q", stderr)
	}
	if _, stderr := query(exitUsage, "SELECT nothing FROM results"); !strings.Contains(stderr, "hint: DESCRIBE results") {
		t.Errorf("%q", stderr)
	}
	if _, stderr := query(exitUsage, "SELECT 1,\n  nothing FROM results"); strings.Contains(stderr, `\n`) || !strings.Contains(stderr, "(line 2, column 3: nothing FROM results)\n") {
		t.Errorf("%q", stderr)
	}
	if _, stderr := query(exitFailed, "--timeout", "200ms", "SELECT count(*) FROM range(100000) a, range(1000000) b WHERE (a.range * b.range) % 7 = 3"); !strings.Contains(stderr, "time limit") {
		t.Errorf("%q", stderr)
	}
	file := filepath.Join(dir, "out.csv")
	query(exitOK, "-o", file, "SELECT 1 AS a")
	if b, err := os.ReadFile(file); err != nil || string(b) != "a\n1\n" {
		t.Errorf("%q, %v", b, err)
	}
	// Questions about a result that is there itself find no other.
	out, _ = runIn(t, exitOK, "corpus", "percentile", "--from", set, "--engine", engine, "--format", "csv", small)
	if !strings.Contains(out, "no other system in the corpus ran this test") {
		t.Errorf("percentile %q", out)
	}
	out, stderr = runIn(t, exitOK, "corpus", "similar", "--from", set, "--engine", engine, "--format", "csv", small)
	if strings.Count(out, "\n") != 1 || !strings.Contains(stderr, "no system in the corpus") {
		t.Errorf("similar %q %q", out, stderr)
	}
	out, stderr = runIn(t, exitOK, "corpus", "history", "--from", set, "--engine", engine, "--format", "csv", "--test", ".")
	if strings.Count(out, "\n") < 2 || !strings.HasPrefix(out, "test,version,arguments,scale,proportion,date,systems,files,values,min,median,max,geometric_mean\n") || !strings.Contains(stderr, "without a date") {
		t.Errorf("history %q %q", out, stderr)
	}

	// Their JSON is by its schemas, with rows: the same tests with other values.
	text, err := os.ReadFile(small)
	if err != nil {
		t.Fatal(err)
	}
	other := filepath.Join(dir, "other.txt")
	if err := os.WriteFile(other, bytes.Replace(text, []byte("EXT4 . 86.08"), []byte("EXT4 . 86.00"), 1), 0o666); err != nil {
		t.Fatal(err)
	}
	for kind, c := range map[string]struct {
		args []string
		list string
		want string // keys and values of the first row
	}{
		"corpus-query":      {[]string{"query", "SELECT number, test FROM results"}, "rows", ""},
		"corpus-history":    {[]string{"history", "--test", "SQLite"}, "history", `"min":21.5`},
		"corpus-percentile": {[]string{"percentile", other}, "percentile", `"percentile":50`}, // better than 86.08, worse than 21.50
		"corpus-similar":    {[]string{"similar", other}, "similar", `"components":1`},
	} {
		args := append([]string{"corpus", c.args[0], "--json", "--quiet", "--from", set, "--engine", engine}, c.args[1:]...)
		out, _ := runIn(t, exitOK, args...)
		var doc map[string]any
		if err := json.Unmarshal([]byte(out), &doc); err != nil {
			t.Fatalf("%q: %v", args, err)
		}
		_, resolved := schematest.Must(t, kind)
		if err := resolved.Validate(doc); err != nil {
			t.Errorf("%q: %v in %s", args, err, out)
		}
		rows, _ := doc[c.list].([]any)
		if len(rows) == 0 {
			t.Fatalf("%q: no rows in %s", args, out)
		}
		if first, err := json.Marshal(rows[0]); err != nil || !strings.Contains(string(first), c.want) {
			t.Errorf("%q: the first row is %s, want %s", args, first, c.want)
		}
	}
}
