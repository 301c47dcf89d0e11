package text

// survey passes over the tests to learn the identifiers that rows print, and
// returns where the text of the dump's last row or head ends.
func (c *collapsed) survey() (end int) {
	s := c.v.stops(c.firstHead)
	lo := c.firstHead
	// Dumps print the same identifiers in the same order in most tests.
	var order []string
	at := 0
	keep := func(ident string) {
		if at < len(order) && order[at] == ident {
			at++
			return
		}
		if c.idents[ident] {
			at = 0
			return
		}
		if isWreck(ident) {
			return
		}
		c.idents[ident] = true
		order = append(order, ident)
		at = len(order)
	}
	afterHead := false
	previous, waiting := 0, "" // the leader of the row before, and its identifier if it is not sure
	for {
		st, ok := s.after(lo)
		c.more = lo > c.firstHead && beginsDump(c.text, lo, st.at)
		if c.more || !ok {
			if afterHead {
				c.surveyLoose(lo, st.at, 0, keep)
			}
			return lo
		}
		if !st.isRow {
			if afterHead {
				c.surveyLoose(lo, st.at, 0, keep)
			}
			if lo > c.firstHead && len(c.heads) < 64 {
				c.heads = append(c.heads, c.v.words(lo, min(st.at, lo+128)))
			}
			lo, afterHead, previous, waiting = st.end, true, 0, ""
			at = 0
			continue
		}
		ident := c.v.words(lo, st.row.identEnd)
		leader := len(ident) + st.row.dots.end - st.row.dots.start
		switch {
		case afterHead:
			if _, loose := dotsIn(c.text, lo, st.row.identEnd); !loose || !c.surveyLoose(lo, st.at, st.row.dots.end, keep) {
				keep(ident)
			}
			waiting = ""
		case leader == previous:
			if waiting != "" {
				keep(waiting)
			}
			keep(ident)
			waiting = ""
		default:
			waiting = ident
		}
		lo, afterHead, previous = st.end, false, leader
	}
}

// surveyLoose keeps the identifiers of the rows without bars with which
// text[lo:hi], behind a head, begins. Identifier and dots are of one length in
// all rows of a test, so that a row without a value is told from an identifier
// that holds dots. It reports whether the rows fill the text to last, where
// the dots of a row with a bar end.
func (c *collapsed) surveyLoose(lo, hi, last int, keep func(string)) bool {
	leader := 0
	var idents []string
	marked := 0 // of idents, how many a value vouches for
	for {
		dots, ok := dotsIn(c.text, lo, hi)
		if !ok {
			break
		}
		_, end := trim(c.text, lo, dots.start)
		ident := c.v.words(lo, end)
		width := dots.end - dots.start
		if leader != 0 && len(ident)+width != leader {
			// The value of a row that has lost its bar?
			word := wordAfter(c.text, lo, end)
			ident = c.v.words(word.end, end)
			if !hasDigit(c.text[word.start:word.end]) || len(ident)+width != leader {
				break
			}
		}
		leader = len(ident) + width
		idents = append(idents, ident)
		lo = dots.end
		word := wordAfter(c.text, lo, hi)
		if s, ok := seriesAt(c.text, lo, hi); ok {
			lo, marked = s.end, len(idents)
		} else if isVerdict(c.text[word.start:word.end]) {
			lo, marked = word.end, len(idents)
		} else if dots.end == last {
			marked = len(idents)
			break
		}
	}
	if len(idents) > 1 && marked == 0 {
		marked = len(idents)
	}
	if last > 0 && lo != last {
		return false
	}
	for _, ident := range idents[:marked] {
		keep(ident)
	}
	return last > 0
}

// beginsDump reports whether another dump's systems begin in text[lo:hi].
func beginsDump(text string, lo, hi int) bool {
	const shortest = 40
	if hi-lo < shortest {
		return false
	}
	_, ok := firstSystem(text, lo, hi)
	return ok
}
