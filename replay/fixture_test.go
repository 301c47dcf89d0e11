package replay

import (
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/benchproof/benchproof/replay/profile"
	"github.com/benchproof/benchproof/result"
)

// First arguments that make this test binary something else: the fake tool, and
// a process of its own that runs or resumes a replay, for others to kill.
const (
	fakeArg   = "fake-tool"
	runnerArg = "fake-runner"
)

// fakeProfile is a test profile whose tool is this test binary: see fakeTool.
// Its rows are titled "Fake", with the options Mode and Size.
type fakeProfile struct{}

func (fakeProfile) Info() profile.Info {
	return profile.Info{
		Name: "fake", Title: "Fake", Versions: []string{"1.0"}, Profiles: []string{"test/fake-1.0.0"},
		Options: []profile.OptionInfo{
			{Key: "Mode", Values: []string{"ok"}, Meaning: "what the tool does"},
			{Key: "Size", Values: []string{"n"}, Set: "size"},
			{Key: "Pause", Set: "pause", Default: "0"},
		},
		Metrics: []profile.MetricInfo{{Name: "rate", Scale: "MB/s"}, {Name: "count", Scale: "Files/s"}},
		Tools:   []profile.ToolInfo{{Program: "fake", Fidelity: result.NativeSameVersion}},
	}
}

func (fakeProfile) Match(row profile.Row) bool {
	return row.Test.Title == "Fake" && row.Test.Version == "1.0"
}

// fakeModes are the values of Mode that the profile knows.
var fakeModes = []string{"ok", "hang", "fork", "flood", "garbage", "exit", "fill", "invariant", "server", "files", "stubborn", "noisy", "wipe", "last", "unmark", "detach", "lose", "losethenfail", "deafserver"}

func (fakeProfile) Resolve(req profile.Request) (*profile.Job, error) {
	mode, size := "", ""
	for _, o := range req.Row.Test.Options {
		switch o.Key {
		case "Mode":
			for _, m := range fakeModes {
				if m == o.Value {
					mode = m
				}
			}
			if mode == "" {
				return nil, &profile.Refusal{Reason: fmt.Sprintf("unknown Mode %q", o.Value)}
			}
		case "Size":
			if _, err := strconv.Atoi(o.Value); err != nil {
				return nil, &profile.Refusal{Reason: fmt.Sprintf("Size %q is no number", o.Value)}
			}
			size = o.Value
		}
	}
	from := profile.Published
	if s := req.Set["size"]; s != "" {
		size, from = s, profile.Set
	}
	if size == "" {
		return nil, &profile.Refusal{Reason: "Size is unknown", Hint: "--set fake.size=N"}
	}
	_, version, ok := req.Tools.Find("fake")
	if !ok {
		return nil, &profile.Refusal{Unavailable: true, Reason: "no fake", Hint: "apt-get install fake"}
	}
	metric := "rate"
	if req.Row.Test.Scale == "Files/s" {
		metric = "count"
	}
	n, _ := strconv.Atoi(size)
	job := &profile.Job{
		Profile: "test/fake-1.0.0", Driver: "fake " + version, RunKey: "fake " + mode + " " + size, Metric: metric,
		Options: []profile.Option{
			{Name: "mode", Value: mode, From: profile.Published},
			{Name: "size", Value: size, From: from},
			{Name: "depth", Value: "64", From: profile.Default},
		},
		Need: profile.Need{Bytes: int64(n) * 1024, Seconds: 0.1}, Fidelity: result.NativeSameVersion,
		Parse: parseFake, Publish: publishFake,
	}
	if req.Scale < 1 {
		job.Scaled = fmt.Sprintf("size %s -> %g", size, float64(n)*req.Scale)
	}
	job.Steps = []profile.Step{{
		Name: "prepare", When: profile.First, Argv: []string{"{self}", fakeArg, "prepare", "{scratch}"},
	}, {
		Name: "fake", Argv: []string{"{self}", fakeArg, mode, size, req.Set["pause"]},
		Files:  []profile.File{{Name: "input.txt", Text: "one\n"}},
		Stdin:  "input.txt",
		Mkdirs: []string{"data"}, Dir: "data", Timeout: 2 * time.Second,
	}}
	switch mode {
	case "hang", "stubborn":
		job.Steps[1].Timeout = 300 * time.Millisecond
	case "last":
		job.Steps = append(job.Steps, profile.Step{Name: "after", When: profile.Last, Argv: []string{"{self}", fakeArg, "prepare", "{scratch}"}})
	case "wipe":
		job.Steps[1].Timeout = time.Minute
	case "files":
		job.Steps[1].Collect = []string{"data/out.txt"}
	case "deafserver":
		job.Steps = []profile.Step{
			{Name: "server", Argv: []string{"{self}", fakeArg, "deaf"}, Server: true, Ready: []string{"{self}", fakeArg, "ready"}, Stop: "INT"},
			job.Steps[1],
		}
	case "server":
		job.Steps = []profile.Step{
			{Name: "server", Argv: []string{"{self}", fakeArg, "serve"}, Server: true, Ready: []string{"{self}", fakeArg, "ready"}, Stop: "INT"},
			{Name: "load", Argv: []string{"{self}", fakeArg, "load"}, Background: true, Stop: "TERM"},
			job.Steps[1],
		}
	}
	return job, nil
}

// parseFake reads "rate 12.5" and "count 3".
func parseFake(o *profile.Outputs) (*profile.Reading, error) {
	out, ok := o.Step("fake")
	if !ok {
		return nil, fmt.Errorf("no output")
	}
	text := string(out.Stdout)
	if f, ok := out.Files["data/out.txt"]; ok {
		text = string(f)
	}
	r := &profile.Reading{}
	for line := range strings.Lines(text) {
		name, value, _ := strings.Cut(strings.TrimSpace(line), " ")
		v, err := strconv.ParseFloat(value, 64)
		switch {
		case name == "held":
			r.Invariants = append(r.Invariants, profile.Invariant{Name: "held", OK: value == "yes", Got: value, Want: "yes"})
		case err != nil:
			return nil, fmt.Errorf("line %q is no value", strings.TrimSpace(line))
		default:
			r.Samples = append(r.Samples, profile.Sample{Metric: name, Value: v, Unit: "B/s"})
		}
	}
	return r, nil
}

func publishFake(s profile.Sample) (text, reason string) {
	if s.Value < 0 {
		return "", "below zero is not published"
	}
	if s.Metric == "count" {
		return strconv.FormatFloat(s.Value, 'f', 0, 64), ""
	}
	return strconv.FormatFloat(s.Value, 'f', 2, 64), ""
}

// fakeTools knows the tool of the fake profile.
type fakeTools map[string]string

func (f fakeTools) Find(program string) (path, version string, ok bool) {
	v, ok := f[program]
	return "/usr/bin/" + program, v, ok
}

// fakeRow returns a row of the fake profile.
func fakeRow(arguments, scale string) Row {
	return Row{Source: "fake.txt", Title: "Fake", Version: "1.0", Arguments: arguments, Scale: scale, Proportion: result.HIB}
}

// fakeOptions returns options that know the fake profile alone.
func fakeOptions(targets ...Target) PlanOptions {
	return PlanOptions{
		Targets: targets, Request: Request{Scale: 1}, Tools: fakeTools{"fake": "1.0"},
		Profiles: []profile.Profile{fakeProfile{}},
	}
}

// mustPlan makes a plan.
func mustPlan(t *testing.T, rows []Row, o PlanOptions) *Plan {
	t.Helper()
	p, err := NewPlan(rows, o)
	if err != nil {
		t.Fatal(err)
	}
	return p
}
