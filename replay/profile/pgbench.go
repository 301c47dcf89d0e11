package profile

import (
	"os"
	"path/filepath"
	"strconv"
	"time"
)

func init() { register(pgbench{}) }

// pgbench is PostgreSQL's own load, on a server of the replay's own: its
// cluster lies in the scratch directory and listens on a socket there alone.
type pgbench struct{}

var pgbenchRevisions = []revision{
	{app: "10.3", version: "1.7.0"}, // known by its name alone
	{app: "10.3", version: "1.8.6"},
	{app: "10.3", version: "1.8.7", since: day(2019, 4, 1)},
	{app: "13.0", version: "1.10.0"},
	{app: "13.0", version: "1.10.1"},
	{app: "13.0", version: "1.10.2"},
}

// pgbenchSeconds is -T by version of the profile. Rows of 1.10 hold runs of all
// three under one name.
var pgbenchSeconds = map[string]int{"1.7.0": 60, "1.8.6": 60, "1.8.7": 60, "1.10.0": 30, "1.10.1": 15, "1.10.2": 90}

var (
	pgbenchScalings = []value{{"Buffer Test", "3"}, {"Mostly RAM", "200"}, {"On-Disk", "600"}} // per mille of the memory
	pgbenchTests    = []value{{"Single Thread", "single"}, {"Normal Load", "normal"}, {"Heavy Contention", "heavy"}}
	pgbenchFactors  = []value{{"1", "1"}, {"100", "100"}, {"1000", "1000"}, {"10000", "10000"}}
	pgbenchModes    = []value{{"Read Write", "rw"}, {"Read Only", "ro"}}
)

func (pgbench) Info() Info {
	return Info{
		Name: "pgbench", Title: "PostgreSQL pgbench",
		Versions: versionsOf(pgbenchRevisions), Profiles: profilesOf("pgbench", pgbenchRevisions),
		Summary: "transactions of many clients on a fresh database, durable as PostgreSQL is by default",
		Options: []OptionInfo{
			{Key: "Scaling", Values: published(pgbenchScalings), Meaning: "10.3: scale factor, 0.003, 0.2, 0.6 (1.7.0: 0.8) of the published machine's memory in MB", Set: "scaling"},
			{Key: "Test", Values: published(pgbenchTests), Meaning: "10.3: -c 1; -j T -c 4T; -j 2T -c 16T, T logical CPUs of the published machine", Set: "test"},
			{Key: "Scaling Factor", Values: published(pgbenchFactors), Meaning: "13.0: -s", Set: "scale-factor"},
			{Key: "Clients", Values: []string{"n"}, Meaning: "13.0: -c", Set: "clients"},
			{Key: "Mode", Values: published(pgbenchModes), Meaning: "TPC-B like, or -S", Set: "mode"},
			{Values: []string{"Average Latency"}, Meaning: "13.0: the row is of the latency"},
			{Values: []string{"n"}, Meaning: "T, the logical CPUs: -j", Set: "threads", Default: "of the published machine"},
			{Values: []string{"MB"}, Meaning: "memory, which makes the scale factor of 10.3", Set: "memory", Default: "of the published machine"},
			{Values: []string{"seconds"}, Meaning: "-T", Set: "duration", Default: "60 in 1.8; 30, 15, 90 in 1.10.0, 1.10.1, 1.10.2"},
			{Values: []string{"n"}, Meaning: "connections that the server allows", Set: "max-connections", Default: "100 in 1.8, 300 in 1.10"},
		},
		Metrics: []MetricInfo{
			{"tps", "TPS", "HIB", "transactions a second, without the time to connect"},
			{"latency", "ms", "LIB", "mean latency"},
		},
		Tools: []ToolInfo{{"postgres", "postgresql-15", "native-other-version"}, {"pgbench", "postgresql-15", "native-other-version"}},
		Space: "16 MB x scale factor, and 1 to 2 GB of log", Time: "60 or 90 s, and about 0.4 s x scale factor to fill",
		Notes: []string{
			"The server refuses root; it runs as an unprivileged account, on a socket in the scratch directory alone.",
			"10.3 allows 100 connections and asks for 4 or 16 a logical CPU: machines of 26 CPUs and more lost clients without a word.",
			"TPS x latency is the number of clients; where it is not, the runs of a row differ much.",
			"Three versions of 1.10 ran 30, 15 and 90 seconds under one name.",
		},
	}
}

func (pgbench) Match(row Row) bool {
	return matchTest(row.Test, []string{"pgbench"}, []string{"PostgreSQL pgbench", "PostgreSQL"})
}

// pgbenchRun is one run of pgbench.
type pgbenchRun struct {
	factor, clients, threads, seconds, connections int
	readOnly                                       bool
	wholeTPS                                       bool // published without places
}

func (pgbench) Resolve(req Request) (*Job, error) {
	a := ask("pgbench", req)
	chosen := a.chooseRevision(pgbenchRevisions)
	if a.refusal != nil {
		return nil, a.refusal
	}
	ten := chosen.app == "10.3"
	r := pgbenchRun{wholeTPS: !ten}
	if ten {
		r.byMachine(a, chosen.version)
	} else {
		r.factor, _ = strconv.Atoi(a.oneOf("scale-factor", []string{"Scaling Factor"}, pgbenchFactors, ""))
		r.clients = a.count("clients", []string{"Clients"}, 1, 10_000, 0, Default)
		r.threads = a.threads(1)
	}
	r.readOnly = a.oneOf("mode", []string{"Mode"}, pgbenchModes, "") == "ro"
	r.seconds = a.number("duration", pgbenchSeconds[chosen.version], 1, 86400, Default)
	connections := 300
	if ten {
		connections = 100
	}
	r.connections = a.number("max-connections", connections, 1, 10_000, Default)
	latency := a.bare("Average Latency")
	metric := map[string]string{"TPS": "tps", "ms": "latency"}[req.Row.Test.Scale]
	if metric == "" || latency != (metric == "latency") || latency && ten {
		a.refuse("", "no figure of the run is in %.40q", req.Row.Test.Scale)
	}
	a.done()
	if r.clients > r.connections {
		a.refuse("--set pgbench.max-connections="+strconv.Itoa(r.clients+3),
			"%d clients are more than the %d connections of the published server: what was published is of the clients that got one", r.clients, r.connections)
	}
	wait := 10 * time.Second
	if a.req.Scale < 1 {
		wait = time.Duration(float64(wait) * a.req.Scale)
	}
	r.factor = int(a.scale("scale factor", int64(r.factor), 1, plain))
	r.seconds = int(a.scale("duration", int64(r.seconds), 1, seconds))
	server := a.need("postgres", "postgresql-15")
	for _, program := range []string{"initdb", "pg_isready", "createdb", "pgbench", "dropdb"} {
		a.need(program, "postgresql-15")
	}
	size := int64(r.factor) * 16e6
	return a.finish(&Job{
		Profile: "pts/pgbench-" + chosen.version, Driver: server.driver("pgbench"), Metric: metric,
		Steps: r.steps(server, ten, wait), Parse: r.parse, Publish: r.publish(metric),
		Need: Need{
			Bytes:   size + 300e6 + min(1700e6, int64(r.seconds)*50e6+size),
			Seconds: float64(r.seconds) + 0.4*float64(r.factor) + wait.Seconds() + 5,
		},
		Fidelity: server.fidelity(chosen.app),
	})
}

// threads is the logical CPUs of the published machine, times n.
func (a *asked) threads(n int) int {
	t := a.number("threads", a.req.Row.Machine.Threads, 1, 4096, System)
	return t * n
}

// byMachine reads the options of 10.3, which depend on the published machine.
func (r *pgbenchRun) byMachine(a *asked, version string) {
	share, _ := strconv.Atoi(a.oneOf("scaling", []string{"Scaling"}, pgbenchScalings, ""))
	if version == "1.7.0" && share == 600 {
		share = 800
	}
	if _, ok := a.set("scale-factor"); !ok {
		memory := a.number("memory", a.req.Row.Machine.MemoryMB, 1, 1<<30-1, System)
		r.factor = memory * share / 1000
	}
	r.factor = a.number("scale-factor", r.factor, 1, 1_000_000, System)
	switch a.oneOf("test", []string{"Test"}, pgbenchTests, "") {
	case "single":
		r.clients, r.threads = 1, 1
	case "normal":
		t := a.threads(1)
		r.clients, r.threads = 4*t, t
	case "heavy":
		t := a.threads(1)
		r.clients, r.threads = 16*t, 2*t
	}
	r.clients = a.number("clients", r.clients, 1, 100_000, System)
}

// socket is where clients find the server: their own working directory, by a
// path that is short wherever the scratch directory lies. A socket's path may
// have 107 bytes, and a client takes an absolute one alone. The server binds it
// relative to its data directory.
const pgSocket = "/proc/self/cwd"

// steps are those of one run, as published: a database made, filled, used once
// and dropped.
func (r *pgbenchRun) steps(server needed, ten bool, wait time.Duration) []Step {
	// Debian's programs of these names in PATH are a wrapper that chooses
	// a version; the server's own are beside it.
	tool := func(program string) string {
		path := filepath.Join(filepath.Dir(server.real()), program)
		if info, err := os.Stat(path); server.path != "" && err == nil && info.Mode().IsRegular() {
			return path
		}
		return "{tool:" + program + "}"
	}
	client := func(program string, args ...string) []string {
		return append([]string{tool(program), "-h", pgSocket, "-p", "7777", "-U", "benchproof"}, args...)
	}
	start := []string{
		tool("postgres"), "-D", "pg", "-p", "7777", "-k", "..",
		"-c", "listen_addresses=", "-c", "unix_socket_permissions=0700", "-c", "autovacuum=false",
		// Its shared memory lies beside its data and is removed with it,
		// however it ends; parallel queries use it, and pgbench has none.
		"-c", "dynamic_shared_memory_type=mmap",
	}
	if r.connections != 100 {
		start = append(start, "-c", "max_connections="+strconv.Itoa(r.connections))
	}
	fill := []string{"-i", "-s", strconv.Itoa(r.factor)}
	run := []string{"-c", strconv.Itoa(r.clients), "-j", strconv.Itoa(r.threads), "-T", strconv.Itoa(r.seconds)}
	if !ten {
		fill = append(fill, "-n")
		run = append(run, "-n", "-r")
	}
	if r.readOnly {
		run = append(run, "-S")
	}
	return []Step{
		{
			Name: "initdb", When: First, User: true, Remove: []string{"pg"},
			Argv: []string{tool("initdb"), "-D", "pg", "-U", "benchproof", "--encoding=SQL_ASCII", "--locale=C"},
		},
		{
			Name: "postgres", User: true, Server: true, Stop: "INT", Argv: start,
			Ready: []string{tool("pg_isready"), "-q", "-h", pgSocket, "-p", "7777", "-U", "benchproof"},
		},
		{Name: "createdb", User: true, Sleep: wait, Argv: client("createdb", "pgbench")},
		{Name: "fill", User: true, Argv: client("pgbench", append(fill, "pgbench")...)},
		{Name: "pgbench", User: true, Argv: client("pgbench", append(run, "pgbench")...)},
		{Name: "dropdb", User: true, Argv: client("dropdb", "pgbench")},
	}
}
