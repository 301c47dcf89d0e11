package profile

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"

	"github.com/benchproof/benchproof/result"
)

func init() { register(compileBench{}) }

// compileBench is Compile Bench: trees of a kernel's size.
type compileBench struct{}

var compileRevisions = []revision{
	{app: "0.6", version: "1.0.0"},
	{app: "0.6", version: "1.0.2", since: day(2018, 1, 1)},
}

var compileTests = []value{
	{"Initial Create", "initial-create"}, {"Compile", "compile"}, {"Read Compiled Tree", "read-compiled-tree"},
}

func (compileBench) Info() Info {
	return Info{
		Name: "compilebench", Title: "Compile Bench",
		Versions: versionsOf(compileRevisions), Profiles: profilesOf("compilebench", compileRevisions),
		Summary: "creates ten trees of a kernel's size, adds the files of a compile to each, and reads three",
		Options: []OptionInfo{
			{Key: "Test", Values: published(compileTests), Meaning: "which of one run's three figures", Set: "test"},
			{Values: []string{"n"}, Meaning: "-i, trees", Set: "trees", Default: "10"},
			driverOption("compilebench"),
		},
		Metrics: []MetricInfo{
			{"initial-create", "MB/s", result.HIB, "MiB/s, mean of the ten trees' rates; nothing is synced in the clock"},
			{"compile", "MB/s", result.HIB, "MiB/s, mean of the ten trees' rates; nothing is synced in the clock"},
			{"read-compiled-tree", "MB/s", result.HIB, "MiB/s, mean of three trees' rates; from memory without root"},
		},
		Tools: []ToolInfo{{"compilebench", "", result.UserBinary}, {"", "", result.Reimplementation}},
		Space: "9.5 GiB", Time: "100 to 220 s where that was measured",
		Root: "dropping the caches before the trees are read",
		Notes: []string{
			"The three rows come from the same runs: the first of them decided how many there were.",
			"A clock has ticks of 10 ms: of a tree that takes a quarter of a second the rate is known to 4 %.",
			"Initial Create and Compile measure the page cache and the processor where memory has more than 9 GB.",
			"The published program is interpreted by Python 2, whose time counts; the driver's rates are higher on fast disks.",
			"A Go tool of the same name measures a compiler: where that is on PATH, driver=native is needed.",
			"The driver's names and sizes of files are made up after the published counts, sums and percentiles.",
		},
	}
}

func (compileBench) Match(row Row) bool {
	return matchTest(row.Test, []string{"compilebench"}, []string{"Compile Bench"})
}

// compileRun is one run of compilebench.
type compileRun struct{ trees int }

func (compileBench) Resolve(req Request) (*Job, error) {
	a := ask("compilebench", req)
	chosen := a.chooseRevision(compileRevisions)
	if a.refusal != nil {
		return nil, a.refusal
	}
	metric := a.oneOf("test", []string{"Test"}, compileTests, "")
	var r compileRun
	r.trees = a.number("trees", 10, 1, 10, Default)
	a.mebibyteScale()
	a.done()
	// Fewer trees first, then fewer files in each.
	all := r.trees
	r.trees = int(a.scale("trees", int64(r.trees), 2, plain))
	tools, own := a.own("compilebench")
	share := 1.0
	if !own && req.Scale > 0 && req.Scale < 1 {
		if share = min(1, req.Scale*float64(all)/float64(r.trees)); share < 1 {
			a.scaled = append(a.scaled, fmt.Sprintf("files of each tree to %s", shareText(share)))
		}
	}
	job := &Job{
		Profile: "pts/compilebench-" + chosen.version, Driver: "native compilebench", Metric: metric, Publish: publishText,
		Need: Need{
			// Each tree has 222.4 and 680.6 MiB, and there is slack.
			Bytes:   int64(share*float64(r.trees)*95/100*(1<<30)) + 64<<20,
			Seconds: 220 * share * float64(r.trees+2) / 12,
		},
		Fidelity: fidelityOf(own),
	}
	if own {
		job.Driver = tools[0].driver("compilebench")
		job.Steps = []Step{{
			Name: "compilebench", Argv: []string{"{tool:compilebench}", "-D", "t", "-i", strconv.Itoa(r.trees), "--makej"},
			Mkdirs: []string{"t"}, Remove: []string{"t"},
		}}
		job.Parse = r.parse
	} else {
		flags := []string{"-trees", strconv.Itoa(r.trees), "-share", shareText(share)}
		if req.Root {
			flags = append(flags, "-drop-caches")
		}
		job.Steps = []Step{nativeStep("compilebench", flags...)}
		job.Steps[0].Remove = []string{"compilebench"}
		job.Parse = func(o *Outputs) (*Reading, error) { return nativeReading(o, "compilebench", mebibytes) }
	}
	switch {
	case metric == "read-compiled-tree" && !req.Root:
		job.Warnings = append(job.Warnings, "without root the caches are kept: the trees are read from memory")
	case metric != "read-compiled-tree":
		job.Warnings = append(job.Warnings, "nothing is synced in the clock: what fits into memory measures the page cache")
	}
	return a.finish(job)
}

// shareText gives a share for a flag.
func shareText(share float64) string { return strconv.FormatFloat(share, 'g', 4, 64) }

var (
	compileTotal = regexp.MustCompile(`(?m)^(intial create|compile|read compiled tree) total runs (\d+) avg ([\d.]+) MB/s`)
	compileParts = regexp.MustCompile(`(?m)^(create dir|compile dir|read dir) kernel-\d+ (?:\d+MB )?in [\d.]+ `)
)

// compileFailures are what its interpreter says.
var compileFailures = []string{"OSError:", "IOError:", "No space left", "SyntaxError:"}

// parse reads the means of one run. "intial" is how the program spells it.
func (r *compileRun) parse(o *Outputs) (*Reading, error) {
	text, err := ownOutput(o, "compilebench", append(compileFailures, "Traceback")...)
	if err != nil {
		return nil, err
	}
	names := map[string]string{"intial create": "initial-create", "compile": "compile", "read compiled tree": "read-compiled-tree"}
	reading, runs := &Reading{}, map[string]string{}
	for _, m := range compileTotal.FindAllStringSubmatch(text, -1) {
		v, err := figure("compilebench", m[3])
		if err != nil {
			return nil, err
		}
		runs[m[1]] = m[2]
		reading.Samples = append(reading.Samples, Sample{Metric: names[m[1]], Value: v * (1 << 20), Unit: "B/s", Detail: m[3]})
	}
	if len(reading.Samples) == 0 {
		return nil, errors.New("compilebench printed no figures")
	}
	parts := map[string]int{}
	for _, m := range compileParts.FindAllStringSubmatch(text, -1) {
		parts[m[1]]++
	}
	trees := strconv.Itoa(r.trees)
	reading.Invariants = []Invariant{
		check("trees created", runs["intial create"], trees),
		check("trees compiled", runs["compile"], trees),
		check("trees read", runs["read compiled tree"], "3"),
		check("lines of trees", fmt.Sprint(parts["create dir"], parts["compile dir"], parts["read dir"]), fmt.Sprint(r.trees, r.trees, 3)),
	}
	return reading, nil
}
