package systable

import "math"

// tail is the cost of the rows from low to high that have no cell yet at the
// end of their part of the first column.
func (s *solver) tail(n *node, low, high int) float32 {
	var c float32
	past := s.past[n.past]
	for r := low; r < high; r++ {
		if past[r] != 0 {
			continue
		}
		switch s.keys[r] {
		case lastKey:
			if int(n.rank) >= s.from && s.hasScreen(past) {
				c += tailRare
			} else {
				c += tailOften
			}
		case "Monitor", "Display Driver", "OpenGL", "OpenCL", "Vulkan", "System Layer", "Audio":
			c += tailOften
		case "Processor", "Memory", "OS", "Kernel", "File-System":
			c += tailRare
		default:
			c += tailRow
		}
	}
	return c
}

// hasScreen reports whether a column has what shows on a screen, whose size
// PTS then prints.
func (s *solver) hasScreen(past []int32) bool {
	for r, k := range s.keys {
		if (k == "Desktop" || k == "Display Server" || k == "OpenGL") && past[r] != 0 {
			return true
		}
	}
	return false
}

// changeCosts returns the cost of a further cell in a column that has printed
// a number of the rows: it is one of two kinds, a machine like the one before
// with a few changes, or another machine with many.
func changeCosts(rows int) []float32 {
	total := func(k int) float64 {
		same := float64(k)*math.Log(fewChange) + float64(rows-k)*math.Log(1-fewChange)
		other := math.Log(otherMachine) + float64(k)*math.Log(manyChange) + float64(rows-k)*math.Log(1-manyChange)
		return -logAdd(same, other)
	}
	costs := make([]float32, rows+1)
	for k := range costs {
		costs[k] = float32(total(k+1) - total(k))
	}
	return costs
}

// mix hashes a row's text.
func mix(row int, text int32) uint64 {
	if text == 0 {
		return 0
	}
	x := uint64(row+1)<<32 | uint64(uint32(text))
	x ^= x >> 31
	x *= 0x7fb5d329728ea185
	x ^= x >> 27
	x *= 0x81dadef4bc2dd44d
	return x ^ x>>33
}

func logAdd(a, b float64) float64 {
	if a < b {
		a, b = b, a
	}
	if math.IsInf(b, -1) {
		return a
	}
	return a + math.Log1p(math.Exp(b-a))
}
