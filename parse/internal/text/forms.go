package text

import (
	"math"
	"strings"

	"github.com/benchproof/benchproof/result"
)

// checkForms looks for numbers that PTS did not print so: all of a test have
// the same number of decimals, and a digit before the point. One that has lost
// or gained a character is kept as it stands, but is not sure.
func (b *builder) checkForms(t *result.Test) {
	cells := b.last()
	decimals, votes, n := 0, 0, 0
	for i := range cells {
		if cells[i].bar < 0 || math.IsNaN(cells[i].value) {
			continue
		}
		n++
		switch d := result.Decimals(t.Measurements[i].Value); {
		case votes == 0:
			decimals, votes = d, 1
		case d == decimals:
			votes++
		default:
			votes--
		}
	}
	same := 0
	for i := range cells {
		if cells[i].bar >= 0 && !math.IsNaN(cells[i].value) && result.Decimals(t.Measurements[i].Value) == decimals {
			same++
		}
	}
	for i := range cells {
		m := &t.Measurements[i]
		if cells[i].bar < 0 || math.IsNaN(cells[i].value) || strings.ContainsAny(m.Value, "eE") {
			continue
		}
		// Without a majority any of them may be the odd one.
		odd := same < n && (2*same <= n || result.Decimals(m.Value) != decimals)
		if !odd && !isDamaged(m.Value) {
			continue
		}
		m.Decode = max(m.Decode, result.DecodeInferred)
		b.diagAt(result.SeverityWarning, m.Origin, "odd-number", "the value %s is not of the form of its test's: a character may be missing", m.Value)
	}
}

// isDamaged reports whether a number has no digit on one side of its point,
// or a zero too many before it.
func isDamaged(number string) bool {
	number = strings.TrimLeft(number, "+-")
	point := strings.IndexByte(number, '.')
	if point == 0 || point == len(number)-1 {
		return true
	}
	return len(number) > 1 && number[0] == '0' && number[1] != '.'
}

// checkColumns looks at the columns of the bars' marks: PTS pads the values
// of a test, so they stand below each other. Where no value of the file is
// padded its blanks are lost, and nothing is known.
func (b *builder) checkColumns() {
	padded := false
	for i := range b.cells {
		padded = padded || b.cells[i].column > b.cells[i].length+1
	}
	if !padded {
		return
	}
	for i := range b.blocks {
		cells := b.cells[b.blocks[i].first : b.blocks[i].first+b.blocks[i].n]
		column, votes, n, same := int32(0), 0, 0, 0
		for _, c := range cells {
			if c.column == 0 {
				continue
			}
			n++
			switch {
			case votes == 0:
				column, votes = c.column, 1
			case c.column == column:
				votes++
			default:
				votes--
			}
		}
		for _, c := range cells {
			if c.column == column {
				same++
			}
		}
		for j, c := range cells {
			if c.column == 0 || same == n || 2*same > n && c.column == column {
				continue
			}
			m := &b.file.Tests[i].Measurements[j]
			m.Decode = max(m.Decode, result.DecodeInferred)
			b.diagAt(result.SeverityWarning, m.Origin, "value-width", "the bar of the value %s begins at another column than the test's others: a character may be missing", m.Value)
		}
	}
}
