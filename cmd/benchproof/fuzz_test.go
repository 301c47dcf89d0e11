package main

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/benchproof/benchproof/internal/term"
	"github.com/benchproof/benchproof/result"
	"github.com/benchproof/benchproof/result/schema"
)

// fuzzCommands are what is asked of any input. IN is the input, OTHER a small
// result file. A schema is the shipped one that the output must be valid by.
var fuzzCommands = []struct {
	args   string
	schema string
	csv    bool
	one    bool // exit code 1 is an answer
}{
	{args: "show IN"},
	{args: "show --ascii --test [a-z] IN"},
	{args: "check IN", one: true},
	{args: "check --json IN", schema: "check", one: true},
	{args: "explain --test . IN"},
	{args: "explain --json --test . IN", schema: "explain"},
	{args: "convert --json IN", schema: "result"},
	{args: "convert IN", csv: true},
	{args: "convert --layout wide IN", csv: true},
	{args: "convert --table systems IN", csv: true},
	{args: "convert --table diagnostics IN", csv: true},
	{args: "convert --format md IN"},
	{args: "convert --format xml IN"},
	{args: "convert --format ndjson IN"},
	{args: "compare IN"},
	{args: "compare --json IN", schema: "compare"},
	{args: "compare --format csv IN OTHER", csv: true},
	{args: "rank IN"},
	{args: "rank --json IN OTHER", schema: "rank"},
	{args: "diff IN OTHER", one: true},
	{args: "diff --json OTHER IN", schema: "diff", one: true},
	{args: "replay verify IN OTHER", one: true},
	{args: "replay verify --json OTHER IN", schema: "verify", one: true},
	{args: "merge IN OTHER --format json", schema: "result"},
}

// FuzzCommands: whatever an input is, a command ends with the exit code of its
// kind and never in a panic; what it prints on a terminal acts upon nothing; its
// messages are lines of its own that name the input; JSON is valid by the shipped
// schema, CSV has cells of equal number and no formula; and the same input gives
// the same bytes.
func FuzzCommands(f *testing.F) {
	dir := f.TempDir()
	in := filepath.Join(dir, "in")
	other, err := filepath.Abs(small)
	if err != nil {
		f.Fatal(err)
	}
	schemas := make(map[string]*jsonschema.Resolved)
	for _, c := range fuzzCommands {
		if c.schema == "" || schemas[c.schema] != nil {
			continue
		}
		text, err := schema.Read(c.schema)
		if err != nil {
			f.Fatal(err)
		}
		var s jsonschema.Schema
		if err := json.Unmarshal(text, &s); err != nil {
			f.Fatal(err)
		}
		if schemas[c.schema], err = s.Resolve(nil); err != nil {
			f.Fatal(err)
		}
	}
	for i, name := range []string{
		small, "testdata/input/doubtful.json", "testdata/input/hostile.json", "testdata/input/small.xml",
		"../../samples/kitchen-sink.text.txt", "../../samples/kitchen-sink.flat.txt", "../../samples/kitchen-sink.xml", "../../samples/kitchen-sink.collapsed.txt",
	} {
		text, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		for k := range fuzzCommands {
			if k%4 == i%4 { // each command has two of them
				f.Add(uint8(k), text)
			}
		}
	}
	f.Add(uint8(0), []byte("\xff\xfe\x00"))
	f.Fuzz(func(t *testing.T, which uint8, text []byte) {
		if len(text) > 1<<15 {
			return
		}
		c := fuzzCommands[int(which)%len(fuzzCommands)]
		if err := os.WriteFile(in, text, 0o644); err != nil {
			t.Fatal(err)
		}
		args := strings.Fields(c.args)
		for i, a := range args {
			switch a {
			case "IN":
				args[i] = in
			case "OTHER":
				args[i] = other
			}
		}
		do := func() (int, string, string) {
			e, stdout, stderr := testEnv(bytes.NewReader(nil))
			e.stdoutTerminal, e.width = true, 70
			e.getenv = func(name string) string { return map[string]string{"NO_COLOR": "1", "LANG": "C.UTF-8"}[name] }
			return run(t.Context(), e, args), stdout.String(), stderr.String()
		}
		code, out, messages := do()
		if strings.Contains(messages, "internal error") {
			args = append(args, "--verbose")
			_, _, messages = do()
			t.Fatalf("%s: %s", c.args, messages)
		}
		// Of another number of systems or files than the command is for.
		other := code == exitUsage && (strings.Contains(messages, "to set beside each other, got") ||
			strings.Contains(messages, ": want as many of both") || strings.Contains(messages, ": want one"))
		if code != exitOK && code != exitUnread && !(code == exitNo && c.one) && !other {
			t.Fatalf("%s: code %d, %s", c.args, code, messages)
		}
		if code == exitUnread && !strings.Contains(messages, "in") {
			t.Errorf("%s: what was not read is not named: %q", c.args, messages)
		}
		checkShown(t, c.args, out)
		checkShown(t, c.args, messages)
		for line := range strings.Lines(messages) {
			if !strings.HasPrefix(line, "benchproof: ") && !strings.HasPrefix(line, "{") {
				t.Errorf("%s: message %q", c.args, line)
			}
		}
		switch {
		case out == "":
			if code == exitOK && messages == "" {
				t.Errorf("%s: nothing is printed and nothing said", c.args)
			}
		case c.schema != "":
			validDocument(t, c.args, out, schemas[c.schema])
		case c.csv:
			checkCSV(t, c.args, out)
		}
		if again, out2, messages2 := do(); again != code || out2 != out || messages2 != messages {
			t.Errorf("%s: twice the same gives\n%s%s\n%s%s", c.args, out, messages, out2, messages2)
		}
	})
}

// checkShown makes sure that text is UTF-8 without what a terminal acts upon.
func checkShown(t *testing.T, command, text string) {
	t.Helper()
	if !utf8.ValidString(text) {
		t.Fatalf("%s: %q is no UTF-8", command, text)
	}
	if shown := term.VisibleLines(text); shown != text {
		for line := range strings.Lines(text) {
			if term.VisibleLines(line) != line {
				t.Errorf("%s: line %q", command, line)
			}
		}
	}
}

func validDocument(t *testing.T, command, out string, s *jsonschema.Resolved) {
	t.Helper()
	var doc any
	if err := json.Unmarshal([]byte(out), &doc); err != nil {
		t.Fatalf("%s: %v in\n%s", command, err, out)
	}
	if err := s.Validate(doc); err != nil {
		t.Errorf("%s: %v in\n%s", command, err, out)
	}
}

func checkCSV(t *testing.T, command, out string) {
	t.Helper()
	rows, err := csv.NewReader(strings.NewReader(out)).ReadAll() // of equal length, or an error
	if err != nil {
		t.Fatalf("%s: %v in\n%s", command, err, out)
	}
	for _, row := range rows {
		for _, cell := range row {
			if cell == "" || !strings.ContainsRune("=+-@\t\r", rune(cell[0])) {
				continue
			}
			for _, x := range strings.FieldsFunc(cell, func(r rune) bool { return r == ';' || r == ',' || r == ' ' }) {
				if _, ok := result.ParseNumber(x); !ok && !strings.Contains("nan inf infinity", strings.ToLower(strings.TrimLeft(x, "+-"))) && strings.Trim(x, "+-.0123456789eE") != "" {
					t.Errorf("%s: the cell %q is a formula", command, cell)
				}
			}
		}
	}
}
