package stats

// MeanInterval returns the interval that holds the true mean of the runs with
// confidence level:
//
//	mean ± t(N-1)·SE
//
// in the unit of the test. It assumes near normal runs. The interval can reach
// below zero. It is about one system: whether two differ is the question of
// [Ratio] and [Welch], which overlapping intervals do not answer.
//
// It returns ErrTooFew if s has fewer than two runs or their number is not
// known; ErrNoSE if the standard error is not known; and ErrZeroSE if it is
// zero, since an interval of no width would be a claim that equal runs cannot
// support. Student 1908.
func MeanInterval(s Summary, level float64) (Interval, error) {
	if err := checkLevel("level", level); err != nil {
		return Interval{}, err
	}
	if err := checkPair(s, s); err != nil {
		return Interval{}, err
	}
	half := tQuantile(level, float64(s.N)-1) * s.SE
	iv := Interval{Low: s.Mean - half, High: s.Mean + half, Level: level}
	return iv, checkResult(iv.Low, iv.High)
}
