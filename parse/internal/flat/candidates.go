package flat

import (
	"math"
	"strings"
	"unicode/utf8"
)

// identifierCost is the cost of one more identifier.
const identifierCost = 3

// segment is one candidate identifier.
type segment struct {
	name string
	form string
	word string  // its first word, "" if it is the only one
	last string  // its last word, "" if it is the only one
	cost float64 // by itself, its end included
}

// startsOf returns the identifiers that may begin at each place of run.
func startsOf(run, cells string) [][]*segment {
	splits := splitWordCost(run)
	starts := make([][]*segment, len(run))
	for i := range starts {
		if !mayCut(run, i) {
			continue
		}
		for j := i + 1; j <= len(run) && j-i <= maxLength; j++ {
			if !mayCut(run, j) {
				continue
			}
			seg := newSegment(run, i, j, cells)
			seg.cost += splits[j]
			starts[i] = append(starts[i], seg)
		}
	}
	return starts
}

// restCost is the least that identifiers from a place on cost by themselves.
type restCost struct {
	count int // identifiers in all, 0 if unknown
	cost  [][]float64
}

// restCosts returns the costs for each place and each number of identifiers
// still to come; with one number for all where their count is unknown.
func restCosts(run string, starts [][]*segment, count int) restCost {
	n := max(count, 1)
	r := restCost{count: count, cost: make([][]float64, len(run)+1)}
	for i := range r.cost {
		r.cost[i] = make([]float64, n+1)
		for k := range r.cost[i] {
			r.cost[i][k] = math.Inf(1)
		}
	}
	r.cost[len(run)][0] = 0
	for i := len(run) - 1; i >= 0; i-- {
		for _, seg := range starts[i] {
			j := i + len(seg.name)
			if count == 0 {
				r.cost[i][0] = math.Min(r.cost[i][0], seg.cost+r.cost[j][0])
				continue
			}
			for k := 1; k <= n; k++ {
				r.cost[i][k] = math.Min(r.cost[i][k], seg.cost+r.cost[j][k-1])
			}
		}
	}
	return r
}

// at returns the least cost of the rest of a run behind place i, when used
// identifiers are before it; +Inf if they cannot be completed.
func (r restCost) at(i, used int) float64 {
	if r.count == 0 {
		if used > 64 {
			return math.Inf(1)
		}
		return r.cost[i][0]
	}
	if used > r.count {
		return math.Inf(1)
	}
	return r.cost[i][r.count-used]
}

// newSegment returns run[i:j] as an identifier.
func newSegment(run string, i, j int, cells string) *segment {
	name := run[i:j]
	if isSpaced(run) {
		return spacedSegment(run, i, j, cells)
	}
	// Where their number is not known, fewer identifiers are likelier.
	s := &segment{name: name, form: formOf(name), cost: identifierCost + segmentCost(name, cells)}
	if w := firstWord(name); len(w) < len(name) {
		s.word = w
		s.last = name[strings.LastIndexByte(name, ' ')+1:]
	}
	if j < len(run) {
		a, _ := utf8.DecodeLastRuneInString(run[:j])
		b, _ := utf8.DecodeRuneInString(run[j:])
		s.cost += boundaryCost(a, b)
	}
	return s
}

// spacedSegment is newSegment for the spaced form: every blank may end an
// identifier, and as likely stands within one.
func spacedSegment(run string, i, j int, cells string) *segment {
	name := strings.TrimSuffix(run[i:j], " ")
	s := &segment{name: run[i:j], form: formOf(name), cost: identifierCost + segmentCost(name, cells)}
	if w := firstWord(name); len(w) < len(name) {
		s.word = w
		s.last = name[strings.LastIndexByte(name, ' ')+1:]
	}
	s.cost += 1.5 * float64(strings.Count(name, " "))
	for k := range name {
		// A known word behind a blank is likelier another identifier.
		if k > 0 && name[k-1] == ' ' {
			if w := firstWord(name[k:]); startWords[w] && len(w) > 2 {
				s.cost += 1.5
				if k+len(w) == len(name) {
					s.cost += 2
				}
			}
		}
	}
	return s
}

// formOf returns the form of a name: its kinds of letters, runs of equal
// kinds taken together.
func formOf(name string) string {
	var b strings.Builder
	var prev byte
	for _, r := range name {
		c := byte('.')
		switch kindOf(r) {
		case kindLower:
			c = 'a'
		case kindUpper:
			c = 'A'
		case kindDigit:
			c = '0'
		default:
			if r == ' ' {
				c = ' '
			}
		}
		if c != prev {
			b.WriteByte(c)
		}
		prev = c
	}
	return b.String()
}
