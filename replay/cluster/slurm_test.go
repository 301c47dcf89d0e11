package cluster

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/benchproof/benchproof/replay"
	"github.com/benchproof/benchproof/replay/lab"
)

func TestArrayText(t *testing.T) {
	for _, test := range []struct {
		elements []int
		atOnce   int
		want     string
	}{
		{[]int{0}, 0, "0"},
		{[]int{0, 1}, 0, "0-1"},
		{[]int{0, 1, 2, 5, 7, 8}, 0, "0-2,5,7-8"},
		{[]int{3, 4}, 1, "3-4%1"},
	} {
		if got := arrayText(test.elements, test.atOnce); got != test.want {
			t.Errorf("%v: got %s, want %s", test.elements, got, test.want)
		}
	}
}

// No text but of a fixed form comes into the command.
func TestArgv(t *testing.T) {
	j := &Job{ID: "abcdefghijkl", Minutes: 7, Elements: []Element{{Host: "n1"}, {Host: "n2"}}}
	j.Request = Request{Partition: "bench", AtOnce: 1, Options: []string{"account=lab", "comment=$(touch x); `y`"}}
	argv, err := j.Argv("/shared/a b", []int{0, 1})
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"--array=0-1%1", "--exclusive", "--requeue", "--hold", "--time=7", "--signal=B:TERM@60", "--open-mode=append",
		"--output=/shared/a b/element-%a.log", "--partition=bench", "--account=lab", "--comment=$(touch x); `y`",
	} {
		if !slices.Contains(argv, want) {
			t.Errorf("no %s in %q", want, argv)
		}
	}
	if got := argv[len(argv)-3:]; !slices.Equal(got, []string{"/shared/a b/element.sh", "/shared/a b/benchproof", "/shared/a b"}) {
		t.Errorf("the script and its arguments are %q", got)
	}
	for _, dir := range []string{"/a%j", `/a\b`, "/a\nb"} {
		if _, err := j.Argv(dir, []int{0}); err == nil {
			t.Errorf("%q is taken", dir)
		}
	}
	for _, r := range []Request{
		{Options: []string{"wrap=rm -rf /"}},
		{Options: []string{"account"}},
		{Options: []string{"account="}},
		{Options: []string{"array=1-9"}},
		{Partition: "-x"},
		{Partition: "a b"},
	} {
		j.Request = r
		if _, err := j.Argv("/a", []int{0}); err == nil {
			t.Errorf("%+v is taken", r)
		}
	}
}

// Of what was queued twice the later counts.
func TestParseQueue(t *testing.T) {
	queue, err := parseQueue("7|0|FAILED|n1|0:05|NonZeroExitCode\n7|1|RUNNING|n2|1:02|None\n12|0|PENDING||0:00|Nodes required for job are DOWN, DRAINED or reserved\n9|0|TIMEOUT|n1|1:00|None\n")
	if err != nil {
		t.Fatal(err)
	}
	if q := queue[0]; q.Array != "12" || q.State != "PENDING" || !q.waits() || q.over() || !strings.HasPrefix(q.Reason, "Nodes required") {
		t.Errorf("element 0: %+v", q)
	}
	if q := queue[1]; q.Array != "7" || q.Nodes != "n2" || q.waits() || q.over() || q.Took != "1:02" {
		t.Errorf("element 1: %+v", q)
	}
	for _, text := range []string{"slurm_load_jobs error: Unable to contact slurm controller\n", "x|0|RUNNING|n|0:00|None\n", "1|N/A|RUNNING|n|0:00|None\n"} {
		if _, err := parseQueue(text); err == nil {
			t.Errorf("%q is taken", text)
		}
	}
}

// programs puts scripts in the place of Slurm's programs.
func programs(t *testing.T, scripts map[string]string) {
	t.Helper()
	dir := t.TempDir()
	for name, text := range scripts {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("#!/bin/sh\n"+text), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("PATH", dir+":/usr/bin:/bin")
	if _, err := os.Stat("/bin/sh"); err != nil {
		t.Skip("needs /bin/sh")
	}
}

func TestHosts(t *testing.T) {
	programs(t, map[string]string{
		"sinfo":    `printf 'n1|idle|bench*\nn2|allocated|bench*\nn3|down*|bench*\nn4|draining|bench*\nm1|idle|other\nn1|idle|other\n'`,
		"scontrol": `case $3 in 'n[1-3]') printf 'n1\nn2\nn3\n' ;; n9) echo n9 ;; *) echo "scontrol: error: Invalid hostlist: $3" >&2; exit 1 ;; esac`,
	})
	ctx := context.Background()
	hosts, out, err := Hosts(ctx, "", "")
	if err != nil || !slices.Equal(hosts, []string{"n1", "n2"}) || len(out) != 2 || out[0].Name != "n3" || out[1].State != "draining" {
		t.Errorf("default partition: %q, out %v, %v", hosts, out, err)
	}
	// Named ones are waited for.
	hosts, out, err = Hosts(ctx, "n[1-3]", "")
	if err != nil || !slices.Equal(hosts, []string{"n1", "n2", "n3"}) || len(out) != 1 {
		t.Errorf("named: %q, out %v, %v", hosts, out, err)
	}
	for spec, want := range map[string]string{"n9": `no host "n9"`, "-x": "names no hosts", "n1;rm": "names no hosts", "n[": "Invalid hostlist: n["} {
		if _, _, err := Hosts(ctx, spec, ""); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %s", spec, err, want)
		}
	}
	t.Setenv("PATH", t.TempDir())
	if _, _, err := Hosts(ctx, "", ""); !errors.Is(err, ErrNoSlurm) {
		t.Errorf("without Slurm: %v", err)
	}
}

// Where an element is not given its host, nothing stays in the queue.
func TestSubmitFails(t *testing.T) {
	log := filepath.Join(t.TempDir(), "log")
	programs(t, map[string]string{
		"sbatch":   `echo 41`,
		"scontrol": `echo "scontrol $*" >>` + log + `; case $2 in JobId=41_1) echo 'slurm_update error: Invalid node name' >&2; exit 1 ;; esac`,
		"scancel":  `echo "scancel $*" >>` + log,
	})
	j := &Job{ID: "abcdefghijkl", Minutes: 5, Elements: []Element{{Host: "n1"}, {Host: "n2"}}}
	_, err := j.Submit(context.Background(), "/d", []int{0, 1})
	if err == nil || !strings.Contains(err.Error(), "Invalid node name") || !strings.Contains(err.Error(), "n2") {
		t.Errorf("got %v", err)
	}
	text, _ := os.ReadFile(log)
	if want := "scontrol update JobId=41_0 ReqNodeList=n1\nscontrol update JobId=41_1 ReqNodeList=n2\nscancel 41\n"; string(text) != want {
		t.Errorf("it ran\n%swant\n%s", text, want)
	}
}

func TestNewJob(t *testing.T) {
	seconds := 100.0
	p := &replay.Plan{Source: "s", Targets: []replay.Target{
		{Label: "a", Dir: "/m/{host}"}, {Label: "b", Lab: &lab.Config{Spec: "xfs", Dir: "/i/{host}"}},
	}, Steps: []replay.Step{
		{RunID: "1", Status: replay.Ready, Target: "a", Runs: 3, Seconds: &seconds},
		{RunID: "1", Status: replay.Ready, Target: "a", Runs: 3, Seconds: &seconds}, // another row of the same run
		{RunID: "2", Status: replay.Ready, Target: "b", Runs: 3, Seconds: &seconds},
		{RunID: "", Status: replay.Refused, Target: "b", Runs: 3},
	}}
	j, err := NewJob(p, []string{"n1", "n2"}, false)
	if err != nil || len(j.Elements) != 2 || !slices.Equal(j.Elements[1].Targets, []string{"a", "b"}) || j.Elements[1].Host != "n2" {
		t.Fatalf("got %+v, %v", j, err)
	}
	// 6 repetitions: twice 600 s, 12 s, 180 s, and 120 s for the lab.
	if s, m := j.Estimate(p); s != 600 || m != 26 {
		t.Errorf("estimate: %v s, %d minutes; want 600 and 26", s, m)
	}
	specs := j.Elements[1].Specs(p)
	if specs[0].Dir != "/m/n2" || specs[1].Lab.Dir != "/i/n2" || p.Targets[1].Lab.Dir != "/i/{host}" {
		t.Errorf("targets on n2: %+v, %+v", specs, specs[1].Lab)
	}
	if j, err = NewJob(p, []string{"n1", "n2"}, true); err != nil || len(j.Elements) != 4 || !slices.Equal(j.Elements[2].Targets, []string{"a"}) {
		t.Errorf("split: %+v, %v", j, err)
	}
	// The longest of those with the lab: 2·300 + 6 + 180 + 120.
	if s, m := j.Estimate(p); s != 300 || m < 13 || m > 16 {
		t.Errorf("estimate of the split: %v s, %d minutes", s, m)
	}
	for _, hosts := range [][]string{nil, {"n1", "n1"}, {"../x"}, {"a b"}, {""}, {"-n"}} {
		if _, err := NewJob(p, hosts, false); err == nil {
			t.Errorf("%q are taken", hosts)
		}
	}
}

// What tells of an element: the queue, its manifest, its last go, its journal.
func TestSettle(t *testing.T) {
	in := func(state string) *queued { return &queued{State: state, Reason: "None"} }
	for _, test := range []struct {
		name          string
		m             *manifest
		last          string
		q             *queued
		asked, locked bool
		want          string
	}{
		{"queued", nil, "", in("PENDING"), true, false, Waiting},
		{"requeued", nil, "began", in("PENDING"), true, false, Waiting},
		{"runs", nil, "began", in("RUNNING"), true, true, Running},
		{"ends", &manifest{}, "done", in("COMPLETING"), true, false, Running},
		{"done", &manifest{}, "done", in("COMPLETED"), true, false, Done},
		{"done, gone from the queue", &manifest{}, "done", nil, true, false, Done},
		{"some runs failed", &manifest{Failed: 2}, "done", in("FAILED"), true, false, Failed},
		{"refused", nil, "failed", in("FAILED"), true, false, Failed},
		{"time limit, saved", nil, "stopped", in("FAILED"), true, false, Stopped},
		{"time limit, killed", nil, "began", in("TIMEOUT"), true, false, Stopped},
		{"killed", nil, "began", in("FAILED"), true, false, Lost},
		{"node died, no requeue", nil, "began", in("NODE_FAIL"), true, false, Lost},
		{"killed, gone from the queue", nil, "began", nil, true, false, Lost},
		{"cancelled before it began", nil, "", in("CANCELLED"), true, false, Lost},
		{"never queued", nil, "", nil, true, false, Lost},
		{"no queue, runs here", nil, "began", nil, false, true, Running},
		{"no queue", nil, "began", nil, false, false, Unknown},
		{"no queue, done", &manifest{}, "done", nil, false, false, Done},
	} {
		e := &ElementStatus{}
		e.settle(test.m, &attempt{State: test.last}, test.q, test.asked, test.locked)
		if e.State != test.want {
			t.Errorf("%s: %s (%s), want %s", test.name, e.State, e.Reason, test.want)
		}
		if resumable := test.want == Failed || test.want == Stopped || test.want == Lost; e.Resumable() != resumable {
			t.Errorf("%s: may be submitted again: %v", test.name, e.Resumable())
		}
	}
}
