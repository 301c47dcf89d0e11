package profile

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"time"
)

func init() { register(sqlite{}) }

// sqlite are timed insertions, each a transaction of its own.
type sqlite struct{}

var sqliteRevisions = []revision{
	{app: "3.22", version: "2.0.1"},
	{app: "3.30.1", version: "2.1.0"},
}

// sqliteCopies are the published numbers of shells at once, from 2.1.0 on.
var sqliteCopies = []value{{"1", "1"}, {"8", "8"}, {"32", "32"}, {"64", "64"}, {"128", "128"}}

// Each shell inserts a file of rows three times.
const (
	sqliteRows   = 2500
	sqliteRounds = 3
)

// sqliteTable is the published table. It has no index.
const sqliteTable = "CREATE TABLE pts1 (I SMALLINT NOT NULL, DT TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP, F1 VARCHAR(4) NOT NULL, F2 VARCHAR(16) NOT NULL);"

func (sqlite) Info() Info {
	return Info{
		Name: "sqlite", Title: "SQLite",
		Versions: versionsOf(sqliteRevisions), Profiles: profilesOf("sqlite", sqliteRevisions),
		Summary: "each shell inserts 7500 rows into its own database, one transaction a row",
		Options: []OptionInfo{
			{Key: "Threads / Copies", Values: published(sqliteCopies), Meaning: "shells at once, each with its own database, from 2.1.0 on", Set: "copies", Default: "1 in 2.0.1"},
			{Values: []string{"Timed SQLite Insertions"}, Meaning: "the caption of 2.0.1, which has no option"},
			{Values: []string{"n"}, Meaning: "rows in the file that is inserted three times", Set: "rows", Default: "2500"},
		},
		Metrics: []MetricInfo{{"seconds", "Seconds", "LIB", "wall time until the last shell has ended"}},
		Tools:   []ToolInfo{{"sqlite3", "sqlite3", "native-other-version"}},
		Space:   "1 MB a copy", Time: "bound by fsync: 4 a row, some seconds on NVMe to minutes on hard disks",
		Notes: []string{
			"The table has no index, whatever the description says.",
			"A row is 4 fdatasync, 10 writes, and a journal made and removed (rollback journal, synchronous=FULL).",
			"The rows' values are others than the published ones, in the same widths, which is the same I/O.",
			"The shell reads the file three times; the published script starts a shell for each time.",
			"Debian builds sqlite3 with SECURE_DELETE, which insertions do not meet.",
			"PTS throws away runs under 2 seconds.",
		},
	}
}

func (sqlite) Match(row Row) bool {
	return matchTest(row.Test, []string{"sqlite"}, []string{"SQLite"})
}

// sqliteRun is one timed run.
type sqliteRun struct {
	copies, rows int
	places       int // of the published seconds
}

func (sqlite) Resolve(req Request) (*Job, error) {
	a := ask("sqlite", req)
	chosen := a.chooseRevision(sqliteRevisions)
	if a.refusal != nil {
		return nil, a.refusal
	}
	r := sqliteRun{places: 2}
	a.bare("Timed SQLite Insertions")
	byDefault := "1"
	if chosen.app == "3.30.1" {
		r.places, byDefault = 3, ""
	}
	r.copies, _ = strconv.Atoi(a.oneOf("copies", []string{"Threads / Copies"}, sqliteCopies, byDefault))
	r.rows = a.number("rows", sqliteRows, 1, 9999, Default)
	if req.Row.Test.Scale != "Seconds" {
		a.refuse("", "no figure of the run is in %.40q", req.Row.Test.Scale)
	}
	a.done()
	r.rows = int(a.scale("rows", int64(r.rows), 10, plain))
	tool := a.need("sqlite3", "sqlite3")
	var databases []string
	for i := range r.copies {
		databases = append(databases, fmt.Sprintf("benchmark-%d.db", i), fmt.Sprintf("benchmark-%d.db-journal", i))
	}
	insert := []string{"{tool:sqlite3}", "-batch", "-init", "/dev/null", "benchmark-{copy}.db"}
	for range sqliteRounds {
		insert = append(insert, ".read insert.sql")
	}
	return a.finish(&Job{
		Profile: "pts/sqlite-" + chosen.version, Driver: tool.driver("sqlite3"), Metric: "seconds",
		Steps: []Step{
			{
				Name: "create", Argv: []string{"{tool:sqlite3}", "-batch", "-init", "/dev/null", "benchmark-{copy}.db", sqliteTable},
				Copies: r.copies, Remove: databases, Files: []File{{"insert.sql", r.insertions()}},
			},
			{Name: "sqlite3", Argv: insert, Copies: r.copies},
			{
				Name: "count", Copies: r.copies,
				Argv: []string{"{tool:sqlite3}", "-batch", "-init", "/dev/null", "benchmark-{copy}.db", "SELECT {copy}, count(*), count(DISTINCT F2) FROM pts1; PRAGMA integrity_check;"},
			},
		},
		Parse: r.parse, Publish: r.publish,
		Need: Need{
			Bytes: int64(r.copies) << 20,
			// 4 fdatasync a row, which copies queue up for.
			Seconds: float64(r.rows*sqliteRounds) * 0.01 * (1 + float64(r.copies-1)/4),
		},
		Fidelity: tool.fidelity(chosen.app),
	})
}

// insertions is the file of rows: the same in every run, in the published
// widths.
func (r *sqliteRun) insertions() string {
	digits := rand.New(rand.NewPCG(7500, 1))
	var b strings.Builder
	for i := range r.rows {
		fmt.Fprintf(&b, "INSERT INTO pts1 (I, DT, F1, F2) VALUES ('%04d', CURRENT_TIMESTAMP, '%04d', '%08d%08d');\n",
			i+1, digits.IntN(1e4), digits.IntN(1e8), digits.IntN(1e8))
	}
	return b.String()
}

func (r *sqliteRun) parse(o *Outputs) (*Reading, error) {
	out, ok := o.Step("sqlite3")
	if !ok {
		return nil, errors.New("sqlite3 did not run")
	}
	count, ok := o.Step("count")
	if !ok {
		return nil, errors.New("the rows were not counted")
	}
	for _, s := range []*Output{out, count} {
		if text := strings.TrimSpace(string(s.Stderr)); s.ExitCode != 0 || text != "" {
			return nil, fmt.Errorf("sqlite3 ended with %d: %.200q", s.ExitCode, text)
		}
	}
	if out.Elapsed <= 0 {
		return nil, errors.New("the insertions have no time")
	}
	rows, sound := make(map[string]string), 0
	for line := range strings.Lines(string(count.Stdout)) {
		line = strings.TrimSpace(line)
		if line == "ok" {
			sound++
			continue
		}
		if f := strings.SplitN(line, "|", 2); len(f) == 2 {
			rows[f[0]] = f[1]
		}
	}
	reading := &Reading{
		Samples: []Sample{{Metric: "seconds", Value: out.Elapsed.Seconds(), Unit: "s"}},
		Invariants: []Invariant{
			check("output of the insertions", strings.TrimSpace(string(out.Stdout)), ""),
			check("databases", len(rows), r.copies),
			check("sound databases", sound, r.copies),
		},
	}
	want := fmt.Sprintf("%d|%d", r.rows*sqliteRounds, r.rows)
	for i := range r.copies {
		reading.Invariants = append(reading.Invariants,
			check(fmt.Sprintf("rows and different ones of copy %d", i), rows[strconv.Itoa(i)], want))
	}
	return reading, nil
}

// publish gives the seconds as the timer of the profile's time did. PTS throws
// away what took less than two.
func (r *sqliteRun) publish(s Sample) (text, reason string) {
	// The rule is about the whole run; a shrunk one is short by intent.
	if r.rows >= sqliteRows && s.Value < (2*time.Second).Seconds() {
		return "", "PTS throws away runs under 2 seconds"
	}
	return strconv.FormatFloat(s.Value, 'f', r.places, 64), ""
}
