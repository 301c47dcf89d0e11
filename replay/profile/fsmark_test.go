package profile

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestFSMarkKept(t *testing.T) {
	dir := kept(t, "fsmark")
	tests := []struct {
		file string
		run  fsMarkRun
		want string // files a second, as printed
		err  string
	}{
		{"ext4_1000.txt", fsMarkRun{files: 1000, threads: 1, loops: 1}, "81.9", ""},
		{"ext4_1000nosync.txt", fsMarkRun{files: 1000, threads: 1, loops: 1, noSync: true}, "", ""},
		{"ext4_1000x32d.txt", fsMarkRun{files: 1000, threads: 1, subdirs: 32, loops: 1}, "", ""},
		{"ext4_400x4t.txt", fsMarkRun{files: 400, threads: 4, loops: 1}, "166.6", ""},
		{"btrfs_1000.txt", fsMarkRun{files: 1000, threads: 1, loops: 1}, "", ""},
		{"xfs_400x4t.txt", fsMarkRun{files: 400, threads: 4, loops: 1}, "", ""},
		{"ext4_L3_4threads.txt", fsMarkRun{files: 200, threads: 4, loops: 3}, "213.2", ""}, // the first loop
		{"ext4_L4_profile1.0.3style.txt", fsMarkRun{files: 1000, threads: 1, loops: 4}, "", ""},
		{"ext4_nospace.txt", fsMarkRun{files: 9000, threads: 1, loops: 1}, "", "insufficient free space"},
		{"longpath.txt", fsMarkRun{files: 9000, threads: 1, loops: 1}, "", "no figures"},
	}
	for _, test := range tests {
		out := readFile(t, filepath.Join(dir, test.file))
		if test.file == "ext4_L4_profile1.0.3style.txt" {
			test.run.files = firstCount(t, out)
		}
		reading, err := test.run.parse(one("fs_mark", out))
		if test.err != "" {
			if err == nil || !strings.Contains(err.Error(), test.err) {
				t.Errorf("%s: got %v, want %q", test.file, err, test.err)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", test.file, err)
			continue
		}
		broken(t, reading, "")
		text, _ := publishText(reading.Samples[0])
		if want := fourthField(t, out); text != want || test.want != "" && text != test.want {
			t.Errorf("%s: got %s, want %s %s", test.file, text, want, test.want)
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

// fourthField reads as the published parser does: the fourth field of the line
// behind the header.
func fourthField(t *testing.T, out []byte) string {
	t.Helper()
	return headedFields(t, out)[3]
}

func firstCount(t *testing.T, out []byte) int {
	t.Helper()
	n, ok := wholeNumber(headedFields(t, out)[1], 1, 1e6)
	if !ok {
		t.Fatal("no count")
	}
	return n
}

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
	refusal(t, err, `Test: value "1 File" is not known`, "--set fs-mark.test=1000 Files, 1MB Size")
	_, err = fsMark{}.Resolve(Request{Row: row("FS-Mark", "3.4", "Test: 1000 Files, 1MB Size", "Files/s"), Scale: 1, Tools: debian12})
	refusal(t, err, `version "3.4"`, "")
}
