package schematest

import (
	"errors"
	"io/fs"
	"reflect"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"
)

// told is a test that keeps what it is told.
type told struct {
	testing.TB
	errors []string
}

func (t *told) Helper() {}

func (t *told) Errorf(format string, args ...any) {
	for _, a := range args {
		if s, ok := a.(string); ok {
			format += " " + s
		}
	}
	t.errors = append(t.errors, format)
}

func TestNames(t *testing.T) {
	type head struct {
		Title string `json:"title"`
	}
	type document struct {
		head
		Note   string `json:"note,omitempty"`
		Hidden int    `json:"-"`
		_      int    // no JSON has it
	}
	for name, c := range map[string]struct {
		properties, required []string
		want                 string // of what is told
	}{
		"as the type":   {[]string{"title", "note"}, []string{"title"}, ""},
		"one too many":  {[]string{"title", "note", "more"}, []string{"title"}, "more"},
		"one too few":   {[]string{"title"}, []string{"title"}, "note"},
		"not required":  {[]string{"title", "note"}, nil, "required"},
		"also required": {[]string{"title", "note"}, []string{"title", "note"}, "required"},
	} {
		s := &jsonschema.Schema{Properties: map[string]*jsonschema.Schema{}, Required: c.required}
		for _, p := range c.properties {
			s.Properties[p] = &jsonschema.Schema{}
		}
		got := &told{TB: t}
		Names(got, "document", s, reflect.TypeFor[document]())
		if (len(got.errors) == 0) != (c.want == "") || !strings.Contains(strings.Join(got.errors, "\n"), c.want) {
			t.Errorf("%s: told %q, want %q", name, got.errors, c.want)
		}
	}
	got := &told{TB: t}
	if Names(got, "row", nil, reflect.TypeFor[document]()); len(got.errors) != 1 {
		t.Errorf("a part that is not there: told %q", got.errors)
	}
}

func TestRead(t *testing.T) {
	if _, resolved := Must(t, "result"); resolved.Validate(map[string]any{"schema": "benchproof/result/1", "files": []any{}}) != nil {
		t.Error("an empty document of records is refused")
	}
	if _, _, err := Read("other"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a kind that is not there: %v", err)
	}
}
