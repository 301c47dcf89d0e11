package corpus

import (
	"bufio"
	"cmp"
	"crypto/sha256"
	"fmt"
	"hash"
	"io"
	"os"
	"path/filepath"

	"github.com/benchproof/benchproof/export/parquet"
)

// part is a directory with one file a table, in the making.
type part struct {
	dir          string
	files        *partTable[fileRow]
	paths        *partTable[pathRow]
	systems      *partTable[systemRow]
	components   *partTable[componentRow]
	tests        *partTable[testRow]
	measurements *partTable[measurementRow]
	runs         *partTable[runRow]
	diagnostics  *partTable[diagnosticRow]
}

// partTable is a table of a part in the making.
type partTable[T any] struct {
	*parquet.Table[T]
	name string
	file *os.File
	buf  *bufio.Writer
	sum  hash.Hash // of what is written
}

// tableEnd is a partTable whatever its rows are.
type tableEnd interface {
	end(*Part) error
	drop() error
}

// tableFile is the name of a table's file in its part.
func tableFile(table string) string { return table + ".parquet" }

func newPartTable[T any](dir, name string) (*partTable[T], error) {
	f, err := os.OpenFile(filepath.Join(dir, tableFile(name)), os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o666)
	if err != nil {
		return nil, err
	}
	sum := sha256.New()
	b := bufio.NewWriterSize(io.MultiWriter(f, sum), 64<<10)
	return &partTable[T]{parquet.NewTable[T](b, SchemaID+"/"+name), name, f, b, sum}, nil
}

// end ends the file, has it on the disk and tells of it.
func (t *partTable[T]) end(of *Part) error {
	err := cmp.Or(t.Close(), t.buf.Flush(), t.file.Sync()) // the first says it: the others follow from it
	var info os.FileInfo
	if err == nil {
		info, err = t.file.Stat()
	}
	if err == nil {
		err = t.file.Close()
	}
	if err != nil {
		return fmt.Errorf("table %s: %w", t.name, err)
	}
	of.Rows[t.name], of.Bytes[t.name], of.SHA256[t.name] = t.Rows(), info.Size(), fmt.Sprintf("%x", t.sum.Sum(nil))
	return nil
}

// drop closes the file. A table that could not be made has none.
func (t *partTable[T]) drop() error {
	if t == nil {
		return nil
	}
	return t.file.Close()
}

// newPart makes the directory dir, which must not be there, and its tables.
func newPart(dir string) (p *part, err error) {
	if err := os.Mkdir(dir, 0o777); err != nil {
		return nil, err
	}
	p = &part{dir: dir}
	var errs [8]error
	p.files, errs[0] = newPartTable[fileRow](dir, tableFiles)
	p.paths, errs[1] = newPartTable[pathRow](dir, tablePaths)
	p.systems, errs[2] = newPartTable[systemRow](dir, tableSystems)
	p.components, errs[3] = newPartTable[componentRow](dir, tableComponents)
	p.tests, errs[4] = newPartTable[testRow](dir, tableTests)
	p.measurements, errs[5] = newPartTable[measurementRow](dir, tableMeasurements)
	p.runs, errs[6] = newPartTable[runRow](dir, tableRuns)
	p.diagnostics, errs[7] = newPartTable[diagnosticRow](dir, tableDiagnostics)
	if err := cmp.Or(errs[:]...); err != nil { // the first says it: the others are the same
		p.discard()
		return nil, err
	}
	return p, nil
}

func (p *part) tables() []tableEnd {
	return []tableEnd{p.files, p.paths, p.systems, p.components, p.tests, p.measurements, p.runs, p.diagnostics}
}

// finish ends all tables and has them and their directory on the disk.
func (p *part) finish() (Part, error) {
	out := Part{Rows: map[string]int64{}, Bytes: map[string]int64{}, SHA256: map[string]string{}}
	for _, t := range p.tables() {
		if err := t.end(&out); err != nil {
			return out, err
		}
	}
	return out, syncDir(p.dir)
}

// discard removes the part.
func (p *part) discard() {
	for _, t := range p.tables() {
		_ = t.drop() // what was written is removed, too
	}
	_ = os.RemoveAll(p.dir) // else the next add does
}
