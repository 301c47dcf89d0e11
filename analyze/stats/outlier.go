package stats

import (
	"fmt"
	"math"
)

// OutlierThreshold is the modified z score above which a run is flagged.
const OutlierThreshold = 3.5

// outlierRuns is the smallest sample in which a run can be flagged: below it
// the middle is not known well enough to call anything far from it.
const outlierRuns = 5

// quarterNormal is the 75 % quantile of the standard normal distribution, the
// MAD of normal data with a standard deviation of 1.
const quarterNormal = 0.674489750196082

// ModifiedZ returns (x-median)/scale for each run, where scale is MAD/0.67449,
// an estimate of the standard deviation that outliers do not move. Where more
// than half of the runs are equal the MAD is zero and 1.2533 times the mean
// absolute distance from the median stands in.
//
// scale is never below resolution, the smallest step in which runs were
// measured or printed (their unit of the last place; zero if they are exact):
// without such a floor runs that agree to the last digit but one are all
// outliers. If there is no scale at all because all runs are equal, all scores
// are zero.
//
// It returns ErrTooFew for no runs and ErrNotFinite for NaN or an infinity.
// Iglewicz and Hoaglin 1993.
func ModifiedZ(runs []float64, resolution float64) ([]float64, error) {
	if !(resolution >= 0) || math.IsInf(resolution, 1) {
		return nil, fmt.Errorf("resolution %v: want zero or more", resolution)
	}
	center, err := Median(runs)
	if err != nil {
		return nil, err
	}
	mad, err := MAD(runs)
	if err != nil {
		return nil, err
	}
	scale := mad / quarterNormal
	if scale == 0 {
		n := float64(len(runs))
		for _, x := range runs {
			scale += math.Abs(x-center) / n
		}
		scale *= math.Sqrt(math.Pi / 2)
	}
	scale = math.Max(scale, resolution)
	z := make([]float64, len(runs))
	for i, x := range runs {
		if x != center {
			z[i] = (x - center) / scale
		}
	}
	return z, checkResult(z...)
}

// Outliers returns the indices of the runs whose [ModifiedZ] is beyond
// [OutlierThreshold] either way, in order. With fewer than five runs there are
// none. A flag is a hint to look at the run, never a reason to drop it
// silently.
func Outliers(runs []float64, resolution float64) ([]int, error) {
	z, err := ModifiedZ(runs, resolution)
	if err != nil || len(runs) < outlierRuns {
		return nil, err
	}
	var flagged []int
	for i, v := range z {
		if math.Abs(v) > OutlierThreshold {
			flagged = append(flagged, i)
		}
	}
	return flagged, nil
}
