package replay

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// TestJournalTorn: a last line that does not end, as a crash leaves it, is as
// if it had not been begun, and is cut off before anything is added.
func TestJournalTorn(t *testing.T) {
	dir := t.TempDir()
	whole := `{"event":"plan","id":"x","sha256":"0"}` + "\n" + `{"event":"block","block":1}` + "\n"
	done := `{"event":"done","block":1,"run_id":"r","repetition":1,"values":[{"metric":"rate","value":1,"unit":"B/s","text":"1"}]}` + "\n"
	name := filepath.Join(dir, journalFile)
	for cut := range len(done) {
		if err := os.WriteFile(name, []byte(whole+done[:cut]), 0o644); err != nil {
			t.Fatal(err)
		}
		s, err := loadState(dir)
		if err != nil {
			t.Fatalf("cut at %d: %v", cut, err)
		}
		if len(s.done["r"]) != 0 {
			t.Fatalf("cut at %d: half a line counts", cut)
		}
		j, err := openJournal(dir)
		if err != nil {
			t.Fatal(err)
		}
		if err := j.write(event{Event: evDone, RunID: "r", Block: 1, Rep: 1}); err != nil {
			t.Fatal(err)
		}
		j.close()
		if s, err = loadState(dir); err != nil || len(s.done["r"]) != 1 {
			t.Fatalf("cut at %d: %v", cut, err)
		}
	}
	// A line in the middle that is torn is no crash's work.
	if err := os.WriteFile(name, []byte(whole+done[:20]+"\n"+done), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := loadState(dir); err == nil || !strings.Contains(err.Error(), journalFile+":3:") {
		t.Errorf("a damaged line: %v", err)
	}
}

// TestStateCountsOnce: whatever the order in which events come, and however
// often, a repetition counts once.
func TestStateCountsOnce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := newState()
		seen := map[string]bool{}
		for range rapid.IntRange(0, 40).Draw(t, "events") {
			e := event{
				Event: rapid.SampledFrom([]string{evStart, evDone, evFailed, evInterrupted, evResumed, evCleaned}).Draw(t, "event"),
				RunID: rapid.SampledFrom([]string{"x", "y"}).Draw(t, "run"),
				Block: rapid.IntRange(1, 2).Draw(t, "block"), Rep: rapid.IntRange(1, 3).Draw(t, "rep"),
			}
			if e.Event == evDone {
				seen[repKey(e.RunID, e.Block, e.Rep)] = true
			}
			s.apply(e)
		}
		n := len(s.done["x"]) + len(s.done["y"])
		if n != len(seen) {
			t.Fatalf("%d repetitions count, want %d", n, len(seen))
		}
	})
}

func TestJournalLocked(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "j")
	p := mustPlan(t, []Row{fakeRow("Mode: ok - Size: 4", "MB/s")}, fakeOptions())
	j, err := createJournal(dir, p)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := openJournal(dir); err == nil {
		t.Error("opened twice")
	}
	j.close()
	again, err := openJournal(dir)
	if err != nil {
		t.Fatal(err)
	}
	again.close()
	// It has no event yet: it is not begun, and may be made anew; then it is
	// begun.
	if j, err = createJournal(dir, p); err != nil {
		t.Fatal(err)
	}
	if _, err := createJournal(dir, p); !errors.Is(err, ErrJournalExists) {
		t.Errorf("made while another is about to begin: %v", err)
	}
	if err := j.write(event{Event: evPlan, ID: "x"}); err != nil {
		t.Fatal(err)
	}
	j.close()
	if _, err := createJournal(dir, p); !errors.Is(err, ErrJournalExists) {
		t.Errorf("made over one that is begun: %v", err)
	}
	// A directory with something else in it is no place for a journal.
	full := t.TempDir()
	if err := os.WriteFile(filepath.Join(full, "x"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := createJournal(full, p); err == nil {
		t.Error("made among other files")
	}
}

// TestMeanText: the means that the test suite prints of runs, worked by hand.
func TestMeanText(t *testing.T) {
	for _, tt := range []struct {
		values string
		want   string
	}{
		{"4.50 4.50 4.50", "4.50"},
		{"1 2", "2"},                   // 1.5 is rounded away from zero
		{"1 2 2", "2"},                 // 1.667
		{"1 1 2", "1"},                 // 1.333
		{"1.0 2", "1.50"},              // one decimal point is enough
		{"0.145 0.145 0.151", "0.147"}, // a latency keeps its digits
		{"86.08 85.02 87.14", "86.08"},
		{"9.127 9.13", "9.129"}, // 9.1285
		{"98.706 98.707", "98.71"},
		{"12915.168085", "12915.17"},
	} {
		if got := meanText(strings.Fields(tt.values)); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.values, got, tt.want)
		}
	}
}
