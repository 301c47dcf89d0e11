package analyze

import (
	"cmp"
	"fmt"
	"math"
	"slices"
)

// Orders of rows. Published is that of the files.
const (
	SortPublished = "published"
	SortName      = "name"
	SortChange    = "change" // the largest difference either way first
	SortP         = "p"      // the smallest p value first
	SortRank      = "rank"   // of a ranking: the best first within a test
)

// Sort puts the rows in an order: SortPublished, SortName, SortChange or
// SortP. Rows without the number in question come last, equal ones stay in
// their order.
func (c *Comparison) Sort(order string) error {
	key := func(r *CompareRow) float64 { return 0 }
	switch order {
	case SortPublished, "":
		return nil
	case SortName:
		slices.SortStableFunc(c.Rows, func(a, b CompareRow) int {
			return cmp.Or(cmp.Compare(a.Test.Name(), b.Test.Name()), cmp.Compare(a.Test.Scale, b.Test.Scale), cmp.Compare(a.SystemName, b.SystemName))
		})
		return nil
	case SortChange:
		key = func(r *CompareRow) float64 { return -math.Abs(math.Log(orNaN(r.Ratio))) }
	case SortP:
		key = func(r *CompareRow) float64 { return orNaN(r.P) }
	default:
		return fmt.Errorf("unknown order %q, want published, name, change or p", order)
	}
	slices.SortStableFunc(c.Rows, func(a, b CompareRow) int {
		x, y := key(&a), key(&b)
		switch {
		case math.IsNaN(x) && math.IsNaN(y):
			return 0
		case math.IsNaN(x):
			return 1
		case math.IsNaN(y):
			return -1
		}
		return cmp.Compare(x, y)
	})
	return nil
}

// Sort puts tests or systems in an order: SortPublished, SortName (of tests)
// or SortRank (of the systems within each test).
func (r *Ranking) Sort(order string) error {
	switch order {
	case SortPublished, "":
	case SortName:
		slices.SortStableFunc(r.Tests, func(a, b TestRanking) int {
			return cmp.Or(cmp.Compare(a.Test.Name(), b.Test.Name()), cmp.Compare(a.Test.Scale, b.Test.Scale))
		})
	case SortRank:
		place := func(k TestRank) int {
			if k.Place == 0 {
				return math.MaxInt
			}
			return k.Place
		}
		for i := range r.Tests {
			slices.SortStableFunc(r.Tests[i].Ranks, func(a, b TestRank) int { return cmp.Compare(place(a), place(b)) })
		}
	default:
		return fmt.Errorf("unknown order %q, want published, name or rank", order)
	}
	return nil
}
