package corpus

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"

	"github.com/benchproof/benchproof/internal/phrase"
)

// manifestName is the file that says what belongs to a corpus.
const manifestName = "manifest.json"

// Manifest lists the parts of a corpus. Its file is replaced as a whole: what
// it lists is on the disk before.
type Manifest struct {
	Schema string `json:"schema"` // SchemaID
	// Program is the benchproof that wrote it last.
	Program string `json:"program"`
	// Parts stand in the order in which they were added: of two rows for one
	// path the later holds.
	Parts []Part `json:"parts"`
	// Next is the number of the next part. Numbers are not used again.
	Next int `json:"next"`
	// Superseded is how many inputs no path holds any longer: a file that
	// was changed in its place is read again, and what it was stays. The
	// views of queries leave superseded ones out.
	Superseded int `json:"superseded"`
}

// Part is a directory below data/ with one Parquet file a table.
type Part struct {
	Name  string           `json:"name"`
	Rows  map[string]int64 `json:"rows"`  // by table
	Bytes map[string]int64 `json:"bytes"` // by table
	// SHA256 is that of each table's file, in hexadecimal digits: Parquet's
	// own checksums do not cover all of one.
	SHA256 map[string]string `json:"sha256"`
}

// partName is what parts are called. A manifest is read from a directory that
// others may write: no other name gets near a path.
var partName = regexp.MustCompile(`^part-[0-9]{6,}$`)

func partNameOf(number int) string { return fmt.Sprintf("part-%06d", number) }

// ErrNoCorpus is what errors.Is finds in the error for a directory without a
// manifest.
var ErrNoCorpus = errors.New("no corpus")

// maxManifest bounds a manifest: 64 MiB hold 100 000 parts.
const maxManifest = 64 << 20

// readManifest reads the manifest in dir.
func readManifest(dir string) (*Manifest, error) {
	path := filepath.Join(dir, manifestName)
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("%s: %w: it has no %s", dir, ErrNoCorpus, manifestName)
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular(): // a pipe would be waited for
		return nil, fmt.Errorf("%s is no regular file", path)
	case info.Size() > maxManifest:
		return nil, fmt.Errorf("%s: %d bytes are over the limit of %d", path, info.Size(), int64(maxManifest))
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	m := &Manifest{}
	if err := json.Unmarshal(data, m); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if m.Schema != SchemaID {
		return nil, fmt.Errorf("%s: found the schema %q, expected %q", path, m.Schema, SchemaID)
	}
	if err := m.check(); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return m, nil
}

// check returns what of a manifest no writer has made.
func (m *Manifest) check() error {
	seen := map[string]bool{}
	for _, p := range m.Parts {
		if !partName.MatchString(p.Name) || seen[p.Name] {
			return fmt.Errorf("%q is no name of a part, or stands twice", p.Name)
		}
		if !later(partNameOf(m.Next), p.Name) {
			return fmt.Errorf("%s is there, and the next part is to be %s", p.Name, partNameOf(m.Next))
		}
		seen[p.Name] = true
		for _, count := range []map[string]int64{p.Rows, p.Bytes} {
			for table, n := range count {
				if n < 0 {
					return fmt.Errorf("%s: found the count %d of table %q", p.Name, n, table)
				}
			}
		}
	}
	if m.Next < 1 || m.Superseded < 0 {
		return fmt.Errorf("found %d as the next part and %s", m.Next, phrase.Count(m.Superseded, "superseded input"))
	}
	return nil
}

// write puts the manifest into dir. It is written in the directory of what is
// pending, where a killed writer may leave it.
func (m *Manifest) write(dir string) error {
	data, err := json.MarshalIndent(m, "", " ")
	if err != nil {
		return err
	}
	made := filepath.Join(dir, pendingDir, manifestName)
	// One that a killed writer left goes; a link in its place is not followed.
	if err := os.Remove(made); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	f, err := os.OpenFile(made, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o666)
	if err != nil {
		return err
	}
	_, err = f.Write(append(data, '\n'))
	if err := cmp.Or(err, f.Sync(), f.Close()); err != nil {
		return err
	}
	if err := os.Rename(made, filepath.Join(dir, manifestName)); err != nil {
		return err
	}
	return syncDir(dir)
}

// rows returns how many rows of a table all parts have.
func (m *Manifest) rows(table string) int64 {
	var n int64
	for i := range m.Parts {
		n += m.Parts[i].Rows[table]
	}
	return n
}

// bytes returns how many bytes a table takes in all parts.
func (m *Manifest) bytes(table string) int64 {
	var n int64
	for i := range m.Parts {
		n += m.Parts[i].Bytes[table]
	}
	return n
}
