package main

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/benchproof/benchproof/replay"
	"github.com/benchproof/benchproof/replay/profile"
)

// hostileRun would act on a terminal.
const hostileRun = "Fake 1.0 \x1b[2JMode: ok"

func replayEvents() []replay.Progress {
	value := replay.Value{Sample: profile.Sample{Metric: "rate", Value: 4.5}, Text: "4.50"}
	censored := replay.Value{Sample: profile.Sample{Metric: "iops"}, Reason: "below 10k"}
	return []replay.Progress{
		{Kind: replay.Begun, Total: 2, Left: 20 * time.Second},
		{Kind: replay.Started, Run: hostileRun, Target: "ssd", Rep: 1, Expected: 10 * time.Second, Total: 2, Left: 20 * time.Second},
		{Kind: replay.StepStarted, Run: hostileRun, Target: "ssd", Rep: 1, Step: "fake", Total: 2, Left: 20 * time.Second},
		{Kind: replay.Done, Run: hostileRun, Target: "ssd", Rep: 1, Values: []replay.Value{value, censored}, Seconds: 9, Finished: 1, Total: 2, Left: 9 * time.Second},
		{Kind: replay.Failed, Run: hostileRun, Target: "hdd", Rep: 1, Reason: "exit code 7", Dir: "j/runs/x", Finished: 1, Failures: 1, Total: 2},
		{Kind: replay.Ended, Finished: 1, Failures: 1, Total: 2},
	}
}

// progressText returns what the progress of the events prints.
func progressText(g globals, terminal bool) string {
	var b bytes.Buffer
	e := &env{stderr: &b, stderrTerminal: terminal, width: 80, getenv: func(string) string { return "" }}
	p := newReplayProgress(e, newMessages(e, &g))
	for _, event := range replayEvents() {
		p.tell(event)
		if terminal && event.Kind == replay.StepStarted {
			time.Sleep(300 * time.Millisecond) // two refreshes of the bars
		}
	}
	p.end()
	return b.String()
}

// TestReplayProgressLines: without a terminal there is one line a repetition.
func TestReplayProgressLines(t *testing.T) {
	want := `benchproof: info: 1/2 on ssd: rate 4.50, iops not published: below 10k: Fake 1.0 \x1b[2JMode: ok (9 s)
benchproof: info: failed: Fake 1.0 \x1b[2JMode: ok on hdd: exit code 7 (j/runs/x)
`
	if got := progressText(globals{progress: "auto"}, false); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	for _, g := range []globals{{progress: "none"}, {progress: "auto", quiet: true}} {
		if got := progressText(g, false); got != "" {
			t.Errorf("%+v prints %q", g, got)
		}
	}
}

// TestReplayProgressBars: on a terminal there are bars, and what has ended
// stays as a line.
func TestReplayProgressBars(t *testing.T) {
	got := progressText(globals{progress: "auto", ascii: true}, true)
	for _, want := range []string{
		"fake: Fake 1.0 \\x1b[2JMode: ok on ssd", "#1 0 s", "0 of 2 repetitions, about 20 s left", "[",
		"1/2 on ssd: rate 4.50", "failed: Fake 1.0",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not in %q", want, got)
		}
	}
	if strings.Contains(got, "\x1b[2J") {
		t.Error("published text acts on the terminal")
	}
	for _, line := range strings.Split(strings.ReplaceAll(got, "\x1b[2A\x1b[J", ""), "\n") {
		if n := len([]rune(strings.TrimRight(line, "\r"))); n > 80 {
			t.Errorf("%d letters: %q", n, line)
		}
	}
}

func TestReplayProgressJSON(t *testing.T) {
	got := progressText(globals{progress: "json"}, true)
	lines := strings.Split(strings.TrimSpace(got), "\n")
	if len(lines) != len(replayEvents()) {
		t.Fatalf("%d lines, want one an event:\n%s", len(lines), got)
	}
	var e struct {
		Event, Kind string
		Done, Total int
		SecondsLeft float64 `json:"seconds_left"`
		Values      []struct{ Metric, Value, Reason string }
	}
	if err := json.Unmarshal([]byte(lines[3]), &e); err != nil {
		t.Fatal(err)
	}
	if e.Event != "replay" || e.Kind != "done" || e.Done != 1 || e.Total != 2 || e.SecondsLeft != 9 ||
		len(e.Values) != 2 || e.Values[0].Value != "4.50" || e.Values[1].Reason != "below 10k" {
		t.Errorf("%+v", e)
	}
}

// TestReplayProgressNoDeadlock: a bar that is moved on just while it is drawn,
// and asks for its text, does not stop the replay.
func TestReplayProgressNoDeadlock(t *testing.T) {
	var b bytes.Buffer
	e := &env{stderr: &b, stderrTerminal: true, width: 80, getenv: func(string) string { return "" }}
	p := newReplayProgress(e, newMessages(e, &globals{progress: "auto"}))
	p.tell(replay.Progress{Kind: replay.Started, Run: "r", Target: "t", Rep: 1, Expected: time.Hour, Total: 1})
	moved := make(chan struct{})
	go func() {
		defer close(moved)
		for end := time.Now().Add(500 * time.Millisecond); time.Now().Before(end); { // some refreshes of the bars
			p.advance()
		}
	}()
	select {
	case <-moved:
	case <-time.After(20 * time.Second):
		t.Fatal("the bar waits for its text, and the text for the bar")
	}
	p.end()
}
