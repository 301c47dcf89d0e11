// Benchproof-sql answers one SQL question about Parquet files with DuckDB. It
// is the engine of "benchproof corpus query" and its kin, in a module of its
// own because DuckDB needs a C compiler; benchproof starts it and talks to it
// over pipes. It is of little use by itself.
//
// It reads one request, a JSON object, from stdin:
//
//	{
//	  "protocol": "benchproof/sql/1",
//	  "tables": [{"schema": "stored", "name": "files", "files": ["/set/a.parquet"], "filename": false}],
//	  "views":  [{"name": "files", "sql": "SELECT * FROM stored.files"}],
//	  "sql":    "SELECT title FROM files WHERE title = ?",
//	  "params": ["Disks"],
//	  "temp":   "/tmp/benchproof-sql-1",
//	  "limits": {"rows": 1000, "memory": "2GB", "threads": 2, "seconds": 60}
//	}
//
// Tables are read-only views of Parquet files, views are statements of
// benchproof's own, and sql is the one of the user: a single statement that
// only reads (SELECT, FROM, WITH, VALUES, DESCRIBE, SUMMARIZE, EXPLAIN). It
// sees no file but those of the tables, no network and no extension. Params
// are its parameters. Temp is an existing directory for what does not fit into
// memory, "" for one of its own. A limit of 0 is none, but for memory and threads, where
// it is DuckDB's own.
//
// It prints JSON, a line each: the columns, then an array a row, then the end
// or an error:
//
//	{"columns": [{"name": "title", "type": "VARCHAR"}], "engine": "DuckDB v1.5.6"}
//	["Disks"]
//	{"end": true, "rows": 1, "more": false, "seconds": 0.01}
//	{"error": "…", "kind": "sql"}
//
// Kinds of errors are request (the request makes no sense), refused (the
// statement does more than read), sql (DuckDB's own), machine (a disk or the
// memory did not do), data (a file is damaged), limit and interrupted (a signal
// came, or the program that asked is gone). Whole numbers are exact, decimals,
// times and what JSON has no form for are text, numbers that are not finite too
// ("NaN", "Infinity"). With more set, rows were left out after limits.rows. The
// exit code is 0 with an end and 1 with an error.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/duckdb/duckdb-go/v2"
)

func main() {
	if len(os.Args) > 1 {
		if os.Args[1] != "--version" {
			fmt.Fprintln(os.Stderr, "benchproof-sql: error: it takes no arguments; benchproof corpus query starts it")
			os.Exit(2)
		}
		version, err := engineVersion(context.Background())
		if err != nil {
			fmt.Fprintln(os.Stderr, "benchproof-sql: error:", err)
			os.Exit(1)
		}
		fmt.Println("benchproof-sql, protocol", protocol+",", version)
		return
	}
	// A pipe that nobody reads is an error of the write: what was begun is
	// removed before the end.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	ctx, orphaned := context.WithCancel(ctx)
	go func() {
		for parent := os.Getppid(); os.Getppid() == parent; {
			time.Sleep(parentEvery)
		}
		orphaned()
	}()
	os.Exit(serve(ctx, os.Stdin, os.Stdout))
}

// parentEvery is how often it is looked whether the program that asked is
// still there.
const parentEvery = time.Second / 2

// protocol names the form of requests and answers.
const protocol = "benchproof/sql/1"

// request is what is read from stdin.
type request struct {
	Protocol string  `json:"protocol"`
	Tables   []table `json:"tables"`
	Views    []view  `json:"views"`
	SQL      string  `json:"sql"`
	Params   []any   `json:"params"`
	Temp     string  `json:"temp"`
	Limits   limits  `json:"limits"`
}

type table struct {
	Schema   string   `json:"schema"`
	Name     string   `json:"name"`
	Files    []string `json:"files"`
	Filename bool     `json:"filename"` // with a column of that name, and file_row_number
}

type view struct {
	Name string `json:"name"`
	SQL  string `json:"sql"`
}

type limits struct {
	Rows    int64   `json:"rows"`
	Memory  string  `json:"memory"`
	Threads int     `json:"threads"`
	Seconds float64 `json:"seconds"`
}

// answerError is an error with its kind.
type answerError struct {
	kind string
	err  error
}

func (e *answerError) Error() string { return e.err.Error() }
func (e *answerError) Unwrap() error { return e.err }

// maxRequest bounds a request: 256 MiB hold the names of a million parts.
const maxRequest = 256 << 20

// serve answers the request of r and returns the exit code.
func serve(ctx context.Context, r io.Reader, w io.Writer) int {
	out := bufio.NewWriterSize(w, 64<<10)
	err := func() error {
		data, err := io.ReadAll(io.LimitReader(r, maxRequest+1))
		if err != nil {
			return &answerError{"request", err}
		}
		if len(data) > maxRequest {
			return &answerError{"request", fmt.Errorf("it is larger than %d bytes", maxRequest)}
		}
		var q request
		if err := json.Unmarshal(data, &q); err != nil {
			return &answerError{"request", err}
		}
		if q.Protocol != protocol {
			return &answerError{"request", fmt.Errorf("found the protocol %q, expected %q: benchproof and benchproof-sql are not of one version", q.Protocol, protocol)}
		}
		return answer(ctx, &q, out)
	}()
	if err == nil {
		err = out.Flush()
		if err == nil {
			return 0
		}
		return 1 // whom to tell?
	}
	kind := "sql"
	var e *answerError
	var d *duckdb.Error
	switch {
	case ctx.Err() != nil:
		kind = "interrupted"
	case errors.As(err, &e):
		kind = e.kind
	case errors.As(err, &d) && ofData(d):
		kind = "data"
	case errors.As(err, &d) && (d.Type == duckdb.ErrorTypeIO || d.Type == duckdb.ErrorTypeOutOfMemory):
		kind = "machine"
	}
	line, _ := json.Marshal(map[string]string{"error": err.Error(), "kind": kind}) // strings cannot fail
	_, _ = out.Write(append(line, '\n'))
	_ = out.Flush()
	return 1
}
