package corpus

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// CommitReport says what a commit did.
type CommitReport struct {
	Sets       int   `json:"sets"`
	Parts      int   `json:"parts"`
	Files      int64 `json:"files"`
	Duplicates int64 `json:"duplicates"` // files that were there already
}

// Commit takes the partial sets of these names into the corpus in dir, all
// that wait where there are none, in the order of their names. A file that the
// corpus has, or an earlier set, comes in once. It may be repeated after an
// end of the process: what was taken in is not taken again.
func Commit(ctx context.Context, dir, program string, names ...string) (report CommitReport, err error) {
	if _, err := os.Stat(dir); err != nil {
		return report, err
	}
	s, err := openStore(dir, program)
	if err != nil {
		return report, err
	}
	defer func() { err = errors.Join(err, s.close()) }()
	if len(names) == 0 {
		if names, err = partials(dir); err != nil {
			return report, err
		}
	}
	known := newIndex()
	if err := known.load(dir, s.manifest); err != nil {
		return report, err
	}
	for _, name := range names {
		if err := s.take(ctx, name, known, &report); err != nil {
			return report, fmt.Errorf("partial set %s: %w", name, err)
		}
	}
	return report, s.supersede(known.superseded())
}

// noSetError is ErrNoCorpus of a partial set.
type noSetError struct{}

func (noSetError) Error() string { return "there is no such set: corpus add --partial NAME makes one" }

func (noSetError) Is(target error) bool { return target == ErrNoCorpus }

// take takes one partial set in, and removes it.
func (s *store) take(ctx context.Context, name string, known *index, report *CommitReport) error {
	dir, err := partialPath(s.dir, name)
	if err != nil {
		return err
	}
	if _, err := readManifest(dir); errors.Is(err, ErrNoCorpus) {
		return noSetError{}
	} else if err != nil {
		return err // nothing is made in the place of a set that is not there
	}
	from, err := openStore(dir, s.program)
	if err != nil {
		return err
	}
	set := &Corpus{dir: dir, manifest: from.manifest}
	report.Sets++
	for _, p := range from.manifest.Parts {
		if err = ctx.Err(); err == nil {
			err = s.takePart(set, p, known, report)
		}
		if err != nil {
			return errors.Join(err, from.close())
		}
	}
	// Without its manifest it is no set any more, whatever else is left.
	if err := errors.Join(os.Remove(filepath.Join(dir, manifestName)), from.close()); err != nil {
		return err
	}
	return os.RemoveAll(dir)
}

// takePart takes one part of a set in: as it is, or where it holds files that
// are there already a new one of the others. The set keeps its own: only when
// all of it is in the corpus does it go.
func (s *store) takePart(set *Corpus, p Part, known *index, report *CommitReport) error {
	one := &Corpus{dir: set.dir, manifest: &Manifest{Parts: []Part{p}}}
	twice := map[int64]bool{}
	files := int64(0)
	err := one.each(func(at filePlace) error {
		files++
		if _, has := known.contents[at.head.File]; has {
			twice[at.head.File] = true
		}
		return nil
	})
	if err != nil {
		return err
	}
	report.Duplicates += int64(len(twice))
	if int64(len(twice)) == files {
		news, err := known.news(set.dir, p)
		if err != nil || !news {
			return err // taken in before a process ended, or nothing but copies
		}
	}
	if len(twice) == 0 {
		err = s.linkPart(set.dir, p)
	} else {
		err = s.rewritePart(one, twice)
	}
	if err != nil {
		return err
	}
	report.Parts++
	report.Files += files - int64(len(twice))
	return known.load(s.dir, &Manifest{Parts: s.manifest.Parts[len(s.manifest.Parts)-1:]})
}

// news reports whether a part knows a path that the index does not know, or
// not so.
func (x *index) news(dir string, p Part) (bool, error) {
	t, err := openPartTable[pathRow](dir, p, tablePaths)
	if err != nil {
		return false, err
	}
	defer closeTable(t)
	news := false
	err = t.each(func(r *pathRow) error {
		c, err := parseContent(r.SHA256)
		if err != nil {
			return err
		}
		old, has := x.paths[pathKey(r.Path)]
		news = news || !has || old.key != c.key(1) || old.size != r.Bytes || old.mtime != r.MTime
		return nil
	})
	return news, err
}

// linkPart makes a part of the corpus of the files of another's.
func (s *store) linkPart(dir string, p Part) error {
	from := filepath.Join(dir, dataDir, p.Name)
	p.Name = partNameOf(s.manifest.Next)
	to := filepath.Join(s.dir, pendingDir, p.Name)
	if err := os.Mkdir(to, 0o777); err != nil {
		return err
	}
	for _, table := range Tables() {
		if err := linkOrCopy(filepath.Join(from, tableFile(table)), filepath.Join(to, tableFile(table))); err != nil {
			return err
		}
	}
	if err := syncDir(to); err != nil {
		return err
	}
	return s.adopt(to, p)
}

// linkOrCopy gives a file a second name, or copies it where the file-system
// knows no such thing.
func linkOrCopy(from, to string) error {
	if os.Link(from, to) == nil {
		return nil
	}
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o666)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	return cmp.Or(err, out.Sync(), out.Close())
}

// rewritePart makes a part of the files of a set of one part without those in
// skip.
func (s *store) rewritePart(one *Corpus, skip map[int64]bool) error {
	made, err := s.begin(s.manifest.Next)
	if err != nil {
		return err
	}
	if err := copyPart(one, made, skip); err != nil {
		made.discard()
		return err
	}
	return s.commit(made)
}

// copyPart writes the files of a set of one part without those in skip, and
// all paths, into a part.
func copyPart(from *Corpus, to *part, skip map[int64]bool) error {
	p := from.manifest.Parts[0]
	r, err := from.openPart(p)
	if err != nil {
		return err
	}
	defer r.close()
	err = from.each(func(at filePlace) error {
		if skip[at.head.File] {
			return nil
		}
		head, err := r.files.Rows(at.file, 1)
		if err != nil {
			return err
		}
		c, err := parseContent(head[0].SHA256)
		if err != nil {
			return err
		}
		f, err := r.restore(at)
		if err != nil {
			return err
		}
		return to.write(f, source{c, head[0].Bytes, int(head[0].Number)})
	})
	if err != nil {
		return err
	}
	paths, err := openPartTable[pathRow](from.dir, p, tablePaths)
	if err != nil {
		return err
	}
	defer closeTable(paths)
	return paths.each(func(row *pathRow) error {
		if c, err := parseContent(row.SHA256); err == nil && skip[c.key(1)] {
			row.Status, row.Results = pathDuplicate, 0
		}
		return to.paths.Append(*row, 200+len(row.Path)+len(row.Error))
	})
}
