package export

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/benchproof/benchproof/analyze"
	"github.com/benchproof/benchproof/internal/schematest"
	"github.com/benchproof/benchproof/result"
)

// TestSchemaNames compares the names of the schemas' properties, and which of
// them are required, with those of the Go types, in both directions.
func TestSchemaNames(t *testing.T) {
	compare, _ := schematest.Must(t, "compare")
	rank, _ := schematest.Must(t, "rank")
	for name, c := range map[string]struct {
		schema *jsonschema.Schema
		typ    reflect.Type
	}{
		"compare":          {compare, reflect.TypeFor[compareDocument]()},
		"compare/row":      {compare.Defs["row"], reflect.TypeFor[compareRow]()},
		"compare/overall":  {compare.Defs["overall"], reflect.TypeFor[overallRow]()},
		"compare/range":    {compare.Defs["range"], reflect.TypeFor[analyze.Range]()},
		"compare/mean":     {compare.Defs["mean"], reflect.TypeFor[analyze.Mean]()},
		"compare/left_out": {compare.Defs["left_out"], reflect.TypeFor[analyze.LeftOut]()},
		"rank":             {rank, reflect.TypeFor[rankDocument]()},
		"rank/test":        {rank.Defs["test"], reflect.TypeFor[rankTest]()},
		"rank/row":         {rank.Defs["row"], reflect.TypeFor[rankRow]()},
		"rank/overall":     {rank.Defs["overall"], reflect.TypeFor[rankOverall]()},
		"rank/system":      {rank.Defs["system"], reflect.TypeFor[rankSystem]()},
		"rank/left_out":    {rank.Defs["left_out"], reflect.TypeFor[analyze.LeftOut]()},
	} {
		schematest.Names(t, name, c.schema, c.typ)
	}
}

// analysed are files with what comparisons and rankings can meet: errors, runs,
// single runs, nothing, hostile names, groups, many tests.
func analysed() map[string][]*result.File {
	m := func(system int, value, stdError string, n int, runs ...string) result.Measurement {
		return result.Measurement{System: system, Value: value, StdError: stdError, Samples: n, RawValues: runs}
	}
	rich := &result.File{Source: "rich", Systems: []result.System{{Identifier: "A"}, {Identifier: "B"}, {Identifier: "C"}}}
	for i := range 12 {
		rich.Tests = append(rich.Tests, result.Test{
			Title: fmt.Sprintf("T%d", i), Scale: "s", Proportion: result.LIB, Measurements: []result.Measurement{
				m(0, fmt.Sprintf("%d.0", 100+i), "1.0", 3), m(1, "120", "", 0, "119", "120", "121", "122"), m(2, "300.0", "200.0", 4),
			},
		})
	}
	rich.Tests = append(rich.Tests,
		result.Test{Title: "one run", Scale: "s", Proportion: result.HIB, Measurements: []result.Measurement{m(0, "5.0", "0.1", 3), m(1, "6.0", "", 1), m(2, "7", "", 0)}},
		result.Test{Title: "noise", Scale: "s", Proportion: result.HIB, Measurements: []result.Measurement{m(0, "5.0", "9.0", 3), m(1, "6.0", "9.0", 3), m(2, "70.0", "0.1", 3)}},
		result.Test{Title: "half noise", Scale: "s", Proportion: result.HIB, Measurements: []result.Measurement{m(0, "5.0", "1.5", 3), m(1, "60.0", "0.1", 3), m(2, "70.0", "0.1", 3)}},
		result.Test{Title: "equal", Scale: "B", Proportion: result.LIB, Measurements: []result.Measurement{m(0, "99", "", 0, "99", "99", "99"), m(1, "80", "", 0, "80", "80", "80")}},
	)
	return map[string][]*result.File{
		"small": {small()}, "hostile": {hostileFile()}, "rich": {rich}, "two": {rich, small()}, "empty": {{Source: "e"}},
	}
}

// TestAnalysesFollowTheirSchema: every comparison and ranking as JSON is what
// the schema says, and a broken one is not.
func TestAnalysesFollowTheirSchema(t *testing.T) {
	_, compare := schematest.Must(t, "compare")
	_, rank := schematest.Must(t, "rank")
	decoded := func(write func(*bytes.Buffer) error) map[string]any {
		t.Helper()
		var b bytes.Buffer
		if err := write(&b); err != nil {
			t.Fatal(err)
		}
		var doc map[string]any
		if err := json.Unmarshal(b.Bytes(), &doc); err != nil {
			t.Fatal(err)
		}
		return doc
	}
	seen := map[string]bool{}
	var last map[string]any
	for name, files := range analysed() {
		set := analyze.NewSet(files)
		for _, o := range []analyze.CompareOptions{{}, {Adjust: analyze.BH}, {Adjust: analyze.NoAdjustment, Margin: 0.3}} {
			c, err := analyze.Compare(set, o)
			if err != nil {
				t.Fatal(err)
			}
			doc := decoded(func(b *bytes.Buffer) error { return WriteCompareJSON(b, c) })
			if err := compare.Validate(doc); err != nil {
				t.Errorf("%s: %v", name, err)
			}
			for i := range c.Rows {
				seen[string(c.Rows[i].Verdict)] = true
				seen["fieller "+c.Rows[i].Methods().FiellerShape] = true
			}
			if name == "rich" {
				last = doc
			}
		}
		r, err := analyze.Rank(set)
		if err != nil {
			t.Fatal(err)
		}
		if err := rank.Validate(decoded(func(b *bytes.Buffer) error { return WriteRankJSON(b, r) })); err != nil {
			t.Errorf("%s: rank: %v", name, err)
		}
	}
	for _, what := range []string{"better", "worse", "undecided", "untestable", "fieller bounded", "fieller unbounded", "fieller everything"} {
		if !seen[what] {
			t.Errorf("no row is %s: %v", what, seen)
		}
	}
	row := last["rows"].([]any)[0].(map[string]any)
	for key, bad := range map[string]any{"p_value": 1.5, "ratio": 0.0, "verdict": "good", "runs_needed": 0.0, "value": 5.0, "fieller": nil} {
		good := row[key]
		row[key] = bad
		if compare.Validate(last) == nil {
			t.Errorf("a %s of %v passes", key, bad)
		}
		row[key] = good
	}
	delete(row, "reason")
	if compare.Validate(last) == nil {
		t.Error("a row without reason passes")
	}
}
