package profile

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestPgbenchKept(t *testing.T) {
	dir := kept(t, "pgbench")
	ten := pgbenchRun{factor: 10, clients: 8, threads: 2, seconds: 10, wholeTPS: true}
	for _, test := range []struct {
		file         string
		run          pgbenchRun
		tps, latency string
	}{
		{"ext4_s10_c8_rw_T10.txt", ten, "704", "11.365"},
		{"xfs_s10_c8_rw_T10.txt", ten, "487", "16.441"},
		{"btrfs_s10_c8_rw_T10.txt", ten, "237", "33.773"},
		{"ext4_s100_c50_ro_T20.txt", pgbenchRun{factor: 100, clients: 50, threads: 2, seconds: 20, readOnly: true, wholeTPS: true}, "8852", "5.648"},
		{"ext4_s100_c50_rw_T90_exact13.txt", pgbenchRun{factor: 100, clients: 50, threads: 2, seconds: 90, wholeTPS: true}, "1003", "49.862"},
	} {
		reading, err := test.run.parse(one("pgbench", readFile(t, filepath.Join(dir, test.file))))
		if err != nil {
			t.Errorf("%s: %v", test.file, err)
			continue
		}
		broken(t, reading, "")
		tps, _ := reading.Sample("tps")
		latency, _ := reading.Sample("latency")
		if text, _ := test.run.publish("tps")(tps); text != test.tps {
			t.Errorf("%s: tps %s, want %s", test.file, text, test.tps)
		}
		if text, _ := test.run.publish("latency")(latency); text != test.latency {
			t.Errorf("%s: latency %s, want %s", test.file, text, test.latency)
		}
	}
	_, err := ten.parse(one("pgbench", readFile(t, filepath.Join(dir, "c128_over_max_connections100.txt"))))
	if err == nil || !strings.Contains(err.Error(), "too many clients") {
		t.Errorf("too many clients: got %v", err)
	}

	text := string(readFile(t, filepath.Join(dir, "ext4_s10_c8_rw_T10.txt")))
	for _, test := range []struct{ old, new, want string }{
		{"transactions: 0 (0.000%)", "transactions: 3 (0.042%)", "failed transactions"},
		{"latency average = 11.365", "latency average = 11.865", "TPS x latency"},
		{"of clients: 8", "of clients: 7", "clients"},
		{"threads: 2", "threads: 1", "threads"},
		{"duration: 10 s", "duration: 9 s", "duration"},
		{"factor: 10", "factor: 11", "scale factor"},
		{"TPC-B (sort of)", "select only", "load"},
	} {
		reading, err := ten.parse(one("pgbench", []byte(strings.Replace(text, test.old, test.new, 1))))
		if err != nil {
			t.Fatal(err)
		}
		broken(t, reading, test.want)
	}
	// The line of versions before 14.
	old := strings.Replace(text, "(without initial connection time)", "(excluding connections establishing)", 1)
	if reading, err := ten.parse(one("pgbench", []byte(old))); err != nil || reading.Samples[0].Detail != "703.905615" {
		t.Errorf("the older line: %v", err)
	}
	ten.wholeTPS = false
	if text, _ := ten.publish("tps")(Sample{Value: 703.905615, Detail: "703.905615"}); text != "703.905615" {
		t.Errorf("of 10.3: %s", text)
	}
}

func TestPgbenchResolve(t *testing.T) {
	ten := row("PostgreSQL pgbench", "10.3", "Scaling: Mostly RAM - Test: Normal Load - Mode: Read Only", "TPS").at(t, "2019-06-05")
	ten.Machine = Machine{Cores: 8, Threads: 16, MemoryMB: 32768}
	job := resolve(t, ten, nil, 1)
	want := []Option{
		{"scaling", "200", Published},
		{"memory", "32768", System},
		{"scale-factor", "6553", System},
		{"test", "normal", Published},
		{"threads", "16", System},
		{"clients", "64", System},
		{"mode", "ro", Published},
		{"duration", "60", Default},
		{"max-connections", "100", Default},
	}
	if !slices.Equal(job.Options, want) || job.Profile != "pts/pgbench-1.8.7" {
		t.Errorf("%s %v", job.Profile, job.Options)
	}
	argv := func(job *Job, name string) string {
		i := slices.IndexFunc(job.Steps, func(s Step) bool { return s.Name == name })
		return strings.Join(job.Steps[i].Argv[1:], " ")
	}
	if got := argv(job, "pgbench"); got != "-h /proc/self/cwd -p 7777 -U benchproof -c 64 -j 16 -T 60 -S pgbench" {
		t.Error(got)
	}
	if got := argv(job, "fill"); got != "-h /proc/self/cwd -p 7777 -U benchproof -i -s 6553 pgbench" {
		t.Error(got)
	}
	if got := argv(job, "postgres"); got != "-D pg -p 7777 -k .. -c listen_addresses= -c unix_socket_permissions=0700 -c autovacuum=false -c dynamic_shared_memory_type=mmap" {
		t.Error(got)
	}
	for i := range job.Steps {
		if !job.Steps[i].User {
			t.Errorf("%s may run as root", job.Steps[i].Name)
		}
	}
	// Scale factors of 32 GB by hand: 98.3, 6553.6 and 19660.8, cut off.
	for scaling, factor := range map[string]string{"Buffer Test": "98", "On-Disk": "19660"} {
		r := ten
		r.Test = row("PostgreSQL pgbench", "10.3", "Scaling: "+scaling+" - Test: Single Thread - Mode: Read Write", "TPS").Test
		job := resolve(t, r, nil, 1)
		if !slices.Contains(job.Options, Option{"scale-factor", factor, System}) || !strings.Contains(argv(job, "pgbench"), "-c 1 -j 1 -T 60 pgbench") {
			t.Errorf("%s: %v", scaling, job.Options)
		}
	}

	thirteen := row("PostgreSQL pgbench", "13.0", "Scaling Factor: 100 - Clients: 50 - Mode: Read Write - Average Latency", "ms").at(t, "2021-08-22")
	thirteen.Machine.Threads = 24
	job = resolve(t, thirteen, nil, 1)
	if got := argv(job, "pgbench"); got != "-h /proc/self/cwd -p 7777 -U benchproof -c 50 -j 24 -T 90 -n -r pgbench" {
		t.Error(got)
	}
	if got := argv(job, "postgres"); !strings.HasSuffix(got, "-c max_connections=300") {
		t.Error(got)
	}
	if job.Metric != "latency" || job.Profile != "pts/pgbench-1.10.2" {
		t.Errorf("%s, %s", job.Metric, job.Profile)
	}
	tps := thirteen
	tps.Test = row("PostgreSQL pgbench", "13.0", "Scaling Factor: 100 - Clients: 50 - Mode: Read Write", "TPS").Test
	if other := resolve(t, tps, nil, 1); other.RunKey != job.RunKey || other.Metric != "tps" {
		t.Error("rate and latency are not of one run")
	}
	exact := thirteen
	copied := *thirteen.Test
	copied.Profile = "pts/pgbench-1.10.1"
	exact.Test = &copied
	if job := resolve(t, exact, nil, 1); !slices.Contains(job.Options, Option{"duration", "15", Default}) {
		t.Errorf("1.10.1: %v", job.Options)
	}
	if job := resolve(t, thirteen, nil, 0.01); job.Scaled != "scale factor 100 -> 1, duration 90 s -> 1 s" {
		t.Errorf("scaled %q", job.Scaled)
	}
}

func TestPgbenchRefusals(t *testing.T) {
	ten := func(machine Machine) Row {
		r := row("PostgreSQL pgbench", "10.3", "Scaling: Buffer Test - Test: Normal Load - Mode: Read Write", "TPS")
		r.Machine = machine
		return r
	}
	refused := func(r Row, set map[string]string, reason, hint string) {
		t.Helper()
		job, err := pgbench{}.Resolve(Request{Row: r, Set: set, Scale: 1, Tools: debian12})
		refusal(t, err, reason, hint)
		if job != nil && (job.Steps != nil || job.Profile == "") {
			t.Errorf("%s: the job beside is %+v", reason, job)
		}
	}
	// 32 logical CPUs ask for 128 connections of 100.
	big := ten(Machine{Threads: 32, MemoryMB: 32768})
	refused(big, nil, "128 clients are more than the 100 connections", "--set pgbench.max-connections=131")
	job := resolve(t, big, map[string]string{"pgbench.max-connections": "131"}, 1)
	if job.NotComparable != "changed by --set: max-connections=131" {
		t.Errorf("not comparable: %q", job.NotComparable)
	}
	refused(ten(Machine{Threads: 16}), nil, "memory is not published: it depends on the machine", "--set pgbench.memory=N")
	refused(ten(Machine{MemoryMB: 32768}), nil, "threads is not published: it depends on the machine", "--set pgbench.threads=N")
	resolve(t, ten(Machine{Threads: 16}), map[string]string{"scale-factor": "98"}, 1)
	thirteen := row("PostgreSQL pgbench", "13.0", "Scaling Factor: 100 - Clients: 50 - Mode: Read Write", "TPS")
	refused(thirteen, nil, "threads is not published: it depends on the machine", "--set pgbench.threads=N")
	resolve(t, thirteen, map[string]string{"threads": "24"}, 1)
	refused(row("PostgreSQL pgbench", "13.0", "Scaling Factor: 3 - Clients: 50 - Mode: Read Write", "TPS"), nil, `Scaling Factor: value "3"`, "")
	refused(row("PostgreSQL pgbench", "13.0", "Scaling Factor: 100 - Clients: 50 - Mode: Read Write", "ms"), map[string]string{"threads": "24"}, `in "ms"`, "")
	refused(row("PostgreSQL pgbench", "13.0", "Scaling Factor: 100 - Clients: $(id) - Mode: Read Write", "TPS"), nil, `Clients: "$(id)" is no number`, "")
}
