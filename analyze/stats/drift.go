package stats

// driftRuns is the smallest number of runs in which a drift is tested.
const driftRuns = 6

// DriftTest is the outcome of a test for a monotone drift over the run index.
type DriftTest struct {
	S     int     // pairs of runs that rise less those that fall
	Tau   float64 // Kendall's tau-b with the run index, above 0 for a rise
	P     float64 // two-sided
	Exact bool    // false where P is an approximation
}

// Drift tests by Mann and Kendall whether runs rise or fall in the order they
// were made, as they do while a cache fills or a machine heats up. It assumes
// independent runs under the null hypothesis and says nothing about the size of
// a drift. The p value is that of [KendallTest]; where it is approximated it is
// corrected for continuity.
//
// It returns ErrTooFew for fewer than six runs, ErrNotFinite for NaN or an
// infinity, and ErrNoVariation if all runs are equal. Mann 1945; Kendall 1970.
func Drift(runs []float64) (DriftTest, error) {
	index := make([]float64, len(runs))
	for i := range index {
		index[i] = float64(i)
	}
	if err := checkPaired(index, runs, driftRuns); err != nil {
		return DriftTest{}, err
	}
	s := concordance(index, runs)
	p, exact := concordanceP(s, index, runs, 1)
	return DriftTest{S: s, Tau: tauB(s, index, runs), P: p, Exact: exact}, nil
}
