package profile_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/benchproof/benchproof/parse"
	"github.com/benchproof/benchproof/replay/profile"
)

// installed are tools as if all were there.
type installed struct{}

func (installed) Find(program string) (path, version string, ok bool) {
	return "/usr/bin/" + program, "", true
}

// count is what the rows of one test come to: how many resolve, how many are
// refused, and how many runs of the tool the former take.
type count struct{ resolved, refused, runs int }

// dump is a published result with what is known of it, by hand.
type dump struct {
	file    string
	date    string
	machine profile.Machine
	// rows by profile, counted by hand, and the profile's likely version.
	rows     map[string]count
	versions map[string]string
	// refusals are the reasons by profile.
	refusals map[string]string
}

var dumps = []dump{
	{
		"optane-900p-raid", "2019-06-05",
		profile.Machine{Cores: 32, Threads: 64, MemoryMB: 32768},
		map[string]count{"dbench": {1, 0, 1}, "fio": {8, 0, 6}, "fs-mark": {3, 0, 3}, "pgbench": {0, 3, 0}, "sqlite": {1, 0, 1}},
		map[string]string{"dbench": "1.0.0", "fio": "1.11.5", "fs-mark": "1.0.2", "pgbench": "1.8.7", "sqlite": "2.0.1"},
		map[string]string{"pgbench": "256 clients are more than the 100 connections"},
	},
	{
		"mdadm-raid-levels", "",
		profile.Machine{},
		map[string]count{"fio": {4, 0, 4}, "fs-mark": {3, 0, 3}},
		map[string]string{"fio": "1.6.2", "fs-mark": "1.0.0"},
		nil,
	},
	{
		"f2fs-xfs-ext4-hdd-ssd", "2019-01-28",
		profile.Machine{Cores: 16, Threads: 32, MemoryMB: 32768},
		map[string]count{"sqlite": {1, 0, 1}, "fio": {12, 0, 8}, "fs-mark": {3, 0, 3}, "pgbench": {0, 2, 0}},
		map[string]string{"sqlite": "2.0.1", "fio": "1.11.4", "fs-mark": "1.0.2", "pgbench": "1.8.6"},
		map[string]string{"pgbench": "128 clients are more than the 100 connections"},
	},
	{
		"ssd-vs-zfs-hdds", "2019-08-28",
		profile.Machine{Cores: 4, Threads: 4, MemoryMB: 20480},
		map[string]count{"sqlite": {1, 0, 1}, "fio": {12, 0, 8}, "fs-mark": {4, 0, 4}, "dbench": {2, 0, 2}, "postmark": {1, 0, 1}},
		map[string]string{"sqlite": "2.0.1", "fio": "1.11.5", "fs-mark": "1.0.2", "dbench": "1.0.0", "postmark": "1.1.1"},
		nil,
	},
	{
		// The machines of its rows differ, so that the number of threads is
		// unknown.
		"linux-5.14-filesystems", "2021-08-22",
		profile.Machine{},
		map[string]count{"sqlite": {2, 0, 2}, "fio": {4, 0, 4}, "fs-mark": {3, 0, 3}, "dbench": {1, 0, 1}, "mysqlslap": {1, 2, 1}, "pgbench": {0, 6, 0}},
		map[string]string{"sqlite": "2.1.0", "fio": "1.14.1", "fs-mark": "1.0.2", "dbench": "1.0.2", "mysqlslap": "1.2.0", "pgbench": "1.10.2"},
		map[string]string{"mysqlslap": "clients are more than the 151 connections", "pgbench": "threads is not published: it depends on the machine"},
	},
}

// packaged are the profiles whose tools Debian has.
var packaged = map[string]bool{"fio": true, "fs-mark": true, "sqlite": true, "dbench": true, "pgbench": true, "mysqlslap": true, "postmark": true}

func TestDumps(t *testing.T) {
	if _, err := os.Stat("/usr/share/dbench/client.txt"); err != nil {
		t.Skip("needs dbench's load file: apt-get install dbench")
	}
	for _, d := range dumps {
		t.Run(d.file, func(t *testing.T) {
			path, err := filepath.Glob(filepath.Join("..", "..", "samples", d.file+".*txt"))
			if err != nil || len(path) != 1 {
				t.Fatalf("found %v", path)
			}
			d.check(t, path[0])
		})
	}
}

// The same sets as PTS itself renders them: whatever the form, the same rows
// resolve.
func TestForms(t *testing.T) {
	dir := filepath.Join("..", "..", "..", "shared", "samples", "forms")
	if _, err := os.Stat(dir); err != nil {
		t.Skip("needs the samples in other forms, which are not here")
	}
	if _, err := os.Stat("/usr/share/dbench/client.txt"); err != nil {
		t.Skip("needs dbench's load file: apt-get install dbench")
	}
	for _, d := range dumps {
		for _, form := range []string{".xml", ".html", ".text.txt", ".collapsed.txt"} {
			t.Run(d.file+form, func(t *testing.T) {
				d.versions = nil // XML publishes them
				d.check(t, filepath.Join(dir, d.file+form))
			})
		}
	}
}

// check resolves all rows of a file.
func (d *dump) check(t *testing.T, path string) {
	r, err := parse.Open(path, parse.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	date, _ := time.Parse(time.DateOnly, d.date) // zero where unknown
	got := make(map[string]count)
	runs := make(map[string]bool)
	for file, err := range r.Files() {
		if err != nil {
			t.Fatal(err)
		}
		for i := range file.Tests {
			row := profile.Row{Test: &file.Tests[i], Machine: d.machine, Date: date}
			p := profile.Find(row)
			if p == nil || !packaged[p.Info().Name] {
				continue
			}
			name := p.Info().Name
			c := got[name]
			job, err := p.Resolve(profile.Request{Row: row, Scale: 1, Tools: installed{}, Root: true})
			var refusal *profile.Refusal
			switch {
			case err == nil:
				c.resolved++
				if !runs[job.RunKey] {
					runs[job.RunKey] = true
					c.runs++
				}
				if job.Scaled != "" || job.NotComparable != "" || job.Metric == "" || job.Need.Bytes <= 0 || job.Need.Seconds <= 0 {
					t.Errorf("%s: %+v", file.Tests[i].Name(), job)
				}
			case errors.As(err, &refusal):
				c.refused++
				if want := d.refusals[name]; want == "" || !strings.Contains(refusal.Reason, want) || refusal.Hint == "" || refusal.Unavailable {
					t.Errorf("%s: refused: %q (%s), want %q", file.Tests[i].Name(), refusal.Reason, refusal.Hint, want)
				}
			default:
				t.Errorf("%s: %v", file.Tests[i].Name(), err)
			}
			if want := d.versions[name]; want != "" && (job == nil || job.Profile != "pts/"+name+"-"+want) {
				t.Errorf("%s: profile %v, want %s", file.Tests[i].Name(), job, want)
			}
			got[name] = c
		}
	}
	for name := range packaged {
		if got[name] != d.rows[name] {
			t.Errorf("%s: %+v, want %+v", name, got[name], d.rows[name])
		}
	}
}

// Every profile says of itself what a user needs to know, and its keys of --set
// are what it reads.
func TestInfo(t *testing.T) {
	for _, p := range profile.All() {
		info := p.Info()
		if info.Title == "" || info.Summary == "" || info.Space == "" || info.Time == "" || len(info.Versions) == 0 ||
			len(info.Profiles) == 0 || len(info.Options) == 0 || len(info.Metrics) == 0 || len(info.Tools) == 0 || len(info.Notes) == 0 {
			t.Errorf("%s says too little: %+v", info.Name, info)
		}
		for _, o := range info.Options {
			if o.Meaning == "" || len(o.Values) == 0 {
				t.Errorf("%s: option %q has no meaning or values", info.Name, o.Key)
			}
		}
	}
}
