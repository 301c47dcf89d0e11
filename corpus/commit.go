package corpus

import (
	"context"
	"errors"
	"fmt"
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

// take takes one partial set in, and removes it.
func (s *store) take(ctx context.Context, name string, known *index, report *CommitReport) error {
	dir, err := partialPath(s.dir, name)
	if err != nil {
		return err
	}
	if _, err := readManifest(dir); err != nil {
		return err // nothing is made in the place of a set that is not there
	}
	from, err := openStore(dir, s.program)
	if err != nil {
		return err
	}
	defer from.close() // of a set that is gone
	set := &Corpus{dir: dir, manifest: from.manifest}
	report.Sets++
	for _, p := range from.manifest.Parts {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := s.takePart(set, p, known, report); err != nil {
			return err
		}
	}
	return os.RemoveAll(dir)
}

// takePart takes one part of a set in: as it is, or where it holds files that
// are there already a new one of the others.
func (s *store) takePart(set *Corpus, p Part, known *index, report *CommitReport) error {
	one := &Corpus{dir: set.dir, manifest: &Manifest{Parts: []Part{p}}}
	if _, err := os.Stat(filepath.Join(set.dir, dataDir, p.Name)); errors.Is(err, os.ErrNotExist) {
		return nil // taken in before a process ended
	}
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
	number := s.manifest.Next
	if len(twice) == 0 {
		done := p
		done.Name = partNameOf(number)
		if err := known.load(set.dir, one.manifest); err != nil {
			return err
		}
		if err := s.adopt(filepath.Join(set.dir, dataDir, p.Name), done); err != nil {
			return err
		}
	} else {
		made, err := s.begin(number)
		if err != nil {
			return err
		}
		if err := copyPart(one, made, twice); err != nil {
			made.discard()
			return err
		}
		if err := s.commit(made); err != nil {
			return err
		}
		if err := known.load(s.dir, &Manifest{Parts: []Part{s.manifest.Parts[len(s.manifest.Parts)-1]}}); err != nil {
			return err
		}
		if err := os.RemoveAll(filepath.Join(set.dir, dataDir, p.Name)); err != nil {
			return err
		}
	}
	report.Parts++
	report.Files += files - int64(len(twice))
	report.Duplicates += int64(len(twice))
	return nil
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
