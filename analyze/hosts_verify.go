package analyze

import (
	"fmt"
	"slices"

	"github.com/benchproof/benchproof/internal/phrase"
	"github.com/benchproof/benchproof/result"
)

// HostVerification is a published result held against a replay on many hosts:
// each host by itself, as a published claim is about one machine, and how many
// of them bear it out.
type HostVerification struct {
	Hosts  []HostVerdict
	Claims []HostClaim
	// Sentence sums it up in one sentence of plain words.
	Sentence string
	Warnings []string
}

// HostVerdict is one host's verification.
type HostVerdict struct {
	Host string
	*Verification
}

// HostClaim is one published claim on all hosts.
type HostClaim struct {
	Claim           Claim
	Test            *Test
	System, SystemB string // as published
	// Holds, Fails and Open count hosts on which the claim was tested, Other
	// those on which it could not be.
	Holds, Fails, Open, Other int
}

// Tested returns on how many hosts the claim was tested, decided or not.
func (c *HostClaim) Tested() int { return c.Holds + c.Fails + c.Open }

// VerifyHosts holds every host of a gathered replay against the published
// result, by [Verify]. A host's configuration stands for the published system
// that o.Map names, for the replayed system or for the configuration, or that has
// its name; the only configuration for the only published system. The error is
// ErrNoHosts where the replay is not of several hosts, or that of Verify.
func VerifyHosts(published, replayed *result.File, o VerifyOptions) (*HostVerification, error) {
	hosts := hostFiles(replayed)
	if len(hosts) < 2 {
		return nil, ErrNoHosts
	}
	if err := checkHostMap(published, replayed, o.Map); err != nil {
		return nil, err
	}
	h := &HostVerification{}
	for _, f := range hosts {
		host, _ := hostOf(&f.Systems[0])
		own := o
		own.Map = make(map[string]string)
		for i := range f.Systems {
			id := f.Systems[i].Identifier
			_, configuration := hostOf(&f.Systems[i])
			if to, ok := o.Map[id]; ok {
				own.Map[id] = to
			} else if to, ok := o.Map[configuration]; ok {
				own.Map[id] = to
			} else if published.SystemIndex(configuration) >= 0 {
				own.Map[id] = configuration
			}
		}
		v, err := Verify(published, f, own)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", host, err)
		}
		h.Hosts = append(h.Hosts, HostVerdict{host, v})
		for _, w := range v.Warnings {
			h.Warnings = append(h.Warnings, host+": "+w)
		}
	}
	h.count()
	return h, nil
}

// hostFiles divides a file by hosts, in the order of their first systems.
func hostFiles(f *result.File) []*result.File {
	var names []string
	for i := range f.Systems {
		if host, _ := hostOf(&f.Systems[i]); host != "" && !slices.Contains(names, host) {
			names = append(names, host)
		}
	}
	var list []*result.File
	for _, name := range names {
		one := *f
		one.Systems, one.Tests = nil, nil
		at := make(map[int]int)
		for i := range f.Systems {
			if host, _ := hostOf(&f.Systems[i]); host == name {
				at[i] = len(one.Systems)
				one.Systems = append(one.Systems, f.Systems[i])
			}
		}
		for _, t := range f.Tests {
			var own []result.Measurement
			for _, m := range t.Measurements {
				if to, ok := at[m.System]; ok {
					m.System = to
					own = append(own, m)
				}
			}
			t.Measurements, t.Unassigned = own, nil
			one.Tests = append(one.Tests, t)
		}
		list = append(list, &one)
	}
	return list
}

// checkHostMap makes sure that what is mapped is there.
func checkHostMap(published, replayed *result.File, m map[string]string) error {
	var names []string
	for i := range replayed.Systems {
		_, configuration := hostOf(&replayed.Systems[i])
		names = append(names, replayed.Systems[i].Identifier, configuration)
	}
	for _, from := range slices.Sorted(keys(m)) {
		if !slices.Contains(names, from) {
			return &NameError{"replayed system", from, nearest(from, names), false}
		}
		if to := m[from]; published.SystemIndex(to) < 0 {
			return &NameError{"published system", to, nearest(to, published.SystemNames()), false}
		}
	}
	return nil
}

// count counts on how many hosts each claim holds. Hosts that verify the same
// published result have the same claims, in the same order, but for what they
// did not replay.
func (h *HostVerification) count() {
	type key struct {
		claim                                  Claim
		title, version, arguments, scale, a, b string
		twin                                   int
	}
	at := make(map[key]int)
	reproduced := 0
	for _, v := range h.Hosts {
		twins := make(map[key]int)
		for i := range v.Rows {
			r := &v.Rows[i]
			if r.Claim == SetClaim {
				continue
			}
			a, b := r.System, r.SystemB
			k := key{r.Claim, r.Test.Title, r.Test.Version, r.Test.Arguments, r.Test.Scale, v.name(a), v.name(b), 0}
			twins[k]++
			k.twin = twins[k]
			n, ok := at[k]
			if !ok {
				n = len(h.Claims)
				at[k] = n
				h.Claims = append(h.Claims, HostClaim{Claim: r.Claim, Test: r.Test, System: k.a, SystemB: k.b})
			}
			c := &h.Claims[n]
			switch {
			case r.Verdict.holds():
				c.Holds++
			case r.Verdict == NotReproduced:
				c.Fails++
			case r.Verdict == NotDecided:
				c.Open++
			default:
				c.Other++
			}
		}
		if v.Verdict.holds() {
			reproduced++
		}
	}
	every, tested := 0, 0
	for i := range h.Claims {
		c := &h.Claims[i]
		if c.Tested() == 0 {
			continue
		}
		tested++
		if c.Holds == len(h.Hosts) {
			every++
		}
	}
	h.Sentence = fmt.Sprintf("The published result holds on %d of %s", reproduced, phrase.Count(len(h.Hosts), "host"))
	if tested == 0 {
		h.Sentence += "; no claim of it could be tested on any."
		return
	}
	h.Sentence += fmt.Sprintf("; claims that could be tested: %d, of them %d %s on all hosts.", tested, every, phrase.Verb(every, "holds", "hold"))
}

// name cuts the replayed name from behind a published one.
func (v *HostVerdict) name(text string) string {
	for _, m := range v.Systems {
		if text == v.systemName(m) {
			return v.Set.Systems[m.Published].Identifier
		}
	}
	return text
}
