package stats

import "math"

// roundingBox is what two printed measurements stand for: the intervals of two
// means and two standard errors.
//
// Extremes over it are found as follows. On a ray from the origin of the two
// standard errors the degrees of freedom stay and the variance grows, so p and
// the width of an interval grow along it: in the standard errors, extremes lie
// on the two far edges of their rectangle or on the two near ones. Along an
// edge the variance and the degrees of freedom can pull in opposite
// directions, so that an extreme can lie inside the edge: with one very quiet
// and one noisy side, more noise on the quiet side makes p smaller. Corners are
// not enough, edges are searched.
//
// In the means, extremes lie at the corner where the means are nearest to each
// other or farthest apart, as long as the shift of the ratio outweighs what the
// same shift does to the relative standard errors. That is checked at the
// corner, and the means are searched where it fails, as it can for a ratio far
// from 1. Where a standard error can be more than a tenth of its mean neither
// is safe: the relative standard errors are then let loose from the means, and
// the range is somewhat too wide, never too narrow.
type roundingBox struct {
	ma, mb, sa, sb Range
	na, nb         int
}

// looseErrors is the relative standard error from which on the means are not
// trusted to be extreme at a corner.
const looseErrors = 0.1

func newRoundingBox(a, b Rounded) roundingBox {
	return roundingBox{
		ma: a.meanRange(), mb: b.meanRange(),
		sa: a.seRange(), sb: b.seRange(),
		na: a.N, nb: b.N,
	}
}

// quantity is a function of a distance of two means and their standard errors,
// and whether it grows along rays of the standard errors at a given distance.
type quantity struct {
	value func(distance, sa, sb float64) float64
	grows func(distance float64) bool
}

func always(float64) bool { return true }

func (q quantity) negative() quantity {
	return quantity{
		value: func(d, sa, sb float64) float64 { return -q.value(d, sa, sb) },
		grows: func(d float64) bool { return !q.grows(d) },
	}
}

// maxOverErrors returns the maximum of q over a rectangle of standard errors,
// and where it is.
func (box roundingBox) maxOverErrors(q quantity, distance float64, ra, rb Range) (best, sa, sb float64) {
	ea, eb := ra.Min, rb.Min
	if q.grows(distance) {
		ea, eb = ra.Max, rb.Max
	}
	// Where the degrees of freedom are at their most.
	balance := math.Sqrt(float64(box.na-1) / float64(box.nb-1))
	x, atX := searchArc(ra, eb*balance, func(s float64) float64 { return q.value(distance, s, eb) })
	y, atY := searchArc(rb, ea/balance, func(s float64) float64 { return q.value(distance, ea, s) })
	if x >= y {
		return x, atX, eb
	}
	return y, ea, atY
}

// maxOfRatio returns the maximum of q over the box, q being a function of the
// log ratio and the relative standard errors. It is expected at the means ma
// and mb, where the log ratio is extreme.
func (box roundingBox) maxOfRatio(q quantity, ma, mb float64) float64 {
	log := logOfRatio(ma, mb)
	wideA := Range{box.sa.Min / box.ma.Max, box.sa.Max / box.ma.Min}
	wideB := Range{box.sb.Min / box.mb.Max, box.sb.Max / box.mb.Min}
	if math.Hypot(wideA.Max, wideB.Max) > looseErrors {
		best, _, _ := box.maxOverErrors(q, log, wideA, wideB)
		return best
	}
	best, sa, sb := box.maxAt(q, ma, mb)
	if box.stepGains(q, ma, mb, sa, sb, best) {
		return box.searchMeans(q, ma, mb, best)
	}
	return best
}

// maxAt returns the maximum of q at two means and the standard errors, not
// relative ones, that give it.
func (box roundingBox) maxAt(q quantity, ma, mb float64) (best, sa, sb float64) {
	best, ra, rb := box.maxOverErrors(q, logOfRatio(ma, mb),
		Range{box.sa.Min / ma, box.sa.Max / ma}, Range{box.sb.Min / mb, box.sb.Max / mb})
	return best, ra * ma, rb * mb
}

// searchMeans looks for the maximum of q from two means on, moving one after
// the other.
func (box roundingBox) searchMeans(q quantity, ma, mb, best float64) float64 {
	at := func(ma, mb float64) float64 {
		v, _, _ := box.maxAt(q, ma, mb)
		return v
	}
	for range 3 {
		before := best
		if v, m := searchEdge(box.mb, meanCells, func(m float64) float64 { return at(ma, m) }); v > best {
			best, mb = v, m
		}
		if v, m := searchEdge(box.ma, meanCells, func(m float64) float64 { return at(m, mb) }); v > best {
			best, ma = v, m
		}
		if best == before {
			break
		}
	}
	return best
}

// stepGains reports whether a small step of a mean into the box makes q larger.
func (box roundingBox) stepGains(q quantity, ma, mb, sa, sb, best float64) bool {
	const step = 1e-3
	slack := 1e-12 * math.Abs(best)
	gains := func(x, y float64) bool { return q.value(logOfRatio(x, y), sa/x, sb/y) > best+slack }
	for _, to := range []float64{box.ma.Min, box.ma.Max} {
		if to != ma && gains(ma+step*(to-ma), mb) {
			return true
		}
	}
	for _, to := range []float64{box.mb.Min, box.mb.Max} {
		if to != mb && gains(ma, mb+step*(to-mb)) {
			return true
		}
	}
	return false
}

// minOfRatio returns the minimum of q over the box, expected at the given
// means.
func (box roundingBox) minOfRatio(q quantity, ma, mb float64) float64 {
	return -box.maxOfRatio(q.negative(), ma, mb)
}

// tail returns P(T > d/√(sa²+sb²)), d being of either sign. With no spread at
// all it is 0, 1 or, for no difference, a half.
func (box roundingBox) tail(d, sa, sb float64) float64 {
	se := math.Hypot(sa, sb)
	switch {
	case d == 0:
		return 0.5
	case se == 0 && d > 0:
		return 0
	case se == 0:
		return 1
	}
	return tSurvival(d/se, welchDF(sa, sb, box.na, box.nb))
}

// differenceP is the two-sided p value of a distance against 0.
func (box roundingBox) differenceP() quantity {
	return quantity{
		value: func(d, sa, sb float64) float64 { return 2 * box.tail(math.Abs(d), sa, sb) },
		grows: always,
	}
}

// end is the upper end of the interval of a distance, or the lower one for a
// sign of -1.
func (box roundingBox) end(level, sign float64) quantity {
	return quantity{
		value: func(d, sa, sb float64) float64 {
			se := math.Hypot(sa, sb)
			if se == 0 {
				return d
			}
			return d + sign*tQuantile(level, welchDF(sa, sb, box.na, box.nb))*se
		},
		grows: func(float64) bool { return sign > 0 },
	}
}

// outsideP is the p value of the two one-sided tests of a distance against two
// limits.
func (box roundingBox) outsideP(low, high float64) quantity {
	inside := func(d float64) float64 { return math.Min(d-low, high-d) }
	return quantity{
		value: func(d, sa, sb float64) float64 { return box.tail(inside(d), sa, sb) },
		grows: func(d float64) bool { return inside(d) >= 0 },
	}
}
