package parse

import (
	"fmt"
	"math/big"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/benchproof/benchproof/parse/internal/oracle"
	"github.com/benchproof/benchproof/result"
)

// corpusPairs calls test for each directory of the corpus that has both a
// composite.xml of the present schema and the named export of it.
func corpusPairs(t *testing.T, export string, test func(t *testing.T, slug string, want *result.File, path string)) {
	t.Helper()
	n := 0
	for _, kind := range []string{"real", "defects"} {
		for _, dir := range oracle.Glob(t, "corpus", kind, "*") {
			slug := filepath.Base(dir)
			data, err := os.ReadFile(filepath.Join(dir, "composite.xml"))
			if err != nil {
				continue
			}
			path := filepath.Join(dir, export)
			if _, err := os.Stat(path); err != nil {
				continue
			}
			want, err := oracle.ReadXML(data)
			if err != nil || strings.Contains(string(data), "<Benchmark>") {
				continue // broken, or of the first schema: the exporter lost it
			}
			n++
			t.Run(slug, func(t *testing.T) { test(t, slug, want, path) })
		}
	}
	if n < 20 {
		t.Errorf("only %d pairs of composite.xml and %s", n, export)
	}
}

// cellKey is what ties a measurement of an export to one of the XML.
type cellKey struct{ test, system string }

// against compares the measurements of an export with those of its XML. An
// exact one must be, as same says, one of those of its test and system. It
// returns the wanted measurements, with failed also the failed ones, that the
// export has none for.
func against(t *testing.T, got, want *result.File, failed bool, key func(*result.Test) string, same func(got, want *result.Measurement) error) (missing []string) {
	t.Helper()
	wanted := make(map[cellKey][]*result.Measurement)
	var order []cellKey
	for i := range want.Tests {
		test := &want.Tests[i]
		for j := range test.Measurements {
			m := &test.Measurements[j]
			k := cellKey{key(test), want.Systems[m.System].Identifier}
			if wanted[k] == nil {
				order = append(order, k)
			}
			wanted[k] = append(wanted[k], m)
		}
	}
	met := make(map[cellKey]int)
	for i := range got.Tests {
		test := &got.Tests[i]
		for j := range test.Measurements {
			m := &test.Measurements[j]
			k := cellKey{key(test), got.Systems[m.System].Identifier}
			met[k]++
			if m.Decode != result.DecodeExact {
				continue
			}
			var err error
			for _, w := range wanted[k] {
				if err = same(m, w); err == nil {
					break
				}
			}
			if err != nil {
				t.Errorf("%v: %v", k, err)
			}
			if len(wanted[k]) == 0 {
				t.Errorf("%v: the XML has no such entry, got %q", k, m.Value)
			}
		}
	}
	for _, k := range order {
		for _, w := range wanted[k][min(met[k], len(wanted[k])):] {
			if w.Value == "" && !failed {
				continue
			}
			missing = append(missing, fmt.Sprintf("%v %q", k, w.Value))
		}
	}
	return missing
}

// equalNumbers reports whether two printed texts are the same, or the same
// number to the last digit.
func equalNumbers(a, b string) bool {
	if a == b {
		return true
	}
	x, ok := new(big.Rat).SetString(a)
	y, ok2 := new(big.Rat).SetString(b)
	return ok && ok2 && x.Cmp(y) == 0
}

func readOne(t *testing.T, path string) *result.File {
	t.Helper()
	files, err := ReadFile(path, Options{})
	if err != nil || len(files) != 1 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	return files[0]
}

// lostInJSON are the directories whose JSON export lacks values of the XML: of
// two results of one hash, and of two entries of one name, the exporter keeps
// one.
var lostInJSON = map[string]int{
	"d06-duplicate-entry": 1, "d27-result-split-per-system": 1,
	"d31-two-unknown-profiles-collide": 1, "d32-retry-after-error": 1,
}

func TestCorpusJSON(t *testing.T) {
	values := 0
	corpusPairs(t, "pts.json", func(t *testing.T, slug string, want *result.File, path string) {
		got := readOne(t, path)
		if got.Format != result.FormatJSON {
			t.Fatalf("format %q", got.Format)
		}
		key := func(test *result.Test) string {
			return strings.Join([]string{test.Title, test.Version, test.CommandArguments, test.Arguments, test.Scale, string(test.Proportion)}, "|")
		}
		missing := against(t, got, want, true, key, func(got, want *result.Measurement) error {
			switch {
			case got.Status != want.Status:
				return fmt.Errorf("status %s, want %s", got.Status, want.Status)
			case !equalNumbers(got.Value, want.Value):
				return fmt.Errorf("value %q, want %q", got.Value, want.Value)
			case want.Reason != "" && got.Reason != want.Reason:
				return fmt.Errorf("reason %q, want %q", got.Reason, want.Reason)
			case len(got.RawValues) > 0 && len(got.RawValues) != len(want.RawValues):
				return fmt.Errorf("%d runs, want %d", len(got.RawValues), len(want.RawValues))
			case len(got.RunTimes) > 0 && len(got.RunTimes) != len(want.RunTimes):
				return fmt.Errorf("%d run times, want %d", len(got.RunTimes), len(want.RunTimes))
			}
			for i := range got.RawValues {
				if !equalNumbers(got.RawValues[i], want.RawValues[i]) {
					return fmt.Errorf("run %d: %q, want %q", i+1, got.RawValues[i], want.RawValues[i])
				}
			}
			values++
			return nil
		})
		for _, s := range got.Systems {
			if i := want.SystemIndex(s.Identifier); i >= 0 && len(want.Systems) == len(got.Systems) {
				cutComponents(t, &s, &want.Systems[i], true)
			}
		}
		if len(missing) != lostInJSON[slug] {
			t.Errorf("%d values are missing, want %d: %v", len(missing), lostInJSON[slug], missing[:min(len(missing), 5)])
		}
	})
	if values < 1200 {
		t.Errorf("only %d values compared", values)
	}
}

// cutComponents checks components against those of the XML. The exporters
// cut values at commas and colons, so one got may be the begin of its own.
func cutComponents(t *testing.T, got, want *result.System, ordered bool) {
	t.Helper()
	all := append(want.Hardware[:len(want.Hardware):len(want.Hardware)], want.Software...)
	last := -1
	for _, c := range append(got.Hardware[:len(got.Hardware):len(got.Hardware)], got.Software...) {
		at := -1
		for i := last + 1; i < len(all); i++ {
			if all[i].Key == c.Key && strings.HasPrefix(all[i].Value, c.Value) {
				at = i
				break
			}
		}
		if at < 0 {
			t.Errorf("%q: %q: %q is not in the XML, or not in its order", got.Identifier, c.Key, c.Value)
			continue
		}
		if ordered {
			last = at
		}
	}
}

// csvKey is what a CSV export says of a test: its label, without the unit,
// which it shortens, and without the version.
func csvKey(test *result.Test) string {
	return strings.Join(strings.Fields(strings.Join([]string{test.Title, test.Arguments, string(test.Proportion)}, " - ")), " ")
}

// lostInCSV are the directories whose CSV export lacks values of the XML: those
// of entries without a system of their name, of second entries of one name,
// and of results that the exporter took for another.
var lostInCSV = map[string]int{
	"d06-duplicate-entry": 1, "d11-html-escape": 1, "d16-orphan-entry": 1, "d27-result-split-per-system": 1,
	"d31-two-unknown-profiles-collide": 1, "d32-retry-after-error": 1,
}

func TestCorpusCSV(t *testing.T) {
	values := 0
	corpusPairs(t, "pts.csv", func(t *testing.T, slug string, want *result.File, path string) {
		got := readOne(t, path)
		if got.Format != result.FormatCSV {
			t.Fatalf("format %q", got.Format)
		}
		missing := against(t, got, want, false, csvKey, func(got, want *result.Measurement) error {
			if !equalNumbers(got.Value, want.Value) {
				return fmt.Errorf("value %q, want %q", got.Value, want.Value)
			}
			values++
			return nil
		})
		if len(missing) != lostInCSV[slug] {
			t.Errorf("%d values are missing, want %d: %v", len(missing), lostInCSV[slug], missing[:min(len(missing), 5)])
		}
		for _, s := range got.Systems {
			if i := want.SystemIndex(s.Identifier); i >= 0 && len(want.Systems) == len(got.Systems) {
				cutComponents(t, &s, &want.Systems[i], false)
			}
		}
	})
	if values < 1100 {
		t.Errorf("only %d values compared", values)
	}
}

// rawKey is what the raw CSV says of a test: all but the unit and the command.
func rawKey(test *result.Test) string {
	title := strings.TrimSpace(test.Title + " " + test.Version)
	return strings.Join(strings.Fields(strings.Join([]string{title, test.Arguments, string(test.Proportion)}, " - ")), " ")
}

func TestCorpusRawCSV(t *testing.T) {
	runs := 0
	corpusPairs(t, "pts.raw.csv", func(t *testing.T, slug string, want *result.File, path string) {
		if strings.HasPrefix(slug, "d22") || slug == "usap-cpu-active-empty" {
			t.Skip("an export without any row is no form that can be known")
		}
		got := readOne(t, path)
		if got.Format != result.FormatRawCSV {
			t.Fatalf("format %q", got.Format)
		}
		// All values are inferred, so take them for exact to have them
		// compared.
		for i := range got.Tests {
			for j := range got.Tests[i].Measurements {
				got.Tests[i].Measurements[j].Decode = result.DecodeExact
			}
		}
		against(t, got, want, false, rawKey, func(got, want *result.Measurement) error {
			if fmt.Sprint(got.RawValues) != fmt.Sprint(want.RawValues) {
				return fmt.Errorf("runs %q, want %q", got.RawValues, want.RawValues)
			}
			runs += len(got.RawValues)
			return nil
		})
	})
	if runs < 3000 {
		t.Errorf("only %d runs compared", runs)
	}
}

// The capture of a run and the JSON export of its results were made by the
// suite on different ways: they must tell the same.
func TestCorpusCapture(t *testing.T) {
	want := readOne(t, oracle.Shared(t, "corpus", "real", "json-alma-epyc", "result.json"))
	got := readOne(t, oracle.Shared(t, "corpus", "real", "log-alma-epyc", "console.log"))
	key := func(test *result.Test) string {
		version := test.Version
		if strings.HasPrefix(test.Profile, "system/") {
			version = "" // found out after the run has printed its head
		}
		return strings.Join([]string{test.Title, version, test.Arguments, test.Scale, test.Profile}, "|")
	}
	// The name of the system stands only in the JSON.
	got.Systems[0].Identifier = want.Systems[0].Identifier
	values := 0
	for i := range got.Tests {
		for j := range got.Tests[i].Measurements {
			// Of failed tests neither the unit nor all arguments are known.
			if m := &got.Tests[i].Measurements[j]; m.Status == result.StatusOK {
				m.Decode = result.DecodeExact
			}
		}
	}
	missing := against(t, got, want, false, key, func(got, want *result.Measurement) error {
		if !equalNumbers(got.Value, want.Value) {
			return fmt.Errorf("value %q, want %q", got.Value, want.Value)
		}
		values++
		return nil
	})
	if len(missing) > 0 {
		t.Errorf("%d missing: %v", len(missing), missing[:min(5, len(missing))])
	}
	if values != 1041 || len(got.Tests) != len(want.Tests) {
		t.Errorf("%d values are equal and %d tests, want 1041 and %d", values, len(got.Tests), len(want.Tests))
	}
}
