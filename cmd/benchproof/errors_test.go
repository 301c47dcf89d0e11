package main

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/benchproof/benchproof/internal/schematest"
)

// TestErrorJSON: with --json the error that ends a command is one object on the
// last line of stderr, by its schema, with the code that the command ends with,
// whatever kind of error it is; and nothing is on stdout.
func TestErrorJSON(t *testing.T) {
	_, resolved := schematest.Must(t, "error")
	dir := t.TempDir()
	write := func(name, text string) string {
		t.Helper()
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return path
	}
	prose, cut := write("prose.txt", "This is no result."), write("cut.json", `{"schema":"benchproof/result/1","files":[`)
	there, plan := write("there.json", ""), write("plan.json", `{"schema":"benchproof/plan/1"}`)
	absent := filepath.Join(dir, "absent")
	for name, tt := range map[string]struct {
		args []string
		code int
		says string
	}{
		"command":          {[]string{"nosuch"}, 2, `unknown command "nosuch"`},
		"command below":    {[]string{"replay", "nosuch"}, 2, `unknown command "nosuch" of replay`},
		"flag":             {[]string{"show", "--nosuch", small}, 2, "unknown flag --nosuch"},
		"flag alone":       {[]string{"show", small, "--width"}, 2, "--width needs a value"},
		"value":            {[]string{"show", "--width", "x", small}, 2, `--width "x": want a whole number`},
		"word":             {[]string{"compare", "--adjust", "x", small}, 2, `--adjust "x": want holm, bh or none`},
		"pattern":          {[]string{"show", "--test", "(", small}, 2, `--test "(": missing closing )`},
		"argument":         {[]string{"version", "x"}, 2, `unexpected argument "x"`},
		"no input":         {[]string{"check"}, 2, "no input"},
		"form":             {[]string{"explain", "--test", ".", "-o", "x.csv", small}, 2, "the ending of"},
		"absent":           {[]string{"show", absent}, 3, absent + ": no such file or directory"},
		"prose":            {[]string{"show", prose}, 3, "prose.txt:1:1: found text"},
		"cut":              {[]string{"show", cut}, 3, "cut.json:1:42: the document ends too early"},
		"several":          {[]string{"show", prose, cut}, 3, "2 of 2 inputs could not be read"},
		"over a limit":     {[]string{"show", "--max-tests", "1", small}, 3, "over the limit of 1"},
		"there":            {[]string{"convert", small, "-o", there}, 4, "it exists already"},
		"no directory":     {[]string{"convert", small, "-o", absent + "/x.json"}, 4, "there is no directory " + absent},
		"no corpus":        {[]string{"corpus", "info", absent}, 3, "no corpus"},
		"no journal":       {[]string{"replay", "status", absent}, 3, absent + " holds no journal of a replay"},
		"bad plan":         {[]string{"replay", "plan", plan}, 3, "plan.json"},
		"target":           {[]string{"replay", "plan", small, "--target", absent}, 5, "is refused"},
		"no such verdict":  {[]string{"compare", "--fail-on", "x", small}, 2, "want worse"},
		"unknown driver":   {[]string{"profiles", "nosuch"}, 2, `unknown profile "nosuch"`},
		"baseline":         {[]string{"compare", "--baseline", "x", small}, 2, `no baseline "x"`},
		"hidden character": {[]string{"show", absent + "\x1b[31m"}, 3, "no such file or directory"},
	} {
		e, stdout, stderr := testEnv(nil)
		code := run(t.Context(), e, append([]string{"--json"}, tt.args...))
		checkErrorLine(t, name, stdout.String(), stderr.String(), code, tt.code, tt.says, resolved.Validate)
	}
	// What no line can bring about.
	for name, tt := range map[string]struct {
		err  error
		code int
		says string
	}{
		"interrupted": {context.Canceled, exitInterrupted, "interrupted"},
		"internal":    {errInternal("x"), exitFailed, "internal error: x"},
	} {
		e, stdout, stderr := testEnv(nil)
		newMessages(e, &globals{json: true}).error(tt.err)
		checkErrorLine(t, name, stdout.String(), stderr.String(), exitCode(tt.err), tt.code, tt.says, resolved.Validate)
	}
}

func checkErrorLine(t *testing.T, name, stdout, stderr string, code, want int, says string, valid func(any) error) {
	t.Helper()
	lines := strings.Split(strings.TrimSuffix(stderr, "\n"), "\n")
	last := lines[len(lines)-1]
	var doc any
	if err := json.Unmarshal([]byte(last), &doc); err != nil {
		t.Errorf("%s: the last line of stderr is no JSON: %q", name, stderr)
		return
	}
	if err := valid(doc); err != nil {
		t.Errorf("%s: %v: %s", name, err, last)
	}
	for _, l := range lines[:len(lines)-1] {
		if strings.HasPrefix(l, "{") {
			t.Errorf("%s: a second object: %q", name, stderr)
		}
	}
	var d errorDocument
	if err := json.Unmarshal([]byte(last), &d); err != nil {
		t.Errorf("%s: %v", name, err)
	}
	if d.ExitCode != code || code != want || !strings.Contains(d.Error, says) || strings.ContainsAny(last, "\x1b") || stdout != "" {
		t.Errorf("%s: exit code %d, want %d and %q; stdout %q: %s", name, code, want, says, stdout, last)
	}
}
