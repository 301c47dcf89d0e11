package systable

import (
	"math"
	"strings"
)

// segment is a piece of the text that may be one cell of a row.
type segment struct {
	row        int
	start, end int     // end is behind the last byte
	next       int     // where the next cell begins: end, or behind blanks
	cost       float32 // nats
	text       int     // number of its text, equal for equal texts
}

// Costs of the free search, which knows the order of rows but neither how
// many columns there are nor what they printed before.
const (
	skipRow   = 0.3 // a row without a cell in a column
	newColumn = 1.5
	// oddGap is the cost of a boundary with blanks where cells have none
	// between them, or the reverse.
	oddGap = 9
	// tornWord is the cost of a boundary inside a known word.
	tornWord = 6
	// keepFree and keepRuled are how much worse than the best a division
	// that uses a segment may be for the segment to be kept, before and
	// after the rules have spoken.
	keepFree  = 28
	keepRuled = 24
	// maxSegments bounds the segments kept, the best of them.
	maxSegments = 1_000_000
)

// maxValue is the longest value considered, in bytes, for rows that have
// long ones; for others it is maxPlainValue.
var maxValue = map[string]int{
	"Disk": 700, "Network": 420, "Compiler": 420, "Motherboard": 160, "Graphics": 200, "Monitor": 200,
	"Memory": 200, "OpenCL": 240, "OpenGL": 140, "Processor": 120, "File-System": 40, "Screen Resolution": 30,
	"Vulkan": 60, "Kernel": 120,
}

const maxPlainValue = 110

// lattice holds the segments of a text, by start.
type lattice struct {
	text   string
	keys   []string
	ranks  []int  // of rows in a column's order
	spaced bool   // cells have a blank between them
	cuts   []bool // whether a cell may begin or end at an offset
	torn   []bool // whether that would tear a known word
	starts [][]segment
	ahead  []float32 // least cost of the text from an offset on
	best   float32   // cost of the best free division
}

// newLattice finds the segments that could be cells.
func newLattice(s *scorer, keys []string, ranks []int, spaced bool) *lattice {
	l := &lattice{text: s.text, keys: keys, ranks: ranks, spaced: spaced}
	l.cuts = make([]bool, len(s.text)+1)
	for i := range l.cuts {
		l.cuts[i] = l.canCut(i)
	}
	l.torn = tornWords(s.text)
	l.free(s)
	return l
}

// tornWords marks the offsets inside words that values.txt has: a boundary
// there is unlikely.
func tornWords(text string) []bool {
	known := teach().words
	torn := make([]bool, len(text)+1)
	for i := range text {
		if !isLetter(text[i]) {
			continue
		}
		for n := longestWord; n >= shortestWord; n-- {
			if i+n > len(text) || i+n < len(text) && isLetter(text[i+n]) || !known[text[i:i+n]] {
				continue
			}
			for j := i + 1; j < i+n; j++ {
				torn[j] = true
			}
			break
		}
	}
	return torn
}

func isLetter(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }

// tear is the cost of a boundary at an offset by the words there.
func (l *lattice) tear(i int) float32 {
	if l.torn[i] {
		return tornWord
	}
	return 0
}

// canCut reports whether a cell may begin or end at an offset: not inside a
// letter of several bytes, nor inside a run of blanks.
func (l *lattice) canCut(i int) bool {
	if i == 0 || i == len(l.text) {
		return true
	}
	a, b := l.text[i-1], l.text[i]
	if b >= 0x80 && b < 0xc0 || a == ' ' && b == ' ' {
		return false
	}
	// Two small letters: only before a word that begins values in small
	// letters, or behind a name of a file-system.
	if isLower(a) && isLower(b) {
		return l.smallStart(i) || l.smallEnd(i)
	}
	return true
}

func isLower(c byte) bool { return c >= 'a' && c <= 'z' }

// smallWords are the words in small letters that begin or are values.
var smallWords = func() []string {
	words := strings.Fields(`llvmpipe softpipe swrast modesetting intel radeon amdgpu nouveau nvidia
		fglrx nv vesa fbdev fbturbo vmware vboxvideo vboxdrmfb qxl cirrus ast mga openchrome freedreno
		openSUSE elementary macOS neon bcm2835 vc4 tegra qxldrmfb astdrmfb mgadrmfb mgag200drmfb
		virtio simple hyperv efifb jetson quill sun docker systemd lxc wsl container parallels microsoft
		amazon bhyve xen podman none i3 sway eVGA iMac iBook nVidia nForce deepin siduction rv64 awesome
		dwm bspwm labwc niri joyent omnios udl dummy armsoc omap ati apple hdmi`)
	for w := range fileSystems {
		words = append(words, w)
	}
	return words
}()

func (l *lattice) smallStart(i int) bool {
	for _, w := range smallWords {
		if strings.HasPrefix(l.text[i:], w) {
			return true
		}
	}
	return false
}

func (l *lattice) smallEnd(i int) bool {
	for w := range fileSystems {
		if strings.HasSuffix(l.text[:i], w) {
			return true
		}
	}
	for _, w := range []string{"docker", "parallels", "amazon", "microsoft", "wsl", "lxc", "nspawn", "llvmpipe", "drmfb", "modesetting", "radeon", "nouveau", "amdgpu", "intel", "fglrx"} {
		if strings.HasSuffix(l.text[:i], w) {
			return true
		}
	}
	return false
}

// gap returns the cost of a boundary that is followed by a number of blanks.
func (l *lattice) gap(blanks int) float32 {
	if (blanks > 0) != l.spaced {
		return oddGap
	}
	return 0
}

// turn is the cost of a cell of row b after one of row a in the free search.
func (l *lattice) turn(a, b int) float32 {
	ra, rb := l.ranks[a], l.ranks[b]
	if rb > ra {
		return min(skipRow*float32(rb-ra-1), newColumn)
	}
	return newColumn + min(skipRow*float32(rb), 1)
}

const inf = float32(math.MaxFloat32 / 4)

// free finds the best division that obeys the order of rows, with no view of
// columns, and keeps the segments of all that are not much worse.
func (l *lattice) free(s *scorer) {
	n, size := len(l.keys), len(l.text)
	next := make([]int, size+1) // where a cell begins behind an end
	for i := size; i >= 0; i-- {
		next[i] = i
		if i < size && l.text[i] == ' ' {
			next[i] = next[i+1]
		}
	}
	limits := make([]int, n)
	for r, k := range l.keys {
		if limits[r] = maxValue[k]; limits[r] == 0 {
			limits[r] = maxPlainValue
		}
	}
	// rest[i*n+r] is the least cost of the text from i on, where a cell of
	// row r ended before i; open[i*n+r] that of it where one of row r
	// begins at i.
	rest := make([]float32, (size+1)*n)
	open := make([]float32, (size+1)*n)
	for i := size - 1; i >= 0; i-- {
		for r := 0; r < n; r++ {
			open[i*n+r], rest[i*n+r] = inf, inf
		}
		if !l.cuts[i] || l.text[i] == ' ' {
			continue
		}
		for r := 0; r < n; r++ {
			best := inf
			for j := i + 1; j <= min(size, i+limits[r]); j++ {
				if !l.cuts[j] || l.text[j-1] == ' ' {
					continue
				}
				c := s.value(r, i, j) + l.tear(i)
				if k := next[j]; k < size {
					c += rest[k*n+r] + l.gap(k-j)
				}
				best = min(best, c)
			}
			open[i*n+r] = best
		}
		for a := 0; a < n; a++ {
			best := inf
			for b := 0; b < n; b++ {
				best = min(best, open[i*n+b]+l.turn(a, b))
			}
			rest[i*n+a] = best
		}
	}
	// The same from the front, keeping what lies within the margin.
	done := make([]float32, (size+1)*n) // cost up to i, the last cell of row r
	for i := range done {
		done[i] = inf
	}
	first := make([]float32, n)
	for r := 0; r < n; r++ {
		first[r] = skipRow * float32(l.ranks[r])
	}
	l.best = inf
	for r := 0; r < n && size > 0; r++ {
		l.best = min(l.best, first[r]+open[r])
	}
	l.starts = make([][]segment, size)
	kept := 0
	reach := make([]float32, n) // cost up to i with a cell of row r to begin
	for i := 0; i < size; i++ {
		if !l.cuts[i] || l.text[i] == ' ' {
			continue
		}
		any := false
		for b := 0; b < n; b++ {
			reach[b] = inf
			if i == 0 {
				reach[b] = first[b]
			}
			for a := 0; a < n; a++ {
				if d := done[i*n+a]; d < inf {
					reach[b] = min(reach[b], d+l.turn(a, b))
				}
			}
			any = any || reach[b]+open[i*n+b] <= l.best+keepFree
		}
		if !any {
			continue
		}
		for r := 0; r < n; r++ {
			if reach[r]+open[i*n+r] > l.best+keepFree {
				continue
			}
			for j := i + 1; j <= min(size, i+limits[r]); j++ {
				if !l.cuts[j] || l.text[j-1] == ' ' {
					continue
				}
				c := s.value(r, i, j) + l.tear(i)
				k := next[j]
				after := float32(0)
				if k < size {
					c += l.gap(k - j)
					after = rest[k*n+r]
				}
				if reach[r]+c+after > l.best+keepFree {
					continue
				}
				done[k*n+r] = min(done[k*n+r], reach[r]+c)
				if kept++; kept > maxSegments {
					return
				}
				l.starts[i] = append(l.starts[i], segment{row: r, start: i, end: j, next: k, cost: c})
			}
		}
	}
}

// refine adds the rules' costs, or what else changed, and drops the segments
// that are of no division within the margin of the best.
func (l *lattice) refine(extra func(*segment) float32) {
	n, size := len(l.keys), len(l.text)
	rest := make([]float32, (size+1)*n)
	open := make([]float32, size*n)
	l.ahead = make([]float32, size+1)
	for i := size - 1; i >= 0; i-- {
		for r := 0; r < n; r++ {
			open[i*n+r] = inf
		}
		for x := range l.starts[i] {
			g := &l.starts[i][x]
			if extra != nil {
				g.cost += extra(g)
			}
			c := g.cost
			if g.next < size {
				c += rest[g.next*n+g.row]
			}
			open[i*n+g.row] = min(open[i*n+g.row], c)
		}
		l.ahead[i] = inf
		for a := 0; a < n; a++ {
			best := inf
			for b := 0; b < n; b++ {
				best = min(best, open[i*n+b]+l.turn(a, b))
			}
			rest[i*n+a] = best
			l.ahead[i] = min(l.ahead[i], open[i*n+a])
		}
	}
	done := make([]float32, (size+1)*n)
	for i := range done {
		done[i] = inf
	}
	l.best = inf
	for r := 0; r < n; r++ {
		l.best = min(l.best, skipRow*float32(l.ranks[r])+open[r])
	}
	for i := 0; i < size; i++ {
		kept := l.starts[i][:0]
		for _, g := range l.starts[i] {
			reach := inf
			if i == 0 {
				reach = skipRow * float32(l.ranks[g.row])
			}
			for a := 0; a < n; a++ {
				if d := done[i*n+a]; d < inf {
					reach = min(reach, d+l.turn(a, g.row))
				}
			}
			after := float32(0)
			if g.next < size {
				after = rest[g.next*n+g.row]
			}
			if reach+g.cost+after > l.best+keepRuled {
				continue
			}
			done[g.next*n+g.row] = min(done[g.next*n+g.row], reach+g.cost)
			kept = append(kept, g)
		}
		l.starts[i] = kept
	}
}
