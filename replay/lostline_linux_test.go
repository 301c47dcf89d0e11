package replay

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"
)

// TestResumeLostLine: whichever line of a journal is lost, written twice or out
// of its place, going on ends, and has every repetition once.
func TestResumeLostLine(t *testing.T) {
	s := newStage(t, 1)
	p := s.plan([]Row{fakeRow("Mode: ok - Size: 4", "MB/s")}, func(o *PlanOptions) { o.Request.Runs = 2 })
	s.run(p)
	name := filepath.Join(s.journal, journalFile)
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	whole := bytes.SplitAfter(bytes.TrimSuffix(text, []byte("\n")), []byte("\n"))
	whole[len(whole)-1] = append(whole[len(whole)-1], '\n')
	for i := 1; i < len(whole); i++ {
		var e event
		if err := json.Unmarshal(whole[i], &e); err != nil {
			t.Fatal(err)
		}
		changes := map[string][][]byte{
			"without": slices.Delete(slices.Clone(whole), i, i+1),
			"twice":   slices.Insert(slices.Clone(whole), i, whole[i]),
		}
		if i > 1 {
			early := slices.Clone(whole)
			early[i-1], early[i] = early[i], early[i-1]
			changes["too early"] = early
		}
		for what, lines := range changes {
			if err := os.WriteFile(name, bytes.Join(lines, nil), 0o644); err != nil {
				t.Fatal(err)
			}
			ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
			out, err := Resume(ctx, p, s.options())
			cancel()
			if err != nil || out.Failed > 0 || out.Done != out.Wanted {
				t.Fatalf("%s line %d (%s): %+v, %v", what, i+1, e.Event, out, err)
			}
			// Without the line that begins a block it is not known which
			// repetitions are of one.
			if e.Event == evBlock {
				continue
			}
			st, err := loadState(s.journal)
			if err != nil {
				t.Fatal(err)
			}
			for _, step := range p.Steps {
				var reps []int
				for _, r := range st.done[step.RunID] {
					reps = append(reps, r.rep)
				}
				slices.Sort(reps)
				if !slices.Equal(reps, []int{1, 2}) {
					t.Errorf("%s line %d (%s): %s has the repetitions %v", what, i+1, e.Event, step.Target, reps)
				}
			}
			if status, err := ReadStatus(s.journal); err != nil || status.Done != 2 || status.Total != 2 || status.State != "ended" {
				t.Errorf("%s line %d (%s): status %+v, %v", what, i+1, e.Event, status, err)
			}
			s.clean()
		}
	}
}
