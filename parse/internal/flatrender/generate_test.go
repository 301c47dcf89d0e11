package flatrender

import (
	"slices"
	"strings"
	"testing"

	"github.com/benchproof/benchproof/result"
)

// TestGenerate: every kind makes pages, the same from the same seed, and what
// makes it that kind is in its files.
func TestGenerate(t *testing.T) {
	has := map[Kind]func(c *Case, page string) bool{
		"plain": func(c *Case, _ string) bool { return len(c.File.Systems) > 1 && len(c.File.Tests) > 4 },
		"wide":  func(c *Case, _ string) bool { return len(c.File.Systems) > 8 },
		"long":  func(c *Case, _ string) bool { return len(c.File.Tests) > 30 },
		"integer": func(c *Case, _ string) bool {
			return !anyValue(c, func(m *result.Measurement) bool { return decimals(m.Value) > 0 })
		},
		"decimals": func(c *Case, _ string) bool {
			return anyValue(c, func(m *result.Measurement) bool { return decimals(m.Value) > 2 })
		},
		"spread":       func(c *Case, _ string) bool { return true },
		"missing":      func(c *Case, _ string) bool { return gaps(c) > 0 },
		"multi":        func(c *Case, _ string) bool { return isMulti(names(c.File)) },
		"multi-sparse": func(c *Case, _ string) bool { return isMulti(names(c.File)) && gaps(c) > 0 },
		"multi-holes":  func(c *Case, _ string) bool { return isMulti(names(c.File)) },
		"tracker":      func(_ *Case, page string) bool { return strings.Contains(page, "MinAvgMax") },
		"monitor":      func(_ *Case, page string) bool { return strings.Contains(page, "MinAvgMax") },
		"single":       func(c *Case, _ string) bool { return len(c.File.Systems) == 1 },
		"short": func(c *Case, page string) bool {
			return len(c.File.Tests) < 4 && strings.Count(page, "OpenBenchmarking.org\n") < 2
		},
		"no-profile": func(c *Case, _ string) bool {
			return slices.ContainsFunc(c.File.Tests, func(t result.Test) bool { return t.Profile == "" })
		},
		"pairs": func(c *Case, _ string) bool { return pairs(c) > 0 },
		"single-run": func(c *Case, _ string) bool {
			return anyValue(c, func(m *result.Measurement) bool { return len(m.RawValues) == 1 })
		},
		"many-runs": func(c *Case, _ string) bool {
			return anyValue(c, func(m *result.Measurement) bool { return len(m.RawValues) > 60 })
		},
		"equal":      func(c *Case, _ string) bool { return true },
		"hard-names": func(c *Case, _ string) bool { return true },
		"notes":      func(_ *Case, page string) bool { return strings.Contains(page, "MIN: ") },
		"local":      func(_ *Case, page string) bool { return !strings.Contains(page, "OpenBenchmarking.org") },
		"zero": func(c *Case, _ string) bool {
			return anyValue(c, func(m *result.Measurement) bool { return m.Value == "0" })
		},
		"huge": func(c *Case, _ string) bool {
			return anyValue(c, func(m *result.Measurement) bool { v, _ := numeric(m.Value); return v > 1e7 })
		},
		"tiny": func(c *Case, _ string) bool {
			return anyValue(c, func(m *result.Measurement) bool { v, _ := numeric(m.Value); return v > 0 && v < 2e-4 })
		},
		"failed-names": func(c *Case, _ string) bool {
			return anyValue(c, func(m *result.Measurement) bool { return m.Status == result.StatusFailed })
		},
		"loose-names": func(c *Case, _ string) bool { n := names(c.File); return in(n[1:], n[0]) || len(n) > 2 },
		"mixed-order": func(c *Case, _ string) bool { return true },
		"watermark":   func(_ *Case, page string) bool { return strings.Contains(page, "Phoronix Test Suite v5") },
		"odd-names":   func(c *Case, _ string) bool { return true },
		"unicode":     func(c *Case, _ string) bool { return true },
	}
	for _, k := range Kinds {
		t.Run(string(k), func(t *testing.T) {
			check, ok := has[k]
			if !ok {
				t.Fatal("no check")
			}
			held := 0
			for seed := range uint64(10) {
				c := Generate(k, seed)
				page, err := Page(c.File, c.Options)
				if err != nil {
					t.Fatal(err)
				}
				again, err := Page(Generate(k, seed).File, c.Options)
				if err != nil || again != page {
					t.Fatalf("seed %d makes two pages, error %v", seed, err)
				}
				if check(c, page) {
					held++
				}
				if n := c.File.SystemNames(); slices.ContainsFunc(n, func(s string) bool { return strings.TrimSpace(s) != s || s == "" }) {
					t.Errorf("seed %d: names %q", seed, n)
				}
			}
			// Chance makes a few files without what the kind is for.
			if held < 6 {
				t.Errorf("%d of 10 files are of the kind", held)
			}
		})
	}
}

func anyValue(c *Case, is func(*result.Measurement) bool) bool {
	for i := range c.File.Tests {
		for k := range c.File.Tests[i].Measurements {
			if is(&c.File.Tests[i].Measurements[k]) {
				return true
			}
		}
	}
	return false
}

// gaps counts the values that systems lack.
func gaps(c *Case) int {
	n := 0
	for i := range c.File.Tests {
		n += len(c.File.Systems)
		for k := range c.File.Tests[i].Measurements {
			if c.File.Tests[i].Measurements[k].Value != "" {
				n--
			}
		}
	}
	return n
}

// pairs counts the tests that have a title and arguments with one before.
func pairs(c *Case) int {
	n := 0
	seen := make(map[string]bool)
	for i := range c.File.Tests {
		if key := c.File.Tests[i].Title + "\n" + c.File.Tests[i].Arguments; seen[key] {
			n++
		} else {
			seen[key] = true
		}
	}
	return n
}

// TestOldClient: an older client names failed entries in its graphs.
func TestOldClient(t *testing.T) {
	f := &result.File{Title: "T"}
	for _, n := range []string{"A", "B"} {
		f.AddSystem(n)
	}
	f.Tests = []result.Test{{
		Title: "X", Scale: "MB/s", Proportion: result.HIB, Profile: "pts/x-1.0.0", DisplayFormat: "BAR_GRAPH",
		Measurements: []result.Measurement{{System: 0, Value: "7"}, {System: 1, Status: result.StatusFailed}},
	}}
	const before = "T\n\nTABOpenBenchmarking.org\n\nX\n\nOpenBenchmarking.orgMB/s, More Is BetterX"
	for failed, want := range map[bool]string{
		false: before + "A" + "246810" + "7",
		true:  before + "AB" + "246810" + "7",
	} {
		got, err := Page(f, Options{NoOverview: true, FailedNames: failed})
		if err != nil {
			t.Fatal(err)
		}
		if got != want {
			t.Errorf("failed names %v: got %q, want %q", failed, got, want)
		}
	}
}
