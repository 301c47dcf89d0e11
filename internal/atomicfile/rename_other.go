//go:build !linux

package atomicfile

import "errors"

// renameNew renames a file to a name that must not be there: where another
// process takes it first, it fails with an error that is os.ErrExist.
func renameNew(from, to string) error { return linkNew(from, to) }

// exchange is for what Linux alone has.
func exchange(_, _ string) error { return errors.ErrUnsupported }
