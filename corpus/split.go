package corpus

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Split divides inputs into at most n runs of about as many bytes each, none
// of which is empty, and keeps their order: partial sets made of these and
// committed in their order are the set that one add makes. An input counts as
// one byte at least. The runs share the memory of inputs.
func Split(inputs []Input, n int) [][]Input {
	total := int64(0)
	for i := range inputs {
		total += max(inputs[i].Size, 1)
	}
	var parts [][]Input
	sum, begin := int64(0), 0
	for i := range inputs {
		size := max(inputs[i].Size, 1)
		// The next run begins where the middle of an input is over the mark.
		mark := float64(total) / float64(n) * float64(len(parts)+1)
		if i > begin && len(parts)+1 < n && float64(sum)+float64(size)/2 > mark {
			parts = append(parts, inputs[begin:i])
			begin = i
		}
		sum += size
	}
	if begin < len(inputs) {
		parts = append(parts, inputs[begin:])
	}
	return parts
}

// ListLine returns the line of a list of paths that [List] reads as the
// absolute path of path. Its error is about a path that no line can hold.
func ListLine(path string) (string, error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	if strings.Contains(abs, "\n") || strings.HasSuffix(abs, "\r") || len(abs) >= maxListLine {
		return "", &os.PathError{Op: "list", Path: path, Err: errors.New("a line of a list cannot hold this path")}
	}
	return abs + "\n", nil
}

// Waiting returns the names of the partial sets of the corpus in dir that wait
// for a [Commit], sorted. The corpus itself need not be there yet.
func Waiting(dir string) ([]string, error) { return partials(dir) }

// CheckPlace returns an error where dir can neither be a corpus nor become one:
// it holds other files.
func CheckPlace(dir string) error { return usable(dir) }

// Discard removes partial sets without taking them in, as those of a process
// that was started again as another. A set that is not there is no error;
// [ErrLocked] is one, where a process still adds to it.
func Discard(dir string, names ...string) error {
	var errs []error
	for _, name := range slices.Compact(slices.Clone(names)) {
		if err := discard(dir, name); err != nil {
			errs = append(errs, fmt.Errorf("partial set %s: %w", name, err))
		}
	}
	return errors.Join(errs...)
}

func discard(dir, name string) error {
	path, err := partialPath(dir, name)
	if err != nil {
		return err
	}
	if _, err := os.Stat(path); errors.Is(err, os.ErrNotExist) {
		return nil
	}
	s, err := openStore(path, "")
	if err != nil {
		return err
	}
	// Without its manifest it is no set any more, whatever else is left.
	if err := errors.Join(os.Remove(filepath.Join(path, manifestName)), s.close()); err != nil {
		return err
	}
	return os.RemoveAll(path)
}
