package replay

import "testing"

// TestRule: repetitions worked out by hand from the published rules. 100, 90,
// 110 have a relative standard deviation of 10 %, 100, 101, 99 of 1 %.
func TestRule(t *testing.T) {
	noisy, calm := []float64{100, 90, 110}, []float64{100, 101, 99}
	times := func(n int, cycle []float64) []float64 {
		var list []float64
		for i := range n {
			list = append(list, cycle[i%len(cycle)])
		}
		return list
	}
	for _, tt := range []struct {
		name, rule string
		values     []float64
		seconds    float64
		want       bool
	}{
		{"two of three", "pts-9.0", noisy[:2], 30, true},
		{"calm", "pts-9.0", calm, 30, false},
		{"noisy", "pts-9.0", noisy, 30, true},
		{"3.2 % under the old rule", "pts-8.6", []float64{100, 103.2, 96.8}, 30, false},
		{"3.2 % under the new rule", "pts-8.8", []float64{100, 103.2, 96.8}, 30, true},
		// 2.7 % is between the thresholds of 2019 and of 2021.
		{"2.7 % under the rule of 2019", "pts-9.0", []float64{100, 102.7, 97.3}, 30, false},
		{"2.7 % under the rule of 2021", "pts-10.2", []float64{100, 102.7, 97.3}, 30, true},
		{"2.4 % under the rule of 2021", "pts-10.2", []float64{100, 102.4, 97.6}, 30, false},
		{"9 of a run under 4 min, grown", "pts-10.2", append(times(3, calm), times(6, noisy)...), 130, false},
		{"6 of a long one", "pts-5.4", times(6, noisy), 30, false},
		{"8 of 9", "pts-8.6", times(8, noisy), 30, true},
		// The spread has not changed: three more, to 12.
		{"9, settled", "pts-8.6", times(9, noisy), 30, true},
		{"12, the end", "pts-8.6", times(12, noisy), 30, false},
		{"6 of a run above 2 min, settled", "pts-8.6", times(6, noisy), 130, true},
		{"9 of a run above 2 min", "pts-8.6", times(9, noisy), 130, false},
		{"15, the end", "pts-9.0", times(15, noisy), 30, false},
		{"14 of 15", "pts-9.0", times(14, noisy), 30, true},
		// From 1 % to more than 1.5 %: not settled.
		{"grown", "pts-9.0", append(times(3, calm), times(9, noisy)...), 30, false},
		{"too long", "pts-9.0", noisy, 3700, false},
		{"too long for the oldest", "pts-5.4", noisy, 1300, false},
		{"one value", "pts-9.0", []float64{1, 1, 1}, 30, false},
	} {
		r, err := ruleByName(tt.rule)
		if err != nil {
			t.Fatal(err)
		}
		var reps []rep
		for _, v := range tt.values {
			reps = append(reps, rep{v, true, tt.seconds})
		}
		if got := r.again(reps); got != tt.want {
			t.Errorf("%s: %v, want %v", tt.name, got, tt.want)
		}
	}
	// One of the first three gave no value: a fourth comes whatever the
	// others say.
	missing := []rep{{100, true, 1}, {0, false, 1}, {100, true, 1}}
	if !rules[3].again(missing) || rules[3].again(append(missing, rep{100, true, 1})) {
		t.Error("a missing value is not made up for, or twice")
	}
}

func TestRowRule(t *testing.T) {
	for _, tt := range []struct{ date, client, want string }{
		{"2014-11-20", "", "pts-5.4"},
		{"2019-01-25", "", "pts-8.6"},
		{"2019-03-29", "", "pts-8.6"},
		{"2019-03-30", "", "pts-8.8"},
		{"2019-06-05", "", "pts-8.8"},
		{"2019-07-10", "", "pts-9.0"},
		{"2020-12-31", "", "pts-9.0"},
		{"2021-01-01", "", "pts-10.2"},
		{"2021-08-22", "", "pts-10.2"},
		{"", "", "pts-10.2"},
		{"2021-08-22", "9.8.0", "pts-9.0"},
		{"2021-08-22", "10.0.1", "pts-9.0"},
		{"", "10.2.0", "pts-10.2"},
		{"2021-08-22", "5.4.1m2", "pts-5.4"},
		{"", "6.0.0", "pts-8.6"},
		{"", "8.6.1", "pts-8.6"},
		{"", "8.8.0m1", "pts-8.8"},
		{"", "10.8.4", "pts-10.2"},
		{"2014-11-20", "unknown", "pts-5.4"},
	} {
		if got := rowRule(&Row{Date: tt.date, Client: tt.client}); got.name != tt.want {
			t.Errorf("%q %q: %s, want %s", tt.date, tt.client, got.name, tt.want)
		}
	}
}
