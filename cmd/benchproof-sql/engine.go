package main

import (
	"bufio"
	"context"
	"database/sql/driver"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"
	"strings"
	"time"

	"github.com/duckdb/duckdb-go/v2"
	"github.com/duckdb/duckdb-go/v2/mapping"
)

// engine is an open database in memory.
type engine struct {
	connector *duckdb.Connector
	conn      *duckdb.Conn
	temp      string // for what does not fit into memory
}

func openEngine(ctx context.Context) (*engine, error) {
	c, err := duckdb.NewConnector("", nil)
	if err != nil {
		return nil, err
	}
	conn, err := c.Connect(ctx)
	if err != nil {
		return nil, errors.Join(err, c.Close())
	}
	return &engine{connector: c, conn: conn.(*duckdb.Conn)}, nil
}

func (e *engine) close() {
	_ = e.conn.Close()
	_ = e.connector.Close()
	if e.temp != "" {
		_ = os.RemoveAll(e.temp)
	}
}

// exec runs a statement of ours.
func (e *engine) exec(ctx context.Context, sql string) error {
	_, err := e.conn.ExecContext(ctx, sql, nil)
	return err
}

func engineVersion(ctx context.Context) (string, error) {
	e, err := openEngine(ctx)
	if err != nil {
		return "", err
	}
	defer e.close()
	return e.version(ctx)
}

func (e *engine) version(ctx context.Context) (string, error) {
	rows, err := e.conn.QueryContext(ctx, "SELECT version()", nil)
	if err != nil {
		return "", err
	}
	defer rows.Close()
	row := make([]driver.Value, 1)
	if err := rows.Next(row); err != nil {
		return "", err
	}
	return fmt.Sprint("DuckDB ", row[0]), nil
}

// literal returns text as a literal of SQL.
func literal(text string) string { return "'" + strings.ReplaceAll(text, "'", "''") + "'" }

// unglob returns a path as a pattern that matches it alone.
var unglob = strings.NewReplacer("[", "[[]", "*", "[*]", "?", "[?]")

// name is what tables, schemas and views may be called.
var name = regexp.MustCompile(`^[a-z][a-z0-9_]{0,62}$`)

var memorySize = regexp.MustCompile(`^[0-9]{1,6}(\.[0-9]{1,3})?(MB|GB|MiB|GiB)$`)

// set prepares the tables and views of a request, and closes the engine to
// everything else.
func (e *engine) set(ctx context.Context, q *request) (err error) {
	if e.temp = q.Temp; e.temp == "" {
		if e.temp, err = os.MkdirTemp("", "benchproof-sql-"); err != nil {
			return &answerError{"request", err}
		}
	}
	// What a statement makes a view of, where it does.
	of := map[string]string{}
	statements := []string{
		"SET temp_directory = " + literal(e.temp),
		"SET autoinstall_known_extensions = false",
		"SET autoload_known_extensions = false",
		"SET allow_community_extensions = false",
	}
	if m := q.Limits.Memory; m != "" {
		if !memorySize.MatchString(m) {
			return &answerError{"request", fmt.Errorf("memory %q: want a size such as 2GB", m)}
		}
		statements = append(statements, "SET memory_limit = "+literal(m))
	}
	if n := q.Limits.Threads; n > 0 {
		statements = append(statements, fmt.Sprintf("SET threads = %d", n))
	}
	var allowed []string
	for _, t := range q.Tables {
		if !name.MatchString(t.Schema) || !name.MatchString(t.Name) {
			return &answerError{"request", fmt.Errorf("%q.%q is no name of a table", t.Schema, t.Name)}
		}
		if len(t.Files) == 0 {
			return &answerError{"request", fmt.Errorf("table %s has no files", t.Name)}
		}
		var list []string
		for _, f := range t.Files {
			list = append(list, literal(unglob.Replace(f)))
			allowed = append(allowed, literal(f), literal(unglob.Replace(f)))
		}
		create := fmt.Sprintf("CREATE VIEW %s.%s AS SELECT * FROM read_parquet([%s], filename = %t, file_row_number = %t, hive_partitioning = false)",
			t.Schema, t.Name, strings.Join(list, ", "), t.Filename, t.Filename)
		of[create] = "the table " + t.Name
		statements = append(statements, "CREATE SCHEMA IF NOT EXISTS "+t.Schema, create)
	}
	for _, v := range q.Views {
		if !name.MatchString(v.Name) {
			return &answerError{"request", fmt.Errorf("%q is no name of a view", v.Name)}
		}
		create := "CREATE VIEW " + v.Name + " AS " + v.SQL
		of[create] = "the table " + v.Name
		statements = append(statements, create)
	}
	statements = append(statements,
		"SET allowed_paths = ["+strings.Join(allowed, ", ")+"]",
		"SET enable_external_access = false",
		"SET lock_configuration = true",
	)
	for _, s := range statements {
		err := e.exec(ctx, s)
		if what := of[s]; err != nil && what != "" && ctx.Err() == nil && !outOfMemory(err) {
			// The statement is ours, so that it is the files.
			text, _, _ := strings.Cut(err.Error(), "\n\nLINE ")
			return &answerError{"data", fmt.Errorf("%s cannot be read: %s", what, text)}
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func outOfMemory(err error) bool {
	var d *duckdb.Error
	return errors.As(err, &d) && d.Type == duckdb.ErrorTypeOutOfMemory
}

// ofData reports whether an error of a statement that was right comes of what
// the files hold.
func ofData(d *duckdb.Error) bool {
	switch d.Type {
	case duckdb.ErrorTypeInvalid: // which errors of the driver have too
		return strings.HasPrefix(d.Msg, "Invalid Error: ")
	case duckdb.ErrorTypeSerialization, duckdb.ErrorTypeInternal, duckdb.ErrorTypeFatal:
		return true
	case duckdb.ErrorTypeIO, duckdb.ErrorTypeInvalidInput:
		return strings.Contains(d.Msg, ".parquet")
	}
	return false
}

// single makes sure that the text is one statement: the driver would run all
// before the last while it prepares that.
func single(sql string) error {
	var db mapping.Database
	var conn mapping.Connection
	var stmts mapping.ExtractedStatements
	if mapping.Open("", &db) == mapping.StateError {
		return errors.New("the engine does not open")
	}
	defer mapping.Close(&db)
	if mapping.Connect(db, &conn) == mapping.StateError {
		return errors.New("the engine does not open")
	}
	defer mapping.Disconnect(&conn)
	n := mapping.ExtractStatements(conn, sql, &stmts)
	defer mapping.DestroyExtracted(&stmts)
	switch {
	case n == 1:
		return nil
	case n > 1:
		return &answerError{"refused", fmt.Errorf("%d statements: want one", n)}
	}
	if text := mapping.ExtractStatementsError(stmts); text != "" {
		return errors.New(text)
	}
	return &answerError{"refused", errors.New("no statement")}
}

// answer runs the statement of a request and writes what comes of it.
func answer(ctx context.Context, q *request, out *bufio.Writer) error {
	if s := q.Limits.Seconds; s > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeoutCause(ctx, time.Duration(s*float64(time.Second)), errTime)
		defer cancel()
	}
	err := run(ctx, q, out)
	if err != nil && ctx.Err() != nil {
		return &answerError{"limit", context.Cause(ctx)}
	}
	return err
}

var errTime = errors.New("the time limit is over")

func run(ctx context.Context, q *request, out *bufio.Writer) error {
	if err := single(q.SQL); err != nil {
		return err
	}
	e, err := openEngine(ctx)
	if err != nil {
		return err
	}
	defer e.close()
	version, err := e.version(ctx)
	if err != nil {
		return err
	}
	if err := e.set(ctx, q); err != nil {
		return err
	}
	begun := time.Now()
	prepared, err := e.conn.PrepareContext(ctx, q.SQL)
	if err != nil {
		return err
	}
	defer prepared.Close()
	stmt := prepared.(*duckdb.Stmt)
	kind, err := stmt.StatementType()
	if err != nil {
		return err
	}
	if kind != duckdb.STATEMENT_TYPE_SELECT && kind != duckdb.STATEMENT_TYPE_EXPLAIN {
		return &answerError{"refused", errors.New("the statement does more than read: want SELECT, FROM, WITH, VALUES, DESCRIBE, SUMMARIZE or EXPLAIN")}
	}
	args := make([]driver.NamedValue, len(q.Params))
	for i, p := range q.Params {
		args[i] = driver.NamedValue{Ordinal: i + 1, Value: p}
	}
	if n := stmt.NumInput(); n != len(args) {
		return &answerError{"request", fmt.Errorf("%d parameters for %d places", len(args), n)}
	}
	rows, err := stmt.QueryContext(ctx, args)
	if err != nil {
		return err
	}
	defer rows.Close()
	return write(ctx, rows, version, q.Limits.Rows, begun, out)
}

// column is a column of an answer.
type column struct {
	Name string `json:"name"`
	Type string `json:"type"`
}

// write writes the answer.
func write(ctx context.Context, rows driver.Rows, version string, limit int64, begun time.Time, out *bufio.Writer) error {
	names := rows.Columns()
	head := struct {
		Columns []column `json:"columns"`
		Engine  string   `json:"engine"`
	}{make([]column, len(names)), version}
	typed := rows.(driver.RowsColumnTypeDatabaseTypeName)
	for i, n := range names {
		head.Columns[i] = column{n, typed.ColumnTypeDatabaseTypeName(i)}
	}
	if err := writeLine(out, head); err != nil {
		return err
	}
	row := make([]driver.Value, len(names))
	var line []byte
	end := struct {
		End     bool    `json:"end"`
		Rows    int64   `json:"rows"`
		More    bool    `json:"more"`
		Seconds float64 `json:"seconds"`
	}{End: true}
	for {
		err := rows.Next(row)
		if errors.Is(err, io.EOF) {
			break
		}
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return err
		}
		if limit > 0 && end.Rows == limit {
			end.More = true
			break
		}
		line = append(line[:0], '[')
		for i, v := range row {
			if i > 0 {
				line = append(line, ',')
			}
			if line, err = appendValue(line, v); err != nil {
				return err
			}
		}
		if _, err := out.Write(append(line, ']', '\n')); err != nil {
			return err
		}
		end.Rows++
	}
	end.Seconds = time.Since(begun).Seconds()
	return writeLine(out, end)
}

func writeLine(out *bufio.Writer, v any) error {
	line, err := json.Marshal(v)
	if err != nil {
		return err
	}
	_, err = out.Write(append(line, '\n'))
	return err
}
