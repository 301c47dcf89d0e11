package corpus

import (
	"context"
	"encoding/json"
	"fmt"
	"math"

	"github.com/benchproof/benchproof/result"
)

// Point is one row of a history.
type Point struct {
	Test       string `json:"test"`
	Version    string `json:"version"`
	Arguments  string `json:"arguments"`
	Scale      string `json:"scale"`
	Proportion string `json:"proportion"`
	// Date is the day of the results (YYYY-MM-DD), "" for those that do not
	// say when they were made.
	Date string `json:"date"`
	// Systems and Files are how many stand behind the figures, Values how
	// many measurements.
	Systems int64 `json:"systems"`
	Files   int64 `json:"files"`
	Values  int64 `json:"values"`
	// Min, Median and Max of the values, and their geometric mean, which
	// only values above 0 have.
	Min           float64  `json:"min"`
	Median        float64  `json:"median"`
	Max           float64  `json:"max"`
	GeometricMean *float64 `json:"geometric_mean"`
}

// historySQL groups by test and day. An empty pattern matches everything.
const historySQL = `SELECT * FROM (
SELECT coalesce(test, '') AS test, coalesce(version, '') AS version, coalesce(arguments, '') AS arguments,
 coalesce(scale, '') AS scale, coalesce(max(proportion), '') AS proportion, coalesce(date, '') AS date,
 count(DISTINCT (file, system_number)) AS systems, count(DISTINCT file) AS files, count(*) AS "values",
 min(number) AS "min", median(number) AS "median", max(number) AS "max",
 CASE WHEN min(number) > 0 THEN exp(avg(ln(CASE WHEN number > 0 THEN number END))) END AS geometric_mean
FROM results
WHERE number IS NOT NULL AND regexp_matches(concat_ws(' ', test, version, arguments), ?) AND regexp_matches(system, ?)
GROUP BY ALL) ORDER BY test, version, arguments, scale, date = '', date`

// History returns how the values of tests went over time: a point for each
// test and day, those without a day last. Test and system are regular
// expressions of RE2's syntax, matched against title, version and arguments
// joined by spaces and the identifier; "" matches all.
func (c *Corpus) History(ctx context.Context, test, system string, o QueryOptions) (points []Point, a *Answer, err error) {
	a, err = ask(ctx, c, historySQL, []any{test, system}, o, func(p *Point) { points = append(points, *p) })
	return points, a, err
}

// ask runs a query whose columns are the fields of T, by their JSON names, and
// calls row for each.
func ask[T any](ctx context.Context, c *Corpus, sql string, params []any, o QueryOptions, row func(*T)) (*Answer, error) {
	var names [][]byte
	return c.Query(ctx, sql, params, o, func(a *Answer) error {
		for _, col := range a.Columns {
			name, err := json.Marshal(col.Name)
			if err != nil {
				return err
			}
			names = append(names, name)
		}
		return nil
	}, func(cells []json.RawMessage) error {
		object := []byte{'{'}
		for i, cell := range cells {
			if i > 0 {
				object = append(object, ',')
			}
			object = append(append(append(object, names[i]...), ':'), cell...)
		}
		var v T
		if err := json.Unmarshal(append(object, '}'), &v); err != nil {
			return fmt.Errorf("the engine's answer: %w", err)
		}
		row(&v)
		return nil
	})
}

// Standing is where one value stands among those of all systems that ran the
// same test.
type Standing struct {
	Test       string `json:"test"`
	Version    string `json:"version"`
	Arguments  string `json:"arguments"`
	Scale      string `json:"scale"`
	Proportion string `json:"proportion"`
	System     string `json:"system"`
	Value      string `json:"value"` // as printed
	// Percentile is the share of the others, in percent, that this value is
	// better than, equal ones counted by half (Crawford, Garthwaite and
	// Slick, 2009); nil where there are none, or nothing says whether
	// higher is better.
	Percentile *float64 `json:"percentile"`
	// Rank is one more than the systems that are better.
	Rank *int64 `json:"rank"`
	// Systems and Files are how many others stand behind that.
	Systems int64 `json:"systems"`
	Files   int64 `json:"files"`
	// Best, Median and Worst of the others.
	Best   *float64 `json:"best"`
	Median *float64 `json:"median"`
	Worst  *float64 `json:"worst"`
	// Reason says why a figure is missing.
	Reason string `json:"reason"`
}

// asked is a value of a result, for the engine.
type asked struct {
	ID         int     `json:"id"`
	TestKey    int64   `json:"test_key"`
	Proportion string  `json:"proportion"`
	Number     float64 `json:"number"`
}

// counted is what the engine says of one value.
type counted struct {
	ID      int     `json:"id"`
	Systems int64   `json:"systems"`
	Files   int64   `json:"files"`
	Lower   int64   `json:"lower"`
	Equal   int64   `json:"equal"`
	Min     float64 `json:"min"`
	Median  float64 `json:"median"`
	Max     float64 `json:"max"`
}

// othersSQL has one number a test and system of the corpus, the median where a
// file has several, without the result itself: neither files of its content
// nor of its published identifier. The tests are those that a table asked
// names, with their proportion where the corpus knows it.
const othersSQL = `
others AS (
 SELECT m.test_key, coalesce(t.proportion, '') AS proportion, m.file, m.system_number, median(m.number) AS number
 FROM measurements m
 JOIN tests t ON t.file = m.file AND t.test_number = m.test_number
 JOIN files f ON f.file = m.file
 WHERE m.test_key IN (SELECT test_key FROM asked) AND m.number IS NOT NULL
  AND f.sha256 <> $2 AND (f.published_identifier IS NULL OR $3 = '' OR f.published_identifier <> $3)
 GROUP BY ALL)`

const askedSQL = `WITH asked AS (SELECT x.* FROM (SELECT unnest(from_json($1::JSON, '[{"id":"INTEGER","test_key":"BIGINT","proportion":"VARCHAR","number":"DOUBLE"}]')) AS x)),`

const standingSQL = askedSQL + othersSQL + `
SELECT a.id, count(*) AS systems, count(DISTINCT o.file) AS files,
 count(*) FILTER (o.number < a.number) AS lower, count(*) FILTER (o.number = a.number) AS equal,
 min(o.number) AS "min", median(o.number) AS "median", max(o.number) AS "max"
FROM asked a JOIN others o ON o.test_key = a.test_key AND (o.proportion = a.proportion OR o.proportion = '')
GROUP BY a.id ORDER BY a.id`

// Percentile returns where the values of a result stand, in its order, one a
// measurement that has a number. Sum is the SHA-256 of the result's input in
// hexadecimal digits, "" if unknown: the result is not compared with itself.
func (c *Corpus) Percentile(ctx context.Context, f *result.File, sum string, o QueryOptions) (list []Standing, a *Answer, err error) {
	var questions []asked
	names := f.SystemNames()
	for i := range f.Tests {
		t := &f.Tests[i]
		for k := range t.Measurements {
			m := &t.Measurements[k]
			v, ok := m.Number()
			if !ok || m.Status != result.StatusOK || m.Decode == result.DecodeAmbiguous {
				continue
			}
			questions = append(questions, asked{len(list), testKey(t), string(t.Proportion), v})
			list = append(list, Standing{
				Test: t.Title, Version: t.Version, Arguments: t.Arguments, Scale: t.Scale, Proportion: string(t.Proportion),
				System: names[m.System], Value: m.Value, Reason: "no other system in the corpus ran this test",
			})
		}
	}
	if len(questions) == 0 {
		return nil, &Answer{}, nil
	}
	text, err := json.Marshal(questions)
	if err != nil {
		return nil, nil, err
	}
	a, err = ask(ctx, c, standingSQL, []any{string(text), sum, f.Identifier}, o, func(n *counted) {
		if n.ID >= 0 && n.ID < len(list) {
			list[n.ID].set(n)
		}
	})
	return list, a, err
}

// set works out the standing.
func (s *Standing) set(n *counted) {
	s.Systems, s.Files, s.Reason = n.Systems, n.Files, ""
	median := n.Median
	s.Median = &median
	better, worse := n.Systems-n.Lower-n.Equal, n.Lower
	best, worst := n.Max, n.Min
	switch result.Proportion(s.Proportion) {
	case result.HIB:
	case result.LIB:
		better, worse, best, worst = worse, better, worst, best
	default:
		s.Reason = "nothing says whether higher is better"
		return
	}
	percentile := percentileRank(worse, n.Equal, n.Systems)
	rank := better + 1
	s.Percentile, s.Rank, s.Best, s.Worst = &percentile, &rank, &best, &worst
}

// percentileRank is 100 (worse + equal/2) / all.
func percentileRank(worse, equal, all int64) float64 {
	return math.Round((float64(worse)+float64(equal)/2)/float64(all)*1e4) / 100
}
