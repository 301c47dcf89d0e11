package xml

import (
	"fmt"

	"github.com/benchproof/benchproof/result"
)

// loss is a kind of thing that the record holds and composite.xml does not.
type loss struct {
	code     string
	severity result.Severity
	message  string // with the verb %d for how many there are
}

// The kinds of losses.
var (
	lostCharacter = loss{"control-character", result.SeverityWarning, "%d texts hold characters that XML forbids; they are written without these"}
	lostValue     = loss{"control-character-value", result.SeverityError, "%d values hold characters that XML forbids; they are written as failed"}
	lostRuns      = loss{"runs", result.SeverityWarning, "the runs of %d measurements cannot be written as a list of PTS"}
	lostInferred  = loss{"inferred", result.SeverityWarning, "%d values are inferred; PTS will show them like the others"}
	lostSure      = loss{"uncertain-name", result.SeverityWarning, "that the names of %d systems and tests are not certain is not written"}
	lostAmbiguous = loss{"ambiguous", result.SeverityWarning, "%d values are ambiguous; they are written as failed, the alternatives as the error"}
	lostError     = loss{"std-error", result.SeverityWarning, "%d standard errors are not written: composite.xml keeps runs only"}
	lostPrecise   = loss{"precise", result.SeverityInfo, "%d values are written with the digits of their graph, and known with more"}
	lostLoose     = loss{"unassigned", result.SeverityWarning, "%d standard errors of one among several systems are not written"}
	lostFootnote  = loss{"footnotes", result.SeverityInfo, "the footnotes of %d tests are not written"}
	lostNote      = loss{"notes", result.SeverityInfo, "the notes beside %d values are not written"}
	lostReplay    = loss{"replay", result.SeverityInfo, "how %d measurements were replayed is not written"}
	lostInherit   = loss{"inherited", result.SeverityInfo, "%d systems have components taken over from the column before, written as their own"}
	lostSplit     = loss{"title-split", result.SeverityInfo, "%d titles are not divided from the description for sure"}
	lostName      = loss{"renamed-system", result.SeverityWarning, "%d systems share a name with another and got one of their own"}
	lostTwice     = loss{"duplicate-entry", result.SeverityWarning, "%d results have several entries of one system"}
	lostAddress   = loss{"address", result.SeverityInfo, "%d addresses of the published page are not written"}
)

// losses counts losses by kind.
type losses struct {
	kinds []*counted
}

type counted struct {
	loss
	n  int
	at result.Origin
}

// add counts one more of a kind, met at a place.
func (l *losses) add(kind loss, at result.Origin) {
	for _, k := range l.kinds {
		if k.code == kind.code {
			k.n++
			return
		}
	}
	l.kinds = append(l.kinds, &counted{kind, 1, at})
}

func (l *losses) list() []result.Diagnostic {
	var out []result.Diagnostic
	for _, k := range l.kinds {
		out = append(out, result.Diagnostic{
			Severity: k.severity, Origin: k.at, Code: k.code, Message: fmt.Sprintf(k.message, k.n),
		})
	}
	return out
}
