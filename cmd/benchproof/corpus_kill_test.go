package main

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/benchproof/benchproof/corpus"
	"github.com/benchproof/benchproof/result"
)

// corpusRecords returns the JSON of all files of a corpus by their ID.
func corpusRecords(t *testing.T, dir string) map[string]string {
	t.Helper()
	c, err := corpus.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]string{}
	if err := c.Each(func(id string, f *result.File) error {
		var b bytes.Buffer
		if err := result.EncodeJSON(&b, []*result.File{f}); err != nil {
			return err
		}
		if all[id] != "" {
			return fmt.Errorf("file %s stands twice", id)
		}
		all[id] = b.String()
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	return all
}

// An add that is killed at any moment leaves the set readable, with nothing but
// whole files of the right content; adding again makes the set that one
// uninterrupted add makes.
func TestCorpusKilled(t *testing.T) {
	computes(t)
	if runtime.GOOS == "windows" {
		t.Skip("needs a kill that asks nobody")
	}
	if testing.Short() {
		t.Skip("kills many processes")
	}
	dir := t.TempDir()
	made, whole, set := filepath.Join(dir, "made"), filepath.Join(dir, "whole"), filepath.Join(dir, "set")
	shapes := newCorpusShapes(t, 16)
	for i := range 1500 {
		if err := shapes.write(made, i); err != nil {
			t.Fatal(err)
		}
	}
	begun := time.Now()
	timedRun(t, "corpus", "add", made, "--into", whole, "--jobs", "2")
	took := time.Since(begun)
	want := corpusRecords(t, whole)
	if len(want) != 1500 {
		t.Fatalf("%d files", len(want))
	}
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d, %v uninterrupted", seed, took)
	random := rand.New(rand.NewPCG(seed, 0))
	killed, partly := 0, 0
	for range 10 {
		// After a while, or as soon as a part has come in.
		parts, _ := filepath.Glob(filepath.Join(set, "data", "*"))
		more := len(parts) + random.IntN(4)
		deadline := time.Now().Add(time.Duration(random.Int64N(int64(took))))
		c := process(t, "corpus", "add", made, "--into", set, "--jobs", "2")
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		ended := make(chan error, 1)
		go func() { ended <- c.Wait() }()
		tick := time.NewTicker(time.Millisecond)
		waiting := true
		for waiting {
			select {
			case err := <-ended:
				ended <- err
				waiting = false
			case <-tick.C:
				now, _ := filepath.Glob(filepath.Join(set, "data", "*"))
				waiting = len(now) <= more && time.Now().Before(deadline)
			}
		}
		tick.Stop()
		if err := c.Process.Kill(); err != nil && !errors.Is(err, os.ErrProcessDone) {
			t.Fatal(err)
		}
		var exit *exec.ExitError
		if err := <-ended; errors.As(err, &exit) {
			killed++
		}
		if _, err := os.Stat(filepath.Join(set, "manifest.json")); err != nil {
			continue // killed before it began
		}
		got := corpusRecords(t, set)
		for id, f := range got {
			if want[id] != f {
				t.Fatalf("file %s is another after a kill", id)
			}
		}
		if len(got) > 0 && len(got) < len(want) {
			partly++
		}
	}
	t.Logf("%d killed, %d times with a part of the set", killed, partly)
	timedRun(t, "corpus", "add", made, "--into", set)
	if diff := cmp.Diff(want, corpusRecords(t, set)); diff != "" {
		t.Errorf("another set: %.2000s", diff)
	}
	var infos [2]corpus.Info
	for i, d := range []string{whole, set} {
		c, err := corpus.Open(d)
		if err != nil {
			t.Fatal(err)
		}
		if infos[i], err = c.Info(); err != nil {
			t.Fatal(err)
		}
	}
	if infos[0].Inputs != infos[1].Inputs || infos[0].Paths != infos[1].Paths || infos[1].Superseded != 0 {
		t.Errorf("%+v and %+v", infos[0], infos[1])
	}
	for _, d := range []string{"data", "pending"} {
		entries, err := os.ReadDir(filepath.Join(set, d))
		if err != nil || d == "data" && len(entries) != infos[1].Parts || d == "pending" && len(entries) > 0 {
			t.Errorf("%s holds %d, %v", d, len(entries), err)
		}
	}
}
