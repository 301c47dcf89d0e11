package main

import (
	"encoding/csv"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// truthDir holds the verified content of the published samples.
const truthDir = "../../../shared/samples/truth"

// sampleTruth is what of that content the long table shows.
type sampleTruth struct {
	Tests []struct {
		Title       string `json:"title"`
		Version     string `json:"app_version"`
		Description string `json:"description"`
		Scale       string `json:"scale"`
		Proportion  string `json:"proportion"`
		Results     []struct {
			System   string `json:"system"`
			Value    string `json:"value_str"`
			StdError string `json:"stderr_str"`
		} `json:"results"`
	} `json:"tests"`
}

// TestSamplesAgainstTruth: what convert prints for the published samples is
// what was read from them by hand: every value, of its test, system and
// direction, and nothing else.
func TestSamplesAgainstTruth(t *testing.T) {
	samples := sampleDir(t)
	paths, err := filepath.Glob(filepath.Join(truthDir, "*.json"))
	if err != nil {
		t.Fatal(err)
	}
	if samples == "" || len(paths) == 0 {
		t.Skip("the samples' verified content is not at hand")
	}
	for _, path := range paths {
		name := strings.TrimSuffix(filepath.Base(path), ".json")
		t.Run(name, func(t *testing.T) {
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			var truth sampleTruth
			if err := json.Unmarshal(text, &truth); err != nil {
				t.Fatal(err)
			}
			e, stdout, stderr := testEnv(nil)
			if code := run(t.Context(), e, []string{"convert", filepath.Join(samples, name+".txt")}); code != exitOK {
				t.Fatalf("code %d: %s", code, stderr)
			}
			records, err := csv.NewReader(stdout).ReadAll()
			if err != nil {
				t.Fatal(err)
			}
			want, got := map[string]string{}, map[string]string{}
			for _, test := range truth.Tests {
				for _, r := range test.Results {
					key := strings.Join([]string{test.Title, test.Version, test.Description, test.Scale, test.Proportion, r.System}, " | ")
					want[key] += r.Value + " ±" + r.StdError + "; "
				}
			}
			for _, r := range records[1:] {
				key := strings.Join([]string{r[2], r[3], r[5], r[6], r[7], r[8]}, " | ")
				got[key] += r[9] + " ±" + r[10] + "; "
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("(-truth +convert):\n%s", diff)
			}
		})
	}
}
