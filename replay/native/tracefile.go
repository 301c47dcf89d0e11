package native

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/benchproof/benchproof/internal/phrase"
)

// Bounds of a trace that somebody gives.
const (
	maxTraceRequests = 100_000
	maxTraceThreads  = 64
	maxTraceSectors  = 8_192 // of a request
	maxTraceWaiting  = 4_096 // read-ahead requests at once
)

// readTrace reads a trace in the form of the suite S: a line a request, with
// the process, the pause before it (which is not kept), its sectors of 512
// bytes, its place, "Seq" or "Rand", two numbers, and what it is: "RA" is
// read-ahead, all else is waited for. A process is a thread, numbered in the
// order in which they come. Lines are counted from 1 in errors.
func readTrace(r io.Reader) ([]startupRequest, error) {
	var trace []startupRequest
	threads := make(map[string]int)
	lines := bufio.NewScanner(r)
	for n := 1; lines.Scan(); n++ {
		f := strings.Fields(lines.Text())
		if len(f) == 0 {
			continue
		}
		if len(f) < 8 {
			return nil, fmt.Errorf("line %d: %s, want 8 at least", n, phrase.Count(len(f), "field"))
		}
		sectors, err := strconv.Atoi(f[2])
		switch {
		case err != nil || sectors < 1 || sectors > maxTraceSectors:
			return nil, fmt.Errorf("line %d: %.40q is no number of sectors from 1 to %d", n, f[2], maxTraceSectors)
		case f[4] != "Seq" && f[4] != "Rand":
			return nil, fmt.Errorf("line %d: found %.40q, want Seq or Rand", n, f[4])
		case len(trace) == maxTraceRequests:
			return nil, fmt.Errorf("line %d: more than %d requests", n, maxTraceRequests)
		}
		thread, ok := threads[f[0]]
		if !ok {
			if thread = len(threads); thread == maxTraceThreads {
				return nil, fmt.Errorf("line %d: more than %d processes", n, maxTraceThreads)
			}
			threads[f[0]] = thread
		}
		trace = append(trace, startupRequest{Thread: thread, Sectors: sectors, Random: f[4] == "Rand", Async: f[7] == "RA"})
	}
	if err := lines.Err(); err != nil {
		return nil, err
	}
	if len(trace) == 0 {
		return nil, fmt.Errorf("there are no requests")
	}
	// The last is waited for, whatever it is.
	trace[len(trace)-1].Async = false
	return trace, nil
}

// traceFacts are what a trace comes to.
type traceFacts struct {
	threads, sectors, random, ahead int
	waiting                         int // most read-ahead requests of a thread at once
}

func factsOf(trace []startupRequest) traceFacts {
	var f traceFacts
	waiting := make(map[int]int)
	for _, q := range trace {
		f.threads = max(f.threads, q.Thread+1)
		f.sectors += q.Sectors
		if q.Random {
			f.random++
		}
		if q.Async {
			f.ahead++
			waiting[q.Thread]++
		} else {
			waiting[q.Thread] = 0
		}
		f.waiting = max(f.waiting, waiting[q.Thread])
	}
	return f
}

// fits returns an error where a trace is not that of the program: its requests,
// its processes, its bytes in hundredths of a megabyte, and what is read ahead
// (of which the last request may have been one) must be the published ones.
func (s startup) fits(trace []startupRequest) error {
	f := factsOf(trace)
	hundredths := func(sectors int) int { return (sectors*startupSector + 5_000) / 10_000 }
	switch {
	case len(trace) != s.Requests:
		return fmt.Errorf("the trace is not that of %s: %s, want %d", s.Title, phrase.Count(len(trace), "request"), s.Requests)
	case f.threads != s.Threads:
		return fmt.Errorf("the trace is not that of %s: %s, want %d", s.Title, phrase.Count(f.threads, "process"), s.Threads)
	case hundredths(f.sectors) != hundredths(s.Sectors):
		return fmt.Errorf("the trace is not that of %s: %d bytes, want %.2f MB", s.Title, f.sectors*startupSector, float64(s.Sectors*startupSector)/1e6)
	case f.ahead != s.ReadAhead && f.ahead != s.ReadAhead-1:
		return fmt.Errorf("the trace is not that of %s: %s ahead, want %d", s.Title, phrase.Count(f.ahead, "request"), s.ReadAhead)
	case f.waiting > maxTraceWaiting:
		return fmt.Errorf("the trace has %d requests that wait at once, more than %d", f.waiting, maxTraceWaiting)
	}
	return nil
}
