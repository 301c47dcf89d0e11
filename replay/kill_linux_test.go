package replay

import (
	"errors"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/benchproof/benchproof/replay/internal/target"
)

// TestRunKilled kills the process that replays at random moments, has another
// go on each time, and compares the final record with that of a replay that
// nobody disturbed.
func TestRunKilled(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	shape := func(s *stage) map[string][]string {
		p, err := JournalPlan(s.journal)
		if err != nil {
			t.Fatal(err)
		}
		m := map[string][]string{}
		f := s.gather(p)
		for _, test := range f.Tests {
			for _, v := range test.Measurements {
				m[test.Arguments+" "+test.Scale+" "+f.Systems[v.System].Identifier] = v.RawValues
			}
		}
		return m
	}
	const pause = "150ms" // so that nothing is over before the kills are
	calm := newStage(t, 2)
	if _, err := runFake(t.Context(), calm.journal, pause, calm.specs); err != nil {
		t.Fatal(err)
	}
	want := shape(calm)
	if len(want) != 8 {
		t.Fatalf("%d measurements, want 4 rows on 2 targets", len(want))
	}
	s := newStage(t, 2)
	args := []string{runnerArg, s.journal, pause, s.specs[0].Dir, s.specs[1].Dir}
	random := rand.New(rand.NewPCG(6, 2019))
	kills := 0
	for kills < 20 {
		cmd := exec.Command(self, args...)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		// From before its first line to a few repetitions later.
		time.Sleep(time.Duration(random.IntN(350)) * time.Millisecond)
		_ = cmd.Process.Kill()
		if err := cmd.Wait(); err == nil {
			break // it had ended
		}
		kills++
	}
	if t.Logf("%d kills", kills); kills < 15 {
		t.Errorf("it ended after %d kills, want 20 or nearly", kills)
	}
	if _, err := runFake(t.Context(), s.journal, pause, s.specs); err != nil {
		t.Fatal(err)
	}
	s.clean()
	if diff := cmp.Diff(want, shape(s)); diff != "" {
		t.Errorf("after %d kills: %s", kills, diff)
	}
}

func TestClean(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	s := newStage(t, 1)
	mine := filepath.Join(s.specs[0].Dir, "precious")
	if err := os.WriteFile(mine, []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	other := filepath.Join(s.specs[0].Dir, target.ScratchPrefix+"another")
	if err := os.Mkdir(other, 0o700); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(self, runnerArg, s.journal, "1500ms", s.specs[0].Dir)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	// begun waits until one more repetition has begun than there had, and its
	// directory is there.
	starts := 0
	begun := func() {
		t.Helper()
		for end := time.Now().Add(20 * time.Second); ; time.Sleep(5 * time.Millisecond) {
			text, _ := os.ReadFile(filepath.Join(s.journal, journalFile)) // not there at first
			found, _ := filepath.Glob(filepath.Join(s.specs[0].Dir, target.ScratchPrefix+"*/w/data"))
			if n := strings.Count(string(text), `"event":"start"`); n > starts && len(found) > 0 {
				starts = n
				return
			}
			if time.Now().After(end) {
				t.Fatal("it does not begin")
			}
		}
	}
	begun()
	if _, err := Clean(t.Context(), s.journal); !errors.Is(err, ErrLocked) {
		t.Errorf("cleaned while it runs: %v", err)
	}
	begun()
	if status, err := ReadStatus(s.journal); err != nil || status.State != "running" || status.Running == nil {
		t.Errorf("status %+v, %v", status, err)
	}
	_ = cmd.Process.Kill()
	_ = cmd.Wait()
	for end := time.Now().Add(lockPatience); isLocked(s.journal) && time.Now().Before(end); {
		time.Sleep(10 * time.Millisecond)
	}
	if status, err := ReadStatus(s.journal); err != nil || status.State != "stopped" {
		t.Errorf("status %+v, %v", status, err)
	}
	did, err := Clean(t.Context(), s.journal)
	if err != nil || len(did) == 0 {
		t.Errorf("cleaned %q, %v", did, err)
	}
	list, err := os.ReadDir(s.specs[0].Dir)
	if err != nil || len(list) != 2 {
		t.Errorf("left: %v, want the file and the directory that are not the replay's", list)
	}
	if did, err := Clean(t.Context(), s.journal); err != nil || len(did) != 0 {
		t.Errorf("cleaned again: %q, %v", did, err)
	}
}
