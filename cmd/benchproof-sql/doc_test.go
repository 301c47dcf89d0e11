package main

import (
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// example returns the first block of SQL below a heading of a document.
func example(t *testing.T, path, heading string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	_, below, ok := strings.Cut(string(text), "\n### "+heading+"\n")
	_, block, ok2 := strings.Cut(below, "```sql\n")
	block, _, ok3 := strings.Cut(block, "```")
	if !ok || !ok2 || !ok3 {
		t.Fatalf("%s: no example of %s", path, heading)
	}
	return block
}

// rowsOf runs a statement as DuckDB's shell would and returns a line a row.
func rowsOf(t *testing.T, e *engine, sql string) (lines []string) {
	t.Helper()
	rows, err := e.conn.QueryContext(t.Context(), sql, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	row := make([]driver.Value, len(rows.Columns()))
	for {
		err := rows.Next(row)
		if errors.Is(err, io.EOF) {
			return lines
		}
		if err != nil {
			t.Fatal(err)
		}
		cells := make([]string, len(row))
		for i, v := range row {
			cells[i] = fmt.Sprint(v)
		}
		lines = append(lines, strings.Join(cells, "|"))
	}
}

// The documented example and the printed views are run on a corpus of the
// samples, made by benchproof itself.
func TestDocumented(t *testing.T) {
	root, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	program := filepath.Join(dir, "benchproof")
	build := exec.Command("go", "build", "-o", program, "./cmd/benchproof")
	build.Dir = root
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	t.Chdir(dir)
	if out, err := exec.Command(program, "corpus", "add", filepath.Join(root, "samples", "f2fs-xfs-ext4-hdd-ssd.flat.txt"), "--into", "set").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	e, err := openEngine(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer e.close()
	lines := rowsOf(t, e, example(t, filepath.Join(root, "doc", "corpus.md"), "DuckDB"))
	views, err := exec.Command(program, "corpus", "info", "set", "--duckdb").Output()
	if err != nil {
		t.Fatal(err)
	}
	if err := e.exec(t.Context(), string(views)); err != nil {
		t.Fatal(err)
	}
	same := rowsOf(t, e, `SELECT test, file_system, median(number), exp(avg(ln(number))), count(*) FROM results WHERE number > 0 GROUP BY ALL ORDER BY ALL`)
	if strings.Join(lines, "\n") != strings.Join(same, "\n") {
		t.Errorf("the example gave\n%s\nthe views\n%s", strings.Join(lines, "\n"), strings.Join(same, "\n"))
	}
	// The sample prints of SQLite 274.00 and 34.75 s on ext4, 289.00 and 41.81 on
	// f2fs, 227.00 and 39.83 on xfs: medians are their means, geometric means
	// the roots of their products.
	var got []string
	for _, l := range lines {
		cells := strings.Split(l, "|")
		if cells[0] != "SQLite" {
			continue
		}
		mean, err := strconv.ParseFloat(cells[3], 64)
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, fmt.Sprintf("%s %s %.3f %s", cells[1], cells[2], mean, cells[4]))
	}
	want := []string{"ext4 154.375 97.578 2", "f2fs 165.405 109.923 2", "xfs 133.415 95.086 2"}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}
