package profile

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/benchproof/benchproof/result"
)

func argv(job *Job, step string) string {
	for _, s := range job.Steps {
		if s.Name == step {
			return strings.Join(s.Argv, " ")
		}
	}
	return ""
}

// The commands, as PROFILES of the test suite's versions have them.
func TestOwnJobs(t *testing.T) {
	cores := ior16
	cores.Machine.Cores = 12
	for _, test := range []struct {
		row      Row
		tools    Tools
		scale    float64
		root     bool
		profile  string
		metric   string
		fidelity result.Fidelity
		argv     string
	}{
		{iozoneWrite, ownTools, 1, false, "pts/iozone-1.8.0", "write", result.UserBinary, "{tool:iozone} -e -r 4k -s 8192M -i0"},
		{iozoneRead, ownTools, 1, false, "pts/iozone-1.8.0", "read", result.UserBinary, "{tool:iozone} -e -r 1m -s 512M -i0 -i1"},
		{iozoneWrite, sharedTools{}, 1, false, "pts/iozone-1.8.0", "write", result.Reimplementation, "{self} native iozone -record 4k -size 8g"},
		{iozoneRead, sharedTools{}, .01, false, "pts/iozone-1.8.0", "read", result.Reimplementation, "{self} native iozone -record 1m -size 5m -read"},
		{treeCreate, ownTools, 1, false, "pts/compilebench-1.0.2", "initial-create", result.UserBinary, "{tool:compilebench} -D t -i 10 --makej"},
		{treeRead, sharedTools{}, 1, true, "pts/compilebench-1.0.2", "read-compiled-tree", result.Reimplementation, "{self} native compilebench -trees 10 -share 1 -drop-caches"},
		{treeCompile, sharedTools{}, .02, false, "pts/compilebench-1.0.2", "compile", result.Reimplementation, "{self} native compilebench -trees 2 -share 0.1"},
		{blogRead, ownTools, 1, false, "pts/blogbench-1.1.0", "read", result.UserBinary, "{tool:blogbench} -d scratch"},
		{blogWrite, ownTools, .1, false, "pts/blogbench-1.1.0", "write", result.UserBinary, "{tool:blogbench} -d scratch -i 3"},
		{blogWrite, sharedTools{}, 1, false, "pts/blogbench-1.1.0", "write", result.Reimplementation, "{self} native blogbench -iterations 30"},
		{cores, sharedTools{}, 1, false, "pts/ior-1.1.1", "write", result.Reimplementation, "{self} native ior -np 12 -block 16m -repetitions 100"},
		{cores, sharedTools{"ior": ""}, 1, false, "pts/ior-1.1.1", "write", result.Reimplementation, "{self} native ior -np 12 -block 16m -repetitions 100"},
	} {
		job := ask4(t, test.row.at(t, "2021-08-20"), test.tools, nil, test.scale, test.root)
		name := job.Steps[len(job.Steps)-1].Name
		if job.Profile != test.profile || job.Metric != test.metric || job.Fidelity != test.fidelity || argv(job, name) != test.argv {
			t.Errorf("%s %s:\n got %s, %s, %s, %s\nwant %s, %s, %s, %s", test.row.Test.Title, test.row.Test.Arguments,
				job.Profile, job.Metric, job.Fidelity, argv(job, name), test.profile, test.metric, test.fidelity, test.argv)
		}
		if (test.scale < 1) != (job.Scaled != "") || (test.scale < 1) != (job.NotComparable != "") {
			t.Errorf("%s: scale %v: scaled %q, not comparable %q", test.argv, test.scale, job.Scaled, job.NotComparable)
		}
		if job.Need.Bytes <= 0 || job.Need.Seconds <= 0 || job.Parse == nil || job.Publish == nil {
			t.Errorf("%s: %+v", test.argv, job.Need)
		}
		for _, s := range job.Steps {
			if s.Name == name && len(s.Remove) == 0 && name != "startup-time" {
				t.Errorf("%s: what a repetition leaves is in the way of the next", test.argv)
			}
		}
	}
	if job := ask4(t, treeCreate.at(t, "2014-11-20"), ownTools, nil, 1, true); job.Profile != "pts/compilebench-1.0.0" {
		t.Errorf("in 2014: %s", job.Profile)
	}
	// A binary of ior with mpirun runs as published, and starts more
	// processes than there are cores only when told to.
	job := ask4(t, cores, ownTools, map[string]string{"ior.np": "1"}, 1, false)
	if got, want := argv(job, "ior"), "{tool:mpirun} --allow-run-as-root -np 1 {tool:ior} -v -w -r -i 100 -e -q -b 16m -o testFile"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if job.NotComparable != "changed by --set: np=1" {
		t.Errorf("not comparable: %q", job.NotComparable)
	}
	if got := argv(ask4(t, cores, ownTools, map[string]string{"np": "4096"}, 1, false), "ior"); !strings.Contains(got, " --oversubscribe -np 4096 ") {
		t.Errorf("got %s", got)
	}
	// The user may choose the driver; that changes no option of the run.
	job = ask4(t, iozoneWrite, ownTools, map[string]string{"iozone.driver": "native"}, 1, false)
	if job.Fidelity != result.Reimplementation || job.NotComparable != "" {
		t.Errorf("%s, %q", job.Fidelity, job.NotComparable)
	}
	_, err := iozone{}.Resolve(Request{Row: iozoneWrite, Scale: 1, Tools: sharedTools{}, Set: map[string]string{"driver": "own"}})
	if r := refusal(t, err, "iozone is not installed", "--set iozone.driver=native"); !r.Unavailable {
		t.Error("it could be installed")
	}
}

func TestStartupJob(t *testing.T) {
	job := ask4(t, startWriter, ownTools, nil, 1, true)
	var steps []string
	for _, s := range job.Steps {
		steps = append(steps, fmt.Sprintf("%s %d %v", strings.Join(s.Argv, " "), s.When, s.Background))
	}
	want := []string{
		"{self} native startup-prepare -application libreoffice-writer -size 500m -readers 5 -writers 5 1 false",
		"{tool:fio} --create_only=1 startup-load.fio 1 false",
		"{tool:fio} startup-load.fio 0 true",
		"{self} native startup-time -application libreoffice-writer -settle 7s -pause 4s -sync 2s -drop-caches 0 false",
	}
	if !slices.Equal(steps, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(steps, "\n"), strings.Join(want, "\n"))
	}
	if job.Profile != "pts/startup-time-1.3.0" || job.Fidelity != result.Emulation || job.NotComparable != "" || job.Need.Bytes != 8<<30 {
		t.Errorf("%s, %s, %q, %d", job.Profile, job.Fidelity, job.NotComparable, job.Need.Bytes)
	}
	if load := job.Steps[2]; !load.Sync || !load.DropCaches || load.Stop != "TERM" {
		t.Errorf("load %+v", load)
	}
	job = ask4(t, startXterm, ownTools, nil, 1, false)
	if got, want := argv(job, "startup-time"), "{self} native startup-time -application xterm -settle 7s -pause 4s"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if job.Profile != "pts/startup-time-1.4.1" || job.NotComparable == "" || job.Steps[2].DropCaches || strings.Contains(argv(job, "startup-prepare"), "-writers") {
		t.Errorf("without root: %s, %q", job.Profile, job.NotComparable)
	}
	job = ask4(t, startXterm, ownTools, nil, 0.01, true)
	if job.Scaled != "files of the load 500m -> 5m, pause before 7 s -> 1 s, pauses between 4 s -> 1 s" {
		t.Errorf("scaled %q", job.Scaled)
	}
	// With the recorded trace it is the published work, written anew.
	job = ask4(t, startXterm, ownTools, map[string]string{"startup-time.trace": "/home/me/xterm.trace"}, 1, true)
	if got, want := argv(job, "startup-time"), "{self} native startup-time -application xterm -settle 7s -pause 4s -drop-caches -trace /home/me/xterm.trace"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if job.Fidelity != result.Reimplementation || job.NotComparable != "" {
		t.Errorf("%s, %q", job.Fidelity, job.NotComparable)
	}
	for _, bad := range []string{"xterm.trace", "/a/../b", "/{self}", ""} {
		_, err := startupTime{}.Resolve(Request{Row: startXterm, Scale: 1, Tools: ownTools, Set: map[string]string{"trace": bad}})
		refusal(t, err, "want the absolute path of a file", "")
	}
	_, err := startupTime{}.Resolve(Request{Row: startXterm, Scale: 1, Tools: sharedTools{}})
	if r := refusal(t, err, "fio is not installed", "apt-get install fio"); !r.Unavailable {
		t.Error("it could be installed")
	}
}

// Rows of one run of the tool share it; others do not.
func TestOwnRunKeys(t *testing.T) {
	key := func(r Row, tools Tools, root bool) string { return ask4(t, r, tools, nil, 1, root).RunKey }
	for _, tools := range []Tools{ownTools, sharedTools{}} {
		create, compile, read := key(treeCreate, tools, true), key(treeCompile, tools, true), key(treeRead, tools, true)
		if create != compile || create != read || create == "" {
			t.Errorf("Compile Bench's rows: %q, %q, %q", create, compile, read)
		}
		if r, w := key(blogRead, tools, false), key(blogWrite, tools, false); r != w || r == create {
			t.Errorf("BlogBench's rows: %q, %q", r, w)
		}
		// Published as runs of their own: reading comes with one more flag.
		other := row("IOzone", "3.405", "Record Size: 1MB - File Size: 512MB - Disk Test: Write Performance", "MB/s")
		if r, w := key(iozoneRead, tools, false), key(other, tools, false); r == w {
			t.Errorf("IOzone's rows share %q", r)
		}
	}
	if key(treeRead, sharedTools{}, true) == key(treeRead, sharedTools{}, false) {
		t.Error("with and without root are one run")
	}
}

func TestOwnRefusals(t *testing.T) {
	for _, test := range []struct {
		row          Row
		reason, hint string
	}{
		{row("IOzone", "3.405", "Record Size: 4Kb; rm -rf / - File Size: 8GB - Disk Test: Write Performance", "MB/s"), "Record Size: value", "--set iozone.record-size=4Kb"},
		{row("IOzone", "3.405", "File Size: 8GB - Disk Test: Write Performance", "MB/s"), "record-size is not published", "--set iozone.record-size=4Kb"},
		{row("IOzone", "3.405", "Record Size: 4Kb - File Size: 8GB - Disk Test: Write Performance - Extra: $(id)", "MB/s"), `option "Extra" is not known`, ""},
		{row("IOzone", "3.489", "Record Size: 4Kb - File Size: 8GB - Disk Test: Write Performance", "MB/s"), `version "3.489" is not known`, ""},
		{row("IOzone", "3.405", "Record Size: 4Kb - File Size: 8GB - Disk Test: Write Performance", "sec"), "no figure of the run is in", ""},
		{row("Compile Bench", "0.6", "Test: Clean", "MB/s"), "Test: value", ""},
		{row("Compile Bench", "", "Test: Compile", "MB/s"), "the version is not published", ""},
		{row("BlogBench", "1.2", "Test: Read", "Final Score"), `version "1.2" is not known`, ""},
		{row("BlogBench", "1.1", "Test: Read", "MB/s"), "no figure of the run is in", ""},
		{row("IOR", "3.3.0", "Block Size: 16MB - Disk Target: Default Test Directory", "MB/s"), "np is not published", "--set ior.np=N"},
		{row("IOR", "3.3.0", "Block Size: 3MB - Disk Target: Default Test Directory", "MB/s"), "Block Size: value", ""},
		{row("Application Start-up Time", "3.4.0", "Background I/O Mix: Only Sequential Reads - Application To Start: ../../bin/sh - Disk Target: Default Test Directory", "sec"), "Application To Start: value", ""},
	} {
		p := Find(test.row)
		if p == nil {
			t.Errorf("no profile for %s", test.row.Test.Title)
			continue
		}
		_, err := p.Resolve(Request{Row: test.row, Scale: 1, Tools: ownTools})
		refusal(t, err, test.reason, test.hint)
	}
}

// All rows of these tests in the five published dumps, counted by hand.
func TestOwnRows(t *testing.T) {
	names := []string{"iozone", "ior", "compilebench", "blogbench", "startup-time"}
	want := map[string]map[string]int{
		"optane-900p-raid.json":           {"startup-time": 6, "compilebench": 2},
		"mdadm-raid-levels.json":          {"iozone": 1, "compilebench": 1},
		"f2fs-xfs-ext4-hdd-ssd.flat.json": {"startup-time": 4, "blogbench": 2, "compilebench": 2},
		"ssd-vs-zfs-hdds.flat.json":       {"compilebench": 3},
		"linux-5.14-filesystems.json":     {"ior": 1},
	}
	runs := map[string]map[string]int{ // different runs of these rows
		"optane-900p-raid.json":           {"startup-time": 6, "compilebench": 1},
		"mdadm-raid-levels.json":          {"iozone": 1, "compilebench": 1},
		"f2fs-xfs-ext4-hdd-ssd.flat.json": {"startup-time": 4, "blogbench": 1, "compilebench": 1},
		"ssd-vs-zfs-hdds.flat.json":       {"compilebench": 1},
		"linux-5.14-filesystems.json":     {"ior": 1},
	}
	titles := []string{"IOzone", "IOR", "Compile Bench", "BlogBench", "Application Start-up Time"}
	for name, counts := range want {
		f, err := os.Open(filepath.Join("..", "..", "samples", "truth", name))
		if err != nil {
			t.Fatal(err)
		}
		files, err := result.DecodeJSON(f)
		_ = f.Close()
		if err != nil {
			t.Fatal(err)
		}
		got, keys := map[string]int{}, map[string]map[string]bool{}
		for _, file := range files {
			for i := range file.Tests {
				r := Row{Test: &file.Tests[i], Date: time.Date(2019, 1, 1, 0, 0, 0, 0, time.UTC)}
				p := Find(r)
				if p == nil || !slices.Contains(names, p.Info().Name) {
					if slices.ContainsFunc(titles, func(s string) bool { return strings.HasPrefix(r.Test.Title, s) }) {
						t.Errorf("%s: %s has no profile", name, r.Test.Name())
					}
					continue
				}
				profile := p.Info().Name
				got[profile]++
				for _, tools := range []Tools{ownTools, sharedTools{"fio": "3.33"}} {
					req := Request{Row: r, Scale: 1, Tools: tools, Root: true}
					if profile == "ior" {
						_, err := p.Resolve(req)
						refusal(t, err, "np is not published", "--set ior.np=N")
						req.Row.Machine.Cores = 12
					}
					job, err := p.Resolve(req)
					if err != nil {
						t.Errorf("%s: %s: %v", name, r.Test.Name(), err)
						continue
					}
					if keys[profile] == nil {
						keys[profile] = map[string]bool{}
					}
					keys[profile][job.RunKey] = true
					found := slices.ContainsFunc(p.Info().Metrics, func(m MetricInfo) bool { return m.Name == job.Metric })
					if !found || job.NotComparable != "" {
						t.Errorf("%s: %s: metric %q, not comparable %q", name, r.Test.Name(), job.Metric, job.NotComparable)
					}
				}
			}
		}
		for _, profile := range names {
			if got[profile] != counts[profile] {
				t.Errorf("%s: %d rows of %s, want %d", name, got[profile], profile, counts[profile])
			}
			n := runs[name][profile] * 2 // with both sets of tools
			if profile == "startup-time" {
				n /= 2 // the same tools
			}
			if len(keys[profile]) != n {
				t.Errorf("%s: %d runs of %s, want %d", name, len(keys[profile]), profile, n)
			}
		}
	}
}
