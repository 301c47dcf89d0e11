package stats

import "math"

// meanCells is the number of cells that the interval of a mean is cut into. A
// mean moves by little, and what is searched bends by little over it.
const meanCells = 8

// arcCells is the number of cells for a quarter turn of the ratio of two
// standard errors.
const arcCells = 12

// searchArc returns the maximum of f over a range of standard errors, and where
// it is. What f does depends on the standard error relative to center, another
// one that stays put: it has at most a few turns, near there, and they can lie
// in a small part of a wide range. The search therefore goes in equal steps of
// the angle between the two.
func searchArc(r Range, center float64, f func(float64) float64) (best, at float64) {
	if !(center > 0) || r.Min == r.Max {
		// Beside nothing, only the size of the noise changes along the
		// range: the ends are enough.
		return searchEdge(r, 1, f)
	}
	angles := Range{math.Atan(r.Min / center), math.Atan(r.Max / center)}
	back := func(angle float64) float64 {
		switch angle {
		case angles.Min:
			return r.Min
		case angles.Max:
			return r.Max
		}
		return math.Max(r.Min, math.Min(r.Max, center*math.Tan(angle)))
	}
	cells := 2 + int((angles.Max-angles.Min)/(math.Pi/2)*arcCells)
	best, angle := searchEdge(angles, cells, func(angle float64) float64 { return f(back(angle)) })
	return best, back(angle)
}

// searchEdge returns the maximum of f over r, and where it is. It looks at the
// ends and between them at a grid of so many cells, and refines around the best
// point found; next to an end it refines only if the function rises away from
// that end.
func searchEdge(r Range, cells int, f func(float64) float64) (best, at float64) {
	low, high := f(r.Min), f(r.Max)
	best, at = low, r.Min
	if high > low {
		best, at = high, r.Max
	}
	width := r.Max - r.Min
	if width <= 0 || cells < 2 {
		return best, at
	}
	grid := func(i int) float64 { return r.Min + width*float64(i)/float64(cells) }
	inside := 0
	for i := 1; i < cells; i++ {
		if y := f(grid(i)); y > best {
			best, at, inside = y, grid(i), i
		}
	}
	const step = 1e-6
	switch {
	case inside > 0:
		return refine(f, grid(inside-1), grid(inside+1), best, at)
	case at == r.Min && f(r.Min+step*width) > low:
		return refine(f, r.Min, grid(1), best, at)
	case at == r.Max && f(r.Max-step*width) > high:
		return refine(f, grid(cells-1), r.Max, best, at)
	}
	return best, at
}

// refine returns the maximum of f between lo and hi by golden section, for an f
// with one maximum there, or the best known so far.
func refine(f func(float64) float64, lo, hi, best, at float64) (float64, float64) {
	const golden = 0.6180339887498949
	try := func(x float64) float64 {
		y := f(x)
		if y > best {
			best, at = y, x
		}
		return y
	}
	x1, x2 := hi-golden*(hi-lo), lo+golden*(hi-lo)
	y1, y2 := try(x1), try(x2)
	// 40 steps narrow the bracket to 4e-9 of itself; at a smooth maximum the
	// value is then good to the square of that.
	for range 40 {
		if y1 > y2 {
			hi, x2, y2 = x2, x1, y1
			x1 = hi - golden*(hi-lo)
			y1 = try(x1)
		} else {
			lo, x1, y1 = x1, x2, y2
			x2 = lo + golden*(hi-lo)
			y2 = try(x2)
		}
	}
	return best, at
}
