package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/benchproof/benchproof/replay"
)

// labTarget prints what a lab makes for a published system, or why it cannot.
func (t *planPrinter) labTarget(g *replay.Target) {
	text := fmt.Sprintf("Target %s: lab %s in %s", g.Label, g.Lab.Text(), g.Lab.Dir)
	if g.Lab.Lacks == "" {
		text += ", room for " + replay.ByteText(g.Free)
	}
	t.words(0, text, "")
	if g.Lab.Lacks != "" {
		text = "unavailable: " + g.Lab.Lacks
		if g.Lab.Hint != "" {
			text += "; " + g.Lab.Hint
		}
		t.words(2, text, "33")
	}
	for _, n := range g.Notes {
		t.words(2, n, "")
	}
}

// labSystems prints the published systems that the lab does not make, with what
// they seem to have been.
func (t *planPrinter) labSystems() {
	var others, none []string
	for _, s := range t.p.LabSystems {
		switch {
		case slices.ContainsFunc(t.p.Targets, func(g replay.Target) bool { return g.Label == s.System }):
		case s.Spec == "":
			none = append(none, fmt.Sprintf("%s (%s)", s.System, s.Reason))
		case s.Doubt != "":
			others = append(others, fmt.Sprintf("%s (%s?)", s.System, s.Spec))
		default:
			others = append(others, fmt.Sprintf("%s (%s)", s.System, s.Spec))
		}
	}
	if len(others) > 0 {
		t.words(0, "Not in the lab: "+strings.Join(others, ", "), "")
	}
	if len(none) > 0 {
		t.words(0, "Of no configuration of the lab: "+strings.Join(none, ", "), "")
	}
}
