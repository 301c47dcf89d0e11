package analyze

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/benchproof/benchproof/result"
)

// FuzzAnalysis: whatever two records say, each analysis of them ends with finite
// numbers and reasons, changes neither record, finds no difference of a record to
// itself, and the differences of two the other way round too.
func FuzzAnalysis(f *testing.F) {
	doc := func(name string) string {
		text, err := os.ReadFile(filepath.Join("..", "cmd", "benchproof", "testdata", "input", name))
		if err != nil {
			f.Fatal(err)
		}
		return string(text)
	}
	doubtful, hostile := doc("doubtful.json"), doc("hostile.json")
	f.Add(doubtful, hostile)
	f.Add(hostile, doubtful)
	hosts := `{"schema":"benchproof/result/1","files":[{"systems":[` +
		`{"identifier":"n1: a","notes":[{"key":"Host","value":"n1"},{"key":"Configuration","value":"a"}]},{"identifier":"n2: a","notes":[{"key":"Host","value":"n2"},{"key":"Configuration","value":"a"}]},` +
		`{"identifier":"n1: b","notes":[{"key":"Host","value":"n1"},{"key":"Configuration","value":"b"}]},{"identifier":"n2: b","notes":[{"key":"Host","value":"n2"},{"key":"Configuration","value":"b"}]}],` +
		`"tests":[{"title":"t","proportion":"HIB","measurements":[{"system":0,"value":"1.5","raw_values":["1","2"]},{"system":1,"value":"2.5","raw_values":["2","3"]},{"system":2,"value":"9","raw_values":["8","10"]},{"system":3,"value":"10","raw_values":["9","11"]}]}]}]}`
	f.Add(hosts, strings.ReplaceAll(hosts, `"2.5"`, `"1e308"`))
	f.Fuzz(func(t *testing.T, a, b string) {
		var files []*result.File
		for _, text := range []string{a, b} {
			if len(text) > 1<<14 {
				return
			}
			list, err := result.DecodeJSON(strings.NewReader(text))
			if err != nil || len(list) != 1 || len(list[0].Systems) > 12 || len(list[0].Tests) > 12 {
				return
			}
			files = append(files, list...)
		}
		before := []string{asJSON(t, files[0]), asJSON(t, files[1])}

		set := NewSet(files)
		if c, err := Compare(set, CompareOptions{}); err == nil {
			checkSane(t, c)
			for i := range c.Rows {
				// A unit may be called so, a number not.
				if text := c.Rows[i].Change(); strings.HasPrefix(text, "NaN") || strings.HasPrefix(text, "+Inf") || strings.HasPrefix(text, "-") || strings.HasPrefix(text, "0 %") {
					t.Errorf("row %d: %q", i, text)
				}
			}
		}
		if r, err := Rank(set); err == nil {
			for i := range r.Tests {
				for _, k := range r.Tests[i].Ranks {
					if k.Low > 0 && !(k.Low <= k.Place && k.Place <= k.High && k.High <= len(r.Tests[i].Ranks)) {
						t.Errorf("rank %d in %d to %d of %d", k.Place, k.Low, k.High, len(r.Tests[i].Ranks))
					}
				}
			}
		}
		if v, err := Verify(files[0], files[1], VerifyOptions{}); err == nil {
			for i := range v.Rows {
				finite(t, v.Rows[i])
			}
		}
		if h, err := Hosts(files[0]); err == nil {
			finite(t, h)
		}
		if h, err := VerifyHosts(files[1], files[0], VerifyOptions{}); err == nil {
			finite(t, h)
		}
		for _, file := range files {
			for _, d := range append(Integrity(file), UnitFindings(file)...) {
				if d.Code == "" || d.Message == "" {
					t.Errorf("finding %+v", d)
				}
			}
			if found := Diff(file, file); len(found) > 0 {
				t.Errorf("a record differs from itself: %+v", found[0])
			}
			// What is converted has a unit that is right.
			once := ConvertUnits(file)
			if text := asJSON(t, once); asJSON(t, ConvertUnits(once)) != text {
				t.Errorf("units are converted twice: %s", text)
			}
		}
		if n, m := len(Diff(files[0], files[1])), len(Diff(files[1], files[0])); n != m {
			t.Errorf("%d differences, the other way round %d", n, m)
		}
		merged := Merge(files)
		n, want := 0, 0
		for i := range merged.File.Tests {
			n += len(merged.File.Tests[i].Measurements)
			for _, m := range merged.File.Tests[i].Measurements {
				if m.System < 0 || m.System >= len(merged.File.Systems) {
					t.Fatalf("merged: system %d of %d", m.System, len(merged.File.Systems))
				}
			}
		}
		for _, file := range files {
			for i := range file.Tests {
				want += len(file.Tests[i].Measurements)
			}
		}
		if n > want {
			t.Errorf("merged: %d measurements of %d", n, want)
		}
		for i, file := range files {
			if asJSON(t, file) != before[i] {
				t.Errorf("record %d was changed", i)
			}
		}
	})
}

func asJSON(t *testing.T, f *result.File) string {
	t.Helper()
	var b strings.Builder
	if err := result.EncodeJSON(&b, []*result.File{f}); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// finite makes sure that no number in v, wherever it is, is infinite or none.
func finite(t *testing.T, v any) {
	t.Helper()
	seen := make(map[uintptr]bool)
	var walk func(v reflect.Value, where string)
	walk = func(v reflect.Value, where string) {
		switch v.Kind() {
		case reflect.Float64:
			if x := v.Float(); math.IsNaN(x) || math.IsInf(x, 0) {
				t.Errorf("%s is %v", where, x)
			}
		case reflect.Struct:
			for i := range v.NumField() {
				walk(v.Field(i), where+"."+v.Type().Field(i).Name)
			}
		case reflect.Slice:
			for i := range v.Len() {
				walk(v.Index(i), where)
			}
		case reflect.Pointer:
			if !v.IsNil() && !seen[v.Pointer()] {
				seen[v.Pointer()] = true
				walk(v.Elem(), where)
			}
		}
	}
	walk(reflect.ValueOf(v), reflect.TypeOf(v).String())
	if _, err := json.Marshal(v); err != nil && strings.Contains(err.Error(), "unsupported value") {
		t.Error(err)
	}
}
