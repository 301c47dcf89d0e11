package stats

// Speedup returns value against base so that above 1 is better: value/base
// where higher is better, base/value where lower is better. It returns
// ErrNotPositive for values that are not above zero.
func Speedup(base, value float64, higherIsBetter bool) (float64, error) {
	if err := checkPositive(base, value); err != nil {
		return 0, err
	}
	r := value / base
	if !higherIsBetter {
		r = base / value
	}
	if r == 0 {
		return 0, ErrOverflow
	}
	return r, checkResult(r)
}

// Reduction returns by how many percent value lies below base: the time saved
// where value and base are times. It is negative where value is larger. A run
// of 130.26 s against 143.62 s is 1.1026 times as fast and takes 9.3 % less
// time: two readings of one fact. It returns ErrNotPositive for values that
// are not above zero.
func Reduction(base, value float64) (float64, error) {
	if err := checkPositive(base, value); err != nil {
		return 0, err
	}
	p := 100 * ((base - value) / base)
	return p, checkResult(p)
}
