package corpus

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"

	"github.com/benchproof/benchproof/export/parquet"
	"github.com/benchproof/benchproof/internal/phrase"
)

// index is what a corpus knows of paths and contents: some 130 bytes of
// memory a path. It is safe for concurrent use.
type index struct {
	mu    sync.Mutex
	paths map[[16]byte]pathState // by the hash of the path
	// contents holds the keys of all files, with the rest of the hash of the
	// input: two inputs of one key would be taken for one.
	contents map[int64][16]byte
	failed   map[int64]failure // inputs that gave nothing, or an error at the end
}

// pathState is what was found at a path.
type pathState struct {
	key         int64 // of the content's first file
	size, mtime int64
	seen        bool // in this run
}

// failure is how reading an input ended.
type failure struct {
	status, message string
}

func newIndex() *index {
	return &index{paths: map[[16]byte]pathState{}, contents: map[int64][16]byte{}, failed: map[int64]failure{}}
}

func pathKey(path string) (key [16]byte) {
	sum := sha256.Sum256([]byte(path))
	copy(key[:], sum[:])
	return key
}

func (c content) rest() (rest [16]byte) {
	copy(rest[:], c[8:])
	return rest
}

// indexRows is how many rows of paths are read at once.
const indexRows = 4096

// load adds what the parts of the corpus in dir know.
func (x *index) load(dir string, m *Manifest) error {
	for _, p := range m.Parts {
		t, err := openPartTable[pathRow](dir, p, tablePaths)
		if err != nil {
			return err
		}
		files := int64(0)
		err = t.each(func(r *pathRow) error {
			if files += int64(max(r.Results, 0)); files > p.Rows[tableFiles] {
				return fmt.Errorf("its paths have more than the %s of %s", phrase.Count(p.Rows[tableFiles], "file"), p.Name)
			}
			return x.add(r)
		})
		if err := t.close(); err != nil {
			return err
		}
		if err != nil {
			return fmt.Errorf("%s: %w", t.name, err)
		}
	}
	return nil
}

// add adds a row of a part, later than those before.
func (x *index) add(r *pathRow) error {
	c, err := parseContent(r.SHA256)
	if err != nil {
		return err
	}
	key := c.key(1)
	x.paths[pathKey(r.Path)] = pathState{key: key, size: r.Bytes, mtime: r.MTime}
	if r.Status != pathDuplicate {
		x.contents[key] = c.rest()
		for n := 2; n <= int(r.Results); n++ {
			x.contents[c.key(n)] = c.rest()
		}
	}
	if r.Status == pathNoResult || r.Status == pathUnreadable {
		x.failed[key] = failure{r.Status, r.Error}
	} else if r.Status == pathOK {
		delete(x.failed, key) // it was read after all
	}
	return nil
}

func parseContent(digits string) (c content, err error) {
	if b, err := hex.DecodeString(digits); err == nil && copy(c[:], b) == len(c) && len(b) == len(c) {
		return c, nil
	}
	return c, fmt.Errorf("%q is no SHA-256", digits)
}

// superseded returns how many contents no path holds.
func (x *index) superseded() int {
	// The second and later files of an input have keys of their own, and the
	// rest of the hash of the first.
	held := make(map[[16]byte]bool, len(x.contents))
	for _, p := range x.paths {
		held[x.contents[p.key]] = true
	}
	gone := 0
	for _, rest := range x.contents {
		if !held[rest] {
			held[rest] = true
			gone++
		}
	}
	return gone
}

// openTable is an open table of a part.
type openTable[T any] struct {
	*parquet.TableReader[T]
	name string
	file *os.File
}

// openPart opens a file of a part. A pipe in its place would be waited for.
func openPart(name string) (*os.File, error) {
	info, err := os.Stat(name)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s: %w: it is no regular file", name, parquet.ErrTable)
	}
	return os.Open(name)
}

func openPartTable[T any](dir string, p Part, table string) (*openTable[T], error) {
	name := filepath.Join(dir, dataDir, p.Name, tableFile(table))
	f, err := openPart(name)
	if err != nil {
		return nil, err
	}
	size, err := p.verify(f, table)
	if err == nil {
		var r *parquet.TableReader[T]
		if r, err = parquet.OpenTable[T](f, size, SchemaID+"/"+table); err == nil {
			if r.NumRows() == p.Rows[table] {
				return &openTable[T]{r, name, f}, nil
			}
			err = errors.Join(fmt.Errorf("%w: found %s, expected %d", parquet.ErrTable, phrase.Count(r.NumRows(), "row"), p.Rows[table]), r.Close())
		}
	}
	_ = f.Close() // it was only read
	return nil, fmt.Errorf("%s: %w", name, err)
}

// verify makes sure that a table's file is what was written, and returns its
// size.
func (p *Part) verify(f *os.File, table string) (int64, error) {
	h := sha256.New()
	size, err := io.Copy(h, f)
	if err != nil {
		return 0, err
	}
	if got := hex.EncodeToString(h.Sum(nil)); got != p.SHA256[table] {
		return 0, fmt.Errorf("%w: damaged: found %d bytes with the SHA-256 %s, expected %d with %s", parquet.ErrTable, size, got, p.Bytes[table], p.SHA256[table])
	}
	return size, nil
}

// each calls f for all rows.
func (t *openTable[T]) each(f func(*T) error) error {
	for from := int64(0); from < t.NumRows(); from += indexRows {
		rows, err := t.TableReader.Rows(from, min(indexRows, t.NumRows()-from))
		if err != nil {
			return err
		}
		for i := range rows {
			if err := f(&rows[i]); err != nil {
				return err
			}
		}
	}
	return nil
}

func (t *openTable[T]) close() error {
	err := t.TableReader.Close()
	if e := t.file.Close(); err == nil {
		err = e
	}
	return err
}
