package systable

// maxEffort bounds the steps of the division of one text: weighing a piece of
// it as a value is one. A page of 15 machines that differ in all rows takes 23
// million, one of 80 takes 139 million. A long text without any form, whose
// every piece may be a value, would take many times as much.
const maxEffort = 150_000_000

// Steps that other work counts as, by how long it takes.
const (
	ruleSteps = 40 // a rule read over a piece
	nodeSteps = 20 // a way to a node
)

// usualValue is the length up to which the rules take the steps of any value, in
// bytes; of a longer one each further byte is a step.
const usualValue = 256

// ruleWork returns the steps of reading the rules over pieces.
func ruleWork(pieces []segment) int {
	steps := ruleSteps * len(pieces)
	for i := range pieces {
		steps += max(0, int(pieces[i].end-pieces[i].start)-usualValue)
	}
	return steps
}

// effort counts what is left of the steps. It counts no time, so that the same
// text is always divided the same way.
type effort struct{ left int }

// spend takes steps away and reports whether there were as many.
func (e *effort) spend(steps int) bool {
	e.left -= steps
	return e.left >= 0
}

// spent reports whether no steps are left.
func (e *effort) spent() bool { return e.left < 0 }
