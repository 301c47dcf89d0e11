package analyze

import (
	"fmt"
	"strings"
)

// apartTest is a test that the file of the baseline has not.
type apartTest struct {
	test *Test
	file int // of the baseline
}

// namedTest is a test of a file by what readers of the file call it.
type namedTest struct {
	file             int
	title, arguments string
}

// namedTests returns the first test of each name in each file.
func (s *Set) namedTests() map[namedTest]*Test {
	there := make(map[namedTest]*Test)
	for i := range s.Tests {
		t := &s.Tests[i]
		for j := range t.Cells {
			k := namedTest{s.Systems[t.Cells[j].System].File, t.Title, t.Arguments}
			if there[k] == nil {
				there[k] = t
			}
		}
	}
	return there
}

// almost says of tests which of them the baseline's file has but for the version,
// the profile or the unit, and what keeps them apart; "" if there is none.
func almost(tests []apartTest, there map[namedTest]*Test) string {
	n, first := 0, ""
	for _, a := range tests {
		o := there[namedTest{a.file, a.test.Title, a.test.Arguments}]
		if o == nil {
			continue
		}
		if n++; n > 1 {
			continue
		}
		var parts []string
		for _, p := range []struct{ what, was, is string }{
			{"version", o.Version, a.test.Version},
			{"profile", o.Profile, a.test.Profile},
			{"unit", o.Scale, a.test.Scale},
			{"direction", string(o.Proportion), string(a.test.Proportion)},
			{"command", o.CommandArguments, a.test.CommandArguments},
		} {
			if p.was != p.is && (p.what == "version" || p.what == "unit" || p.was != "" && p.is != "") &&
				(p.what != "profile" || !sameProfile(p.was, p.is)) {
				parts = append(parts, fmt.Sprintf("%s %s there and %s here", p.what, orNone(p.was), orNone(p.is)))
			}
		}
		if len(parts) == 0 {
			n--
			continue
		}
		first = fmt.Sprintf("%q: %s", a.test.Name(), strings.Join(parts, ", "))
	}
	switch {
	case n == 0:
		return ""
	case n == 1:
		return "; 1 is there as another test: " + first
	}
	return fmt.Sprintf("; %d are there as other tests, such as %s", n, first)
}

func orNone(text string) string {
	if text == "" {
		return "none"
	}
	return text
}
