package corpus

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// listOf returns a list of the paths below dir that keep says.
func listOf(t *testing.T, dir string, keep func(i int) bool) string {
	t.Helper()
	var lines []string
	i := 0
	for in := range Walk(dir) {
		if keep(i) {
			lines = append(lines, in.Path)
		}
		i++
	}
	return strings.Join(lines, "\r\n") + "\n\n"
}

// Sets that several made, some files in two of them and some in the corpus
// already, come in once: the set is the one that one add makes.
func TestCommit(t *testing.T) {
	in, root := t.TempDir(), t.TempDir()
	whole, dir := filepath.Join(root, "whole"), filepath.Join(root, "set")
	many(t, in, 300)
	add(t, whole, AddOptions{}, in)

	add(t, dir, AddOptions{}, filepath.Join(in, "3"))
	partial := func(name string, keep func(i int) bool) Report {
		t.Helper()
		r, err := Add(t.Context(), dir, List(strings.NewReader(listOf(t, in, keep))), AddOptions{Partial: name})
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	before := records(t, dir)
	first := partial("1", func(i int) bool { return i < 200 })
	if first.Unchanged+first.Duplicates == 0 {
		t.Errorf("what the corpus has was read again: %+v", first)
	}
	partial("2", func(i int) bool { return i >= 150 })
	partial("2", func(i int) bool { return i >= 100 }) // gone on with
	add(t, dir, AddOptions{}, filepath.Join(in, "5"))  // meanwhile
	if got := records(t, dir); len(got) <= len(before) || len(got) >= len(records(t, whole)) {
		t.Errorf("%d files before the commit", len(got))
	}
	c, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	if info, err := c.Info(); err != nil || !cmp.Equal(info.Partial, []string{"1", "2"}) {
		t.Errorf("waiting: %v, %v", info.Partial, err)
	}
	r, err := Commit(t.Context(), dir, "test")
	if err != nil || r.Sets != 2 || r.Duplicates == 0 {
		t.Errorf("%+v, %v", r, err)
	}
	if diff := cmp.Diff(records(t, whole), records(t, dir)); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(pathsOf(t, whole), pathsOf(t, dir)); diff != "" {
		t.Error(diff)
	}
	if r := add(t, dir, AddOptions{}, in); r.Read != 0 || r.Unchanged != r.Inputs {
		t.Errorf("read again: %+v", r)
	}
	if r, err := Commit(t.Context(), dir, "test"); err != nil || r.Sets != 0 {
		t.Errorf("nothing waits: %+v, %v", r, err)
	}
	if _, err := Commit(t.Context(), dir, "test", "3"); !errors.Is(err, ErrNoCorpus) {
		t.Errorf("a set that is not there: %v", err)
	}
	if _, err := Commit(t.Context(), dir, "test", "../x"); err == nil {
		t.Error("a name that leads outside")
	}
}

// A commit that ended in the middle is taken up again.
func TestCommitAgain(t *testing.T) {
	in, root := t.TempDir(), t.TempDir()
	whole, dir := filepath.Join(root, "whole"), filepath.Join(root, "set")
	many(t, in, 400)
	add(t, whole, AddOptions{}, in)
	if _, err := Add(t.Context(), dir, Walk(in), AddOptions{Partial: "a"}); err != nil {
		t.Fatal(err)
	}
	s, err := openStore(dir, "test")
	if err != nil {
		t.Fatal(err)
	}
	// As if it had been killed after the first part.
	from, err := readManifest(filepath.Join(dir, partialDir, "a"))
	if err != nil || len(from.Parts) < 2 {
		t.Fatal(from, err)
	}
	// Before that it was killed between the renames of a commit.
	orphan := filepath.Join(dir, dataDir, partNameOf(s.manifest.Next))
	if err := os.CopyFS(orphan, os.DirFS(filepath.Join(dir, partialDir, "a", dataDir, from.Parts[1].Name))); err != nil {
		t.Fatal(err)
	}
	if err := s.load(); err != nil {
		t.Fatal(err)
	}
	var r CommitReport
	set := &Corpus{dir: filepath.Join(dir, partialDir, "a"), manifest: from}
	if err := s.takePart(set, from.Parts[0], newIndex(), &r); err != nil {
		t.Fatal(err)
	}
	if err := s.close(); err != nil {
		t.Fatal(err)
	}
	ended, end := context.WithCancel(t.Context())
	end()
	if _, err := Commit(ended, dir, "test"); !errors.Is(err, context.Canceled) {
		t.Errorf("went on after the end: %v", err)
	}
	if r, err := Commit(t.Context(), dir, "test"); err != nil || r.Parts != len(from.Parts)-1 {
		t.Fatal(r, err)
	}
	if diff := cmp.Diff(records(t, whole), records(t, dir)); diff != "" {
		t.Error(diff)
	}
	if _, err := os.Stat(set.dir); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the set is still there: %v", err)
	}
}
