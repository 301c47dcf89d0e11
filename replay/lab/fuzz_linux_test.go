package lab

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A log is read to the end of its last whole line, or not at all with an error
// that names the line; what it says is read as it was noted.
func FuzzReadLog(f *testing.F) {
	f.Add(`{"thing":"loop","number":3,"path":"/x"}`+"\n", 7, "/x/c1d1.img")
	f.Add(`{"thing":"pool","path":"tank"}`+"\n"+`{"thing":"pool","path":"tank","not":true}`+"\n"+`{"thi`, 0, "\xff")
	f.Add("null\n[]\n", -1, "")
	f.Add("\n", 1, "\n")
	f.Fuzz(func(t *testing.T, text string, number int, path string) {
		dir := t.TempDir()
		name := filepath.Join(dir, logFile)
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		list, err := readLog(dir)
		// Another reading of the same rule: each whole line is an object.
		bad := 0
		lines := bytes.SplitAfter([]byte(text), []byte("\n"))
		for i, l := range lines[:len(lines)-1] {
			if json.Unmarshal(l, new(thing)) != nil {
				bad = i + 1
				break
			}
		}
		if (err != nil) != (bad > 0) {
			t.Fatalf("%q: line %d is bad, %v", text, bad, err)
		}
		if err != nil {
			if want := fmt.Sprintf("%s:%d: ", name, bad); !strings.HasPrefix(err.Error(), want) {
				t.Errorf("%q: %v, want %s", text, err, want)
			}
			return
		}
		for _, x := range list {
			if x.Not {
				t.Errorf("%q: %+v is not the lab's", text, x)
			}
		}
		// What is noted next comes last, unless the torn line eats it: then
		// it is an error, never another thing.
		added := thing{Thing: thingLoop, Number: number, Path: strings.ToValidUTF8(path, "?")}
		if err := note(dir, added); err != nil {
			t.Fatal(err)
		}
		again, err := readLog(dir)
		torn := len(lines[len(lines)-1]) > 0
		switch {
		case torn:
			if err == nil && len(again) > 0 && len(again) > len(list)+1 {
				t.Errorf("%q: %d things became %d", text, len(list), len(again))
			}
		case err != nil || len(again) != len(list)+1 || again[len(list)] != added:
			t.Errorf("%q: %+v, %v", text, again, err)
		}
	})
}

// A pool that a log names and that is not the lab's is left alone: nothing is
// run.
func TestPoolOfOthers(t *testing.T) {
	bin := t.TempDir()
	ran := filepath.Join(bin, "ran")
	if err := os.WriteFile(filepath.Join(bin, "zpool"), []byte("#!/bin/sh\n: >"+ran+"\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", bin)
	for _, name := range []string{"tank", "", "-f", "benchproof-other-0", "benchproof-me-0 tank", "benchproof-me-x"} {
		r := remover{ctx: t.Context(), dir: t.TempDir(), id: "me", log: []thing{{Thing: thingPool, Path: name}}}
		if err := r.pools(); err == nil || !strings.Contains(err.Error(), "not the lab's") {
			t.Errorf("%q: %v", name, err)
		}
		if _, err := os.Stat(ran); err == nil {
			t.Fatalf("%q: zpool was run", name)
		}
	}
}
