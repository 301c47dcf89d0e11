package flat

// budget bounds the work spent on one page, counted in steps and not in time
// so that the outcome is the same on every machine. What is not decoded within
// it is said to be undecoded.
type budget struct{ left int }

// pageBudget is several times what the largest page of real results needs.
const pageBudget = 120_000_000

// spend takes n steps and reports whether there were as many.
func (b *budget) spend(n int) bool {
	b.left -= n
	return b.left > 0
}

// spent reports whether nothing is left.
func (b *budget) spent() bool { return b.left <= 0 }
