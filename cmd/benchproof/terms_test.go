package main

import (
	"encoding/csv"
	"encoding/json"
	"io/fs"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/spf13/pflag"

	"github.com/benchproof/benchproof/export"
)

// TestTerms: the JSON keys, CSV columns and flags that doc/terms.md ties its
// terms to are there, and no term stands twice.
func TestTerms(t *testing.T) {
	keys := map[string]bool{}
	schemas := os.DirFS("../../result/schema")
	names, err := fs.Glob(schemas, "*.json")
	if err != nil || len(names) < 10 {
		t.Fatalf("%d schemas, %v", len(names), err)
	}
	var walk func(any)
	walk = func(v any) {
		switch v := v.(type) {
		case []any:
			for _, x := range v {
				walk(x)
			}
		case map[string]any:
			if of, ok := v["properties"].(map[string]any); ok {
				for key := range of {
					keys[key] = true
				}
			}
			for _, x := range v {
				walk(x)
			}
		}
	}
	for _, name := range names {
		text, err := fs.ReadFile(schemas, name)
		if err != nil {
			t.Fatal(err)
		}
		var doc any
		if err := json.Unmarshal(text, &doc); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		walk(doc)
	}

	columns := map[string]bool{}
	for _, args := range [][]string{
		{"convert", small},
		{"convert", "--table", "systems", small},
		{"convert", "--table", "runs", small},
		{"convert", "--table", "diagnostics", small},
		{"compare", small},
		{"rank", small},
		{"replay", "plan", small},
		{"replay", "verify", small, small},
	} {
		e, stdout, stderr := testEnv(nil)
		if code := run(t.Context(), e, append(args, "--format", "csv")); code != exitOK {
			t.Fatalf("%q: code %d: %s", args, code, stderr)
		}
		head, err := csv.NewReader(stdout).Read()
		if err != nil {
			t.Fatalf("%q: %v", args, err)
		}
		for _, c := range head {
			columns[c] = true
		}
	}
	// Those of tables that need a replay on many hosts.
	for _, list := range [][]export.Column{hostColumns, clusterStatusColumns} {
		for _, c := range list {
			columns[c.Name] = true
		}
	}

	flags := map[string]bool{}
	_, list := allCommands(t)
	for _, c := range list {
		ownFlags(c, func(_ string, f *pflag.Flag) { flags["--"+f.Name] = true })
	}

	text, err := os.ReadFile("../../doc/terms.md")
	if err != nil {
		t.Fatal(err)
	}
	quoted := regexp.MustCompile("`([^`]*)`")
	terms := map[string]bool{}
	for n, line := range strings.Split(string(text), "\n") {
		cells := strings.Split(line, " | ")
		if !strings.HasPrefix(line, "| ") || len(cells) != 5 || strings.HasPrefix(line, "| term ") {
			continue
		}
		term := strings.TrimPrefix(cells[0], "| ")
		if terms[term] {
			t.Errorf("doc/terms.md:%d: %s stands twice", n+1, term)
		}
		terms[term] = true
		for i, of := range []struct {
			what string
			have map[string]bool
		}{{"JSON key", keys}, {"CSV column", columns}, {"flag", flags}} {
			for _, m := range quoted.FindAllStringSubmatch(cells[2+i], -1) {
				if !of.have[m[1]] {
					t.Errorf("doc/terms.md:%d: %s: there is no %s %s", n+1, term, of.what, m[1])
				}
			}
		}
	}
	if len(terms) < 50 {
		t.Errorf("%d terms", len(terms))
	}
}
