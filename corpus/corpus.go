package corpus

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"

	"github.com/benchproof/benchproof/result"
)

// Corpus is a corpus that is read. What is added later does not show in it.
type Corpus struct {
	dir      string
	manifest *Manifest
}

// Open opens the corpus in dir. It returns an error for which errors.Is finds
// [ErrNoCorpus] where there is none.
func Open(dir string) (*Corpus, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	m, err := readManifest(dir)
	if err != nil {
		return nil, err
	}
	return &Corpus{dir: dir, manifest: m}, nil
}

// Manifest returns what the corpus consists of. The caller must not change it.
func (c *Corpus) Manifest() *Manifest { return c.manifest }

// Info is a summary of a corpus.
type Info struct {
	Schema  string `json:"corpus_schema"` // SchemaID
	Program string `json:"program"`
	Dir     string `json:"dir"`
	Parts   int    `json:"parts"`
	Bytes   int64  `json:"bytes"` // of all tables
	// Inputs are different contents, Paths where they were found, and
	// Superseded those of the inputs that no path holds any longer.
	Inputs     int         `json:"inputs"`
	Paths      int         `json:"paths"`
	Superseded int         `json:"superseded"`
	Unreadable int         `json:"unreadable"` // inputs without a result, or damaged
	Tables     []TableInfo `json:"tables"`
	// Partial are the sets that wait for a commit, by name.
	Partial []string `json:"partial"`
}

// TableInfo is a summary of one table.
type TableInfo struct {
	Name  string `json:"name"`
	Rows  int64  `json:"rows"`
	Bytes int64  `json:"bytes"`
}

// Info returns a summary of the corpus.
func (c *Corpus) Info() (Info, error) {
	info := Info{Schema: c.manifest.Schema, Program: c.manifest.Program, Dir: c.dir, Parts: len(c.manifest.Parts), Superseded: c.manifest.Superseded}
	x := newIndex()
	if err := x.load(c.dir, c.manifest); err != nil {
		return info, err
	}
	inputs := map[[16]byte]bool{}
	for _, rest := range x.contents {
		inputs[rest] = true
	}
	info.Inputs, info.Paths, info.Unreadable = len(inputs), len(x.paths), len(x.failed)
	for _, name := range Tables() {
		t := TableInfo{name, c.manifest.rows(name), c.manifest.bytes(name)}
		info.Tables = append(info.Tables, t)
		info.Bytes += t.Bytes
	}
	var err error
	if info.Partial, err = partials(c.dir); info.Partial == nil {
		info.Partial = []string{}
	}
	return info, err
}

// Check reads all of the corpus and returns an error for each file of it that is
// not there, or not what was written: queries read what they need without
// looking.
func (c *Corpus) Check() error {
	var errs []error
	for _, p := range c.manifest.Parts {
		for _, table := range Tables() {
			name := filepath.Join(c.dir, dataDir, p.Name, tableFile(table))
			f, err := openPart(name)
			if err != nil {
				errs = append(errs, err)
				continue
			}
			if _, err := p.verify(f, table); err != nil {
				errs = append(errs, fmt.Errorf("%s: %w", name, err))
			}
			_ = f.Close() // it was only read
		}
	}
	return errors.Join(errs...)
}

// partials lists the names of the partial sets in dir.
func partials(dir string) ([]string, error) {
	names := []string{}
	entries, err := os.ReadDir(filepath.Join(dir, partialDir))
	if errors.Is(err, fs.ErrNotExist) {
		return names, nil
	}
	for _, e := range entries {
		if !e.IsDir() || !partialName.MatchString(e.Name()) {
			continue
		}
		if _, err := os.Stat(filepath.Join(dir, partialDir, e.Name(), manifestName)); err == nil {
			names = append(names, e.Name())
		}
	}
	slices.Sort(names)
	return names, err
}

// Files returns the Parquet files of a table, in the order of the parts.
func (c *Corpus) Files(table string) []string {
	var list []string
	for _, p := range c.manifest.Parts {
		list = append(list, filepath.Join(c.dir, dataDir, p.Name, tableFile(table)))
	}
	return list
}

// ErrNoFile is what errors.Is finds in the error for a file that the corpus
// does not have.
var ErrNoFile = errors.New("no such file in the corpus")

// fileHead is the part of a fileRow that finds a file's rows.
type fileHead struct {
	File         int64  `parquet:"file"`
	FileID       string `parquet:"file_id"`
	Systems      int32  `parquet:"systems"`
	Components   int32  `parquet:"components"`
	Tests        int32  `parquet:"tests"`
	Measurements int32  `parquet:"measurements"`
	Runs         int32  `parquet:"runs"`
	Diagnostics  int32  `parquet:"diagnostics"`
}

// place is where the rows of a file begin in its part.
type filePlace struct {
	part                                                            Part
	file, systems, components, tests, measurements, runs, diagnosed int64
	head                                                            fileHead
}

var idPrefix = regexp.MustCompile(`^[0-9a-f]{4,16}$`)

// File returns the record of the file with that ID, or of the only one whose
// ID begins so: equal to what was read from its source.
func (c *Corpus) File(id string) (*result.File, error) {
	if !idPrefix.MatchString(id) {
		return nil, fmt.Errorf("%q is no file ID: want 4 to 16 of the digits 0-9a-f, as in the column file_id", id)
	}
	var found []filePlace
	err := c.each(func(at filePlace) error {
		if len(at.head.FileID) >= len(id) && at.head.FileID[:len(id)] == id && len(found) < 5 {
			found = append(found, at)
		}
		return nil
	})
	switch {
	case err != nil:
		return nil, err
	case len(found) == 0:
		return nil, fmt.Errorf("%w: %s", ErrNoFile, id)
	case len(found) > 1:
		var ids []string
		for _, f := range found {
			ids = append(ids, f.head.FileID)
		}
		return nil, fmt.Errorf("%s begins the IDs of several files: %q", id, ids)
	}
	r, err := c.openPart(found[0].part)
	if err != nil {
		return nil, err
	}
	defer r.close()
	return r.restore(found[0])
}

// each calls f with the place of every file.
func (c *Corpus) each(f func(filePlace) error) error {
	for _, p := range c.manifest.Parts {
		t, err := openPartTable[fileHead](c.dir, p, tableFiles)
		if err != nil {
			return err
		}
		at := filePlace{part: p}
		err = t.each(func(h *fileHead) error {
			at.head = *h
			if err := f(at); err != nil {
				return err
			}
			at.file++
			at.systems += int64(h.Systems)
			at.components += int64(h.Components)
			at.tests += int64(h.Tests)
			at.measurements += int64(h.Measurements)
			at.runs += int64(h.Runs)
			at.diagnosed += int64(h.Diagnostics)
			return nil
		})
		if e := t.close(); err == nil {
			err = e
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// partReader reads files of one part.
type partReader struct {
	files        *openTable[fileRow]
	systems      *openTable[systemRow]
	components   *openTable[componentRow]
	tests        *openTable[testRow]
	measurements *openTable[measurementRow]
	runs         *openTable[runRow]
	diagnostics  *openTable[diagnosticRow]
}

func (c *Corpus) openPart(p Part) (r *partReader, err error) {
	r = &partReader{}
	var errs [7]error
	r.files, errs[0] = openPartTable[fileRow](c.dir, p, tableFiles)
	r.systems, errs[1] = openPartTable[systemRow](c.dir, p, tableSystems)
	r.components, errs[2] = openPartTable[componentRow](c.dir, p, tableComponents)
	r.tests, errs[3] = openPartTable[testRow](c.dir, p, tableTests)
	r.measurements, errs[4] = openPartTable[measurementRow](c.dir, p, tableMeasurements)
	r.runs, errs[5] = openPartTable[runRow](c.dir, p, tableRuns)
	r.diagnostics, errs[6] = openPartTable[diagnosticRow](c.dir, p, tableDiagnostics)
	if err := errors.Join(errs[:]...); err != nil {
		r.close()
		return nil, err
	}
	return r, nil
}

// close closes the tables that are open. They were only read.
func (r *partReader) close() {
	closeTable(r.files)
	closeTable(r.systems)
	closeTable(r.components)
	closeTable(r.tests)
	closeTable(r.measurements)
	closeTable(r.runs)
	closeTable(r.diagnostics)
}

func closeTable[T any](t *openTable[T]) {
	if t != nil {
		_ = t.close()
	}
}

// restore returns the record of a file.
func (r *partReader) restore(at filePlace) (*result.File, error) {
	var rows fileRows
	h := at.head
	file, err := r.files.Rows(at.file, 1)
	if err != nil {
		return nil, err
	}
	rows.file = file[0]
	var errs [6]error
	rows.systems, errs[0] = r.systems.Rows(at.systems, int64(h.Systems))
	rows.components, errs[1] = r.components.Rows(at.components, int64(h.Components))
	rows.tests, errs[2] = r.tests.Rows(at.tests, int64(h.Tests))
	rows.measurements, errs[3] = r.measurements.Rows(at.measurements, int64(h.Measurements))
	rows.runs, errs[4] = r.runs.Rows(at.runs, int64(h.Runs))
	rows.diagnostics, errs[5] = r.diagnostics.Rows(at.diagnosed, int64(h.Diagnostics))
	if err := errors.Join(errs[:]...); err != nil {
		return nil, fmt.Errorf("file %s: %w", h.FileID, err)
	}
	if !rows.belong(h.File) {
		return nil, fmt.Errorf("file %s: rows of another file stand in their place in %s", h.FileID, at.part.Name)
	}
	return rows.restore()
}

// belong reports whether all rows are of the file with that key.
func (r *fileRows) belong(key int64) bool {
	ok := r.file.File == key
	for i := range r.systems {
		ok = ok && r.systems[i].File == key
	}
	for i := range r.components {
		ok = ok && r.components[i].File == key
	}
	for i := range r.tests {
		ok = ok && r.tests[i].File == key
	}
	for i := range r.measurements {
		ok = ok && r.measurements[i].File == key
	}
	for i := range r.runs {
		ok = ok && r.runs[i].File == key
	}
	for i := range r.diagnostics {
		ok = ok && r.diagnostics[i].File == key
	}
	return ok
}

// Each calls use with the ID and the record of every file, part by part. An
// error of use ends it.
func (c *Corpus) Each(use func(id string, f *result.File) error) error {
	var r *partReader
	var name string
	defer func() {
		if r != nil {
			r.close()
		}
	}()
	return c.each(func(at filePlace) error {
		if r == nil || name != at.part.Name {
			if r != nil {
				r.close()
			}
			var err error
			if r, err = c.openPart(at.part); err != nil {
				r = nil
				return err
			}
			name = at.part.Name
		}
		f, err := r.restore(at)
		if err != nil {
			return err
		}
		return use(at.head.FileID, f)
	})
}
