package target

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// put makes a file, with the directories above it.
func put(t *testing.T, path, text string) string {
	t.Helper()
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text), 0o600)); err != nil {
		t.Fatal(err)
	}
	return path
}

// intact makes sure that a file holds what it held.
func intact(t *testing.T, path string) {
	t.Helper()
	if text, err := os.ReadFile(path); err != nil || string(text) != "dear" {
		t.Errorf("%s holds %q, %v", path, text, err)
	}
}

// TestSecuritySwapped: whoever owns the target, and puts a link or another
// directory in the place of the scratch directory while it is used, is noticed,
// and leads nothing that is made, written, given away or removed out of it.
func TestSecuritySwapped(t *testing.T) {
	for what, swap := range map[string]func(victim, at string) error{
		"link":      os.Symlink,
		"directory": os.Rename,
	} {
		t.Run(what, func(t *testing.T) {
			g := open(t, t.TempDir())
			s, err := g.NewScratch(Marker{ID: "swapped"})
			if err != nil {
				t.Fatal(err)
			}
			if err := s.Mkdir("w/data"); err != nil {
				t.Fatal(err)
			}
			// It looks the same, its marker included.
			victim := filepath.Join(g.Dir(), "victim")
			put(t, filepath.Join(victim, "w/data/letter"), "dear")
			put(t, filepath.Join(victim, "letter"), "dear")
			marker, err := os.ReadFile(filepath.Join(s.Dir(), MarkerName))
			if err != nil {
				t.Fatal(err)
			}
			put(t, filepath.Join(victim, MarkerName), string(marker))
			moved, at := filepath.Join(g.Dir(), "moved"), s.Dir()
			if err := errors.Join(os.Rename(at, moved), swap(victim, at)); err != nil {
				t.Fatal(err)
			}
			var changed *changed
			if err := s.Check(); !errors.As(err, &changed) {
				t.Errorf("not noticed: %v", err)
			}
			if err := errors.Join(s.Mkdir("w/more"), s.Root().WriteFile("w/data/new", nil, 0o600), s.Own("w", os.Getuid(), os.Getgid()), s.RemoveTree("w/data")); err != nil {
				t.Error(err)
			}
			if _, err := os.Stat(filepath.Join(moved, "w/more")); err != nil {
				t.Error(err)
			}
			if err := s.Remove(); err == nil || !strings.Contains(err.Error(), "another directory by now") {
				t.Errorf("removed: %v", err)
			}
			intact(t, filepath.Join(at, "w/data/letter"))
			intact(t, filepath.Join(at, "letter"))
			if names, err := os.ReadDir(filepath.Join(at, "w")); err != nil || len(names) != 1 {
				t.Errorf("made in the other: %v, %v", names, err)
			}
			if list, err := os.ReadDir(moved); err != nil || len(list) != 0 {
				t.Errorf("left of the own: %v, %v", list, err)
			}
		})
	}
}

// TestSecurityInside: links that a tool leaves in its directory, and names that
// lead out of it, reach nothing outside.
func TestSecurityInside(t *testing.T) {
	g := open(t, t.TempDir())
	s, err := g.NewScratch(Marker{ID: "inside"})
	if err != nil {
		t.Fatal(err)
	}
	letter := put(t, filepath.Join(t.TempDir(), "victim", "letter"), "dear")
	victim := filepath.Dir(letter)
	beside := put(t, filepath.Join(g.Dir(), "beside"), "dear")
	if err := s.Mkdir("w"); err != nil {
		t.Fatal(err)
	}
	for name, to := range map[string]string{"dir": victim, "file": letter, "up": "../..", "self": "."} {
		if err := os.Symlink(to, filepath.Join(s.Dir(), "w", name)); err != nil {
			t.Fatal(err)
		}
	}
	for what, try := range map[string]func() error{
		"mkdir through a link": func() error { return s.Mkdir("w/dir/made") },
		"write through a link": func() error { return s.Root().WriteFile("w/file", nil, 0o600) },
		"write behind a link":  func() error { return s.Root().WriteFile("w/dir/letter", nil, 0o600) },
		"write above":          func() error { return s.Root().WriteFile("../beside", nil, 0o600) },
		"write by up":          func() error { return s.Root().WriteFile("w/up/beside", nil, 0o600) },
		"remove through":       func() error { return s.RemoveTree("w/dir/letter") },
		"remove above":         func() error { return s.RemoveTree("../beside") },
		"remove by up":         func() error { return s.RemoveTree("w/up/beside") },
		"remove absolute":      func() error { return s.RemoveTree(letter) },
		"remove all":           func() error { return s.RemoveTree(".") },
		"remove the marker":    func() error { return s.RemoveTree("w/../" + MarkerName) },
	} {
		if err := try(); err == nil {
			t.Errorf("%s: done", what)
		}
		intact(t, letter)
		intact(t, beside)
	}
	if os.Geteuid() == 0 {
		if err := s.Own("w", 65534, 65534); err != nil {
			t.Error(err)
		}
		if info, err := os.Stat(letter); err != nil || info.Sys().(*syscall.Stat_t).Uid != 0 {
			t.Errorf("given away through a link: %v", err)
		}
	}
	if err := errors.Join(s.RemoveTree("w/dir"), s.Remove()); err != nil {
		t.Error(err)
	}
	intact(t, letter)
	intact(t, beside)
}

// TestSecurityScratchMode: nobody else can look into or write to the scratch
// directory of a program that runs as this user.
func TestSecurityScratchMode(t *testing.T) {
	old := syscall.Umask(0)
	defer syscall.Umask(old)
	g := open(t, t.TempDir())
	s, err := g.NewScratch(Marker{ID: "mode"})
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]os.FileMode{"": 0o700, MarkerName: 0o600} {
		if info, err := os.Stat(filepath.Join(s.Dir(), name)); err != nil || info.Mode().Perm() != want {
			t.Errorf("%q: %v, %v; want %o", name, info.Mode(), err, want)
		}
	}
	if err := s.Remove(); err != nil {
		t.Error(err)
	}
}

// TestSecurityLockPlanted: what others put in the place of a lock file, in a
// directory that all may write to, is neither followed nor written nor waited
// for.
func TestSecurityLockPlanted(t *testing.T) {
	g := open(t, t.TempDir())
	locks := t.TempDir()
	l, err := Lock(locks, Holder{ID: "first"}, g)
	if err != nil {
		t.Fatal(err)
	}
	l.Unlock()
	names, err := filepath.Glob(filepath.Join(locks, "benchproof-*.lock"))
	if err != nil || len(names) == 0 {
		t.Fatalf("%v, %v", names, err)
	}
	letter := put(t, filepath.Join(t.TempDir(), "letter"), "dear")
	for what, plant := range map[string]func(at string) error{
		"link":      func(at string) error { return os.Symlink(letter, at) },
		"nowhere":   func(at string) error { return os.Symlink(letter+"2", at) },
		"hard link": func(at string) error { return os.Link(letter, at) },
		"pipe":      func(at string) error { return syscall.Mkfifo(at, 0o666) },
		"directory": func(at string) error { return os.Mkdir(at, 0o777) },
	} {
		if err := errors.Join(os.Remove(names[0]), plant(names[0])); err != nil {
			t.Fatal(err)
		}
		if l, err := Lock(locks, Holder{ID: "second"}, g); err == nil {
			l.Unlock()
			t.Errorf("%s: locked", what)
		}
		intact(t, letter)
		if _, err := os.Lstat(letter + "2"); err == nil {
			t.Errorf("%s: made what it points to", what)
		}
	}
}

// TestSecurityForeignTarget: a plan says where another user owns the target or
// what it lies in, and nothing of the user who called sudo.
func TestSecurityForeignTarget(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("needs root to be two users")
	}
	above := filepath.Join(t.TempDir(), "above")
	dir := filepath.Join(above, "target")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	said := func() string { return strings.Join(open(t, dir).Notes(), "; ") }
	t.Setenv("SUDO_UID", "")
	if s := said(); strings.Contains(s, "belongs to user") {
		t.Errorf("root's: %s", s)
	}
	for _, at := range []string{dir, above} {
		if err := os.Chown(at, 4242, 4242); err != nil {
			t.Fatal(err)
		}
		t.Setenv("SUDO_UID", "")
		if s := said(); !strings.Contains(s, at+" belongs to user 4242") {
			t.Errorf("%s of another: %s", at, s)
		}
		t.Setenv("SUDO_UID", "4242")
		if s := said(); strings.Contains(s, "belongs to user") {
			t.Errorf("%s of who called sudo: %s", at, s)
		}
		if err := os.Chown(at, 0, 0); err != nil {
			t.Fatal(err)
		}
	}
}
