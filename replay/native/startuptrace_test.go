package native

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"testing"
)

// The figures are those published of the recorded traces.
func TestStartupTrace(t *testing.T) {
	want := map[string]struct {
		requests, threads, random, ahead int
		megabytes                        string
	}{
		"xterm":              {718, 2, 109, 554, "6.18"},
		"GNOME Terminal":     {2_781, 7, 404, 1_992, "21.05"},
		"LibreOffice Writer": {1_268, 4, 343, 662, "48.62"},
	}
	for _, s := range startups() {
		for seed := range uint64(20) {
			trace := startupTrace(s, seed)
			random, ahead, bytes, waiting := 0, 0, 0, map[int]int{}
			threads := map[int]bool{}
			for i, q := range trace {
				threads[q.Thread] = true
				bytes += q.Sectors * 512
				if q.Random {
					random++
				}
				if q.Async {
					ahead++
					waiting[q.Thread]++
				} else {
					waiting[q.Thread] = 0
				}
				if q.Sectors < 1 || q.Sectors > 256 || q.Thread < 0 || q.Thread >= s.Threads || waiting[q.Thread] > startupBurst {
					t.Fatalf("%s, seed %d: request %d is %+v with %d waiting", s.Title, seed, i, q, waiting[q.Thread])
				}
			}
			for thread, n := range waiting {
				if n > 0 {
					t.Errorf("%s, seed %d: thread %d never waits for %d requests", s.Title, seed, thread, n)
				}
			}
			w := want[s.Title]
			mb := strconv.FormatFloat(float64(bytes)/1e6, 'f', 2, 64)
			if len(trace) != w.requests || len(threads) != w.threads || random != w.random || ahead != w.ahead || mb != w.megabytes {
				t.Errorf("%s, seed %d: %d requests of %d threads, %s MB, %d random, %d ahead; published %+v",
					s.Title, seed, len(trace), len(threads), mb, random, ahead, w)
			}
		}
		if !reflect.DeepEqual(startupTrace(s, 3), startupTrace(s, 3)) || reflect.DeepEqual(startupTrace(s, 3), startupTrace(s, 4)) {
			t.Errorf("%s: a seed does not make its trace", s.Title)
		}
	}
}

// A trace that is written in the form of S is read back as it was.
func TestReadTrace(t *testing.T) {
	s := startups()[1]
	trace := startupTrace(s, 3)
	var b strings.Builder
	seen := map[int]int{} // threads are numbered as they come
	for i, q := range trace {
		if _, ok := seen[q.Thread]; !ok {
			seen[q.Thread] = len(seen)
		}
		kind, what := " Seq", "RM"
		if q.Random {
			kind = "Rand"
		}
		if q.Async {
			what = "RA"
		}
		fmt.Fprintf(&b, "gnome-%d \t.%06d %5d %d %s %d %d %s 4.666589   C\n", q.Thread, i, q.Sectors, 113314048, kind, -8, 0, what)
		trace[i].Thread = seen[q.Thread]
	}
	got, err := readTrace(strings.NewReader(b.String()))
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(got, trace) {
		t.Error("the trace is another one")
	}
	if err := s.fits(got); err != nil {
		t.Error(err)
	}
	for _, other := range []startup{startups()[0], startups()[2]} {
		if other.fits(got) == nil {
			t.Errorf("it is taken for that of %s", other.Title)
		}
	}
	if s.fits(got[1:]) == nil {
		t.Error("a shorter one is taken for it")
	}
	got[5].Sectors += 20_000
	if s.fits(got) == nil {
		t.Error("one of other sizes is taken for it")
	}
	line := "xterm-1 .1 8 1 Rand 0 0 RA 1 C\n"
	if got, err := readTrace(strings.NewReader("\n" + line)); err != nil || len(got) != 1 || got[0].Async {
		t.Errorf("the last request is %+v, %v", got, err)
	}
	for bad, want := range map[string]string{
		"":                                   "no requests",
		"xterm 1 8\n":                        "line 1: 3 fields",
		line + "xterm-1 .1 x 1 Rand 0 0 R\n": "line 2: \"x\" is no number",
		line + "xterm-1 .1 0 1 Rand 0 0 R\n": "no number of sectors",
		line + "xterm-1 .1 9999 1 Seq 0 0 R": "no number of sectors",
		line + "xterm-1 .1 8 1 seq 0 0 R\n":  "want Seq or Rand",
		strings.Repeat(line, 100_001):        "line 100001: more than 100000 requests",
		strings.Repeat("x", 1<<17):           "too long",
	} {
		if _, err := readTrace(strings.NewReader(bad)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.40q: %v, want %s", bad, err, want)
		}
	}
	many := ""
	for i := range 65 {
		many += fmt.Sprintf("p%d .1 8 1 Seq 0 0 R\n", i)
	}
	if _, err := readTrace(strings.NewReader(many)); err == nil || !strings.Contains(err.Error(), "more than 64 processes") {
		t.Errorf("65 processes: %v", err)
	}
}

func FuzzReadTrace(f *testing.F) {
	f.Add("xterm-1 \t .1 8 1 Rand 0 0 RA 1 C\nxterm-2 .1 8 1 Seq 0 0 R 1 C\n")
	f.Add("\n\x00")
	f.Fuzz(func(t *testing.T, text string) {
		trace, err := readTrace(strings.NewReader(text))
		if err != nil {
			return
		}
		if facts := factsOf(trace); facts.threads < 1 || facts.threads > maxTraceThreads || facts.sectors < len(trace) {
			t.Errorf("%q: %+v", text, facts)
		}
	})
}
