package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/benchproof/benchproof/internal/torture"
)

// corpusDir makes a small corpus of three parts, which is then damaged.
func (w *tortureWorker) corpusDir() error {
	if err := emptyDir("in"); err != nil {
		return err
	}
	for _, name := range []string{"samples/kitchen-sink.xml", "input/hostile.json", "input/small.txt"} {
		path := filepath.Join("in", filepath.Base(name))
		if err := os.WriteFile(path, w.seeds[name].Data, 0o666); err != nil {
			return err
		}
		if code, _, stderr := w.command([]string{"corpus", "add", path, "--into", "out/set", "-q"}, nil, false); code != 0 {
			return fmt.Errorf("corpus: code %d, %s", code, stderr)
		}
	}
	dir, err := readDir("out/set")
	w.dirs["corpus"] = dir
	return err
}

// rowsDir makes a corpus of rows that are hostile and sound.
func (w *tortureWorker) rowsDir(i uint64, r *rand.Rand) (*tortureInput, error) {
	t := &tortureInput{kind: "dir-rows", path: filepath.Join("in", "corpus"), other: filepath.Join("in", "rows0"), dir: true, what: "rows"}
	t.Index, t.Name = i, "corpus"
	if err := layTarget(); err != nil {
		return nil, err
	}
	var paths []string
	for _, in := range w.g.Rows(i, 1+r.IntN(3)) {
		path := filepath.Join("in", in.Name)
		if err := os.WriteFile(path, in.Data, 0o666); err != nil {
			return nil, err
		}
		paths = append(paths, path)
		t.size += len(in.Data)
	}
	w.command(append([]string{"corpus", "add", "--into", t.path, "-q"}, paths...), nil, false)
	if _, err := os.Stat(filepath.Join(t.path, "manifest.json")); err != nil {
		t.what = "no corpus" // nothing could be read
		return t, nil
	}
	// What the corpus must hold.
	record := filepath.Join("in", "record.json")
	w.command(append([]string{"convert", "-q", "-o", record}, paths...), nil, false)
	file, err := os.ReadFile(record)
	if err != nil {
		return t, nil
	}
	var doc struct {
		Files []struct {
			Tests []struct{ Measurements []struct{ Value string } }
		}
	}
	if err := json.Unmarshal(file, &doc); err != nil {
		return nil, err
	}
	t.values = map[string]int{}
	for _, f := range doc.Files {
		for _, test := range f.Tests {
			for _, m := range test.Measurements {
				if m.Value != "" {
					t.values[m.Value]++
				}
			}
		}
	}
	return t, nil
}

// corpusTables are those that a question can be asked of.
var corpusTables = []string{"results", "files", "paths", "systems", "components", "tests", "measurements", "runs", "diagnostics"}

// corpusValues is the question whose answer is known.
const corpusValues = "SELECT value FROM measurements WHERE value <> ''"

// corpusSteps are all questions to a corpus, of which some are asked.
func corpusSteps(t *tortureInput, r *rand.Rand, hostile func() string) []tortureStep {
	p := t.path
	form := []string{"txt", "csv", "json", "ndjson", "md"}[r.IntN(5)]
	// A corpus of what can be read must answer.
	codes := "0"
	if t.what != "rows" {
		codes = "034"
	}
	ask := func(name string, args ...string) tortureStep {
		return tortureStep{name: name, args: append([]string{"corpus"}, args...), form: "txt", codes: codes}
	}
	formed := func(s tortureStep) tortureStep {
		s.args, s.form = append(s.args, "--format", form), form
		return s
	}
	list := []tortureStep{
		ask("corpus info", "info", p),
		{name: "corpus info check", args: []string{"corpus", "info", p, "--check"}, form: "txt", codes: codes + "1"},
		{name: "corpus info json", args: []string{"corpus", "info", p, "--json"}, form: "json", codes: codes},
		{name: "corpus show", args: []string{"corpus", "show", "--from", p, []string{"0", "1", "a", "f", "5b2f", "", "..", "../x", "*"}[r.IntN(9)], "--json"}, form: "json", codes: "0234"},
	}
	pattern := "."
	if r.IntN(2) == 0 {
		pattern = regexp.QuoteMeta(strings.ToValidUTF8(strings.ReplaceAll(hostile(), "\x00", ""), ""))
	}
	param := strings.ReplaceAll(hostile(), "\x00", "")
	questions := []tortureStep{
		formed(ask("corpus query", "query", "--from", p, "SELECT * FROM "+corpusTables[r.IntN(len(corpusTables))])),
		formed(ask("corpus query", "query", "--from", p, "--param", param, "SELECT ? AS given, * FROM results ORDER BY ALL LIMIT 50")),
		ask("corpus query", "query", "--from", p, "SELECT test, system, median(number), count(*) FROM results GROUP BY ALL ORDER BY ALL"),
		formed(ask("corpus history", "history", "--from", p, "--test", pattern)),
		ask("corpus history", "history", "--from", p, "--test", ".", "--system", pattern),
		formed(ask("corpus percentile", "percentile", "--from", p, t.other)),
		formed(ask("corpus similar", "similar", "--from", p, t.other)),
		ask("corpus similar", "similar", "--from", p, t.other, "--by", "values", "--min-tests", "1"),
	}
	for i := range questions {
		// Of the input beside it not all may be readable, and a pattern or a
		// parameter need be none.
		if questions[i].name != "corpus query" || questions[i].args[4] == "--param" {
			questions[i].codes += "23"
		}
	}
	for range 3 {
		list = append(list, questions[r.IntN(len(questions))])
	}
	if t.what == "rows" && t.values != nil {
		list = append(list, tortureStep{name: "corpus values", args: []string{"corpus", "query", "--from", p, "--json", corpusValues}, form: "json", codes: codes})
	}
	return append(list, tortureStep{name: "corpus add more", args: []string{"corpus", "add", t.other, "--into", p}, form: "set", codes: "034", writes: true})
}

// answered compares what a corpus says of its values with what the inputs hold.
func (o *tortureOutcome) answered() {
	var answer struct{ Rows [][]any }
	if o.code != exitOK {
		return
	}
	if err := json.Unmarshal(o.stdout, &answer); err != nil {
		o.fault("%v", err)
		return
	}
	values := map[string]int{}
	for _, row := range answer.Rows {
		values[fmt.Sprint(row...)]++
	}
	if !maps.Equal(values, o.t.values) {
		for v, n := range o.t.values {
			if values[v] != n {
				o.fault("the corpus has the value %.60q %d times, its inputs %d times; %d and %d values in all", v, values[v], n, len(answer.Rows), len(o.t.values))
				return
			}
		}
		o.fault("the corpus has values that its inputs do not have: %d, of %d", len(values), len(o.t.values))
	}
}

// breakDir damages a sound directory.
func (w *tortureWorker) breakDir(what string, sound torture.Dir, i uint64) (torture.Dir, string) {
	if what == "corpus" {
		return w.g.BreakCorpus(sound, i)
	}
	return w.g.Break(sound, i)
}
