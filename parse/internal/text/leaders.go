package text

import (
	"strings"

	"github.com/benchproof/benchproof/internal/phrase"
	"github.com/benchproof/benchproof/result"
)

// checkLeaders looks at the dots of the last test: identifier and dots of a
// row are together one byte longer than the longest identifier that the test
// has an entry of. Where no printed row is that long, an entry without a
// value stands there unseen: the run on that system failed. A row whose
// identifier and dots are longer or shorter than the others' is no longer as
// PTS printed it, or another test's, and so may be all rows behind it.
func (b *builder) checkLeaders(t *result.Test) {
	cells := b.last()
	if len(cells) == 0 {
		return
	}
	leader, votes := int32(0), 0
	for i := range cells { // the majority, if there is one
		switch {
		case votes == 0:
			leader, votes = cells[i].leader, 1
		case cells[i].leader == leader:
			votes++
		default:
			votes--
		}
	}
	b.blocks[len(b.blocks)-1].leader = int(leader)
	same := 0
	for i := range cells {
		if cells[i].leader == leader {
			same++
		}
	}
	longest, odd := 0, -1
	for i := range cells {
		// Without a majority any of them may be the odd one.
		if odd < 0 && (cells[i].leader != leader || 2*same <= len(cells)) {
			odd = i
		}
		if odd >= 0 {
			m := &t.Measurements[i]
			m.Decode = max(m.Decode, result.DecodeInferred)
			continue
		}
		longest = max(longest, len(b.file.Systems[t.Measurements[i].System].Identifier))
	}
	at := t.Measurements[0].Origin
	if odd >= 0 {
		for cells[odd].leader == leader {
			odd++
		}
		b.diagAt(result.SeverityWarning, t.Measurements[odd].Origin, "leader-width", "identifier and dots have %d bytes, in other rows of the test %d: the identifier may be damaged", cells[odd].leader, leader)
		return
	}
	if int(leader)-1 <= longest || b.headless {
		return
	}
	var fits []string
	test := len(b.file.Tests) - 1
	for _, i := range b.length[int(leader)-1] {
		if b.serial[i] == test {
			continue
		}
		fits = append(fits, b.file.Systems[i].Identifier)
		if len(fits) == 8 {
			break
		}
	}
	if len(fits) == 0 {
		b.diagAt(result.SeverityInfo, at, "failed-entry", "the dots leave room for an identifier of %s that no row prints: an entry without a value", phrase.Count(leader-1, "byte"))
		return
	}
	b.diagAt(result.SeverityInfo, at, "failed-entry", "the dots leave room for an identifier of %s that no row prints: an entry without a value of \"%s\"", phrase.Count(leader-1, "byte"), strings.Join(fits, `" or "`))
}
