package corpus

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/benchproof/benchproof/result"
)

// A damaged set ends in an error that names the file, never in a crash; what
// is read all the same is whole.
func TestDamaged(t *testing.T) {
	in, dir := t.TempDir(), filepath.Join(t.TempDir(), "set")
	put(t, filepath.Join(in, "a.json"), made(1))
	put(t, filepath.Join(in, "b.json"), made(2))
	add(t, dir, AddOptions{}, in)
	want := records(t, dir)
	c, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	readAll := func() (wrong int, err error) {
		if _, err := c.Info(); err != nil {
			return 0, err
		}
		return wrong, c.Each(func(id string, f *result.File) error {
			if want[id] != string(asJSON(t, f)) {
				wrong++
			}
			return nil
		})
	}
	tried := 0
	for _, table := range Tables() {
		path := c.Files(table)[0]
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		try := func(damaged []byte) {
			t.Helper()
			if err := os.WriteFile(path, damaged, 0o666); err != nil {
				t.Fatal(err)
			}
			tried++
			wrong, err := readAll()
			if err == nil || wrong > 0 || !strings.Contains(err.Error(), path) {
				t.Errorf("%s: read with %d other records, %v", table, wrong, err)
			}
			if err := c.Check(); err == nil || !strings.Contains(err.Error(), path) {
				t.Errorf("%s: checked: %v", table, err)
			}
		}
		for _, n := range []int{0, 1, len(data) / 2, len(data) - 1} {
			try(data[:n])
		}
		for at := 0; at < len(data); at += 61 {
			flipped := append([]byte(nil), data...)
			flipped[at] ^= 0x55
			try(flipped)
		}
		if err := os.WriteFile(path, data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if err := c.Check(); err != nil || tried < 300 {
		t.Errorf("after %d damages: %v", tried, err)
	}
	// A table of another kind in its place, and one that is not there.
	path := c.Files(tableRuns)[0]
	data, err := os.ReadFile(c.Files(tableTests)[0])
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, data, 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := readAll(); err == nil || !strings.Contains(err.Error(), path) || !strings.Contains(err.Error(), "damaged") {
		t.Errorf("another table: %v", err)
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if _, err := readAll(); err == nil || !strings.Contains(err.Error(), path) {
		t.Errorf("no table: %v", err)
	}
	if len(want) != 2 {
		t.Errorf("%d files", len(want))
	}
}

// TestQueryMissing: a question to a corpus that lacks a file is answered by none
// of its engines, and the error is of the data, not of the statement.
func TestQueryMissing(t *testing.T) {
	dir, in := t.TempDir(), t.TempDir()
	put(t, filepath.Join(in, "a.json"), made(1))
	if _, err := Add(t.Context(), dir, Walk(in), AddOptions{}); err != nil {
		t.Fatal(err)
	}
	c, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	path := c.Files(tableFiles)[0]
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	var q *QueryError
	if _, err := c.Query(t.Context(), "FROM results", nil, QueryOptions{Engine: "no such engine"}, nil, nil); !errors.As(err, &q) || q.Kind != "data" || !strings.Contains(q.Message, path) {
		t.Errorf("%v", err)
	}
}

// A corpus whose manifest is lost keeps its parts: they are worth a manifest that
// is put back.
func TestManifestLost(t *testing.T) {
	dir, files := t.TempDir(), t.TempDir()
	put(t, filepath.Join(files, "a.json"), made(1))
	if _, err := Add(t.Context(), dir, Walk(files), AddOptions{}); err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(dir, manifestName)
	if err := os.Rename(name, filepath.Join(files, "manifest")); err != nil {
		t.Fatal(err)
	}
	if _, err := Add(t.Context(), dir, Walk(filepath.Join(files, "a.json")), AddOptions{}); err == nil || !strings.Contains(err.Error(), "has lost its manifest.json") {
		t.Errorf("added to a corpus without a manifest: %v", err)
	}
	if err := os.Rename(filepath.Join(files, "manifest"), name); err != nil {
		t.Fatal(err)
	}
	c, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Check(); err != nil {
		t.Errorf("parts are gone: %v", err)
	}
}
