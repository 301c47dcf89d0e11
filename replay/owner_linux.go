package replay

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"syscall"

	"golang.org/x/sys/unix"

	"github.com/benchproof/benchproof/replay/internal/target"
)

// openRegular opens a file to read that must be a plain one: a pipe in its
// place would be waited for.
func openRegular(name string) (*os.File, error) {
	file, err := os.OpenFile(name, os.O_RDONLY|unix.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	info, err := file.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = fmt.Errorf("%s is no regular file", name)
	}
	if err != nil {
		file.Close()
		return nil, err
	}
	return file, nil
}

// ownJournal makes sure that the journal in a directory, whose open file that
// is, was written by this user. By what it names processes are ended, and
// directories and devices removed, with this user's rights.
func ownJournal(dir string, file *os.File) error {
	info, err := file.Stat()
	if err != nil {
		return err
	}
	if err := ownFile(file.Name(), info); err != nil {
		return err
	}
	return OwnDir(dir)
}

// plainBelow makes sure that all below the directory of a journal is a file or a
// directory. Through a link in it, which an archive of somebody else's may hold,
// outputs and results would be written elsewhere, and a pipe would be waited for.
func plainBelow(dir string) error {
	// The directory itself may be reached by a link of the user's own.
	return filepath.WalkDir(dir+string(filepath.Separator), func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil, d.IsDir(), d.Type().IsRegular(), d.Type()&fs.ModeSocket != 0:
			return err
		case d.Type()&fs.ModeSymlink != 0:
			return &ForeignError{path, "is a link: a journal is written to below its own directory alone"}
		}
		return &ForeignError{path, "is no regular file"}
	})
}

// OwnDir makes sure that a directory is this user's, or root's, and that not
// everybody may write to it.
func OwnDir(dir string) error {
	info, err := os.Stat(dir)
	if err != nil {
		return err
	}
	return ownFile(dir, info)
}

// OwnFile makes sure that a file is this user's and not everybody's to write.
func OwnFile(name string) error {
	info, err := os.Lstat(name)
	if err != nil {
		return err
	}
	return ownFile(name, info)
}

func ownFile(name string, info fs.FileInfo) error {
	st, ok := info.Sys().(*syscall.Stat_t)
	switch {
	case !ok:
		return fmt.Errorf("%s: its owner is not known", name)
	case int(st.Uid) != os.Geteuid() && (st.Uid != 0 || !info.IsDir()) && !calledSudo(st.Uid):
		return &ForeignError{name, fmt.Sprintf("belongs to user %d, and this is user %d: it is for the user whose it is", st.Uid, os.Geteuid())}
	case info.Mode().Perm()&0o002 != 0:
		return &ForeignError{name, "is one that everybody may write to: it is for its user alone"}
	}
	return nil
}

// calledSudo reports whether this program is root's by the sudo of that user, who
// has those rights anyway.
func calledSudo(uid uint32) bool {
	return os.Geteuid() == 0 && os.Getenv("SUDO_UID") == strconv.FormatUint(uint64(uid), 10)
}

// original returns an error where a scratch directory of the replay says that
// its journal is another than that in dir: dir is a copy, or gives itself out
// for it. A journal that was moved is none, since there is no other then.
func original(dir, id string, targets []*target.Target) error {
	own, err := os.Stat(filepath.Join(dir, journalFile))
	if err != nil {
		return err
	}
	for _, t := range targets {
		s, err := t.OpenScratch(id)
		if err != nil {
			continue // met again when it is removed
		}
		m := s.Marker()
		_ = s.Close() // it was only read
		if other, err := os.Stat(filepath.Join(m.Journal, journalFile)); err == nil && !os.SameFile(own, other) {
			return fmt.Errorf("%s is of the journal %s, and %s is another", s.Dir(), m.Journal, dir)
		}
	}
	return nil
}
