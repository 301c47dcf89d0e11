package xml

import (
	"fmt"
	"strings"
	"testing"

	"github.com/benchproof/benchproof/result"
)

// cells writes the measurements of a file, one a word: system=value, where
// the system's name is the one that is printed, and the value is "!" and the
// reason for a failed one. Tests are divided by "|".
func cells(f *result.File) string {
	names := f.SystemNames()
	var b strings.Builder
	for i := range f.Tests {
		if i > 0 {
			b.WriteString(" |")
		}
		for j := range f.Tests[i].Measurements {
			m := &f.Tests[i].Measurements[j]
			if b.Len() > 0 {
				b.WriteByte(' ')
			}
			b.WriteString(names[m.System] + "=" + m.Value)
			if m.Status == result.StatusFailed {
				b.WriteString("!" + m.Reason)
			}
			switch m.Decode {
			case result.DecodeInferred:
				b.WriteByte('~')
			case result.DecodeAmbiguous:
				fmt.Fprintf(&b, "?%q", m.Alternatives)
			}
		}
	}
	return b.String()
}

// codes lists the diagnostics as severity/code.
func codes(f *result.File) string {
	var list []string
	for _, d := range f.Diagnostics {
		list = append(list, string(d.Severity)+"/"+d.Code)
	}
	return strings.Join(list, " ")
}

// Each made file of the corpus shows a place where PTS's own exporters lose
// or change a value. The record must have what the file says.
func TestWhereExportersAreWrong(t *testing.T) {
	for _, test := range []struct {
		slug, fault string
		cells       string
		codes       string
		more        func(f *result.File) string // "" if right
	}{
		{slug: "d01-title-comma", fault: "CSV cuts the title at commas", cells: "A=1.5", more: func(f *result.File) string {
			return differ(f.Title, "EXT4, XFS, Btrfs")
		}},
		{slug: "d02-identifier-quote", fault: "CSV does not double quotes", cells: `SSD 2.5" A=1.5 B=2.5`},
		{slug: "d03-desc-quote", fault: "CSV does not double quotes in descriptions", cells: "A=1.5 B=2.5", more: func(f *result.File) string {
			return differ(f.Tests[0].Arguments, `Query: "SELECT 1", cached`)
		}},
		{slug: "d04-hw-comma-colon", fault: "hardware is cut at commas and colons", cells: "A=1.5 B=2.5", more: func(f *result.File) string {
			return differ(fmt.Sprint(f.Systems[0].Hardware), "[Processor: CPU A (Total Cores: 2) Disk: 2 x 480GB SSD, RAID0 Memory: 8GB]")
		}},
		{slug: "d05-zero-value", fault: "JSON drops a value of 0", cells: "A=0 B=2.5", more: func(f *result.File) string {
			return differ(f.Tests[0].Measurements[0].StdError, "0")
		}},
		{slug: "d06-duplicate-entry", fault: "CSV keeps the first and JSON the last of two equal identifiers", cells: "A=1.5 A #2=9.9", codes: "warning/duplicate-entry", more: func(f *result.File) string {
			return differ(fmt.Sprint(f.Systems[1].Hardware), fmt.Sprint(f.Systems[0].Hardware))
		}},
		{slug: "d07-two-results-same-hash", fault: "profiles that differ in the last version place are merged", cells: "A=1.5 | B=2.5", more: func(f *result.File) string {
			return differ(f.Tests[0].Profile+" "+f.Tests[1].Profile, "pts/sqlite-2.2.0 pts/sqlite-2.2.1")
		}},
		{slug: "d08-line-graph", fault: "CSV makes one mean of a line graph", cells: "A=50.123,60.456,70.789,0.001 B=1,2,3,4", more: func(f *result.File) string {
			return differ(f.Tests[0].DisplayFormat+f.Tests[0].Measurements[0].StdError, "LINE_GRAPH")
		}},
		{slug: "d09-precision", fault: "text rounds to two decimals", cells: "A=123456.78901 B=654321.12345"},
		{slug: "d10-small-values", fault: "text rounds small values", cells: "A=0.0000123 B=1.5e-05", more: func(f *result.File) string {
			return differ(f.Tests[0].Measurements[1].StdError, "0.000001")
		}},
		{slug: "d11-html-escape", fault: "tags are stripped from a system's name but not from its entry's", cells: "A<b>&amp; C=1.5 B=2.5", more: func(f *result.File) string {
			return differ(f.Title+"|"+f.Tests[0].Title, "R <b>bold</b> a < b|T <script>alert(1)</script> & more")
		}},
		{slug: "d12-numeric-ids-loose-equal", fault: "CSV takes 5.1 and 5.10 for the same system", cells: "5.1=100 5.10=200"},
		{slug: "d13-ids-0-1-2", fault: "JSON makes a list of systems named 0, 1, 2", cells: "0=10 1=20 2=30"},
		{slug: "d14-unicode", fault: "text misaligns names beyond ASCII", cells: "Büro-PC – Ångström 測試=1.5 Сервер №2=2.5"},
		{slug: "d15-raw-equals-value", fault: "runs that equal the value are thrown away", cells: "A=5 B=5.00", more: func(f *result.File) string {
			a, b := &f.Tests[0].Measurements[0], &f.Tests[0].Measurements[1]
			return differ(fmt.Sprint(a.RawValues, a.Samples, b.RawValues, b.Samples, a.StdError, b.StdError), "[5] 1 [5] 1")
		}},
		{slug: "d16-orphan-entry", fault: "CSV drops an entry without a System", cells: "A=1.5 Ghost=2.5", codes: "info/system-missing"},
		{slug: "d17-all-error", fault: "HTML leaves out a result that failed, all but JSON the reason", cells: `A=!The test quit with a non-zero exit status. E: fio: No space left, "disk full" | A=2.5`, more: func(f *result.File) string {
			return differ(strings.Join(f.Tests[0].Measurements[0].RunTimes, " "), "1.0 1.1")
		}},
		{slug: "d18-nonnumeric-formats", fault: "pass and fail become 0 in CSV", cells: "A=PASS B=FAIL | A=PASS,FAIL,PASS B=PASS,PASS,PASS | A=iVBORw0KGgo= B=iVBORw0KGgp="},
		{slug: "d19-nan-inf", fault: "NaN and inf end the HTML export", cells: "A=NaN B=inf"},
		{slug: "d20-int-precision-big", fault: "JSON rounds large whole numbers", cells: "A=9007199254740993 B=1234567890123456789", more: func(f *result.File) string {
			return differ(f.Tests[0].Measurements[0].StdError, "1")
		}},
		{slug: "d21-newline-in-text", fault: "CSV writes newlines raw", cells: "A=1.5", more: func(f *result.File) string {
			return differ(f.Title+"|"+f.Tests[0].Arguments, "two\nlines|line1\nline2")
		}},
		{slug: "d22-empty-results", fault: "JSON makes a list of no results", cells: ""},
		{slug: "d23-annotation", fault: "only JSON has annotations and limits", cells: "A=1.5", more: func(f *result.File) string {
			m := &f.Tests[0].Measurements[0]
			return differ(f.Tests[0].Annotation+"|"+m.Min+"|"+m.Max, "Note: run on battery|1.4|1.6")
		}},
		{slug: "d24-same-id-two-systems", fault: "CSV prints the second system's hardware for both", cells: "A=1.5~", codes: "warning/duplicate-system", more: func(f *result.File) string {
			return differ(f.Systems[0].Hardware[0].Value+"|"+f.Systems[1].Hardware[0].Value, "CPU A @ 1.00GHz (4 Cores)|OTHER CPU")
		}},
		{slug: "d25-truncated", fault: "an empty export is written of a truncated file", cells: "", codes: "error/truncated", more: func(f *result.File) string {
			return differ(f.Title+"|"+strings.Join(f.SystemNames(), ","), `t|SSD 2.5" A,B`)
		}},
		{slug: "d26-csv-formula", fault: "CSV writes formulas as they are", cells: "=1+1=1.5 B=2.5"},
		{slug: "d27-result-split-per-system", fault: "the later of two results with one hash replaces the earlier", cells: "A=1.5 | B=2.5"},
		{slug: "d28-multi-pass-fail", fault: "a list of passes becomes 0, and text export fails", cells: "A=PASS,FAIL,PASS B=PASS,PASS,PASS"},
		{slug: "d29-partial-error", fault: "the reason is lost and the cell is blank", cells: "A=!The test quit with a non-zero exit status. E: disk full B=2.5"},
		{slug: "d30-unknown-profile", fault: "JSON leaves out an unknown profile's name", cells: "A=1.5", more: func(f *result.File) string {
			return differ(f.Tests[0].Profile, "local/mytest-1.0.0")
		}},
		{slug: "d31-two-unknown-profiles-collide", fault: "two unknown profiles are taken for one", cells: "A=1.5 | A=99"},
		{slug: "d32-retry-after-error", fault: "a retry and the failure before it are one cell", cells: "A=!first try failed A #2=2.5", codes: "warning/duplicate-entry"},
	} {
		t.Run(test.slug+": "+test.fault, func(t *testing.T) {
			f := readFile(t, sharedFiles(t, "corpus/defects/"+test.slug+"/composite.xml")[0])
			if got := cells(f); got != test.cells {
				t.Errorf("cells\n got %s\nwant %s", got, test.cells)
			}
			if got := codes(f); got != test.codes {
				t.Errorf("diagnostics %q, want %q", got, test.codes)
			}
			if test.more != nil {
				if wrong := test.more(f); wrong != "" {
					t.Error(wrong)
				}
			}
		})
	}
}

// differ says how two texts differ, "" if they do not.
func differ(got, want string) string {
	if got == want {
		return ""
	}
	return fmt.Sprintf("got  %q\nwant %q", got, want)
}

// Real files that PTS's exporters lose values of.
func TestRealFiles(t *testing.T) {
	for _, test := range []struct {
		slug  string
		check func(f *result.File) string
	}{
		{"gen-monitor-linegraph", func(f *result.File) string {
			return differ(fmt.Sprint(f.Tests[2].Parent, " ", len(strings.Split(f.Tests[2].Measurements[0].Value, ","))),
				"574605b3c1e5c7738ce985e400a9f87823af489d 111")
		}},
		{"ub-z3-local-8err", func(f *result.File) string {
			// Four systems are described, four others have the entries.
			return differ(fmt.Sprint(len(f.Systems), len(f.Diagnostics))+codes(f)[:19], "8 4info/system-missing")
		}},
		{"ub-kernel-build-allerr", func(f *result.File) string {
			for i := range f.Tests {
				for j := range f.Tests[i].Measurements {
					if m := &f.Tests[i].Measurements[j]; m.Status != result.StatusFailed || m.Reason == "" || m.Value != "" {
						return fmt.Sprintf("%+v", m)
					}
				}
			}
			return ""
		}},
		{"pts01-newtest", func(f *result.File) string {
			return differ(fmt.Sprint(f.Title, f.Systems[0].Hardware[0], f.Systems[0].ClientVersion, f.LastModified, cells(f)),
				"New TestProcessor: Intel Core2 Duo CPU     T9300  @ 2.50GHz (Total Cores: 2)0.1.02008-04-02 14:57:35Test 1=8.90")
		}},
		{"usap-cpu-active-empty", func(f *result.File) string {
			return differ(fmt.Sprint(len(f.Tests), len(f.Systems)), "0 1")
		}},
	} {
		t.Run(test.slug, func(t *testing.T) {
			if wrong := test.check(readFile(t, sharedFiles(t, "corpus/real/"+test.slug+"/composite.xml")[0])); wrong != "" {
				t.Error(wrong)
			}
		})
	}
}
