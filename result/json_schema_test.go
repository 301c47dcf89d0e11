package result

import (
	"bytes"
	"encoding/json"
	"reflect"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/benchproof/benchproof/internal/schematest"
)

// TestSchemaNames compares the schema's property names and required names
// with those of the Go types, in both directions.
func TestSchemaNames(t *testing.T) {
	s, _ := schematest.Must(t, "result")
	type fileShape struct {
		headShape
		Systems     []systemShape `json:"systems"`
		Tests       []testShape   `json:"tests"`
		Diagnostics []Diagnostic  `json:"diagnostics"`
	}
	for name, typ := range map[string]reflect.Type{
		"file": reflect.TypeFor[fileShape](), "system": reflect.TypeFor[systemShape](),
		"test": reflect.TypeFor[testShape](), "measurement": reflect.TypeFor[measurementShape](),
		"origin": reflect.TypeFor[Origin](), "component": reflect.TypeFor[Component](),
		"option": reflect.TypeFor[Option](), "replay": reflect.TypeFor[Replay](),
		"unassigned": reflect.TypeFor[Unassigned](), "diagnostic": reflect.TypeFor[Diagnostic](),
	} {
		schematest.Names(t, name, s.Defs[name], typ)
	}
}

// TestDecoderKeys: the decoder knows every property of the schema but the
// derived ones, and no other.
func TestDecoderKeys(t *testing.T) {
	s, _ := schematest.Must(t, "result")
	derived := map[string]bool{
		"system": true, "number": true, "half_unit": true, "std_error_number": true, "std_error_half_unit": true,
	}
	for name, keys := range map[string][]string{
		"file": fileKeys, "system": systemKeys, "test": testKeys, "measurement": measurementKeys,
		"component": componentKeys, "option": optionKeys, "unassigned": unassignedKeys,
		"replay": replayKeys, "origin": originKeys, "diagnostic": diagnosticKeys,
	} {
		want := schematest.Properties(s.Defs[name])
		if name == "measurement" {
			want = slices.DeleteFunc(want, func(k string) bool { return derived[k] })
		}
		if diff := cmp.Diff(want, slices.Sorted(slices.Values(keys))); diff != "" {
			t.Errorf("%s (-schema +decoder):\n%s", name, diff)
		}
	}
}

func TestSchemaAcceptsEveryRecord(t *testing.T) {
	_, r := schematest.Must(t, "result")
	rapid.Check(t, func(t *rapid.T) {
		var b bytes.Buffer
		if err := EncodeJSON(&b, []*File{anyFile(t)}); err != nil {
			t.Fatal(err)
		}
		var v any
		if err := json.Unmarshal(b.Bytes(), &v); err != nil {
			t.Fatal(err)
		}
		if err := r.Validate(v); err != nil {
			t.Fatalf("%v\n%s", err, b.Bytes())
		}
	})
}

func TestSchemaRefuses(t *testing.T) {
	_, r := schematest.Must(t, "result")
	for name, change := range map[string]func(doc, measurement map[string]any){
		"other schema":     func(doc, _ map[string]any) { doc["schema"] = "benchproof/result/2" },
		"value a number":   func(_, m map[string]any) { m["value"] = 5.0 },
		"no value":         func(_, m map[string]any) { delete(m, "value") },
		"unknown decode":   func(_, m map[string]any) { m["decode"] = "sure" },
		"samples zero":     func(_, m map[string]any) { m["samples"] = 0.0 },
		"negative system":  func(_, m map[string]any) { m["system_index"] = -1.0 },
		"raw_values null":  func(_, m map[string]any) { m["raw_values"] = nil },
		"files not a list": func(doc, _ map[string]any) { doc["files"] = map[string]any{} },
	} {
		var doc map[string]any
		if err := json.Unmarshal([]byte(smallJSON), &doc); err != nil {
			t.Fatal(err)
		}
		test := doc["files"].([]any)[0].(map[string]any)["tests"].([]any)[0].(map[string]any)
		change(doc, test["measurements"].([]any)[0].(map[string]any))
		if r.Validate(doc) == nil {
			t.Errorf("%s: accepted", name)
		}
	}
}
