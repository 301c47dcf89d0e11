package html

import (
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/benchproof/benchproof/analyze"
	"github.com/benchproof/benchproof/internal/phrase"
	"github.com/benchproof/benchproof/internal/term"
	"github.com/benchproof/benchproof/result"
)

// Options say what a page shows. The zero value compares all systems with the
// first and takes the first file's title.
type Options struct {
	// Title of the page; that of the first file if empty.
	Title string
	// Compare are the baseline to begin with, the axis, the margin and the
	// adjustment.
	Compare analyze.CompareOptions
	// Findings are what was found about each of the set's files, the
	// readers' own diagnostics included. nil takes the diagnostics and what
	// the figures say about themselves.
	Findings [][]result.Diagnostic
	// Generator is the program and its version, for the foot of the page.
	Generator string

	maxRows int // maxRows if 0
}

// Page is a set compared with each of its baselines, and ranked, ready to be
// written.
type Page struct {
	set      *analyze.Set
	options  Options
	title    string
	findings [][]result.Diagnostic
	ranking  *analyze.Ranking

	// comparisons are those with every baseline that a reader can choose;
	// the first is the one to begin with, and is never left out.
	comparisons []comparison
	// leftOut is how many baselines there was no room for.
	leftOut int
	// ranks are the places of cells.
	ranks map[*analyze.Cell]*analyze.TestRank
}

// comparison is a Comparison with the name by which the baseline is chosen.
type comparison struct {
	name string
	*analyze.Comparison
}

// maxRows bounds the rows of all comparisons in a page: some seconds of work and
// 10 MB. Baselines past it are left out, and the page says so.
const maxRows = 100_000

// New compares and ranks a set for a page. It returns an *analyze.NameError for
// a baseline or an axis that is not there.
func New(set *analyze.Set, o Options) (*Page, error) {
	p := &Page{set: set, options: o, title: o.Title, findings: o.Findings, ranks: map[*analyze.Cell]*analyze.TestRank{}}
	if p.title == "" {
		p.title = setTitle(set)
	}
	if p.findings == nil {
		for _, f := range set.Files {
			p.findings = append(p.findings, append(append([]result.Diagnostic(nil), f.Diagnostics...), analyze.Integrity(f)...))
		}
	}
	if err := p.compare(); err != nil {
		return nil, err
	}
	var err error
	if p.ranking, err = analyze.Rank(set); err != nil {
		return nil, err
	}
	for i := range p.ranking.Tests {
		ranks := p.ranking.Tests[i].Ranks
		for j := range ranks {
			p.ranks[ranks[j].Cell] = &ranks[j]
		}
	}
	return p, nil
}

// setTitle returns the title of a set: that of its first file, and how many
// more there are.
func setTitle(set *analyze.Set) string {
	title := ""
	for _, f := range set.Files {
		if title = strings.TrimSpace(f.Title); title == "" {
			title = f.Source
		}
		if title != "" {
			break
		}
	}
	if title == "" {
		title = "Benchmark results"
	}
	if n := len(set.Files); n > 1 {
		title += fmt.Sprintf(" and %s", phrase.Count(n-1, "more file"))
	}
	return title
}

// compare compares the set with the baseline to begin with, and with all
// others.
func (p *Page) compare() error {
	first, err := analyze.Compare(p.set, p.options.Compare)
	if err != nil {
		return err
	}
	names := baselines(p.set, first)
	start := p.options.Compare.Baseline
	if start == "" && len(names) > 0 {
		start = names[0]
	}
	// A baseline may be named by its identifier alone.
	for i := range p.set.Systems {
		if first.Options.By == "" && p.set.Systems[i].Name == first.Baseline {
			start = first.Baseline
		}
	}
	p.comparisons = []comparison{{start, first}}
	limit := p.options.maxRows
	if limit == 0 {
		limit = maxRows
	}
	rows := max(1, len(first.Rows))
	for _, name := range names {
		// Each will have about as many rows as the first.
		switch {
		case name == start:
		case (len(p.comparisons)+1)*rows > limit:
			p.leftOut++
		default:
			p.comparisons = append(p.comparisons, comparison{name: name})
		}
	}
	return p.compareOthers()
}

// compareOthers makes all comparisons but the first, as many at once as there
// are processors.
func (p *Page) compareOthers() error {
	others := p.comparisons[1:]
	errs := make([]error, len(others))
	next := make(chan int)
	var all sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), len(others)) {
		all.Go(func() {
			for i := range next {
				o := p.options.Compare
				o.Baseline = others[i].name
				others[i].Comparison, errs[i] = analyze.Compare(p.set, o)
			}
		})
	}
	for i := range others {
		next <- i
	}
	close(next)
	all.Wait()
	return errors.Join(errs...)
}

// baselines lists what a comparison of the kind of c can be with: all systems,
// and all files where there are several; along an axis its values.
func baselines(set *analyze.Set, c *analyze.Comparison) []string {
	var names []string
	seen := map[string]bool{}
	add := func(name string) {
		if name != "" && !seen[name] {
			seen[name] = true
			names = append(names, name)
		}
	}
	if axis := c.Options.By; axis != "" {
		for _, v := range axisValues(set, axis) {
			add(v)
		}
		return names
	}
	if len(set.Systems) < 2 {
		return nil
	}
	ids := map[string]int{}
	for i := range set.Systems {
		add(set.Systems[i].Name)
		ids[set.Systems[i].Identifier]++
	}
	if len(set.Files) > 1 {
		for _, f := range set.Files {
			// A system's name goes before a file's.
			if ids[f.Source] == 0 {
				add(f.Source)
			}
		}
	}
	return names
}

// axisValues lists the values that an axis has among tests, or else among
// systems.
func axisValues(set *analyze.Set, axis string) []string {
	var values []string
	for i := range set.Tests {
		for _, o := range options(&set.Tests[i]) {
			if o.Key == axis {
				values = append(values, o.Value)
				break
			}
		}
	}
	if values != nil {
		return values
	}
	for i := range set.Systems {
		s := set.Systems[i].System
		for _, part := range [][]result.Component{s.Hardware, s.Software, s.Notes} {
			var found []string
			for _, c := range part {
				if c.Key == axis {
					found = append(found, c.Value)
				}
			}
			if len(found) > 0 {
				values = append(values, strings.Join(found, "; "))
				break
			}
		}
	}
	return values
}

// options returns a test's options, as along the axes of a comparison.
func options(t *analyze.Test) []result.Option {
	if t.Options == nil {
		return parsedOptions(t.Arguments)
	}
	return named(slices.Clone(t.Options))
}

// parsedOptions are the options that arguments say. The page's script divides
// them by the same rules.
func parsedOptions(arguments string) []result.Option { return named(result.ParseOptions(arguments)) }

// named gives a bare option that is a number and a word ("12 Clients") the word
// as its key.
func named(list []result.Option) []result.Option {
	for i, o := range list {
		n, word, ok := strings.Cut(o.Value, " ")
		if _, isNumber := result.ParseNumber(n); o.Key == "" && ok && isNumber && !strings.Contains(word, " ") {
			list[i] = result.Option{Key: word, Value: n}
		}
	}
	return list
}

// visible returns text of the source as one that shows on a page: what hides,
// or turns the direction of text, as escapes.
func visible(text string) string { return term.Visible(text) }
