package profile

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

func init() { register(fsMark{}) }

// fsMark is fs_mark: it creates files of 1 MiB, each synced before its close.
type fsMark struct{}

var fsMarkRevisions = []revision{
	{app: "3.3", version: "1.0.0"},
	{app: "3.3", version: "1.0.2", since: day(2018, 1, 1)},
	{app: "3.3", version: "1.0.3", since: day(2021, 9, 1)},
}

// fsMarkTests are the options of Test: by the published caption.
var fsMarkTests = []struct {
	caption                string
	files, threads, noSync int
	subdirs, loops         int // loops from 1.0.3 on
}{
	{"1000 Files, 1MB Size", 1000, 1, 0, 0, 20},
	{"1000 Files, 1MB Size, No Sync/FSync", 1000, 1, 1, 0, 100},
	{"5000 Files, 1MB Size, 4 Threads", 5000, 4, 0, 0, 5},
	{"4000 Files, 32 Sub Dirs, 1MB Size", 4000, 1, 0, 32, 10},
}

// fsMarkSize is the size of each file.
const fsMarkSize = 1 << 20

func fsMarkCaptions() []value {
	var list []value
	for i, t := range fsMarkTests {
		list = append(list, value{t.caption, strconv.Itoa(i)})
	}
	return list
}

func (fsMark) Info() Info {
	return Info{
		Name: "fs-mark", Title: "FS-Mark",
		Versions: versionsOf(fsMarkRevisions), Profiles: profilesOf("fs-mark", fsMarkRevisions),
		Summary: "creates files of 1 MiB in pieces of 16 KiB, with fsync before each close",
		Options: []OptionInfo{
			{Key: "Test", Values: published(fsMarkCaptions()), Meaning: "-n files for each thread, -t threads, -D directories, -S 0 for no sync", Set: "test"},
			{Values: []string{"n"}, Meaning: "-L, from 1.0.3 on: repetitions, of which only the first counts", Set: "loops", Default: "1; 20, 100, 5, 10 from 1.0.3 on"},
		},
		Metrics: []MetricInfo{{"files", "Files/s", "HIB", "files a second, summed over the threads, deletion apart"}},
		Tools:   []ToolInfo{{"fs_mark", "fsmark", "native-same-version"}},
		Space:   "1, 1, 19.5 and 3.9 GiB; 19.5, 97.7, 97.7 and 39 GiB from 1.0.3 on, which keeps the files of all loops",
		Time:    "seconds to minutes",
		Notes: []string{
			"The number of files is for each thread: 4 threads make 20000.",
			"32 Sub Dirs fills one directory for 180 seconds before the next: a shorter run uses one.",
			"Without sync it measures the page cache.",
		},
	}
}

func (fsMark) Match(row Row) bool {
	return matchTest(row.Test, []string{"fs-mark"}, []string{"FS-Mark"})
}

// fsMarkRun is one run of fs_mark.
type fsMarkRun struct {
	files, threads, subdirs, loops int
	noSync                         bool
}

func (fsMark) Resolve(req Request) (*Job, error) {
	a := ask("fs-mark", req)
	chosen := a.chooseRevision(fsMarkRevisions)
	if a.refusal != nil {
		return nil, a.refusal
	}
	// Rows of 1.0.3 have other arguments than those before.
	if args := req.Row.Test.CommandArguments; args != "" && strings.Contains(args, "-L ") {
		chosen = fsMarkRevisions[2]
	} else if args != "" && chosen.version == "1.0.3" {
		chosen = fsMarkRevisions[1]
	}
	index := a.oneOf("test", []string{"Test"}, fsMarkCaptions(), "")
	i, _ := strconv.Atoi(index)
	t := fsMarkTests[i]
	loops := 1
	if chosen.version == "1.0.3" {
		loops = t.loops
	}
	r := fsMarkRun{files: t.files, threads: t.threads, subdirs: t.subdirs, noSync: t.noSync == 1}
	r.loops = a.number("loops", loops, 1, 1000, Default)
	a.add("size", "1048576", Published)
	if req.Row.Test.Scale != "Files/s" {
		a.refuse("", "no figure of the run is in %.40q", req.Row.Test.Scale)
	}
	a.done()
	r.files = int(a.scale("files for each thread", int64(r.files), 10, plain))
	r.loops = int(a.scale("loops", int64(r.loops), 1, plain))
	tool := a.need("fs_mark", "fsmark")
	version := tool
	if version.version == "" {
		// It tells its version only when it runs, and parse then insists
		// on this one: a reading of another is none.
		version.version = "3.3"
	}
	job := &Job{
		Profile: "pts/fs-mark-" + chosen.version, Driver: version.driver("fs_mark"), Metric: "files",
		Steps: []Step{{
			Name: "fs_mark", Argv: r.argv(), Mkdirs: []string{"scratch"}, Remove: []string{"scratch", "fs_log.txt"},
		}},
		Parse: r.parse, Publish: publishText,
		Need: Need{
			Bytes:   int64(r.files*r.threads*r.loops)*fsMarkSize + 64<<20,
			Seconds: float64(r.files*r.threads*r.loops) / 100,
		},
		Fidelity: version.fidelity("3.3"),
	}
	if r.noSync {
		job.Warnings = append(job.Warnings, "without sync the page cache is measured, not the disk")
	}
	return a.finish(job)
}

// argv is the command as published. The directory is a short relative name:
// fs_mark refuses those of 40 bytes and more.
func (r *fsMarkRun) argv() []string {
	argv := []string{"{tool:fs_mark}", "-d", "scratch", "-s", strconv.Itoa(fsMarkSize), "-n", strconv.Itoa(r.files)}
	if r.noSync {
		argv = append(argv, "-S", "0")
	}
	if r.threads > 1 {
		argv = append(argv, "-t", strconv.Itoa(r.threads))
	}
	if r.subdirs > 0 {
		argv = append(argv, "-D", strconv.Itoa(r.subdirs))
	}
	if r.loops > 1 {
		argv = append(argv, "-L", strconv.Itoa(r.loops))
	}
	return argv
}

var (
	fsMarkHead = regexp.MustCompile(`(?m)^FSUse%.*Files/sec.*$`)
	fsMarkLine = regexp.MustCompile(`(?m)^\s*(\d+)\s+(\d+)\s+(\d+)\s+([\d.]+)\s+(\d+)\s*$`)
	fsMarkSync = regexp.MustCompile(`(?m)^#\tSync method: ([A-Z ]+):`)
	fsMarkRuns = regexp.MustCompile(`(?m)^#\tVersion (\S+), (\d+) thread\(s\)`)
	fsMarkDirs = regexp.MustCompile(`(?m)^#\tDirectories:  (.+)$`)
)

// parse reads one run: of its loops the first, as the profile does.
func (r *fsMarkRun) parse(o *Outputs) (*Reading, error) {
	out, ok := o.Step("fs_mark")
	if !ok {
		return nil, errors.New("fs_mark did not run")
	}
	text := string(out.Stdout)
	if strings.Contains(out.joined(), "Insufficient free space") {
		return nil, errors.New("fs_mark: insufficient free space")
	}
	if out.ExitCode != 0 {
		return nil, fmt.Errorf("fs_mark ended with %d: %.200q", out.ExitCode, strings.TrimSpace(string(out.Stderr)))
	}
	head := fsMarkHead.FindStringIndex(text)
	if head == nil {
		return nil, errors.New("fs_mark printed no figures")
	}
	lines := fsMarkLine.FindAllStringSubmatch(text[head[1]:], -1)
	if len(lines) == 0 {
		return nil, errors.New("fs_mark printed no figures")
	}
	rate, err := strconv.ParseFloat(lines[0][4], 64)
	if err != nil || rate <= 0 {
		return nil, fmt.Errorf("fs_mark printed %.40q files a second", lines[0][4])
	}
	group := func(re *regexp.Regexp, i int) string {
		if m := re.FindStringSubmatch(text); m != nil {
			return m[i]
		}
		return ""
	}
	sync := "INBAND FSYNC"
	if r.noSync {
		sync = "NO SYNC"
	}
	reading := &Reading{
		Samples: []Sample{{Metric: "files", Value: rate, Unit: "1/s", Detail: lines[0][4]}},
		Invariants: []Invariant{
			check("version", group(fsMarkRuns, 1), "3.3"),
			check("threads", group(fsMarkRuns, 2), strconv.Itoa(r.threads)),
			check("sync method", group(fsMarkSync, 1), sync),
			check("subdirectories", group(fsMarkDirs, 1) != "no subdirectories used", r.subdirs > 0),
			check("loops", len(lines), r.loops),
		},
	}
	for i, line := range lines {
		reading.Invariants = append(reading.Invariants,
			check(fmt.Sprintf("files of loop %d", i+1), line[2], strconv.Itoa(r.files*r.threads*(i+1))),
			check(fmt.Sprintf("size of loop %d", i+1), line[3], strconv.Itoa(fsMarkSize)))
	}
	return reading, nil
}
