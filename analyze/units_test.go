package analyze

import (
	"strings"
	"testing"

	"github.com/benchproof/benchproof/result"
)

func TestUnits(t *testing.T) {
	for _, c := range []struct {
		name, profile, title, version, scale, value string
		want, to                                    string // "" if nothing is wrong
	}{
		// The factors are 1024² / 10⁶, 1 / 1024 and 1024 / 1000.
		{"fio-2.0.0", "pts/fio-2.0.0", "Flexible IO Tester", "3.29", "MiB/s", "320003.53", "312.503447", "MiB/s"},
		{"fio-2.1.0", "pts/fio-2.1.0", "Flexible IO Tester", "3.29", "MB/s", "841", "881.9", "MB/s"},
		{"small number", "pts/fio-1.11.2", "Flexible IO Tester", "3.1", "MB/s", "9.87", "10.11", "MB/s"},
		{"no profile", "", "Flexible IO Tester", "3.1", "MB/s", "100", "104.9", "MB/s"},
		{"fio 2", "", "Flexible IO Tester", "2.1.11", "MB/s", "997.53", "1021.47", "MB/s"},
		{"compilebench", "pts/compilebench-1.0.3", "Compile Bench", "0.6", "MB/s", "13.63", "14.292", "MB/s"},
		{"IOPS", "pts/fio-2.1.0", "Flexible IO Tester", "3.29", "IOPS", "841", "", ""},
		{"MiB/s of another version", "pts/fio-3.0.0", "Flexible IO Tester", "3.40", "MiB/s", "841", "", ""},
		{"dbench", "pts/dbench-1.0.2", "Dbench", "4.0", "MB/s", "841", "", ""},
		{"another profile of that title", "local/fio2-1.0.0", "Flexible IO Tester", "3", "MB/s", "1", "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := fileOf("a", "X|A|"+c.value)
			test := &f.Tests[0]
			test.Profile, test.Title, test.Version, test.Scale = c.profile, c.title, c.version, c.scale
			test.Measurements[0].RawValues = []string{c.value}
			out := ConvertUnits(f)
			if c.want == "" {
				if out != f || len(UnitFindings(f)) > 0 {
					t.Error("a unit that is not known to be wrong was changed")
				}
				return
			}
			m := out.Tests[0].Measurements[0]
			if m.Value != c.want || m.RawValues[0] != c.want || out.Tests[0].Scale != c.to {
				t.Errorf("got %s (%s) %s, want %s %s", m.Value, m.RawValues[0], out.Tests[0].Scale, c.want, c.to)
			}
			if m.Decode != result.DecodeInferred || len(m.Notes) != 1 || !strings.Contains(m.Notes[0], "printed as "+c.value+" "+c.scale) {
				t.Errorf("%+v", m)
			}
			if p := f.Tests[0].Measurements[0]; p.Value != c.value || p.RawValues[0] != c.value || p.Decode != result.DecodeExact || f.Tests[0].Scale != c.scale {
				t.Error("the record itself was changed")
			}
			if d := UnitFindings(f); len(d) != 1 || d[0].Code != "unit-known-wrong" {
				t.Errorf("findings %v", d)
			}
		})
	}
}

// TestConvertedOnce: values that were converted are not converted again, and
// what the published details say of them is converted with them.
func TestConvertedOnce(t *testing.T) {
	f := fileOf("a", "X|A|100")
	test := &f.Tests[0]
	test.Profile, test.Scale, test.Annotation = "pts/fio-2.1.0", "MB/s", "by hand"
	m := &test.Measurements[0]
	m.Min, m.Max = "90", "110.5"
	m.Details = []byte(`{"min-result": "90","note":"\"max-result\":1","max-result" : 110.5,"test-run-times":"1:2"}`)
	once := ConvertUnits(f)
	got := once.Tests[0]
	// 100, 90 and 110.5 times 1.048576.
	if c := got.Measurements[0]; c.Value != "104.9" || c.Min != "94.4" || c.Max != "115.87" ||
		string(c.Details) != `{"min-result": "94.4","note":"\"max-result\":1","max-result" : 115.87,"test-run-times":"1:2"}` {
		t.Errorf("%+v, details %s", c, c.Details)
	}
	if got.Annotation != "by hand; benchproof converted the values to MB/s: fio prints MiB/s, or KiB/s below 10 MiB/s, which the profile divides by 1000" {
		t.Errorf("annotation %q", got.Annotation)
	}
	if string(m.Details) == string(got.Measurements[0].Details) || test.Annotation != "by hand" {
		t.Error("the record itself was changed")
	}
	if ConvertUnits(once) != once {
		t.Error("converted again")
	}
	if d := UnitFindings(once); len(d) > 0 {
		t.Errorf("findings %v", d)
	}
}
