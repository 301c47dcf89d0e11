package corpus

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"time"

	"github.com/benchproof/benchproof/internal/phrase"
)

// engineName is the program that answers SQL.
const engineName = "benchproof-sql"

// engineProtocol names the form of requests and answers; the engine's own
// documentation tells it.
const engineProtocol = "benchproof/sql/1"

// ErrNoEngine is what errors.Is finds in the error where the engine is not
// there, or is no program.
var ErrNoEngine = errors.New("the SQL engine " + engineName + " cannot be used")

// FindEngine returns the path of the engine: the file that path names where it
// is not empty, else the one beside this program, else the one on PATH.
func FindEngine(path string) (string, error) {
	if path != "" {
		if _, err := os.Stat(path); err != nil {
			return "", fmt.Errorf("%w: %w", ErrNoEngine, err)
		}
		return filepath.Abs(path)
	}
	name := engineName
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	if self, err := os.Executable(); err == nil {
		if real, err := filepath.EvalSymlinks(self); err == nil {
			self = real
		}
		beside := filepath.Join(filepath.Dir(self), name)
		if info, err := os.Stat(beside); err == nil && info.Mode().IsRegular() {
			return beside, nil
		}
	}
	found, err := exec.LookPath(name)
	if err != nil {
		return "", fmt.Errorf("%w: it is neither beside benchproof nor on PATH", ErrNoEngine)
	}
	return found, nil
}

// QueryOptions bound a question.
type QueryOptions struct {
	Engine  string  // path of the engine
	Rows    int64   // most rows, 0 for all
	Memory  string  // most memory ("2GB"), "" for the engine's own limit
	Threads int     // 0 for one a core
	Seconds float64 // most time, 0 for any
}

// QueryColumn is a column of an answer; Type is DuckDB's name of it.
type QueryColumn struct {
	Name string `json:"name"`
	Type string `json:"type"`
}

// Answer is what a question gave.
type Answer struct {
	Columns []QueryColumn
	Engine  string // "DuckDB v1.5.6"
	Rows    int64
	More    bool    // rows were left out
	Seconds float64 // of the statement alone
}

// QueryError is an error of the engine.
type QueryError struct {
	// Kind is "sql", "refused" (it does more than read), "limit", "machine" (a
	// disk or the memory did not do), "data" (a file of the corpus is damaged),
	// "request" or "interrupted".
	Kind    string
	Message string
}

// Error returns Message.
func (e *QueryError) Error() string { return e.Message }

// ErrEmpty is the error of a question to a corpus without a file.
var ErrEmpty = errors.New("the corpus is empty")

// engineRequest is what the engine reads.
type engineRequest struct {
	Protocol string        `json:"protocol"`
	Tables   []engineTable `json:"tables"`
	Views    []engineView  `json:"views"`
	SQL      string        `json:"sql"`
	Params   []any         `json:"params"`
	Temp     string        `json:"temp"`
	Limits   engineLimits  `json:"limits"`
}

type engineTable struct {
	Schema   string   `json:"schema"`
	Name     string   `json:"name"`
	Files    []string `json:"files"`
	Filename bool     `json:"filename"`
}

type engineView struct {
	Name string `json:"name"`
	SQL  string `json:"sql"`
}

type engineLimits struct {
	Rows    int64   `json:"rows"`
	Memory  string  `json:"memory"`
	Threads int     `json:"threads"`
	Seconds float64 `json:"seconds"`
}

// engineLine is a line of an answer that is no row.
type engineLine struct {
	Columns []QueryColumn `json:"columns"`
	Engine  string        `json:"engine"`
	End     bool          `json:"end"`
	Rows    int64         `json:"rows"`
	More    bool          `json:"more"`
	Seconds float64       `json:"seconds"`
	Error   string        `json:"error"`
	Kind    string        `json:"kind"`
}

// Query asks the corpus a question in SQL, a single statement that only reads,
// with the values of its parameters (text, numbers and nil). Head is called
// once with the columns, row for each row with one JSON value a column, which
// it may keep. Either may be nil.
func (c *Corpus) Query(ctx context.Context, sql string, params []any, o QueryOptions, head func(*Answer) error, row func([]json.RawMessage) error) (*Answer, error) {
	if len(c.manifest.Parts) == 0 {
		return nil, fmt.Errorf("%s: %w", c.dir, ErrEmpty)
	}
	for _, t := range c.engineTables() {
		for _, name := range t.Files {
			// The engine would wait for a pipe, and takes a name that is not
			// there for a directory to look through, which it may not.
			info, err := os.Stat(name)
			if err != nil {
				return nil, &QueryError{"data", fmt.Sprintf("%s: %v", name, errors.Unwrap(err))}
			}
			if !info.Mode().IsRegular() {
				return nil, &QueryError{"data", name + " is no regular file"}
			}
		}
	}
	if params == nil {
		params = []any{}
	}
	// What the engine leaves there is removed even if it had to be killed.
	temp, err := os.MkdirTemp("", engineName+"-")
	if err != nil {
		return nil, fmt.Errorf("make a directory for temporary files, which TMPDIR says the place of: %w", err)
	}
	defer os.RemoveAll(temp)
	request, err := json.Marshal(engineRequest{
		Protocol: engineProtocol, Tables: c.engineTables(), Views: c.views(), SQL: sql, Params: params, Temp: temp,
		Limits: engineLimits{o.Rows, o.Memory, o.Threads, o.Seconds},
	})
	if err != nil {
		return nil, err
	}
	run, cancel := context.WithCancel(ctx)
	defer cancel()
	cmd := exec.CommandContext(run, o.Engine)
	cmd.Cancel = func() error {
		if err := cmd.Process.Signal(os.Interrupt); err != nil {
			return cmd.Process.Kill() // where there is no such signal
		}
		return nil
	}
	cmd.WaitDelay = engineGrace
	cmd.Stdin = bytes.NewReader(request)
	stderr := &tail{}
	cmd.Stderr = stderr
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		if errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.ENOEXEC) {
			return nil, fmt.Errorf("%w: %w", ErrNoEngine, err)
		}
		return nil, fmt.Errorf("start %s: %w", engineName, err)
	}
	answer, err := readAnswer(stdout, head, row)
	if err != nil {
		cancel() // it need not go on
		_ = stdout.Close()
	}
	waited := cmd.Wait()
	var said *QueryError
	switch {
	case err == nil:
	case ctx.Err() != nil:
		err = ctx.Err() // which the engine may have had something to say about
	case errors.As(err, &said) && said.Kind == "interrupted":
		// Ctrl-C reaches both, and the engine may be the first.
		err = fmt.Errorf("%s: %w", filepath.Base(o.Engine), context.Canceled)
	case errors.Is(err, errCut) && !cmd.ProcessState.Success():
		// What it printed ends too early since it did.
		err = fmt.Errorf("%s ended early: %w", filepath.Base(o.Engine), waited)
		if said := strings.TrimSpace(stderr.String()); said != "" {
			err = fmt.Errorf("%w: %s", err, said)
		}
	}
	return answer, err
}

// engineGrace is how long the engine has to end by itself.
const engineGrace = time.Second

// errCut is the error of an answer without an end.
var errCut = errors.New("the answer is cut off")

// readAnswer reads the lines of an answer.
func readAnswer(r io.Reader, head func(*Answer) error, row func([]json.RawMessage) error) (*Answer, error) {
	in := bufio.NewReaderSize(r, 256<<10)
	var a *Answer
	rows := int64(0)
	for {
		line, err := in.ReadBytes('\n')
		if errors.Is(err, io.EOF) {
			return nil, errCut
		}
		if err != nil {
			return nil, err
		}
		if line[0] == '[' {
			if a == nil {
				return nil, errors.New("the engine's answer has no columns")
			}
			// New ones: decoding into old ones would change what was kept.
			cells := make([]json.RawMessage, 0, len(a.Columns))
			if err := json.Unmarshal(line, &cells); err != nil {
				return nil, fmt.Errorf("the engine's answer: %w", err)
			}
			if len(cells) != len(a.Columns) {
				return nil, fmt.Errorf("the engine's answer has %s for %s", phrase.Count(len(cells), "cell"), phrase.Count(len(a.Columns), "column"))
			}
			rows++
			if row != nil {
				if err := row(cells); err != nil {
					return nil, err
				}
			}
			continue
		}
		var l engineLine
		if err := json.Unmarshal(line, &l); err != nil {
			return nil, fmt.Errorf("the engine's answer: %w", err)
		}
		switch {
		case l.Error != "":
			return nil, &QueryError{l.Kind, l.Error}
		case l.End && a != nil && l.Rows != rows:
			return nil, fmt.Errorf("the engine's answer has %s, its end says %d", phrase.Count(rows, "row"), l.Rows)
		case l.End && a != nil:
			a.Rows, a.More, a.Seconds = l.Rows, l.More, l.Seconds
			return a, nil
		case a == nil && l.Columns != nil:
			a = &Answer{Columns: l.Columns, Engine: l.Engine}
			if head != nil {
				if err := head(a); err != nil {
					return nil, err
				}
			}
		default:
			return nil, errors.New("the engine's answer is of another protocol")
		}
	}
}

// tail keeps the end of what is written.
type tail struct{ buf []byte }

const tailBytes = 2 << 10

func (t *tail) Write(p []byte) (int, error) {
	t.buf = append(t.buf, p...)
	if n := len(t.buf) - tailBytes; n > 0 {
		t.buf = append(t.buf[:0], t.buf[n:]...)
	}
	return len(p), nil
}

func (t *tail) String() string { return string(t.buf) }
