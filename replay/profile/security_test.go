package profile

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"

	"github.com/benchproof/benchproof/result"
)

// goodRows are rows that can be replayed, one or two of each profile.
func goodRows() []Row {
	rows := []Row{
		row("Flexible IO Tester", "3.1", "Type: Random Read - IO Engine: Sync - Buffered: No - Direct: Yes - Block Size: 4KB", "MB/s"),
		row("Flexible IO Tester", "3.36", "Type: Sequential Write - Engine: Linux AIO - Direct: Yes - Block Size: 2MB - Job Count: 1 - Disk Target: Default Test Directory", "IOPS"),
		row("FS-Mark", "3.3", "Test: 1000 Files, 1MB Size", "Files/s"),
		row("Dbench", "4.0", "Client Count: 1", "MB/s"),
		row("PostMark", "1.51", "Disk Transaction Performance", "TPS"),
		row("SQLite", "3.30.1", "Threads / Copies: 1", "Seconds"),
		row("PostgreSQL pgbench", "13.0", "Scaling Factor: 100 - Clients: 50 - Mode: Read Write", "TPS"),
		row("PostgreSQL pgbench", "10.3", "Scaling: Buffer Test - Test: Normal Load - Mode: Read Only", "TPS"),
		row("MariaDB", "10.6.4", "Clients: 128", "Queries Per Second"),
		row("RocksDB", "8.0", "Test: Random Fill Sync", "Op/s"),
		iozoneWrite, treeCreate, blogRead, ior16, startXterm,
	}
	for i := range rows {
		rows[i].Machine = Machine{Cores: 4, Threads: 8, MemoryMB: 16384}
	}
	return rows
}

// TestSecurityFreeText: what stands in a published file beside what is matched
// with known values has no part in what is run: whatever it is, the steps are
// the same to the byte, or the row is refused.
func TestSecurityFreeText(t *testing.T) {
	evil := []string{
		"; reboot", "$(reboot)", "`id`", "../../etc/passwd", "-x", "--exec_prerun=reboot", "a\nexec_prerun=reboot", "filename=/dev/sda", "write_iolog=/etc/passwd", "%s%n",
		"{tool:sh}", "{self}", "{scratch}/../..", "PGHOST=db.example", "LD_PRELOAD=/x", "\x00", ".shell reboot", ".output /etc/passwd", "\\! reboot", "|reboot", "file=a,b", "-L 5 -d /",
	}
	fields := map[string]func(*result.Test, string){
		"profile":    func(t *result.Test, s string) { t.Profile = s },
		"command":    func(t *result.Test, s string) { t.CommandArguments = s },
		"display":    func(t *result.Test, s string) { t.DisplayFormat = s },
		"parent":     func(t *result.Test, s string) { t.Parent = s },
		"proportion": func(t *result.Test, s string) { t.Proportion = result.Proportion(s) },
		"footnotes":  func(t *result.Test, s string) { t.Footnotes = []string{s} },
		"value": func(t *result.Test, s string) {
			t.Measurements = []result.Measurement{{Value: s, StdError: s, RawValues: []string{s}, Notes: []string{s}, Reason: s}}
		},
	}
	word := regexp.MustCompile(`^[\w@+=:,./{}'*(); -]*$`)
	resolved := 0
	for _, good := range goodRows() {
		p := Find(good)
		if p == nil {
			t.Fatalf("no profile for %s", good.Test.Title)
		}
		request := Request{Row: good, Scale: 1, Tools: everything{}, Root: true}
		if p.Info().Name == "startup-time" {
			request.Set = map[string]string{"startup-time.trace": "/x/trace"}
		}
		job, err := p.Resolve(request)
		if err != nil {
			t.Logf("%s %s is refused here: %v", good.Test.Title, good.Test.Version, err)
			continue
		}
		resolved++
		want := stepsText(t, job)
		for _, s := range job.Steps {
			for _, a := range append(append([]string{}, s.Argv...), append(s.Env, s.Ready...)...) {
				if !word.MatchString(a) {
					t.Errorf("%s: the argument %q", p.Info().Name, a)
				}
			}
			if len(s.Argv) > 0 && !strings.HasPrefix(s.Argv[0], "{tool:") && !strings.HasPrefix(s.Argv[0], "/") && s.Argv[0] != "{self}" {
				t.Errorf("%s: the program %q", p.Info().Name, s.Argv[0])
			}
		}
		for name, change := range fields {
			for _, bad := range evil {
				test := *good.Test
				change(&test, bad)
				other := request
				other.Row.Test = &test
				job, err := p.Resolve(other)
				if err != nil {
					if job != nil && len(job.Steps) > 0 {
						t.Errorf("%s, %s %q: refused with steps", p.Info().Name, name, bad)
					}
					continue
				}
				if got := stepsText(t, job); got != want && !(name == "command" && p.Info().Name == "fs-mark") {
					t.Errorf("%s, %s %q: it runs\n%s, want\n%s", p.Info().Name, name, bad, got, want)
				} else if strings.Contains(got, strings.Trim(jsonText(t, bad), `"`)) && !strings.Contains(want, strings.Trim(jsonText(t, bad), `"`)) {
					t.Errorf("%s, %s: %q is in what it runs", p.Info().Name, name, bad)
				}
			}
		}
	}
	if resolved < 14 {
		t.Errorf("%d rows could be replayed", resolved)
	}
}

func stepsText(t *testing.T, j *Job) string { return jsonText(t, j.Steps) }

func jsonText(t *testing.T, v any) string {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
