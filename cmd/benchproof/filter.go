package main

import (
	"github.com/spf13/pflag"

	"github.com/benchproof/benchproof/result"
)

// filterFlags choose tests and systems by regular expressions.
type filterFlags struct {
	tests, systems []string

	test, system patterns
}

func (f *filterFlags) addFlags(flags *pflag.FlagSet) {
	flags.StringArrayVar(&f.tests, "test", nil, "only tests whose title, version and arguments match `REGEXP`; (?i) before it ignores case")
	flags.StringArrayVar(&f.systems, "system", nil, "only systems whose identifier matches `REGEXP`")
}

func (f *filterFlags) validate() error {
	var err error
	if f.test, err = compile("--test", "test", f.tests); err != nil {
		return err
	}
	f.system, err = compile("--system", "system", f.systems)
	return err
}

// active reports whether anything is to be left out.
func (f *filterFlags) active() bool { return f.test.active() || f.system.active() }

// apply returns f with the chosen tests and systems. The file itself is not
// changed. Diagnostics are kept: they may be about what is left out.
//
// A standard error that belongs to one of several systems is kept only where
// all of them are: among fewer it would seem to be better known than it is.
func (f *filterFlags) apply(file *result.File) *result.File {
	if !f.active() {
		return file
	}
	out := *file
	index := make([]int, len(file.Systems))
	out.Systems = nil
	for i := range file.Systems {
		index[i] = -1
		if f.system.match(file.Systems[i].Identifier, file.Systems[i].Identifier, "") {
			index[i] = len(out.Systems)
			out.Systems = append(out.Systems, file.Systems[i])
		}
	}
	out.Tests = nil
	for i := range file.Tests {
		if f.matchTest(&file.Tests[i]) {
			out.Tests = append(out.Tests, chosen(&file.Tests[i], index))
		}
	}
	if len(out.Systems) == 0 && f.system.active() {
		out.Tests = nil // nothing is left of them
	}
	return &out
}

func (f *filterFlags) matchTest(t *result.Test) bool {
	return !f.test.active() || f.test.match(t.Name(), t.Title, t.Profile)
}

// chosen returns t with the measurements of the systems that index keeps.
func chosen(t *result.Test, index []int) result.Test {
	out := *t
	out.Measurements = nil
	for _, m := range t.Measurements {
		if m.System = index[m.System]; m.System >= 0 {
			out.Measurements = append(out.Measurements, m)
		}
	}
	out.Unassigned = nil
	for _, u := range t.Unassigned {
		systems := make([]int, 0, len(u.Systems))
		for _, s := range u.Systems {
			if index[s] >= 0 {
				systems = append(systems, index[s])
			}
		}
		if len(systems) == len(u.Systems) {
			u.Systems = systems
			out.Unassigned = append(out.Unassigned, u)
		}
	}
	return out
}

// warn says which filters matched nothing, and what they may have been meant
// to match.
func (f *filterFlags) warn(m *messages) {
	f.test.warn(m)
	f.system.warn(m)
}
