package systable

// scorer says what it costs (in nats, the lower the likelier) that a piece
// of a text is one value of a row. It keeps sums, so that a piece costs the
// same to weigh whatever its length.
type scorer struct {
	text string
	*effort
	syms []byte
	rows []rowScorer
	all  *model
	// allCost is the chance of every symbol by the model of all rows, with
	// the text itself before it, and allEnd that of an end.
	allInner []float64
	allEnd   []float64
}

// rowScorer is a scorer's part for one row.
type rowScorer struct {
	own *model
	// inner[i] is the cost of the symbols before offset i, each with full
	// view of the text before it; the first few of a value are dearer or
	// cheaper than that, since it begins there.
	inner []float32
	end   []float32 // cost of an end before offset i
	// heads caches the cost of a value's first symbols, by its start.
	heads [][depth + 1]float32
}

func newScorer(text string, keys []string) *scorer {
	ms := teach().models
	s := &scorer{text: text, effort: &effort{left: maxEffort}, all: ms[""], syms: make([]byte, len(text))}
	for i := 0; i < len(text); i++ {
		s.syms[i] = symbol(text[i])
	}
	s.allInner = make([]float64, len(text))
	s.allEnd = make([]float64, len(text)+1)
	for i := range s.syms {
		before := s.syms[max(0, i-depth+1):i]
		s.allInner[i] = s.all.chance(before, s.syms[i])
		s.allEnd[i] = s.all.chance(before, symEnd)
	}
	s.allEnd[len(text)] = s.all.chance(s.syms[max(0, len(text)-depth+1):], symEnd)
	for _, key := range keys {
		own := ms[key]
		if own == nil {
			own = s.all // an unknown row: its values may be anything
		}
		r := rowScorer{
			own:   own,
			inner: make([]float32, len(text)+1),
			end:   make([]float32, len(text)+1),
			heads: make([][depth + 1]float32, len(text)),
		}
		for i := 0; i <= len(text); i++ {
			before := s.syms[max(0, i-depth):i]
			r.end[i] = cost(own.chance(before, symEnd), s.allEnd[i])
			if i < len(text) {
				r.inner[i+1] = r.inner[i] + cost(own.chance(before, s.syms[i]), s.allInner[i])
			}
		}
		s.rows = append(s.rows, r)
	}
	return s
}

// head returns the costs of the first symbols of a value that starts at i:
// element n is that of its first n.
func (s *scorer) head(row, i int) *[depth + 1]float32 {
	r := &s.rows[row]
	h := &r.heads[i]
	if h[1] != 0 {
		return h
	}
	before := make([]byte, 1, depth+1)
	before[0] = symStart
	for n := 1; n <= depth && i+n <= len(s.syms); n++ {
		sym := s.syms[i+n-1]
		h[n] = h[n-1] + cost(r.own.chance(before, sym), s.all.chance(before, sym))
		before = append(before, sym)
	}
	return h
}

// value returns the cost of text[i:j] as a value of a row.
func (s *scorer) value(row, i, j int) float32 {
	r := &s.rows[row]
	h := s.head(row, i)
	if n := j - i; n <= depth {
		var before [depth + 1]byte
		before[0] = symStart
		b := before[:1+copy(before[1:], s.syms[i:j])]
		return h[n] + cost(r.own.chance(b, symEnd), s.all.chance(b, symEnd))
	}
	return h[depth] + r.inner[j] - r.inner[i+depth] + r.end[j]
}
