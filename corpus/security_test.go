package corpus

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// treeOf returns all files below dir, with what they hold.
func treeOf(t *testing.T, dir string) map[string]string {
	t.Helper()
	tree := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		tree[path] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return tree
}

// TestSecurityLinks: symbolic links that somebody else plants in a corpus lead
// nothing that is written or removed out of it. The one they lead to is another
// corpus of the same user, which has all names that a writer looks for.
func TestSecurityLinks(t *testing.T) {
	in, root := t.TempDir(), t.TempDir()
	many(t, in, 60)
	victim := filepath.Join(root, "victim")
	add(t, victim, AddOptions{}, in)
	file := filepath.Join(root, "file")
	if err := os.WriteFile(file, []byte("dear"), 0o600); err != nil {
		t.Fatal(err)
	}
	before := treeOf(t, root)
	for name, tt := range map[string]struct {
		at, to string
		do     func(dir string) error
	}{
		"data":            {dataDir, filepath.Join(victim, dataDir), nil},
		"pending":         {pendingDir, filepath.Join(victim, dataDir), nil},
		"lock":            {lockName, file, nil},
		"partial":         {partialDir, root, func(d string) error { _, err := Commit(t.Context(), d, "test", "victim"); return err }},
		"partial add":     {partialDir, root, func(d string) error { return tryAdd(t, d, in, "victim") }},
		"partial discard": {partialDir, root, func(d string) error { return Discard(d, "victim") }},
		"set":             {filepath.Join(partialDir, "x"), victim, func(d string) error { _, err := Commit(t.Context(), d, "test", "x"); return err }},
		"set add":         {filepath.Join(partialDir, "x"), victim, func(d string) error { return tryAdd(t, d, in, "x") }},
		"set discard":     {filepath.Join(partialDir, "x"), victim, func(d string) error { return Discard(d, "x") }},
	} {
		dir := filepath.Join(t.TempDir(), "set")
		add(t, dir, AddOptions{}, filepath.Join(in, "3"))
		at := filepath.Join(dir, tt.at)
		err := errors.Join(os.RemoveAll(at), os.MkdirAll(filepath.Dir(at), 0o777), os.Symlink(tt.to, at))
		if err != nil {
			t.Skip(err)
		}
		if tt.do == nil {
			tt.do = func(d string) error { return tryAdd(t, d, in, "") }
		}
		if err := tt.do(dir); err == nil || !strings.Contains(err.Error(), "symbolic link") {
			t.Errorf("%s: %v", name, err)
		}
		if diff := cmp.Diff(before, treeOf(t, root)); diff != "" {
			t.Fatalf("%s: what the link leads to has changed:\n%s", name, diff)
		}
	}

	// All sets that wait are taken: a link is none of them.
	dir := filepath.Join(t.TempDir(), "set")
	add(t, dir, AddOptions{}, filepath.Join(in, "3"))
	err := errors.Join(os.Mkdir(filepath.Join(dir, partialDir), 0o777), os.Symlink(victim, filepath.Join(dir, partialDir, "x")))
	if err != nil {
		t.Fatal(err)
	}
	if report, err := Commit(t.Context(), dir, "test"); err != nil || report.Sets != 0 {
		t.Errorf("a link was committed: %+v, %v", report, err)
	}
	// The name under which the manifest is written.
	made := filepath.Join(dir, pendingDir, manifestName)
	if err := os.Symlink(file, made); err != nil {
		t.Fatal(err)
	}
	add(t, dir, AddOptions{}, in)
	if diff := cmp.Diff(before, treeOf(t, root)); diff != "" {
		t.Errorf("what the links lead to has changed:\n%s", diff)
	}
	if info, err := os.Lstat(filepath.Join(dir, manifestName)); err != nil || !info.Mode().IsRegular() {
		t.Errorf("manifest: %v, %v", info, err)
	}
}

// tryAdd adds a directory to a corpus, or to a partial set of it.
func tryAdd(t *testing.T, dir, in, partial string) error {
	t.Helper()
	_, err := Add(t.Context(), dir, Walk(in), AddOptions{Partial: partial})
	return err
}

// TestSecurityNames: no name from a manifest, a command or an input becomes a
// path.
func TestSecurityNames(t *testing.T) {
	in, root := t.TempDir(), t.TempDir()
	many(t, in, 3)
	dir := filepath.Join(root, "set")
	add(t, dir, AddOptions{}, in)
	manifest := filepath.Join(dir, manifestName)
	text, err := os.ReadFile(manifest)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Contains(text, []byte(`"part-000001"`)) {
		t.Fatalf("no part in %s", text)
	}
	for _, name := range []string{"../../etc", "part-000001/../../x", "/etc", "", ".", "part-1", "part-000001\\u0000", "part-000001\\n", "s3://bucket/part-000001", "part-*"} {
		bad := bytes.Replace(text, []byte(`"part-000001"`), []byte(`"`+name+`"`), 1)
		if err := os.WriteFile(manifest, bad, 0o666); err != nil {
			t.Fatal(err)
		}
		if _, err := Open(dir); err == nil || !strings.Contains(err.Error(), "name of a part") {
			t.Errorf("part %q: %v", name, err)
		}
		if err := tryAdd(t, dir, in, ""); err == nil || !strings.Contains(err.Error(), "name of a part") {
			t.Errorf("add with part %q: %v", name, err)
		}
	}
	if err := os.WriteFile(manifest, text, 0o666); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"../x", "..", ".", "/x", "a/b", "-x", "a\x00", "a\nb", "é", strings.Repeat("a", 101)} {
		if err := tryAdd(t, dir, in, name); err == nil {
			t.Errorf("a partial set is called %q", name)
		}
		if _, err := Commit(t.Context(), dir, "test", name); err == nil {
			t.Errorf("a partial set called %q was taken in", name)
		}
	}
	entries, err := os.ReadDir(root)
	if err != nil || len(entries) != 1 {
		t.Errorf("beside the corpus: %v, %v", entries, err)
	}
}

// TestSecurityEnginePath: an engine that lies in the working directory is not
// taken, whatever PATH says.
func TestSecurityEnginePath(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	if err := errors.Join(os.Mkdir("bin", 0o755), os.WriteFile(engineName, []byte("#!/bin/sh\n"), 0o755), os.WriteFile(filepath.Join("bin", engineName), []byte("#!/bin/sh\n"), 0o755)); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{".", "", "bin", string(filepath.ListSeparator), "." + string(filepath.ListSeparator) + "bin"} {
		t.Setenv("PATH", path)
		if found, err := FindEngine(""); !errors.Is(err, ErrNoEngine) {
			t.Errorf("PATH %q: found %q, %v", path, found, err)
		}
	}
}
