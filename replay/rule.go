package replay

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/benchproof/benchproof/internal/phrase"
)

// timesToRun is how often PTS runs a test before its rule asks for more: all
// known profiles leave it at that.
const timesToRun = 3

// rule is when a client of PTS adds repetitions, by its generation.
type rule struct {
	name   string
	spread float64 // relative standard deviation (n-1) from which it adds
	// most returns how many repetitions there may be, by the mean seconds
	// of one.
	most func(seconds float64) int
	// more is how many may come on top where the spread has fallen to less
	// than settled of the first one (or, of the later clients, has changed
	// by less than that part).
	more     int
	settled  func(first, last float64) bool
	longest  time.Duration // no more where a repetition takes longer
	outliers bool          // adds too where a value is beyond 3 standard deviations
	meaning  string
}

func tiers(seconds float64) int {
	switch {
	case seconds < 120:
		return 4 * timesToRun
	case seconds < 240:
		return 3 * timesToRun
	}
	return 2 * timesToRun
}

// changed is how the later clients decide on their last repetitions.
func changed(first, last float64) bool { return math.Abs(first-last) < first/2 }

// rules are those of PTS, oldest first: the facts are in the published source
// of the clients.
var rules = []rule{
	{
		name: "pts-5.4", spread: 0.035, most: func(float64) int { return 2 * timesToRun },
		more: timesToRun, settled: func(first, last float64) bool { return last < first/2 },
		longest: 20 * time.Minute, meaning: "to 5.x, 2014",
	},
	{
		name: "pts-8.6", spread: 0.035,
		most: func(s float64) int {
			if s < 120 {
				return 3 * timesToRun
			}
			return 2 * timesToRun
		},
		more: timesToRun, settled: changed, longest: time.Hour, meaning: "6.0 to 8.6, until 2019-03-29",
	},
	{
		name: "pts-8.8", spread: 0.03, most: tiers, more: timesToRun, settled: changed,
		longest: time.Hour, meaning: "8.8, until 2019-07-09",
	},
	{
		name: "pts-9.0", spread: 0.03, most: tiers, more: timesToRun, settled: changed,
		longest: time.Hour, outliers: true, meaning: "9.0 to 10.0, until the end of 2020",
	},
	{
		// The code is that of 9.0; what changed is the threshold in the
		// configuration that is shipped, and people keep theirs.
		name: "pts-10.2", spread: 0.025, most: tiers, more: timesToRun, settled: changed,
		longest: time.Hour, outliers: true, meaning: "10.2 and later, from 2021 on",
	},
}

// rulePTS is the rule of the client that made the row, by its version or the
// row's date; of the newest where neither is known.
const rulePTS = "pts"

// RuleNames returns the names that a request's Rule may have.
func RuleNames() []string {
	names := []string{rulePTS}
	for i := range rules {
		names = append(names, rules[i].name)
	}
	return names
}

// ruleByName returns the rule of a name; nil for rulePTS, which depends on the
// row.
func ruleByName(name string) (*rule, error) {
	if name == rulePTS {
		return nil, nil
	}
	for i := range rules {
		if rules[i].name == name {
			return &rules[i], nil
		}
	}
	return nil, fmt.Errorf("rule %q: want %s", name, phrase.Or(RuleNames()))
}

// firstOf are the days from which the rules of the later clients hold. That of
// 6.0 is the end of 2015; of 10.2 only the year is known.
var firstOf = []string{"", "2016-01-01", "2019-03-30", "2019-07-10", "2021-01-01"}

// rowRule returns the rule of the client that made a row.
func rowRule(row *Row) *rule {
	if major, minor, ok := clientVersion(row.Client); ok {
		switch {
		case major < 6:
			return &rules[0]
		case major < 8, major == 8 && minor < 8:
			return &rules[1]
		case major == 8:
			return &rules[2]
		case major < 10, major == 10 && minor < 2:
			return &rules[3]
		}
		return &rules[4]
	}
	if row.Date == "" {
		return &rules[len(rules)-1]
	}
	found := &rules[0]
	for i, day := range firstOf {
		if row.Date >= day {
			found = &rules[i]
		}
	}
	return found
}

// clientVersion reads "8.6.0" and "5.4.1m2".
func clientVersion(text string) (major, minor int, ok bool) {
	first, rest, found := strings.Cut(strings.TrimPrefix(text, "v"), ".")
	second, _, _ := strings.Cut(rest, ".")
	digits := strings.TrimRight(second, "abcdefghijklmnopqrstuvwxyz")
	major, err := strconv.Atoi(first)
	if err != nil || !found {
		return 0, 0, false
	}
	minor, err = strconv.Atoi(digits)
	return major, minor, err == nil
}

// rep is what a rule knows of one repetition.
type rep struct {
	value   float64 // of the run's first metric
	ok      bool    // it gave a value
	seconds float64
}

// again reports whether the rule asks for one more repetition after those that
// there are.
func (r *rule) again(reps []rep) bool {
	if len(reps) < timesToRun {
		return true
	}
	if len(reps) >= maxRuns {
		return false
	}
	var values []float64
	total := 0.0
	missing := 0
	for i, p := range reps {
		total += p.seconds
		if p.ok {
			values = append(values, p.value)
		} else if i < timesToRun {
			missing++
		}
	}
	// As many as gave no value among the first are added in any case.
	if len(reps) < timesToRun+missing {
		return true
	}
	mean := total / float64(len(reps))
	if len(values) < 2 || mean > r.longest.Seconds() {
		return false
	}
	last, outside := spread(values)
	if last < r.spread && (!r.outliers || !outside) {
		return false
	}
	most := r.most(mean)
	if len(reps) < most {
		return true
	}
	if len(reps) >= most+r.more || len(values) < timesToRun {
		return false
	}
	first, _ := spread(values[:timesToRun])
	return r.settled(first, last)
}

// spread returns the standard deviation (n-1) relative to the mean, and whether
// a value is beyond three of it.
func spread(values []float64) (relative float64, outside bool) {
	mean := 0.0
	for _, v := range values {
		mean += v
	}
	mean /= float64(len(values))
	squares := 0.0
	for _, v := range values {
		squares += (v - mean) * (v - mean)
	}
	sd := math.Sqrt(squares / float64(len(values)-1))
	for _, v := range values {
		outside = outside || math.Abs(v-mean) > 3*sd
	}
	if mean == 0 {
		return 0, outside
	}
	return sd / math.Abs(mean), outside
}
