package profile

import (
	"math"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// safeText is what the commands and files of all profiles are made of: words,
// numbers, and marks of their jobs and SQL. No option's text is, as it is
// published, with quotes, dollars or bytes that are no letters.
var safeText = regexp.MustCompile(`^[A-Za-z0-9_ .,:;=%*()'\n{}\[\]/+-]*$`)

// Whatever a row and --set say, a profile refuses it with a reason, or gives a
// job that is the same each time, whose needs are sums that did not overflow, and
// in whose commands is nothing that it did not know or read as a number.
func FuzzResolve(f *testing.F) {
	rows := []Row{
		row("Flexible IO Tester", "3.1", "Type: Random Read - IO Engine: Sync - Buffered: No - Direct: Yes - Block Size: 4KB", "MB/s"),
		row("Flexible IO Tester", "3.36", "Type: Random Read - Engine: Sync - Direct: Yes - Block Size: 4KB - Job Count: 1", "IOPS"),
		row("FS-Mark", "3.3", "Test: 5000 Files, 1MB Size, 4 Threads", "Files/s"),
		row("Dbench", "4.0", "Client Count: 12", "MB/s"),
		row("PostMark", "1.51", "Disk Transaction Performance", "TPS"),
		row("SQLite", "3.30.1", "Threads / Copies: 8", "Seconds"),
		row("PostgreSQL pgbench", "10.3", "Scaling: Buffer Test - Test: Normal Load - Mode: Read Write", "TPS"),
		row("PostgreSQL pgbench", "13.0", "Scaling Factor: 100 - Clients: 50 - Mode: Read Write - Average Latency", "ms"),
		row("MariaDB", "10.6.4", "Clients: 128", "Queries Per Second"),
		iozoneWrite, iozoneRead, treeCreate, treeCompile, treeRead, blogRead, blogWrite, ior16, startXterm, startWriter,
	}
	for _, r := range goodRows() {
		if !slices.ContainsFunc(rows, Find(r).Match) {
			rows = append(rows, r)
		}
	}
	for i, r := range rows {
		f.Add(uint8(i), r.Test.Version, r.Test.Arguments, r.Test.Scale, "", "", 1.0)
		f.Add(uint8(i), r.Test.Version, strings.ReplaceAll(r.Test.Arguments, "1", "99999999999"), r.Test.Scale, "", "", 0.01)
	}
	for _, p := range All() {
		for _, o := range p.Info().Options {
			if o.Set != "" {
				i := slices.IndexFunc(rows, func(r Row) bool { return p.Match(r) })
				f.Add(uint8(i), rows[i].Test.Version, rows[i].Test.Arguments, rows[i].Test.Scale, o.Set, "9223372036854775807", 1.0)
				f.Add(uint8(i), rows[i].Test.Version, rows[i].Test.Arguments, rows[i].Test.Scale, o.Set, "1g", 0.5)
			}
		}
	}
	f.Fuzz(func(t *testing.T, which uint8, version, arguments, scale, key, value string, factor float64) {
		if !(factor >= 1e-6 && factor <= 1) {
			return // as a plan makes sure of
		}
		title := rows[int(which)%len(rows)].Test.Title
		r := row(title, version, arguments, scale)
		r.Machine = Machine{Cores: 4, Threads: 8, MemoryMB: 16384}
		p := Find(r)
		if p == nil {
			return
		}
		set := map[string]string{}
		if key != "" {
			set[key] = value
		}
		for _, tools := range []Tools{debian12, ownTools} {
			ask := Request{Row: r, Set: set, Scale: factor, Tools: tools, Root: true}
			job, err := p.Resolve(ask)
			again, err2 := p.Resolve(ask)
			if (err == nil) != (err2 == nil) || (job == nil) != (again == nil) || err != nil && err.Error() != err2.Error() {
				t.Fatalf("resolved to %v, then to %v", err, err2)
			}
			if err != nil {
				if refused, ok := err.(*Refusal); !ok || refused.Reason == "" {
					t.Fatalf("refused with %#v", err)
				}
				continue
			}
			if job.RunKey != again.RunKey || !reflect.DeepEqual(job.Steps, again.Steps) || !reflect.DeepEqual(job.Options, again.Options) {
				t.Errorf("resolved to %+v, then to %+v", job, again)
			}
			if job.Need.Bytes < 0 || !(job.Need.Seconds >= 0) || math.IsInf(job.Need.Seconds, 0) || job.Need.Seconds > 1e9 {
				t.Errorf("%q set %q: needs %+v", arguments, set, job.Need)
			}
			if job.Metric == "" || job.RunKey == "" || len(job.Steps) == 0 || job.Parse == nil || job.Publish == nil {
				t.Errorf("%q: no whole job: %+v", arguments, job)
			}
			for _, s := range job.Steps {
				for _, a := range slices.Concat(s.Argv, s.Env, []string{s.Dir, s.Stdin}, s.Mkdirs, s.Remove, s.Collect) {
					up := strings.Contains(a, "..") && a != ".." // that is the socket's directory
					if !safeText.MatchString(a) || up {
						t.Errorf("%q set %q: step %s has %q", arguments, set, s.Name, a)
					}
				}
				for _, file := range s.Files {
					if len(file.Text) < 4096 && !safeText.MatchString(file.Text) {
						t.Errorf("%q set %q: step %s writes %q", arguments, set, s.Name, file.Text)
					}
				}
			}
		}
	})
}
