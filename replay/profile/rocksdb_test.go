package profile

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// rocksDBKept are what db_bench 7.8.3 of Debian 12 printed, with two threads,
// of 2 seconds where it heeds that, and the figures as read by eye.
var rocksDBKept = []struct {
	file, test, compression string
	entries, seconds        int
	rate                    string
}{
	{"fillseq-10000.txt", "fillseq", "Snappy", 10_000, 60, "53832"},
	{"fillrandom.txt", "fillrandom", "Snappy", rocksDBEntries, 2, "49798"},
	{"fillsync.txt", "fillsync", "Snappy", rocksDBEntries, 2, "599"},
	{"fillsync-none.txt", "fillsync", "NoCompression", rocksDBEntries, 1, "842"},
	{"readrandom.txt", "readrandom", "Snappy", rocksDBEntries, 2, "1536542"},
	{"readwhilewriting.txt", "readwhilewriting", "Snappy", rocksDBEntries, 2, "126454"},
	{"readrandomwriterandom.txt", "readrandomwriterandom", "Snappy", rocksDBEntries, 2, "109009"},
	{"updaterandom.txt", "updaterandom", "Snappy", rocksDBEntries, 2, "19060"},
}

func TestRocksDBKept(t *testing.T) {
	for _, c := range rocksDBKept {
		r := &rocksDBRun{test: c.test, threads: 2, seconds: c.seconds, entries: c.entries, compression: c.compression}
		out := readFile(t, filepath.Join("testdata", "rocksdb", c.file))
		reading, err := r.parse(one("db_bench", out))
		if err != nil {
			t.Errorf("%s: %v", c.file, err)
			continue
		}
		broken(t, reading, "")
		if text, _ := publishText(reading.Samples[0]); text != c.rate || reading.Samples[0].Unit != "1/s" {
			t.Errorf("%s: got %+v, want %s operations a second", c.file, reading.Samples[0], c.rate)
		}
		if len(reading.Warnings) != 1 || !strings.Contains(reading.Warnings[0], "assertions") {
			t.Errorf("%s: warnings %q", c.file, reading.Warnings)
		}
	}
}

// Of another run than the published one, and of one that failed, there is no
// figure.
func TestRocksDBFailures(t *testing.T) {
	text := string(readFile(t, filepath.Join("testdata", "rocksdb", "readrandom.txt")))
	run := rocksDBRun{test: "readrandom", threads: 2, seconds: 2, entries: rocksDBEntries, compression: "Snappy"}
	for want, change := range map[string]func(r *rocksDBRun, text string) string{
		"benchmark":          func(r *rocksDBRun, s string) string { r.test = "fillsync"; return s },
		"entries":            func(r *rocksDBRun, s string) string { r.entries = 1000; return s },
		"compression":        func(r *rocksDBRun, s string) string { r.compression = "NoCompression"; return s },
		"seconds of the run": func(r *rocksDBRun, s string) string { r.seconds = 60; return s },
		"bytes of a value": func(_ *rocksDBRun, s string) string {
			return strings.Replace(s, "Values:     100", "Values:     400", 1)
		},
		"reads that found nothing": func(_ *rocksDBRun, s string) string { return strings.Replace(s, "(0 of", "(7 of", 1) },
	} {
		r := run
		reading, err := r.parse(one("db_bench", []byte(change(&r, text))))
		if err != nil {
			t.Errorf("%s: %v", want, err)
			continue
		}
		broken(t, reading, want)
	}
	seq := rocksDBRun{test: "fillseq", threads: 4, seconds: 60, entries: 10_000, compression: "Snappy"}
	reading, err := seq.parse(one("db_bench", readFile(t, filepath.Join("testdata", "rocksdb", "fillseq-10000.txt"))))
	if err != nil {
		t.Fatal(err)
	}
	broken(t, reading, "operations: got 20000, want 40000")

	full := &Outputs{Steps: []Output{{
		Name: "db_bench", ExitCode: 136, Stderr: readFile(t, filepath.Join("testdata", "rocksdb", "no-space.stderr.txt")),
	}}}
	for name, c := range map[string]struct {
		outputs *Outputs
		want    string
	}{
		"no space": {full, "No space left on device"},
		"killed":   {&Outputs{Steps: []Output{{Name: "db_bench", ExitCode: 137, Stderr: []byte("... finished 100 ops   \r... finished 200 ops   \r")}}}, `ended with 137: "... finished 200 ops"`},
		"cut":      {one("db_bench", []byte(text[:strings.Index(text, "readrandom ")])), "0 results"},
		"zero":     {one("db_bench", []byte(strings.Replace(text, "1536542 ops", "0 ops", 1))), `"0" for a figure`},
		"twice":    {one("db_bench", []byte(text+text)), "2 results"},
		"nothing":  {&Outputs{}, "did not run"},
	} {
		if _, err := run.parse(c.outputs); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want %s", name, err, c.want)
		}
	}
}

func TestRocksDBResolve(t *testing.T) {
	for _, c := range []struct{ title, version, test, want, profile string }{
		{"Facebook RocksDB", "6.3.6", "Random Fill Sync", "--benchmarks=fillsync -compression_type none --threads 16 --duration 60 --db=db", "pts/rocksdb-1.0.2"},
		{"Facebook RocksDB", "7.0.1", "Update Random", "--benchmarks=updaterandom --threads 16 --duration 60 --db=db", "pts/rocksdb-1.2.0"},
		{"RocksDB", "8.0", "Sequential Fill", "--benchmarks=fillseq --threads 16 --duration 60 --db=db", "pts/rocksdb-1.5.0"},
	} {
		r := row(c.title, c.version, "Test: "+c.test, "Op/s")
		r.Machine.Threads = 16
		job := resolve(t, r, nil, 1)
		if got := strings.Join(job.Steps[0].Argv[1:], " "); got != c.want || job.Profile != c.profile {
			t.Errorf("%s: %s of %s, want %s of %s", c.test, got, job.Profile, c.want, c.profile)
		}
		if !slices.Contains(job.Options, Option{"threads", "16", System}) || job.Fidelity != "native-other-version" || job.Driver != "db_bench 7.8.3" {
			t.Errorf("%s: %v %s %s", c.test, job.Options, job.Fidelity, job.Driver)
		}
	}
	sequential := row("RocksDB", "8.0", "Test: Sequential Fill", "Op/s")
	sequential.Machine.Threads = 2
	job := resolve(t, sequential, nil, 1.0/16)
	if got := strings.Join(job.Steps[0].Argv[5:], " "); got != "60 --db=db --num=62500" || job.Scaled != "entries 1000000 -> 62500" {
		t.Errorf("scaled: %s, %q", got, job.Scaled)
	}
	// 2 threads of 62500 entries of 116 bytes, twice, and 256 MiB.
	if want := int64(2*2*62500*116 + 256<<20); job.Need.Bytes != want {
		t.Errorf("needs %d bytes, want %d", job.Need.Bytes, want)
	}
	for _, c := range []struct{ version, arguments, scale, reason, hint string }{
		{"8.0", "Test: Random Fill", "Op/s", "threads is not published: it depends on the machine", "--set rocksdb.threads=N"},
		{"6.3.6", "Test: Update Random", "Op/s", `Test: value "Update Random" is not known`, ""},
		{"8.0", "Test: Random Fill - Compression: None", "Op/s", `option "Compression" is not known`, ""},
		{"8.0", "Test: Random Fill", "MB/s", `no figure of the run is in "MB/s"`, ""},
		{"9.9", "Test: Random Fill", "Op/s", `version "9.9" is not known`, ""},
	} {
		r := row("RocksDB", c.version, c.arguments, c.scale)
		if c.hint == "" {
			r.Machine.Threads = 2
		}
		_, err := rocksDB{}.Resolve(Request{Row: r, Scale: 1, Tools: debian12})
		refusal(t, err, c.reason, c.hint)
	}
}
