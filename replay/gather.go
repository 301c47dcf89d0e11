package replay

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/benchproof/benchproof/internal/number"
	"github.com/benchproof/benchproof/internal/phrase"
	"github.com/benchproof/benchproof/result"
)

// Gather makes a result file of what a journal holds: one system a target, and
// one test a published row that could be run, of the same title, version,
// arguments, scale and proportion, so that compare sets both beside each other.
// Where a later block has values of its own, it is a system of its own: values
// of different kernels, mounts or schedulers are not mixed.
//
// A value is the mean of the published values of its repetitions, as the test
// suite prints it: with two decimals, below 10 with more, or whole where no repetition had
// a decimal point. The repetitions are the raw values. A run that was given up
// without any has failed, with its reason, and so has one for which there was no
// tool or no space; one that has not run yet has no measurement.
func Gather(p *Plan, dir string) (*result.File, error) {
	s, err := loadState(dir)
	if err != nil {
		return nil, err
	}
	g := &gatherer{plan: p, state: s, file: &result.File{
		Title:       "Replay of " + p.Source,
		Description: p.sentence(),
		Source:      "replay-" + s.id,
		Identifier:  "replay-" + s.id,
		Generator:   strings.TrimSpace("benchproof " + s.version),
		Format:      result.FormatRecord,
	}}
	if !s.last.IsZero() {
		g.file.LastModified = s.last.UTC().Format("2006-01-02 15:04:05")
	}
	return g.gather()
}

// sentence says what was replayed and how.
func (p *Plan) sentence() string {
	text := fmt.Sprintf("%d of %s, repeated by benchproof, seed %d.", p.readyRows(), phrase.Count(len(p.Rows), "published row"), p.Seed)
	if p.Request.Scale < 1 {
		text += fmt.Sprintf(" Sizes and times scaled by %s: a trial, and no validation of the published values.", number.Significant(p.Request.Scale, 6))
	}
	return text
}

// readyRows returns how many rows can run on some target.
func (p *Plan) readyRows() int {
	rows := make(map[int]bool)
	for i := range p.Steps {
		if p.Steps[i].Status == Ready {
			rows[p.Steps[i].Row] = true
		}
	}
	return len(rows)
}

type gatherer struct {
	plan  *Plan
	state *state
	file  *result.File
	// systems are the indexes of systems by target and block.
	systems map[systemKey]int
}

type systemKey struct {
	target string
	block  int
}

func (g *gatherer) gather() (*result.File, error) {
	g.addSystems()
	type testKey struct{ title, version, arguments, scale, run string }
	seen := make(map[testKey]bool)
	for row := range g.plan.Rows {
		var steps []*Step
		for i := range g.plan.Steps {
			if s := &g.plan.Steps[i]; s.Row == row && (s.Status == Ready || g.plan.lacking(s)) {
				steps = append(steps, s)
			}
		}
		if len(steps) == 0 {
			continue
		}
		t := g.plan.Rows[row].test()
		// One test in several inputs is one test here where it came from
		// the same run.
		key := testKey{t.Title, t.Version, t.Arguments, t.Scale, steps[0].RunID}
		if seen[key] {
			continue
		}
		seen[key] = true
		if steps[0].Profile != "" && strings.Contains(steps[0].Profile, "/") {
			t.Profile = steps[0].Profile
		}
		for _, s := range steps {
			g.measurements(t, s)
		}
		g.file.Tests = append(g.file.Tests, *t)
	}
	if len(g.file.Systems) == 0 {
		return nil, errors.New("nothing has been measured")
	}
	return g.file, nil
}

// addSystems adds a system a target and block that has values; a target without
// any has one too.
func (g *gatherer) addSystems() {
	g.systems = make(map[systemKey]int)
	for _, t := range g.plan.standing() {
		var blocks []int
		for j := range g.plan.Steps {
			s := &g.plan.Steps[j]
			if s.Target != t.Label || s.RunID == "" {
				continue
			}
			for _, r := range g.state.done[s.RunID] {
				if !slices.Contains(blocks, r.block) {
					blocks = append(blocks, r.block)
				}
			}
			if f, ok := g.state.failed[s.RunID]; ok && len(g.state.done[s.RunID]) == 0 && !slices.Contains(blocks, f.block) {
				blocks = append(blocks, f.block)
			}
		}
		slices.Sort(blocks)
		if len(blocks) == 0 {
			blocks = []int{max(g.state.block, 1)}
		}
		for n, b := range blocks {
			name := t.Label
			if n > 0 {
				name = fmt.Sprintf("%s (block %d)", t.Label, b)
			}
			g.systems[systemKey{t.Label, b}] = g.addSystem(name, t, b)
		}
	}
}

func (g *gatherer) addSystem(name string, t *Target, block int) int {
	i := g.file.AddSystem(name)
	s := &g.file.Systems[i]
	if !g.state.began.IsZero() {
		s.Timestamp = g.state.began.UTC().Format("2006-01-02 15:04:05")
	}
	s.ClientVersion = g.file.Generator
	if block >= 1 && block <= len(g.state.facts) {
		about := g.state.facts[block-1][t.Label]
		s.Hardware, s.Software, s.Notes = about.Hardware, about.Software, about.Notes
	}
	return i
}

// systemOf returns the first system of a target.
func (g *gatherer) systemOf(target string) int {
	first := -1
	for key, i := range g.systems {
		if key.target == target && (first < 0 || i < first) {
			first = i
		}
	}
	return first
}

// measurements adds what the step's run has measured.
func (g *gatherer) measurements(t *result.Test, s *Step) {
	if s.Status != Ready {
		// Nothing ran, so there is nothing to say of how.
		t.Measurements = append(t.Measurements, result.Measurement{System: g.systemOf(s.Target), Status: result.StatusFailed, Reason: s.Reason})
		return
	}
	failed, isFailed := g.state.failed[s.RunID]
	replay := &result.Replay{Driver: s.Driver, Fidelity: s.Fidelity, Scaling: s.scaling()}
	byBlock := make(map[int][]repetition)
	var blocks []int
	for _, r := range g.state.done[s.RunID] {
		if byBlock[r.block] == nil {
			blocks = append(blocks, r.block)
		}
		byBlock[r.block] = append(byBlock[r.block], r)
	}
	for _, b := range blocks {
		m := result.Measurement{System: g.systems[systemKey{s.Target, b}], Replay: replay}
		if s.NotComparable != "" {
			m.Notes = []string{"not comparable: " + s.NotComparable}
		}
		g.values(&m, byBlock[b], s.Metric)
		t.Measurements = append(t.Measurements, m)
		g.diagnose(s, byBlock[b])
	}
	switch {
	case isFailed && len(blocks) == 0:
		t.Measurements = append(t.Measurements, result.Measurement{
			System: g.systems[systemKey{s.Target, failed.block}], Replay: replay,
			Status: result.StatusFailed, Reason: cmp.Or(failed.reason, "the journal does not say why"),
		})
	case isFailed:
		g.doubt("replay-incomplete", fmt.Sprintf("%s on %s: repetition %d failed (%s); %d count", g.plan.label(s), s.Target, failed.rep, failed.reason, len(g.state.done[s.RunID])))
	}
}

// scaling returns what of a step is not as published. An option that was set
// otherwise makes its values as little comparable as a smaller size does.
func (s *Step) scaling() string {
	if s.Changed == "" || s.Changed == "scaled: "+s.Scaled {
		return s.Scaled
	}
	return s.Changed
}

// values fills in the values of repetitions.
func (g *gatherer) values(m *result.Measurement, reps []repetition, metric string) {
	reason := ""
	var censored []string // what was measured, of repetitions without a published value
	for i := range reps {
		v, ok := reps[i].value(metric)
		switch {
		case !ok:
			reason = "the output has no " + metric
		case v.Text == "" && v.Reason != "":
			reason = result.CensoredReason + v.Reason
			censored = append(censored, strings.TrimSpace(strconv.FormatFloat(v.Value, 'g', -1, 64)+" "+v.Unit))
		case v.Text == "":
			reason = "the journal has no published value of " + metric
		default:
			m.RawValues = append(m.RawValues, v.Text)
			m.RunTimes = append(m.RunTimes, strconv.FormatFloat(reps[i].seconds, 'f', -1, 64))
		}
	}
	if len(censored) > 0 {
		m.Notes = append(m.Notes, "measured, not published: "+strings.Join(censored, ", "))
	}
	if len(m.RawValues) == 0 {
		m.Status, m.Reason = result.StatusFailed, reason
		return
	}
	m.Value = meanText(m.RawValues)
	m.Samples = len(m.RawValues)
	if m.StdError = number.StdError(m.RawValues); m.StdError != "" {
		m.StdErrorDerived = true
	}
}

// diagnose adds the warnings of repetitions to the file, each once with how
// often it came.
func (g *gatherer) diagnose(s *Step, reps []repetition) {
	for _, w := range s.Warnings {
		g.say(result.SeverityInfo, "replay-note", fmt.Sprintf("%s: %s", g.plan.label(s), w))
	}
	var texts []string
	count := make(map[string]int)
	// Where none has a value, the measurement says why.
	some := slices.ContainsFunc(reps, func(r repetition) bool { v, _ := r.value(s.Metric); return v.Text != "" })
	for i := range reps {
		for _, w := range reps[i].warnings {
			if count[w] == 0 {
				texts = append(texts, w)
			}
			count[w]++
		}
		v, ok := reps[i].value(s.Metric)
		if v.Text == "" && (v.Reason != "" || some) {
			w := "no value: " + v.Reason
			switch {
			case !ok:
				w = "the output has no " + s.Metric
			case v.Reason == "":
				w = "the journal has no published value of " + s.Metric
			}
			if count[w] == 0 {
				texts = append(texts, w)
			}
			count[w]++
		}
	}
	for _, w := range texts {
		if w == trafficUnknown {
			g.say(result.SeverityInfo, "replay-note", fmt.Sprintf("%s on %s: %s (%d of %s)", g.plan.label(s), s.Target, w, count[w], phrase.Count(len(reps), "repetition")))
			continue
		}
		g.doubt("replay-warning", fmt.Sprintf("%s on %s: %s (%d of %s)", g.plan.label(s), s.Target, w, count[w], phrase.Count(len(reps), "repetition")))
	}
}

// doubt adds a warning to the file, once.
func (g *gatherer) doubt(code, text string) { g.say(result.SeverityWarning, code, text) }

// say adds a diagnostic to the file, once.
func (g *gatherer) say(severity result.Severity, code, text string) {
	d := result.Diagnostic{Severity: severity, Code: code, Message: text}
	for _, have := range g.file.Diagnostics {
		if have.Code == code && have.Message == text {
			return
		}
	}
	g.file.Diagnostics = append(g.file.Diagnostics, d)
}

// meanText returns the mean of printed values as the test suite prints it.
func meanText(values []string) string { return number.MeanText(values) }
