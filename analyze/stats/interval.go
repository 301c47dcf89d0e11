package stats

// Interval is a confidence or prediction interval, both ends included.
type Interval struct {
	Low, High float64
	// Level is the confidence level, 0.95 for 95 %. For intervals made of
	// order statistics it is the level attained, which can lie above or
	// below the one asked for.
	Level float64
}

// Contains reports whether x lies in the interval or on one of its ends.
func (iv Interval) Contains(x float64) bool { return iv.Low <= x && x <= iv.High }

// reciprocal returns the interval of 1/x for an interval of positive x.
func (iv Interval) reciprocal() Interval {
	return Interval{Low: 1 / iv.High, High: 1 / iv.Low, Level: iv.Level}
}
