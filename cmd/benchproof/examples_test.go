package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
)

// exampleLines returns the examples of a help: each the lines from one that
// begins a command to the next.
func exampleLines(text string) []string {
	var list []string
	for line := range strings.SplitSeq(text, "\n") {
		if begins := strings.HasPrefix(line, "  ") && !strings.HasPrefix(line, "   "); begins {
			list = append(list, "")
		}
		list[len(list)-1] += strings.TrimPrefix(line, "  ") + "\n"
	}
	return list
}

// elsewhere are the places of examples outside of the working directory, and
// programs that may not be there, each with what stands for it in the test.
var elsewhere = strings.NewReplacer(
	" /mnt/", " mnt/", "=/mnt/", "=mnt/", " /shared/", " shared/",
	"/etc/bash_completion.d/", "./", "/usr/local/share/man/man1/", "./", "~/.config/fish/completions/", "./", "${fpath[1]}/", "./",
	"find / ", "find . ", "curl -s URL", "cat results.txt", " && duckdb -init views.sql", "",
	"| man -l -", "| cat", "| less", "| cat",
)

// exampleRun changes an example so that it is made and checked, and nothing is
// measured: what runs is stopped before its first test begins.
func exampleRun(line string) string {
	if !strings.Contains(line, "replay submit") { // of which the places are on hosts
		line = elsewhere.Replace(line)
	}
	if !strings.Contains(line, "benchproof replay run ") {
		return line
	}
	if strings.Contains(line, "--lab ") {
		return strings.Replace(line, "replay run", "replay plan", 1) // needs root
	}
	return strings.TrimRight(line, "\n") + " --time-limit 1ns --lock-dir locks\n"
}

// exampleExits are the exit codes of examples of which the answer may be no, or
// where something is told to be missing; 0 for all others.
var exampleExits = []struct {
	pattern string
	codes   string
}{
	{`^benchproof (diff|check|replay verify) `, "0 1"},
	{`compare .*--fail-on`, "0 1"},
	// Nothing is measured in no time at all: a run and a job without a result.
	{`^benchproof replay ((?s:run .*--time-limit)|gather) `, "4"},
}

// exampleDir makes a directory with all files that the examples name.
func exampleDir(t *testing.T) string {
	t.Helper()
	samples := sampleDir(t)
	if samples == "" {
		t.Skip("needs the published samples")
	}
	dir := t.TempDir()
	copyFile := func(from string, to ...string) {
		t.Helper()
		text, err := os.ReadFile(from)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range to {
			name = filepath.Join(dir, name)
			if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(name, text, 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	copyFile(small, "results.txt", "result.txt", "a.txt", "b.txt", "old.txt", "new.txt", "results/small.txt", "shared/results/small.txt")
	copyFile("testdata/input/small.xml", "a.xml", "b.xml", "composite.xml", "results/composite.xml")
	copyFile(filepath.Join(samples, "kitchen-sink.html"), "results.html", "results/page.html", "may/page.html")
	copyFile(filepath.Join(samples, "f2fs-xfs-ext4-hdd-ssd.flat.txt"), "page.txt")
	for _, name := range []string{"mnt/disk", "mnt/ssd", "mnt/hdd", "mnt/big", "locks", "bin"} {
		if err := os.MkdirAll(filepath.Join(dir, name), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	hosts, err := txtar.ParseFile("testdata/script/replay_hosts.txtar")
	if err != nil {
		t.Fatal(err)
	}
	files := map[string][]byte{"list.7": []byte("results/small.txt\n")}
	for _, f := range hosts.Files {
		if f.Name == "hosts.json" {
			files["gathered.json"] = f.Data
		}
	}
	for name, text := range exampleSlurm {
		files["bin/"+name] = []byte("#!/bin/sh\n" + text + "\n")
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// exampleSlurm answers as Slurm's programs would, of eight hosts.
var exampleSlurm = map[string]string{
	"sinfo":    `for i in 1 2 3 4 5 6 7 8; do printf 'n%s|idle|bench*\nn%s|idle|disks\n' $i $i; done`,
	"scontrol": `[ "$1" != show ] || printf 'n%s\n' 1 2 3 4 5 6 7 8`,
	"sbatch":   "echo 41",
	"squeue":   "",
	"scancel":  "",
}

// exampleJob and exampleJournal are the directories that examples name.
const (
	exampleJournal = "replay-1f2e3d4c"
	exampleJob     = "replay-5a6b7c8d"
)

// exampleSetup makes the directories of a replay and of a job, of which nothing
// has run, and puts results there that others have.
var exampleSetup = []string{
	"benchproof replay run results.txt --target mnt/disk --test FS-Mark --journal " + exampleJournal + " --time-limit 1ns --lock-dir locks",
	"benchproof convert results.txt --json > old.json; cp old.json new.json; benchproof merge here=results.txt --system EXT4 -o here.json; cp old.json " + exampleJournal + "/result.json",
	"benchproof convert results.txt --table results > pts.csv",
	"benchproof replay submit results.txt --slurm --hosts 'n[1-8]' --target /scratch --time 4h --journal " + exampleJob,
	"cp gathered.json hosts.json; cp gathered.json " + exampleJob + "/result.json",
	"benchproof corpus add results/ --into set",
}

// TestHelpExamples runs every example of every help: on files of the samples, in
// a directory where the places are that they name. What would measure a disk is
// stopped before it begins, and what needs root is planned alone.
func TestHelpExamples(t *testing.T) {
	computes(t)
	if testing.Short() {
		t.Skip("starts a hundred programs")
	}
	if runtime.GOOS != "linux" {
		t.Skip("the examples of replay need Linux")
	}
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("needs bash")
	}
	for _, tool := range []string{"fio", "fs_mark", "sqlite3"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skip("needs " + tool)
		}
	}
	dir := exampleDir(t)
	script := func(line string) (code int, out string) {
		t.Helper()
		cmd := exec.CommandContext(t.Context(), bash, "-c", line)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "PATH="+filepath.Join(dir, "bin")+string(filepath.ListSeparator)+os.Getenv("PATH"), "LOG="+filepath.Join(dir, "log"))
		var b bytes.Buffer
		cmd.Stdout, cmd.Stderr = &b, &b
		_ = cmd.Run()
		return cmd.ProcessState.ExitCode(), b.String()
	}
	for _, line := range exampleSetup {
		if code, out := script(line); code != exitOK && code != exitFailed {
			t.Fatalf("%s: code %d\n%s", line, code, out)
		}
	}
	sum := sha256.Sum256(mustRead(t, small))
	// The ID of a file is the first 63 bits of its hash.
	id := fmt.Sprintf("%016x", binary.BigEndian.Uint64(sum[:8])>>1)
	ids := strings.NewReplacer("5b2f19c07ad3e841", id, "5b2f ", id[:4]+" ")
	_, list := allCommands(t)
	ran := 0
	for _, c := range list {
		for _, example := range exampleLines(c.Example) {
			line := ids.Replace(exampleRun(example))
			want := "0"
			for _, x := range exampleExits {
				if regexp.MustCompile(x.pattern).MatchString(line) {
					want = x.codes
				}
			}
			code, out := script("rm -rf *.xlsx *.sqlite report.html both.* all.* compare.csv report results.xml record.json views.sql\n" + line)
			ran++
			if strings.Contains(out, "SQL engine benchproof-sql cannot be used: it is neither") {
				continue // asked for as it should be; its own test runs it
			}
			if !strings.Contains(" "+want+" ", fmt.Sprintf(" %d ", code)) {
				t.Errorf("%s: code %d, want %s, of %s\n%s", strings.TrimSpace(example), code, want, strings.TrimSpace(line), out)
			}
		}
	}
	if ran < 70 {
		t.Errorf("%d examples", ran)
	}
}

func mustRead(t *testing.T, path string) []byte {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return text
}
