package main

import (
	"encoding/csv"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestCompareForms: a published sample against the same set in another form is
// the same tests and systems, every ratio 1, nothing different, and a value in one where there is one in
// the other.
func TestCompareForms(t *testing.T) {
	const forms = "../../../shared/samples/forms"
	samples := sampleDir(t)
	paths, err := filepath.Glob(filepath.Join(samples, "*.txt"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(forms); err != nil || samples == "" {
		t.Skip("the samples in other forms are not at hand")
	}
	for _, path := range paths {
		name := strings.TrimSuffix(strings.TrimSuffix(filepath.Base(path), ".txt"), ".flat")
		other := filepath.Join(forms, name+".xml")
		if _, err := os.Stat(other); err != nil {
			continue
		}
		t.Run(name, func(t *testing.T) {
			e, stdout, stderr := testEnv(nil)
			if code := run(t.Context(), e, []string{"compare", "a=" + path, "b=" + other, "--baseline", "a", "--format", "csv"}); code != exitOK {
				t.Fatalf("code %d: %s", code, stderr)
			}
			if strings.Contains(stderr.String(), "baseline's file has not") {
				t.Error(stderr)
			}
			rows, err := csv.NewReader(stdout).ReadAll()
			if err != nil {
				t.Fatal(err)
			}
			for _, r := range rows[1:] {
				if r[7] == "" && r[8] == "" {
					continue // failed in both
				}
				if verdict := r[16]; r[9] != "1" || verdict == "better" || verdict == "worse" || verdict == "trivial" {
					t.Errorf("%q", r)
				}
			}
		})
	}
}
