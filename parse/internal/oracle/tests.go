package oracle

import (
	"fmt"
	"slices"

	"github.com/benchproof/benchproof/result"
)

// tests pairs the tests and compares each pair.
func (d *differ) tests() {
	got, want := d.got.Tests, d.want.Tests
	if len(got) == len(want) {
		for i := range want {
			d.test(i, &got[i], &want[i])
		}
		return
	}
	if !d.SkipMissingTests {
		d.add("tests: got %d, want %d", len(got), len(want))
	}
	next := 0
	for i := range want {
		j := next
		for j < len(got) && d.head(&got[j]) != d.head(&want[i]) {
			j++
		}
		if j == len(got) {
			d.missingTest(i, &want[i])
			continue
		}
		for ; next < j; next++ {
			d.add("test %s: unwanted here", d.head(&got[next]))
		}
		d.test(i, &got[j], &want[i])
		next = j + 1
	}
	for ; next < len(got); next++ {
		d.add("test %s: unwanted", d.head(&got[next]))
	}
}

// head returns the text that tells a test from others.
func (d *differ) head(t *result.Test) string {
	return fmt.Sprintf("%q", d.norm(join(t.Title, t.Version))+" | "+d.norm(t.Arguments)+" | "+d.norm(t.Scale))
}

func (d *differ) missingTest(i int, want *result.Test) {
	d.Tally.MissingTests++
	for k := range want.Measurements {
		if want.Measurements[k].Status == result.StatusOK {
			d.Tally.Missing++
		}
	}
	if !d.SkipMissingTests {
		d.add("test %d %s: missing", i+1, d.head(want))
	}
}

func (d *differ) test(i int, got, want *result.Test) {
	at := fmt.Sprintf("test %d %s", i+1, d.head(want))
	if d.JoinHead {
		d.text(at+": title and version", join(got.Title, got.Version), join(want.Title, want.Version))
	} else {
		d.text(at+": title", got.Title, want.Title)
		d.text(at+": version", got.Version, want.Version)
	}
	d.text(at+": arguments", got.Arguments, want.Arguments)
	d.text(at+": scale", got.Scale, want.Scale)
	if want.Proportion == result.HIB || want.Proportion == result.LIB || got.Proportion != result.ProportionUnknown {
		d.text(at+": proportion", string(got.Proportion), string(want.Proportion))
	}
	d.options(at, got.Options, want.Options)
	if !d.SkipFootnotes && !d.NumericValues {
		d.list(at+": footnotes", got.Footnotes, want.Footnotes)
	}
	if !d.SkipXMLFields {
		d.known(at+": profile", got.Profile, want.Profile)
		d.known(at+": command arguments", got.CommandArguments, want.CommandArguments)
		d.known(at+": display format", got.DisplayFormat, want.DisplayFormat)
		d.known(at+": parent", got.Parent, want.Parent)
		d.known(at+": annotation", got.Annotation, want.Annotation)
	}
	d.measurements(at, got, want)
	if !d.SkipSE && !d.NumericValues {
		d.unassigned(at, got.Unassigned, want.Unassigned)
	}
}

// options compares keyed options and bare ones apart, as the truth does not
// say how they stood among each other.
func (d *differ) options(at string, got, want []result.Option) {
	if want == nil {
		return
	}
	split := func(options []result.Option) (keyed, bare []string) {
		for _, o := range options {
			if o.Key == "" {
				bare = append(bare, o.Value)
			} else {
				keyed = append(keyed, o.Key+": "+o.Value)
			}
		}
		return keyed, bare
	}
	gotKeyed, gotBare := split(got)
	wantKeyed, wantBare := split(want)
	d.list(at+": options", gotKeyed, wantKeyed)
	d.list(at+": bare options", gotBare, wantBare)
}

// unassigned compares the standard errors that no system is given. The truth
// names all systems with a value; a reader may know fewer by the order in
// which the errors stand, never others.
func (d *differ) unassigned(at string, got, want []result.Unassigned) {
	figures := func(list []result.Unassigned) []string {
		var out []string
		for _, u := range list {
			out = append(out, fmt.Sprintf("%s, N = %d", u.StdError, u.Samples))
		}
		return out
	}
	d.list(at+": unassigned", figures(got), figures(want))
	if len(got) != len(want) {
		return
	}
	gotNames, wantNames := d.got.SystemNames(), d.want.SystemNames()
	for i, u := range got {
		if len(u.Systems) == 0 {
			d.add("%s: unassigned %s: belongs to no system", at, u.StdError)
		}
		for _, sys := range u.Systems {
			if !slices.ContainsFunc(want[i].Systems, func(w int) bool { return wantNames[w] == gotNames[sys] }) {
				d.add("%s: unassigned %s: may not belong to %q", at, u.StdError, gotNames[sys])
			}
		}
	}
}
