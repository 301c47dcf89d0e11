package parse

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/klauspost/compress/zstd"
	"github.com/ulikunitz/xz"

	"github.com/benchproof/benchproof/parse/internal/oracle"
	"github.com/benchproof/benchproof/result"
)

// smallText is a text export with its lines, of two systems and two tests.
const smallText = `Disk Tests
Of two machines.


Büro SSD: 

	Processor: Intel Core i5 @ 3.90GHz (4 Cores), Memory: 8GB, Disk: 250GB Foo

	OS: Debian 12, Kernel: 6.1.0 (x86_64), File-System: ext4

Keller: 

	Processor: AMD Ryzen 5 @ 3.60GHz (6 Cores), Memory: 16GB, Disk: 500GB Bar

	OS: Debian 12, Kernel: 6.1.0 (x86_64), File-System: xfs


SQLite 3.22
Timed SQLite Insertions
Seconds < Lower Is Better
Büro SSD . 86.08  |=================
Keller .... 299.63 |===========================================================


PostMark 1.51
Disk Transaction Performance
TPS > Higher Is Better
Büro SSD . 5769 |=============================================================
Keller .... 1096 |============

`

// smallPage is the text of a result page without separators.
const smallPage = `Shelf Tests

Of one machine.

HTML result view exported from: https://openbenchmarking.org/result/1908289-HV-1908283HV56.

Shelf TestsProcessorMemoryOSKernelFile-SystemShelfAMD Ryzen 5 @ 3.60GHz (6 Cores)16GBDebian 126.1.0 (x86_64)xfsOpenBenchmarking.org

PostMark

Disk Transaction Performance

OpenBenchmarking.orgTPS, More Is BetterPostMark 1.51Disk Transaction PerformanceShelf12002400360048006000SE +/- 44.00, N = 357691. (CC) gcc options: -O3

Phoronix Test Suite v10.8.4`

// smallFio is fio's JSON output of a job that read.
const smallFio = `{
  "fio version" : "fio-3.33",
  "time" : "Mon Nov 30 18:48:39 2026",
  "jobs" : [
    {
      "jobname" : "a",
      "error" : 0,
      "job options" : { "rw" : "randread", "bs" : "4k" },
      "read" : { "bw_bytes" : 8252306, "iops" : 2002.355713, "total_ios" : 10200, "lat_ns" : { "mean" : 32372650.810972, "N" : 10263 } }
    }
  ]
}
`

// readAll reads an input given as text.
func readAll(t testing.TB, raw string, o Options) ([]*result.File, error) {
	t.Helper()
	r, err := NewReader(strings.NewReader(raw), "in", o)
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := r.Close(); err != nil {
			t.Error(err)
		}
	}()
	return collect(r)
}

// collect takes all files of a reader, and the error that ends them.
func collect(r *Reader) ([]*result.File, error) {
	var files []*result.File
	for f, err := range r.Files() {
		if err != nil {
			return files, err
		}
		files = append(files, f)
	}
	return files, nil
}

// mustRead reads an input that must hold so many files.
func mustRead(t testing.TB, raw string, n int) []*result.File {
	t.Helper()
	files, err := readAll(t, raw, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if len(files) != n {
		t.Fatalf("got %d files, want %d", len(files), n)
	}
	return files
}

// values lists all values of a file: test, system, value.
func values(f *result.File) []string {
	names := f.SystemNames()
	var out []string
	for i := range f.Tests {
		for _, m := range f.Tests[i].Measurements {
			out = append(out, strings.Join([]string{f.Tests[i].Name(), names[m.System], m.Value}, "|"))
		}
	}
	return out
}

func same(t testing.TB, what string, got, want any) {
	t.Helper()
	if reflect.DeepEqual(got, want) {
		return // cmp takes its time
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s differs (- want, + got):\n%s", what, clip(diff, 2000))
	}
}

// pack compresses by the ending of a file's name.
func pack(t testing.TB, ending, data string) string {
	t.Helper()
	var b bytes.Buffer
	var w io.WriteCloser
	var err error
	switch ending {
	case "":
		return data
	case ".gz":
		w = gzip.NewWriter(&b)
	case ".xz":
		w, err = xz.NewWriter(&b)
	case ".zst":
		w, err = zstd.NewWriter(&b)
	}
	if err == nil {
		_, err = io.WriteString(w, data)
	}
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// samples returns inputs of every form by name: the small ones here, and the
// published and rendered ones of the facts directory, if it is there.
func samples(t testing.TB) map[string]string {
	t.Helper()
	page := mustRead(t, smallPage, 1)
	var record bytes.Buffer
	if err := result.EncodeJSON(&record, page); err != nil {
		t.Fatal(err)
	}
	all := map[string]string{
		"small text":   smallText,
		"small page":   smallPage,
		"small record": record.String(),
		"small fio":    smallFio,
		"small pre":    "<html><body><pre>" + strings.ReplaceAll(smallText, "<", "&lt;") + "</pre></body></html>",
	}
	dir := os.Getenv(oracle.SharedEnv)
	if dir == "" {
		dir = filepath.Join(oracle.Root(t), "..", "shared")
	}
	for _, pattern := range []string{"samples/*.txt", "samples/forms/ssd-*", "flat/000.*", "flat/013.*"} {
		paths, err := filepath.Glob(filepath.Join(dir, pattern))
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range paths {
			data, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			all[filepath.Base(path)] = string(data)
		}
	}
	return all
}

// isFormat fails the test for an error that is not as errors of Files are.
func isFormat(t testing.TB, err error) {
	t.Helper()
	var limit *LimitError
	if err != nil && !errors.Is(err, ErrFormat) && !errors.As(err, &limit) {
		t.Errorf("an error of no known kind: %v", err)
	}
}
