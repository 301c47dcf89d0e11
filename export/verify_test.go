package export

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/jsonschema-go/jsonschema"

	"github.com/benchproof/benchproof/analyze"
	"github.com/benchproof/benchproof/internal/schematest"
	"github.com/benchproof/benchproof/result"
)

// verified is a verification with every kind of row: reproduced by hand-made
// runs, reversed, tied, failed, and with a hostile name.
func verified(t *testing.T) *analyze.Verification {
	t.Helper()
	m := func(system int, value, stdError string, runs ...string) result.Measurement {
		n := 3
		if runs != nil {
			n = 0
		}
		return result.Measurement{System: system, Value: value, StdError: stdError, Samples: n, RawValues: runs}
	}
	test := func(title string, a, b result.Measurement) result.Test {
		return result.Test{Title: title, Scale: "MB/s", Proportion: result.HIB, Measurements: []result.Measurement{a, b}}
	}
	failed := result.Measurement{System: 1, Status: result.StatusFailed, Reason: "no space left"}
	published := &result.File{Source: "p", Title: "Published", Tests: []result.Test{
		test("same", m(0, "200.0", "2.0"), m(1, "100.0", "1.0")),
		test("turned", m(0, "200.0", "2.0"), m(1, "100.0", "1.0")),
		test("tie", m(0, "100.0", "2.0"), m(1, "101.0", "2.0")),
		test("=broken()\x1b[31m", m(0, "200.0", "2.0"), m(1, "100.0", "1.0")),
	}}
	again := &result.File{Source: "r", Tests: []result.Test{
		test("same", m(0, "200", "", "199", "200", "201"), m(1, "100", "", "99", "100", "101")),
		test("turned", m(0, "100", "", "99", "100", "101"), m(1, "200", "", "199", "200", "201")),
		test("tie", m(0, "100", "", "99", "100", "101"), m(1, "200", "", "199", "200", "201")),
		test("=broken()\x1b[31m", m(0, "200", "", "199", "200", "201"), failed),
	}}
	for _, f := range []*result.File{published, again} {
		f.AddSystem("EXT4")
		f.AddSystem("XFS")
	}
	v, err := analyze.Verify(published, again, analyze.VerifyOptions{SameMachine: true})
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func TestVerifyRowsCSV(t *testing.T) {
	v := verified(t)
	var b bytes.Buffer
	if err := WriteRows(&b, "csv", VerifyColumns, VerifyRows(v)); err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(&b).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	const header = "kind,test,version,arguments,scale,proportion,system,system_b,published,replayed,ratio,ratio_low,ratio_high,verdict,reason"
	if got := strings.Join(rows[0], ","); got != header {
		t.Errorf("header %s", got)
	}
	var got []string
	for _, r := range rows[1:] {
		got = append(got, strings.Join([]string{r[0], r[1], r[6], r[7], r[8], r[9], r[10], r[13]}, "|"))
	}
	want := []string{
		"value|same|EXT4||200.0|200|1|reproduced",
		"value|same|XFS||100.0|100|1|reproduced",
		"value|turned|EXT4||200.0|100|0.5|not-reproduced",
		"value|turned|XFS||100.0|200|2|not-reproduced",
		"value|tie|EXT4||100.0|100|1|reproduced",
		"value|tie|XFS||101.0|200|1.9802|not-reproduced",
		"value|'=broken()\\x1b[31m|EXT4||200.0|200|1|reproduced",
		"value|'=broken()\\x1b[31m|XFS||100.0|||not-replayable",
		"pair|same|EXT4|XFS|2|2|1|reproduced",
		"pair|turned|EXT4|XFS|2|0.5|0.25|not-reproduced",
		"pair|tie|XFS|EXT4|1.01|2|1.9802|not-comparable",
		"pair|'=broken()\\x1b[31m|EXT4|XFS||||not-replayable",
		"set|OVERALL||||||not-reproduced",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("rows (-want +got):\n%s", diff)
	}
}

func TestVerifyJSON(t *testing.T) {
	s, resolved := schematest.Must(t, "verify")
	for name, c := range map[string]struct {
		schema *jsonschema.Schema
		typ    reflect.Type
	}{
		"verify":        {s, reflect.TypeFor[verifyDocument]()},
		"verify/row":    {s.Defs["row"], reflect.TypeFor[verifyRow]()},
		"verify/claims": {s.Defs["claims"], reflect.TypeFor[verifyClaims]()},
		"verify/order":  {s.Defs["order"], reflect.TypeFor[verifyOrder]()},
		"verify/values": {s.Defs["values"], reflect.TypeFor[verifyValues]()},
		"verify/system": {s.Defs["system"], reflect.TypeFor[verifySystem]()},
	} {
		schematest.Names(t, name, c.schema, c.typ)
	}
	var b bytes.Buffer
	if err := WriteVerifyJSON(&b, verified(t)); err != nil {
		t.Fatal(err)
	}
	var doc map[string]any
	if err := json.Unmarshal(b.Bytes(), &doc); err != nil {
		t.Fatal(err)
	}
	if err := resolved.Validate(doc); err != nil {
		t.Error(err)
	}
	doc["verdict"] = "fine"
	if resolved.Validate(doc) == nil {
		t.Error("a verdict that is none is valid")
	}
	if bytes.Contains(b.Bytes(), []byte("\x1b")) {
		t.Error("an escape sequence passed")
	}
}

func TestVerifyText(t *testing.T) {
	v := verified(t)
	for _, o := range []TextOptions{{Width: 80}, {Width: 80, ASCII: true}, {Width: 200, Color: true}} {
		var b bytes.Buffer
		if err := WriteVerifyText(&b, v, o); err != nil {
			t.Fatal(err)
		}
		text := b.String()
		if strings.Contains(text, "\x1b[31m\x1b") || strings.Contains(text, "broken()\x1b") {
			t.Error("an escape sequence of the source passed")
		}
		for _, want := range []string{"= reproduced", "! not-reproduced", "The set: not-reproduced", "1 pair not testable: a tie as published", v.Sentence[:20]} {
			if !strings.Contains(text, want) {
				t.Errorf("width %d: no %q in\n%s", o.Width, want, text)
			}
		}
	}
}
