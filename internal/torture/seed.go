package torture

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Seed is a sound file that inputs are made of.
type Seed struct {
	// Name is the path below the folder it was found in, with slashes.
	Name string
	// Form is what it looks like: xml, html, json, csv or text.
	Form string
	Data []byte
}

// maxSeed is the largest file that is taken for a seed, in bytes: one input
// should take milliseconds.
const maxSeed = 300 << 10

// ReadSeeds returns the files below dirs, by name, whose endings are those of
// results. A folder that is not there has none. What is larger than 300 KiB is
// left out.
func ReadSeeds(dirs ...string) ([]Seed, error) {
	var seeds []Seed
	for _, dir := range dirs {
		err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			if errors.Is(err, fs.ErrNotExist) && path == dir {
				return filepath.SkipAll
			}
			if err != nil || d.IsDir() {
				return err
			}
			info, err := d.Info()
			if err != nil || info.Size() > maxSeed || !resultFile(path) {
				return err
			}
			data, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			name, err := filepath.Rel(dir, path)
			if err != nil {
				return err
			}
			name = filepath.ToSlash(filepath.Join(filepath.Base(dir), name))
			seeds = append(seeds, Seed{Name: name, Form: formOf(data), Data: data})
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	slices.SortStableFunc(seeds, func(a, b Seed) int { return strings.Compare(a.Name, b.Name) })
	return seeds, nil
}

func resultFile(path string) bool {
	switch filepath.Ext(path) {
	case ".xml", ".html", ".json", ".csv", ".txt":
		return true
	}
	return false
}

// formOf guesses the form of sound text.
func formOf(data []byte) string {
	text := bytes.TrimSpace(bytes.TrimPrefix(data, []byte("\ufeff")))
	first, _, _ := bytes.Cut(text, []byte("\n"))
	switch {
	case bytes.HasPrefix(text, []byte("<?xml")) || bytes.HasPrefix(text, []byte("<PhoronixTestSuite")):
		return "xml"
	case bytes.HasPrefix(text, []byte("<")):
		return "html"
	case bytes.HasPrefix(text, []byte("{")) || bytes.HasPrefix(text, []byte("[")):
		return "json"
	case bytes.Count(first, []byte(",")) > 3 && !bytes.Contains(first, []byte(", ")):
		return "csv"
	}
	return "text"
}
