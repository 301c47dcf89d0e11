package target

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// open opens a target that must be one.
func open(t *testing.T, dir string) *Target {
	t.Helper()
	g, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { g.Close() })
	return g
}

// listing is every name below the directory.
func listing(t *testing.T, dir string) string {
	t.Helper()
	var names []string
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		names = append(names, path)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return strings.Join(names, "\n")
}

func TestOpenRefuses(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, []byte("mine"), 0o644); err != nil {
		t.Fatal(err)
	}
	real := filepath.Join(dir, "real")
	if err := os.Mkdir(real, 0o755); err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(dir, "link")
	if err := os.Symlink(real, link); err != nil {
		t.Fatal(err)
	}
	fifo := filepath.Join(dir, "fifo")
	if err := unix.Mkfifo(fifo, 0o600); err != nil {
		t.Fatal(err)
	}
	before := listing(t, dir)
	for _, tc := range []struct{ dir, reason, hint string }{
		{"", "is an empty name", "name a directory"},
		{"a\x00b", "has a NUL", "name a directory"},
		{"/", "is a directory of the system", "below it"},
		{"//", "is a directory of the system", "below it"},
		{"/.", "is a directory of the system", "below it"},
		{"/tmp/..", "is a directory of the system", "below it"},
		{"/usr", "is a directory of the system", "below it"},
		{"/dev", "belongs to the system", "on the disk"},
		{"/dev/shm", "belongs to the system", "on the disk"},
		{"/dev/null", "is a character device", "never writes to devices"},
		{"/proc", "belongs to the system", "on the disk"},
		{"/proc/self/fd", "belongs to the system", "on the disk"},
		{"/sys/kernel", "belongs to the system", "on the disk"},
		{"/etc", "belongs to the system", "on the disk"},
		{file, "is a file", "never writes to devices or into files"},
		{file + "/", "is a file", ""},
		{file + "/below", "cannot be reached", ""},
		{fifo, "is no directory", ""},
		{link, "is a symbolic link", "name the directory itself: " + real},
		{link + "/", "is a symbolic link", real},
		{filepath.Join(dir, "gone"), "does not exist", "misspelt"},
		{filepath.Join(dir, "gone", "deeper"), "does not exist", "misspelt"},
	} {
		g, err := Open(tc.dir)
		if err == nil {
			t.Errorf("%q is a target: %+v", tc.dir, g.Identity())
			g.Close()
			continue
		}
		var r *Refusal
		if !errors.As(err, &r) || !strings.Contains(r.Reason, tc.reason) || !strings.Contains(r.Hint, tc.hint) || r.Dir != tc.dir {
			t.Errorf("%q: got %v (%+v), want %q", tc.dir, err, r, tc.reason)
		}
	}
	if after := listing(t, dir); after != before {
		t.Errorf("something was made:\n%s", after)
	}
	// A block device of any name.
	for _, name := range []string{"/dev/vda", "/dev/sda", "/dev/nvme0n1", "/dev/loop0"} {
		if _, err := os.Stat(name); err != nil {
			continue
		}
		if _, err := Open(name); err == nil || !strings.Contains(err.Error(), "is a block device") {
			t.Errorf("%s: got %v", name, err)
		}
	}
	// Links on the way are no matter, but the name is without them.
	if err := os.Mkdir(filepath.Join(real, "sub"), 0o755); err != nil {
		t.Fatal(err)
	}
	if g := open(t, filepath.Join(link, "sub")); g.Dir() != filepath.Join(real, "sub") {
		t.Errorf("directory %q", g.Dir())
	}
	// After a link, ".." is the parent of where it leads.
	if g := open(t, link+"/sub/.."); g.Dir() != real {
		t.Errorf("directory %q", g.Dir())
	}
}

func TestScratch(t *testing.T) {
	dir := t.TempDir()
	g := open(t, dir)
	outside := filepath.Join(dir, "theirs")
	if err := os.WriteFile(outside, []byte("theirs"), 0o644); err != nil {
		t.Fatal(err)
	}
	s, err := g.NewScratch(Marker{ID: "r1", Program: "benchproof test"})
	if err != nil {
		t.Fatal(err)
	}
	if s.Dir() != filepath.Join(dir, ".benchproof-replay-r1") {
		t.Errorf("scratch is %q", s.Dir())
	}
	var r *Refusal
	if _, err := g.NewScratch(Marker{ID: "r1"}); !errors.As(err, &r) {
		t.Errorf("made a second time: %v", err)
	}
	for _, id := range []string{"", "../x", "a/b", ".", "-x", strings.Repeat("x", 65), "a b"} {
		if _, err := g.NewScratch(Marker{ID: id}); err == nil {
			t.Errorf("made for %q", id)
		}
	}
	if err := s.Mkdir("job/deep"); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"job/f", "job/deep/g"} {
		if err := s.Root().WriteFile(name, []byte("x"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	// Links out of it are removed, not followed.
	if err := os.Symlink(dir, filepath.Join(s.Dir(), "job", "out")); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(outside, filepath.Join(s.Dir(), "job", "file")); err != nil {
		t.Fatal(err)
	}
	if err := s.Root().WriteFile("job/file", []byte("bad"), 0o644); err == nil {
		t.Error("wrote through a link out of the scratch directory")
	}
	if err := s.RemoveTree("job/out/theirs"); err == nil {
		t.Error("removed through a link")
	}
	for _, name := range []string{"..", ".", "../theirs", "/", MarkerName, "job/../.."} {
		if err := s.RemoveTree(name); err == nil {
			t.Errorf("removed %q", name)
		}
	}
	if err := s.RemoveTree("nothing/here"); err != nil {
		t.Error(err)
	}
	if err := s.RemoveTree("job/deep"); err != nil {
		t.Error(err)
	}
	if err := os.Mkdir(filepath.Join(s.Dir(), "job", "dark"), 0); err != nil {
		t.Fatal(err)
	}
	if err := s.Check(); err != nil {
		t.Error(err)
	}
	// A resumed replay finds it.
	again, err := g.OpenScratch("r1")
	if err != nil {
		t.Fatal(err)
	}
	if m := again.marker; m.ID != "r1" || m.Schema != MarkerSchema || m.Program != "benchproof test" {
		t.Errorf("marker %+v", m)
	}
	again.Close()
	found, err := g.scratches()
	if err != nil || len(found) != 1 || found[0].ID != "r1" || found[0].Err != nil || found[0].Marker.ID != "r1" {
		t.Errorf("found %+v, %v", found, err)
	}
	if err := s.Remove(); err != nil {
		t.Fatal(err)
	}
	if got, want := listing(t, dir), dir+"\n"+outside; got != want {
		t.Errorf("left:\n%s", got)
	}
	if text, _ := os.ReadFile(outside); string(text) != "theirs" {
		t.Errorf("a foreign file became %q", text)
	}
}

// TestScratchGone: of a scratch directory that somebody has removed nothing is
// left to remove.
func TestScratchGone(t *testing.T) {
	g := open(t, t.TempDir())
	s, err := g.NewScratch(Marker{ID: "r1"})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.RemoveAll(s.Dir()); err != nil {
		t.Fatal(err)
	}
	if err := s.Remove(); err != nil {
		t.Error(err)
	}
	if _, err := s.dir.Stat(); !errors.Is(err, os.ErrClosed) {
		t.Errorf("it is not closed: %v", err)
	}
}

func TestScratchOfOthers(t *testing.T) {
	dir := t.TempDir()
	g := open(t, dir)
	// No marker, another's marker, a bad one, a link, a file.
	for name, marker := range map[string]string{
		"none": "", "other": `{"schema":"benchproof/scratch/1","id":"x"}`, "schema": `{"schema":"y","id":"schema"}`, "bad": "{",
	} {
		p := filepath.Join(dir, ScratchPrefix+name)
		if err := os.MkdirAll(filepath.Join(p, "data"), 0o755); err != nil {
			t.Fatal(err)
		}
		if marker != "" {
			if err := os.WriteFile(filepath.Join(p, MarkerName), []byte(marker), 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := os.Symlink(dir, filepath.Join(dir, ScratchPrefix+"link")); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, ScratchPrefix+"file"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	before := listing(t, dir)
	for _, id := range []string{"none", "other", "schema", "bad", "link", "file", "gone"} {
		if s, err := g.OpenScratch(id); err == nil {
			t.Errorf("opened %s: %+v", id, s.marker)
		}
		if err := g.RemoveEmpty(id); err == nil {
			t.Errorf("removed %s", id)
		}
	}
	found, err := g.scratches()
	if err != nil || len(found) != 6 {
		t.Errorf("found %+v, %v", found, err)
	}
	for _, f := range found {
		if f.Err == nil {
			t.Errorf("%s passes for ours", f.Dir)
		}
	}
	if after := listing(t, dir); after != before {
		t.Errorf("changed:\n%s", after)
	}
	// What a crash leaves before the marker is written is empty.
	if err := os.Mkdir(filepath.Join(dir, ScratchPrefix+"crashed"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := g.RemoveEmpty("crashed"); err != nil {
		t.Error(err)
	}
	// A marker lost between opening and removing keeps everything.
	s, err := g.NewScratch(Marker{ID: "lost"})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if err := s.Mkdir("data"); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(filepath.Join(s.Dir(), MarkerName)); err != nil {
		t.Fatal(err)
	}
	if err := s.Remove(); err == nil {
		t.Error("removed without a marker")
	}
	if _, err := os.Stat(filepath.Join(s.Dir(), "data")); err != nil {
		t.Error(err)
	}
}
