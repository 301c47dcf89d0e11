package profile

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

func init() { register(fio{}) }

// fio is the Flexible IO Tester: one job on one file of 1 GiB, by time.
type fio struct{}

// fioEra is what a version of the profile does: the job that it writes and how
// it reads the output of its fio.
type fioEra struct {
	revision
	delay, ramp, run int  // seconds
	direct           bool // there is an option; else direct=0
	buffered         bool // there is an option, written behind direct
	forceAsync       string
	jobs             bool // numjobs is an option
	fresh            bool // the file is removed before each run
	samples          bool // averages of the samples lines are published
	misdirected      bool // a Disk Target but the default one becomes filename=
	print            fioPrint
}

// eras of the profile by time. The number form is that of the fio that the
// version installs: a fraction that rounds up to 1 was printed without its
// carry until 3.25 (fixed in 3.26).
var fioEras = []fioEra{
	{revision: revision{app: "2.1.11", version: "1.6.0"}, delay: 5, ramp: 5, run: 20, buffered: true, print: fioPrint{digits: 6}},
	{revision: revision{app: "2.1.11", version: "1.6.1"}, delay: 5, ramp: 5, run: 20, buffered: true, print: fioPrint{digits: 6}},
	{revision: revision{app: "2.1.11", version: "1.6.2"}, delay: 5, ramp: 5, run: 20, buffered: true, print: fioPrint{digits: 6}},
	{revision: revision{app: "3.1", version: "1.11.4"}, delay: 5, ramp: 5, run: 20, direct: true, buffered: true, print: fioPrint{digits: 4, thousands: true}},
	{revision: revision{app: "3.1", version: "1.11.5", since: day(2019, 4, 1)}, misdirected: true, delay: 5, ramp: 5, run: 20, direct: true, buffered: true, print: fioPrint{digits: 4, thousands: true}},
	{revision: revision{app: "3.16", version: "1.12.0"}, misdirected: true, delay: 5, ramp: 5, run: 20, direct: true, buffered: true, print: fioPrint{digits: 4, thousands: true}},
	{revision: revision{app: "3.16", version: "1.12.1"}, misdirected: true, delay: 5, ramp: 5, run: 20, direct: true, buffered: true, print: fioPrint{digits: 4}},
	{revision: revision{app: "3.18", version: "1.13.1"}, delay: 5, ramp: 5, run: 20, direct: true, buffered: true, print: fioPrint{digits: 4}},
	{revision: revision{app: "3.25", version: "1.14.0"}, delay: 5, ramp: 5, run: 20, direct: true, buffered: true, forceAsync: "all", print: fioPrint{digits: 4}},
	{revision: revision{app: "3.25", version: "1.14.1"}, delay: 5, ramp: 5, run: 20, direct: true, buffered: true, forceAsync: "io_uring", fresh: true, print: fioPrint{digits: 4}},
	{revision: revision{app: "3.29", version: "1.15.0"}, delay: 5, ramp: 5, run: 20, direct: true, buffered: true, forceAsync: "io_uring", fresh: true, print: fioPrint{digits: 4, carry: true}},
	{revision: revision{app: "3.35", version: "2.0.0"}, delay: 20, ramp: 5, run: 60, direct: true, buffered: true, forceAsync: "io_uring", jobs: true, fresh: true, samples: true, print: fioPrint{digits: 4, carry: true}},
	{revision: revision{app: "3.36", version: "2.1.0"}, delay: 20, ramp: 5, run: 60, direct: true, forceAsync: "io_uring", jobs: true, fresh: true, print: fioPrint{digits: 4, carry: true}},
	{revision: revision{app: "3.40", version: "2.2.0"}, delay: 20, ramp: 5, run: 60, direct: true, forceAsync: "io_uring", jobs: true, fresh: true, print: fioPrint{digits: 4, carry: true}},
}

// fioRevisions are the eras' versions in an order in which, of those of one
// fio, the likely one without a date is the last.
func fioRevisions() []revision {
	list := make([]revision, len(fioEras))
	for i := range fioEras {
		list[i] = fioEras[i].revision
	}
	return list
}

var (
	fioTypes = []value{
		{"Random Read", "randread"},
		{"Random Write", "randwrite"},
		{"Sequential Read", "read"},
		{"Sequential Write", "write"},
	}
	fioEngines = []value{
		{"POSIX AIO", "posixaio"},
		{"Sync", "sync"},
		{"Libaio", "libaio"},
		{"Linux AIO", "libaio"},
		{"IO_uring", "io_uring"},
		{"Windows AIO", "windowsaio"},
	}
	yesNo       = []value{{"Yes", "1"}, {"No", "0"}}
	fioBlocks   = fioBlockSizes()
	diskTargets = []value{{"Default Test Directory", "default"}}
	// diskTargetForms are what a row may publish.
	diskTargetForms = append(published(diskTargets), "/directory")
	fioResults      = []value{{"MB/s", "bandwidth"}, {"IOPS", "iops"}}
)

// fioBlockSizes are 4KB to 128KB and 1MB to 128MB, powers of two.
func fioBlockSizes() []value {
	var list []value
	for n := 4; n <= 128; n *= 2 {
		list = append(list, value{strconv.Itoa(n) + "KB", strconv.Itoa(n) + "k"})
	}
	for n := 1; n <= 128; n *= 2 {
		list = append(list, value{strconv.Itoa(n) + "MB", strconv.Itoa(n) + "m"})
	}
	return list
}

func (fio) Info() Info {
	return Info{
		Name: "fio", Title: "Flexible IO Tester",
		Versions: versionsOf(fioRevisions()), Profiles: profilesOf("fio", fioRevisions()),
		Summary: "one process reads or writes one file of 1 GiB for 20 seconds, 64 requests deep",
		Options: []OptionInfo{
			{Key: "Type", Values: published(fioTypes), Meaning: "rw=", Set: "type"},
			{Key: "IO Engine", Values: published(fioEngines), Meaning: "ioengine= (called Engine from 1.12)", Set: "engine"},
			{Key: "Buffered", Values: published(yesNo), Meaning: "buffered=, which beats direct=; no line from 2.1.0 on", Set: "buffered"},
			{Key: "Direct", Values: published(yesNo), Meaning: "direct=; always 0 in 1.6", Set: "direct"},
			{Key: "Block Size", Values: published(fioBlocks), Meaning: "bs=", Set: "block-size"},
			{Key: "Job Count", Values: []string{"n"}, Meaning: "numjobs=, from 2.0.0 on", Set: "jobs"},
			{Key: "Disk Target", Values: diskTargetForms, Meaning: "the directory of the test; a replay's is its target", Set: "disk-target"},
			{Key: "Result", Values: published(fioResults), Meaning: "which figure of the run, in 1.6.1 and 1.6.2"},
			{Values: []string{"n"}, Meaning: "iodepth=", Set: "iodepth", Default: "64"},
			{Values: []string{"size"}, Meaning: "size=", Set: "size", Default: "1g"},
			{Values: []string{"seconds"}, Meaning: "runtime=, time_based", Set: "runtime", Default: "20; 60 from 2.0.0 on"},
			{Values: []string{"seconds"}, Meaning: "ramp_time=", Set: "ramp-time", Default: "5"},
			{Values: []string{"seconds"}, Meaning: "startdelay=", Set: "start-delay", Default: "5; 20 from 2.0.0 on"},
		},
		Metrics: []MetricInfo{
			{"bandwidth", "MB/s", "HIB", "KiB/s / 1000 of fio 2.1.11; MiB/s of fio 3, but KiB/s / 1000 up to 9999 KiB/s"},
			{"iops", "IOPS", "HIB", "requests a second in fio's four digits; before 1.12.1 only from 10000 on"},
			{"bandwidth-samples", "MiB/s", "HIB", "2.0.0 alone: mean of the samples"},
			{"iops-samples", "IOPS", "HIB", "2.0.0 alone: mean of the samples"},
		},
		Tools: []ToolInfo{{"fio", "fio", "native-other-version"}},
		Space: "1 GiB and 5 %", Time: "31 to 40 s a run; about 85 s from 2.0.0 on",
		Notes: []string{
			"Buffered: No is O_DIRECT and Buffered: Yes the page cache, whatever Direct says: fio reads buffered= behind direct=.",
			"A file of 1 GiB fits into the cache of ZFS and into that of many drives, and is a small part of a hard disk.",
			"fio 3.1 below 10000 IOPS has no IOPS row, fio 2.1.11 above 1000 MB/s no MB/s row, fio 3 from 10 GiB/s on none: missing is censored, not failed.",
			"fio before 3.26 prints 20.97 MiB/s as 20.0MiB/s: a fraction that rounds up to 1 loses its carry.",
			"From 1.14.1 on the file is new in each run: a write test's first pass is over unwritten extents.",
			"MB/s x 1048576 / block size is IOPS, but for the rounding.",
		},
	}
}

func (fio) Match(row Row) bool {
	return matchTest(row.Test, []string{"fio"}, []string{"Flexible IO Tester"})
}

// fioRun is one run of fio as the options make it.
type fioRun struct {
	era                             *fioEra
	rw, engine, direct, buffered    string
	bs                              string
	depth, jobs                     int
	size                            int64
	delaySeconds, rampSeconds, time int64
}

func (p fio) Resolve(req Request) (*Job, error) {
	a := ask("fio", req)
	chosen := a.chooseRevision(fioRevisions())
	i := slices.IndexFunc(fioEras, func(e fioEra) bool { return e.version == chosen.version })
	if i < 0 {
		return nil, a.refusal
	}
	r := fioRun{era: &fioEras[i]}
	result, hasResult := a.take("Result")
	if !hasResult && r.era.app == "2.1.11" {
		r.era = &fioEras[0] // the versions behind it have the option
	}
	r.options(a)
	metric := r.metric(a, req.Row.Test.Scale, result)
	a.done()
	if r.engine == "windowsaio" {
		a.refuse("", "the engine Windows AIO is of Windows")
	}
	r.shrink(a)
	tool := a.need("fio", "fio")
	if major, _, _ := strings.Cut(tool.version, "."); tool.version != "" && major < "3" {
		a.refuse("install fio 3", "fio %s prints its figures in other units", tool.version)
	}
	step := Step{
		Name: "fio", Argv: []string{"{tool:fio}", "--output-format=json", "fio.job"},
		Files: []File{{"fio.job", r.jobFile()}},
	}
	if r.era.fresh {
		step.Remove = []string{"fiofile"}
	}
	total := r.delaySeconds + r.rampSeconds + r.time
	return a.finish(&Job{
		Profile: "pts/fio-" + r.era.version, Driver: tool.driver("fio"), Metric: metric,
		Steps: []Step{step}, Parse: r.parse, Publish: r.publish(metric),
		Need:     Need{Bytes: r.size + r.size/20, Seconds: float64(total) + float64(r.size)/(200<<20)},
		Fidelity: tool.fidelity(r.era.app),
	})
}

// options reads what the row and --set say of the run.
func (r *fioRun) options(a *asked) {
	r.rw = a.oneOf("type", []string{"Type"}, fioTypes, "")
	r.engine = a.oneOf("engine", []string{"IO Engine", "Engine"}, fioEngines, "")
	r.direct = "0"
	if r.era.direct {
		r.direct = a.oneOf("direct", []string{"Direct"}, yesNo, "")
	} else {
		a.add("direct", "0", Default)
	}
	if r.era.buffered {
		r.buffered = a.oneOf("buffered", []string{"Buffered"}, yesNo, "")
	}
	r.bs = a.oneOf("block-size", []string{"Block Size"}, fioBlocks, "")
	r.jobs = 1
	if r.era.jobs {
		r.jobs = a.count("jobs", []string{"Job Count"}, 1, 1024, 0, Default)
	}
	misdirected := ""
	if r.era.misdirected {
		misdirected = "fio-" + r.era.version + " gives fio the directory for the file to measure, which fails"
	}
	a.diskTarget(misdirected)
	r.depth = a.number("iodepth", 64, 1, 4096, Default)
	r.size = a.size("size", 1<<30, 1<<20, 1<<44, Default)
	r.delaySeconds = int64(a.number("start-delay", r.era.delay, 0, 600, Default))
	r.rampSeconds = int64(a.number("ramp-time", r.era.ramp, 0, 600, Default))
	r.time = int64(a.number("runtime", r.era.run, 1, 86400, Default))
}

// metric returns which figure of the run the row is.
func (r *fioRun) metric(a *asked, scale, result string) string {
	known := map[string]string{"MB/s": "bandwidth", "IOPS": "iops"}
	if r.era.samples {
		known = map[string]string{"MiB/s": "bandwidth-samples", "MB/s": "bandwidth-samples", "IOPS": "iops-samples"}
	}
	metric := known[scale]
	switch {
	case metric == "":
		a.refuse("", "no figure of the run is in %.40q", scale)
	case result != "" && result != scale:
		a.refuse("", "the option Result is %.40q, and the scale %.40q", result, scale)
	}
	return metric
}

// shrink makes the run as small as the request wants it.
func (r *fioRun) shrink(a *asked) {
	block, _ := parseSize(r.bs)
	// In whole blocks of 1 MiB, as a person would give it.
	full := r.size
	whole := func(n int64) int64 {
		if n == full || n < 1<<20 {
			return n
		}
		return n >> 20 << 20
	}
	r.size = whole(a.scale("size", full, max(16<<20, 4*block), func(n int64) string { return sizeText(whole(n)) }))
	r.delaySeconds = a.scale("startdelay", r.delaySeconds, 0, seconds)
	r.rampSeconds = a.scale("ramp_time", r.rampSeconds, 0, seconds)
	r.time = a.scale("runtime", r.time, 1, seconds)
}

// jobFile is fio's job, line by line as the profile writes it.
func (r *fioRun) jobFile() string {
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	line("[global]")
	line("rw=%s", r.rw)
	line("ioengine=%s", r.engine)
	line("iodepth=%d", r.depth)
	line("size=%s", sizeText(r.size))
	line("direct=%s", r.direct)
	if r.era.buffered {
		line("buffered=%s", r.buffered)
	}
	line("startdelay=%d", r.delaySeconds)
	if r.era.forceAsync == "all" || r.era.forceAsync == r.engine {
		line("force_async=4")
	}
	line("ramp_time=%d", r.rampSeconds)
	line("runtime=%d", r.time)
	line("time_based")
	if r.era.jobs {
		line("group_reporting=1")
		line("numjobs=%d", r.jobs)
	}
	line("disk_util=0")
	line("clat_percentiles=0")
	line("disable_lat=1")
	line("disable_clat=1")
	line("disable_slat=1")
	line("filename=fiofile")
	line("[test]")
	line("name=test")
	line("bs=%s", r.bs)
	line("stonewall")
	return b.String()
}
