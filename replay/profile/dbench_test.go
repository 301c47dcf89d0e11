package profile

import (
	"path/filepath"
	"strings"
	"testing"
)

func TestDbenchKept(t *testing.T) {
	dir := kept(t, "dbench")
	run := func(clients int) *dbenchRun {
		return &dbenchRun{clients: clients, seconds: 20, load: dbenchLoads[0]}
	}
	for _, test := range []struct {
		file    string
		clients int
	}{
		{"btrfs_c1_t20.txt", 1},
		{"btrfs_c6_t20.txt", 6},
		{"btrfs_c12_t20.txt", 12},
		{"ext4_c1_t20.txt", 1},
		{"ext4_c6_t20.txt", 6},
		{"ext4_c12_t20.txt", 12},
		{"xfs_c1_t20.txt", 1},
		{"xfs_c6_t20.txt", 6},
		{"xfs_c12_t20.txt", 12},
	} {
		out := readFile(t, filepath.Join(dir, test.file))
		reading, err := run(test.clients).parse(one("dbench", out))
		if err != nil {
			t.Errorf("%s: %v", test.file, err)
			continue
		}
		broken(t, reading, "")
		_, rest, _ := strings.Cut(string(out), "\nThroughput ")
		if text, _ := publishText(reading.Samples[0]); text != strings.Fields(rest)[0] {
			t.Errorf("%s: got %s", test.file, text)
		}
	}
	out := readFile(t, filepath.Join(dir, "ext4_c12_t20.txt"))
	reading, err := run(12).parse(one("dbench", out))
	if err != nil {
		t.Fatal(err)
	}
	if s := reading.Samples[0]; s.Value != 267.474e6 || s.Unit != "B/s" || s.Detail != "267.474" {
		t.Errorf("got %+v", s)
	}
	other, _ := run(6).parse(one("dbench", out))
	broken(t, other, "clients")
	longer := run(12)
	longer.seconds = 600
	other, _ = longer.parse(one("dbench", out))
	broken(t, other, "seconds")

	text := string(out)
	for name, bad := range map[string]string{
		"No space left": strings.Replace(text, "releasing clients", "[3] write failed on handle 9942 (No space left on device)", 1),
		"failed":        strings.Replace(text, "releasing clients", "Child failed with status 1", 1),
		"0 results":     text[:strings.Index(text, "Throughput")],
		`"0" MB/sec`:    strings.Replace(text, "Throughput 267.474", "Throughput 0", 1),
	} {
		if _, err := run(12).parse(one("dbench", []byte(bad))); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: got %v", name, err)
		}
	}
	if reading, err := run(12).parse(one("dbench", []byte(strings.Replace(text, "releasing clients", "failed to create barrier semaphore", 1)))); err != nil || len(reading.Warnings) != 1 {
		t.Errorf("a barrier that failed: %v", err)
	}
}

func TestDbenchResolve(t *testing.T) {
	if dbenchLoad() == "" {
		t.Skip("needs dbench's load file: apt-get install dbench")
	}
	want := "{tool:dbench} 12 -c /usr/share/dbench/client.txt"
	for _, r := range []Row{
		row("Dbench", "4.0", "Client Count: 12", "MB/s"), row("Dbench", "4.0", "12 Clients", "MB/s"),
	} {
		job := resolve(t, r, nil, 1)
		if got := strings.Join(job.Steps[0].Argv, " "); got != want {
			t.Errorf("%s: %s", r.Test.Arguments, got)
		}
		if job.Fidelity != "native-same-version" || job.Need.Seconds != 750 || job.Options[0] != (Option{"clients", "12", Published}) {
			t.Errorf("%s: fidelity %s, %v s, %v", r.Test.Arguments, job.Fidelity, job.Need.Seconds, job.Options)
		}
	}
	job := resolve(t, row("Dbench", "4.0", "Client Count: 6", "MB/s"), nil, 0.01)
	if got := strings.Join(job.Steps[0].Argv[4:], " "); got != "-t 6" || job.Scaled != "run 600 s -> 6 s" {
		t.Errorf("scaled: %s, %s", got, job.Scaled)
	}
	for arguments, reason := range map[string]string{
		"Client Count: 7": `Client Count: value "7"`, "7 Clients": `Client Count: value "7"`, "": "clients is not published",
		"Client Count: 6 - 6 Clients": "stands twice",
	} {
		_, err := dbench{}.Resolve(Request{Row: row("Dbench", "4.0", arguments, "MB/s"), Scale: 1, Tools: debian12})
		refusal(t, err, reason, "")
	}
}
