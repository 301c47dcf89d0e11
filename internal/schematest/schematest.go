// Package schematest is test support: it holds JSON documents, and the Go types
// that they are written from, against the JSON Schemas that the project ships.
package schematest

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/jsonschema-go/jsonschema"

	"github.com/benchproof/benchproof/result/schema"
)

// Read returns the schema of a kind of document, such as "compare", and what
// validates by it. Its error is that of a schema that is not there or is none.
func Read(kind string) (*jsonschema.Schema, *jsonschema.Resolved, error) {
	text, err := schema.Read(kind)
	if err != nil {
		return nil, nil, err
	}
	var s jsonschema.Schema
	if err := json.Unmarshal(text, &s); err != nil {
		return nil, nil, err
	}
	resolved, err := s.Resolve(nil)
	return &s, resolved, err
}

// Must is [Read] for a test, which ends where there is no such schema.
func Must(t testing.TB, kind string) (*jsonschema.Schema, *jsonschema.Resolved) {
	t.Helper()
	s, resolved, err := Read(kind)
	if err != nil {
		t.Fatal(err)
	}
	return s, resolved
}

// Names compares the names of a schema's properties, and which of them are
// required, with those that encoding/json writes of a struct, in both
// directions. Where is what the part is called in what the test says.
func Names(t testing.TB, where string, s *jsonschema.Schema, typ reflect.Type) {
	t.Helper()
	if s == nil {
		t.Errorf("the schema has no %s", where)
		return
	}
	all, required := keys(typ)
	if diff := cmp.Diff(all, Properties(s)); diff != "" {
		t.Errorf("%s: properties (-type +schema):\n%s", where, diff)
	}
	if diff := cmp.Diff(required, slices.Sorted(slices.Values(s.Required))); diff != "" {
		t.Errorf("%s: required (-type +schema):\n%s", where, diff)
	}
}

// Properties returns the names of a schema's properties, sorted.
func Properties(s *jsonschema.Schema) []string {
	var names []string
	for name := range s.Properties {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// keys returns the keys that a struct is written with, and those that are never
// left away.
func keys(typ reflect.Type) (all, required []string) {
	for i := range typ.NumField() {
		f := typ.Field(i)
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch {
		case f.Anonymous && name == "":
			a, r := keys(f.Type)
			all, required = append(all, a...), append(required, r...)
			continue
		case name == "-", !f.IsExported():
			continue
		}
		all = append(all, name)
		if !strings.Contains(options, "omitempty") {
			required = append(required, name)
		}
	}
	slices.Sort(all)
	slices.Sort(required)
	return all, required
}
