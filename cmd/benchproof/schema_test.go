package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/benchproof/benchproof/internal/schematest"
)

// TestSchemaNames compares the names of the schemas' properties, and which of
// them are required, with those of the documents' types, in both directions.
func TestSchemaNames(t *testing.T) {
	check, _ := schematest.Must(t, "check")
	diff, _ := schematest.Must(t, "diff")
	errorForm, _ := schematest.Must(t, "error")
	explain, _ := schematest.Must(t, "explain")
	for name, c := range map[string]struct {
		schema *jsonschema.Schema
		typ    reflect.Type
	}{
		"error":               {errorForm, reflect.TypeFor[errorDocument]()},
		"check":               {check, reflect.TypeFor[checkDocument]()},
		"check/file":          {check.Defs["file"], reflect.TypeFor[checkFile]()},
		"check/finding":       {check.Defs["finding"], reflect.TypeFor[checkLine]()},
		"diff":                {diff, reflect.TypeFor[diffDocument]()},
		"diff/difference":     {diff.Defs["difference"], reflect.TypeFor[diffLine]()},
		"explain":             {explain, reflect.TypeFor[explainDocument]()},
		"explain/measurement": {explain.Defs["measurement"], reflect.TypeFor[explanation]()},
		"explain/excerpt":     {explain.Defs["excerpt"], reflect.TypeFor[excerpt]()},
	} {
		schematest.Names(t, name, c.schema, c.typ)
	}
}

// schemaInputs are inputs of every form that is at hand: the small ones of the
// tests, the published samples and, where they are there, the results of other
// people with their faults.
func schemaInputs(t *testing.T) []string {
	t.Helper()
	var list []string
	for _, pattern := range []string{
		"testdata/input/*", "../../samples/*/*", "../../../shared/corpus/defects/*", "../../../shared/corpus/real/*", "../../../shared/corpus/real/*/*", "../../../shared/corpus/site/*",
	} {
		found, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range found {
			if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() && filepath.Ext(path) != ".md" {
				list = append(list, path)
			}
		}
	}
	return list
}

// TestOutputsFollowTheirSchema: what check, explain and diff print as JSON is
// what their schemas say, for every input at hand, and a broken one is not.
func TestOutputsFollowTheirSchema(t *testing.T) {
	list := schemaInputs(t)
	if testing.Short() && len(list) > 20 {
		list = list[:20]
	}
	document := func(args ...string) map[string]any {
		t.Helper()
		e, stdout, _ := testEnv(nil)
		run(t.Context(), e, append(args, "--json"))
		if stdout.Len() == 0 {
			return nil
		}
		var doc map[string]any
		if err := json.Unmarshal(stdout.Bytes(), &doc); err != nil {
			t.Fatalf("%q: %v: %s", args, err, bytes.TrimSpace(stdout.Bytes()[:min(200, stdout.Len())]))
		}
		return doc
	}
	count := map[string]int{}
	kinds := map[string]bool{}
	for _, path := range list {
		for name, args := range map[string][]string{
			"check":   {"check", path},
			"explain": {"explain", path, "--test", "."},
			"diff":    {"diff", path, "testdata/input/small.xml"},
		} {
			doc := document(args...)
			if doc == nil {
				continue // no result, or several
			}
			_, resolved := schematest.Must(t, name)
			if err := resolved.Validate(doc); err != nil {
				t.Errorf("%q: %v", args, err)
			}
			count[name]++
			for _, d := range asList(doc["differences"]) {
				kinds[d["kind"].(string)] = true
			}
		}
	}
	t.Log(count, kinds)
	for _, name := range []string{"check", "explain", "diff"} {
		if count[name] < 3 {
			t.Errorf("%s: only %d documents", name, count[name])
		}
	}

	for name, c := range map[string]struct {
		args []string
		list string
		bad  map[string]any
	}{
		"check":   {[]string{"check", "testdata/input/small.xml"}, "diagnostics", map[string]any{"severity": "fatal", "line": 0.0, "code": "", "message": nil}},
		"explain": {[]string{"explain", small, "--test", "."}, "measurements", map[string]any{"value": 5.0, "decode": "sure", "status": "missing", "excerpt": "x", "origin": nil, "alternatives": nil}},
		"diff":    {[]string{"diff", small, "testdata/input/small.xml"}, "differences", map[string]any{"kind": "other", "a": nil, "b": 1.0, "system": 1.0}},
	} {
		doc := document(c.args...)
		_, resolved := schematest.Must(t, name)
		rows := asList(doc[c.list])
		if len(rows) == 0 {
			t.Fatalf("%s has no %s", name, c.list)
		}
		for key, bad := range c.bad {
			good, was := rows[0][key]
			rows[0][key] = bad
			if resolved.Validate(doc) == nil {
				t.Errorf("%s: a %s of %v passes", name, key, bad)
			}
			if rows[0][key] = good; !was {
				delete(rows[0], key)
			}
		}
		doc["schema"] = "benchproof/" + name + "/2"
		if resolved.Validate(doc) == nil {
			t.Errorf("%s: another version passes", name)
		}
	}
}

func asList(v any) (list []map[string]any) {
	items, _ := v.([]any)
	for _, item := range items {
		list = append(list, item.(map[string]any))
	}
	return list
}
