package profile

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/benchproof/benchproof/result"
)

func TestSizes(t *testing.T) {
	for text, want := range map[string]int64{
		"1g": 1 << 30, "64M": 64 << 20, "4k": 4096, "512": 512, "1G": 1 << 30,
		"": -1, "g": -1, "0": -1, "-1": -1, "1.5g": -1, "1gg": -1, "1 g": -1, "9999999999": -1, "٣": -1,
	} {
		n, ok := parseSize(text)
		if ok != (want >= 0) || ok && n != want {
			t.Errorf("%q: got %d, %v", text, n, ok)
		}
	}
	for n, want := range map[int64]string{1 << 30: "1g", 3 << 29: "1536m", 4096: "4k", 1000: "1000", 5 << 40: "5120g"} {
		if got := sizeText(n); got != want {
			t.Errorf("%d: got %s, want %s", n, got, want)
		}
	}
}

func TestShiftPoint(t *testing.T) {
	for _, test := range []struct {
		text   string
		places int
		want   string
	}{
		{"6394", -3, "6.394"},
		{"400", -3, "0.4"},
		{"4", -3, "0.004"},
		{"0", -3, "0"},
		{"41.2", 3, "41200"},
		{"9.77", 3, "9770"},
		{"1.5", 6, "1500000"},
		{"1234.6", -3, "1.2346"},
		{"0.5", 3, "500"},
	} {
		if got := shiftPoint(test.text, test.places); got != test.want {
			t.Errorf("%s by %d: got %s, want %s", test.text, test.places, got, test.want)
		}
	}
}

// Every key of --set that a profile names is one that it reads: an absurd value
// is refused by name.
func TestSetKeys(t *testing.T) {
	rows := map[string][]Row{
		"fio": {
			row("Flexible IO Tester", "3.1", "Type: Random Read - IO Engine: Sync - Buffered: No - Direct: Yes - Block Size: 4KB", "MB/s"),
			row("Flexible IO Tester", "3.36", "Type: Random Read - Engine: Sync - Direct: Yes - Block Size: 4KB - Job Count: 1", "MB/s"),
		},
		"fs-mark":  {row("FS-Mark", "3.3", "Test: 1000 Files, 1MB Size", "Files/s")},
		"dbench":   {row("Dbench", "4.0", "Client Count: 1", "MB/s")},
		"postmark": {row("PostMark", "1.51", "Disk Transaction Performance", "TPS")},
		"sqlite":   {row("SQLite", "3.30.1", "Threads / Copies: 1", "Seconds")},
		"pgbench": {
			row("PostgreSQL pgbench", "10.3", "Scaling: Buffer Test - Test: Normal Load - Mode: Read Write", "TPS"),
			row("PostgreSQL pgbench", "13.0", "Scaling Factor: 100 - Clients: 50 - Mode: Read Write", "TPS"),
		},
		"mysqlslap": {row("MariaDB", "10.6.4", "Clients: 128", "Queries Per Second")},
	}
	for _, p := range All() {
		info := p.Info()
		if rows[info.Name] == nil {
			continue
		}
		keys := 0
		for _, o := range info.Options {
			if o.Set == "" {
				continue
			}
			keys++
			read := false
			for _, r := range rows[info.Name] {
				r.Machine = Machine{Cores: 4, Threads: 8, MemoryMB: 16384}
				for _, key := range []string{o.Set, info.Name + "." + o.Set} {
					_, err := p.Resolve(Request{Row: r, Set: map[string]string{key: "; rm -rf /"}, Scale: 1, Tools: debian12})
					read = read || err != nil && strings.Contains(err.Error(), "--set "+info.Name+"."+o.Set+`="; rm -rf /"`)
				}
			}
			if !read {
				t.Errorf("%s does not read --set %s", info.Name, o.Set)
			}
		}
		if keys == 0 {
			t.Errorf("%s has no key of --set", info.Name)
		}
	}
}

// A row as hostile as can be leaves nothing of itself in what would be run.
func TestNothingPublishedIsRun(t *testing.T) {
	evil := []string{"; rm -rf /", "$(reboot)", "../../../etc/passwd", "a\nfilename=/dev/sda", "`id`", "--exec=x", "4KB\x00", "{tool:sh}"}
	for _, p := range All() {
		for _, arguments := range []string{
			"Type: %s - IO Engine: Sync - Buffered: No - Direct: Yes - Block Size: 4KB",
			"Type: Random Read - IO Engine: Sync - Buffered: No - Direct: Yes - Block Size: %s",
			"Type: Random Read - IO Engine: Sync - Buffered: No - Direct: Yes - Block Size: 4KB - Disk Target: %s",
			"Test: %s", "Client Count: %s", "%s Clients", "Threads / Copies: %s", "Clients: %s", "%s",
			"Scaling Factor: 100 - Clients: %s - Mode: Read Write", "Scaling: %s - Test: Normal Load - Mode: Read Write",
			"Block Size: %s - Disk Target: Default Test Directory", "Record Size: %s - File Size: 8GB - Disk Test: Write Performance",
		} {
			for _, bad := range evil {
				for _, version := range p.Info().Versions {
					r := row(p.Info().Title, version, strings.ReplaceAll(arguments, "%s", bad), p.Info().Metrics[0].Scale)
					r.Machine = Machine{Cores: 4, Threads: 8, MemoryMB: 16384}
					job, err := p.Resolve(Request{Row: r, Scale: 1, Tools: everything{}, Root: true})
					if err == nil {
						t.Errorf("%s %s: %q resolves to %v", p.Info().Name, version, r.Test.Arguments, job.Steps)
					}
					if job == nil {
						continue
					}
					if len(job.Steps) != 0 || slices.ContainsFunc(job.Options, func(o Option) bool { return strings.Contains(o.Value, bad) }) {
						t.Errorf("%s %s: %q is in the job %+v", p.Info().Name, version, bad, job)
					}
				}
			}
		}
	}
}

// everything finds every program.
type everything struct{}

func (everything) Find(program string) (path, version string, ok bool) {
	return "/usr/bin/" + program, "", true
}

// What no tool prints must not bring a parser down, and gives no figure that is
// none.
func FuzzParse(f *testing.F) {
	var jobs []*Job
	for _, r := range goodRows() {
		p := Find(r)
		if !packagedTool(p) {
			continue // see FuzzOwnParsers
		}
		job, err := p.Resolve(Request{Row: r, Scale: 1, Tools: debian12})
		if err != nil && p.Info().Name == "dbench" {
			continue // without its load file
		}
		if err != nil {
			f.Fatal(err)
		}
		jobs = append(jobs, job)
	}
	for _, seed := range []string{
		"", "{", "{\n}", `{"jobs":[{"error":0,"read":{"io_bytes":4096,"bw_bytes":18446744073709551615,"runtime":1,"total_ios":18446744073709551615}}]}`,
		"  read: IOPS=9e99k, BW\n   READ: bw=1.2.3KiB/s",
		"FSUse%        Count         Size    Files/sec     App Overhead\n 5 1000 1048576 81.9 31431\n",
		"Throughput 267.474 MB/sec  12 clients  12 procs  max_latency=292.201 ms",
		"\t22 seconds of transactions (1136 per second)\n", "tps = 1 (without initial connection time)\nlatency average = 1 ms",
		"\tAverage number of seconds to run all queries: 3.095 seconds\n",
		"Compression: Snappy\nfillsync     :    3328.713 micros/op 599 ops/sec 3.334 seconds 1998 operations;    0.1 MB/s (1000 ops)\n",
	} {
		for i := range jobs {
			f.Add(uint8(i), []byte(seed))
		}
	}
	f.Fuzz(func(t *testing.T, which uint8, out []byte) {
		job := jobs[int(which)%len(jobs)]
		outputs := new(Outputs)
		for _, step := range job.Steps {
			outputs.Steps = append(outputs.Steps, Output{Name: step.Name, Stdout: out, Elapsed: 1})
		}
		reading, err := job.Parse(outputs)
		if (reading == nil) == (err == nil) {
			t.Fatalf("reading %v and error %v", reading, err)
		}
		if err != nil {
			return
		}
		for _, s := range reading.Samples {
			if !(s.Value > 0) || math.IsInf(s.Value, 0) || s.Metric == "" {
				t.Errorf("sample %+v", s)
			}
			text, reason := job.Publish(s)
			if _, ok := result.ParseNumber(text); (text == "") == (reason == "") || text != "" && !ok {
				t.Errorf("%+v: published %q, reason %q", s, text, reason)
			}
		}
	})
}
