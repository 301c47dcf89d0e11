package replay

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/benchproof/benchproof/replay/internal/process"
	"github.com/benchproof/benchproof/replay/internal/target"
	"github.com/benchproof/benchproof/replay/lab"
)

// nobody is a user that is not the one who tests.
const nobody = 65534

// killed returns a replay that was killed, with its scratch directory left.
func killed(t *testing.T) *stage {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	s := newStage(t, 1)
	cmd := exec.Command(self, runnerArg, s.journal, "0s", s.specs[0].Dir)
	cmd.Env = append(os.Environ(), modeVariable+"=hang")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	for end := time.Now().Add(20 * time.Second); ; time.Sleep(5 * time.Millisecond) {
		if st, err := loadState(s.journal); err == nil && len(st.records) > 0 {
			break
		}
		if time.Now().After(end) {
			t.Fatal("it does not begin")
		}
	}
	_ = cmd.Process.Kill()
	_ = cmd.Wait()
	for end := time.Now().Add(lockPatience); isLocked(s.journal) && time.Now().Before(end); {
		time.Sleep(10 * time.Millisecond)
	}
	if len(s.scratches()) != 1 {
		t.Fatalf("scratch directories: %v", s.scratches())
	}
	return s
}

// scratches returns the scratch directories in the target.
func (s *stage) scratches() []string {
	list, _ := filepath.Glob(filepath.Join(s.specs[0].Dir, target.ScratchPrefix+"*")) // the pattern is well formed
	return list
}

// copyDir copies a journal.
func copyDir(t *testing.T, from, to string) {
	t.Helper()
	if err := os.CopyFS(to, os.DirFS(from)); err != nil {
		t.Fatal(err)
	}
}

// forge changes the plan and the events of a journal, and vouches for the plan.
func forge(t *testing.T, journal string, plan func(*Plan), events ...event) {
	t.Helper()
	p, err := JournalPlan(journal)
	if err != nil {
		t.Fatal(err)
	}
	plan(p)
	var text bytes.Buffer
	if err := p.WriteJSON(&text); err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256(text.Bytes())
	var lines bytes.Buffer
	put := func(e event) {
		if e.Event == evPlan {
			e.Hash = hex.EncodeToString(sum[:])
		}
		if err := json.NewEncoder(&lines).Encode(e); err != nil {
			t.Fatal(err)
		}
	}
	if err := readJournal(journal, put); err != nil {
		t.Fatal(err)
	}
	for _, e := range events {
		put(e)
	}
	err = errors.Join(os.WriteFile(filepath.Join(journal, planFile), text.Bytes(), 0o644), os.WriteFile(filepath.Join(journal, journalFile), lines.Bytes(), 0o644))
	if err != nil {
		t.Fatal(err)
	}
}

// tree returns all that is below a directory, with what it is and holds.
func tree(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		all[path] = info.Mode().String()
		if info.Mode().IsRegular() {
			text, err := os.ReadFile(path)
			all[path] += " " + string(text)
			return err
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// TestSecurityJournalOwner: what ends processes and removes things acts on no
// journal that another user has written or could have; such a one can be looked
// at. No journal is begun where another can write.
func TestSecurityJournalOwner(t *testing.T) {
	s := killed(t)
	refused := func(what, want string) {
		t.Helper()
		if did, err := Clean(t.Context(), s.journal); err == nil || !strings.Contains(err.Error(), want) || len(did) > 0 {
			t.Errorf("%s: clean did %q, %v", what, did, err)
		}
		p, err := JournalPlan(s.journal)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := Resume(t.Context(), p, s.options()); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: resume: %v", what, err)
		}
		if _, err := ReadStatus(s.journal); err != nil {
			t.Errorf("%s: status: %v", what, err)
		}
		if len(s.scratches()) != 1 {
			t.Errorf("%s: scratch directories %q", what, s.scratches())
		}
	}
	t.Setenv("SUDO_UID", "")
	name := filepath.Join(s.journal, journalFile)
	for _, path := range []string{name, s.journal} {
		info, err := os.Stat(path)
		if err == nil {
			err = os.Chmod(path, info.Mode()|0o002)
		}
		if err != nil {
			t.Fatal(err)
		}
		refused("writable "+path, "everybody may write")
		if err := os.Chmod(path, info.Mode()); err != nil {
			t.Fatal(err)
		}
	}
	open := filepath.Join(t.TempDir(), "open")
	if err := errors.Join(os.Mkdir(open, 0o777), os.Chmod(open, 0o777)); err != nil {
		t.Fatal(err)
	}
	p, err := JournalPlan(s.journal)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := createJournal(open, p); err == nil || !strings.Contains(err.Error(), "everybody may write") {
		t.Errorf("begun in a directory that everybody may write to: %v", err)
	}
	if os.Geteuid() == 0 {
		for _, path := range []string{name, s.journal} {
			if err := os.Chown(path, nobody, nobody); err != nil {
				t.Fatal(err)
			}
			refused("another's "+path, "belongs to user 65534")
			t.Setenv("SUDO_UID", "65534")
			if err := OwnFile(path); err != nil {
				t.Errorf("%s of who called sudo: %v", path, err)
			}
			t.Setenv("SUDO_UID", "")
			if err := os.Chown(path, 0, 0); err != nil {
				t.Fatal(err)
			}
		}
		theirs := filepath.Join(t.TempDir(), "theirs")
		if err := errors.Join(os.Mkdir(theirs, 0o755), os.Chown(theirs, nobody, nobody)); err != nil {
			t.Fatal(err)
		}
		if _, err := createJournal(theirs, p); err == nil || !strings.Contains(err.Error(), "belongs to user 65534") {
			t.Errorf("begun in another's directory: %v", err)
		}
	}
	if did, err := Clean(t.Context(), s.journal); err != nil || len(s.scratches()) != 0 {
		t.Errorf("the replay's own journal did %q, %v", did, err)
	}
}

// TestSecurityJournalCopy: a copy of a journal, or one that gives itself out for
// another's, does not end that replay nor remove its directory. One that was
// moved does.
func TestSecurityJournalCopy(t *testing.T) {
	s := killed(t)
	other := filepath.Join(t.TempDir(), "copy")
	copyDir(t, s.journal, other)
	// It runs, and bears the mark of the replay.
	st, err := loadState(s.journal)
	if err != nil {
		t.Fatal(err)
	}
	running := exec.Command("sleep", "1000")
	running.Env = append(os.Environ(), process.Mark+"="+st.id)
	if err := running.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = running.Process.Kill(); _ = running.Wait() }()
	if did, err := Clean(t.Context(), other); err == nil || !strings.Contains(err.Error(), "is another") || len(did) > 0 {
		t.Errorf("the copy did %q, %v", did, err)
	}
	p, err := JournalPlan(other)
	if err != nil {
		t.Fatal(err)
	}
	o := s.options()
	o.Journal = other
	if _, err := Resume(t.Context(), p, o); err == nil || !strings.Contains(err.Error(), "is another") {
		t.Errorf("the copy went on: %v", err)
	}
	if !lives(running.Process.Pid) || len(s.scratches()) != 1 {
		t.Errorf("process %t, scratch directories %q", lives(running.Process.Pid), s.scratches())
	}
	moved := filepath.Join(t.TempDir(), "moved")
	if err := os.Rename(s.journal, moved); err != nil {
		t.Fatal(err)
	}
	if did, err := Clean(t.Context(), moved); err != nil || len(did) < 2 {
		t.Errorf("the moved one did %q, %v", did, err)
	}
	if len(s.scratches()) != 0 {
		t.Errorf("scratch directories %q", s.scratches())
	}
}

// TestSecurityForgedJournal: whatever paths a journal of one's own names, clean
// removes nothing that does not bear the marker of that replay.
func TestSecurityForgedJournal(t *testing.T) {
	s := killed(t)
	st, err := loadState(s.journal)
	if err != nil {
		t.Fatal(err)
	}
	name := target.ScratchPrefix + st.id
	victim := t.TempDir()
	mkdir := func(path string) string {
		t.Helper()
		if err := os.MkdirAll(path, 0o755); err != nil {
			t.Fatal(err)
		}
		return path
	}
	put := func(path, text string) {
		t.Helper()
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	marker := func(schema, id string) string {
		text, err := json.Marshal(target.Marker{Schema: schema, ID: id})
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	precious := mkdir(filepath.Join(victim, "precious"))
	put(filepath.Join(precious, "letter"), "dear")
	// Targets with something of that name that is not the replay's.
	dirs := map[string]func(dir string){
		"plain": func(d string) { put(filepath.Join(mkdir(filepath.Join(d, name)), "letter"), "dear") },
		"other": func(d string) {
			put(filepath.Join(mkdir(filepath.Join(d, name)), target.MarkerName), marker(target.MarkerSchema, "other"))
		},
		"schema": func(d string) {
			put(filepath.Join(mkdir(filepath.Join(d, name)), target.MarkerName), marker("x", st.id))
		},
		"file":    func(d string) { put(filepath.Join(d, name), "dear") },
		"link":    func(d string) { _ = os.Symlink(precious, filepath.Join(d, name)) },
		"no mark": func(d string) { mkdir(filepath.Join(d, name, "letters")) },
		"link mark": func(d string) {
			_ = os.Symlink(s.scratches()[0]+"/"+target.MarkerName, filepath.Join(mkdir(filepath.Join(d, name)), target.MarkerName))
		},
	}
	for what, make := range dirs {
		at := mkdir(filepath.Join(victim, what))
		make(at)
		forged := filepath.Join(t.TempDir(), "forged")
		copyDir(t, s.journal, forged)
		forge(t, forged, func(p *Plan) { p.Targets[0].Dir = at })
		before := tree(t, victim)
		did, err := Clean(t.Context(), forged)
		if err == nil {
			t.Errorf("%s: clean did %q", what, did)
		}
		if diff := cmp.Diff(before, tree(t, victim)); diff != "" {
			t.Errorf("%s: what is not the replay's has changed:\n%s", what, diff)
		}
	}
	// The directory of a lab.
	for _, at := range []string{
		precious, victim, "/", "", ".", "..", lab.Path(victim, "x") + "/../precious", lab.Path(victim, st.id) + "/..", lab.Path(precious, "other"),
	} {
		forged := filepath.Join(t.TempDir(), "forged")
		copyDir(t, s.journal, forged)
		forge(t, forged, func(p *Plan) { p.Targets[0].Dir = mkdir(filepath.Join(victim, "empty")) }, event{Event: evLab, Lab: at})
		mkdir(lab.Path(victim, "x"))
		mkdir(lab.Path(precious, "other"))
		before := tree(t, victim)
		// Where nothing is there, nothing is to be done.
		did, err := Clean(t.Context(), forged)
		if _, missing := os.Lstat(at); err == nil && missing == nil {
			t.Errorf("lab %q: clean did %q", at, did)
		}
		if diff := cmp.Diff(before, tree(t, victim)); diff != "" {
			t.Errorf("lab %q: what is not the replay's has changed:\n%s", at, diff)
		}
	}
	if did, err := Clean(t.Context(), s.journal); err != nil || len(s.scratches()) != 0 {
		t.Errorf("the replay's own journal did %q, %v", did, err)
	}
}

// TestSecurityJournalFiles: what stands in the place of a journal's files is not
// waited for.
func TestSecurityJournalFiles(t *testing.T) {
	s := newStage(t, 1)
	s.run(s.plan([]Row{fakeRow("Mode: ok - Size: 4", "MB/s")}, once))
	for _, name := range []string{planFile, journalFile} {
		dir := filepath.Join(t.TempDir(), "journal")
		copyDir(t, s.journal, dir)
		path := filepath.Join(dir, name)
		if err := errors.Join(os.Remove(path), syscall.Mkfifo(path, 0o600)); err != nil {
			t.Fatal(err)
		}
		done := make(chan error, 2)
		go func() {
			_, err := ReadStatus(dir)
			done <- err
			_, err = Clean(t.Context(), dir)
			done <- err
		}()
		for range cap(done) {
			select {
			case err := <-done:
				if err == nil || !strings.Contains(err.Error(), "no regular file") {
					t.Errorf("a pipe for %s: %v", name, err)
				}
			case <-time.After(20 * time.Second):
				t.Fatalf("a pipe for %s is waited for", name)
			}
		}
	}
}

// TestCleanUnmarked: what a replay leaves that was killed between making its
// directory and marking it is removed.
func TestCleanUnmarked(t *testing.T) {
	s := killed(t)
	at := s.scratches()[0]
	if err := errors.Join(os.RemoveAll(at), os.Mkdir(at, 0o700)); err != nil {
		t.Fatal(err)
	}
	if did, err := Clean(t.Context(), s.journal); err != nil || len(s.scratches()) != 0 {
		t.Errorf("did %q, %v; left %q", did, err, s.scratches())
	}
}

// TestSecurityJournalMode: a journal is as open as the umask lets it be, raw
// outputs included, and never to be written by others.
func TestSecurityJournalMode(t *testing.T) {
	for _, tt := range []struct {
		mask int
		not  fs.FileMode
	}{{0o077, 0o077}, {0, 0o022}} {
		func() {
			old := syscall.Umask(tt.mask)
			defer syscall.Umask(old)
			s := newStage(t, 1)
			p := s.plan([]Row{fakeRow("Mode: ok - Size: 4", "MB/s")}, once)
			s.run(p)
			s.gather(p)
			n := 0
			err := filepath.WalkDir(s.journal, func(path string, d fs.DirEntry, err error) error {
				if err != nil {
					return err
				}
				info, err := d.Info()
				if err == nil && info.Mode().Perm()&tt.not != 0 {
					t.Errorf("umask %o: %s is %v", tt.mask, path, info.Mode())
				}
				n++
				return err
			})
			if err != nil || n < 8 {
				t.Errorf("%d files, %v", n, err)
			}
		}()
	}
}
