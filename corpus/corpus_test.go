package corpus

import (
	"bytes"
	"crypto/sha256"
	"os"
	"path/filepath"
	"testing"

	"github.com/benchproof/benchproof/parse"
	"github.com/benchproof/benchproof/result"
)

// inputs returns the bundled samples, and the real and damaged files beside
// the project where they are there.
func inputs(t testing.TB) []string {
	t.Helper()
	var list []string
	for _, pattern := range []string{"../samples/*", "../../shared/samples/forms/*", "../../shared/corpus/*/*/*", "../../shared/flat/*/*"} {
		found, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range found {
			if info, err := os.Stat(p); err == nil && info.Mode().IsRegular() && info.Size() < 2<<20 {
				list = append(list, p)
			}
		}
	}
	return list
}

// read returns the result files of an input, whether or not it ends well.
func read(t testing.TB, path string) (files []*result.File) {
	t.Helper()
	r, err := parse.Open(path, parse.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	files, _ = r.All()
	return files
}

func asJSON(t testing.TB, f *result.File) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := result.EncodeJSON(&b, []*result.File{f}); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func add(t testing.TB, dir string, o AddOptions, paths ...string) Report {
	t.Helper()
	r, err := Add(t.Context(), dir, Walk(paths...), o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// What comes back of a corpus is what the reader read, to the last byte of its
// JSON: all samples, the published files and the damaged ones.
func TestShowEqualsSource(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "corpus")
	paths := inputs(t)
	if testing.Short() {
		var some []string
		for i, p := range paths {
			if i < 12 || i%8 == 0 {
				some = append(some, p)
			}
		}
		paths = some
	}
	report := add(t, dir, AddOptions{}, paths...)
	c, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	seen := map[content]bool{}
	compared := 0
	for _, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		sum := hashOf(data)
		if seen[sum] {
			continue // it is called as the first one is
		}
		seen[sum] = true
		for i, want := range read(t, path) {
			got, err := c.File(fileID(sum.key(i + 1)))
			if err != nil {
				t.Errorf("%s: %v", path, err)
				continue
			}
			if a, b := asJSON(t, want), asJSON(t, got); !bytes.Equal(a, b) {
				t.Errorf("%s: file %d came back another: %s", path, i+1, firstDifference(a, b))
			}
			compared++
		}
	}
	if int64(compared) != report.Files || compared < 8 {
		t.Errorf("%d files compared, %d added", compared, report.Files)
	}
	t.Logf("%d files of %d inputs are equal", compared, len(seen))
}

func firstDifference(a, b []byte) string {
	i := 0
	for i < len(a) && i < len(b) && a[i] == b[i] {
		i++
	}
	around := func(s []byte) string { return string(s[max(0, i-80):min(len(s), i+80)]) }
	return around(a) + "\n--- against ---\n" + around(b)
}

func hashOf(data []byte) content { return sha256.Sum256(data) }
