package main

import (
	"bytes"
	"context"
	"database/sql/driver"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// ask sends a request and returns the exit code and the lines of the answer.
func ask(t testing.TB, q request) (int, []string) {
	t.Helper()
	q.Protocol = protocol
	data, err := json.Marshal(q)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	code := serve(context.Background(), bytes.NewReader(data), &out)
	return code, strings.Split(strings.TrimSpace(out.String()), "\n")
}

// writeParquet makes a Parquet file of a statement.
func writeParquet(t *testing.T, path, sql string) {
	t.Helper()
	e, err := openEngine(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer e.close()
	if err := e.exec(t.Context(), "COPY ("+sql+") TO "+literal(path)+" (FORMAT parquet)"); err != nil {
		t.Fatal(err)
	}
}

func TestServe(t *testing.T) {
	// A name that is a pattern, a partition and a quote to the engine.
	dir := filepath.Join(t.TempDir(), "k=[v]*?'")
	if err := os.Mkdir(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "a.parquet")
	writeParquet(t, path, "SELECT range AS n FROM range(10)")
	tables := []table{{Schema: "stored", Name: "numbers", Files: []string{path}}}
	views := []view{{"big", "SELECT * FROM stored.numbers WHERE n > 5"}}
	code, lines := ask(t, request{Tables: tables, Views: views, SQL: "SELECT * FROM big WHERE n <> ? ORDER BY n", Params: []any{"7"}, Limits: limits{Rows: 2, Memory: "200MB", Threads: 1, Seconds: 60}})
	if code != 0 || len(lines) != 4 || lines[1] != "[6]" || lines[2] != "[8]" || !strings.Contains(lines[0], `{"columns":[{"name":"n","type":"BIGINT"}]`) || !strings.Contains(lines[3], `"end":true,"rows":2,"more":true`) {
		t.Errorf("%d %q", code, lines)
	}
	for _, tt := range []struct {
		name string
		q    request
		kind string
	}{
		{"syntax", request{SQL: "SELEC 1"}, "sql"},
		{"no such table", request{SQL: "SELECT * FROM nowhere"}, "sql"},
		{"two statements", request{SQL: "SELECT 1; SELECT 2"}, "refused"},
		{"nothing", request{SQL: " -- nothing"}, "refused"},
		{"writes", request{SQL: "CREATE TABLE t AS SELECT 1"}, "refused"},
		{"parameters", request{SQL: "SELECT ?"}, "request"},
		{"memory", request{SQL: "SELECT 1", Limits: limits{Memory: "1'; DROP"}}, "request"},
		{"name", request{SQL: "SELECT 1", Tables: []table{{"stored", "a; DROP", []string{path}, false}}}, "request"},
		{"no files", request{SQL: "SELECT 1", Tables: []table{{"stored", "a", nil, false}}}, "request"},
		{"time", request{SQL: "SELECT count(*) FROM range(100000) a, range(1000000) b WHERE (a.range * b.range) % 7 = 3", Limits: limits{Seconds: 0.1}}, "limit"},
	} {
		code, lines := ask(t, tt.q)
		if code != 1 || !strings.Contains(lines[len(lines)-1], `"kind":"`+tt.kind+`"`) {
			t.Errorf("%s: %d %q", tt.name, code, lines)
		}
	}
	var out bytes.Buffer
	if code := serve(context.Background(), strings.NewReader(`{"protocol":"benchproof/sql/2"}`), &out); code != 1 || !strings.Contains(out.String(), "not of one version") {
		t.Errorf("another protocol: %s", out.String())
	}
}

// TestDamaged: where a file is cut, changed or not Parquet at all, that is said,
// and not that the statement is wrong.
func TestDamaged(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.parquet")
	writeParquet(t, path, "SELECT range AS n, 'text ' || range AS s FROM range(1000)")
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	said := map[string]int{}
	try := func(what string, data []byte, must bool) {
		t.Helper()
		if err := os.WriteFile(path, data, 0o666); err != nil {
			t.Fatal(err)
		}
		q := request{
			Tables: []table{{"stored", "a", []string{path}, false}}, Views: []view{{"v", "SELECT n, s FROM stored.a"}}, SQL: "SELECT sum(n), min(s), max(length(s)) FROM v",
		}
		code, lines := ask(t, q)
		last := lines[len(lines)-1]
		switch {
		case code == 0 && !must:
			said["nothing"]++
		case code == 1 && strings.Contains(last, `"kind":"data"`) && !strings.Contains(last, "LINE 1"):
			said["data"]++
		default:
			t.Errorf("%s: %d %q", what, code, last)
		}
	}
	try("empty", nil, true)
	try("no Parquet", []byte("a,b\n1,2\n"), true)
	for _, n := range []int{1, 4, 12, 100, len(whole) / 2} {
		try(fmt.Sprintf("%d bytes less", n), whole[:len(whole)-n], true)
	}
	for at := 0; at < len(whole); at += 1 + len(whole)/150 {
		other := bytes.Clone(whole)
		other[at] ^= 0x5a
		try(fmt.Sprintf("byte %d", at), other, false)
	}
	if said["data"] < 60 || said["nothing"] < 5 {
		t.Errorf("of the damages: %v", said)
	}
	other := filepath.Join(t.TempDir(), "b.parquet")
	writeParquet(t, other, "SELECT 1 AS other")
	data, err := os.ReadFile(other)
	if err != nil {
		t.Fatal(err)
	}
	try("another table's", data, true)
}

// TestInterrupted: a question that is given up says so, and its directory goes.
func TestInterrupted(t *testing.T) {
	temp := filepath.Join(t.TempDir(), "temp")
	if err := os.Mkdir(temp, 0o777); err != nil {
		t.Fatal(err)
	}
	data, err := json.Marshal(request{Protocol: protocol, Temp: temp, SQL: "SELECT count(*) FROM range(1000000) a, range(1000000) b WHERE (a.range * b.range) % 7 = 3"})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Second/5)
	defer cancel()
	var out bytes.Buffer
	if code := serve(ctx, bytes.NewReader(data), &out); code != 1 || !strings.Contains(out.String(), `"kind":"interrupted"`) {
		t.Errorf("%d %s", code, out.String())
	}
	if _, err := os.Stat(temp); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("its directory is there: %v", err)
	}
}

// TestPeer times a question in plain SQL on the files of the corpus that
// BENCHPROOF_CORPUS_SET names, for make bench-corpus to be held against.
func TestPeer(t *testing.T) {
	set := os.Getenv("BENCHPROOF_CORPUS_SET")
	if set == "" {
		t.Skip("BENCHPROOF_CORPUS_SET names no corpus")
	}
	file := func(name string) string {
		return "read_parquet(" + literal(filepath.Join(set, "data", "*", name+".parquet")) + ")"
	}
	question := `SELECT t.test, t.version, t.arguments, t.scale, s.file_system, median(m.number), exp(avg(ln(m.number))), count(*)
FROM ` + file("measurements") + ` m JOIN ` + file("tests") + ` t ON t.file = m.file AND t.test_number = m.test_number
JOIN ` + file("systems") + ` s ON s.file = m.file AND s.system_number = m.system_number
JOIN ` + file("files") + ` f ON f.file = m.file
WHERE m.number > 0 GROUP BY ALL`
	for range 3 {
		begun := time.Now()
		e, err := openEngine(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		rows, err := e.conn.QueryContext(t.Context(), question, nil)
		if err != nil {
			t.Fatal(err)
		}
		n, row := 0, make([]driver.Value, 8)
		for {
			err := rows.Next(row)
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				t.Fatal(err)
			}
			n++
		}
		if err := rows.Close(); err != nil {
			t.Fatal(err)
		}
		e.close()
		t.Logf("plain SQL: %d rows, %.2f s", n, time.Since(begun).Seconds())
	}
}
