package text

import (
	"strings"

	"github.com/benchproof/benchproof/parse/internal/vocab"
	"github.com/benchproof/benchproof/result"
)

// rawSystem is a system of collapsed text whose identifier is not divided
// from what stands before it.
type rawSystem struct {
	// before ends with the identifier. Of the first system it begins with
	// title and description, of the others with the last component's value
	// of the system before.
	before             span
	hardware, software []result.Component
	// last is where the value of the last component begins.
	last int
	// keys are the known keys it has, a bit each.
	keys uint64

	named  bool
	ident  string
	at     int // the identifier begins here
	decode result.Decode
}

// lastComponent returns the component whose value has no mark at its end.
func (s *rawSystem) lastComponent() *result.Component {
	switch {
	case len(s.software) > 0:
		return &s.software[len(s.software)-1]
	case len(s.hardware) > 0:
		return &s.hardware[len(s.hardware)-1]
	}
	return nil
}

// keyAt is a component key in collapsed text.
type keyAt struct {
	start, value int // the key and its value begin here
	key          vocab.Key
	behind       byte // the byte before the key but for white space, 0 for none
}

func (k keyAt) isOS() bool { return k.key.Name() == "OS" }

// nextKey returns the next known component key in text[lo:hi].
func nextKey(text string, lo, hi int) (k keyAt, ok bool) {
	const longest = 40 // bytes of a key, with room for white space in it
	for i := lo; i < hi; {
		colon := strings.IndexByte(text[i:hi], ':')
		if colon < 0 {
			break
		}
		colon += i
		i = colon + 1
		if i < hi && !isSpace(text[i]) {
			continue
		}
		from := max(lo, colon-longest)
		start, key, known := vocab.KeyBefore(text[from:colon])
		if !known {
			continue
		}
		k = keyAt{start: from + start, value: i, key: key}
		_, end := trim(text, lo, k.start)
		if end > lo {
			k.behind = text[end-1]
		}
		return k, true
	}
	return k, false
}

// firstSystem returns the first key in text[lo:hi] that begins a system's
// components: it follows an identifier's colon, and another key follows it.
func firstSystem(text string, lo, hi int) (k keyAt, ok bool) {
	for at := lo; ; at = k.value {
		if k, ok = nextKey(text, at, hi); !ok {
			return k, false
		}
		if !begins(k) {
			continue
		}
		next, more := nextKey(text, k.value, hi)
		if more && next.behind != ':' {
			return k, true
		}
	}
}

// begins reports whether a key is the first of a system: hardware, or an
// operating system where there is no hardware, behind an identifier's colon.
func begins(k keyAt) bool {
	return k.behind == ':' && (k.key.Kind() == vocab.Hardware || k.isOS())
}

// rawSystems reads the systems of text[lo:hi]. The last value of each ends
// with the identifier of the next, that of the last with whatever follows.
func (c *collapsed) rawSystems(lo, hi int) {
	k, ok := firstSystem(c.text, lo, hi)
	if !ok {
		return
	}
	c.open(span{lo, c.colon(k)})
	for {
		s := &c.systems[len(c.systems)-1]
		s.last = k.value
		s.keys |= 1 << k.key
		next, more := nextKey(c.text, k.value, hi)
		for more && !c.goesOn(s, k, next) && !(begins(next) && c.hasMore(next, hi)) {
			next, more = nextKey(c.text, next.value, hi)
		}
		if !more {
			c.add(s, k, span{k.value, k.value})
			return
		}
		if next.behind == ':' {
			c.add(s, k, span{k.value, k.value})
			c.open(span{k.value, c.colon(next)})
			k = next
			continue
		}
		end := next.start
		if next.behind == ',' {
			end = strings.LastIndexByte(c.text[:next.start], ',')
		}
		c.add(s, k, span{k.value, end})
		k = next
	}
}

// colon returns the place of the colon before a key.
func (c *collapsed) colon(k keyAt) int { return strings.LastIndexByte(c.text[:k.start], ':') }

// hasMore reports whether the components that begin at a key have a further
// one: a key behind an option's colon in a test's arguments has none.
func (c *collapsed) hasMore(k keyAt, hi int) bool {
	next, ok := nextKey(c.text, k.value, hi)
	return ok && (next.behind == ',' || next.isOS())
}

// open begins a system whose identifier ends before.
func (c *collapsed) open(before span) {
	c.systems = append(c.systems, rawSystem{before: before})
}

// goesOn reports whether next is a further component of the system: behind a
// comma, or software's first key without one. No key comes twice.
func (c *collapsed) goesOn(s *rawSystem, k, next keyAt) bool {
	switch {
	case next.behind == ':':
		return false
	case next.behind == ',':
	case next.isOS():
	default:
		return false
	}
	return s.keys&(1<<next.key) == 0
}

// add adds the component k with its value to the system. Behind an OS key
// all is software.
func (c *collapsed) add(s *rawSystem, k keyAt, value span) {
	to := &s.hardware
	if len(s.software) > 0 || k.key.Kind() == vocab.Software && (k.isOS() || len(s.hardware) == 0 || k.behind != ',') {
		to = &s.software
	}
	if *to == nil {
		*to = make([]result.Component, 0, 10)
	}
	text := c.v.words(value.start, value.end)
	if strings.IndexByte(text, ',') < 0 {
		*to = append(*to, result.Component{Key: k.key.Name(), Value: text})
		return
	}
	// Keys that are not known may stand in the value.
	*to = append(*to, vocab.Components(k.key.Name()+": "+text)...)
}
