package text

import (
	"math/rand/v2"
	"strings"
	"testing"
)

// mutate changes a few words or lines of a text: drops, doubles, swaps them,
// or puts in what confuses a reader.
func mutate(r *rand.Rand, text string) string {
	odd := []string{
		".", "...", "|", "|===", "<", "> Higher Is Better", "< Lower Is Better", ":", "A:", "\n", "\n\n", "\t", " ",
		"Processor: X, Memory: 1GB", "OS: Linux", ", ", "MIN: 1 AVG: 2 MAX: 3", "[ |-#X#-| ]", "PASS", "1,5", "1 234.5", "-3", "0", "1e9",
		"EXT4", "SSD: XFS, v2", "Seconds", "SQLite", "\u00a0", "=", "(Y/n): ", "Screen Resolution: 1x1", "\xff", "NaN",
	}
	for range 1 + r.IntN(6) {
		sep := " "
		if r.IntN(2) == 0 {
			sep = "\n"
		}
		parts := strings.Split(text, sep)
		i := r.IntN(len(parts))
		j := r.IntN(len(parts))
		switch r.IntN(7) {
		case 0:
			parts = append(parts[:i], parts[i+1:]...)
		case 1:
			parts[i], parts[j] = parts[j], parts[i]
		case 2:
			parts[i] += sep + parts[j]
		case 3:
			parts[i] += sep + odd[r.IntN(len(odd))]
		case 4:
			parts[i] = odd[r.IntN(len(odd))]
		case 5:
			if len(parts[i]) > 0 {
				k := r.IntN(len(parts[i]))
				parts[i] = parts[i][:k] + parts[i][k+1:]
			}
		case 6:
			if i > j {
				i, j = j, i
			}
			if j-i < len(parts)/2 {
				parts = append(parts[:i], parts[j:]...)
			}
		}
		text = strings.Join(parts, sep)
	}
	return text
}

// Damaged dumps, of either form, two at a time too.
func TestMutated(t *testing.T) {
	n := 20000
	if testing.Short() {
		n = 2000
	}
	r := rand.New(rand.NewPCG(1, 2))
	collapsed := strings.Join(strings.Fields(smallDump), " ")
	for i := range n {
		text := mutate(r, [...]string{smallDump, collapsed, smallDump + smallDump, collapsed + "\n" + collapsed, hardWrap(collapsed, 60), softWrap(smallDump, 50)}[i%6])
		checkRead(t, text)
		if t.Failed() {
			t.Fatalf("input %d: %q", i, text)
		}
	}
}
