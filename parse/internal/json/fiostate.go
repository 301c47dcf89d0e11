package json

import "strconv"

// fioState is what tells whether two outputs are of one run of fio: with
// --status-interval it prints one every so often, each with all so far.
type fioState struct {
	seconds, milliseconds int64 // when it was printed
	jobs                  []fioProgress
}

// fioProgress is how far a job had come.
type fioProgress struct {
	name, host string
	elapsed    int64            // seconds since fio began
	runtime    int64            // milliseconds, the longest of its directions
	bytes      map[string]int64 // by direction
}

// fioOverlap is by how many milliseconds a run must have begun before an output
// was printed to be the run of that output. fio prints both to the millisecond.
const fioOverlap = 100

// follows reports whether the output is a later one of the same run as before:
// of the same jobs, which have done no less, and begun before that was printed.
// Two runs after each other never are: the second begins when the first has been
// printed.
func (s *fioState) follows(before *fioState) bool {
	if len(s.jobs) == 0 || len(s.jobs) != len(before.jobs) || s.seconds < before.seconds {
		return false
	}
	runtime, elapsed := int64(0), int64(0)
	for i := range s.jobs {
		now, was := &s.jobs[i], &before.jobs[i]
		if now.name != was.name || now.host != was.host {
			return false
		}
		for direction, n := range was.bytes {
			if now.bytes[direction] < n {
				return false
			}
		}
		runtime, elapsed = max(runtime, now.runtime), max(elapsed, now.elapsed)
	}
	if s.milliseconds > 0 && before.milliseconds > 0 && before.milliseconds-(s.milliseconds-runtime) >= fioOverlap {
		return true
	}
	// Those that ran are rounded up, and those of the clock down.
	return before.seconds > 0 && before.seconds-(s.seconds-elapsed) >= 2
}

// wholeNumber returns a number without a fraction, 0 for another.
func wholeNumber(n number) int64 {
	v, err := strconv.ParseInt(n.text, 10, 64)
	if err != nil || v < 0 {
		return 0
	}
	return v
}

// progress keeps how far a job had come.
func (s *fioState) progress(job *fioJob) {
	p := fioProgress{name: job.name, host: job.host, elapsed: wholeNumber(job.elapsed), bytes: map[string]int64{}}
	for _, d := range job.directions {
		p.runtime = max(p.runtime, wholeNumber(d.runtime))
		p.bytes[d.name] = wholeNumber(d.transferred)
	}
	s.jobs = append(s.jobs, p)
}

// replacesFio reports whether an output stands for the one before it, of which
// it is a later state.
func replacesFio(before, r *reader) bool {
	if before.f.Generator != r.f.Generator || !r.fioState.follows(&before.fioState) {
		return false
	}
	r.states = before.states + 1
	return true
}
