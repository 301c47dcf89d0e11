package sqlite_test

import (
	"bytes"
	"database/sql"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/benchproof/benchproof/export"
	"github.com/benchproof/benchproof/export/sqlite"
	"github.com/benchproof/benchproof/parse"
	"github.com/benchproof/benchproof/result"
)

func sample() *result.File {
	return &result.File{
		Title: "Small", Source: "small.txt", Format: result.FormatXML,
		Systems: []result.System{
			{
				Identifier: "HDD: EXT4", GroupPath: []string{"HDD", "EXT4"}, Hardware: []result.Component{{Key: "Disk", Value: "SSD"}},
				Software: []result.Component{{Key: "OS", Value: "Linux"}}, Notes: []result.Component{{Key: "Disk", Value: "rw"}}, Details: []byte(`{"a":"b"}`),
			},
			{Identifier: "HDD: XFS", GroupPath: []string{"HDD", "XFS"}, Hardware: []result.Component{{Key: "Disk", Value: "SSD"}}, InheritedKeys: []string{"Disk"}},
			{Identifier: "HDD: XFS"},
		},
		Tests: []result.Test{
			{
				Title: "SQLite", Version: "3.22", Arguments: "Test: 'x'; DROP TABLE files", Options: result.ParseOptions("Test: 'x'"), Scale: "Seconds", Proportion: result.LIB,
				Footnotes: []string{"gcc \"-O2\""},
				Measurements: []result.Measurement{
					{System: 0, Value: "274.00", StdError: "0.41", Samples: 9, Origin: result.Origin{Line: 7, Column: 3}, Replay: &result.Replay{Driver: "fio"}},
					{System: 1, Value: "9007199254740993", RawValues: []string{"1", "3", "NaN"}, Min: "1", RunTimes: []string{"4.39", "2"}},
					{System: 2, Value: "-0.5", Decode: result.DecodeInferred},
				},
				Unassigned: []result.Unassigned{{StdError: "1", Systems: []int{0, 1}}},
			},
			{Title: "Empty"},
			{
				Title: "FS-Mark\xff\x00", Measurements: []result.Measurement{
					{System: 0, Status: result.StatusFailed, Reason: "no result"},
					{System: 1, Decode: result.DecodeAmbiguous, Alternatives: []string{"1.2", "12"}},
					{System: 2, Value: "0"},
				},
			},
		},
		Diagnostics: []result.Diagnostic{
			{Severity: result.SeverityWarning, Origin: result.Origin{Source: "small.txt", Line: 2, Column: 1}, Code: "twin", Message: "XFS twice"},
			{Severity: result.SeverityInfo, Code: "note", Message: "no place"},
		},
	}
}

// open writes files and opens the database that came out.
func open(t testing.TB, files ...*result.File) *sql.DB {
	t.Helper()
	dir := t.TempDir()
	path := filepath.Join(dir, "out.sqlite")
	out, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	w := sqlite.New(out, dir)
	for _, f := range files {
		if err := w.Write(f); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	alone(t, dir, "out.sqlite")
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	return db
}

// alone checks that nothing but the named files is in dir.
func alone(t testing.TB, dir string, names ...string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, e := range entries {
		got = append(got, e.Name())
	}
	if diff := cmp.Diff(names, got); diff != "" {
		t.Errorf("files in the directory: %s", diff)
	}
}

// query returns a query's rows as text, NULL as "NULL", its columns first.
func query(t testing.TB, db *sql.DB, q string) [][]string {
	t.Helper()
	rows, err := db.Query(q)
	if err != nil {
		t.Fatalf("%s: %v", q, err)
	}
	defer rows.Close()
	columns, err := rows.Columns()
	if err != nil {
		t.Fatal(err)
	}
	out := [][]string{columns}
	for rows.Next() {
		cells := make([]sql.NullString, len(columns))
		to := make([]any, len(columns))
		for i := range cells {
			to[i] = &cells[i]
		}
		if err := rows.Scan(to...); err != nil {
			t.Fatal(err)
		}
		line := make([]string, len(cells))
		for i, c := range cells {
			if line[i] = c.String; !c.Valid {
				line[i] = "NULL"
			}
		}
		out = append(out, line)
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return out
}

func published(t testing.TB, path string) []*result.File {
	t.Helper()
	files, err := parse.ReadFile(path, parse.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// The views are the CSV tables.
func TestViewsLikeCSV(t *testing.T) {
	files := append(published(t, "../../samples/mdadm-raid-levels.txt"), published(t, "../../cmd/benchproof/testdata/input/small.xml")...)
	db := open(t, files...)
	for view, table := range map[string]export.Table{
		"long": export.Results, "long_systems": export.Systems, "long_runs": export.Runs, "long_diagnostics": export.Diagnostics,
	} {
		var b bytes.Buffer
		c := export.NewCSV(&b, export.Options{Table: table})
		for _, f := range files {
			if err := c.Write(f); err != nil {
				t.Fatal(err)
			}
		}
		if err := c.Close(); err != nil {
			t.Fatal(err)
		}
		want, err := csv.NewReader(&b).ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, query(t, db, "SELECT * FROM "+view)); diff != "" {
			t.Errorf("%s (-CSV +view):\n%s", view, diff)
		}
	}
}

func TestTables(t *testing.T) {
	db := open(t, sample(), sample())
	for _, test := range []struct{ q, want string }{
		{"SELECT count(*) FROM files", "2"},
		{"SELECT count(*), count(value), count(number), min(number) FROM measurements", "12 8 8 -0.5"},
		{"SELECT value, number, std_error, samples, line FROM measurements WHERE id = 1", "274.00 274 0.41 9 7"},
		{"SELECT value, std_error, samples, min, max, run_times ->> 1, replay FROM measurements WHERE id = 2", "9007199254740993 NULL 3 1 NULL 2 NULL"},
		{"SELECT replay ->> '$.driver' FROM measurements WHERE id = 1", "fio"},
		{"SELECT value, number, reason FROM measurements WHERE status = 'failed' LIMIT 1", "NULL NULL no result"},
		{"SELECT value, alternatives ->> 1 FROM measurements WHERE decode = 'ambiguous' LIMIT 1", "NULL 12"},
		{"SELECT run, value, number FROM runs WHERE measurement_id = 2 AND run = 3", "3 NaN NULL"},
		{"SELECT s.name, s.\"group\", s.label FROM measurements m JOIN systems s ON s.id = m.system_id WHERE m.id = 9", "HDD: XFS #2  HDD: XFS"},
		{"SELECT name, \"group\", label, details ->> 'a' FROM systems WHERE id = 4", "HDD: EXT4 HDD EXT4 b"},
		{"SELECT kind, key, value, inherited FROM components WHERE system_id = 2", "hardware Disk SSD 1"},
		{"SELECT arguments, options ->> '$[0].key', footnotes ->> 0, unassigned ->> '$[0].std_error' FROM tests WHERE id = 1", `Test: 'x'; DROP TABLE files Test gcc "-O2" 1`},
		{"SELECT line, source FROM diagnostics WHERE id = 2", "NULL small.txt"},
		{"PRAGMA user_version", "1"},
		{"PRAGMA integrity_check", "ok"},
		{"SELECT count(*) FROM pragma_foreign_key_check", "0"},
	} {
		rows := query(t, db, test.q)
		got := ""
		for i, c := range rows[1] {
			if i > 0 {
				got += " "
			}
			got += c
		}
		if got != test.want {
			t.Errorf("%s: %q, want %q", test.q, got, test.want)
		}
	}
	title := query(t, db, "SELECT title FROM tests WHERE id = 3")[1][0]
	if title != "FS-Mark\ufffd\x00" {
		t.Errorf("title %q", title)
	}
}

// A view or a join by an index must not go through all of the rows.
func TestIndexes(t *testing.T) {
	db := open(t, sample())
	for _, q := range []string{
		"SELECT * FROM measurements WHERE test_id = 1", "SELECT * FROM measurements WHERE system_id = 1", "SELECT * FROM tests WHERE profile = 'x'",
		"SELECT * FROM components WHERE key = 'Disk'", "SELECT * FROM runs WHERE measurement_id = 1", "SELECT * FROM systems WHERE identifier = 'x'",
	} {
		plan := query(t, db, "EXPLAIN QUERY PLAN "+q)[1][3]
		if !bytes.Contains([]byte(plan), []byte("SEARCH")) {
			t.Errorf("%s: %s", q, plan)
		}
	}
}

// Nothing is left of a database that is given up or cannot be written.
func TestDiscard(t *testing.T) {
	dir := t.TempDir()
	w := sqlite.New(io.Discard, dir)
	if err := w.Write(sample()); err != nil {
		t.Fatal(err)
	}
	w.Discard()
	w.Discard()
	alone(t, dir)
	w = sqlite.New(failing{}, dir)
	if err := w.Write(sample()); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); !errors.Is(err, errFull) {
		t.Errorf("error %v", err)
	}
	alone(t, dir)
	if err := sqlite.New(io.Discard, filepath.Join(dir, "none")).Write(sample()); err == nil {
		t.Error("no error for a directory that is not there")
	}
}

// TestNoPlace: where there is no place for the database the error says where,
// by a name that somebody knows.
func TestNoPlace(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "gone")
	w := sqlite.New(io.Discard, dir)
	defer w.Discard()
	want := "write database: make a temporary file in " + dir + ": no such file or directory"
	if err := w.Write(&result.File{}); err == nil || err.Error() != want || !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%v, want %s", err, want)
	}
}

var errFull = errors.New("full")

type failing struct{}

func (failing) Write([]byte) (int, error) { return 0, errFull }

func TestEqualBytes(t *testing.T) {
	var a, b bytes.Buffer
	for _, out := range []*bytes.Buffer{&a, &b} {
		w := sqlite.New(out, t.TempDir())
		if err := w.Write(sample()); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if !bytes.Equal(a.Bytes(), b.Bytes()) {
		t.Error("equal files give other bytes")
	}
}

func BenchmarkWrite(b *testing.B) {
	f := &result.File{Source: "x", Systems: []result.System{{Identifier: "A"}, {Identifier: "B"}}}
	const rows = 20_000
	for i := range rows / 2 {
		f.Tests = append(f.Tests, result.Test{Title: "T", Scale: "MB/s", Arguments: strconv.Itoa(i), Measurements: []result.Measurement{
			{System: 0, Value: strconv.Itoa(i), RawValues: []string{"1", "2"}, StdError: "0.5", Samples: 2}, {System: 1, Value: fmt.Sprintf("%d.5", i)},
		}})
	}
	b.ReportAllocs()
	for b.Loop() {
		w := sqlite.New(io.Discard, b.TempDir())
		if err := w.Write(f); err != nil {
			b.Fatal(err)
		}
		if err := w.Close(); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(rows*float64(b.N)/b.Elapsed().Seconds(), "rows/s")
}
