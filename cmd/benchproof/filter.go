package main

import (
	"fmt"
	"regexp"

	"github.com/spf13/pflag"

	"github.com/benchproof/benchproof/result"
)

// filterFlags choose tests and systems by regular expressions.
type filterFlags struct {
	tests, systems []string

	test, system     []*regexp.Regexp
	anyTest, anySyst bool // something was chosen so far
}

func (f *filterFlags) addFlags(flags *pflag.FlagSet) {
	flags.StringArrayVar(&f.tests, "test", nil, "only tests whose title, version and arguments match `REGEXP`")
	flags.StringArrayVar(&f.systems, "system", nil, "only systems whose identifier matches `REGEXP`")
}

func (f *filterFlags) validate() error {
	var err error
	if f.test, err = compile("--test", f.tests); err != nil {
		return err
	}
	f.system, err = compile("--system", f.systems)
	return err
}

func compile(flag string, texts []string) ([]*regexp.Regexp, error) {
	var list []*regexp.Regexp
	for _, t := range texts {
		re, err := regexp.Compile(t)
		if err != nil {
			return nil, usage("quote a character that has a meaning with a backslash", fmt.Errorf("%s %q: %w", flag, t, err))
		}
		list = append(list, re)
	}
	return list, nil
}

// matches reports whether one of list matches text; an empty list does.
func matches(list []*regexp.Regexp, text string) bool {
	for _, re := range list {
		if re.MatchString(text) {
			return true
		}
	}
	return len(list) == 0
}

// active reports whether anything is to be left out.
func (f *filterFlags) active() bool { return len(f.test) > 0 || len(f.system) > 0 }

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
		if matches(f.system, file.Systems[i].Identifier) {
			index[i] = len(out.Systems)
			out.Systems = append(out.Systems, file.Systems[i])
		}
	}
	out.Tests = nil
	for i := range file.Tests {
		if matches(f.test, file.Tests[i].Name()) {
			out.Tests = append(out.Tests, chosen(&file.Tests[i], index))
		}
	}
	f.anyTest = f.anyTest || len(out.Tests) > 0
	f.anySyst = f.anySyst || len(out.Systems) > 0
	return &out
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

// warn says which filter left nothing over.
func (f *filterFlags) warn(m *messages) {
	if len(f.test) > 0 && !f.anyTest {
		m.warning("no test matches --test %q", f.tests)
	}
	if len(f.system) > 0 && !f.anySyst {
		m.warning("no system matches --system %q", f.systems)
	}
}
