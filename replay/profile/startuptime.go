package profile

import (
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/benchproof/benchproof/replay/native"
	"github.com/benchproof/benchproof/result"
)

func init() { register(startupTime{}) }

// startupTime is Application Start-up Time: the recorded reads of a program's
// start are done again while others read and write.
type startupTime struct{}

var startupRevisions = []revision{{app: "2.4.0", version: "1.3.0"}, {app: "3.4.0", version: "1.4.1"}}

var (
	startupMixes = []value{{"Only Sequential Reads", "reads"}, {"Sequential Reads + Writes", "reads+writes"}}
	startupApps  = []value{
		{"xterm", "xterm"}, {"GNOME Terminal", "gnome-terminal"}, {"LibreOffice Writer", "libreoffice-writer"},
	}
)

// startupLoad is the size of a file of the load beside it, at most.
const startupLoad = 500 << 20

func (startupTime) Info() Info {
	return Info{
		Name: "startup-time", Title: "Application Start-up Time",
		Versions: versionsOf(startupRevisions), Profiles: profilesOf("startup-time", startupRevisions),
		Summary: "the reads of a program's start, done in their order past the page cache while ten others read and write",
		Options: []OptionInfo{
			{Key: "Background I/O Mix", Values: published(startupMixes), Meaning: "10 sequential readers, or 5 and 5 writers with a sync every 2 s", Set: "background"},
			{Key: "Application To Start", Values: published(startupApps), Meaning: "whose reads", Set: "application"},
			{Key: "Disk Target", Values: diskTargetForms, Meaning: "ignored by the published test; a replay's is its target", Set: "disk-target"},
			{Values: []string{"size"}, Meaning: "of a file of the load at most; less on a small disk", Set: "load-size", Default: "500m"},
			{Values: []string{"file"}, Meaning: "absolute path of the suite S's recorded trace of the program, to replay instead", Set: "trace", Default: "a made-up trace"},
		},
		Metrics: []MetricInfo{{"start-up", "sec", result.LIB, "seconds, mean of three replays in a run"}},
		Tools:   []ToolInfo{{"", "", result.Emulation}, {"fio", "fio", result.Emulation}},
		Space:   "8 GiB; 0.5 GiB with smaller files of the load", Time: "60 s and three start-ups a run",
		Root: "dropping the caches before each replay",
		Notes: []string{
			"No program is started: the suite S replays recorded reads, and its traces are the same in both versions.",
			"The recorded traces are not part of this program. Those used are made up, with the published numbers of requests, processes, bytes, random and read-ahead requests.",
			"Reads are at multiples of 512 bytes: a device with sectors of 4096 bytes refuses them.",
			"The published test kills every fio and removes all System V shared memory of the machine; this one touches nothing beside its directory.",
		},
	}
}

func (startupTime) Match(row Row) bool {
	return matchTest(row.Test, []string{"startup-time"}, []string{"Application Start-up Time"})
}

func (startupTime) Resolve(req Request) (*Job, error) {
	a := ask("startup-time", req)
	chosen := a.chooseRevision(startupRevisions)
	if a.refusal != nil {
		return nil, a.refusal
	}
	mix := a.oneOf("background", []string{"Background I/O Mix"}, startupMixes, "")
	app := a.oneOf("application", []string{"Application To Start"}, startupApps, "")
	a.diskTarget("")
	load := a.size("load-size", startupLoad, 1<<20, startupLoad, Default)
	if s := req.Row.Test.Scale; s != "sec" && s != "Seconds" {
		a.refuse("", "no figure of the run is in %.40q", s)
	}
	trace := a.trace()
	a.done()
	load = a.scale("files of the load", load>>20, 1, func(n int64) string { return sizeText(n << 20) }) << 20
	settle := a.scale("pause before", 7, 1, seconds)
	pause := a.scale("pauses between", 4, 1, seconds)
	fio := a.need("fio", "fio")

	prepare := nativeStep("startup-prepare", "-application", app, "-size", sizeText(load))
	replay := nativeStep("startup-time", "-application", app,
		"-settle", strconv.FormatInt(settle, 10)+"s", "-pause", strconv.FormatInt(pause, 10)+"s")
	if mix == "reads+writes" {
		prepare.Argv = append(prepare.Argv, "-readers", "5", "-writers", "5")
		replay.Argv = append(replay.Argv, "-sync", "2s")
	}
	if req.Root {
		replay.Argv = append(replay.Argv, "-drop-caches")
	}
	prepare.When, prepare.Timeout = First, time.Hour
	prepare.Collect = []string{"startup-load.fio"}
	replay.Timeout = 4 * time.Hour // on a slow disk under load a start-up takes minutes
	job := &Job{
		Profile: "pts/startup-time-" + chosen.version, Driver: "native startup-time", Metric: "start-up", Publish: publishText,
		Steps: []Step{
			prepare,
			{Name: "lay-out", When: First, Argv: []string{"{tool:fio}", "--create_only=1", "startup-load.fio"}, Timeout: time.Hour},
			{
				Name: "load", Argv: []string{"{tool:fio}", "startup-load.fio"}, Background: true, Stop: "TERM",
				Sync: true, DropCaches: req.Root,
			},
			replay,
		},
		Parse: startupParse,
		Need: Need{
			Bytes:   max(512<<20, int64(float64(8<<30)*float64(load)/startupLoad)),
			Seconds: 60*float64(settle+3*pause)/19 + 3*15,
		},
		Fidelity: result.Emulation,
	}
	if trace != "" {
		job.Fidelity = result.Reimplementation
		job.Steps[3].Argv = append(job.Steps[3].Argv, "-trace", trace)
	} else {
		job.Warnings = append(job.Warnings, "the trace is made up after the published facts of the recorded one")
	}
	if fio.version != "" {
		job.Driver += " beside fio " + fio.version
	}
	if !req.Root {
		job.Warnings = append(job.Warnings, "without root the caches are kept: the load may run in memory, and the start-up be faster than on a busy disk")
		job.NotComparable = "without root the caches are not dropped"
	}
	return a.finish(job)
}

// trace returns the path of a recorded trace, "" where there is none. It is the
// user's and no published text; the driver makes sure that it is the program's.
func (a *asked) trace() string {
	path, ok := a.set("trace")
	switch {
	case !ok:
		a.add("trace", "made up", Default)
		return ""
	case !filepath.IsAbs(path) || filepath.Clean(path) != path || strings.ContainsAny(path, "{}"):
		a.refuse("", "--set %s.trace=%.80q: want the absolute path of a file, without braces", a.name, path)
		return ""
	}
	a.add("trace", path, Set)
	return path
}

// startupText gives a mean as the suite prints it: six significant digits.
func startupText(s native.Sample) string { return strconv.FormatFloat(s.Value, 'g', 6, 64) }

// startupEnded is what fio says when its load is stopped, as it must be.
const startupEnded = "terminating on signal"

// startupError matches what fio says of an error.
var startupError = regexp.MustCompile(`(?m)^.*(?:\berror=[^0]|\berr=\s*[1-9]|No space left|verify: bad).*$`)

// startupParse reads one run, and makes sure that the load was there all the
// time: without it the time means something else.
func startupParse(o *Outputs) (*Reading, error) {
	load, ok := o.Step("load")
	if !ok {
		return nil, errors.New("the load did not run")
	}
	text := load.joined()
	if line := startupError.FindString(text); line != "" {
		return nil, fmt.Errorf("load: %.200q", strings.TrimSpace(line))
	}
	r, err := nativeReading(o, "startup-time", startupText)
	if err != nil {
		return nil, err
	}
	r.Invariants = append(r.Invariants, check("load ran until it was stopped", strings.Contains(text, startupEnded), true))
	return r, nil
}
