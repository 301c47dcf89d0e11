package analyze

import (
	"math"
	"strconv"
)

// Quantity is a number that may be unknown. The zero value is unknown; a known
// one is finite.
type Quantity struct {
	X     float64
	Known bool
}

// known returns x as a Quantity, an unknown one for NaN and the infinities.
func known(x float64) Quantity {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return Quantity{}
	}
	return Quantity{x, true}
}

// MarshalJSON returns the number, or null where it is unknown.
func (q Quantity) MarshalJSON() ([]byte, error) {
	if !q.Known {
		return []byte("null"), nil
	}
	return strconv.AppendFloat(nil, q.X, 'g', 10, 64), nil
}

// Range is an interval whose ends are known together.
type Range struct {
	Low  Quantity `json:"low"`
	High Quantity `json:"high"`
}

func knownRange(low, high float64) Range { return Range{known(low), known(high)} }
