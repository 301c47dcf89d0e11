package stats

import "math"

// The functions here find the extremes of a t test while two standard errors
// move over a rectangle and the difference stays where it is.
//
// On any ray from the origin the degrees of freedom are constant and the
// variance grows, so p and the width of an interval grow along it: maxima lie
// on the two far edges of the rectangle, minima on the two near edges. Along an
// edge the larger variance and the changing degrees of freedom can pull in
// opposite directions, so that an extreme can lie inside the edge: with one
// very quiet and one noisy side more noise on the quiet side makes p smaller.
// Corners alone are not enough; an edge is searched.

// errorBox is the rectangle of two standard errors with their numbers of runs.
type errorBox struct {
	a, b   Range
	na, nb int
}

// tail returns P(T > d/√(sa²+sb²)) for d >= 0. With no spread at all it is
// zero for a difference and a half for none.
func (box errorBox) tail(d, sa, sb float64) float64 {
	if d == 0 {
		return 0.5
	}
	se := math.Hypot(sa, sb)
	if se == 0 {
		return 0
	}
	return tTail(d/se, welchDF(sa, sb, box.na, box.nb))
}

// width returns half the width of the interval with the level.
func (box errorBox) width(level, sa, sb float64) float64 {
	se := math.Hypot(sa, sb)
	if se == 0 {
		return 0
	}
	return tQuantile(level, welchDF(sa, sb, box.na, box.nb)) * se
}

func (box errorBox) maxTail(d float64) float64 {
	return box.max(func(sa, sb float64) float64 { return box.tail(d, sa, sb) })
}

func (box errorBox) minTail(d float64) float64 {
	return box.min(func(sa, sb float64) float64 { return box.tail(d, sa, sb) })
}

func (box errorBox) maxWidth(level float64) float64 {
	return box.max(func(sa, sb float64) float64 { return box.width(level, sa, sb) })
}

func (box errorBox) minWidth(level float64) float64 {
	return box.min(func(sa, sb float64) float64 { return box.width(level, sa, sb) })
}

// max returns the maximum of f over the rectangle for an f that grows along
// rays from the origin.
func (box errorBox) max(f func(sa, sb float64) float64) float64 {
	return math.Max(
		searchEdge(box.a, func(s float64) float64 { return f(s, box.b.Max) }),
		searchEdge(box.b, func(s float64) float64 { return f(box.a.Max, s) }))
}

// min returns the minimum of f over the rectangle for such an f.
func (box errorBox) min(f func(sa, sb float64) float64) float64 {
	return math.Min(
		-searchEdge(box.a, func(s float64) float64 { return -f(s, box.b.Min) }),
		-searchEdge(box.b, func(s float64) float64 { return -f(box.a.Min, s) }))
}

// edgeCells is the number of cells an edge is cut into. The functions searched
// have at most a few turns on an edge, near the point where both sides are
// about equally noisy.
const edgeCells = 8

// searchEdge returns the maximum of f over r. It looks at the ends and at a
// grid between them and refines around the best point found; next to an end it
// refines only if the function rises away from that end.
func searchEdge(r Range, f func(float64) float64) float64 {
	low, high := f(r.Min), f(r.Max)
	best := math.Max(low, high)
	width := r.Max - r.Min
	if width <= 0 {
		return best
	}
	at := func(i int) float64 { return r.Min + width*float64(i)/edgeCells }
	inside := 0
	for i := 1; i < edgeCells; i++ {
		if y := f(at(i)); y > best {
			best, inside = y, i
		}
	}
	switch {
	case inside > 0:
		return math.Max(best, refine(f, at(inside-1), at(inside+1)))
	case low >= high && f(r.Min+1e-6*width) > low:
		return math.Max(best, refine(f, r.Min, at(1)))
	case high >= low && f(r.Max-1e-6*width) > high:
		return math.Max(best, refine(f, at(edgeCells-1), r.Max))
	}
	return best
}

// refine returns the maximum of f between lo and hi by golden section, for an f
// with one maximum there.
func refine(f func(float64) float64, lo, hi float64) float64 {
	const golden = 0.6180339887498949
	x1, x2 := hi-golden*(hi-lo), lo+golden*(hi-lo)
	y1, y2 := f(x1), f(x2)
	best := math.Max(y1, y2)
	// 40 steps narrow the bracket by 4e-9; near a maximum the value is then
	// good to the square of that.
	for range 40 {
		if y1 > y2 {
			hi, x2, y2 = x2, x1, y1
			x1 = hi - golden*(hi-lo)
			y1 = f(x1)
			best = math.Max(best, y1)
		} else {
			lo, x1, y1 = x1, x2, y2
			x2 = lo + golden*(hi-lo)
			y2 = f(x2)
			best = math.Max(best, y2)
		}
	}
	return best
}
