package stats

import "math"

// EffectSize is a difference of means in units of the standard deviation of a
// single run.
type EffectSize struct {
	D float64 // Cohen's d: the difference over the pooled standard deviation
	J float64 // Hedges' correction for small samples
	G float64 // Hedges' g = J·d
}

// Effect returns the standardised difference a-b from published summaries. A
// standardised effect is large wherever a benchmark is quiet (2.6 % can be five
// standard deviations), so never rank by it: the size of a change is its
// [Ratio].
//
// It assumes equal spread on both sides. Errors are those of [Welch], with
// ErrZeroSE if there is no spread. Cohen 1988; Hedges 1981.
func Effect(a, b Summary) (EffectSize, error) {
	if err := checkPair(a, b); err != nil {
		return EffectSize{}, err
	}
	da, db := float64(a.N-1), float64(b.N-1)
	pooled := math.Hypot(a.SD()*math.Sqrt(da/(da+db)), b.SD()*math.Sqrt(db/(da+db)))
	df := da + db
	whole, _ := math.Lgamma(df / 2)
	less, _ := math.Lgamma((df - 1) / 2)
	e := EffectSize{D: (a.Mean - b.Mean) / pooled}
	e.J = math.Exp(whole-less) / math.Sqrt(df/2)
	e.G = e.J * e.D
	return e, checkResult(pooled, e.D, e.J)
}

// Dominance is how often a run of a lies above a run of b.
type Dominance struct {
	// A12 is the share of pairs with a above b, ties counting half: 0.5 if
	// neither side leads.
	A12 float64
	// Delta is Cliff's delta, 2·A12-1.
	Delta float64
}

// RunDominance returns Vargha and Delaney's A12 and Cliff's delta of two samples
// of raw runs. It returns ErrTooFew if a sample is empty and ErrNotFinite for
// NaN or an infinity. Vargha and Delaney 2000; Cliff 1993.
func RunDominance(a, b []float64) (Dominance, error) {
	pooled, err := pool(a, b)
	if err != nil {
		return Dominance{}, err
	}
	doubled, _ := doubledRanks(pooled)
	sum := 0
	for _, d := range doubled[:len(a)] {
		sum += d
	}
	// The doubled U over twice the number of pairs, in whole numbers up to
	// the division.
	na, nb := len(a), len(b)
	u2 := sum - na*(na+1)
	pairs := float64(na) * float64(nb)
	return Dominance{
		A12:   float64(u2) / 2 / pairs,
		Delta: (float64(u2) - pairs) / pairs,
	}, nil
}
