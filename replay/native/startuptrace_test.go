package native

import (
	"reflect"
	"strconv"
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
	for _, s := range Startups() {
		for seed := range uint64(20) {
			trace := StartupTrace(s, seed)
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
		if !reflect.DeepEqual(StartupTrace(s, 3), StartupTrace(s, 3)) || reflect.DeepEqual(StartupTrace(s, 3), StartupTrace(s, 4)) {
			t.Errorf("%s: a seed does not make its trace", s.Title)
		}
	}
}
