package result

import (
	"fmt"
	"strings"
	"testing"
)

func TestDecodeSettles(t *testing.T) {
	tests := []struct{ measurement, want string }{
		{`"value":"5"`, `5 [] ok exact "" 0`},
		{`"value":"5","decode":"inferred"`, `5 [] ok inferred "" 0`},
		{`"value":"","decode":"ambiguous"`, ` [] ok ambiguous "" 0`},
		{`"value":"","decode":"ambiguous","alternatives":["5","6"]`, ` [5 6] ok ambiguous "" 0`},
		{`"value":"","status":"failed","reason":"x"`, ` [] failed exact "x" 0`},
		{`"value":"5","decode":"ambiguous"`, ` [5] ok ambiguous "" 1`},
		{`"value":"5","decode":"ambiguous","alternatives":["6","5"]`, ` [6 5] ok ambiguous "" 1`},
		{`"value":"5","status":"failed","reason":"x"`, ` [5] ok ambiguous "x" 1`},
		{`"value":""`, ` [] failed exact "the record has no value" 1`},
		{`"value":"","decode":"inferred","reason":"x"`, ` [] failed inferred "x" 1`},
	}
	for _, test := range tests {
		doc := `{"schema":"benchproof/result/1","files":[{"systems":[{"identifier":"A"}],"tests":[{"title":"T","measurements":[{"system_index":0,` +
			test.measurement + `,"origin":{"line":3,"column":4,"offset":5}}]}]}]}`
		f, err := NewDecoder(strings.NewReader(doc)).Next()
		if err != nil {
			t.Fatalf("%s: %v", test.measurement, err)
		}
		m := f.Tests[0].Measurements[0]
		if got := fmt.Sprintf("%s %v %s %s %q %d", m.Value, m.Alternatives, m.Status, m.Decode, m.Reason, len(f.Diagnostics)); got != test.want {
			t.Errorf("%s: got %s, want %s", test.measurement, got, test.want)
		}
		for _, d := range f.Diagnostics {
			want := SeverityError // a value is withheld
			if m.Status == StatusFailed {
				want = SeverityWarning // there is none
			}
			if d.Severity != want || d.Origin != m.Origin {
				t.Errorf("%s: diagnostic %v", test.measurement, d)
			}
		}
	}
}
