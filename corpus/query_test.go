package corpus

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/benchproof/benchproof/result"
)

// engineDir is where the engine was built, "" if it was not.
var engineDir string

// buildEngine builds benchproof-sql once, where that can be done.
var buildEngine = sync.OnceValues(func() (string, error) {
	if _, err := exec.LookPath("gcc"); err != nil {
		return "", errors.New("no C compiler for DuckDB")
	}
	dir, err := os.MkdirTemp("", "benchproof-engine-")
	if err != nil {
		return "", err
	}
	engineDir = dir
	path := filepath.Join(dir, engineName)
	c := exec.Command("go", "build", "-o", path, ".")
	c.Dir = filepath.Join("..", "cmd", engineName)
	c.Env = append(os.Environ(), "CGO_ENABLED=1")
	if out, err := c.CombinedOutput(); err != nil {
		return "", fmt.Errorf("%s cannot be built here: %w: %s", engineName, err, out)
	}
	return path, nil
})

// engine returns the engine, or skips the test.
func engine(t *testing.T) QueryOptions {
	t.Helper()
	if testing.Short() {
		t.Skip("building DuckDB takes its time")
	}
	path, err := buildEngine()
	if err != nil {
		t.Skip(err)
	}
	return QueryOptions{Engine: path}
}

func TestMain(m *testing.M) {
	code := m.Run()
	if engineDir != "" {
		_ = os.RemoveAll(engineDir)
	}
	os.Exit(code)
}

// rows returns an answer as text, a line a row.
func rows(t *testing.T, c *Corpus, o QueryOptions, sql string, params ...any) (string, error) {
	t.Helper()
	var lines []string
	_, err := c.Query(t.Context(), sql, params, o, nil, func(cells []json.RawMessage) error {
		line, err := json.Marshal(cells)
		lines = append(lines, string(line))
		return err
	})
	return strings.Join(lines, "\n"), err
}

// system returns a system of hardware and software given as "key=value".
func system(name string, parts ...string) result.System {
	s := result.System{Identifier: name}
	for _, p := range parts {
		k, v, _ := strings.Cut(p, "=")
		c := result.Component{Key: k, Value: v}
		if k == "File-System" || k == "OS" {
			s.Software = append(s.Software, c)
		} else {
			s.Hardware = append(s.Hardware, c)
		}
	}
	return s
}

// asked is the corpus of the questions, small enough to be worked out by hand:
// three files of one test each for four systems, one of them without a date,
// and one whose proportion is unknown.
func questions(t *testing.T) (*Corpus, string) {
	t.Helper()
	in, dir := t.TempDir(), filepath.Join(t.TempDir(), "a [set]*'s")
	file := func(name, modified, proportion string, systems []result.System, values ...string) {
		f := &result.File{Title: name, LastModified: modified, Systems: systems}
		test := result.Test{Title: "SQLite", Version: "3.22", Arguments: "Threads: 1", Scale: "Seconds", Proportion: result.Proportion(proportion)}
		for i, v := range values {
			test.Measurements = append(test.Measurements, result.Measurement{System: i, Value: v})
		}
		f.Tests = []result.Test{test}
		put(t, filepath.Join(in, name+".json"), f)
	}
	file("one", "2020-01-02 10:00:00", "LIB", []result.System{
		system("A", "Processor=P1", "Disk=D1", "OS=O", "File-System=ext4"), system("B", "Processor=P1", "Disk=D2", "OS=O", "File-System=xfs"),
	}, "10", "20")
	file("two", "2021-01-02 10:00:00", "LIB", []result.System{system("C", "Processor=P2", "Disk=D1", "File-System=ext4")}, "40")
	file("three", "", "", []result.System{system("D '); DROP TABLE files; --", "Processor=P3")}, "20.0")
	add(t, dir, AddOptions{}, in)
	c, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	return c, in
}

func TestQuery(t *testing.T) {
	o := engine(t)
	c, _ := questions(t)
	got, err := rows(t, c, o, `SELECT source, test, arguments, system, value, number, proportion, processor, file_system, date FROM results ORDER BY number, system`)
	const want = `["one.json","SQLite","Threads: 1","A","10",10,"LIB","P1","ext4","2020-01-02"]
["one.json","SQLite","Threads: 1","B","20",20,"LIB","P1","xfs","2020-01-02"]
["three.json","SQLite","Threads: 1","D '); DROP TABLE files; --","20.0",20,null,"P3",null,null]
["two.json","SQLite","Threads: 1","C","40",40,"LIB","P2","ext4","2021-01-02"]`
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Errorf("%v %s", err, diff)
	}
	got, err = rows(t, c, o, `SELECT count(*) FROM results WHERE system = ?`, "D '); DROP TABLE files; --")
	if got != "[1]" || err != nil {
		t.Errorf("by parameter: %s, %v", got, err)
	}
	for _, table := range append(Tables(), "results") {
		if _, err := rows(t, c, o, "SELECT * FROM "+table); err != nil {
			t.Errorf("%s: %v", table, err)
		}
	}
	if got, err := rows(t, c, QueryOptions{Engine: o.Engine, Rows: 2}, "SELECT number FROM results ORDER BY number"); got != "[10]\n[20]" || err != nil {
		t.Errorf("limit: %s, %v", got, err)
	}
}

// A statement reads the corpus, and nothing else.
func TestReadOnly(t *testing.T) {
	o := engine(t)
	c, _ := questions(t)
	outside := filepath.Join(t.TempDir(), "outside.csv")
	if err := os.WriteFile(outside, []byte("a\n1\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	inside := strings.ReplaceAll(c.Files(tableFiles)[0], "'", "''")
	before, err := os.ReadFile(c.Files(tableFiles)[0])
	if err != nil {
		t.Fatal(err)
	}
	target := filepath.Join(t.TempDir(), "out")
	for _, sql := range []string{
		"SELECT * FROM '" + outside + "'",
		"SELECT * FROM read_csv('" + outside + "')",
		"SELECT * FROM read_text('/etc/passwd')",
		"SELECT * FROM glob('/etc/*')",
		"COPY (SELECT 1) TO '" + target + "'",
		"COPY (SELECT 1) TO '" + inside + "' (FORMAT parquet)",
		"COPY (SELECT 1) TO '" + target + "'; SELECT 1",
		"SELECT 1; COPY (SELECT 1) TO '" + inside + "' (FORMAT parquet)",
		"CREATE TABLE t AS SELECT 1", "DROP VIEW files", "ATTACH '" + target + "'", "INSTALL httpfs", "LOAD httpfs",
		"SET enable_external_access = true", "RESET enable_external_access", "PRAGMA enable_external_access = true",
		"EXPORT DATABASE '" + target + "'", "EXPLAIN ANALYZE COPY (SELECT 1) TO '" + target + "'", "",
	} {
		got, err := rows(t, c, o, sql)
		var q *QueryError
		if !errors.As(err, &q) {
			t.Errorf("%s: %q, %v", sql, got, err)
		}
	}
	if _, err := os.Stat(target); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("it was written: %v", err)
	}
	after, err := os.ReadFile(c.Files(tableFiles)[0])
	if err != nil || string(after) != string(before) {
		t.Errorf("the corpus was written: %v", err)
	}
	for _, sql := range []string{"EXPLAIN SELECT 1", "DESCRIBE results", "SUMMARIZE files", "FROM files", "VALUES (1)", "WITH x AS (SELECT 1) FROM x;"} {
		if _, err := rows(t, c, o, sql); err != nil {
			t.Errorf("%s: %v", sql, err)
		}
	}
	var q *QueryError
	if _, err := rows(t, c, QueryOptions{Engine: o.Engine, Seconds: 0.2}, "SELECT count(*) FROM range(100000) a, range(1000000) b WHERE (a.range * b.range) % 7 = 3"); !errors.As(err, &q) || q.Kind != "limit" {
		t.Errorf("no limit of time: %v", err)
	}
}

// What is no number in JSON, or too large for one, comes back as it is.
func TestQueryValues(t *testing.T) {
	o := engine(t)
	c, _ := questions(t)
	got, err := rows(t, c, o, `SELECT 9223372036854775807, 'nan'::DOUBLE, '-inf'::DOUBLE, 0.1::DOUBLE, 1.50::DECIMAL(5,2), DATE '2024-02-29',
 [1, NULL], {'a': 'x', 'b': 2}, NULL, true, 1e-9::DOUBLE, 170141183460469231731687303715884105727::HUGEINT, 'a"<' || chr(10)`)
	const want = `[9223372036854775807,"NaN","-Infinity",0.1,"1.5","2024-02-29T00:00:00Z",[1,null],{"a":"x","b":2},null,true,1e-09,170141183460469231731687303715884105727,"a\"\u003c\n"]`
	if got != want || err != nil {
		t.Errorf("%v\n%s\n%s", err, got, want)
	}
}

func TestHistory(t *testing.T) {
	o := engine(t)
	c, _ := questions(t)
	points, _, err := c.History(t.Context(), "SQL.*Threads", "", o)
	mean := math.Sqrt(200) // of 10 and 20
	p := Point{Test: "SQLite", Version: "3.22", Arguments: "Threads: 1", Scale: "Seconds", Systems: 1, Files: 1, Values: 1, Proportion: "LIB"}
	want := []Point{p, p, p}
	want[0].Date, want[0].Systems, want[0].Values, want[0].Min, want[0].Median, want[0].Max, want[0].GeometricMean = "2020-01-02", 2, 2, 10, 15, 20, &mean
	forty, twenty := 40.0, 20.0
	want[1].Date, want[1].Min, want[1].Median, want[1].Max, want[1].GeometricMean = "2021-01-02", 40, 40, 40, &forty
	want[2].Proportion, want[2].Min, want[2].Median, want[2].Max, want[2].GeometricMean = "", 20, 20, 20, &twenty
	near := cmp.Comparer(func(a, b float64) bool { return math.Abs(a-b) <= 1e-12*math.Abs(a) })
	if diff := cmp.Diff(want, points, near); diff != "" || err != nil {
		t.Errorf("%v %s", err, diff)
	}
	if points, _, err := c.History(t.Context(), "", "^A$", o); err != nil || len(points) != 1 || points[0].Max != 10 {
		t.Errorf("%+v, %v", points, err)
	}
	if _, _, err := c.History(context.Background(), "'; DROP VIEW files; --", "", o); err != nil {
		t.Errorf("a pattern of quotes: %v", err)
	}
}

// By hand: the others are 10, 20, 40 and, of unknown proportion, 20.0. Lower is
// better: of 20, 10 is better, two are equal, 40 is worse, so that it is better
// than one and half of two of four.
func TestPercentile(t *testing.T) {
	o := engine(t)
	c, in := questions(t)
	f := &result.File{Systems: []result.System{{Identifier: "mine"}}, Tests: []result.Test{
		{Title: "SQLite", Version: "3.22", Arguments: "Threads: 1", Scale: "Seconds", Proportion: result.LIB, Measurements: []result.Measurement{
			{System: 0, Value: "20"}, {System: 0, Status: result.StatusFailed}, {System: 0, Value: "5"},
		}},
		{Title: "SQLite", Version: "3.23", Arguments: "Threads: 1", Scale: "Seconds", Proportion: result.LIB, Measurements: []result.Measurement{{System: 0, Value: "20"}}},
		{Title: "SQLite", Version: "3.22", Arguments: "Threads: 1", Scale: "Seconds", Proportion: result.HIB, Measurements: []result.Measurement{{System: 0, Value: "25"}}},
		{Title: "SQLite", Version: "3.22", Arguments: "Threads: 1", Scale: "Seconds", Measurements: []result.Measurement{{System: 0, Value: "20"}}},
	}}
	list, _, err := c.Percentile(t.Context(), f, "", o)
	if err != nil || len(list) != 5 {
		t.Fatal(list, err)
	}
	check := func(i int, percentile float64, rank, systems, files int64, best, median, worst float64) {
		t.Helper()
		s := list[i]
		if s.Percentile == nil || *s.Percentile != percentile || *s.Rank != rank || s.Systems != systems || s.Files != files || *s.Best != best || *s.Median != median || *s.Worst != worst || s.Reason != "" {
			text, _ := json.Marshal(s)
			t.Errorf("%d: %s", i, text)
		}
	}
	check(0, 50, 2, 4, 3, 10, 20, 40)
	check(1, 100, 1, 4, 3, 10, 20, 40)
	if s := list[2]; s.Percentile != nil || s.Systems != 0 || s.Reason == "" {
		t.Errorf("another version: %+v", s)
	}
	check(3, 100, 1, 1, 1, 20, 20, 20) // higher is better is never compared with lower is better
	if s := list[4]; s.Percentile != nil || s.Reason == "" {
		t.Errorf("unknown proportion: %+v", s)
	}
	// A file of the corpus is not compared with itself.
	data, err := os.ReadFile(filepath.Join(in, "one.json"))
	if err != nil {
		t.Fatal(err)
	}
	one := read(t, filepath.Join(in, "one.json"))[0]
	list, _, err = c.Percentile(t.Context(), one, fmt.Sprintf("%x", hashOf(data)), o)
	if err != nil || len(list) != 2 {
		t.Fatal(list, err)
	}
	check(0, 100, 1, 2, 2, 20, 30, 40)
	check(1, 75, 1, 2, 2, 20, 30, 40)
}

// By hand: mine has P1, D1, O and ext4. A has the same four; B shares P1 and O
// of 4 + 4; C shares D1 and ext4 of 4 + 3; D shares nothing but the test.
func TestSimilar(t *testing.T) {
	o := engine(t)
	c, _ := questions(t)
	f := &result.File{
		Systems: []result.System{system("mine", "Processor=P1", "Disk=D1", "OS=O", "File-System=ext4")},
		Tests: []result.Test{{Title: "SQLite", Version: "3.22", Arguments: "Threads: 1", Scale: "Seconds", Proportion: result.LIB, Measurements: []result.Measurement{
			{System: 0, Value: "20"},
		}}},
	}
	list, _, err := c.Similar(t.Context(), f, "", SimilarOptions{Top: 10, MinTests: 1}, o)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, s := range list {
		got = append(got, fmt.Sprintf("%s %d/%d %.3f tests %d apart %.3f of %d in %d", s.Like[:1], s.Shared, s.All, s.Components, s.Tests, *s.Apart, s.Systems, s.Files))
	}
	want := []string{
		"A 4/4 1.000 tests 1 apart 2.000 of 4 in 3",
		"C 2/5 0.400 tests 1 apart 2.000 of 4 in 3",
		"B 2/6 0.333 tests 1 apart 1.000 of 4 in 3",
		"D 0/5 0.000 tests 1 apart 1.000 of 4 in 3",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	list, _, err = c.Similar(t.Context(), f, "", SimilarOptions{Top: 2, MinTests: 1, ByValues: true}, o)
	if err != nil || len(list) != 2 || list[0].Like != "B" || list[1].Like[:1] != "D" {
		t.Errorf("%+v, %v", list, err)
	}
	if list, _, err := c.Similar(t.Context(), f, "", SimilarOptions{Top: 2, MinTests: 2, ByValues: true}, o); err != nil || len(list) != 0 {
		t.Errorf("too few tests in common: %+v, %v", list, err)
	}
}

// Queries leave out what was superseded, and see the last of a path.
func TestSuperseded(t *testing.T) {
	o := engine(t)
	in, dir := t.TempDir(), filepath.Join(t.TempDir(), "set")
	put(t, filepath.Join(in, "a.json"), made(1))
	put(t, filepath.Join(in, "b.json"), made(2))
	add(t, dir, AddOptions{}, in)
	put(t, filepath.Join(in, "a.json"), made(30))
	add(t, dir, AddOptions{}, in)
	c, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	for sql, want := range map[string]string{
		"SELECT title FROM files ORDER BY 1":                                       "[\"Made 2\"]\n[\"Made 30\"]",
		"SELECT number FROM results WHERE system = 'EXT4' ORDER BY 1":              "[102]\n[130]",
		"SELECT count(*), count(DISTINCT file) FROM runs":                          "[6,2]",
		"SELECT count(*) FROM stored.files":                                        "[3]",
		"SELECT count(*) FROM paths JOIN files USING (sha256)":                     "[2]",
		"SELECT value, seconds FROM runs WHERE number IS NULL AND run = 2 LIMIT 1": `["",null]`,
	} {
		if got, err := rows(t, c, o, sql); got != want || err != nil {
			t.Errorf("%s: %s, %v", sql, got, err)
		}
	}
}

func TestFindEngine(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	if _, err := FindEngine(""); !errors.Is(err, ErrNoEngine) {
		t.Error(err)
	}
	if _, err := FindEngine(filepath.Join(t.TempDir(), "x")); !errors.Is(err, ErrNoEngine) {
		t.Error(err)
	}
}
