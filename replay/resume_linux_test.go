package replay

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestRunInterrupted(t *testing.T) {
	s := newStage(t, 2)
	p := s.plan(killRows, func(o *PlanOptions) { o.Request.Set, o.Request.Runs = map[string]string{"pause": "50ms"}, 2 })
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	o := s.options()
	steps := 0
	o.Notify = func(e Progress) {
		if e.Kind == StepStarted && e.Step == "fake" {
			if steps++; steps == 5 {
				time.AfterFunc(20*time.Millisecond, cancel)
			}
		}
	}
	out, err := Run(ctx, p, o)
	if !errors.Is(err, context.Canceled) || out.Stopped == "" {
		t.Fatalf("%+v, %v", out, err)
	}
	s.clean()
	if status, err := ReadStatus(s.journal); err != nil || status.State != "interrupted" || status.Left <= 0 {
		t.Errorf("status %+v, %v", status, err)
	}
	done := out.Done
	out, err = Resume(t.Context(), p, s.options())
	if err != nil || out.Done != out.Wanted || out.Done != 12 {
		t.Errorf("resumed from %d: %+v, %v", done, out, err)
	}
	s.clean()
	started := 0
	for _, e := range s.told {
		if e.Kind == Started {
			started++
		}
	}
	if started != 12-done {
		t.Errorf("%d repetitions were run again, want the %d that were missing", started, 12-done)
	}
	// Where all is done there is nothing to do.
	s.told = nil
	if out, err := Resume(t.Context(), p, s.options()); err != nil || out.Done != 12 {
		t.Errorf("resumed once more: %+v, %v", out, err)
	}
	for _, e := range s.told {
		if e.Kind == Started {
			t.Error("a finished repetition is run again")
		}
	}
}

// TestResumeRetries: what failed is tried again.
func TestResumeRetries(t *testing.T) {
	s := newStage(t, 1)
	rows := []Row{fakeRow("Mode: exit - Size: 4", "MB/s")}
	p := s.plan(rows, nil)
	s.run(p)
	out, err := Resume(t.Context(), p, s.options())
	if err != nil || out.Failed != 1 {
		t.Errorf("%+v, %v", out, err)
	}
	st, err := loadState(s.journal)
	if err != nil {
		t.Fatal(err)
	}
	if f := st.failed[p.Steps[0].RunID]; !strings.HasSuffix(f.dir, "-t2") {
		t.Errorf("the second try is kept in %q", f.dir)
	}
}

// TestResumeBlocks: where the machine changed, repetitions of an incomplete run
// are not mixed with the new ones, and a complete run stays.
func TestResumeBlocks(t *testing.T) {
	s := newStage(t, 1)
	rows := []Row{fakeRow("Mode: ok - Size: 4", "MB/s"), fakeRow("Mode: ok - Size: 5", "MB/s")}
	p := s.plan(rows, func(o *PlanOptions) { o.Request.Set = map[string]string{"pause": "20ms"} })
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	o := s.options()
	n := 0
	o.Notify = func(e Progress) {
		if e.Kind == Done {
			if n++; n == 5 {
				cancel()
			}
		}
	}
	if _, err := Run(ctx, p, o); !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	// Another kernel: the journal's is edited.
	name := filepath.Join(s.journal, journalFile)
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	kernel, err := os.ReadFile("/proc/sys/kernel/osrelease")
	if err != nil {
		t.Fatal(err)
	}
	edited := strings.Replace(string(text), `"kernel":"`+strings.TrimSpace(string(kernel))+`"`, `"kernel":"2.4.0"`, 1)
	if edited == string(text) {
		t.Fatal("the journal does not name the kernel")
	}
	if err := os.WriteFile(name, []byte(edited), 0o644); err != nil {
		t.Fatal(err)
	}
	out, err := Resume(t.Context(), p, s.options())
	if err != nil {
		t.Fatal(err)
	}
	// 3 of the first run, 2 of the second from before, 3 anew.
	if out.Done != 8 {
		t.Errorf("%+v", out)
	}
	f := s.gather(p)
	var names []string
	for _, sys := range f.Systems {
		names = append(names, sys.Identifier)
	}
	if !slices.Equal(names, []string{"a", "a (block 2)"}) {
		t.Fatalf("systems %q", names)
	}
	got := map[string]int{}
	for _, test := range f.Tests {
		for _, m := range test.Measurements {
			got[test.Arguments+" "+names[m.System]] = m.Samples
		}
	}
	want := map[string]int{"Mode: ok - Size: 4 a": 3, "Mode: ok - Size: 5 a": 2, "Mode: ok - Size: 5 a (block 2)": 3}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
