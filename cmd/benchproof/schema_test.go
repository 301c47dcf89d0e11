package main

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/benchproof/benchproof/corpus"
	"github.com/benchproof/benchproof/internal/schematest"
	"github.com/benchproof/benchproof/replay"
	"github.com/benchproof/benchproof/replay/cluster"
)

// TestSchemaNames compares the names of the schemas' properties, and which of
// them are required, with those of the documents' types, in both directions.
func TestSchemaNames(t *testing.T) {
	check, _ := schematest.Must(t, "check")
	diff, _ := schematest.Must(t, "diff")
	errorForm, _ := schematest.Must(t, "error")
	explain, _ := schematest.Must(t, "explain")
	version, _ := schematest.Must(t, "version")
	profiles, _ := schematest.Must(t, "profiles")
	info, _ := schematest.Must(t, "corpus-info")
	add, _ := schematest.Must(t, "corpus-add")
	commit, _ := schematest.Must(t, "corpus-commit")
	addSlurm, _ := schematest.Must(t, "corpus-submit")
	history, _ := schematest.Must(t, "corpus-history")
	percentile, _ := schematest.Must(t, "corpus-percentile")
	similar, _ := schematest.Must(t, "corpus-similar")
	submit, _ := schematest.Must(t, "submit")
	status, _ := schematest.Must(t, "status")
	clusterStatus, _ := schematest.Must(t, "cluster-status")
	plan, _ := schematest.Must(t, "plan")
	for name, c := range map[string]struct {
		schema *jsonschema.Schema
		typ    reflect.Type
	}{
		"error":                  {errorForm, reflect.TypeFor[errorDocument]()},
		"check":                  {check, reflect.TypeFor[checkDocument]()},
		"check/file":             {check.Defs["file"], reflect.TypeFor[checkFile]()},
		"check/finding":          {check.Defs["finding"], reflect.TypeFor[checkLine]()},
		"diff":                   {diff, reflect.TypeFor[diffDocument]()},
		"diff/difference":        {diff.Defs["difference"], reflect.TypeFor[diffLine]()},
		"explain":                {explain, reflect.TypeFor[explainDocument]()},
		"explain/measurement":    {explain.Defs["measurement"], reflect.TypeFor[explanation]()},
		"explain/excerpt":        {explain.Defs["excerpt"], reflect.TypeFor[excerpt]()},
		"version":                {version, reflect.TypeFor[versionDocument]()},
		"profiles":               {profiles, reflect.TypeFor[profilesDocument]()},
		"profiles/profile":       {profiles.Defs["profile"], reflect.TypeFor[profileInfo]()},
		"profiles/option":        {profiles.Defs["option"], reflect.TypeFor[profileOption]()},
		"profiles/metric":        {profiles.Defs["metric"], reflect.TypeFor[profileMetric]()},
		"profiles/tool":          {profiles.Defs["tool"], reflect.TypeFor[profileTool]()},
		"corpus-info":            {info, reflect.TypeFor[corpusInfoDocument]()},
		"corpus-info/table":      {info.Defs["table"], reflect.TypeFor[corpus.TableInfo]()},
		"corpus-add":             {add, reflect.TypeFor[corpusAddDocument]()},
		"corpus-commit":          {commit, reflect.TypeFor[corpusCommitDocument]()},
		"corpus-submit":          {addSlurm, reflect.TypeFor[corpusSubmitDocument]()},
		"corpus-submit/part":     {addSlurm.Defs["part"], reflect.TypeFor[corpusPart]()},
		"corpus-history":         {history, reflect.TypeFor[historyDocument]()},
		"corpus-history/row":     {history.Defs["point"], reflect.TypeFor[corpus.Point]()},
		"corpus-percentile":      {percentile, reflect.TypeFor[percentileDocument]()},
		"corpus-percentile/row":  {percentile.Defs["standing"], reflect.TypeFor[corpus.Standing]()},
		"corpus-similar":         {similar, reflect.TypeFor[similarDocument]()},
		"corpus-similar/row":     {similar.Defs["similar"], reflect.TypeFor[corpus.Similar]()},
		"submit":                 {submit, reflect.TypeFor[submitDocument]()},
		"submit/element":         {submit.Properties["elements"].Items, reflect.TypeFor[submitElement]()},
		"status":                 {status, reflect.TypeFor[replay.Status]()},
		"status/run":             {status.Defs["run"], reflect.TypeFor[replay.RunStatus]()},
		"cluster-status":         {clusterStatus, reflect.TypeFor[cluster.Status]()},
		"cluster-status/element": {clusterStatus.Properties["elements"].Items, reflect.TypeFor[cluster.ElementStatus]()},
		"plan":                   {plan, reflect.TypeFor[replay.Plan]()},
		"plan/step":              {plan.Defs["step"], reflect.TypeFor[replay.Step]()},
		"plan/target":            {plan.Properties["targets"].Items, reflect.TypeFor[replay.Target]()},
	} {
		schematest.Names(t, name, c.schema, c.typ)
	}
}

// noOutput are the names of documents that no command prints: what lies in
// journals, jobs and data sets, and what the page and the engine are told.
var noOutput = []string{"cluster", "corpus", "corpus-job", "lab", "manifest", "page", "parquet", "scratch", "sql"}

// TestSchemasAreThere: each document that the program names has a schema, and
// each schema names itself and is of a document.
func TestSchemasAreThere(t *testing.T) {
	named := regexp.MustCompile(`"benchproof/([a-z-]+)/([0-9]+)\\?"`)
	documents := map[string]bool{}
	for _, root := range []string{".", "../../corpus", "../../export", "../../replay", "../../result"} {
		err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			if err != nil || filepath.Ext(path) != ".go" || strings.HasSuffix(path, "_test.go") {
				return err
			}
			text, err := os.ReadFile(path)
			for _, m := range named.FindAllStringSubmatch(string(text), -1) {
				if m[2] != "1" {
					t.Errorf("%s names version %s of %s", path, m[2], m[1])
				}
				documents[m[1]] = true
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	files, err := filepath.Glob("../../result/schema/*-1.json")
	if err != nil || len(files) < 20 {
		t.Fatal(files, err)
	}
	for _, path := range files {
		kind := strings.TrimSuffix(filepath.Base(path), "-1.json")
		s, _ := schematest.Must(t, kind)
		if id := s.Properties["schema"]; s.ID != "urn:benchproof:"+kind+":1" || id == nil || id.Const == nil || *id.Const != "benchproof/"+kind+"/1" {
			t.Errorf("%s does not name itself", path)
		}
		if !documents[kind] {
			t.Errorf("no document is by %s", path)
		}
		delete(documents, kind)
	}
	for _, kind := range noOutput {
		if !documents[kind] {
			t.Errorf("there is no benchproof/%s/1 any longer", kind)
		}
		delete(documents, kind)
	}
	for kind := range documents {
		t.Errorf("benchproof/%s/1 has no schema", kind)
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
	computes(t)
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
