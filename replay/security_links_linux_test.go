package replay

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// TestSecurityJournalLinks: going on with a journal writes nothing through what
// somebody has put in it, and waits for no pipe.
func TestSecurityJournalLinks(t *testing.T) {
	s := newStage(t, 1)
	p := s.plan([]Row{fakeRow("Mode: ok - Size: 4", "MB/s")}, once)
	s.run(p)
	run := filepath.Join(runsDir, p.Steps[0].RunID)
	rep := filepath.Join(run, "b1-r001")
	for _, name := range []string{journalFile, planFile, "result.json", runsDir, run, rep, filepath.Join(rep, "before.json"), filepath.Join(rep, "last.json")} {
		victim := t.TempDir()
		text := []byte("precious")
		// The journal's link leads to a journal, that of another replay.
		if whole, err := os.ReadFile(filepath.Join(s.journal, name)); err == nil {
			text = whole
		}
		if name == journalFile {
			text = append(text, `{"event":"torn`...)
		}
		file := filepath.Join(victim, "file")
		if err := os.WriteFile(file, text, 0o644); err != nil {
			t.Fatal(err)
		}
		to := file
		if info, err := os.Stat(filepath.Join(s.journal, name)); err == nil && info.IsDir() {
			to = victim
		}
		before := tree(t, victim)
		for _, pipe := range []bool{false, true} {
			if pipe && to == victim {
				continue
			}
			forged := filepath.Join(t.TempDir(), "forged")
			copyDir(t, s.journal, forged)
			path := filepath.Join(forged, name)
			err := os.RemoveAll(path)
			if pipe {
				err = errors.Join(err, syscall.Mkfifo(path, 0o600))
			} else {
				err = errors.Join(err, os.Symlink(to, path))
			}
			if err != nil {
				t.Fatal(err)
			}
			// Begun, and nothing done.
			if name != journalFile {
				line, err := os.ReadFile(filepath.Join(s.journal, journalFile))
				if err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(filepath.Join(forged, journalFile), line[:bytes.IndexByte(line, '\n')+1], 0o644); err != nil {
					t.Fatal(err)
				}
			}
			o := s.options()
			o.Journal = forged
			done := make(chan error, 1)
			go func() {
				_, err := Resume(t.Context(), p, o)
				done <- err
			}()
			var foreign *ForeignError
			select {
			case err := <-done:
				if !errors.As(err, &foreign) && !(pipe && name == journalFile && err != nil) {
					t.Errorf("%s, a pipe: %v: resumed with %v", name, pipe, err)
				}
			case <-time.After(20 * time.Second):
				t.Fatalf("%s: a pipe is waited for", name)
			}
		}
		if diff := cmp.Diff(before, tree(t, victim)); diff != "" {
			t.Errorf("%s: what it leads to has changed:\n%s", name, diff)
		}
	}
	// The directory itself may be reached by a link.
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(s.journal, link); err != nil {
		t.Fatal(err)
	}
	o := s.options()
	o.Journal = link
	if out, err := Resume(t.Context(), p, o); err != nil || out.Done != 1 {
		t.Errorf("by a link to its directory: %+v, %v", out, err)
	}
}
