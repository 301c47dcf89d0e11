package profile

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestMysqlslapKept(t *testing.T) {
	dir := kept(t, "mysqlslap")
	// 1000 / 3.095, 1000 / 5.034 and 1000 / 36.270, rounded by hand.
	for _, test := range []struct {
		file    string
		clients int
		want    string
	}{{"ext4_c1_it3.txt", 1, "323"}, {"ext4_c8_it3.txt", 8, "199"}, {"ext4_c128_it1.txt", 128, "28"}} {
		run := &mysqlslapRun{clients: test.clients, queries: 1000}
		outputs := one("mysqlslap", readFile(t, filepath.Join(dir, test.file)))
		outputs.Steps = append(outputs.Steps, Output{Name: "status", Stdout: []byte("Connection_errors_max_connections\t0\n")})
		reading, err := run.parse(outputs)
		if err != nil {
			t.Errorf("%s: %v", test.file, err)
			continue
		}
		broken(t, reading, "")
		if text, _ := run.publish(reading.Samples[0]); text != test.want {
			t.Errorf("%s: got %s, want %s", test.file, text, test.want)
		}
	}
	run := &mysqlslapRun{clients: 512, queries: 50}
	_, err := run.parse(one("mysqlslap", readFile(t, filepath.Join(dir, "ext4_c512_it1_max_connections.txt"))))
	if err == nil || !strings.Contains(err.Error(), "refused 354 connections") {
		t.Errorf("512 clients: got %v", err)
	}
	// What the server counted is enough, however quiet the client was.
	outputs := one("mysqlslap", readFile(t, filepath.Join(dir, "ext4_c8_it3.txt")))
	outputs.Steps = append(outputs.Steps, Output{Name: "status", Stdout: readFile(t, filepath.Join(dir, "server_status_after.txt"))})
	reading, err := (&mysqlslapRun{clients: 8, queries: 1000}).parse(outputs)
	if err != nil {
		t.Fatal(err)
	}
	broken(t, reading, "connections that the server refused: got 2889")
	reading, err = (&mysqlslapRun{clients: 9, queries: 1000}).parse(outputs)
	if err != nil {
		t.Fatal(err)
	}
	broken(t, reading, "clients")
	if _, err := run.parse(one("mysqlslap", []byte("Benchmark\n\tAverage number of seconds to run all queries: 0.000 seconds\n"))); err == nil {
		t.Error("no time at all gave a rate")
	}
}

func TestMysqlslapResolve(t *testing.T) {
	job := resolve(t, row("MariaDB", "10.6.4", "Clients: 128", "Queries Per Second"), nil, 1)
	i := slices.IndexFunc(job.Steps, func(s Step) bool { return s.Name == "mysqlslap" })
	want := "--no-defaults --socket=data/s.sock --user=root --auto-generate-sql --iterations=200 --number-int-cols=4 --number-char-cols=4 " +
		"--auto-generate-sql-add-autoincrement --auto-generate-sql-execute-number=1000 --concurrency=128"
	if got := strings.Join(job.Steps[i].Argv[1:], " "); got != want {
		t.Error(got)
	}
	if job.Profile != "pts/mysqlslap-1.2.0" || job.Fidelity != "native-other-version" || job.NotComparable != "" {
		t.Errorf("%s, %s, %q", job.Profile, job.Fidelity, job.NotComparable)
	}
	for _, s := range job.Steps {
		if !s.User {
			t.Errorf("%s may run as root", s.Name)
		}
	}
	for _, clients := range []string{"256", "512"} {
		r := row("MariaDB", "10.6.4", "Clients: "+clients, "Queries Per Second")
		_, err := mysqlslap{}.Resolve(Request{Row: r, Scale: 1, Tools: debian12})
		refusal(t, err, clients+" clients are more than the 151 connections", "--set mysqlslap.max-connections=")
	}
	job = resolve(t, row("MariaDB", "10.6.4", "Clients: 256", "Queries Per Second"), map[string]string{"mysqlslap.max-connections": "300"}, 0.01)
	if job.NotComparable != "changed by --set: max-connections=300; scaled: iterations 200 -> 2, queries of a client 1000 -> 10" {
		t.Errorf("not comparable: %q", job.NotComparable)
	}
	if got := strings.Join(job.Steps[1].Argv, " "); !strings.HasSuffix(got, "--max-connections=300") {
		t.Error(got)
	}
}
