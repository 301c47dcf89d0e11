package corpus

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/benchproof/benchproof/parse"
	"github.com/benchproof/benchproof/result"
)

// made returns a result file of which no other number has the like.
func made(n int) *result.File {
	f := &result.File{Title: fmt.Sprintf("Made %d", n), LastModified: fmt.Sprintf("2024-03-%02d 10:00:00", 1+n%28)}
	for _, name := range []string{"EXT4", "XFS"} {
		f.Systems = append(f.Systems, result.System{
			Identifier: name, Hardware: []result.Component{{Key: "Processor", Value: "P"}, {Key: "Disk", Value: fmt.Sprint("D", n)}},
			Software: []result.Component{{Key: "File-System", Value: strings.ToLower(name)}},
		})
	}
	f.Tests = []result.Test{{Title: "SQLite", Version: "3.22", Scale: "Seconds", Proportion: result.LIB, Measurements: []result.Measurement{
		{System: 0, Value: fmt.Sprint(100 + n), RawValues: []string{"1", "", "3"}, RunTimes: []string{"4"}}, {System: 1, Value: "7.50"},
	}}}
	return f
}

// put writes a result file and returns its path.
func put(t testing.TB, path string, f *result.File) string {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, asJSON(t, f), 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

// records returns the JSON of all files of a corpus by their ID.
func records(t testing.TB, dir string) map[string]string {
	t.Helper()
	c, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]string{}
	if err := c.Each(func(id string, f *result.File) error {
		if all[id] != "" {
			t.Errorf("file %s stands twice", id)
		}
		all[id] = string(asJSON(t, f))
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	return all
}

// pathsOf returns what a corpus knows of paths: content and size.
func pathsOf(t testing.TB, dir string) map[string]string {
	t.Helper()
	c, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]string{}
	for _, p := range c.manifest.Parts {
		rows, err := openPartTable[pathRow](c.dir, p, tablePaths)
		if err != nil {
			t.Fatal(err)
		}
		if err := rows.each(func(r *pathRow) error {
			all[r.Path] = fmt.Sprint(r.SHA256, r.Bytes)
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		closeTable(rows)
	}
	return all
}

func TestIncremental(t *testing.T) {
	in, dir := t.TempDir(), filepath.Join(t.TempDir(), "set")
	a := put(t, filepath.Join(in, "a.json"), made(1))
	put(t, filepath.Join(in, "b.json"), made(2))
	copied := put(t, filepath.Join(in, "c", "copy.json"), made(1))
	notes := filepath.Join(in, "notes.txt")
	if err := os.WriteFile(notes, []byte("no result\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	step := func(what string, o AddOptions, want Report) {
		t.Helper()
		want.Inputs = 4
		got := add(t, dir, o, in)
		want.Bytes, want.Parts = got.Bytes, got.Parts
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: %s", what, diff)
		}
	}
	step("first", AddOptions{}, Report{Read: 2, Files: 2, Measurements: 4, Duplicates: 1, NoResult: 1})
	if n := len(records(t, dir)); n != 2 {
		t.Errorf("%d files", n)
	}
	if n := len(pathsOf(t, dir)); n != 4 {
		t.Errorf("%d paths", n)
	}
	step("again", AddOptions{}, Report{Unchanged: 3, NoResult: 1})
	step("again by content", AddOptions{Rehash: true}, Report{Unchanged: 3, NoResult: 1})
	step("what failed again", AddOptions{Retry: true}, Report{Unchanged: 3, NoResult: 1})

	// Touched, and changed under its old time and size.
	later := time.Now().Add(time.Hour)
	if err := os.Chtimes(a, later, later); err != nil {
		t.Fatal(err)
	}
	step("touched", AddOptions{}, Report{Unchanged: 3, NoResult: 1})
	info, err := os.Stat(copied)
	if err != nil {
		t.Fatal(err)
	}
	put(t, copied, made(3)) // as many bytes
	if err := os.Chtimes(copied, info.ModTime(), info.ModTime()); err != nil {
		t.Fatal(err)
	}
	step("changed in secret", AddOptions{}, Report{Unchanged: 3, NoResult: 1})
	step("and found", AddOptions{Rehash: true}, Report{Read: 1, Files: 1, Measurements: 2, Unchanged: 2, NoResult: 1})
	superseded := func(want int) {
		t.Helper()
		c, err := Open(dir)
		if err != nil {
			t.Fatal(err)
		}
		if got := c.Manifest().Superseded; got != want {
			t.Errorf("%d superseded, want %d", got, want)
		}
	}
	superseded(0) // the first still stands at a
	put(t, a, made(40))
	step("the last path of one changed", AddOptions{}, Report{Read: 1, Files: 1, Measurements: 2, Unchanged: 2, NoResult: 1})
	superseded(1)
	put(t, a, made(1))
	step("and came back", AddOptions{}, Report{Duplicates: 1, Unchanged: 2, NoResult: 1})
	superseded(1) // the other one now
	if n := len(records(t, dir)); n != 4 {
		t.Errorf("%d files", n)
	}
}

// What cannot be read is told each time, and no end of the add.
func TestUnreadable(t *testing.T) {
	in, dir := t.TempDir(), filepath.Join(t.TempDir(), "set")
	good := put(t, filepath.Join(in, "good.json"), made(1))
	bad := filepath.Join(in, "bad.xml")
	if err := os.WriteFile(bad, []byte("not a result"), 0o666); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		var told []string
		r, err := Add(t.Context(), dir, Walk(good, bad, filepath.Join(in, "absent")), AddOptions{Problem: func(in Input, err error) {
			told = append(told, filepath.Base(in.Path))
			if in.Path == bad && !errors.Is(err, parse.ErrFormat) {
				t.Errorf("%v is not ErrFormat", err)
			}
		}})
		slices.Sort(told)
		if err != nil || r.Unreadable != 2 || r.Inputs != 3 || !slices.Equal(told, []string{"absent", "bad.xml"}) {
			t.Errorf("%+v, told %q, %v", r, told, err)
		}
	}
}

// TestEndless: what is over the limit of an input is not read to its end, which
// it may not have.
func TestEndless(t *testing.T) {
	sparse := filepath.Join(t.TempDir(), "sparse.xml")
	if err := os.WriteFile(sparse, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(sparse, 1<<40); err != nil {
		t.Skip(err)
	}
	good := put(t, filepath.Join(t.TempDir(), "good.json"), made(1))
	paths := []string{good, sparse}
	if _, err := os.Stat("/proc/self/pagemap"); err == nil {
		paths = append(paths, "/proc/self/pagemap") // some hundred TB, and its size is 0
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	over := 0
	r, err := Add(ctx, filepath.Join(t.TempDir(), "set"), Walk(paths...), AddOptions{Limits: parse.Limits{Input: 1 << 20}, Problem: func(_ Input, err error) {
		var limit *parse.LimitError
		if errors.As(err, &limit) && limit.Flag == "--max-input" {
			over++
		}
	}})
	if err != nil || r.Unreadable != int64(len(paths)-1) || r.Read != 1 || over < 1 || ctx.Err() != nil {
		t.Errorf("%+v, %d over the limit, %v", r, over, err)
	}
}

// TestShortage tries what is no fault of the input: it ends the add, for all
// further inputs would fail, too.
func TestShortage(t *testing.T) {
	in, dir := t.TempDir(), filepath.Join(t.TempDir(), "set")
	good := put(t, filepath.Join(in, "good.json"), made(1))
	inputs := func(yield func(Input) bool) {
		_ = yield(Input{Path: filepath.Join(in, "other.json"), Err: &os.PathError{Op: "open", Path: "other.json", Err: syscall.EMFILE}}) &&
			yield(Input{Path: good})
	}
	r, err := Add(t.Context(), dir, inputs, AddOptions{Problem: func(in Input, err error) { t.Errorf("told of %s: %v", in.Path, err) }})
	if !errors.Is(err, syscall.EMFILE) || r.Unreadable != 0 {
		t.Errorf("%+v, %v", r, err)
	}
	if r, err := Add(t.Context(), dir, Walk(good), AddOptions{}); err != nil || r.Read != 1 {
		t.Errorf("after it: %+v, %v", r, err)
	}
}

func TestLocked(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "set")
	s, err := openStore(dir, "test")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Add(t.Context(), dir, Walk(), AddOptions{}); !errors.Is(err, ErrLocked) {
		t.Errorf("added beside another: %v", err)
	}
	if _, err := Open(dir); err != nil {
		t.Errorf("not readable meanwhile: %v", err)
	}
	if err := s.close(); err != nil {
		t.Fatal(err)
	}
	if _, err := Add(t.Context(), dir, Walk(), AddOptions{}); err != nil {
		t.Errorf("after it ended: %v", err)
	}
}

// A directory of something else is left alone.
func TestForeign(t *testing.T) {
	dir := t.TempDir()
	put(t, filepath.Join(dir, "mine.json"), made(1))
	if _, err := Add(t.Context(), dir, Walk(dir), AddOptions{}); !errors.Is(err, ErrNoCorpus) {
		t.Errorf("wrote among other files: %v", err)
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) != 1 {
		t.Errorf("left %v, %v", entries, err)
	}
	if _, err := Open(dir); !errors.Is(err, ErrNoCorpus) {
		t.Errorf("opened: %v", err)
	}
	if err := os.WriteFile(filepath.Join(dir, manifestName), []byte(`{"schema":"benchproof/corpus/1","parts":[{"name":"../../x"}]}`), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(dir); err == nil || !strings.Contains(err.Error(), "no name of a part") {
		t.Errorf("a part's name led outside: %v", err)
	}
}

// What a killed writer has left goes with the next add; what it had not
// committed does not show.
func TestOrphans(t *testing.T) {
	in, dir := t.TempDir(), filepath.Join(t.TempDir(), "set")
	put(t, filepath.Join(in, "a.json"), made(1))
	add(t, dir, AddOptions{}, in)
	before := records(t, dir)
	// Killed while it wrote, and between the two renames of a commit.
	s, err := openStore(dir, "test")
	if err != nil {
		t.Fatal(err)
	}
	for number, moved := range []bool{false, true} {
		p, err := s.begin(s.manifest.Next + number)
		if err != nil {
			t.Fatal(err)
		}
		if err := p.write(made(9), source{content: content{9}, number: 1}); err != nil {
			t.Fatal(err)
		}
		if moved {
			if _, err := p.finish(); err != nil {
				t.Fatal(err)
			}
			if err := os.Rename(p.dir, filepath.Join(dir, dataDir, filepath.Base(p.dir))); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := s.close(); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(before, records(t, dir)); diff != "" {
		t.Error(diff)
	}
	put(t, filepath.Join(in, "b.json"), made(2))
	add(t, dir, AddOptions{}, in)
	if got := records(t, dir); len(got) != 2 {
		t.Errorf("%d files", len(got))
	}
	if left, err := os.ReadDir(filepath.Join(dir, pendingDir)); err != nil || len(left) > 0 {
		t.Errorf("left %v, %v", left, err)
	}
	if parts, err := os.ReadDir(filepath.Join(dir, dataDir)); err != nil || len(parts) != 2 {
		t.Errorf("%d parts, %v", len(parts), err)
	}
}

// many puts n files into a directory, one in ten of them twice.
func many(t testing.TB, dir string, n int) {
	t.Helper()
	for i := range n {
		put(t, filepath.Join(dir, fmt.Sprint(i%7), fmt.Sprintf("r%d.json", i)), made(i))
		if i%10 == 0 {
			put(t, filepath.Join(dir, "copies", fmt.Sprintf("r%d.json", i)), made(i))
		}
	}
}

// An add that is interrupted keeps what came in; the next one makes the set
// that one alone would have made.
func TestInterrupted(t *testing.T) {
	in, whole, dir := t.TempDir(), filepath.Join(t.TempDir(), "whole"), filepath.Join(t.TempDir(), "set")
	many(t, in, 700)
	add(t, whole, AddOptions{Workers: 3}, in)
	for _, after := range []int{1, 90, 400} {
		ctx, interrupt := context.WithCancel(t.Context())
		n := 0
		_, err := Add(ctx, dir, func(yield func(Input) bool) {
			for i := range Walk(in) {
				if n++; n == after {
					interrupt()
				}
				if !yield(i) {
					return
				}
			}
		}, AddOptions{Workers: 3})
		interrupt()
		if !errors.Is(err, context.Canceled) {
			t.Fatalf("after %d: %v", after, err)
		}
		got := records(t, dir)
		want := records(t, whole)
		for id, f := range got {
			if want[id] != f {
				t.Fatalf("after %d: file %s is another", after, id)
			}
		}
	}
	add(t, dir, AddOptions{}, in)
	if diff := cmp.Diff(records(t, whole), records(t, dir)); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(pathsOf(t, whole), pathsOf(t, dir)); diff != "" {
		t.Error(diff)
	}
}

// The same inputs make the same bytes, however many read them.
func TestSameBytes(t *testing.T) {
	in, root := t.TempDir(), t.TempDir()
	many(t, in, 700)
	var first map[string]string
	for _, workers := range []int{1, 5} {
		dir := filepath.Join(root, fmt.Sprint(workers))
		add(t, dir, AddOptions{Workers: workers}, in)
		all := map[string]string{}
		files, err := filepath.Glob(filepath.Join(dir, dataDir, "*", "*"))
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range append(files, filepath.Join(dir, manifestName)) {
			data, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			name, _ := filepath.Rel(dir, f)
			all[name] = fmt.Sprintf("%x", hashOf(data))
		}
		if first == nil {
			first = all
		} else if !maps.Equal(first, all) {
			t.Errorf("%d files of other bytes: %s", len(all), cmp.Diff(first, all))
		}
	}
	if len(first) < 3*8 {
		t.Errorf("only %d files", len(first))
	}
}
