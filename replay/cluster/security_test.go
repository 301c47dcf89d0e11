package cluster

import (
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// nobody is a user that is not the one who tests.
const nobody = 65534

// TestSecurityScript: the one script hands on the paths that it is given as they
// are, whatever is in them.
func TestSecurityScript(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("needs /bin/sh")
	}
	top := t.TempDir()
	job := filepath.Join(top, "a b'\"$(touch made);`touch made`\n*? \\-x")
	if err := os.Mkdir(job, 0o755); err != nil {
		t.Fatal(err)
	}
	name, program := filepath.Join(job, scriptFile), filepath.Join(job, programFile)
	err := errors.Join(os.WriteFile(name, []byte(script), 0o755), os.WriteFile(program, []byte("#!/bin/sh\nprintf '%s|' \"$@\"\n"), 0o755))
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("/bin/sh", name, program, job)
	cmd.Dir = top
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Skip(err, string(out))
	}
	if want := "replay|element|" + job + "|"; string(out) != want {
		t.Errorf("it was given %q, want %q", out, want)
	}
	if names, err := os.ReadDir(top); err != nil || len(names) != 1 {
		t.Errorf("made %v, %v", names, err)
	}
}

// TestSecurityJobOwner: what another user has put into a job's directory, or
// could have, is not submitted: hosts would run it.
func TestSecurityJobOwner(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("replays are of Linux")
	}
	dir, _ := madeJob(t)
	if err := CheckOwn(dir); err != nil {
		t.Fatal(err)
	}
	refused := func(what, want string) {
		t.Helper()
		if err := CheckOwn(dir); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", what, err)
		}
	}
	for _, name := range []string{"", jobFile, planFile, programFile, scriptFile} {
		path := filepath.Join(dir, name)
		info, err := os.Stat(path)
		if err == nil {
			err = os.Chmod(path, info.Mode()|0o002)
		}
		if err != nil {
			t.Fatal(err)
		}
		refused("writable "+name, "everybody may write")
		if err := os.Chmod(path, info.Mode()); err != nil {
			t.Fatal(err)
		}
		if os.Geteuid() != 0 {
			continue
		}
		if err := os.Chown(path, nobody, nobody); err != nil {
			t.Fatal(err)
		}
		refused("another's "+name, "belongs to user 65534")
		if err := os.Chown(path, 0, 0); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, scriptFile), []byte(script+"touch made\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	refused("another script", "not the script")

	if os.Geteuid() == 0 {
		theirs := filepath.Join(t.TempDir(), "theirs")
		if err := errors.Join(os.Mkdir(theirs, 0o755), os.Chown(theirs, nobody, nobody)); err != nil {
			t.Fatal(err)
		}
		j, p, err := ReadJob(dir)
		if err != nil {
			t.Fatal(err)
		}
		if err := j.Create(theirs, p, os.Args[0]); err == nil || !strings.Contains(err.Error(), "belongs to user 65534") {
			t.Errorf("made in another's directory: %v", err)
		}
	}
}

// TestSecurityForgedJob: nothing of a job that is read becomes an option of
// Slurm's programs or a path, but for what is checked.
func TestSecurityForgedJob(t *testing.T) {
	for what, change := range map[string]func(*Job){
		"host is an option": func(j *Job) { j.Elements[0].Host = "--wrap=x" },
		"host is a path":    func(j *Job) { j.Elements[0].Host = "../../etc" },
		"host has a line":   func(j *Job) { j.Elements[0].Host = "n1\nn2" },
		"host is a list":    func(j *Job) { j.Elements[0].Host = "n1 Partition=x" },
		"host is empty":     func(j *Job) { j.Elements[0].Host = "" },
		"name has a comma":  func(j *Job) { j.ID = "abcdefgh,x" },
		"name is a path":    func(j *Job) { j.ID = "../abcdefgh" },
		"name has a line":   func(j *Job) { j.ID = "abcdefgh\n" },
		"no target":         func(j *Job) { j.Elements[0].Targets = nil },
		"no element":        func(j *Job) { j.Elements = nil },
		"another plan":      func(j *Job) { j.PlanHash = strings.Repeat("0", 64) },
		"too many elements": func(j *Job) { j.Elements = make([]Element, MaxElements+1) },
		"option":            func(j *Job) { j.Request.Options = []string{"wrap=touch made"} },
		"option of two":     func(j *Job) { j.Request.Options = []string{"account=x", "--wrap=touch made"} },
		"partition":         func(j *Job) { j.Request.Partition = "x --wrap=touch" },
		"another partition": func(j *Job) { j.Request.Partition = "-x" },
		"another schema":    func(j *Job) { j.Schema = "x" },
	} {
		dir, j := madeJob(t)
		change(j)
		text, err := json.Marshal(j)
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, jobFile), text, 0o644)
		}
		if err != nil {
			t.Fatal(err)
		}
		got, _, err := ReadJob(dir)
		if err == nil {
			_, err = got.Argv(dir, []int{0})
		}
		if err == nil {
			t.Errorf("%s is taken", what)
		}
	}
	// A result of a host that is no result, or names another's.
	dir, j := madeJob(t)
	if err := os.WriteFile(filepath.Join(ElementDir(dir, 0), "runs", "1", "out"), []byte("raw2"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := Gather(dir); err == nil {
		t.Error("a file that its manifest does not vouch for was gathered")
	}
	m := manifest{Schema: manifestSchema, Job: j.ID, Plan: j.PlanHash, Host: "n1", Files: []vouched{{Name: "../../../etc/passwd"}, {Name: "/etc/passwd"}}}
	if err := writeJSON(manifestFile(dir, 0), &m); err != nil {
		t.Fatal(err)
	}
	if _, err := Gather(dir); err == nil {
		t.Error("a manifest that vouches for other files was taken")
	}
}

// TestSecuritySlurmPath: programs of the working directory are not taken for
// Slurm's, whatever PATH says.
func TestSecuritySlurmPath(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("needs /bin/sh")
	}
	t.Chdir(t.TempDir())
	for _, name := range []string{"sinfo", "sbatch", "scontrol"} {
		if err := os.WriteFile(name, []byte("#!/bin/sh\n: >ran\n"), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for _, path := range []string{".", "", ":"} {
		t.Setenv("PATH", path)
		if _, _, err := Hosts(t.Context(), "", ""); !errors.Is(err, ErrNoSlurm) {
			t.Errorf("PATH %q: %v", path, err)
		}
	}
	if _, err := os.Stat("ran"); err == nil {
		t.Error("one was run")
	}
}
