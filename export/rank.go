package export

import (
	"io"
	"iter"

	"github.com/benchproof/benchproof/analyze"
	"github.com/benchproof/benchproof/internal/number"
	"github.com/benchproof/benchproof/result"
)

// RankColumns are the columns of a ranking as a table.
var RankColumns = join(
	columns(Text, "test", "version", "arguments", "scale", "proportion", "system_group", "system"),
	columns(Figure, "value"),
	columns(Count, "rank", "rank_low", "rank_high"),
	columns(Text, "letters"),
)

// RankRows yields the rows of a ranking, those over all tests last; their value
// is the mean rank over profiles. The slice is reused for the next row.
func RankRows(r *analyze.Ranking) iter.Seq[[]string] {
	return func(yield func([]string) bool) {
		row := make([]string, len(RankColumns))
		for i := range r.Tests {
			t := &r.Tests[i]
			for _, k := range t.Ranks {
				copy(row, []string{
					t.Test.Title, t.Test.Version, t.Test.Arguments, t.Test.Scale, string(t.Test.Proportion),
					t.Group, r.Set.Systems[k.System].Name, cellValue(k.Cell),
					count(k.Place), count(k.Low), count(k.High), k.Letters,
				})
				if !yield(row) {
					return
				}
			}
		}
		for i := range r.Overall {
			o := &r.Overall[i]
			for _, k := range o.Systems {
				copy(row, []string{
					OverallTest, "", "", "mean rank", string(result.LIB), o.Group, r.Set.Systems[k.System].Name,
					number.Significant(k.MeanRank, 6), count(k.Place), count(k.Low), count(k.High), k.Letters,
				})
				if !yield(row) {
					return
				}
			}
		}
	}
}

type rankDocument struct {
	Schema   string        `json:"schema"` // benchproof/rank/1
	Level    float64       `json:"level"`
	Tests    []rankTest    `json:"tests"`
	Overall  []rankOverall `json:"overall"`
	Warnings []string      `json:"warnings"`
}

type rankTest struct {
	Test       string            `json:"test"`
	Version    string            `json:"version"`
	Arguments  string            `json:"arguments"`
	Scale      string            `json:"scale"`
	Proportion result.Proportion `json:"proportion"`
	Group      string            `json:"system_group"`
	Family     int               `json:"family"`
	Reason     string            `json:"reason"`
	Rows       []rankRow         `json:"rows"`
}

type rankRow struct {
	System  string `json:"system"`
	Value   string `json:"value"`
	Rank    *int   `json:"rank"`
	Low     *int   `json:"rank_low"`
	High    *int   `json:"rank_high"`
	Letters string `json:"letters"`
	Reason  string `json:"reason"`
}

type rankOverall struct {
	Group        string            `json:"system_group"`
	Tests        int               `json:"tests"`
	Profiles     int               `json:"profiles"`
	W            analyze.Quantity  `json:"kendall_w"`
	P            analyze.Quantity  `json:"friedman_p"`
	CD           analyze.Quantity  `json:"critical_difference"`
	Reason       string            `json:"reason"`
	Rows         []rankSystem      `json:"rows"`
	NoValues     []string          `json:"no_values"`
	LeftOut      []analyze.LeftOut `json:"left_out"`
	LeftOutCount int               `json:"left_out_count"`
}

type rankSystem struct {
	System       string  `json:"system"`
	MeanRank     float64 `json:"mean_rank"`
	Rank         *int    `json:"rank"`
	Low          *int    `json:"rank_low"`
	High         *int    `json:"rank_high"`
	Letters      string  `json:"letters"`
	TestMeanRank float64 `json:"mean_rank_all_tests"`
	TestRank     *int    `json:"rank_all_tests"`
	TestLow      *int    `json:"rank_low_all_tests"`
	TestHigh     *int    `json:"rank_high_all_tests"`
}

// WriteRankJSON writes a ranking as one JSON document. What is not known is
// null.
func WriteRankJSON(w io.Writer, r *analyze.Ranking) error {
	doc := rankDocument{
		Schema: "benchproof/rank/1", Level: analyze.Level,
		Tests: []rankTest{}, Overall: []rankOverall{}, Warnings: list(r.Warnings),
	}
	name := func(system int) string { return r.Set.Systems[system].Name }
	for i := range r.Tests {
		t := &r.Tests[i]
		j := rankTest{
			t.Test.Title, t.Test.Version, t.Test.Arguments, t.Test.Scale, t.Test.Proportion,
			t.Group, t.Pairs, t.Reason, make([]rankRow, len(t.Ranks)),
		}
		for n, k := range t.Ranks {
			j.Rows[n] = rankRow{name(k.System), cellValue(k.Cell), known(k.Place), known(k.Low), known(k.High), k.Letters, k.Reason}
		}
		doc.Tests = append(doc.Tests, j)
	}
	for i := range r.Overall {
		o := &r.Overall[i]
		j := rankOverall{
			o.Group, o.Tests, o.Profiles, o.W, o.P, o.CriticalDifference,
			o.Reason, make([]rankSystem, len(o.Systems)), list(o.NoValues), list(o.LeftOut), o.LeftOutCount,
		}
		for n, k := range o.Systems {
			j.Rows[n] = rankSystem{
				name(k.System), k.MeanRank, known(k.Place), known(k.Low), known(k.High), k.Letters,
				k.TestsMeanRank, known(k.TestsPlace), known(k.TestsLow), known(k.TestsHigh),
			}
		}
		doc.Overall = append(doc.Overall, j)
	}
	return writeDocument(w, doc)
}
