package main

import (
	"fmt"
	"io"
	"iter"
	"strconv"
	"strings"

	"github.com/benchproof/benchproof/analyze"
	"github.com/benchproof/benchproof/export"
	"github.com/benchproof/benchproof/internal/phrase"
	"github.com/benchproof/benchproof/internal/term"
)

// verifyHostsSchema names the JSON form of a verification on many hosts.
const verifyHostsSchema = "benchproof/verify-hosts/1"

// writeHostVerify writes a verification of many hosts in a format.
func writeHostVerify(w io.Writer, format string, h *analyze.HostVerification, o export.TextOptions) error {
	switch format {
	case "txt":
		return writeHostVerifyText(w, h, o)
	case "json":
		return writeJSON(w, hostVerifyDocument(h))
	}
	return export.WriteRows(w, format, export.VerifyColumns, hostVerifyRows(h))
}

// hostVerifyRows yields the rows of every host's verification. The row of a set
// has the host as its system.
func hostVerifyRows(h *analyze.HostVerification) iter.Seq[[]string] {
	kind, system := 0, 0
	for i, c := range export.VerifyColumns {
		switch c.Name {
		case "kind":
			kind = i
		case "system":
			system = i
		}
	}
	return func(yield func([]string) bool) {
		for i := range h.Hosts {
			for row := range export.VerifyRows(h.Hosts[i].Verification) {
				if row[kind] == string(analyze.SetClaim) {
					row[system] = h.Hosts[i].Host
				}
				if !yield(row) {
					return
				}
			}
		}
	}
}

func hostVerifyDocument(h *analyze.HostVerification) any {
	type object = map[string]any
	hosts, claims := []object{}, []object{}
	for i := range h.Hosts {
		v := &h.Hosts[i]
		hosts = append(hosts, object{
			"host": v.Host, "verdict": v.Verdict, "reason": v.Reason, "sentence": v.Sentence,
			"testable": v.Claims.Testable, "hold": v.Claims.Hold, "not_reproduced": v.Claims.Failed, "undecided": v.Claims.Open,
		})
	}
	for i := range h.Claims {
		c := &h.Claims[i]
		claims = append(claims, object{
			"kind": c.Claim, "test": c.Test.Title, "version": c.Test.Version, "arguments": c.Test.Arguments, "scale": c.Test.Scale,
			"system": c.System, "system_b": c.SystemB, "holds": c.Holds, "not_reproduced": c.Fails, "undecided": c.Open, "not_tested": c.Other,
		})
	}
	return object{
		"schema": verifyHostsSchema, "sentence": h.Sentence, "hosts": hosts, "claims": claims,
		"warnings": append([]string{}, h.Warnings...),
	}
}

func writeHostVerifyText(w io.Writer, h *analyze.HostVerification, o export.TextOptions) error {
	var b strings.Builder
	table := func(header []string, right ...bool) *term.Table {
		return &term.Table{Header: header, Right: right, Width: o.Width, Indent: 2, ASCII: o.ASCII, Color: o.Color}
	}
	words := func(text string) {
		for _, line := range term.Wrap(term.Visible(text), max(o.Width, 20)) {
			fmt.Fprintln(&b, line)
		}
	}
	words(h.Sentence)
	b.WriteByte('\n')
	t := table([]string{"host", "verdict", "hold", "of testable", "why"}, false, false, true, true, false)
	for i := range h.Hosts {
		v := &h.Hosts[i]
		t.Add(v.Host, string(v.Verdict), strconv.Itoa(v.Claims.Hold), strconv.Itoa(v.Claims.Testable), v.Reason)
	}
	if _, err := t.WriteTo(&b); err != nil {
		return err
	}
	claims := table([]string{"claim", "holds", "not reproduced", "undecided", "hosts"}, false, true, true, true, true)
	untested := 0
	for i := range h.Claims {
		c := &h.Claims[i]
		if c.Tested() == 0 {
			untested++
			continue
		}
		name := c.Test.Name() + ": " + c.System
		if c.Claim == analyze.PairClaim {
			name += " better than " + c.SystemB
		}
		claims.Add(name, strconv.Itoa(c.Holds), strconv.Itoa(c.Fails), strconv.Itoa(c.Open), strconv.Itoa(len(h.Hosts)))
	}
	b.WriteByte('\n')
	if untested < len(h.Claims) {
		words("On how many hosts the published claims hold")
		if _, err := claims.WriteTo(&b); err != nil {
			return err
		}
	}
	if untested > 0 {
		words(phrase.Count(untested, "claim") + " could be tested on no host; --format csv has the reasons")
	}
	for _, text := range h.Warnings {
		words("warning: " + text)
	}
	_, err := io.WriteString(w, b.String())
	return err
}
