package export

import (
	"strconv"

	"github.com/benchproof/benchproof/result"
)

// Parts is what a Writer can do besides that needs no file as a whole: it
// takes the head of a file, its tests one by one, and its end. A long table is
// written this way with the memory of one test.
//
// What is written is what Write writes of the same file. A file is begun after
// the one before has ended; Write and parts of a file do not mix.
type Parts interface {
	Writer
	// File begins a file. f stays the same until End, where systems may be
	// added at the end of f.Systems; f.Tests is not looked at.
	File(f *result.File) error
	// Test adds a test. Every system that it names is in f.Systems. It is
	// not kept.
	Test(t *result.Test) error
	// End ends the file that was begun. f.Diagnostics is complete.
	End(f *result.File) error
}

// writeParts is Write by way of parts.
func writeParts(p Parts, f *result.File) error {
	if err := p.File(f); err != nil {
		return err
	}
	for i := range f.Tests {
		if err := p.Test(&f.Tests[i]); err != nil {
			return err
		}
	}
	return p.End(f)
}

// Names gives the systems of a file names, as [result.File.SystemNames] does,
// while there may come more of them. A name that was given stays.
type Names struct {
	names []string
	taken map[string]bool
	seen  map[string]int
}

// Of returns the names of f's systems, at least as many as there were before.
// The caller must not change them.
func (n *Names) Of(f *result.File) []string {
	if len(n.names) == len(f.Systems) {
		return n.names
	}
	if len(n.names) == 0 {
		n.taken, n.seen = make(map[string]bool), make(map[string]int)
		n.names = f.SystemNames()
		for i, name := range n.names {
			n.taken[name] = true
			n.seen[f.Systems[i].Identifier]++
		}
		return n.names
	}
	for i := len(n.names); i < len(f.Systems); i++ {
		id := f.Systems[i].Identifier
		name := id
		for k := max(n.seen[id], 1) + 1; n.taken[name]; k++ {
			name = id + " #" + strconv.Itoa(k)
			n.seen[id] = k - 1
		}
		n.seen[id]++
		n.taken[name] = true
		n.names = append(n.names, name)
	}
	return n.names
}
