package profile

import (
	"errors"
	"regexp"
	"strconv"
	"time"

	"github.com/benchproof/benchproof/replay/native"
	"github.com/benchproof/benchproof/result"
)

func init() { register(blogBench{}) }

// blogBench is BlogBench: threads that write and read blogs.
type blogBench struct{}

var blogRevisions = []revision{{app: "1.1", version: "1.1.0"}}

var blogTests = []value{{"Read", "read"}, {"Write", "write"}}

func (blogBench) Info() Info {
	return Info{
		Name: "blogbench", Title: "BlogBench",
		Versions: versionsOf(blogRevisions), Profiles: profilesOf("blogbench", blogRevisions),
		Summary: "3 writers, 1 rewriter, 5 commenters and 100 readers of blogs for five minutes, nothing synced",
		Options: []OptionInfo{
			{Key: "Test", Values: published(blogTests), Meaning: "which of one run's two scores", Set: "test"},
			{Values: []string{"n"}, Meaning: "-i, intervals of 10 s", Set: "iterations", Default: "30"},
			driverOption("blogbench"),
		},
		Metrics: []MetricInfo{
			{"read", "Final Score", result.HIB, "blogs read in 300 s"},
			{"write", "Final Score", result.HIB, "blogs finished in 300 s, of about 2.7 MB each"},
		},
		Tools: []ToolInfo{{"blogbench", "", result.UserBinary}, {"", "", result.Reimplementation}},
		Space: "3.5 MB for each point of the writing score: 20 GiB", Time: "300 s",
		Notes: []string{
			"Both rows come from the same runs: the first decided how many there were.",
			"Version 1.2 reads 8 bytes at a time and cannot be compared with 1.1.",
			"The published program loses some of its counts, having no locks; the driver counts all.",
			"Reading is from memory unless that is short.",
		},
	}
}

func (blogBench) Match(row Row) bool {
	return matchTest(row.Test, []string{"blogbench"}, []string{"BlogBench"})
}

// blogRun is one run of blogbench.
type blogRun struct{ iterations int }

func (blogBench) Resolve(req Request) (*Job, error) {
	a := ask("blogbench", req)
	chosen := a.chooseRevision(blogRevisions)
	if a.refusal != nil {
		return nil, a.refusal
	}
	metric := a.oneOf("test", []string{"Test"}, blogTests, "")
	var r blogRun
	r.iterations = a.number("iterations", 30, 1, 30, Default)
	if s := req.Row.Test.Scale; s != "Final Score" {
		a.refuse("", "no figure of the run is in %.40q", s)
	}
	a.done()
	r.iterations = int(a.scale("intervals of 10 s", int64(r.iterations), 1, plain))
	tools, own := a.own("blogbench")
	job := &Job{
		Profile: "pts/blogbench-" + chosen.version, Driver: "native blogbench", Metric: metric, Publish: publishText,
		Need:     Need{Bytes: int64(20<<30) * int64(r.iterations) / 30, Seconds: float64(r.iterations)*10 + 10},
		Fidelity: fidelityOf(own),
	}
	if own {
		job.Driver = tools[0].driver("blogbench")
		argv := []string{"{tool:blogbench}", "-d", "scratch"}
		if r.iterations != 30 {
			argv = append(argv, "-i", strconv.Itoa(r.iterations))
		}
		job.Steps = []Step{{Name: "blogbench", Argv: argv, Mkdirs: []string{"scratch"}, Remove: []string{"scratch"}}}
		job.Parse = r.parse
	} else {
		step := nativeStep("blogbench", "-iterations", strconv.Itoa(r.iterations))
		step.Remove = []string{"blogbench"}
		step.Timeout = time.Duration(r.iterations)*10*time.Second + time.Hour
		job.Steps = []Step{step}
		job.Parse = func(o *Outputs) (*Reading, error) {
			return nativeReading(o, "blogbench", func(s native.Sample) string { return strconv.FormatFloat(s.Value, 'f', 0, 64) })
		}
		if metric == "read" {
			job.Warnings = append(job.Warnings, "the driver counts every blog read, of which the published program loses some")
		}
	}
	return a.finish(job)
}

var (
	blogScore = regexp.MustCompile(`(?m)^Final score for (writes|reads)\s*:\s*(\d+)`)
	blogTable = regexp.MustCompile(`(?m)^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\d+)\s+(\d+)\s+(\d+)\s+(\d+)\s*$`)
	blogCrew  = regexp.MustCompile(`(?m)^Spawning (\d+) (writer|rewriter|commenter|reader)s`)
	blogSlots = regexp.MustCompile(`(?m)^Benchmarking for (\d+) iterations`)
	blogTicks = regexp.MustCompile(`(?m)^Frequency = (\d+) secs`)
)

// blogFailures are what blogbench says of errors, after which it goes on.
var blogFailures = []string{"No space left", "write(): ", "open(\"", "mkdir(): ", "close(): ", "read(): ", "Unable to"}

// parse reads the scores of one run.
func (r *blogRun) parse(o *Outputs) (*Reading, error) {
	text, err := ownOutput(o, "blogbench", blogFailures...)
	if err != nil {
		return nil, err
	}
	reading, scores := &Reading{}, map[string]string{}
	for _, m := range blogScore.FindAllStringSubmatch(text, -1) {
		scores[m[1]] = m[2]
	}
	for _, s := range [...][2]string{{"write", "writes"}, {"read", "reads"}} {
		if scores[s[1]] == "" {
			return nil, errors.New("blogbench printed no score for " + s[1])
		}
		v, err := strconv.ParseFloat(scores[s[1]], 64)
		if err != nil {
			return nil, err
		}
		reading.Samples = append(reading.Samples, Sample{Metric: s[0], Value: v, Detail: scores[s[1]]})
	}
	rows := blogTable.FindAllStringSubmatch(text, -1)
	last := ""
	if len(rows) > 0 {
		last = rows[len(rows)-1][1]
	}
	first := func(re *regexp.Regexp) string {
		if m := re.FindStringSubmatch(text); m != nil {
			return m[1]
		}
		return ""
	}
	crew := map[string]string{}
	for _, m := range blogCrew.FindAllStringSubmatch(text, -1) {
		crew[m[2]] = m[1]
	}
	reading.Invariants = []Invariant{
		check("iterations", first(blogSlots), strconv.Itoa(r.iterations)),
		check("rows of counts", len(rows), r.iterations),
		check("seconds of an iteration", first(blogTicks), "10"),
		check("writers", crew["writer"], "3"),
		check("rewriters", crew["rewriter"], "1"),
		check("commenters", crew["commenter"], "5"),
		check("readers", crew["reader"], "100"),
		check("blogs in the last row", last, scores["writes"]),
	}
	return reading, nil
}
