package native

import (
	"fmt"
	"math/rand/v2"
	"slices"
)

// startupFileSize is the size in bytes of the file that each thread of
// startup-time reads.
const startupFileSize = 20_000_000

// startupSector is what requests are counted in.
const startupSector = 512

// startupReadAhead is the size of a request of the read-ahead, in sectors: a
// page.
const startupReadAhead = 8

// startupBurst is how many pages are read ahead at most before one is waited
// for.
const startupBurst = 31

// startup are the published facts of the recorded start of a program.
type startup struct {
	Name      string // of the driver's flag
	Title     string // as published
	Requests  int
	Threads   int // processes that did input
	Sectors   int // of 512 bytes, of all requests
	Random    int // requests that do not go on where the last one ended
	ReadAhead int // requests that are not waited for
}

// startups returns the three programs. Their bytes are published with two
// decimals of a megabyte; the sectors are the whole number nearest to that.
func startups() []startup {
	return []startup{
		{"xterm", "xterm", 718, 2, 12_070, 109, 554},
		{"gnome-terminal", "GNOME Terminal", 2_781, 7, 41_113, 404, 1_992},
		{"libreoffice-writer", "LibreOffice Writer", 1_268, 4, 94_961, 343, 662},
	}
}

// startupRequest is one request of a trace.
type startupRequest struct {
	Thread  int
	Sectors int
	Random  bool // jumps to a random place; else it goes on in the thread's file
	Async   bool // read-ahead: submitted and not waited for
}

// startupTrace returns a made-up trace with the published numbers of requests,
// threads, bytes, random requests and read-ahead requests, for a seed always
// the same.
//
// The recorded traces are not ours to ship. Made up are their order and their
// sizes: pages that are read ahead come in bursts of up to 31 that begin at a
// random place and end in a page that is waited for, by the same thread, as a
// kernel's read-ahead gives them; the other requests are waited for one by one,
// and their sizes are those usual of a file's read (4 KiB to 128 KiB), chosen
// so that the sum is right. The first thread does most, the others are handed
// over to for a stretch each.
func startupTrace(s startup, seed uint64) []startupRequest {
	rng := newRand(seed, 3)
	bursts := burstsOf(rng, s.ReadAhead)
	sync := s.Requests - s.ReadAhead
	lone := sync - len(bursts) // requests that are waited for and end no burst

	// What stands together: a burst with its end, or a lone request.
	groups := make([][]startupRequest, 0, len(bursts)+lone)
	for _, n := range bursts {
		g := make([]startupRequest, n+1)
		for i := range g {
			g[i] = startupRequest{Sectors: startupReadAhead, Async: i < n}
		}
		g[0].Random = true
		groups = append(groups, g)
	}
	for range lone {
		groups = append(groups, []startupRequest{{}})
	}
	shuffle(rng, groups)
	// The lone requests take what is left of random places and of bytes.
	random := s.Random - len(bursts)
	places := rng.Perm(lone)
	sizes := loneSizes(rng, lone, s.Sectors-startupReadAhead*(s.ReadAhead+len(bursts)))
	i := 0
	for _, g := range groups {
		if len(g) == 1 {
			g[0].Sectors = sizes[i]
			g[0].Random = places[i] < random
			i++
		}
	}
	return handOver(rng, groups, s.Threads)
}

// burstsOf divides n requests into bursts: half of them whole, the others of
// any length.
func burstsOf(rng *rand.Rand, n int) []int {
	var bursts []int
	for n > 0 {
		b := startupBurst
		if rng.IntN(2) == 0 {
			b = 1 + rng.IntN(startupBurst)
		}
		b = min(b, n)
		bursts = append(bursts, b)
		n -= b
	}
	return bursts
}

// loneSizes returns n sizes in sectors with the sum.
func loneSizes(rng *rand.Rand, n, sum int) []int {
	usual := []int{8, 8, 16, 32, 64, 136, 224, 256, 256}
	sizes := make([]int, n)
	left := sum
	for i := range sizes {
		sizes[i] = usual[rng.IntN(len(usual))]
		left -= sizes[i]
	}
	// Make single ones greater or smaller until the sum is right.
	for left != 0 {
		i := rng.IntN(n)
		size := usual[rng.IntN(len(usual))]
		step := size - sizes[i]
		if step != 0 && (step > 0) == (left > 0) && abs(step) <= abs(left) {
			sizes[i], left = size, left-step
		} else if odd := sizes[i] + left; abs(left) < startupReadAhead && odd > 0 && odd <= 256 {
			sizes[i], left = odd, 0
		}
	}
	return sizes
}

func abs(n int) int { return max(n, -n) }

// handOver gives groups to threads: the first has most, each other a few
// stretches.
func handOver(rng *rand.Rand, groups [][]startupRequest, threads int) []startupRequest {
	owner := make([]int, len(groups))
	stretch := max(1, len(groups)/(8*threads))
	for t := 1; t < threads; t++ {
		for range 2 {
			at := 1 + rng.IntN(len(groups)-stretch-1)
			for i := range stretch {
				owner[at+i] = t
			}
		}
	}
	// A thread that another's stretches cover whole has one group at least.
	for t := 1; t < threads; t++ {
		if !slices.Contains(owner, t) {
			owner[len(owner)-t] = t
		}
	}
	var trace []startupRequest
	for i, g := range groups {
		for _, q := range g {
			q.Thread = owner[i]
			trace = append(trace, q)
		}
	}
	return trace
}

// startupNamed returns the program of a flag's value.
func startupNamed(name string) (startup, error) {
	all := startups()
	i := slices.IndexFunc(all, func(s startup) bool { return s.Name == name })
	if i < 0 {
		return startup{}, fmt.Errorf("%q: want xterm, gnome-terminal or libreoffice-writer", name)
	}
	return all[i], nil
}
