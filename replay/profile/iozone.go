package profile

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"

	"github.com/benchproof/benchproof/replay/native"
	"github.com/benchproof/benchproof/result"
)

func init() { register(iozone{}) }

// iozone is IOzone: one process writes, and reads, one file.
type iozone struct{}

var iozoneRevisions = []revision{{app: "3.405", version: "1.8.0"}}

var (
	iozoneRecords = []value{{"4Kb", "4k"}, {"64Kb", "64k"}, {"1MB", "1m"}}
	iozoneSizes   = []value{{"512MB", "512m"}, {"2GB", "2g"}, {"4GB", "4g"}, {"8GB", "8g"}}
	iozoneTests   = []value{{"Write Performance", "write"}, {"Read Performance", "read"}}
)

func (iozone) Info() Info {
	return Info{
		Name: "iozone", Title: "IOzone",
		Versions: versionsOf(iozoneRevisions), Profiles: profilesOf("iozone", iozoneRevisions),
		Summary: "one process writes one file in records and reads it, fsync counted, through the page cache",
		Options: []OptionInfo{
			{Key: "Record Size", Values: published(iozoneRecords), Meaning: "-r", Set: "record-size"},
			{Key: "File Size", Values: published(iozoneSizes), Meaning: "-s", Set: "file-size"},
			{Key: "Disk Test", Values: published(iozoneTests), Meaning: "-i0; with reading -i0 -i1", Set: "disk-test"},
			driverOption("iozone"),
		},
		Metrics: []MetricInfo{
			{"write", "MB/s", result.HIB, "MiB/s of the first write, fsync counted"},
			{"read", "MB/s", result.HIB, "MiB/s of the first read, behind two writes"},
		},
		Tools: []ToolInfo{{"iozone", "", result.UserBinary}, {"", "", result.Reimplementation}},
		Space: "the file's size: 8.1 GiB at most", Time: "46 s for 8 GB where that was measured",
		Notes: []string{
			"MB/s is MiB/s: KiB/s by 1024.",
			"Debian has iozone 3.489 as iozone3, in non-free.",
			"Reading follows writing at once: what fits into memory is read from there.",
		},
	}
}

func (iozone) Match(row Row) bool {
	return matchTest(row.Test, []string{"iozone"}, []string{"IOzone"})
}

// iozoneRun is one run of iozone.
type iozoneRun struct {
	record, size int64
	read         bool
}

func (iozone) Resolve(req Request) (*Job, error) {
	a := ask("iozone", req)
	chosen := a.chooseRevision(iozoneRevisions)
	if a.refusal != nil {
		return nil, a.refusal
	}
	var r iozoneRun
	r.record, _ = parseSize(a.oneOf("record-size", []string{"Record Size"}, iozoneRecords, ""))
	r.size, _ = parseSize(a.oneOf("file-size", []string{"File Size"}, iozoneSizes, ""))
	test := a.oneOf("disk-test", []string{"Disk Test"}, iozoneTests, "")
	r.read = test == "read"
	a.mebibyteScale()
	a.done()
	if a.refusal != nil {
		return a.finish(&Job{Profile: "pts/iozone-" + chosen.version})
	}
	full := r.size
	r.size = a.scale("file size", r.size/r.record, (1<<20)/r.record, func(n int64) string { return sizeText(n * r.record) }) * r.record
	job := &Job{
		Profile: "pts/iozone-" + chosen.version, Driver: "native iozone", Metric: test, Publish: publishText,
		Need: Need{Bytes: r.size + 100<<20, Seconds: 1 + 46*float64(r.size)/(8<<30)},
	}
	tools, own := a.own("iozone")
	job.Fidelity = fidelityOf(own)
	if own {
		job.Driver = tools[0].driver("iozone")
		job.Steps, job.Parse = []Step{r.step()}, r.parse
	} else {
		flags := []string{"-record", sizeText(r.record), "-size", sizeText(r.size)}
		if r.read {
			flags = append(flags, "-read")
		}
		job.Steps = []Step{nativeStep("iozone", flags...)}
		job.Steps[0].Remove = []string{"iozone.tmp"}
		job.Parse = func(o *Outputs) (*Reading, error) { return nativeReading(o, "iozone", mebibytes) }
	}
	if r.read && full <= 8<<30 {
		job.Warnings = append(job.Warnings, "a file that fits into memory is read from there, not from the disk")
	}
	return a.finish(job)
}

// mebibyteScale refuses a row whose scale is not that of a rate.
func (a *asked) mebibyteScale() {
	if s := a.req.Row.Test.Scale; s != "MB/s" {
		a.refuse("", "no figure of the run is in %.40q", s)
	}
}

// step is the command as published.
func (r *iozoneRun) step() Step {
	mebi := strconv.FormatInt(r.size>>20, 10) + "M"
	if r.size%(1<<20) != 0 {
		mebi = strconv.FormatInt(r.size>>10, 10) + "k"
	}
	argv := []string{"{tool:iozone}", "-e", "-r", sizeText(r.record), "-s", mebi, "-i0"}
	if r.read {
		argv = append(argv, "-i1")
	}
	return Step{Name: "iozone", Argv: argv, Remove: []string{"iozone.tmp", "iozone.DUMMY"}}
}

var (
	iozoneHead    = regexp.MustCompile(`(?m)^\s*[kK]B\s+reclen\s.*$`)
	iozoneLine    = regexp.MustCompile(`(?m)^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\d+)(?:\s+(\d+)\s+(\d+))?\s*$`)
	iozoneVersion = regexp.MustCompile(`Version \$Revision: (\S+) \$`)
)

// iozoneFailures are what iozone says where it fails; it does not always end
// with another code than 0 then.
var iozoneFailures = []string{"Error writing", "Error reading", "Error in file", "No space left", "Can not open", "Can't open", "iozone: interrupted", "fsync: "}

// parse reads the figures of one run, in KiB/s as iozone prints them.
func (r *iozoneRun) parse(o *Outputs) (*Reading, error) {
	text, err := ownOutput(o, "iozone", iozoneFailures...)
	if err != nil {
		return nil, err
	}
	heads := iozoneHead.FindAllStringIndex(text, -1)
	if heads == nil {
		return nil, errors.New("iozone printed no figures")
	}
	m := iozoneLine.FindStringSubmatch(text[heads[len(heads)-1][1]:])
	if m == nil {
		return nil, errors.New("iozone printed no figures")
	}
	reading := &Reading{}
	for i, metric := range []string{"write", "rewrite", "read", "reread"} {
		if m[3+i] == "" {
			continue
		}
		kib, err := figure("iozone", m[3+i])
		if err != nil {
			return nil, err
		}
		s := native.Sample{Metric: metric, Value: kib * 1024, Unit: "B/s"}
		reading.Samples = append(reading.Samples, Sample{Metric: metric, Value: s.Value, Unit: s.Unit, Detail: mebibytes(s)})
	}
	has := func(s string) bool { return regexp.MustCompile(s).MatchString(text) }
	reading.Invariants = []Invariant{
		check("file size in KiB", m[1], strconv.FormatInt(r.size>>10, 10)),
		check("record size in KiB", m[2], strconv.FormatInt(r.record>>10, 10)),
		check("file was read", m[5] != "", r.read),
		check("fsync counts", has(`(?i)Include fsync in write timing`), true),
		check("test complete", has(`(?m)^iozone test complete\.`), true),
	}
	if v := iozoneVersion.FindStringSubmatch(text); v == nil || v[1] != iozoneRevisions[0].app {
		version := "unknown"
		if v != nil {
			version = v[1]
		}
		reading.Warnings = append(reading.Warnings, fmt.Sprintf("iozone's version is %.40s, published %s", version, iozoneRevisions[0].app))
	}
	return reading, nil
}
