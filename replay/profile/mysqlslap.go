package profile

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/benchproof/benchproof/internal/phrase"
)

func init() { register(mysqlslap{}) }

// mysqlslap is MariaDB's load of many clients, on a server of the replay's own:
// its data lie in the scratch directory, and its socket among them.
type mysqlslap struct{}

var mysqlslapRevisions = []revision{{app: "10.6.4", version: "1.2.0"}}

// The published run, and what the server allows by default.
const (
	mysqlslapIterations  = 200
	mysqlslapQueries     = 1000
	mysqlslapConnections = 151
)

func (mysqlslap) Info() Info {
	return Info{
		Name: "mysqlslap", Title: "MariaDB",
		Versions: versionsOf(mysqlslapRevisions), Profiles: profilesOf("mysqlslap", mysqlslapRevisions),
		Summary: "clients insert and select at once, 200 times over, durable as MariaDB is by default",
		Options: []OptionInfo{
			{Key: "Clients", Values: []string{"n"}, Meaning: "--concurrency=", Set: "clients"},
			{Values: []string{"n"}, Meaning: "--iterations=", Set: "iterations", Default: "200"},
			{Values: []string{"n"}, Meaning: "--auto-generate-sql-execute-number=, queries of each client", Set: "queries", Default: "1000"},
			{Values: []string{"n"}, Meaning: "connections that the server allows", Set: "max-connections", Default: "151"},
		},
		Metrics: []MetricInfo{{"rate", "Queries Per Second", "HIB", "1000 / mean seconds of an iteration: the true rate is that times the clients"}},
		Tools:   []ToolInfo{{"mysqlslap", "mariadb-client", "native-other-version"}, {"mariadbd", "mariadb-server", "native-other-version"}},
		Space:   "0.5 GB", Time: "200 iterations; with 128 clients from minutes to 2 hours",
		Notes: []string{
			"An iteration is 1000 queries of each client, so that the published figure is the rate divided by the clients.",
			"256 and 512 clients are more than the server's 151 connections: mysqlslap ends with 0 and prints a figure of those that got one.",
			"The published server holds the employees database too, which the test does not use; the replay's does not.",
			"The server refuses root; it runs as an unprivileged account, on a socket in its data directory alone.",
		},
	}
}

func (mysqlslap) Match(row Row) bool {
	return matchTest(row.Test, []string{"mysqlslap"}, []string{"MariaDB"})
}

// mysqlslapRun is one run of mysqlslap.
type mysqlslapRun struct{ clients, iterations, queries, connections int }

func (mysqlslap) Resolve(req Request) (*Job, error) {
	a := ask("mysqlslap", req)
	chosen := a.chooseRevision(mysqlslapRevisions)
	if a.refusal != nil {
		return nil, a.refusal
	}
	r := mysqlslapRun{
		clients:     a.count("clients", []string{"Clients"}, 1, 10_000, 0, Default),
		iterations:  a.number("iterations", mysqlslapIterations, 1, 100_000, Default),
		queries:     a.number("queries", mysqlslapQueries, 1, 1_000_000, Default),
		connections: a.number("max-connections", mysqlslapConnections, 10, 100_000, Default),
	}
	if req.Row.Test.Scale != "Queries Per Second" {
		a.refuse("", "no figure of the run is in %.40q", req.Row.Test.Scale)
	}
	a.done()
	// One more connection makes and drops the schema.
	if r.clients+1 > r.connections {
		a.refuse("--set mysqlslap.max-connections="+strconv.Itoa(r.clients+10),
			"%d clients are more than the %d connections of the published server: what was published is of the clients that got one", r.clients, r.connections)
	}
	r.iterations = int(a.scale("iterations", int64(r.iterations), 2, plain))
	r.queries = int(a.scale("queries of a client", int64(r.queries), 10, plain))
	tool := a.need("mysqlslap", "mariadb-client")
	for _, program := range []string{"mariadb-install-db", "mariadbd", "mariadb-admin", "mariadb"} {
		a.need(program, "mariadb-server")
	}
	return a.finish(&Job{
		Profile: "pts/mysqlslap-" + chosen.version, Driver: tool.driver("mysqlslap"), Metric: "rate",
		Steps: r.steps(), Parse: r.parse, Publish: r.publish,
		Need: Need{
			Bytes: 500e6,
			// 0.28 s a client for 1000 queries, as seen on a slow disk.
			Seconds: 10 + 0.28*float64(r.iterations*r.clients)*float64(r.queries)/mysqlslapQueries,
		},
		Fidelity: tool.fidelity(chosen.app),
	})
}

// steps are those of one run. The socket lies in the data directory, which is
// the account's alone; both ends name it by a relative path, since a socket's
// path may have 107 bytes.
func (r *mysqlslapRun) steps() []Step {
	client := func(program string, args ...string) []string {
		return append([]string{"{tool:" + program + "}", "--no-defaults", "--socket=data/s.sock", "--user=root"}, args...)
	}
	server := []string{"{tool:mariadbd}", "--no-defaults", "--datadir={scratch}/data", "--socket=s.sock", "--skip-networking"}
	if r.connections != mysqlslapConnections {
		server = append(server, "--max-connections="+strconv.Itoa(r.connections))
	}
	return []Step{
		{
			Name: "mariadb-install-db", When: First, User: true, Remove: []string{"data"},
			Argv: []string{"{tool:mariadb-install-db}", "--no-defaults", "--datadir={scratch}/data", "--auth-root-authentication-method=normal", "--skip-test-db"},
		},
		{
			Name: "mariadbd", User: true, Server: true, Stop: "TERM", Argv: server,
			Ready: client("mariadb-admin", "--silent", "ping"),
		},
		{
			Name: "mysqlslap", User: true,
			Argv: client("mysqlslap", "--auto-generate-sql", "--iterations="+strconv.Itoa(r.iterations),
				"--number-int-cols=4", "--number-char-cols=4", "--auto-generate-sql-add-autoincrement",
				"--auto-generate-sql-execute-number="+strconv.Itoa(r.queries), "--concurrency="+strconv.Itoa(r.clients)),
		},
		{
			Name: "status", User: true,
			Argv: client("mariadb", "--skip-column-names", "--batch", "--execute=SHOW GLOBAL STATUS LIKE 'Connection_errors_max_connections'"),
		},
	}
}

var (
	slapSeconds = regexp.MustCompile(`(?m)^\s*(Average|Minimum|Maximum) number of seconds to run all queries: ([\d.]+) seconds`)
	slapClients = regexp.MustCompile(`(?m)^\s*Number of clients running queries: (\d+)`)
	slapQueries = regexp.MustCompile(`(?m)^\s*Average number of queries per client: (\d+)`)
	slapError   = regexp.MustCompile(`(?m)^.*(?:Too many connections|Error when connecting|mysqlslap: Cannot|mysqlslap: Error|ERROR \d+).*$`)
	slapRefused = regexp.MustCompile(`(?m)^Connection_errors_max_connections\t(\d+)`)
)

// parse reads one run. mysqlslap tries again where a connection is refused, and
// ends with 0: what it prints then is of other clients than asked for.
func (r *mysqlslapRun) parse(o *Outputs) (*Reading, error) {
	out, ok := o.Step("mysqlslap")
	if !ok {
		return nil, errors.New("mysqlslap did not run")
	}
	text := out.joined()
	if n := strings.Count(text, "Too many connections"); n > 0 {
		return nil, fmt.Errorf("mysqlslap: the server refused %s: too many", phrase.Count(n, "connection"))
	}
	if m := slapError.FindString(text); m != "" {
		return nil, fmt.Errorf("mysqlslap: %.200q", strings.TrimSpace(m))
	}
	if out.ExitCode != 0 {
		return nil, fmt.Errorf("mysqlslap ended with %d", out.ExitCode)
	}
	times := make(map[string]float64)
	for _, m := range slapSeconds.FindAllStringSubmatch(text, -1) {
		if _, twice := times[m[1]]; twice {
			return nil, errors.New("mysqlslap printed several results")
		}
		times[m[1]], _ = strconv.ParseFloat(m[2], 64)
	}
	mean := times["Average"]
	if mean <= 0 {
		return nil, errors.New("mysqlslap printed no time above 0")
	}
	find := func(re *regexp.Regexp, text string) string {
		if m := re.FindStringSubmatch(text); m != nil {
			return m[1]
		}
		return ""
	}
	reading := &Reading{
		Samples: []Sample{{Metric: "rate", Value: float64(r.queries) / mean, Unit: "1/s"}},
		Invariants: []Invariant{
			check("clients", find(slapClients, text), strconv.Itoa(r.clients)),
			check("queries of a client", find(slapQueries, text), strconv.Itoa(r.queries)),
			checkRange("mean between least and most seconds", mean, times["Minimum"], times["Maximum"]),
		},
	}
	if status, ok := o.Step("status"); ok {
		reading.Invariants = append(reading.Invariants, check("connections that the server refused", find(slapRefused, string(status.Stdout)), "0"))
	}
	return reading, nil
}

// publish gives the rate as the profile does, in whole numbers.
func (r *mysqlslapRun) publish(s Sample) (text, reason string) {
	return strconv.FormatFloat(s.Value, 'f', 0, 64), ""
}
