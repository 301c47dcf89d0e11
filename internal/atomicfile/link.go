package atomicfile

import (
	"errors"
	"fmt"
	"os"
)

// linkNew is renameNew by a second name, which cannot be given twice. Where
// the file-system has no second names, the name is looked at first: then a
// process that comes in the moment between is overwritten.
func linkNew(from, to string) error {
	err := os.Link(from, to)
	if err == nil {
		return os.Remove(from)
	}
	if errors.Is(err, os.ErrExist) {
		return err
	}
	if _, statErr := os.Lstat(to); statErr == nil {
		return fmt.Errorf("rename: %w", os.ErrExist)
	}
	return os.Rename(from, to)
}
