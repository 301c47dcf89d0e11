package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// harmless matches calls of sockets that a tool may make when it is asked for its
// version or run: the C library asks for the names of users where a server of
// this machine would tell them, and programs of MPI look at the interfaces there
// are.
var harmless = regexp.MustCompile(`^\d+ +(\?\?\?\( <detached|socket\(AF_(UNIX|INET), |connect\(\d+, \{sa_family=AF_UNIX, sun_path="/var/run/nscd/socket"\})`)

// TestSecurityNoNetwork runs commands of every kind and has the kernel tell of
// every call that makes or uses a socket: there is none. Where tools are run too,
// there is none that reaches another machine, or lets it reach this one.
func TestSecurityNoNetwork(t *testing.T) {
	computes(t)
	if testing.Short() {
		t.Skip("takes seconds")
	}
	strace, err := exec.LookPath("strace")
	if err != nil {
		t.Skip("needs strace")
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	program, target, corpus := filepath.Join(dir, "benchproof"), filepath.Join(dir, "target"), filepath.Join(dir, "corpus")
	if err := errors.Join(os.Symlink(self, program), os.Mkdir(target, 0o755)); err != nil {
		t.Fatal(err)
	}
	const dump = "../../samples/ssd-vs-zfs-hdds.flat.txt"
	commands := [][]string{
		{"show", dump},
		{"check", dump},
		{"explain", dump, "--test", "SQLite"},
		{"compare", dump},
		{"rank", dump},
		{"diff", dump, dump},
		{"report", dump, "-o", filepath.Join(dir, "page.html")},
		{"report", dump, "--test", "SQLite", "-o", filepath.Join(dir, "pages") + "/"},
		{"merge", dump, "-o", filepath.Join(dir, "merged.json")},
		{"profiles"},
		{"version"},
		{"man"},
		{"completion", "bash"},
		{"corpus", "add", dump, "--into", corpus},
		{"corpus", "info", corpus},
		{"replay", "plan", dump, "--target", target},
	}
	for _, ending := range []string{"csv", "xlsx", "json", "ndjson", "parquet", "sqlite", "xml", "txt", "md"} {
		commands = append(commands, []string{"convert", dump, "-o", filepath.Join(dir, "out."+ending)})
	}
	if _, err := exec.LookPath("sqlite3"); err == nil {
		input := filepath.Join(dir, "rows.csv")
		text := strings.SplitAfter(databaseRows, "\n")[0] + "x,x,SQLite,3.22,pts/sqlite-2.0.1,,Seconds,LIB,A,10,,,,ok,exact,,\n"
		if err := os.WriteFile(input, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		commands = append(commands, []string{"replay", "run", input, "--target", target, "--journal", filepath.Join(dir, "journal"), "--lock-dir", dir, "--quick"})
	}
	var hits []string
	for i, args := range commands {
		log := filepath.Join(dir, fmt.Sprint("log", i))
		c := exec.Command(strace, append([]string{"--seccomp-bpf", "-f", "-qq", "-e", "trace=%network", "-e", "signal=none", "-o", log, program}, args...)...)
		var said bytes.Buffer
		c.Stderr = &said
		// What might send a library there.
		c.Env = append(os.Environ(), "HTTP_PROXY=http://127.0.0.1:9", "HTTPS_PROXY=http://127.0.0.1:9")
		if err := c.Run(); err != nil {
			if i == 0 && strings.Contains(said.String(), "ptrace") {
				t.Skip("strace may not trace: ", said.String())
			}
			t.Errorf("%q: %v: %s", args, err, said.String())
		}
		text, err := os.ReadFile(log)
		if err != nil {
			t.Fatal(err)
		}
		tools := args[0] == "profiles" || args[0] == "replay"
		for line := range strings.Lines(string(text)) {
			if strings.Contains(line, " ???( <detached") {
				continue // strace's own word of a thread that ended before it was looked at
			}
			if !tools || !harmless.MatchString(line) {
				hits = append(hits, fmt.Sprintf("%q: %s", args, line))
			}
		}
	}
	if len(hits) > 0 {
		t.Errorf("calls of sockets:\n%s", strings.Join(hits, ""))
	}
	// It would have told.
	log := filepath.Join(dir, "control")
	c := exec.Command(strace, "-f", "-qq", "-e", "trace=%network", "-o", log, "getent", "ahosts", "127.0.0.1")
	_ = c.Run() // whatever it finds
	if text, err := os.ReadFile(log); err != nil || !bytes.Contains(text, []byte("socket(")) {
		t.Errorf("strace tells of no socket of a program that has one: %q, %v", text, err)
	}
}
