package main

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/xuri/excelize/v2"

	"github.com/benchproof/benchproof/internal/interrupt"
	"github.com/benchproof/benchproof/internal/schematest"
	"github.com/benchproof/benchproof/result"
)

var update = flag.Bool("update", false, "rewrite the expected output in the scripts")

// programs are what the test's program is under another name.
var programs = map[string]func(){"benchproof": main}

func TestMain(m *testing.M) {
	if err := allAtOnce(); err != nil {
		panic(err)
	}
	testscript.Main(released{m}, programs)
}

// released runs the tests with signals that do what they do to a test.
type released struct{ *testing.M }

func (r released) Run() int {
	interrupt.Release()
	return r.M.Run()
}

// TestScripts runs testdata/script, one topic a file. The files of
// testdata/input lie in the scripts' directory, and many.json, a record of
// more text than a pipe holds; where the published samples
// are at hand, $SAMPLES names their directory and the condition [samples] holds.
func TestScripts(t *testing.T) {
	t.Parallel()
	samples, many := sampleDir(t), manyTests(t)
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		UpdateScripts:       *update,
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup: func(e *testscript.Env) error {
			e.Defer(compute())
			e.Setenv("SAMPLES", samples)
			if err := os.CopyFS(e.WorkDir, os.DirFS("testdata/input")); err != nil {
				return err
			}
			return os.WriteFile(filepath.Join(e.WorkDir, "many.json"), many, 0o644)
		},
		Condition: func(name string) (bool, error) {
			if name == "samples" {
				return samples != "", nil
			}
			return false, fmt.Errorf("unknown condition %q", name)
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exits": exits, "rows": rows, "schema": validate, "sheet": sheet, "narrow": narrow,
		},
	})
}

// manyTests returns the JSON of a file with many tests.
func manyTests(t *testing.T) []byte {
	t.Helper()
	f := &result.File{Title: "Many", Source: "many", Systems: []result.System{{Identifier: "A"}}}
	for i := range 3000 {
		f.Tests = append(f.Tests, result.Test{
			Title: fmt.Sprint("test ", i), Scale: "s", Measurements: []result.Measurement{{Value: fmt.Sprint(i)}},
		})
	}
	var b bytes.Buffer
	if err := result.EncodeJSON(&b, []*result.File{f}); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// sampleDir returns the directory of the published samples, "" without them.
func sampleDir(t *testing.T) string {
	t.Helper()
	for _, dir := range []string{"../../samples", "../../../shared/samples"} {
		if _, err := os.Stat(filepath.Join(dir, "optane-900p-raid.txt")); err == nil {
			abs, err := filepath.Abs(dir)
			if err != nil {
				t.Fatal(err)
			}
			return abs
		}
	}
	t.Log("published samples not found; scripts that need them are cut short")
	return ""
}

// exits runs benchproof and checks its exit code: exits CODE ARGUMENT...
// Its output can be looked at with stdout and stderr, as that of exec.
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) == 0 {
		ts.Fatalf("usage: exits CODE ARGUMENT...")
	}
	err := ts.Exec("benchproof", args[1:]...)
	got := "0"
	if err != nil {
		got = strings.TrimPrefix(err.Error(), "exit status ")
	}
	if got != args[0] {
		ts.Fatalf("exit code %s, want %s", got, args[0])
	}
}

// rows reads CSV back and checks the number of its records and, if given, of
// its columns: rows FILE RECORDS [COLUMNS]
func rows(ts *testscript.TestScript, _ bool, args []string) {
	records, err := csv.NewReader(strings.NewReader(ts.ReadFile(args[0]))).ReadAll()
	ts.Check(err)
	if got := fmt.Sprint(len(records)); got != args[1] {
		ts.Fatalf("%s: %s records, want %s", args[0], got, args[1])
	}
	if len(args) > 2 && fmt.Sprint(len(records[0])) != args[2] {
		ts.Fatalf("%s: %d columns, want %s", args[0], len(records[0]), args[2])
	}
}

// validate checks JSON documents against the schema that they name:
// schema FILE
func validate(ts *testscript.TestScript, _ bool, args []string) {
	for _, name := range args {
		var doc map[string]any
		ts.Check(json.Unmarshal([]byte(ts.ReadFile(name)), &doc))
		id := fmt.Sprint(doc["schema"])
		kind := strings.TrimSuffix(strings.TrimPrefix(id, "benchproof/"), "/1")
		_, resolved, err := schematest.Read(kind)
		ts.Check(err)
		ts.Check(resolved.Validate(doc))
	}
}

// sheet prints a sheet of a workbook to stdout, cells divided by |:
// sheet FILE NAME
func sheet(ts *testscript.TestScript, _ bool, args []string) {
	x, err := excelize.OpenFile(ts.MkAbs(args[0]))
	ts.Check(err)
	defer x.Close()
	lines, err := x.GetRows(args[1])
	ts.Check(err)
	for _, cells := range lines {
		fmt.Fprintln(ts.Stdout(), strings.Join(cells, "|"))
	}
}

// narrow checks that no line of a file is longer than N letters:
// narrow FILE N
func narrow(ts *testscript.TestScript, _ bool, args []string) {
	var most int
	_, err := fmt.Sscan(args[1], &most)
	ts.Check(err)
	for i, line := range strings.Split(ts.ReadFile(args[0]), "\n") {
		if n := len([]rune(line)); n > most {
			ts.Fatalf("%s:%d: %d letters: %s", args[0], i+1, n, line)
		}
	}
}
