package target

import (
	"fmt"
	"path/filepath"
	"strings"
)

// scratches returns what lies in the target under the name of a scratch
// directory, ours or not, in order of names.
func (t *Target) scratches() ([]foundScratch, error) {
	names, err := readNames(int(t.dir.Fd()))
	if err != nil {
		return nil, fmt.Errorf("look for scratch directories in %q: %w", t.given, err)
	}
	var found []foundScratch
	for _, name := range names {
		id, ok := strings.CutPrefix(name, ScratchPrefix)
		if !ok {
			continue
		}
		f := foundScratch{Dir: filepath.Join(t.id.Dir, name), ID: id}
		if !ValidID(id) {
			f.Err = fmt.Errorf("bad replay identifier %q", id)
		} else if s, err := t.OpenScratch(id); err != nil {
			f.Err = err
		} else {
			f.Marker = s.marker
			f.Err = s.Close()
		}
		found = append(found, f)
	}
	return found, nil
}

// foundScratch is what may be a scratch directory.
type foundScratch struct {
	Dir    string `json:"dir"` // absolute
	ID     string `json:"id"`  // by its name
	Marker Marker `json:"marker"`
	// Err is why it is none of ours, whatever its name says: nil if it is.
	Err error `json:"-"`
}
