package flat

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/benchproof/benchproof/parse/internal/source"
	"github.com/benchproof/benchproof/result"
)

// tinyPage is a small page that holds every part.
const tinyPage = `Tiny

One page.

HTML result view exported from: https://openbenchmarking.org/result/1901010-AA-TINY.

TinyProcessorMemoryDiskOSKernelFile-SystemSSDHDDIntel Core i5-4690K @ 3.90GHz (4 Cores)16GB250GB Crucial_CT250MX2Ubuntu 18.044.15.0-58-generic (x86_64)ext4zfsOpenBenchmarking.orgDisk Details- SSD: CFQ / rw- HDD: NONE / rw

Tinysqlite: Timed SQLite Insertionsfio: Rand Read - 2MBfs-mark: 1000 Filesdbench: 1 ClientsSSDHDD86.0847696.7351.89299.6311543.3330.37OpenBenchmarking.org

SQLite

Timed SQLite Insertions

OpenBenchmarking.orgSeconds, Fewer Is BetterSQLite 3.22Timed SQLite InsertionsSSDHDD70140210280350SE +/- 1.03, N = 3SE +/- 19.40, N = 986.08299.631. (CC) gcc options: -O2

Flexible IO Tester

Type: Random Read - Block Size: 2MB

OpenBenchmarking.orgMB/s, More Is BetterFlexible IO Tester 3.1Type: Random Read - Block Size: 2MBSSDHDD100200300400500SE +/- 5.25, N = 15476115

FS-Mark

Test: 1000 Files

OpenBenchmarking.orgFiles/s, More Is BetterFS-Mark 3.3Test: 1000 FilesSSDHDD20406080100SE +/- 0.27, N = 3SE +/- 0.09, N = 396.7343.33

Dbench

1 Clients

OpenBenchmarking.orgMB/s, More Is BetterDbench 4.01 ClientsSSDHDD122436486051.8930.37

Phoronix Test Suite v10.8.4
`

// check reports what breaks the reader's promises.
func check(t *testing.T, doc *source.Doc, f *result.File) {
	for _, test := range f.Tests {
		for _, m := range test.Measurements {
			if m.System < 0 || m.System >= len(f.Systems) {
				t.Fatalf("measurement of system %d of %d", m.System, len(f.Systems))
			}
			if m.Decode == result.DecodeAmbiguous && m.Value != "" {
				t.Fatalf("ambiguous measurement with value %q", m.Value)
			}
			if m.Decode < f.Systems[m.System].Decode && !strings.HasPrefix(f.Systems[m.System].Identifier, "system ") {
				t.Fatalf("measurement %v, its system's name %v", m.Decode, f.Systems[m.System].Decode)
			}
			if m.Value != "" && m.Value != "0" && !strings.HasPrefix(doc.Text[m.Origin.Offset:], m.Value) {
				t.Fatalf("value %q does not stand at %d", m.Value, m.Origin.Offset)
			}
			for _, s := range append([]string{m.Value, m.StdError, m.Precise, m.Min, m.Max}, m.Alternatives...) {
				if !strings.Contains(doc.Text, s) {
					t.Fatalf("%q does not stand in the input", s)
				}
			}
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add(tinyPage)
	if dir := os.Getenv("BENCHPROOF_SHARED"); dir != "" {
		paths, _ := filepath.Glob(filepath.Join(dir, "flat", "*1.flat.txt"))
		for _, p := range paths {
			data, err := os.ReadFile(p)
			if err != nil {
				f.Fatal(err)
			}
			f.Add(string(data))
		}
	}
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 1<<16 {
			return
		}
		doc := source.New("fuzz", text)
		err := Read(doc, func(file *result.File) error {
			check(t, doc, file)
			return nil
		})
		_ = err
	})
}

func TestTiny(t *testing.T) {
	doc := source.New("tiny", tinyPage)
	var files []*result.File
	if err := Read(doc, func(f *result.File) error { files = append(files, f); return nil }); err != nil {
		t.Fatal(err)
	}
	if len(files) != 1 {
		t.Fatalf("%d files", len(files))
	}
	f := files[0]
	check(t, doc, f)
	if f.Title != "Tiny" || f.Description != "One page." || f.Identifier != "1901010-AA-TINY" || f.Generator != "Phoronix Test Suite v10.8.4" {
		t.Errorf("head: %q %q %q %q", f.Title, f.Description, f.Identifier, f.Generator)
	}
	want := [][]string{{"86.08", "299.63"}, {"476", "115"}, {"96.73", "43.33"}, {"51.89", "30.37"}}
	for i, vals := range want {
		for k, v := range vals {
			m := f.Tests[i].Measurements[k]
			if m.Value != v || m.Decode != result.DecodeExact || m.System != k {
				t.Errorf("test %d: %+v, want %s exact", i, m, v)
			}
		}
	}
	if u := f.Tests[1].Unassigned; len(u) != 1 || u[0].StdError != "5.25" || u[0].Samples != 15 || len(u[0].Systems) != 2 {
		t.Errorf("unassigned %+v", u)
	}
	if m := f.Tests[0].Measurements[1]; m.StdError != "19.40" || m.Samples != 9 {
		t.Errorf("SE %q N %d", m.StdError, m.Samples)
	}
}

// TestCutAnywhere reads every prefix of a page: what is cut must not be
// given as sure, and tests that the overview lists must not be missing without a
// word, wherever the cut is.
func TestCutAnywhere(t *testing.T) {
	whole := map[string]string{} // test and system to value
	doc := source.New("tiny", tinyPage)
	_ = Read(doc, func(f *result.File) error {
		for _, test := range f.Tests {
			for _, m := range test.Measurements {
				whole[test.Title+f.Systems[m.System].Identifier] = m.Value
			}
		}
		return nil
	})
	overview := strings.Index(tinyPage, "30.37OpenBenchmarking.org") + len("30.37OpenBenchmarking.org")
	for n := 0; n < len(tinyPage); n++ {
		doc := source.New("cut", tinyPage[:n])
		_ = Read(doc, func(f *result.File) error {
			check(t, doc, f)
			if n > overview && len(f.Tests) > 0 && len(f.Tests) < 4 && !slices.ContainsFunc(f.Diagnostics, func(d result.Diagnostic) bool { return d.Code == "truncated" || d.Code == "overview-unread" }) {
				t.Errorf("cut at %d: %d of 4 tests, and no word of it", n, len(f.Tests))
			}
			for _, test := range f.Tests {
				for _, m := range test.Measurements {
					if m.Decode == result.DecodeExact && m.Value != whole[test.Title+f.Systems[m.System].Identifier] {
						t.Errorf("cut at %d: %s: %q is exact, want %q", n, test.Title, m.Value, whole[test.Title+f.Systems[m.System].Identifier])
					}
				}
			}
			return nil
		})
	}
}
