package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/benchproof/benchproof/corpus"
)

// timedRun runs benchproof in a process of its own.
func timedRun(t *testing.T, args ...string) (stdout string, wall, cpu time.Duration, peak float64) {
	t.Helper()
	c := process(t, args...)
	var out, stderr strings.Builder
	c.Stdout, c.Stderr = &out, &stderr
	begun := time.Now()
	if err := c.Run(); err != nil {
		t.Fatalf("%v: %v\n%s", args, err, stderr.String())
	}
	p := c.ProcessState
	return out.String(), time.Since(begun), p.UserTime() + p.SystemTime(), peakMiB(p)
}

// TestCorpusScale makes as many files as BENCHPROOF_CORPUS_SCALE says below
// BENCHPROOF_CORPUS_DIR, adds a quarter, a half and all of them, each to a set
// of its own, adds all again, and asks for medians. make bench-corpus runs it.
func TestCorpusScale(t *testing.T) {
	n, err := strconv.Atoi(os.Getenv("BENCHPROOF_CORPUS_SCALE"))
	if err != nil || n < 1000 {
		t.Skip("BENCHPROOF_CORPUS_SCALE asks for no files; make bench-corpus does")
	}
	dir := os.Getenv("BENCHPROOF_CORPUS_DIR")
	if dir == "" {
		dir = t.TempDir()
	}
	made := filepath.Join(dir, "made")
	if _, err := os.Stat(filepath.Join(dir, "made.done")); err != nil {
		shapes := newCorpusShapes(t, 100)
		for i := range n {
			if err := shapes.write(made, i); err != nil {
				t.Fatal(err)
			}
		}
		if err := os.WriteFile(filepath.Join(dir, "made.done"), nil, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	directories, err := filepath.Glob(filepath.Join(made, "*"))
	if err != nil || len(directories) == 0 {
		t.Fatal(directories, err)
	}
	set := ""
	for _, part := range []int{4, 2, 1} {
		set = filepath.Join(dir, fmt.Sprintf("set-%d", n/part))
		if err := os.RemoveAll(set); err != nil {
			t.Fatal(err)
		}
		args := append([]string{"corpus", "add", "--json", "--into", set}, directories[:len(directories)/part]...)
		out, wall, cpu, peak := timedRun(t, args...)
		var r corpus.Report
		if err := json.Unmarshal([]byte(out), &r); err != nil {
			t.Fatal(err)
		}
		t.Logf("%d files, %d values, %d MB: %.1f s (%.0f files/s), CPU %.1f s (%.0f files a CPU s), peak %.0f MiB, %d parts",
			r.Files, r.Measurements, r.Bytes>>20, wall.Seconds(), float64(r.Files)/wall.Seconds(), cpu.Seconds(), float64(r.Files)/cpu.Seconds(), peak, r.Parts)
		if part == 1 {
			out, wallAgain, cpuAgain, peak := timedRun(t, args...)
			if err := json.Unmarshal([]byte(out), &r); err != nil || r.Read != 0 || r.Unchanged != r.Inputs {
				t.Errorf("again: %+v, %v", r, err)
			}
			t.Logf("again: %.2f s, CPU %.2f s, peak %.0f MiB: %.0f times faster in time, %.0f in CPU", wallAgain.Seconds(), cpuAgain.Seconds(), peak,
				wall.Seconds()/wallAgain.Seconds(), cpu.Seconds()/cpuAgain.Seconds())
			if cpu < 20*cpuAgain {
				t.Errorf("the second add took more than a twentieth of the first: CPU %v of %v", cpuAgain, cpu)
			}
		}
	}
	if _, err := corpus.FindEngine(os.Getenv("BENCHPROOF_SQL")); err != nil {
		t.Logf("no question asked: %v", err)
		return
	}
	const question = `SELECT test, version, arguments, scale, file_system, median(number), exp(avg(ln(number))), count(*) FROM results WHERE number > 0 GROUP BY ALL`
	for range 3 {
		_, wall, cpu, _ := timedRun(t, "corpus", "query", "--from", set, "--engine", os.Getenv("BENCHPROOF_SQL"), "--format", "csv", "--verbose", question)
		t.Logf("medians and geometric means: %.2f s, CPU of benchproof and its engine %.2f s", wall.Seconds(), cpu.Seconds())
	}
}
