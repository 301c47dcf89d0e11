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
	lostCharacter = loss{"control-character", result.SeverityWarning, "texts with characters that XML forbids: %d; written without these"}
	lostValue     = loss{"control-character-value", result.SeverityError, "values with characters that XML forbids: %d; written as failed"}
	lostRuns      = loss{"runs", result.SeverityWarning, "measurements whose runs are no list of PTS: %d; the runs are not written"}
	lostInferred  = loss{"inferred", result.SeverityWarning, "inferred values: %d; PTS shows them like the others"}
	lostSure      = loss{"uncertain-name", result.SeverityWarning, "systems and tests whose names are not certain: %d; PTS shows them like the others"}
	lostAmbiguous = loss{"ambiguous", result.SeverityWarning, "ambiguous values: %d; written as failed, the alternatives as the error"}
	lostError     = loss{"std-error", result.SeverityWarning, "standard errors without their runs: %d; not written"}
	lostPrecise   = loss{"precise", result.SeverityInfo, "values known with more digits than their graph shows: %d; written as shown"}
	lostLoose     = loss{"unassigned", result.SeverityWarning, "standard errors of one among several systems: %d; not written"}
	lostFootnote  = loss{"footnotes", result.SeverityInfo, "tests with footnotes: %d; these are not written"}
	lostNote      = loss{"notes", result.SeverityInfo, "values with notes beside them: %d; these are not written"}
	lostReplay    = loss{"replay", result.SeverityInfo, "replayed measurements: %d; how is not written"}
	lostInherit   = loss{"inherited", result.SeverityInfo, "systems with components of the column before: %d; written as their own"}
	lostSplit     = loss{"title-split", result.SeverityInfo, "titles not divided from the description for sure: %d; written as they are"}
	lostName      = loss{"renamed-system", result.SeverityWarning, "systems with the name of another: %d; they got one of their own"}
	lostTwice     = loss{"duplicate-entry", result.SeverityWarning, "tests with several entries of one system: %d"}
	lostAddress   = loss{"address", result.SeverityInfo, "addresses of the published page: %d; not written"}
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
