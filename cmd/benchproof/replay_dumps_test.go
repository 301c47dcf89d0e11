package main

import (
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/benchproof/benchproof/parse"
	"github.com/benchproof/benchproof/replay"
)

// allTools has every program, in the version of Debian 12.
type allTools struct{}

func (allTools) Find(program string) (path, version string, ok bool) {
	versions := map[string]string{
		"fio": "3.33", "fs_mark": "3.3", "dbench": "4.00", "sqlite3": "3.40.1", "postmark": "1.53",
		"pgbench": "15.20", "initdb": "15.20", "postgres": "15.20", "mysqlslap": "10.11.19", "mariadbd": "10.11.19",
	}
	return "/usr/bin/" + program, versions[program], true
}

// TestPlanOfDumps plans the five published dumps. The rows were counted by hand
// in the dumps; which of them nobody can repeat follows from what is published:
// pgbench 10.3's Normal Load takes four clients a thread, 128 and 256 on
// machines of 32 and 64, and mysqlslap 256 and 512, more than the servers'
// 100 and 151 connections; IOR's ranks and pgbench 13's threads are those of
// the machine, and linux-5.14-filesystems is of two different ones.
func TestPlanOfDumps(t *testing.T) {
	dir := sampleDir(t)
	if dir == "" {
		t.Skip("needs the published samples")
	}
	matched := map[string]bool{}
	for _, tt := range []struct {
		file                string
		rows, refused, runs int
		tests               map[string]int
	}{
		{"f2fs-xfs-ext4-hdd-ssd.flat.txt", 26, 2, 0, map[string]int{
			"Application Start-up Time": 4, "SQLite": 1, "Flexible IO Tester": 12, "FS-Mark": 3, "BlogBench": 2,
			"Compile Bench": 2, "PostgreSQL pgbench": 2,
		}},
		{"linux-5.14-filesystems.txt", 20, 9, 0, map[string]int{
			"SQLite": 2, "Flexible IO Tester": 4, "FS-Mark": 3, "Dbench": 1, "IOR": 1, "MariaDB": 3, "PostgreSQL pgbench": 6,
		}},
		{"mdadm-raid-levels.txt", 9, 0, 9, map[string]int{
			"Flexible IO Tester": 4, "FS-Mark": 3, "IOzone": 1, "Compile Bench": 1,
		}},
		{"optane-900p-raid.txt", 24, 3, 0, map[string]int{
			"Application Start-up Time": 6, "Compile Bench": 2, "Dbench": 1, "Flexible IO Tester": 8, "FS-Mark": 3,
			"PostgreSQL pgbench": 3, "SQLite": 1,
		}},
		// 8 runs of fio for 12 rows, one of Compile Bench for 3, and
		// SQLite, 4 of FS-Mark, 2 of Dbench, PostMark.
		{"ssd-vs-zfs-hdds.flat.txt", 23, 0, 17, map[string]int{
			"SQLite": 1, "Flexible IO Tester": 12, "FS-Mark": 4, "Dbench": 2, "Compile Bench": 3, "PostMark": 1,
		}},
	} {
		t.Run(tt.file, func(t *testing.T) {
			p := planOf(t, filepath.Join(dir, tt.file))
			status, tests, runs := map[string]int{}, map[string]int{}, map[string]bool{}
			for i := range p.Steps {
				s := &p.Steps[i]
				status[s.Status]++
				tests[s.Test]++
				if s.Profile == "" {
					t.Errorf("no profile for %s %s %s", s.Test, s.Version, s.Arguments)
				} else {
					matched[s.Test] = true
				}
				switch {
				case s.Status != replay.Ready && s.Reason == "":
					t.Errorf("%s %s: %s without a reason", s.Test, s.Arguments, s.Status)
				case s.Status == replay.Ready && (len(s.Argv) == 0 || len(s.Options) == 0 || *s.Bytes <= 0 || *s.Seconds <= 0):
					t.Errorf("%s %s: the plan does not say what runs: %+v", s.Test, s.Arguments, s)
				}
				if s.RunID != "" {
					runs[s.RunID] = true
				}
			}
			want := map[string]int{replay.Ready: tt.rows - tt.refused}
			if tt.refused > 0 {
				want[replay.Refused] = tt.refused
			}
			if diff := cmp.Diff(want, status); diff != "" {
				t.Error(diff)
			}
			if diff := cmp.Diff(tt.tests, tests); diff != "" {
				t.Error(diff)
			}
			if tt.runs > 0 && len(runs) != tt.runs {
				t.Errorf("%d runs of tools, want %d", len(runs), tt.runs)
			}
		})
	}
	if len(matched) != 12 {
		t.Errorf("%d of the twelve tests match a profile: %v", len(matched), matched)
	}
}

// planOf returns the plan of a file for no target.
func planOf(t *testing.T, name string) *replay.Plan {
	t.Helper()
	files, err := parse.ReadFile(name, parse.Options{})
	if err != nil {
		t.Fatal(err)
	}
	p, err := replay.NewPlan(replay.Rows(files), replay.PlanOptions{
		Request: replay.Request{Scale: 1}, Tools: allTools{}, Root: true,
	})
	if err != nil {
		t.Fatal(err)
	}
	return p
}
