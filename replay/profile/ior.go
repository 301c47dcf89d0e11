package profile

import (
	"errors"
	"fmt"
	"regexp"
	"runtime"
	"strconv"
	"strings"

	"github.com/benchproof/benchproof/internal/phrase"
)

func init() { register(ior{}) }

// ior is IOR: processes that write, and read, one shared file.
type ior struct{}

var iorRevisions = []revision{
	{app: "3.3.0", version: "1.1.0"},
	{app: "3.3.0", version: "1.1.1", since: day(2021, 1, 1)},
}

// iorBlocks are 2MB to 1024MB, powers of two.
func iorBlocks() []value {
	var list []value
	for n := 2; n <= 1024; n *= 2 {
		list = append(list, value{strconv.Itoa(n) + "MB", strconv.Itoa(n) + "m"})
	}
	return list
}

func (ior) Info() Info {
	return Info{
		Name: "ior", Title: "IOR",
		Versions: versionsOf(iorRevisions), Profiles: profilesOf("ior", iorRevisions),
		Summary: "a process a core writes its block of one shared file in pieces of 256 KiB and syncs it, 100 times",
		Options: []OptionInfo{
			{Key: "Block Size", Values: published(iorBlocks()), Meaning: "-b, bytes of each process", Set: "block-size"},
			{Key: "Disk Target", Values: diskTargetForms, Meaning: "-o; a replay's is its target", Set: "disk-target"},
			{Values: []string{"n"}, Meaning: "-np, processes: the published machine's physical cores", Set: "np"},
			{Values: []string{"n"}, Meaning: "-i, repetitions in a run", Set: "repetitions", Default: "100"},
			driverOption("ior"),
		},
		Metrics: []MetricInfo{{"write", "MB/s", "HIB", "MiB/s, mean of the repetitions' rates, fsync counted; reading is done and not published"}},
		Tools: []ToolInfo{
			{"ior", "", "user-binary"}, {"mpirun", "openmpi-bin", "user-binary"}, {"", "", "reimplementation"},
		},
		Space: "block size times cores", Time: "under 15 s for 16 MB where that was measured",
		Notes: []string{
			"How much is written depends on the machine: cores times the block size.",
			"That is little enough for the write cache of a device.",
			"The driver's processes are started through pipes, not by MPI.",
		},
	}
}

func (ior) Match(row Row) bool { return matchTest(row.Test, []string{"ior"}, []string{"IOR"}) }

// iorRun is one run of ior.
type iorRun struct {
	block           int64
	np, repetitions int
}

func (ior) Resolve(req Request) (*Job, error) {
	a := ask("ior", req)
	chosen := a.chooseRevision(iorRevisions)
	if a.refusal != nil {
		return nil, a.refusal
	}
	var r iorRun
	r.block, _ = parseSize(a.oneOf("block-size", []string{"Block Size"}, iorBlocks(), ""))
	a.diskTarget("")
	r.np = a.number("np", req.Row.Machine.Cores, 1, 4096, System)
	r.repetitions = a.number("repetitions", 100, 1, 100, Default)
	a.mebibyteScale()
	a.done()
	if a.refusal != nil {
		return a.finish(&Job{Profile: "pts/ior-" + chosen.version})
	}
	r.repetitions = int(a.scale("repetitions", int64(r.repetitions), 3, plain))
	total := r.block * int64(r.np)
	job := &Job{
		Profile: "pts/ior-" + chosen.version, Driver: "native ior", Metric: "write", Publish: publishText,
		Need: Need{Bytes: total + 64<<20, Seconds: 1 + float64(r.repetitions)/100*15*float64(total)/(32<<20)},
	}
	tools, own := a.own("ior", "mpirun")
	job.Fidelity = fidelityOf(own)
	crowded := r.np > runtime.NumCPU()
	if own {
		job.Driver = tools[0].driver("ior")
		step := Step{Name: "ior", Argv: r.argv(crowded), Remove: []string{"testFile"}}
		job.Steps, job.Parse = []Step{step}, r.parse
	} else {
		step := nativeStep("ior", "-np", strconv.Itoa(r.np), "-block", sizeText(r.block), "-repetitions", strconv.Itoa(r.repetitions))
		step.Remove = []string{"testFile"}
		job.Steps = []Step{step}
		job.Parse = func(o *Outputs) (*Reading, error) { return nativeReading(o, "ior", mebibytes) }
	}
	if crowded {
		job.Warnings = append(job.Warnings, fmt.Sprintf("%s share the %s of this machine", phrase.Count(r.np, "process"), phrase.Count(runtime.NumCPU(), "processor")))
	}
	return a.finish(job)
}

// argv is the command as published; Open MPI starts more processes than there
// are cores only when told to.
func (r *iorRun) argv(crowded bool) []string {
	argv := []string{"{tool:mpirun}", "--allow-run-as-root"}
	if crowded {
		argv = append(argv, "--oversubscribe")
	}
	return append(argv, "-np", strconv.Itoa(r.np), "{tool:ior}",
		"-v", "-w", "-r", "-i", strconv.Itoa(r.repetitions), "-e", "-q", "-b", sizeText(r.block), "-o", "testFile")
}

var (
	iorLine    = regexp.MustCompile(`(?m)^write\s+([\d.]+)\s+([\d.]+)\s+([\d.]+)\s+([\d.]+)\s.*$`)
	iorSetting = regexp.MustCompile(`(?m)^(access|tasks|repetitions|xfersize|segments|api)\s*: (.*?)\s*$`)
	iorWord    = regexp.MustCompile(`(?m)^Command line\s*: (.*)$`)
)

// iorFailures are what Open MPI and IOR say.
var iorFailures = []string{
	"mpirun has detected an attempt to run as root", "There are not enough slots", "ERROR:", "MPI_ABORT", "No space left",
	"mpirun noticed that process", "WARNING: inconsistent file size",
}

// parse reads the mean of one run: in the summary max, min and mean follow the
// word.
func (r *iorRun) parse(o *Outputs) (*Reading, error) {
	text, err := ownOutput(o, "ior", iorFailures...)
	if err != nil {
		return nil, err
	}
	single, summary, ok := strings.Cut(text, "Summary of all tests:")
	if !ok {
		return nil, errors.New("ior printed no summary")
	}
	found := iorLine.FindAllStringSubmatch(summary, -1)
	if len(found) != 1 {
		return nil, fmt.Errorf("ior's summary has %s of writing, want 1", phrase.Count(len(found), "line"))
	}
	v, err := figure("ior", found[0][3])
	if err != nil {
		return nil, err
	}
	settings := map[string]string{}
	for _, m := range iorSetting.FindAllStringSubmatch(text, -1) {
		settings[m[1]] = m[2]
	}
	// The summary's columns behind the rates hold the block and the transfer.
	fields := strings.Fields(found[0][0])
	sizes := ""
	if i := len(fields) - 5; i > 0 { // blksiz xsize aggs API RefNum
		sizes = fields[i] + " " + fields[i+1]
	}
	command := iorWord.FindStringSubmatch(text)
	return &Reading{
		Samples: []Sample{{Metric: "write", Value: v * (1 << 20), Unit: "B/s", Detail: found[0][3]}},
		Invariants: []Invariant{
			check("processes", settings["tasks"], strconv.Itoa(r.np)),
			check("repetitions", settings["repetitions"], strconv.Itoa(r.repetitions)),
			check("lines of writing", len(iorLine.FindAllString(single, -1)), r.repetitions),
			check("block and transfer", sizes, fmt.Sprintf("%d 262144", r.block)),
			check("access", settings["access"], "single-shared-file"),
			check("fsync counts", command != nil && strings.Contains(command[1]+" ", " -e "), true),
		},
	}, nil
}
