package text

import (
	"math"
	"strings"

	"github.com/benchproof/benchproof/result"
)

// checkNumbers reports values of bar rows that are no numbers: they are kept
// as printed, but nothing can be computed of them.
func (b *builder) checkNumbers(t *result.Test) {
	cells := b.last()
	commas, groups, others := 0, 0, 0
	first, other := -1, ""
	for i := range cells {
		if cells[i].bar < 0 || !math.IsNaN(cells[i].value) {
			continue
		}
		if first < 0 {
			first = i
		}
		switch kindOfNumber(t.Measurements[i].Value) {
		case decimalComma:
			commas++
		case grouped, commaOrGroup:
			groups++
		default:
			if others++; others == 1 {
				other = t.Measurements[i].Value
			}
		}
	}
	if first < 0 {
		return
	}
	// "1,234" beside "56,7" has a decimal comma too.
	if commas > 0 {
		commas, groups = commas+groups, 0
	}
	at := t.Measurements[first].Origin
	value := t.Measurements[first].Value
	if commas > 0 {
		b.diagAt(result.SeverityWarning, at, "decimal-comma", "values with a decimal comma, kept as printed and taken for no numbers: %d, such as %q", commas, value)
	}
	if groups > 0 {
		b.diagAt(result.SeverityWarning, at, "thousands-separator", "values with a separator of thousands, kept as printed and taken for no numbers: %d, such as %q", groups, value)
	}
	// Among plain numbers such a value is more likely a damaged one.
	for i := range cells {
		m := &t.Measurements[i]
		if cells[i].bar >= 0 && math.IsNaN(cells[i].value) && (commas+groups+others < len(cells) || kindOfNumber(m.Value) == otherNumber) {
			m.Decode = max(m.Decode, result.DecodeInferred)
		}
	}
	if others == 1 {
		b.diagAt(result.SeverityWarning, at, "not-a-number", "a value beside a bar, %q, is no number", other)
	} else if others > 0 {
		b.diagAt(result.SeverityWarning, at, "not-a-number", "%d values beside a bar, such as %q, are no numbers", others, other)
	}
}

// last returns the cells of the last test.
func (b *builder) last() []cell {
	blk := b.blocks[len(b.blocks)-1]
	return b.cells[blk.first : blk.first+blk.n]
}

type numberKind uint8

const (
	otherNumber numberKind = iota
	decimalComma
	grouped      // 1,234.5 or 1.234,5 or 1 234
	commaOrGroup // 1,234: either
)

// kindOfNumber says what keeps a printed value from being a decimal number.
func kindOfNumber(value string) numberKind {
	value = strings.TrimPrefix(value, "-")
	commas, points, spaces := 0, 0, 0
	lastComma := -1
	for i := 0; i < len(value); i++ {
		switch c := value[i]; {
		case c == ',':
			commas++
			lastComma = i
		case c == '.':
			points++
		case c == ' ' || c == '\'' || c >= 0x80:
			spaces++
		case !isDigit(c):
			return otherNumber
		}
	}
	switch {
	case commas == 1 && points == 0 && spaces == 0 && lastComma > 0 && lastComma < len(value)-1:
		if len(value)-lastComma-1 == 3 {
			return commaOrGroup
		}
		return decimalComma
	case commas > 0 || spaces > 0 || points > 1:
		return grouped
	}
	return otherNumber
}
