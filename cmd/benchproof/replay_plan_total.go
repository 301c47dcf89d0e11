package main

import (
	"fmt"
	"math"
	"strings"

	"github.com/benchproof/benchproof/internal/phrase"
	"github.com/benchproof/benchproof/replay"
)

// total prints what the plan comes to.
func (t *planPrinter) total() {
	counts := map[string]int{}
	runs := map[string]bool{}
	seconds, incomparable, repetitions := 0.0, 0, 0
	peak := map[string]int64{}
	for i := range t.p.Steps {
		s := &t.p.Steps[i]
		counts[s.Status]++
		if s.Status != replay.Ready {
			continue
		}
		if !s.Comparable {
			incomparable++
		}
		peak[s.Target] = max(peak[s.Target], *s.Bytes)
		if !runs[s.RunID] {
			runs[s.RunID] = true
			seconds += *s.Seconds * float64(s.Runs)
			repetitions += s.Runs
		}
	}
	fmt.Fprintln(t.w)
	head := phrase.Count(len(t.p.Rows), "row")
	if len(t.p.Targets) > 1 {
		head += " × " + phrase.Count(len(t.p.Targets), "target")
	}
	parts := []string{fmt.Sprintf("%d ready", counts[replay.Ready])}
	for _, status := range []string{replay.Refused, replay.Unavailable} {
		if n := counts[status]; n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, status))
		}
	}
	t.words(0, head+": "+strings.Join(parts, ", "), bold)
	if len(runs) > 0 {
		about := "about " + durationText(seconds)
		if t.p.Request.Rule != "" {
			about = "at least " + durationText(seconds)
		}
		what := "1 run of a tool"
		if len(runs) > 1 {
			what = phrase.Count(len(runs), "different run") + " of tools"
		}
		text := fmt.Sprintf("%s, %s in all, %s", what, phrase.Count(repetitions, "repetition"), about)
		for _, g := range t.p.Targets {
			if peak[g.Label] == 0 {
				continue
			}
			text += fmt.Sprintf("; at most %s at once", replay.ByteText(peak[g.Label]))
			if len(t.p.Targets) > 1 {
				text += " on " + g.Label
			}
		}
		t.words(0, text, "")
	}
	switch {
	case t.p.Request.Rule != "":
		t.words(0, "repetitions by the rule "+t.p.Request.Rule+", 3 at the least", "")
	case t.p.Request.Runs == 0 && len(runs) > 0:
		t.words(0, "repeated as often as published where that is known, else 3 times", "")
	}
	if incomparable > 0 {
		t.words(0, fmt.Sprintf("%d of %s %s not comparable with what was published itself, for the reasons above", incomparable, phrase.Count(counts[replay.Ready], "value"), phrase.Verb(incomparable, "is", "are")), "")
	}
	if t.p.Request.Quick || t.p.Request.Scale < 1 {
		t.words(0, fmt.Sprintf("Scaled by %s: a trial, and no validation of published values.", scaleText(t.p.Request.Scale)), "")
	}
	if t.p.HasTarget() && len(t.p.Targets) == 1 && counts[replay.Ready] > 0 && t.elsewhere() {
		t.words(0, "With one target on another machine than the published one no claim can be verified: the order and ratio of two can, so name two as --target NAME=DIR", "")
	}
	t.words(0, "Nothing has been run.", "")
}

// scaleText returns a scale for people: "1/16", "0.3".
func scaleText(x float64) string {
	if n := math.Round(1 / x); n > 1 && math.Abs(1/x-n) < 1e-9 {
		return fmt.Sprintf("1/%.0f", n)
	}
	return fmt.Sprintf("%g", x)
}

// durationText returns seconds for people: "35 s", "12 min", "2 h 10 min".
func durationText(seconds float64) string {
	switch {
	case math.IsNaN(seconds) || seconds < 0 || seconds > 1e9:
		return "?"
	case seconds < 99.5:
		return fmt.Sprintf("%.0f s", seconds)
	case seconds < 99.5*60:
		return fmt.Sprintf("%.0f min", seconds/60)
	}
	minutes := int(math.Round(seconds / 60))
	return fmt.Sprintf("%d h %02d min", minutes/60, minutes%60)
}

// elsewhere reports whether this machine is known to be another than the
// published one.
func (t *planPrinter) elsewhere() bool {
	published, _, _ := t.p.Published()
	here := replay.ThisMachine()
	other := func(a, b int) bool { return a > 0 && b > 0 && a != b }
	return other(published.Cores, here.Cores) || other(published.Threads, here.Threads)
}
