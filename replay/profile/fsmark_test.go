package profile

import (
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

func TestFSMarkKept(t *testing.T) {
	dir := kept(t, "fsmark")
	files, err := filepath.Glob(filepath.Join(dir, "*.txt"))
	if err != nil || len(files) != 16 {
		t.Fatalf("%d files, want 16: %v", len(files), err)
	}
	// Read off the files by eye; the rest is held against the field that the
	// published parser takes.
	byEye := map[string]string{
		"ext4_1000.txt": "81.9", "ext4_400x4t.txt": "166.6", "ext4_L3_4threads.txt": "213.2", // the first loop
	}
	failures := map[string]string{"ext4_nospace.txt": "insufficient free space", "longpath.txt": "no figures"}
	for _, path := range files {
		name, out := filepath.Base(path), readFile(t, path)
		run := headedRun(out)
		reading, err := run.parse(one("fs_mark", out))
		if want := failures[name]; want != "" {
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: got %v, want %q", name, err, want)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		broken(t, reading, "")
		text, _ := publishText(reading.Samples[0])
		if want := headedFields(t, out)[3]; text != want || byEye[name] != "" && text != byEye[name] {
			t.Errorf("%s: got %s, want %s %s", name, text, want, byEye[name])
		}
	}

	out := one("fs_mark", readFile(t, filepath.Join(dir, "ext4_1000.txt")))
	for _, test := range []struct {
		run  fsMarkRun
		want string
	}{
		{fsMarkRun{files: 1001, threads: 1, loops: 1}, "files of loop 1"},
		{fsMarkRun{files: 500, threads: 2, loops: 1}, "threads"},
		{fsMarkRun{files: 1000, threads: 1, loops: 2}, "loops"},
		{fsMarkRun{files: 1000, threads: 1, loops: 1, noSync: true}, "sync method"},
		{fsMarkRun{files: 1000, threads: 1, loops: 1, subdirs: 32}, "subdirectories"},
	} {
		reading, err := test.run.parse(out)
		if err != nil {
			t.Fatal(err)
		}
		broken(t, reading, test.want)
	}
}

// headedRun is the run that the head of an output says it is.
func headedRun(out []byte) *fsMarkRun {
	run := &fsMarkRun{threads: 1, loops: 1}
	head, _, _ := strings.Cut(strings.TrimSpace(string(out)), "\n")
	args := strings.Fields(head)
	for i := range len(args) - 1 {
		n, _ := strconv.Atoi(args[i+1])
		switch args[i] {
		case "-n":
			run.files = n
		case "-t":
			run.threads = n
		case "-D":
			run.subdirs = n
		case "-L":
			run.loops = n
		case "-S":
			run.noSync = n == 0
		}
	}
	return run
}

// headedFields reads as the published parser does: the fields of the line
// behind the header.
func headedFields(t *testing.T, out []byte) []string {
	t.Helper()
	lines := strings.Split(string(out), "\n")
	i := slices.IndexFunc(lines, func(s string) bool { return strings.Contains(s, "Files/sec") })
	if i < 0 || i+1 >= len(lines) || len(strings.Fields(lines[i+1])) != 5 {
		t.Fatal("no figures")
	}
	return strings.Fields(lines[i+1])
}

func TestFSMarkResolve(t *testing.T) {
	argv := func(r Row, set map[string]string, scale float64) string {
		return strings.Join(resolve(t, r, set, scale).Steps[0].Argv[1:], " ")
	}
	fs := func(caption string) Row { return row("FS-Mark", "3.3", "Test: "+caption, "Files/s") }
	for _, test := range []struct{ caption, want, later string }{
		{"1000 Files, 1MB Size", "-s 1048576 -n 1000", " -L 20"},
		{"1000 Files, 1MB Size, No Sync/FSync", "-s 1048576 -n 1000 -S 0", " -L 100"},
		{"5000 Files, 1MB Size, 4 Threads", "-s 1048576 -n 5000 -t 4", " -L 5"},
		{"4000 Files, 32 Sub Dirs, 1MB Size", "-s 1048576 -n 4000 -D 32", " -L 10"},
	} {
		if got := argv(fs(test.caption).at(t, "2021-08-22"), nil, 1); got != "-d scratch "+test.want {
			t.Errorf("%s: %s", test.caption, got)
		}
		if got := argv(fs(test.caption).at(t, "2021-09-02"), nil, 1); got != "-d scratch "+test.want+test.later {
			t.Errorf("%s in 1.0.3: %s", test.caption, got)
		}
	}
	r := fs("5000 Files, 1MB Size, 4 Threads")
	job := resolve(t, r, nil, 0.01)
	if job.Scaled != "files for each thread 5000 -> 50" || job.Fidelity != "native-same-version" || job.Profile != "pts/fs-mark-1.0.0" {
		t.Errorf("scaled %q, fidelity %s, profile %s", job.Scaled, job.Fidelity, job.Profile)
	}
	if job := resolve(t, r, nil, 1); job.Need.Bytes != 20000<<20+64<<20 {
		t.Errorf("needs %d bytes", job.Need.Bytes)
	}
	// The command arguments of an XML file tell 1.0.3 from those before.
	r.Test.CommandArguments = "-s 1048576 -n 5000 -t 4 -L 5"
	if job := resolve(t, r, nil, 1); job.Profile != "pts/fs-mark-1.0.3" {
		t.Errorf("with -L: %s", job.Profile)
	}
	_, err := fsMark{}.Resolve(Request{Row: fs("1 File"), Scale: 1, Tools: debian12})
	refusal(t, err, `Test: value "1 File" is not known`, "--set 'fs-mark.test=1000 Files, 1MB Size'")
	_, err = fsMark{}.Resolve(Request{Row: row("FS-Mark", "3.4", "Test: 1000 Files, 1MB Size", "Files/s"), Scale: 1, Tools: debian12})
	refusal(t, err, `version "3.4"`, "")
}
