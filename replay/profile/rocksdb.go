package profile

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/benchproof/benchproof/internal/phrase"
)

func init() { register(rocksDB{}) }

// rocksDB is db_bench of RocksDB: one of its benchmarks on a new database.
type rocksDB struct{}

var rocksDBRevisions = []revision{
	{app: "6.3.6", version: "1.0.2"},
	{app: "6.22.1", version: "1.1.0"},
	{app: "7.0.1", version: "1.2.0"},
	{app: "7.9.2", version: "1.4.0"},
	{app: "8.0", version: "1.5.0"},
}

// rocksDBTests are the published tests and db_bench's names of them. The last
// two came with 1.1.0.
var rocksDBTests = []value{
	{"Sequential Fill", "fillseq"},
	{"Random Fill", "fillrandom"},
	{"Random Fill Sync", "fillsync"},
	{"Random Read", "readrandom"},
	{"Read While Writing", "readwhilewriting"},
	{"Read Random Write Random", "readrandomwriterandom"},
	{"Update Random", "updaterandom"},
}

// What db_bench does where nothing is said: so many keys a thread, each entry
// with a key of 16 and a value of 100 bytes.
const (
	rocksDBEntries   = 1_000_000
	rocksDBEntrySize = 116
	rocksDBSeconds   = 60
)

func (rocksDB) Info() Info {
	return Info{
		Name: "rocksdb", Title: "RocksDB",
		Versions: versionsOf(rocksDBRevisions), Profiles: profilesOf("rocksdb", rocksDBRevisions),
		Summary: "db_bench fills, reads or updates a new database for a minute",
		Options: []OptionInfo{
			{Key: "Test", Values: published(rocksDBTests), Meaning: "--benchmarks=", Set: "test"},
			{Values: []string{"n"}, Meaning: "--threads: one a logical CPU of the published machine", Set: "threads"},
			{Values: []string{"seconds"}, Meaning: "--duration, which fillseq heeds not", Set: "duration", Default: "60"},
			{Values: []string{"n"}, Meaning: "--num: entries that each thread of fillseq writes, and the range of the keys of the others", Set: "entries", Default: "1000000"},
		},
		Metrics: []MetricInfo{{"operations", "Op/s", "HIB", "operations a second of all threads; of Read While Writing without those of its writer"}},
		Tools:   []ToolInfo{{"db_bench", "rocksdb-tools", "native-other-version"}},
		Space:   "Sequential Fill: 0.25 GiB a thread; the others up to 3 GiB", Time: "a minute; Sequential Fill as long as its entries take",
		Notes: []string{
			"Random Read reads a new database, in which nothing is: it measures no disk.",
			"Read While Writing begins with a new database too: nearly all of its reads find nothing.",
			"Only Random Fill Sync waits for the disk at each write. The database of the others fits in memory.",
			"Debian's db_bench was built with assertions and says that it is slower for it: a reading of it has a warning.",
			"1.0.2 (6.3.6) does not compress; later ones do with Snappy.",
			"Published runs keep the database in /tmp, whatever disk that is on.",
		},
	}
}

func (rocksDB) Match(row Row) bool {
	return matchTest(row.Test, []string{"rocksdb"}, []string{"RocksDB", "Facebook RocksDB"})
}

// rocksDBRun is one run of db_bench.
type rocksDBRun struct {
	test                      string
	threads, seconds, entries int
	compression               string // as db_bench prints it
}

func (rocksDB) Resolve(req Request) (*Job, error) {
	a := ask("rocksdb", req)
	chosen := a.chooseRevision(rocksDBRevisions)
	if a.refusal != nil {
		return nil, a.refusal
	}
	tests, compression := rocksDBTests, "Snappy"
	if chosen.version == "1.0.2" {
		tests, compression = rocksDBTests[:5], "NoCompression"
	}
	r := rocksDBRun{test: a.oneOf("test", []string{"Test"}, tests, ""), compression: compression}
	r.threads = a.number("threads", req.Row.Machine.Threads, 1, 4096, System)
	r.seconds = a.number("duration", rocksDBSeconds, 1, 86400, Default)
	r.entries = a.number("entries", rocksDBEntries, 1000, 1_000_000, Default)
	a.add("compression", compression, Default)
	if req.Row.Test.Scale != "Op/s" {
		a.refuse("", "no figure of the run is in %.40q", req.Row.Test.Scale)
	}
	a.done()
	if r.timed() {
		r.seconds = int(a.scale("run", int64(r.seconds), 1, seconds))
	} else {
		r.entries = int(a.scale("entries", int64(r.entries), 1000, plain))
	}
	tool := a.need("db_bench", "rocksdb-tools")
	return a.finish(&Job{
		Profile: "pts/rocksdb-" + chosen.version, Driver: tool.driver("db_bench"), Metric: "operations",
		Steps: []Step{{Name: "db_bench", Argv: r.argv(), Remove: []string{"db"}}},
		Parse: r.parse, Publish: publishText,
		Need:     r.need(),
		Fidelity: tool.fidelity(chosen.app),
	})
}

// timed reports whether the run ends by its duration, as all do but fillseq.
func (r *rocksDBRun) timed() bool { return r.test != "fillseq" }

// need is an upper bound. Of its entries' bytes fillseq was seen to leave 0.45
// with Snappy and 1.16 without. The keys of the others lie in one range, so that
// compaction bounds their database; of what waits for it RocksDB stops writers
// at 36 files of 64 MiB.
func (r *rocksDBRun) need() Need {
	if r.timed() {
		return Need{Bytes: 3 << 30, Seconds: float64(r.seconds) + 5}
	}
	n := int64(r.entries) * int64(r.threads)
	return Need{Bytes: 2*n*rocksDBEntrySize + 256<<20, Seconds: float64(n) / 50_000}
}

// argv is the command as published, with what its defaults leave to chance: the
// place of the database.
func (r *rocksDBRun) argv() []string {
	argv := []string{"{tool:db_bench}", "--benchmarks=" + r.test}
	if r.compression == "NoCompression" {
		argv = append(argv, "-compression_type", "none")
	}
	argv = append(argv, "--threads", strconv.Itoa(r.threads), "--duration", strconv.Itoa(r.seconds), "--db=db")
	if r.entries != rocksDBEntries {
		argv = append(argv, "--num="+strconv.Itoa(r.entries))
	}
	return argv
}

var (
	// rocksDBLine has what db_bench prints of a benchmark: seconds and
	// operations since 7.2.
	rocksDBLine = regexp.MustCompile(`(?m)^(\w+) +: +([\d.]+) micros/op (\d+) ops/sec(?: ([\d.]+) seconds (\d+) operations)?;(.*)$`)
	rocksDBHead = regexp.MustCompile(`(?m)^(Keys|Values|Entries|Compression): +(\w+)`)
	// rocksDBError matches what it prints before it gives up.
	rocksDBError = regexp.MustCompile(`(?mi)^.*(?:\berror: |no space left|corruption|i/o error|assertion .* failed).*$`)
)

// rocksDBSlow is how it warns of a build that is no release.
const rocksDBSlow = "benchmarks unnecessarily slow"

func (r *rocksDBRun) parse(o *Outputs) (*Reading, error) {
	out, ok := o.Step("db_bench")
	if !ok {
		return nil, errors.New("db_bench did not run")
	}
	text := out.joined()
	if line := rocksDBError.FindString(text); line != "" {
		return nil, fmt.Errorf("db_bench: %.200q", strings.TrimSpace(line))
	}
	if out.ExitCode != 0 {
		return nil, fmt.Errorf("db_bench ended with %d: %.200q", out.ExitCode, lastLine(out.Stderr))
	}
	lines := rocksDBLine.FindAllStringSubmatch(string(out.Stdout), -1)
	if len(lines) != 1 {
		return nil, fmt.Errorf("db_bench printed %s, want 1", phrase.Count(len(lines), "result"))
	}
	name, rate, ran, count := lines[0][1], lines[0][3], lines[0][4], lines[0][5]
	v, err := figure("db_bench", rate)
	if err != nil {
		return nil, err
	}
	head := make(map[string]string)
	for _, m := range rocksDBHead.FindAllStringSubmatch(string(out.Stdout), -1) {
		head[m[1]] = m[2]
	}
	reading := &Reading{
		Samples: []Sample{{Metric: "operations", Value: v, Unit: "1/s", Detail: rate}},
		Invariants: []Invariant{
			check("benchmark", name, r.test),
			check("bytes of a key", head["Keys"], "16"),
			check("bytes of a value", head["Values"], "100"),
			check("entries", head["Entries"], strconv.Itoa(r.entries)),
			check("compression", head["Compression"], r.compression),
		},
	}
	if ran != "" {
		seconds, _ := strconv.ParseFloat(ran, 64)
		if r.timed() {
			// A thread looks at the clock every 1000 operations, which a
			// slow disk takes long for.
			reading.Invariants = append(reading.Invariants, checkRange("seconds of the run", seconds, float64(r.seconds)*0.99, 1e6))
		} else {
			reading.Invariants = append(reading.Invariants, check("operations", count, strconv.Itoa(r.threads*r.entries)))
		}
	}
	if r.test == "readrandom" {
		reading.Invariants = append(reading.Invariants, check("reads that found nothing", strings.Contains(lines[0][6], "(0 of "), true))
	}
	if strings.Contains(text, rocksDBSlow) {
		reading.Warnings = append(reading.Warnings, "db_bench was built with assertions, or not optimized, and is slower for it than the published one")
	}
	return reading, nil
}

// lastLine is the last line of what a program printed. One that shows its
// progress divides lines with carriage returns.
func lastLine(printed []byte) string {
	lines := strings.FieldsFunc(string(printed), func(c rune) bool { return c == '\n' || c == '\r' })
	lines = slices.DeleteFunc(lines, func(s string) bool { return strings.TrimSpace(s) == "" })
	if len(lines) == 0 {
		return ""
	}
	return strings.TrimSpace(lines[len(lines)-1])
}
