package profile

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/benchproof/benchproof/internal/phrase"
)

func init() { register(postMark{}) }

// postMark is the load of a mail server on small files, by a fixed seed.
type postMark struct{}

var postMarkRevisions = []revision{
	{app: "1.51", version: "1.1.1"},
	{app: "1.51", version: "1.1.2", since: day(2020, 1, 1)},
}

// The published configuration.
const (
	postMarkTransactions = 250_000
	postMarkNumber       = 500
)

func (postMark) Info() Info {
	return Info{
		Name: "postmark", Title: "PostMark",
		Versions: versionsOf(postMarkRevisions), Profiles: profilesOf("postmark", postMarkRevisions),
		Summary: "250000 transactions on 500 files of 5 to 512 KiB, without sync",
		Options: []OptionInfo{
			{Values: []string{"Disk Transaction Performance"}, Meaning: "the caption; there is no option"},
			{Values: []string{"n"}, Meaning: "set transactions", Set: "transactions", Default: "250000"},
		},
		Metrics: []MetricInfo{{"transactions", "TPS", "HIB", "whole transactions a second, by a clock of whole seconds"}},
		Tools:   []ToolInfo{{"postmark", "postmark", "native-other-version"}},
		Space:   "0.3 GB", Time: "some minutes",
		Notes: []string{
			"The description says 25000 transactions; the profile runs 250000.",
			"The seed is fixed: every run does the same, and its counters prove it.",
			"The clock has whole seconds: a run of 10 seconds is known to a tenth.",
			"Nothing is synced: mostly the page cache is measured.",
			"Debian's 1.53 prints v1.51 and does the same work.",
		},
	}
}

func (postMark) Match(row Row) bool {
	return matchTest(row.Test, []string{"postmark"}, []string{"PostMark"})
}

// postMarkRun is one run of postmark.
type postMarkRun struct{ transactions int }

func (postMark) Resolve(req Request) (*Job, error) {
	a := ask("postmark", req)
	chosen := a.chooseRevision(postMarkRevisions)
	if a.refusal != nil {
		return nil, a.refusal
	}
	a.bare("Disk Transaction Performance")
	r := postMarkRun{a.number("transactions", postMarkTransactions, 1, 100_000_000, Default)}
	a.add("number", strconv.Itoa(postMarkNumber), Default)
	a.add("size", "5120 524288", Default)
	if req.Row.Test.Scale != "TPS" {
		a.refuse("", "no figure of the run is in %.40q", req.Row.Test.Scale)
	}
	a.done()
	// No fewer than 25000: below, a fast disk is done within the clock's
	// second, and the counters of 25000 are known.
	r.transactions = int(a.scale("transactions", int64(r.transactions), 25_000, plain))
	tool := a.need("postmark", "postmark")
	return a.finish(&Job{
		Profile: "pts/postmark-" + chosen.version, Driver: tool.driver("postmark"), Metric: "transactions",
		Steps: []Step{{
			Name: "postmark", Argv: []string{"{tool:postmark}", "postmark.rc"},
			Files: []File{{"postmark.rc", fmt.Sprintf("set transactions %d\nset size 5120 524288\nset number %d\nrun\nquit\n", r.transactions, postMarkNumber)}},
		}},
		Parse: r.parse, Publish: publishText,
		Need:     Need{Bytes: 300e6, Seconds: float64(r.transactions) / 1300},
		Fidelity: tool.fidelity("1.51"),
	})
}

// postMarkCounters is what a run does: the tool's random numbers have a fixed
// seed.
type postMarkCounters struct {
	created, read, appended, deleted int
	megabytesRead, megabytesWritten  string
}

// postMarkKnown are the counters of the published run, and of the one that its
// description speaks of.
var postMarkKnown = map[int]postMarkCounters{
	250_000: {125_608, 125_224, 124_584, 125_608, "41835.69", "42011.05"},
	25_000:  {12_978, 12_475, 12_512, 12_978, "4142.43", "4324.33"},
}

var (
	postMarkBanner = regexp.MustCompile(`(?m)^PostMark v(\S+) :`)
	postMarkRate   = regexp.MustCompile(`(?m)^\t(\d+) seconds of transactions \((\d+) per second\)`)
	postMarkFiles  = regexp.MustCompile(`(?m)^\t(\d+) (created|read|appended|deleted) \(`)
	postMarkPart   = regexp.MustCompile(`(?m)^\t\t(Creation|Deletion) alone: (\d+) files .*\n\t\tMixed with transactions: (\d+) files`)
	postMarkData   = regexp.MustCompile(`(?m)^\t([\d.]+) (kilobytes|megabytes|gigabytes) (read|written) \(`)
	postMarkError  = regexp.MustCompile(`(?mi)^.*\b(?:error|cannot|failed)\b.*$`)
)

func (r *postMarkRun) parse(o *Outputs) (*Reading, error) {
	out, ok := o.Step("postmark")
	if !ok {
		return nil, errors.New("postmark did not run")
	}
	text := string(out.Stdout)
	if m := postMarkError.FindString(out.joined()); m != "" {
		return nil, fmt.Errorf("postmark: %.200q", strings.TrimSpace(m))
	}
	if out.ExitCode != 0 {
		return nil, fmt.Errorf("postmark ended with %d", out.ExitCode)
	}
	rate := postMarkRate.FindStringSubmatch(text)
	if rate == nil {
		return nil, errors.New("postmark printed no transactions a second")
	}
	time, _ := strconv.Atoi(rate[1])
	tps, err := strconv.Atoi(rate[2])
	if err != nil || tps == 0 {
		return nil, fmt.Errorf("postmark printed %.40q transactions a second", rate[2])
	}
	banner := ""
	if m := postMarkBanner.FindStringSubmatch(text); m != nil {
		banner = m[1]
	}
	count := make(map[string]int)
	for _, m := range postMarkFiles.FindAllStringSubmatch(text, -1) {
		count[m[2]], _ = strconv.Atoi(m[1])
	}
	alone, mixed := make(map[string]int), make(map[string]int)
	for _, m := range postMarkPart.FindAllStringSubmatch(text, -1) {
		alone[m[1]], _ = strconv.Atoi(m[2])
		mixed[m[1]], _ = strconv.Atoi(m[3])
	}
	data := make(map[string]string)
	for _, m := range postMarkData.FindAllStringSubmatch(text, -1) {
		data[m[3]] = m[1]
	}
	reading := &Reading{
		Samples: []Sample{{Metric: "transactions", Value: float64(tps), Unit: "1/s", Detail: rate[2]}},
		Invariants: []Invariant{
			check("version", banner, "1.51"),
			checkRange("seconds of transactions", float64(time), 1, 1e9),
			check("transactions a second", tps, r.transactions/max(time, 1)),
			check("files created before", alone["Creation"], postMarkNumber),
			check("files created", count["created"], alone["Creation"]+mixed["Creation"]),
			check("files deleted", count["deleted"], alone["Deletion"]+mixed["Deletion"]),
			check("files deleted of those created", count["deleted"], count["created"]),
			check("files created or deleted in transactions", mixed["Creation"]+mixed["Deletion"], r.transactions),
			checkRange("files read or appended in transactions", float64(count["read"]+count["appended"]), 0.98*float64(r.transactions), float64(r.transactions)),
		},
	}
	if known, ok := postMarkKnown[r.transactions]; ok {
		got := postMarkCounters{count["created"], count["read"], count["appended"], count["deleted"], data["read"], data["written"]}
		reading.Invariants = append(reading.Invariants, check("counters of the fixed seed", got, known))
	}
	if time < 10 {
		reading.Warnings = append(reading.Warnings, fmt.Sprintf("%s by a clock of whole seconds", phrase.Count(time, "second")))
	}
	return reading, nil
}
