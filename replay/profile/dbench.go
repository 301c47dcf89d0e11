package profile

import (
	"errors"
	"fmt"
	"os"
	"regexp"
	"strconv"
	"strings"

	"github.com/benchproof/benchproof/internal/phrase"
	"github.com/benchproof/benchproof/result"
)

func init() { register(dbench{}) }

// dbench replays the file operations of office clients.
type dbench struct{}

var dbenchRevisions = []revision{
	{app: "4.0", version: "1.0.0"},
	{app: "4.0", version: "1.0.2", since: day(2020, 1, 1)},
}

// dbenchClients are the published numbers of clients.
var dbenchClients = []value{{"1", "1"}, {"6", "6"}, {"12", "12"}, {"48", "48"}, {"128", "128"}, {"256", "256"}}

// The published load file: so many bytes, and the places where it may lie.
const dbenchLoadSize = 26_214_401

var dbenchLoads = []string{"/usr/share/dbench/client.txt", "/usr/local/share/dbench/client.txt", "/usr/local/share/client.txt"}

func (dbench) Info() Info {
	return Info{
		Name: "dbench", Title: "Dbench",
		Versions: versionsOf(dbenchRevisions), Profiles: profilesOf("dbench", dbenchRevisions),
		Summary: "clients repeat the recorded file operations of an office for 10 minutes",
		Options: []OptionInfo{
			{Key: "Client Count", Values: published(dbenchClients), Meaning: "clients; older captions are a bare \"n Clients\"", Set: "clients"},
			{Values: []string{"seconds"}, Meaning: "-t, behind a warm-up of a fifth", Set: "runtime", Default: "600"},
		},
		Metrics: []MetricInfo{{"throughput", "MB/s", "HIB", "10^6 bytes a second, read and written"}},
		Tools:   []ToolInfo{{"dbench", "dbench", "native-same-version"}},
		Space:   "25 MB a client", Time: "12.5 minutes a run",
		Notes: []string{
			"About 22 MB a client are in use: the page cache holds them, and the disk is waited for in the 5553 fsyncs of the load alone.",
			"The load file of Debian's package is the published one, byte for byte.",
		},
	}
}

func (dbench) Match(row Row) bool {
	return matchTest(row.Test, []string{"dbench"}, []string{"Dbench"})
}

// dbenchRun is one run of dbench.
type dbenchRun struct {
	clients, seconds int
	load             string
}

func (dbench) Resolve(req Request) (*Job, error) {
	a := ask("dbench", req)
	chosen := a.chooseRevision(dbenchRevisions)
	if a.refusal != nil {
		return nil, a.refusal
	}
	for i, o := range a.left { // the older caption
		if n, ok := strings.CutSuffix(o.Value, " Clients"); ok && o.Key == "" {
			a.left[i] = result.Option{Key: "Client Count", Value: n}
		}
	}
	var r dbenchRun
	r.clients, _ = strconv.Atoi(a.oneOf("clients", []string{"Client Count"}, dbenchClients, ""))
	r.seconds = a.number("runtime", 600, 2, 86400, Default)
	if req.Row.Test.Scale != "MB/s" {
		a.refuse("", "no figure of the run is in %.40q", req.Row.Test.Scale)
	}
	a.done()
	full := r.seconds
	r.seconds = int(a.scale("run", int64(r.seconds), 2, seconds))
	tool := a.need("dbench", "dbench")
	r.load = dbenchLoad()
	if r.load == "" && a.refusal == nil {
		a.refusal = &Refusal{Unavailable: true, Reason: "dbench's published load file client.txt is not installed", Hint: "apt-get install dbench"}
	}
	argv := []string{"{tool:dbench}", strconv.Itoa(r.clients), "-c", r.load}
	if full != 600 || r.seconds != full {
		argv = append(argv, "-t", strconv.Itoa(r.seconds))
	}
	return a.finish(&Job{
		Profile: "pts/dbench-" + chosen.version, Driver: tool.driver("dbench"), Metric: "throughput",
		Steps: []Step{{Name: "dbench", Argv: argv, Remove: []string{"clients"}}},
		Parse: r.parse, Publish: publishText,
		Need:     Need{Bytes: int64(r.clients) * 25e6, Seconds: float64(r.seconds) * 1.25},
		Fidelity: tool.fidelity("4.0"),
	})
}

// dbenchLoad is the path of the published load file, "" if there is none.
func dbenchLoad() string {
	for _, path := range dbenchLoads {
		if info, err := os.Stat(path); err == nil && info.Size() == dbenchLoadSize {
			return path
		}
	}
	return ""
}

var (
	dbenchResult = regexp.MustCompile(`(?m)^Throughput ([\d.]+) MB/sec\s+(\d+) clients\s+(\d+) procs`)
	dbenchTime   = regexp.MustCompile(`(?m)^Running for (\d+) seconds with load '([^']*)'`)
	dbenchLast   = regexp.MustCompile(`(?m)^\s*\d+\s+(?:\d+\s+[\d.]+ MB/sec\s+)?(?:execute|cleanup)\s+(\d+) sec`)
	dbenchOpen   = regexp.MustCompile(`(?m)^ NTCreateX\s+[1-9]\d*\s`)
	// dbenchError matches what its clients print of an operation that the
	// recording did not have fail.
	dbenchError = regexp.MustCompile(`(?mi)^.*(?:\bfailed\b|\berror\b|no space left|ERROR:).*$`)
)

func (r *dbenchRun) parse(o *Outputs) (*Reading, error) {
	out, ok := o.Step("dbench")
	if !ok {
		return nil, errors.New("dbench did not run")
	}
	text := out.joined()
	var warnings []string
	for _, line := range dbenchError.FindAllString(text, -1) {
		if strings.Contains(line, "barrier") { // the clients did not start at one moment
			warnings = append(warnings, fmt.Sprintf("dbench: %.200q", strings.TrimSpace(line)))
			continue
		}
		return nil, fmt.Errorf("dbench: %.200q", strings.TrimSpace(line))
	}
	if out.ExitCode != 0 {
		return nil, fmt.Errorf("dbench ended with %d", out.ExitCode)
	}
	found := dbenchResult.FindAllStringSubmatch(text, -1)
	if len(found) != 1 {
		return nil, fmt.Errorf("dbench printed %s, want 1", phrase.Count(len(found), "result"))
	}
	rate, err := strconv.ParseFloat(found[0][1], 64)
	if err != nil || rate <= 0 {
		return nil, fmt.Errorf("dbench printed %.40q MB/sec", found[0][1])
	}
	ran, load := "", ""
	if m := dbenchTime.FindStringSubmatch(text); m != nil {
		ran, load = m[1], m[2]
	}
	last := 0
	for _, m := range dbenchLast.FindAllStringSubmatch(text, -1) {
		n, _ := strconv.Atoi(m[1])
		last = max(last, n)
	}
	clients := strconv.Itoa(r.clients)
	return &Reading{
		Samples: []Sample{{Metric: "throughput", Value: rate * 1e6, Unit: "B/s", Detail: found[0][1]}},
		Invariants: []Invariant{
			check("clients", found[0][2], clients),
			check("processes", found[0][3], clients),
			check("seconds", ran, strconv.Itoa(r.seconds)),
			check("load file", load, r.load),
			checkRange("last second of the run", float64(last), float64(r.seconds-1), float64(r.seconds+60)),
			check("a count of files opened", dbenchOpen.MatchString(text), true),
		},
		Warnings: warnings,
	}, nil
}
