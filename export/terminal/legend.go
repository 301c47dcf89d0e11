package terminal

import (
	"github.com/benchproof/benchproof/export"
	"github.com/benchproof/benchproof/result"
)

// legend is which of a file's marks and colours have been used, and which
// have been explained: each is where it is first used, in the same block.
type legend struct {
	inferred, ambiguous, color, whisker sign
}

type sign struct{ used, told bool }

// due reports, once, whether the sign is to be explained.
func (s *sign) due() bool {
	if !s.used || s.told {
		return false
	}
	s.told = true
	return true
}

// mark returns the mark of d and remembers it for the legend.
func (v *view) mark(d result.Decode) string {
	v.legend.inferred.used = v.legend.inferred.used || d == result.DecodeInferred
	v.legend.ambiguous.used = v.legend.ambiguous.used || d == result.DecodeAmbiguous
	return export.Mark(d)
}

// explain prints what the marks and colours of a block mean that have not
// been explained yet.
func (v *view) explain() {
	if v.legend.inferred.due() {
		v.paragraph(2, export.InferredMark+" "+export.InferredMeaning, dim)
	}
	if v.legend.ambiguous.due() {
		v.paragraph(2, export.AmbiguousMark+" "+export.AmbiguousMeaning, dim)
	}
	if v.legend.whisker.due() {
		sign, minus := "─┤", "±"
		if v.o.ASCII {
			sign, minus = "-]", "+/-"
		}
		v.paragraph(2, sign+" how high the mean may be, by its 95 % interval (value "+minus+" t SE of N runs)", dim)
	}
	if v.legend.color.due() {
		v.line("  " + v.paint("best", best) + ", " + v.paint("worst", worst))
	}
}
