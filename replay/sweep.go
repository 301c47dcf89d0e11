package replay

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"

	"github.com/benchproof/benchproof/replay/internal/process"
	"github.com/benchproof/benchproof/replay/internal/target"
	"github.com/benchproof/benchproof/replay/lab"
)

// sweep ends the processes that a killed replay left, and removes its labs and
// its scratch directories from the targets. It returns what it did in words.
// dir is the journal's, which must be this user's.
func sweep(ctx context.Context, dir string, s *state, targets []*target.Target) ([]string, error) {
	id := s.id
	if err := original(dir, id, targets); err != nil {
		return nil, err
	}
	var did []string
	killed, err := process.KillLeftovers(ctx, id, s.records...)
	for _, k := range killed {
		did = append(did, "ended process "+k.String())
	}
	if err != nil {
		return did, err
	}
	for _, dir := range slices.Sorted(maps.Keys(s.labs)) {
		removed, err := lab.Clean(ctx, dir, id)
		did = append(did, removed...)
		if err != nil {
			return did, err
		}
	}
	for _, t := range targets {
		scratch, err := t.OpenScratch(id)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			continue
		case err != nil:
			// Between its making and its marking it is empty.
			if t.RemoveEmpty(id) != nil {
				return did, err
			}
		default:
			if err := scratch.Remove(); err != nil {
				_ = scratch.Close()
				return did, err
			}
		}
		did = append(did, fmt.Sprintf("removed %s", filepath.Join(t.Dir(), target.ScratchPrefix+id)))
	}
	return did, nil
}
