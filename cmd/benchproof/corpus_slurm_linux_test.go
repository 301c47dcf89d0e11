package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/benchproof/benchproof/corpus"
)

// wrapper stands in the place of the program in a job's directory. The first
// go of element 1 adds all of its part, and hangs before it has said so, as on
// a node that dies just then.
const wrapper = `#!/bin/sh
here=${0%/*}
[ "$4" = add ] && [ "$SLURM_ARRAY_TASK_ID" = 1 ] && [ -z "$SLURM_RESTART_COUNT" ] || exec "$here/real/benchproof" "$@"
"$here/real/benchproof" "$@"
rm "$here/done-1.json"
echo hangs >"$here/hangs"
exec sleep 300
`

// waitFor waits for a condition.
func (l *slurmLab) waitFor(what string, met func() bool) {
	l.t.Helper()
	for end := time.Now().Add(30 * time.Second); time.Now().Before(end); time.Sleep(100 * time.Millisecond) {
		if met() {
			return
		}
	}
	text, _ := l.command(0, "squeue", "-r", "-a")
	l.t.Fatalf("not %s after 30 s:\n%s", what, text)
}

// Forty files, three elements, two nodes, of which one dies with an element
// whose set is whole: the corpus is the one that an add here makes, in records,
// paths and counts.
func TestSlurmCorpus(t *testing.T) {
	t.Parallel()
	l := newSlurmLab(t, 2)
	made, whole, set := filepath.Join(l.dir, "made"), filepath.Join(l.dir, "whole"), filepath.Join(l.dir, "set")
	shapes := newCorpusShapes(t, 16)
	for i := range 40 {
		if err := shapes.write(made, i); err != nil {
			t.Fatal(err)
		}
	}
	// One is there twice under names that sort far apart, one is no result, and
	// a path has what a shell would take for its own.
	odd := filepath.Join(made, "zz $(touch pwned) `id`; 'x'")
	if err := os.Mkdir(odd, 0o755); err != nil {
		t.Fatal(err)
	}
	first := ""
	for in := range corpus.Walk(made) {
		first = in.Path
		break
	}
	text, err := os.ReadFile(first)
	if err == nil {
		err = os.WriteFile(filepath.Join(odd, "twice"+filepath.Ext(first)), text, 0o644)
	}
	if err == nil {
		err = os.WriteFile(filepath.Join(odd, "notes.md"), []byte("no result\n"), 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
	l.run(0, "corpus", "add", made, "--into", whole)

	// It waits until the wrapper is in its place.
	s := l.submitCorpus("set", "3")
	files, most, all := 0, int64(0), int64(0)
	for _, p := range s.Parts {
		files += p.Inputs
		all += p.Bytes
		most = max(most, p.Bytes)
	}
	if len(s.Parts) != 3 || files != 42 || most > all/2 {
		t.Fatalf("parts %+v", s.Parts)
	}
	program, real := filepath.Join(s.Dir, "benchproof"), filepath.Join(s.Dir, "real")
	if err := os.Mkdir(real, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(program, filepath.Join(real, "benchproof")); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(program, []byte(wrapper), 0o755); err != nil {
		t.Fatal(err)
	}
	l.begin(s)

	l.waitFor("hanging", func() bool { _, err := os.Stat(filepath.Join(s.Dir, "hangs")); return err == nil })
	where, _ := l.command(0, "squeue", "-h", "-r", "-t", "R", "-j", s.Array+"_1", "-o", "%N")
	node := strings.TrimSpace(where)
	l.waitFor("done but for one", func() bool {
		_, err0 := os.Stat(filepath.Join(s.Dir, "done-0.json"))
		_, err2 := os.Stat(filepath.Join(s.Dir, "done-2.json"))
		return err0 == nil && err2 == nil
	})
	if _, err := corpus.Open(set); err == nil {
		t.Error("there is a corpus before all elements are done")
	}
	if names, err := corpus.Waiting(set); err != nil || len(names) != 3 {
		t.Fatalf("waiting: %q, %v", names, err)
	}
	l.command(0, l.script, "die", l.slurm, node)
	l.command(0, "scontrol", "update", "NodeName="+node, "State=DOWN", "Reason=test")
	l.command(0, l.script, "up", l.slurm, node)
	// The queue looks at what was requeued once a minute, or where it is told of
	// a change.
	l.waitFor("requeued", func() bool {
		state, _ := l.command(0, "squeue", "-h", "-r", "-j", s.Array+"_1", "-o", "%T")
		return strings.TrimSpace(state) == "PENDING"
	})
	l.command(0, "scontrol", "update", "JobId="+s.Array+"_1", "StartTime=now")
	said := l.committed(s)

	// 42 inputs: 40 files, one twice, one without a result. That two
	// elements have read one content the commit finds out.
	if !strings.Contains(said, "42 inputs:") || !strings.Contains(said, " 1 without a result, 0 unreadable\n3 partial sets in ") || !strings.Contains(said, ": 40 result files came in, 1 already there\n") {
		t.Errorf("the commit says\n%s", said)
	}
	text, err = os.ReadFile(filepath.Join(s.Dir, "done-1.json"))
	if err != nil || !strings.Contains(string(text), `-1.1"`) {
		t.Errorf("element 1 was not started again: %s, %v", text, err)
	}
	if names, err := corpus.Waiting(set); err != nil || len(names) > 0 {
		t.Errorf("left waiting: %q, %v", names, err)
	}
	if diff := cmp.Diff(corpusRecords(t, whole), corpusRecords(t, set)); diff != "" {
		t.Errorf("another set (-local +slurm): %.2000s", diff)
	}
	local, slurm := corpusInfo(t, whole), corpusInfo(t, set)
	if local.Inputs != 41 || local.Paths != 42 || local.Inputs != slurm.Inputs || local.Paths != slurm.Paths || slurm.Superseded != 0 {
		t.Errorf("local %+v, slurm %+v", local, slurm)
	}
	l.run(0, "corpus", "info", set, "--check")
	if out, _ := l.run(0, "corpus", "add", made, "--into", set); !strings.Contains(out, "42 inputs: 0 read") {
		t.Errorf("added again here: %s", out)
	}
	if left, _ := filepath.Glob(filepath.Join(l.dir, "*", "pwned")); len(left) > 0 {
		t.Errorf("a path came into a shell: %q", left)
	}
	l.corpusFails(made, whole)
}

// submittedCorpus is what corpus add --slurm says of what it has submitted.
type submittedCorpus struct {
	Dir, Array, Commit string
	Parts              []corpusPart
}

// submitCorpus submits an add of the directory made, which waits for begin.
func (l *slurmLab) submitCorpus(set, parts string) (s submittedCorpus) {
	l.t.Helper()
	out, _ := l.run(0, "corpus", "add", "made", "--into", set, "--slurm", "--parts", parts, "--time", "5m", "--sbatch", "begin=now+3600", "--json")
	if err := json.Unmarshal([]byte(out), &s); err != nil {
		l.t.Fatal(err)
	}
	return s
}

func (l *slurmLab) begin(s submittedCorpus) {
	l.t.Helper()
	for _, id := range []string{s.Array, s.Commit} {
		l.command(0, "scontrol", "update", "JobId="+id, "StartTime=now")
	}
}

// committed waits for the commit and returns what it says.
func (l *slurmLab) committed(s submittedCorpus) (said string) {
	l.t.Helper()
	l.waitFor("committed", func() bool {
		text, _ := os.ReadFile(filepath.Join(s.Dir, "commit.log"))
		said = string(text)
		return strings.Contains(said, "came in")
	})
	return said
}

// corpusFails has an element fail: nothing is committed, and what the messages
// advise makes the set whole without reading anything twice. An input that
// went away meanwhile is told, and keeps nothing out.
func (l *slurmLab) corpusFails(made, whole string) {
	t := l.t
	t.Helper()
	set := filepath.Join(l.dir, "again")
	s := l.submitCorpus("again", "2")
	if err := os.Remove(corpusPartFile(s.Dir, 1)); err != nil {
		t.Fatal(err)
	}
	l.begin(s)
	l.waitFor("dropped", func() bool {
		state, _ := l.command(0, "squeue", "-h", "-t", "all", "-j", s.Commit, "-o", "%T")
		return strings.TrimSpace(state) == "CANCELLED"
	})
	if _, err := corpus.Open(set); err == nil {
		t.Error("something was committed of an add that failed")
	}
	l.run(0, "corpus", "commit", "--into", "again")
	gone := filepath.Join(made, "gone.txt")
	if err := os.WriteFile(gone, []byte("soon gone"), 0o644); err != nil {
		t.Fatal(err)
	}
	first := s.Parts[0].Inputs
	s = l.submitCorpus("again", "2")
	if err := os.Remove(gone); err != nil {
		t.Fatal(err)
	}
	l.begin(s)
	// Of the 42 all of the first part is known; of the rest one is no result
	// and one has a content of the first part.
	said, want := l.committed(s), fmt.Sprintf("43 inputs: %d read, %d unchanged, 1 without a result, 1 unreadable\n", 42-first-2, first)
	if !strings.Contains(said, want) {
		t.Errorf("the commit says\n%swant\n%s", said, want)
	}
	l.waitFor("ended with code 3", func() bool {
		text, _ := l.command(0, "scontrol", "show", "job", s.Commit)
		return strings.Contains(text, "ExitCode=3:0")
	})
	logs := ""
	for i := range s.Parts {
		text, err := os.ReadFile(filepath.Join(s.Dir, fmt.Sprintf("part-%d.log", i)))
		if err != nil {
			t.Fatal(err)
		}
		logs += string(text)
	}
	if !strings.Contains(logs, gone) {
		t.Errorf("no log names %s:\n%s", gone, logs)
	}
	if diff := cmp.Diff(corpusRecords(t, whole), corpusRecords(t, set)); diff != "" {
		t.Errorf("another set after a failure (-local +slurm): %.2000s", diff)
	}
}

func corpusInfo(t *testing.T, dir string) corpus.Info {
	t.Helper()
	c, err := corpus.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	info, err := c.Info()
	if err != nil {
		t.Fatal(err)
	}
	return info
}
