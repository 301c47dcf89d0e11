package corpus

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"sync"
)

// Names in a corpus' directory beside the manifest.
const (
	dataDir    = "data"    // the parts
	pendingDir = "pending" // parts in the making
	partialDir = "partial" // sets that wait for a commit
	lockName   = "lock"
)

// ErrLocked is what errors.Is finds in the error of a writer that finds
// another one at work.
var ErrLocked = errors.New("another process writes this corpus")

// store is a corpus that this process writes.
type store struct {
	dir     string
	lock    *os.File
	program string

	mu       sync.Mutex
	manifest *Manifest
}

// openStore opens the corpus in dir for writing, and makes it where there is
// none. It removes what a writer that was killed has left.
func openStore(dir, program string) (*store, error) {
	if err := usable(dir); err != nil {
		return nil, err
	}
	if err := noLinks(dir, dataDir, pendingDir, partialDir, lockName); err != nil {
		return nil, err
	}
	for _, d := range []string{dir, filepath.Join(dir, dataDir), filepath.Join(dir, pendingDir)} {
		if err := os.MkdirAll(d, 0o777); err != nil {
			return nil, err
		}
	}
	lock, err := os.OpenFile(filepath.Join(dir, lockName), os.O_CREATE|os.O_RDWR, 0o666)
	if err != nil {
		return nil, err
	}
	s := &store{dir: dir, lock: lock, program: program}
	if ok, err := tryLock(lock); !ok {
		if err == nil {
			err = ErrLocked
		}
		return nil, errors.Join(fmt.Errorf("%s: %w", dir, err), lock.Close())
	}
	if err := s.load(); err != nil {
		return nil, errors.Join(err, lock.Close())
	}
	return s, nil
}

// load reads the manifest, or writes the first, and tidies up.
func (s *store) load() error {
	var err error
	s.manifest, err = readManifest(s.dir)
	if errors.Is(err, ErrNoCorpus) {
		if err := s.orphaned(); err != nil {
			return err
		}
		s.manifest = &Manifest{Schema: SchemaID, Program: s.program, Parts: []Part{}, Next: 1}
		err = s.manifest.write(s.dir)
	}
	if err != nil {
		return err
	}
	known := map[string]bool{}
	for _, p := range s.manifest.Parts {
		known[p.Name] = true
	}
	// What is removed lies in the corpus, whatever others make of its directories
	// meanwhile.
	root, err := os.OpenRoot(s.dir)
	if err != nil {
		return err
	}
	defer root.Close()
	for _, d := range []string{dataDir, pendingDir} {
		entries, err := os.ReadDir(filepath.Join(s.dir, d))
		if err != nil {
			return err
		}
		for _, e := range entries {
			// Only what has the name of a part can be one of ours.
			if partName.MatchString(e.Name()) && (d == pendingDir || !known[e.Name()]) {
				if err := root.RemoveAll(filepath.Join(d, e.Name())); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// orphaned returns an error where there are parts and no manifest, which a writer
// writes before the first: somebody has lost it, and it can come back. A partial
// set without one was taken in.
func (s *store) orphaned() error {
	if filepath.Base(filepath.Dir(s.dir)) == partialDir {
		return nil
	}
	entries, err := os.ReadDir(filepath.Join(s.dir, dataDir))
	if err != nil {
		return err
	}
	for _, e := range entries {
		if partName.MatchString(e.Name()) {
			return fmt.Errorf("%s has lost its %s, and holds parts: put it back, or remove %s", s.dir, manifestName, filepath.Join(s.dir, dataDir))
		}
	}
	return nil
}

func (s *store) close() error { return s.lock.Close() }

// noLinks makes sure that none of the names in dir is a symbolic link: in a
// corpus that others may write to it would lead what is made and removed there
// to another place.
func noLinks(dir string, names ...string) error {
	for _, name := range names {
		path := filepath.Join(dir, name)
		if info, err := os.Lstat(path); err == nil && info.Mode()&fs.ModeSymlink != 0 {
			return fmt.Errorf("%s is a symbolic link: a corpus has none of its own", path)
		}
	}
	return nil
}

// usable makes sure that dir is a corpus, empty, or not there: nothing is
// written among files of others.
func usable(dir string) error {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	for _, e := range entries {
		switch e.Name() {
		case manifestName:
			return nil
		case dataDir, pendingDir, partialDir, lockName:
		default:
			return fmt.Errorf("%s: %w, and it holds %q: want an empty directory, or a new one", dir, ErrNoCorpus, e.Name())
		}
	}
	return nil
}

// begin begins the part of a number.
func (s *store) begin(number int) (*part, error) {
	return newPart(filepath.Join(s.dir, pendingDir, partNameOf(number)))
}

// commit makes a part of this store's a part of the corpus.
func (s *store) commit(p *part) error {
	done, err := p.finish()
	if err != nil {
		return err
	}
	done.Name = filepath.Base(p.dir)
	return s.adopt(p.dir, done)
}

// adopt moves a finished part from its directory into the corpus. Its name is
// that of the part.
func (s *store) adopt(from string, done Part) error {
	to := filepath.Join(s.dir, dataDir, done.Name)
	if err := os.Rename(from, to); err != nil {
		return err
	}
	if err := syncDir(filepath.Dir(to)); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	m := *s.manifest
	m.Program = s.program
	// Parts end in any order, and stand in that of their numbers.
	at := len(m.Parts)
	for at > 0 && later(m.Parts[at-1].Name, done.Name) {
		at--
	}
	m.Parts = append(append(append([]Part{}, m.Parts[:at]...), done), m.Parts[at:]...)
	var number int
	if _, err := fmt.Sscanf(done.Name, "part-%d", &number); err != nil {
		return err
	}
	m.Next = max(m.Next, number+1)
	if err := m.write(s.dir); err != nil {
		return err
	}
	s.manifest = &m
	return nil
}

// later reports whether the part a has a higher number than b.
func later(a, b string) bool {
	if len(a) != len(b) {
		return len(a) > len(b)
	}
	return a > b
}

// supersede writes how many inputs no path holds.
func (s *store) supersede(n int) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.manifest.Superseded == n {
		return nil
	}
	m := *s.manifest
	m.Superseded = n
	if err := m.write(s.dir); err != nil {
		return err
	}
	s.manifest = &m
	return nil
}

// partialName is what a set that waits for a commit may be called: it becomes
// a directory's name.
var partialName = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9_.-]{0,99}$`)

// ErrPartialName is what errors.Is finds in the error for a name that no partial
// set can have.
var ErrPartialName = errors.New("no name of a partial set")

// partialPath returns the directory of a partial set.
func partialPath(dir, name string) (string, error) {
	if !partialName.MatchString(name) {
		return "", fmt.Errorf("%q is %w: want letters, digits, dots and dashes", name, ErrPartialName)
	}
	return filepath.Join(dir, partialDir, name), noLinks(dir, partialDir, filepath.Join(partialDir, name))
}
