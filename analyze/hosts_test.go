package analyze

import (
	"errors"
	"fmt"
	"math"
	"testing"

	"github.com/benchproof/benchproof/result"
)

// onHosts gives the systems of a file their hosts and configurations, and names
// by both.
func onHosts(f *result.File, places ...[2]string) *result.File {
	for i := range f.Systems {
		s := &f.Systems[i]
		s.Identifier = places[i][0] + ": " + places[i][1]
		s.Notes = []result.Component{{Key: result.HostNote, Value: places[i][0]}, {Key: result.ConfigurationNote, Value: places[i][1]}}
	}
	return f
}

// measured is a measurement of a mean with its standard error and four runs.
func measured(system int, mean, se string) result.Measurement {
	return result.Measurement{System: system, Value: mean, StdError: se, Samples: 4}
}

// One of five hosts is half as fast again. The expected figures are from R
// 4.2.2: the formulas of DerSimonian and Laird, and of Viechtbauer and Cheung, in
// its own vectors, pf, pt and p.adjust.
func TestHosts(t *testing.T) {
	means := []string{"100.0", "104.0", "98.0", "150.0", "101.0"}
	errs := []string{"1.5", "2.0", "1.0", "3.0", "1.2"}
	f := &result.File{Tests: []result.Test{
		{Title: "more", Scale: "MB/s", Proportion: result.HIB},
		{Title: "less", Scale: "s", Proportion: result.LIB},
		{Title: "alone", Scale: "s", Proportion: result.LIB, Measurements: []result.Measurement{measured(2, "5.0", "0.1")}},
		{Title: "still", Scale: "s", Proportion: result.LIB},
	}}
	var places [][2]string
	for i := range means {
		f.AddSystem("")
		places = append(places, [2]string{fmt.Sprint("n", i), "disk"})
		for k := range 2 {
			f.Tests[k].Measurements = append(f.Tests[k].Measurements, measured(i, means[i], errs[i]))
		}
		f.Tests[3].Measurements = append(f.Tests[3].Measurements, measured(i, "7.0", "0.0"))
	}
	onHosts(f, places...)
	a, err := Hosts(f)
	if err != nil {
		t.Fatal(err)
	}
	if len(a.Rows) != 4 || a.Family != 10 || a.RowFamily != 2 {
		t.Fatalf("%d rows, families of %d and %d", len(a.Rows), a.Family, a.RowFamily)
	}
	ratios := []float64{0.8970816807, 0.9421578309, 0.8747109891, 1.489176115, 0.9083091837}
	p := []float64{0.6594922786, 0.8115581891, 0.5830924316, 0.0007260447949, 0.6976655424}
	for k, r := range a.Rows[:2] {
		for _, c := range []struct {
			name string
			got  Quantity
			want float64
		}{
			{"mean", r.Mean, 109.0773076},
			{"between", r.Between, 0.1801175794},
			{"within", r.Within, 0.03150522178},
			{"I2", r.I2, 0.992291532},
			{"p", r.P, 1.919518399e-11},
			// Of two rows, both the smallest.
			{"adjusted p", r.PAdjusted, 2 * 1.919518399e-11},
		} {
			if !c.got.Known || math.Abs(c.got.X-c.want) > 1e-8*c.want {
				t.Errorf("row %d: %s is %v, want %v", k, c.name, c.got, c.want)
			}
		}
		for i, v := range r.Values {
			want := ratios[i]
			if k == 1 {
				want = 1 / want
			}
			if math.Abs(v.Ratio.X-want) > 1e-8 || math.Abs(v.P.X-p[i]) > 1e-8 {
				t.Errorf("row %d: %s has ratio %v and p %v, want %v and %v", k, v.Host, v.Ratio, v.P, want, p[i])
			}
			if v.Odd() != (i == 3) {
				t.Errorf("row %d: %s is odd: %v (p %v)", k, v.Host, v.Odd(), v.PAdjusted)
			}
		}
		// The smallest of ten.
		if got := r.Values[3].PAdjusted.X; math.Abs(got-10*p[3]) > 1e-8 && math.Abs(got-9*p[3]) > 1e-8 {
			t.Errorf("row %d: adjusted p is %v, want ten or nine times %v", k, got, p[3])
		}
	}
	if r := a.Rows[2]; r.P.Known || r.Values[0].Ratio.Known || r.Reason != "one host alone" {
		t.Errorf("one host alone: %+v", r)
	}
	if r := a.Rows[3]; r.P.Known || r.Reason == "" || r.Values[0].Ratio.X != 1 {
		t.Errorf("no spread: %+v", r)
	}
	if s := a.Summary[3]; s.Host != "n3" || s.Rows != 3 || s.Odd != 2 || math.Abs(s.Ratio.X-1) > 1e-9 {
		t.Errorf("summary of n3: %+v", s)
	}
}

// Of two hosts none is called odd, however much they differ.
func TestHostsTwo(t *testing.T) {
	f := &result.File{Tests: []result.Test{{Title: "t", Proportion: result.HIB, Measurements: []result.Measurement{measured(0, "10.0", "0.1"), measured(1, "20.0", "0.1")}}}}
	f.AddSystem("")
	f.AddSystem("")
	a, err := Hosts(onHosts(f, [2]string{"a", "disk"}, [2]string{"b", "disk"}))
	if err != nil {
		t.Fatal(err)
	}
	r := a.Rows[0]
	if !r.Differ() || r.Values[0].P.Known || !near(r.Values[0].Ratio, 0.5) || !near(r.Values[1].Ratio, 2) || r.Reason == "" {
		t.Errorf("got %+v", r)
	}
	f.Systems[1].Notes = nil
	if _, err := Hosts(f); !errors.Is(err, ErrNoHosts) {
		t.Errorf("one host: %v", err)
	}
}

// Three hosts with two configurations: x is clearly better on a, better by
// nothing much on b, and c has a tie. By hand.
func TestHostWins(t *testing.T) {
	f := &result.File{Tests: []result.Test{{Title: "t", Proportion: result.HIB, Measurements: []result.Measurement{
		measured(0, "20.0", "0.1"), measured(1, "10.0", "0.1"),
		measured(2, "10.1", "1.0"), measured(3, "10.0", "1.0"),
		measured(4, "10.0", "1.0"), measured(5, "10.0", "1.0"),
	}}}}
	var places [][2]string
	for _, h := range []string{"a", "b", "c"} {
		for _, c := range []string{"x", "y"} {
			f.AddSystem("")
			places = append(places, [2]string{h, c})
		}
	}
	onHosts(f, places...)
	for _, p := range []result.Proportion{result.HIB, result.LIB} {
		f.Tests[0].Proportion = p
		a, err := Hosts(f)
		if err != nil {
			t.Fatal(err)
		}
		w := a.Wins[0]
		best, other := w.Configurations[0], w.Configurations[1]
		if p == result.LIB {
			best, other = other, best
		}
		if w.Hosts != 3 || w.Ties != 1 || best.Wins != 2 || best.Clear != 1 || other.Wins != 0 {
			t.Errorf("%s: got %+v", p, w)
		}
	}
}

// A lead that the rounding of the values can undo is no clear one: 51 and 50 may
// both stand for 50.5, though as printed they are seven standard errors apart.
func TestHostWinsWithinRounding(t *testing.T) {
	var places [][2]string
	f := &result.File{Tests: []result.Test{{Title: "t", Proportion: result.HIB}}}
	for i, value := range []string{"51", "50", "51.00", "50.00"} {
		f.AddSystem("")
		places = append(places, [2]string{[]string{"n0", "n0", "n1", "n1"}[i], []string{"ext4", "xfs"}[i%2]})
		f.Tests[0].Measurements = append(f.Tests[0].Measurements, measured(i, value, "0.10"))
	}
	a, err := Hosts(onHosts(f, places...))
	if err != nil {
		t.Fatal(err)
	}
	if c := a.Wins[0].Configurations[0]; c.Wins != 2 || c.Clear != 1 {
		t.Errorf("got %+v, want two wins, one of them clear", c)
	}
}

// A published order holds on two hosts of three.
func TestVerifyHosts(t *testing.T) {
	published := file("X,Y", result.Test{Title: "t", Scale: "MB/s", Proportion: result.HIB, Measurements: []result.Measurement{
		measured(0, "200.0", "1.0"), measured(1, "100.0", "1.0"),
	}})
	replayed := &result.File{Tests: []result.Test{{Title: "t", Scale: "MB/s", Proportion: result.HIB, Measurements: []result.Measurement{
		measured(0, "40.0", "0.1"), measured(1, "20.0", "0.1"),
		measured(2, "30.0", "0.1"), measured(3, "15.0", "0.1"),
		measured(4, "15.0", "0.1"), measured(5, "30.0", "0.1"),
	}}}}
	for i := range replayed.Tests[0].Measurements {
		replayed.Tests[0].Measurements[i].Replay = &result.Replay{Driver: "fio 3.33", Fidelity: result.NativeSameVersion}
	}
	var places [][2]string
	for _, h := range []string{"a", "b", "c"} {
		for _, c := range []string{"X", "there"} {
			replayed.AddSystem("")
			places = append(places, [2]string{h, c})
		}
	}
	onHosts(replayed, places...)
	h, err := VerifyHosts(published, replayed, VerifyOptions{Map: map[string]string{"there": "Y"}})
	if err != nil {
		t.Fatal(err)
	}
	var pairs []HostClaim
	for _, c := range h.Claims {
		if c.Claim == PairClaim {
			pairs = append(pairs, c)
		}
	}
	if len(pairs) != 1 || pairs[0].System != "X" || pairs[0].SystemB != "Y" || pairs[0].Holds != 2 || pairs[0].Fails != 1 || pairs[0].Other != 0 {
		t.Errorf("pairs: %+v", pairs)
	}
	for i, want := range []bool{true, true, false} {
		if h.Hosts[i].Verdict.holds() != want {
			t.Errorf("%s: %s (%s)", h.Hosts[i].Host, h.Hosts[i].Verdict, h.Hosts[i].Reason)
		}
	}
	if want := "The published result holds on 2 of 3 hosts; claims that could be tested: 1, of them 0 hold on all hosts."; h.Sentence != want {
		t.Errorf("got %q, want %q", h.Sentence, want)
	}
	var e *NameError
	if _, err := VerifyHosts(published, replayed, VerifyOptions{Map: map[string]string{"ther": "Y"}}); !errors.As(err, &e) {
		t.Errorf("an unknown name: %v", err)
	}
	if _, err := VerifyHosts(published, published, VerifyOptions{}); !errors.Is(err, ErrNoHosts) {
		t.Errorf("no hosts: %v", err)
	}
}
