package parse

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/benchproof/benchproof/result"
)

func TestReadFile(t *testing.T) {
	dir := t.TempDir()
	for _, test := range []struct {
		name, text string
		files      int
		err        error
	}{
		{"one.txt", smallText, 1, nil},
		{"two.txt", smallText + smallText, 2, nil},
		{"none.txt", "a letter to a friend", 0, ErrFormat},
	} {
		path := filepath.Join(dir, test.name)
		if err := os.WriteFile(path, []byte(test.text), 0o600); err != nil {
			t.Fatal(err)
		}
		files, err := ReadFile(path, Options{})
		if len(files) != test.files || !errors.Is(err, test.err) {
			t.Errorf("%s: %d files, %v; want %d, %v", test.name, len(files), err, test.files, test.err)
		}
	}
	if _, err := ReadFile(filepath.Join(dir, "absent"), Options{}); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a file that is not there: %v", err)
	}
	// What was read before an error is kept: the second file has too many systems.
	path := filepath.Join(dir, "broken.json")
	files, _ := ReadFile(filepath.Join(dir, "one.txt"), Options{})
	more := *files[0]
	more.Systems = append(more.Systems, more.Systems...)
	var text bytes.Buffer
	if err := result.EncodeJSON(&text, []*result.File{files[0], &more}); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, text.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	files, err := ReadFile(path, Options{Limits: Limits{Systems: 2}})
	var limit *LimitError
	if len(files) != 1 || !errors.As(err, &limit) {
		t.Errorf("a limit in the second file: %d files, %v", len(files), err)
	}
}
