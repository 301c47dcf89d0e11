package stats

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"
)

// The trials of the BCG vaccine (Colditz and others 1994): cases and others with
// it and without. The expected figures, to four places, are those that the
// package metafor of R prints for them by the method DL.
var bcg = [][4]float64{
	{4, 119, 11, 128},
	{6, 300, 29, 274},
	{3, 228, 11, 209},
	{62, 13536, 248, 12619},
	{33, 5036, 47, 5761},
	{180, 1361, 372, 1079},
	{8, 2537, 10, 619},
	{505, 87886, 499, 87892},
	{29, 7470, 45, 7232},
	{17, 1699, 65, 1600},
	{186, 50448, 141, 27197},
	{5, 2493, 3, 2338},
	{27, 16886, 29, 17825},
}

func TestDerSimonianLairdBCG(t *testing.T) {
	var y, v []float64
	for _, d := range bcg {
		y = append(y, math.Log(d[0]/(d[0]+d[1])/(d[2]/(d[2]+d[3]))))
		v = append(v, 1/d[0]-1/(d[0]+d[1])+1/d[2]-1/(d[2]+d[3]))
	}
	r, err := DerSimonianLaird(y, v)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name      string
		got, want float64
	}{
		{"mean", r.Mean, -0.7141}, {"se", r.SE, 0.1787}, {"tau2", r.Tau2, 0.3088}, {"Q", r.Q, 152.2330}, {"I2", r.I2, 0.9212},
	} {
		if math.Abs(c.got-c.want) > 0.5e-4 {
			t.Errorf("%s: got %.6f, want %.4f", c.name, c.got, c.want)
		}
	}
}

// Layouts whose F, p and mean squares are those of R 4.2.2's aov; the estimates
// between and the residuals are the formulas in R's own vectors.
func TestOneWayRandom(t *testing.T) {
	tests := []struct {
		name               string
		runs               [][]float64
		f, p, msw          float64
		mean, se, tau2, q  float64
		residuals, pValues []float64
	}{
		{
			"balanced",
			[][]float64{{10.23, 9.88, 9.93}, {10.16, 10.1, 10.11}, {9.97, 9.89, 9.92}, {10.32, 10.14, 10.37}, {12.23, 12.03, 12.19}},
			202.837564766838, 1.58884103066385e-09, 0.0128666666666667,
			// tau2 is (MSB-MSW)/n of aov.
			10.498, 0.41712055278487, 0.865658888888889, 811.350259067354,
			[]float64{-0.525805022399178, -0.399134707974438, -0.631264375789255, -0.231814788164951, 12.2310109441241},
			[]float64{0.635414178071217, 0.71650857764404, 0.572685397822069, 0.831594469636906, 0.00117687440664873},
		},
		{
			"unbalanced",
			[][]float64{{4.14, 3.73}, {4.51, 4.6, 4.9}, {4.15, 4.11, 4.29, 3.48, 4.28}, {4.36, 4.53, 4.48}},
			4.87377071763146, 0.0278942093706784, 0.0701107407407409,
			4.28413722056307, 0.166041063796612, 0.0868206921675774, 14.6213121528944,
			[]float64{-1.13828612023869, 1.71233302956431, -0.772816639635138, 0.524811421212863},
			[]float64{0.372985023108477, 0.228966968518022, 0.520465389151539, 0.652086066830052},
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var groups []Summary
			for _, runs := range test.runs {
				s, err := Summarize(runs)
				if err != nil {
					t.Fatal(err)
				}
				groups = append(groups, s)
			}
			o, err := OneWayRandom(groups)
			if err != nil {
				t.Fatal(err)
			}
			near := func(name string, got, want float64) {
				t.Helper()
				if math.Abs(got-want) > 1e-9*math.Abs(want) {
					t.Errorf("%s: got %.15g, want %.15g", name, got, want)
				}
			}
			near("F", o.F, test.f)
			near("p", o.P, test.p)
			near("within", o.Within, math.Sqrt(test.msw))
			near("mean", o.Mean, test.mean)
			near("se", o.SE, test.se)
			near("tau2", o.Tau2, test.tau2)
			near("Q", o.Q, test.q)
			near("I2", o.I2, (test.q-o.DF1)/test.q)
			list, err := DeletedResiduals(groups)
			if err != nil {
				t.Fatal(err)
			}
			for i, d := range list {
				near("t", d.T, test.residuals[i])
				near("p", d.P, test.pValues[i])
			}
		})
	}
}

// Where means differ less than their errors explain there is no variance
// between, by hand: means 1, 2, 3 with variance 4 give Q = 2/4, below 2.
func TestDerSimonianLairdNothingBetween(t *testing.T) {
	r, err := DerSimonianLaird([]float64{1, 2, 3}, []float64{4, 4, 4})
	if err != nil {
		t.Fatal(err)
	}
	if r.Q != 0.5 || r.Tau2 != 0 || r.I2 != 0 || r.Mean != 2 || math.Abs(r.SE-math.Sqrt(4.0/3)) > 1e-15 {
		t.Errorf("got %+v", r)
	}
}

// A group of one run has its place by the others' spread; the mean of one
// estimate is itself.
func TestOneWayRandomSingleRuns(t *testing.T) {
	nan := math.NaN()
	o, err := OneWayRandom([]Summary{{10, 0.5, 4}, {12, nan, 1}})
	if err != nil {
		t.Fatal(err)
	}
	// s = 0.5·√4 = 1; w = 4 and 1; mean 10.4; Q = 4·0.16 + 2.56 = 3.2.
	if o.Within != 1 || math.Abs(o.Q-3.2) > 1e-12 || o.DF1 != 1 || o.DF2 != 3 {
		t.Errorf("got %+v", o)
	}
	if _, err := OneWayRandom([]Summary{{10, nan, 1}, {12, nan, 1}}); !errors.Is(err, ErrTooFew) {
		t.Errorf("no spread known: %v", err)
	}
	if _, err := OneWayRandom([]Summary{{10, 0, 3}, {12, 0, 3}}); !errors.Is(err, ErrZeroSE) {
		t.Errorf("no spread: %v", err)
	}
	if _, err := OneWayRandom([]Summary{{10, nan, 3}, {12, 1, 3}}); !errors.Is(err, ErrNoSE) {
		t.Errorf("unknown spread: %v", err)
	}
	if _, err := OneWayRandom([]Summary{{10, 1, 3}}); !errors.Is(err, ErrTooFew) {
		t.Errorf("one group: %v", err)
	}
	if _, err := OneWayRandom([]Summary{{10, 1, 0}, {11, 1, 3}}); !errors.Is(err, ErrTooFew) {
		t.Errorf("unknown number of runs: %v", err)
	}
	if _, err := DeletedResiduals([]Summary{{10, 1, 3}, {11, 1, 3}}); !errors.Is(err, ErrTooFew) {
		t.Errorf("two groups: %v", err)
	}
	if _, err := DerSimonianLaird([]float64{1, nan}, []float64{1, 1}); !errors.Is(err, ErrNotFinite) {
		t.Errorf("NaN: %v", err)
	}
	if _, err := DerSimonianLaird(nil, nil); !errors.Is(err, ErrTooFew) {
		t.Errorf("nothing: %v", err)
	}
}

// The test of one odd group errs as often as it says: groups that are alike but
// for a variance between them are called odd, after Holm, in 5 % of layouts at
// most, as closely as so many layouts tell.
func TestDeletedResidualsLevel(t *testing.T) {
	if testing.Short() {
		t.Skip("a simulation of 4000 layouts")
	}
	rng := rand.New(rand.NewPCG(5, 1))
	for _, tau := range []float64{0, 1, 5} {
		const layouts = 4000
		false1 := 0
		for range layouts {
			var groups []Summary
			for range 6 {
				centre := 100 + tau*rng.NormFloat64()
				var runs []float64
				for range 3 {
					runs = append(runs, centre+rng.NormFloat64())
				}
				s, _ := Summarize(runs)
				groups = append(groups, s)
			}
			list, err := DeletedResiduals(groups)
			if err != nil {
				t.Fatal(err)
			}
			var p []float64
			for _, d := range list {
				p = append(p, d.P)
			}
			p, _ = Holm(p)
			for _, x := range p {
				if x <= 0.05 {
					false1++
					break
				}
			}
		}
		share := float64(false1) / layouts
		t.Logf("tau %v: %.4f", tau, share)
		if share > 0.05+3*math.Sqrt(0.05*0.95/layouts) {
			t.Errorf("tau %v: %.4f of layouts, want 0.05 at most", tau, share)
		}
	}
}
