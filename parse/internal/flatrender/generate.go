package flatrender

import (
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"github.com/benchproof/benchproof/result"
)

// Kind is a kind of page that [Generate] makes.
type Kind string

// Kinds are the kinds of pages, in the order of reports: what is published
// every day, then what can happen.
var Kinds = append(slices.Clone(Everyday), Rare...)

// Everyday are the kinds of pages that sites and clients publish every day.
var Everyday = []Kind{
	"plain", "wide", "long", "integer", "decimals", "spread", "missing", "multi", "multi-sparse",
	"single", "short", "no-profile", "pairs", "single-run", "many-runs", "equal", "hard-names", "notes", "monitor", "local",
}

// Rare are kinds of pages that are published now and then, or can be.
var Rare = []Kind{
	"zero", "huge", "tiny", "failed-names", "loose-names", "multi-holes", "tracker", "mixed-order", "watermark", "odd-names", "unicode",
}

// Case is a result file and how its page is exported.
type Case struct {
	Kind    Kind
	Seed    uint64
	File    *result.File
	Options Options
}

// Name returns the kind and seed of c, which make it again.
func (c *Case) Name() string { return string(c.Kind) + "-" + strconv.FormatUint(c.Seed, 10) }

// shape are the figures that a kind sets.
type shape struct {
	systems, tests [2]int   // least and most
	names          []string // kinds of names
	multi          bool
	missing        float64 // share of missing values
	failed         float64 // share of them that failed
	integers       float64 // share of tests of integers
	fine           float64 // share of tests with more decimals than usual
	bimodal        float64 // share of tests on two levels
	single         float64 // share of tests of single runs
	runs           int     // most runs, the usual if 0
	equal          float64 // share of equal values
	zero           float64 // share of tests that have zeros
	noProfile      float64
	notes          float64 // share of tests with notes in the bars
	pairs          float64
	monitors       int
	huge           bool    // values of millions and more
	tiny           bool    // values below what an axis can show
	watermark      bool    // tests whose arguments hold the text of the watermark
	mixed          float64 // share of tests whose systems stand in another order
}

func shapeOf(k Kind) shape {
	s := shape{
		systems: [2]int{2, 8}, tests: [2]int{5, 30}, names: poolKinds,
		missing: 0.03, failed: 0.3, integers: 0.2, fine: 0.1, bimodal: 0.1, single: 0.1, equal: 0.05, notes: 0.1, pairs: 0.05,
	}
	switch k {
	case "wide":
		s.systems = [2]int{9, 14}
	case "long":
		s.tests = [2]int{31, 60}
	case "integer":
		s.integers = 1
	case "decimals":
		s.integers, s.fine = 0, 0.8
	case "spread":
		s.bimodal = 1
	case "missing":
		s.missing = 0.3
	case "multi", "multi-holes", "tracker":
		s.multi = true
	case "multi-sparse":
		s.multi, s.missing = true, 0.25
	case "single":
		s.systems = [2]int{1, 1}
	case "short":
		s.tests = [2]int{1, 3}
	case "no-profile":
		s.noProfile = 0.4
	case "pairs":
		s.pairs = 0.6
	case "single-run":
		s.single = 0.9
	case "many-runs":
		s.runs = 130
	case "equal":
		s.equal = 0.5
	case "hard-names":
		s.names, s.missing = hardKinds, 0.1
	case "notes":
		s.notes = 0.9
	case "monitor":
		s.monitors = 3
		s.systems = [2]int{2, 7}
	case "zero":
		s.zero = 0.4
	case "tiny":
		s.tiny, s.integers = true, 0
	case "huge":
		s.huge, s.integers = true, 0.7
	case "failed-names":
		s.missing, s.failed = 0.2, 1
	case "loose-names":
		s.systems = [2]int{2, 5}
	case "odd-names":
		s.names = []string{"odd", "odd", "mark"}
	case "unicode":
		s.names = []string{"unicode", "unicode", "label"}
	case "watermark":
		s.watermark = true
	case "mixed-order":
		s.mixed = 0.5
	}
	return s
}

// Generate returns the result file of a kind and a seed; equal arguments give
// equal files. It panics for a kind that is not one of [Kinds].
//
// Values are positive numbers or "0". A single run is kept as the only raw
// value, as PTS does.
func Generate(k Kind, seed uint64) *Case {
	if !slices.Contains(Kinds, k) {
		panic("flatrender: no kind " + string(k))
	}
	h := fnv.New64a()
	h.Write([]byte(k))
	r := rand.New(rand.NewPCG(seed, h.Sum64()))
	s := shapeOf(k)
	between := func(b [2]int) int { return b[0] + r.IntN(b[1]-b[0]+1) }

	title := pick(r, titles)
	f := &result.File{
		Title: title, Description: "Benchmarks for a comparison.", Format: result.FormatXML,
		URL: fmt.Sprintf("https://openbenchmarking.org/result/%07d-GEN-%s", 1000000+seed%9000000, strings.ToUpper(string(k))),
	}
	var names []string
	for {
		switch {
		case k == "tracker":
			names = trackerNames(r)
		case s.multi:
			names = drawGroups(r, k == "multi-holes")
		case k == "loose-names":
			names = looseNames(r, between(s.systems))
		default:
			names = drawNames(r, between(s.systems), s.names)
		}
		f.Systems = nil
		addSystems(r, f, names)
		if (isMulti(names) && isTracker(f.Systems)) == (k == "tracker") && isMulti(names) == s.multi {
			break
		}
	}
	addTests(r, f, s, between(s.tests))
	c := &Case{Kind: k, Seed: seed, File: f, Options: Options{Footer: "Phoronix Test Suite v10.8.4"}}
	switch k {
	case "short":
		c.Options.NoOverview = true
	case "local":
		c.Options.Local, f.URL = true, ""
	case "failed-names":
		c.Options.FailedNames = true
	}
	return c
}

// trackerNames returns multi-way names that differ in digits alone.
func trackerNames(r *rand.Rand) []string {
	groups := drawNames(r, 2+r.IntN(2), []string{"fs", "disk"})
	n := 3 + r.IntN(4)
	var out []string
	for _, g := range groups {
		for i := range n {
			out = append(out, g+": Linux 5."+strconv.Itoa(4+i))
		}
	}
	return out
}

// looseNames returns names of which PTS takes two for one.
func looseNames(r *rand.Rand, n int) []string {
	out := pick(r, [][]string{{"5.1", "5.10"}, {"6.1", "6.10"}, {"1", "1.0"}, {"2", "02"}})
	out = slices.Clone(out)
	for len(out) < n {
		if v := "4." + strconv.Itoa(1+r.IntN(9)); !in(out, v) {
			out = append(out, v)
		}
	}
	r.Shuffle(len(out), func(i, j int) { out[i], out[j] = out[j], out[i] })
	return out
}
