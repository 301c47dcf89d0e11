package main

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// keepFaults keeps an input if something was wrong.
func (w *tortureWorker) keepFaults(i uint64, t *tortureInput, runs []tortureRun) error {
	for _, r := range runs {
		if len(r.Faults) > 0 {
			return w.keep(i, t, runs)
		}
	}
	return nil
}

// keep copies an input that failed, with what was wrong.
func (w *tortureWorker) keep(i uint64, t *tortureInput, runs []tortureRun) error {
	dir := filepath.Join(w.Failed, fmt.Sprintf("%d-%d-%s", w.Seed, i, strings.ReplaceAll(t.kind, " ", "-")))
	if t.size > 20<<20 {
		return nil // seed and index make it again
	}
	if err := os.RemoveAll(dir); err != nil {
		return err
	}
	if err := copyTree(dir, "in"); err != nil {
		return err
	}
	var b strings.Builder
	fmt.Fprintf(&b, "seed %d, index %d, kind %s, from %s\n", w.Seed, i, t.kind, t.Seed)
	for _, r := range runs {
		for _, f := range r.Faults {
			fmt.Fprintf(&b, "%q\n  %s\n", r.Args, f)
		}
	}
	return os.WriteFile(filepath.Join(dir, "FAULTS"), []byte(b.String()), 0o666)
}

// copyTree copies the regular files below a folder, whatever they are called:
// os.CopyFS takes no name that is not UTF-8.
func copyTree(to, from string) error {
	return filepath.WalkDir(from, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		switch {
		case d.IsDir():
			return os.MkdirAll(filepath.Join(to, name), 0o777)
		case !d.Type().IsRegular():
			return nil
		}
		if info, err := d.Info(); err != nil || info.Size() > 20<<20 {
			return nil // as what is sparse, or gone by now
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(to, name), data, 0o666)
	})
}
