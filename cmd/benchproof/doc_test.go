package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// session is one command of a document and what the document says it prints.
type session struct {
	line    int
	command string
	output  string
	varies  bool   // numbers and line breaks are another run's
	needs   string // a program that is not everywhere, "" for none
}

// docSessions returns the commands of a document's console blocks: a line that
// begins with "$ ", and those that follow a line which ends in a backslash.
// "varies" behind "console" is for blocks whose numbers are another run's,
// "needs PROGRAM" for those that are run where it is there.
func docSessions(t *testing.T, path string) []session {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var out []session
	inside, varies, goesOn, needs := false, false, false, ""
	for i, line := range strings.Split(string(text), "\n") {
		switch {
		case !inside && strings.HasPrefix(line, "```console"):
			inside, varies = true, strings.HasSuffix(line, " varies")
			_, needs, _ = strings.Cut(line, " needs ")
		case strings.HasPrefix(line, "```"):
			inside = false
		case inside && goesOn:
			s := &out[len(out)-1]
			s.command += "\n" + line
			goesOn = strings.HasSuffix(line, `\`)
		case inside && strings.HasPrefix(line, "$ "):
			out = append(out, session{line: i + 1, command: line[2:], varies: varies, needs: needs})
			goesOn = strings.HasSuffix(line, `\`)
		case inside && len(out) > 0:
			out[len(out)-1].output += line + "\n"
		}
	}
	return out
}

// What of a replay's output is another every time: the directory's name,
// numbers, and whether something else used the disk. Where lines break, and how
// wide columns are, hangs on the numbers.
var (
	replayName = regexp.MustCompile(`replay-[a-z0-9]{12}`)
	numbers    = regexp.MustCompile(`-?[0-9]+(?:[.][0-9]+)*`)
	spaces     = regexp.MustCompile(`[\s─]+`)
	others     = regexp.MustCompile(`(?m)^benchproof: warning: .*others used the disk.*\n|; others used the disk meanwhile|; whether others used the disk meanwhile cannot be told`)
)

func fixed(s string) string {
	s = others.ReplaceAllString(s, "")
	s = replayName.ReplaceAllString(s, "replay-ID")
	s = numbers.ReplaceAllString(s, "0")
	return strings.ReplaceAll(spaces.ReplaceAllString(s, " "), " .", ".")
}

// there reports whether a program is there that a block needs; pandas is a
// package of Python.
func there(program string) bool {
	switch program {
	case "":
		return true
	case "pandas":
		return exec.Command("python3", "-c", "import pandas").Run() == nil
	}
	_, err := exec.LookPath(program)
	return err == nil
}

// patientTimeout does what timeout --preserve-status -s SIGNAL SECONDS COMMAND does,
// but the time runs from when the command's replay has its journal: a busy machine
// may take longer than that to begin.
const patientTimeout = `#!/bin/bash
set -m # else the command would ignore an interrupt
[ "$1 $2" = "--preserve-status -s" ] || exit 125
signal=$3 seconds=$4 journal=$(sed 's/.*--journal \([^ ]*\).*/\1/' <<<"$*")/journal.jsonl
shift 4
"$@" &
until [ -s "$journal" ] || ! kill -0 $! 2>/dev/null; do sleep 0.05; done
sleep "$seconds"
kill -s "$signal" $!
wait $!
`

// TestDocs runs every command that a document shows with its output, in a
// directory with samples/, as the documents assume, and compares what it
// prints on both of its outputs.
func TestDocs(t *testing.T) {
	t.Parallel()
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("the documents' commands need bash")
	}
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	real := filepath.Join(t.TempDir(), "benchproof") // by that name it is the command
	if err := os.Symlink(self, real); err != nil {
		t.Fatal(err)
	}
	// replays of other tests may hold this machine's locks of the same disk
	bin := t.TempDir()
	script := `#!/bin/sh
if [ "$1 $2" = "replay run" ]; then exec "` + real + `" "$@" --lock-dir "$LOCKS"; fi
exec "` + real + `" "$@"
`
	for name, text := range map[string]string{"benchproof": script, "timeout": patientTimeout} {
		if err := os.WriteFile(filepath.Join(bin, name), []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for _, doc := range []struct {
		path  string
		least int      // of commands
		needs []string // programs that are not everywhere
	}{
		{"README.md", 5, nil},
		{"doc/tutorial.md", 15, []string{"fs_mark"}},
		{"doc/howto-convert.md", 20, nil},
		{"doc/howto-compare.md", 10, nil},
		{"doc/howto-report.md", 8, nil},
		{"doc/howto-add-profile.md", 1, nil},
		{"doc/howto-add-reader.md", 2, nil},
		{"doc/howto-replay.md", 15, []string{"fs_mark", "fio", "timeout"}},
	} {
		t.Run(doc.path, func(t *testing.T) {
			computes(t)
			if doc.needs != nil && testing.Short() {
				t.Skip("replays take seconds")
			}
			if doc.needs != nil && runtime.GOOS != "linux" {
				t.Skip("replays run on Linux")
			}
			for _, name := range doc.needs {
				if _, err := exec.LookPath(name); err != nil {
					t.Skipf("needs %s", name)
				}
			}
			sessions := docSessions(t, filepath.Join(root, doc.path))
			if len(sessions) < doc.least {
				t.Fatalf("%d commands, want %d or more", len(sessions), doc.least)
			}
			dir := t.TempDir()
			if err := os.CopyFS(filepath.Join(dir, "samples"), os.DirFS(filepath.Join(root, "samples"))); err != nil {
				t.Fatal(err)
			}
			for _, s := range sessions {
				if !there(s.needs) {
					t.Logf("%s:%d: not run: needs %s", doc.path, s.line, s.needs)
					continue
				}
				cmd := exec.Command(bash, "-o", "pipefail", "-c", s.command)
				cmd.Dir = dir
				cmd.Env = append(os.Environ(), "PATH="+bin+string(os.PathListSeparator)+os.Getenv("PATH"), "LOCKS="+t.TempDir(), "COLUMNS=80", "LC_ALL=C.UTF-8")
				out, err := cmd.CombinedOutput()
				if err != nil {
					t.Fatalf("%s:%d: %s: %v\n%s", doc.path, s.line, s.command, err, out)
				}
				want, got := s.output, string(out)
				if s.varies {
					want, got = fixed(want), fixed(got)
				}
				if d := cmp.Diff(want, got); d != "" {
					t.Errorf("%s:%d: %s prints (-document +command):\n%s", doc.path, s.line, s.command, d)
				}
			}
		})
	}
}
