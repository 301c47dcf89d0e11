package main

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// listed returns the names of all files below dir.
func listed(t *testing.T, dir string) []string {
	t.Helper()
	var names []string
	err := filepath.WalkDir(dir, func(path string, _ os.DirEntry, err error) error {
		names = append(names, path)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return names
}

// TestSecuritySQL asks what a stranger might: to read and write files, to load
// what is not there, to open the engine up, to have it log or profile into a
// file or into the answer. Nothing is read, made or changed, and the answer is
// whole.
func TestSecuritySQL(t *testing.T) {
	dir := t.TempDir()
	home := filepath.Join(dir, "home")
	if err := os.Mkdir(home, 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("HOME", home)
	t.Setenv("TMPDIR", dir)
	t.Setenv("SECRET", "hunter2")
	secret := filepath.Join(dir, "secret.csv")
	if err := os.WriteFile(secret, []byte("word\nhunter2\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	data := filepath.Join(dir, "a.parquet")
	writeParquet(t, data, "SELECT 1 AS n")
	hidden := filepath.Join(dir, "hidden.parquet")
	writeParquet(t, hidden, "SELECT 'hunter2' AS word")
	before := listed(t, dir)
	at := func(sql string) string {
		return strings.NewReplacer("{secret}", secret, "{hidden}", hidden, "{dir}", dir, "{data}", data).Replace(sql)
	}
	for _, sql := range []string{
		// To read.
		"SELECT * FROM read_csv('{secret}')", "SELECT * FROM read_text('{secret}')", "SELECT * FROM read_blob('{secret}')", "SELECT * FROM '{secret}'",
		"SELECT * FROM '{hidden}'", "SELECT * FROM read_parquet('{hidden}')", "SELECT * FROM read_parquet('{dir}/*.parquet')", "SELECT * FROM read_parquet(['{data}', '{hidden}'])",
		"SELECT * FROM parquet_metadata('{hidden}')", "SELECT * FROM parquet_kv_metadata('{hidden}')", "SELECT * FROM read_json('{secret}')", "SELECT * FROM sniff_csv('{secret}')",
		"SELECT * FROM glob('{dir}/*')", "SELECT * FROM read_duckdb('{secret}')", "SELECT * FROM query_table('{secret}')",
		"SELECT * FROM query('SELECT * FROM read_text(''{secret}'')')", "SELECT * FROM json_execute_serialized_sql(json_serialize_sql('SELECT * FROM read_text(''{secret}'')'))",
		"EXPLAIN ANALYZE SELECT * FROM read_text('{secret}')", "DESCRIBE SELECT * FROM read_csv('{secret}')", "SUMMARIZE SELECT * FROM read_csv('{secret}')",
		"SELECT getenv('SECRET')", "SELECT pg_read_file('{secret}')", "SELECT * FROM duckdb_secrets()", "SELECT * FROM read_text('{data}/../secret.csv')",
		// To write.
		"COPY (SELECT 1) TO '{dir}/x.csv'", "COPY (SELECT 1) TO '{data}' (FORMAT parquet)", "EXPORT DATABASE '{dir}/x'", "EXPLAIN ANALYZE COPY (SELECT 1) TO '{dir}/x.csv'",
		"ATTACH '{dir}/x.db'", "CREATE TABLE t AS SELECT 1", "CREATE SECRET s (TYPE http)", "WITH x AS (INSERT INTO stored.a VALUES (2) RETURNING *) SELECT * FROM x",
		"SELECT * FROM query('COPY (SELECT 1) TO ''{dir}/x.csv''')", "VACUUM", "CHECKPOINT", "IMPORT DATABASE '{dir}'",
		// To open it up.
		"SET enable_external_access = true", "RESET enable_external_access", "SET lock_configuration = false", "SET allowed_paths = ['/']", "SET temp_directory = '{dir}/x'",
		"PRAGMA enable_external_access", "SET VARIABLE x = 1", "SELECT 1; SET enable_external_access = true; SELECT * FROM read_text('{secret}')",
		"INSTALL httpfs", "LOAD httpfs", "LOAD '{dir}/x.duckdb_extension'", "FORCE INSTALL httpfs FROM 'http://127.0.0.1:9'", "SELECT * FROM read_parquet('http://127.0.0.1:9/a.parquet')",
		"SELECT * FROM load_aws_credentials()", "CALL enable_logging(storage='file', storage_path='{dir}/log')", "PRAGMA enable_profiling='json'", "PRAGMA profiling_output='{dir}/profile'",
	} {
		code, lines := ask(t, request{Tables: []table{{"stored", "a", []string{data}, false}}, SQL: at(sql), Limits: limits{Seconds: 20}})
		if code != 1 || strings.Contains(strings.Join(lines, "\n"), `["hunter2"`) {
			t.Errorf("%s: %d %q", sql, code, lines)
		}
	}
	// Functions that are asked in a SELECT and set something: that ends with the
	// statement, before anything is told.
	for _, sql := range []string{
		"SELECT * FROM enable_logging(storage='file', storage_path='{dir}/log')",
		"SELECT count(write_log('forged' || range)) FROM range(5000), (SELECT count(*) FROM enable_logging(level='trace', storage='file', storage_path='{dir}/log'))",
		"SELECT count(*) FROM enable_profiling(save_location='{dir}/profile.txt')", "SELECT count(*) FROM enable_profiling(format='json', save_location='{dir}/profile.json')",
		"SELECT count(*) FROM checkpoint()", "SELECT count(*) FROM force_checkpoint()",
	} {
		code, lines := ask(t, request{Tables: []table{{"stored", "a", []string{data}, false}}, SQL: at(sql), Limits: limits{Seconds: 20}})
		for i, line := range lines {
			var row []any
			if i > 0 && i < len(lines)-1 && (json.Unmarshal([]byte(line), &row) != nil || len(row) != 1 || row[0] == "forged") {
				t.Errorf("%s: answers %q", sql, line)
			}
		}
		if code == 0 && !strings.Contains(lines[len(lines)-1], `"end":true`) {
			t.Errorf("%s: %q", sql, lines)
		}
	}
	if after := listed(t, dir); !slices.Equal(before, after) {
		t.Errorf("there were %q, and are %q", before, after)
	}
	if text, err := os.ReadFile(secret); err != nil || string(text) != "word\nhunter2\n" {
		t.Errorf("%q, %v", text, err)
	}
	// Values are values.
	code, lines := ask(t, request{Tables: []table{{"stored", "a", []string{data}, false}}, SQL: "SELECT ? AS v, count(*) FROM stored.a WHERE ? = n::VARCHAR", Params: []any{"'; DROP TABLE a; --", "1' OR '1'='1"}})
	if code != 0 || len(lines) != 3 || lines[1] != `["'; DROP TABLE a; --",0]` {
		t.Errorf("%d %q", code, lines)
	}
}

// engineVariable has this test's program be the engine.
const engineVariable = "BENCHPROOF_TEST_ENGINE"

// TestSecurityAnswer: what a statement has the engine print does not come into
// the answer, for which the program's standard output is.
func TestSecurityAnswer(t *testing.T) {
	if os.Getenv(engineVariable) != "" {
		os.Exit(serve(t.Context(), os.Stdin, os.Stdout))
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for _, sql := range []string{
		`SELECT count(write_log('["forged"]')) FROM range(5000), (SELECT count(*) FROM enable_logging(level='trace', storage='stdout'))`,
		`SELECT write_log('["forged"]') FROM (SELECT true UNION ALL SELECT * FROM enable_logging(level='trace', storage='stdout'))`,
		`SELECT count(*) FROM enable_logging(level='trace', storage='stdout'), enable_profiling(format='json')`,
		`SELECT count(*) FROM enable_profiling()`,
		`EXPLAIN ANALYZE SELECT * FROM enable_logging(level='trace', storage='stdout')`,
	} {
		text, err := json.Marshal(request{Protocol: protocol, SQL: sql})
		if err != nil {
			t.Fatal(err)
		}
		c := exec.Command(self, "-test.run=^TestSecurityAnswer$")
		c.Env = append(os.Environ(), engineVariable+"=1")
		c.Stdin = bytes.NewReader(text)
		out, err := c.Output()
		lines := strings.Split(strings.TrimSpace(string(out)), "\n")
		if err != nil {
			t.Errorf("%s: %v: %q", sql, err, lines)
			continue
		}
		last := lines[len(lines)-1]
		if !strings.HasPrefix(lines[0], `{"columns":`) || !strings.HasPrefix(last, `{"end":true`) {
			t.Errorf("%s: %q", sql, lines)
		}
		for _, line := range lines[1 : len(lines)-1] {
			var row []any
			if json.Unmarshal([]byte(line), &row) != nil || len(row) == 1 && row[0] == "forged" {
				t.Errorf("%s: answers %q", sql, line)
			}
		}
	}
}

// TestSecurityEngineDirectory: what does not fit into memory lies where nobody
// else can look, and goes.
func TestSecurityEngineDirectory(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	e, err := openEngine(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if err := e.set(t.Context(), &request{}); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(e.temp)
	if err != nil || filepath.Dir(e.temp) != dir || info.Mode().Perm()&0o077 != 0 {
		t.Errorf("%s: %v, %v", e.temp, info, err)
	}
	e.close()
	if names, err := os.ReadDir(dir); err != nil || len(names) > 0 {
		t.Errorf("left: %v, %v", names, err)
	}
}
