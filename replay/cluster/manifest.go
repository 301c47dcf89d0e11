package cluster

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/benchproof/benchproof/internal/phrase"
	"github.com/benchproof/benchproof/replay"
)

// manifestSchema names the JSON form of a Manifest: the value of its key
// "schema".
const manifestSchema = "benchproof/manifest/1"

// manifest is what an element vouches for when all of it is done: every file of
// its journal's directory, with its hash.
type manifest struct {
	Schema  string    `json:"schema"`
	Job     string    `json:"job"`
	Plan    string    `json:"plan_sha256"` // of the job's plan
	Element int       `json:"element"`
	Host    string    `json:"host"`
	Restart int       `json:"restart"` // how often the queue had started it again
	Ended   time.Time `json:"ended"`
	// Done, Wanted count repetitions, Failed runs that were given up.
	Done   int `json:"done"`
	Wanted int `json:"wanted"`
	Failed int `json:"failed"`
	// Notes are what was otherwise here than planned.
	Notes []string  `json:"notes,omitempty"`
	Files []vouched `json:"files"`
}

// vouched is one file of a manifest.
type vouched struct {
	Name   string `json:"name"` // below the element's directory, with slashes
	Bytes  int64  `json:"bytes"`
	SHA256 string `json:"sha256"`
}

func manifestFile(dir string, element int) string {
	return ElementDir(dir, element) + ".manifest.json"
}

// removeManifest makes an element one that is not done, so that it can be gone
// on with.
func removeManifest(dir string, element int) error {
	err := os.Remove(manifestFile(dir, element))
	if os.IsNotExist(err) {
		return nil
	}
	return err
}

func (j *Job) writeManifest(dir string, at Place, out replay.Outcome, notes []string) error {
	m := &manifest{
		Schema: manifestSchema, Job: j.ID, Plan: j.PlanHash, Element: at.Element, Host: at.Host, Restart: at.Restart,
		Ended: time.Now().UTC(), Done: out.Done, Wanted: out.Wanted, Failed: out.Failed, Notes: notes, Files: []vouched{},
	}
	base := ElementDir(dir, at.Element)
	err := eachFile(base, func(name, path string) error {
		v, err := vouch(path)
		v.Name = name
		m.Files = append(m.Files, v)
		return err
	})
	if err != nil {
		return err
	}
	return writeJSON(manifestFile(dir, at.Element), m)
}

// eachFile calls use for every file below base, in the order of names. What is
// neither a file nor a directory is an error: no element makes it.
func eachFile(base string, use func(name, path string) error) error {
	return filepath.WalkDir(base, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		if !d.Type().IsRegular() {
			return &DamageError{path, "it is no regular file"}
		}
		name, err := filepath.Rel(base, path)
		if err != nil {
			return err
		}
		return use(filepath.ToSlash(name), path)
	})
}

// vouch returns size and hash of a file.
func vouch(path string) (vouched, error) {
	file, err := os.Open(path)
	if err != nil {
		return vouched{}, err
	}
	defer file.Close()
	h := sha256.New()
	n, err := io.Copy(h, file)
	return vouched{Bytes: n, SHA256: hex.EncodeToString(h.Sum(nil))}, err
}

// DamageError says that a file of an element is not what its manifest vouches
// for.
type DamageError struct {
	File   string
	Reason string
}

// Error returns the file and what is wrong with it.
func (e *DamageError) Error() string { return fmt.Sprintf("%s is damaged: %s", e.File, e.Reason) }

// readManifest reads the manifest of an element; the error is
// [fs.ErrNotExist] where the element is not done.
func (j *Job) readManifest(dir string, element int) (*manifest, error) {
	name := manifestFile(dir, element)
	var m manifest
	if err := readJSON(name, &m); err != nil {
		return nil, err
	}
	switch {
	case m.Schema != manifestSchema:
		return nil, &DamageError{name, fmt.Sprintf("found the schema %.80q, expected %q", m.Schema, manifestSchema)}
	case m.Job != j.ID || m.Plan != j.PlanHash:
		return nil, &DamageError{name, "it is of another job"}
	case m.Element != element || m.Host != j.Elements[element].Host:
		return nil, &DamageError{name, fmt.Sprintf("it is of element %d on %s, expected %d on %s", m.Element, m.Host, element, j.Elements[element].Host)}
	case m.Restart < 0 || m.Done < 0 || m.Failed < 0 || m.Wanted < m.Done:
		return nil, &DamageError{name, fmt.Sprintf("it has %d of %s, %s given up, %s", m.Done, phrase.Count(m.Wanted, "repetition"), phrase.Count(m.Failed, "run"), phrase.Count(m.Restart, "restart"))}
	}
	return &m, nil
}

// check makes sure that all files of an element are what the manifest says, that
// none is missing and that there is no other. The error is a [*DamageError].
func (m *manifest) check(dir string) error {
	base := ElementDir(dir, m.Element)
	want := make(map[string]vouched, len(m.Files))
	for _, v := range m.Files {
		want[v.Name] = v
	}
	err := eachFile(base, func(name, path string) error {
		v, ok := want[name]
		if !ok {
			return &DamageError{path, "the manifest does not have it"}
		}
		delete(want, name)
		got, err := vouch(path)
		switch {
		case err != nil:
			return err
		case got.Bytes != v.Bytes:
			return &DamageError{path, fmt.Sprintf("it has %d bytes, expected %d", got.Bytes, v.Bytes)}
		case got.SHA256 != v.SHA256:
			return &DamageError{path, fmt.Sprintf("its SHA-256 is %s, expected %s", got.SHA256, v.SHA256)}
		}
		return nil
	})
	if err != nil {
		return err
	}
	for _, v := range m.Files {
		if _, missing := want[v.Name]; missing {
			return &DamageError{filepath.Join(base, filepath.FromSlash(v.Name)), "it is missing"}
		}
	}
	return nil
}
