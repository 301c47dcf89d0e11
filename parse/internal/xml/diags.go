package xml

import (
	"fmt"

	"github.com/benchproof/benchproof/result"
)

// diagsKept is how many diagnostics of one code are kept in full; how many
// more there are is said in one.
const diagsKept = 100

// diagnostics collects the diagnostics of one file.
type diagnostics struct {
	all    []result.Diagnostic
	counts map[string]int
	order  []string // of the codes
	said   map[codeKey]bool
}

// add adds a diagnostic. The message is only made where it is kept; pieces of
// the input in it are shortened.
func (d *diagnostics) add(severity result.Severity, at result.Origin, code, format string, args ...any) {
	d.count(code, 1)
	if d.counts[code] > diagsKept {
		return
	}
	for i, arg := range args {
		switch arg := arg.(type) {
		case string:
			args[i] = clip(arg)
		case []byte:
			args[i] = clip(arg)
		case fmt.Stringer:
			args[i] = arg.String()
		}
	}
	d.all = append(d.all, result.Diagnostic{Severity: severity, Origin: at, Code: code, Message: fmt.Sprintf(format, args...)})
}

// count counts n diagnostics of a code.
func (d *diagnostics) count(code string, n int) {
	if d.counts == nil {
		d.counts = make(map[string]int)
	}
	if d.counts[code] == 0 {
		d.order = append(d.order, code)
	}
	d.counts[code] += n
}

// once is add, only the first time for a code and a key.
func (d *diagnostics) once(key string, severity result.Severity, at result.Origin, code, format string, args ...any) {
	k := codeKey{code, clip(key)}
	if d.said[k] {
		return
	}
	if d.said == nil {
		d.said = make(map[codeKey]bool)
	}
	if len(d.said) < 100*diagsKept {
		d.said[k] = true
	}
	d.add(severity, at, code, format, args...)
}

type codeKey struct{ code, key string }

// words is a piece of a message that is made when it is needed.
type words func() string

func (w words) String() string { return w() }

// list returns the diagnostics, with one more for each code of which not all
// are kept.
func (d *diagnostics) list() []result.Diagnostic {
	kept := make(map[string]*result.Diagnostic)
	number := make(map[string]int)
	for i := range d.all {
		kept[d.all[i].Code] = &d.all[i]
		number[d.all[i].Code]++
	}
	var more []result.Diagnostic
	for _, code := range d.order {
		if last := kept[code]; last != nil && d.counts[code] > number[code] {
			more = append(more, result.Diagnostic{
				Severity: last.Severity, Origin: last.Origin, Code: code,
				Message: fmt.Sprintf("%d more of this kind behind this place", d.counts[code]-number[code]),
			})
		}
	}
	return append(d.all, more...)
}

// noteSeverity is the severity of the scanner's notes; the others are
// warnings.
var noteSeverity = map[string]result.Severity{"html-entity": result.SeverityInfo}

// takeNotes makes diagnostics of what the scanner noted.
func (r *reader) takeNotes() {
	notes, more := r.s.TakeNotes()
	for _, n := range notes {
		severity := noteSeverity[n.Code]
		if severity == "" {
			severity = result.SeverityWarning
		}
		r.file.diags.add(severity, n.Origin, n.Code, "%s", n.Message)
	}
	for code, n := range more {
		r.file.diags.count(code, n)
	}
	if n := r.input.takeReplaced(); n > 0 {
		r.file.diags.add(result.SeverityWarning, r.file.begin, "invalid-encoding",
			"characters that %s does not have, read as U+FFFD: %d", r.input.encoding, n)
	}
}
