package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// acts matches what would act on a terminal.
var acts = regexp.MustCompile("[\x00-\x08\x0b-\x1f\x7f\u0080-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]")

// poison appends what would act on a terminal to every text of a document but
// those that are checked.
func poison(v any, key string) any {
	switch v := v.(type) {
	case map[string]any:
		for k := range v {
			v[k] = poison(v[k], k)
		}
	case []any:
		for i := range v {
			v[i] = poison(v[i], key)
		}
	case string:
		switch key {
		case "source", "test", "version", "arguments", "title", "driver", "reason", "hint", "scaled", "fidelity", "program", "profile", "options", "value", "name", "notes":
			return v + "\x1b[2J\u202e\r\n\x07"
		}
	}
	return v
}

// TestSecurityJournalText: whatever a journal says, status, clean and resume
// print nothing of it that acts on a terminal, and end as where it is damaged.
func TestSecurityJournalText(t *testing.T) {
	dir := t.TempDir()
	target, input, journal := filepath.Join(dir, "target"), filepath.Join(dir, "rows.csv"), filepath.Join(dir, "journal")
	err := errors.Join(os.Mkdir(target, 0o755), os.Mkdir(journal, 0o755), os.WriteFile(input, []byte(databaseRows), 0o644))
	if err != nil {
		t.Fatal(err)
	}
	plan := filepath.Join(journal, "plan.json")
	if out, err := process(t, "replay", "plan", input, "--target", target, "-o", plan, "--set", "pgbench.threads=1", "--quiet").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	text, err := os.ReadFile(plan)
	if err != nil {
		t.Fatal(err)
	}
	var doc map[string]any
	if err := json.Unmarshal(text, &doc); err != nil {
		t.Fatal(err)
	}
	run := "x"
	for _, s := range doc["steps"].([]any) {
		if id, _ := s.(map[string]any)["run_id"].(string); id != "" {
			run = id
		}
	}
	if text, err = json.Marshal(poison(doc, "")); err != nil {
		t.Fatal(err)
	}
	const evil = `\u001b]0;x\u0007\u009b2J\u202e\r\n`
	var lines bytes.Buffer
	for _, e := range []string{
		`{"event":"plan","time":"2026-01-02T03:04:05Z","id":"abcdefabcdef","sha256":"` + fmt.Sprintf("%x", sha256.Sum256(text)) + `","version":"` + evil + `"}`,
		`{"event":"block","time":"2026-01-02T03:04:05Z","block":1,"reason":"` + evil + `"}`,
		`{"event":"start","time":"2026-01-02T03:04:05Z","block":1,"run_id":"` + run + `","target":"` + evil + `","repetition":1,"dir":"../../../../etc/` + evil + `"}`,
		`{"event":"scratch","time":"2026-01-02T03:04:05Z","scratch":"/` + evil + `","target":"` + evil + `"}`,
		`{"event":"process","time":"2026-01-02T03:04:05Z","step":"` + evil + `","process":{"id":"abcdefabcdef","boot":"` + evil + `","dir":"/` + evil + `"}}`,
		`{"event":"failed","time":"2026-01-02T03:04:05Z","block":1,"run_id":"` + run + `","target":"` + evil + `","repetition":1,"reason":"` + evil + `","dir":"../../../../etc/` + evil + `"}`,
		`{"event":"` + evil + `","time":"2026-01-02T03:04:05Z"}`,
	} {
		lines.WriteString(e + "\n")
	}
	if err := errors.Join(os.WriteFile(plan, text, 0o644), os.WriteFile(filepath.Join(journal, "journal.jsonl"), lines.Bytes(), 0o644)); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{
		{"replay", "status", journal},
		{"replay", "status", journal, "--json"},
		{"replay", "clean", journal},
		{"replay", "run", "--resume", "--journal", journal},
		{"replay", "gather", journal},
		{"replay", "plan", plan},
		{"replay", "run", plan, "--journal", filepath.Join(dir, "other")},
		{"replay", "verify", input, journal},
	} {
		c := process(t, args...)
		c.Dir = dir
		var out bytes.Buffer
		c.Stdout, c.Stderr = &out, &out
		_ = c.Run() // which may find it in order
		if code := c.ProcessState.ExitCode(); code < 0 || code > 5 {
			t.Errorf("%q: exit code %d", args, code)
		}
		if strings.Contains(out.String(), "panic") || strings.Contains(out.String(), "goroutine") {
			t.Errorf("%q crashed: %s", args, out.String())
		}
		if at := acts.FindStringIndex(out.String()); at != nil {
			t.Errorf("%q prints %q", args, out.String()[max(at[0]-60, 0):min(at[1]+60, out.Len())])
		}
		if said := out.String(); args[1] == "status" && !strings.Contains(said, `\x1b`) && !strings.Contains(said, `\u001b`) {
			t.Errorf("%q shows nothing of what was put there: %s", args, said)
		}
	}
	entries, err := os.ReadDir(target)
	if err != nil || len(entries) > 0 {
		t.Errorf("in the target: %v, %v", entries, err)
	}
}

// TestSecurityResultLink: the result of a job is kept in its directory, and a
// link there, as somebody's archive may have one, leads nowhere.
func TestSecurityResultLink(t *testing.T) {
	for _, name := range []string{"result.json", "composite.xml"} {
		dir := t.TempDir()
		job, victim := filepath.Join(dir, "job"), filepath.Join(dir, "victim")
		if err := os.CopyFS(job, os.DirFS("../../internal/torture/testdata/job")); err != nil {
			t.Fatal(err)
		}
		// Of this job runs have failed, and an element has not begun.
		if out, err := process(t, "replay", "gather", job, "--partial").CombinedOutput(); !strings.Contains(string(out), "were given up on their hosts") {
			t.Fatalf("%v: %s", err, out)
		}
		err := errors.Join(os.Remove(filepath.Join(job, name)), os.WriteFile(victim, []byte("precious"), 0o644), os.Symlink(victim, filepath.Join(job, name)))
		if err != nil {
			t.Fatal(err)
		}
		out, err := process(t, "replay", "gather", job, "--partial").CombinedOutput()
		if err == nil || !strings.Contains(string(out), name+" is a link") {
			t.Errorf("%s: gather ends with %v: %s", name, err, out)
		}
		if text, err := os.ReadFile(victim); err != nil || string(text) != "precious" {
			t.Errorf("%s: through the link was written %q, %v", name, text, err)
		}
	}
}
