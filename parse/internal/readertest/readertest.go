// Package readertest is test support: it has a form's reader read a text.
package readertest

import (
	"testing"

	"github.com/benchproof/benchproof/parse/internal/source"
	"github.com/benchproof/benchproof/result"
)

// Files returns the result files that a reader's Read emits of a text, which is
// an input of that name. An error ends the test.
func Files(t testing.TB, read func(doc *source.Doc, emit func(*result.File) error) error, name, text string) []*result.File {
	t.Helper()
	var files []*result.File
	if err := read(source.New(name, text), func(f *result.File) error {
		files = append(files, f)
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	return files
}
