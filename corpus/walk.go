package corpus

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"strings"
)

// Input is a file to be added.
type Input struct {
	Path        string
	Size, MTime int64 // of the file, its time in ns of Unix time; 0 if unknown
	// Found is set for files that a walk came upon: they need not be results.
	Found bool
	// Err is why there is nothing to be read.
	Err error
}

// Walk yields the files at paths: a file as it is, those of a directory in
// sorted order, without names that begin with a dot, and without all but
// regular files. It does not read ahead.
func Walk(paths ...string) iter.Seq[Input] {
	return func(yield func(Input) bool) {
		for _, p := range paths {
			if !walk(p, yield) {
				return
			}
		}
	}
}

func walk(root string, yield func(Input) bool) (more bool) {
	info, err := os.Stat(root)
	if err != nil {
		return yield(Input{Path: root, Err: err})
	}
	if !info.IsDir() {
		return yield(inputOf(root, info, false))
	}
	more = true
	// The function returns no error but to skip or stop.
	_ = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		hidden := strings.HasPrefix(filepath.Base(path), ".") && path != root
		switch {
		case hidden && d != nil && d.IsDir():
			return filepath.SkipDir
		case hidden:
		case err != nil:
			more = yield(Input{Path: path, Found: true, Err: err})
		case d.Type().IsRegular():
			info, err := d.Info()
			if err != nil {
				more = yield(Input{Path: path, Found: true, Err: err})
			} else {
				more = yield(inputOf(path, info, true))
			}
		}
		if !more {
			return filepath.SkipAll
		}
		return nil
	})
	return more
}

func inputOf(path string, info fs.FileInfo, found bool) Input {
	in := Input{Path: path, Size: info.Size(), MTime: info.ModTime().UnixNano(), Found: found}
	if !info.Mode().IsRegular() {
		in.Err = &os.PathError{Op: "read", Path: path, Err: errors.New("it is no regular file")}
	}
	return in
}

// maxListLine bounds a line of a list of paths.
const maxListLine = 64 << 10

// List yields the files that a list names, a path a line; directories are
// walked, empty lines are passed over. What cannot be read of the list ends it
// with an Input that has the error and no path.
func List(r io.Reader) iter.Seq[Input] {
	return func(yield func(Input) bool) {
		lines := bufio.NewScanner(r)
		lines.Buffer(make([]byte, 4<<10), maxListLine)
		for lines.Scan() {
			// The scanner has dropped the line's end, CR LF too.
			if p := lines.Text(); p != "" && !walk(p, yield) {
				return
			}
		}
		if err := lines.Err(); err != nil {
			yield(Input{Err: fmt.Errorf("list of paths: %w", err)})
		}
	}
}
