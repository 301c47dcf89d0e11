package flatrender

import (
	"slices"

	"github.com/benchproof/benchproof/result"
)

// Shrink returns a case with fewer tests and systems of which bad still holds,
// as small as leaving out one after another makes it. bad must hold of c, which
// is not changed.
func Shrink(c *Case, bad func(*Case) bool) *Case {
	// Halves first: most of a page has no part in a fault.
	for size := len(c.File.Tests) / 2; size > 0; size /= 2 {
		for i := 0; i < len(c.File.Tests); {
			d := c.with(func(f *result.File) {
				f.Tests = slices.Delete(slices.Clone(f.Tests), i, min(i+size, len(f.Tests)))
			})
			if len(d.File.Tests) > 0 && bad(d) {
				c = d
				continue
			}
			i += size
		}
	}
	for i := 0; i < len(c.File.Systems); {
		d := c.with(func(f *result.File) { dropSystem(f, i) })
		if len(d.File.Systems) > 0 && bad(d) {
			c = d
			continue
		}
		i++
	}
	return c
}

// with returns a copy of c whose file is changed.
func (c *Case) with(change func(f *result.File)) *Case {
	d, f := *c, *c.File
	d.File = &f
	change(&f)
	return &d
}

// dropSystem removes a system and its values.
func dropSystem(f *result.File, i int) {
	f.Systems = slices.Delete(slices.Clone(f.Systems), i, i+1)
	f.Tests = slices.Clone(f.Tests)
	for k := range f.Tests {
		var kept []result.Measurement
		for _, m := range f.Tests[k].Measurements {
			if m.System == i {
				continue
			}
			if m.System > i {
				m.System--
			}
			kept = append(kept, m)
		}
		f.Tests[k].Measurements = kept
	}
}
