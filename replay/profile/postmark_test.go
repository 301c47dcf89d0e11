package profile

import (
	"path/filepath"
	"strings"
	"testing"
)

func TestPostMarkKept(t *testing.T) {
	dir := kept(t, "postmark")
	for _, test := range []struct {
		file         string
		transactions int
		want         string
	}{
		{"xfs_250k_full.txt", 250_000, "1366"}, {"ext4_25k.txt", 25_000, "1136"}, {"xfs_25k.txt", 25_000, ""}, {"btrfs_25k.txt", 25_000, ""},
	} {
		run := &postMarkRun{test.transactions}
		out := readFile(t, filepath.Join(dir, test.file))
		reading, err := run.parse(one("postmark", out))
		if err != nil {
			t.Errorf("%s: %v", test.file, err)
			continue
		}
		broken(t, reading, "")
		_, rest, _ := strings.Cut(string(out), "seconds of transactions (")
		want, _, _ := strings.Cut(rest, " per second")
		if text, _ := publishText(reading.Samples[0]); text != want || test.want != "" && text != test.want {
			t.Errorf("%s: got %s, want %s %s", test.file, text, want, test.want)
		}
		if last := reading.Invariants[len(reading.Invariants)-1].Name; last != "counters of the fixed seed" {
			t.Errorf("%s: the last invariant is %s", test.file, last)
		}
	}

	text := string(readFile(t, filepath.Join(dir, "ext4_25k.txt")))
	run := &postMarkRun{25_000}
	for _, test := range []struct{ old, new, want string }{
		{"v1.51", "v1.5", "version"},
		{"22 seconds of transactions", "0 seconds of transactions", "seconds of transactions"},
		{"(1136 per second)", "(1137 per second)", "transactions a second"},
		{"12978 deleted", "12977 deleted", "files deleted"},
		{"transactions: 12522 files", "transactions: 12521 files", "files deleted"},
		{"12475 read", "12476 read", "counters of the fixed seed"},
		{"4142.43 megabytes", "4142.44 megabytes", "counters of the fixed seed"},
	} {
		reading, err := run.parse(one("postmark", []byte(strings.Replace(text, test.old, test.new, 1))))
		if err != nil {
			t.Fatal(err)
		}
		broken(t, reading, test.want)
	}
	for name, bad := range map[string]string{
		"no transactions": text[:strings.Index(text, "Time:")],
		"Cannot":          strings.Replace(text, "Performing", "Error: Cannot open '7' for writing\nPerforming", 1),
	} {
		if _, err := run.parse(one("postmark", []byte(bad))); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: got %v", name, err)
		}
	}
}

func TestPostMarkResolve(t *testing.T) {
	r := row("PostMark", "1.51", "Disk Transaction Performance", "TPS").at(t, "2019-08-28")
	job := resolve(t, r, nil, 1)
	if got, want := job.Steps[0].Files[0].Text, "set transactions 250000\nset size 5120 524288\nset number 500\nrun\nquit\n"; got != want {
		t.Errorf("configuration %q", got)
	}
	if job.Profile != "pts/postmark-1.1.1" || job.Fidelity != "native-other-version" || job.NotComparable != "" {
		t.Errorf("%s, %s, %q", job.Profile, job.Fidelity, job.NotComparable)
	}
	if job = resolve(t, r, nil, 0.001); job.Scaled != "transactions 250000 -> 25000" {
		t.Errorf("scaled %q", job.Scaled)
	}
	_, err := postMark{}.Resolve(Request{Row: row("PostMark", "1.51", "Disk Transaction Performance - Files: 9", "TPS"), Scale: 1, Tools: debian12})
	refusal(t, err, `option "Files"`, "")
}
