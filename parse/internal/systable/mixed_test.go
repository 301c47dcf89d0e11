package systable

import (
	"bufio"
	"fmt"
	"math/rand"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/benchproof/benchproof/parse/internal/oracle"
	"github.com/benchproof/benchproof/result"
)

// machine is one system's two lists.
type machine struct{ hardware, software []result.Component }

// machineList reads a list of systems in testdata.
func machineList(t testing.TB, name string) []machine {
	t.Helper()
	f, err := os.Open(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var out []machine
	var lines []string
	for sc := bufio.NewScanner(f); sc.Scan(); {
		line := sc.Text()
		if line == "" || line[0] == '#' {
			continue
		}
		if lines = append(lines, line); len(lines) == 2 {
			out = append(out, machine{listOf(t, lines[0]), listOf(t, lines[1])})
			lines = nil
		}
	}
	return out
}

// realMachines reads the systems of real result files and of
// testdata/systems.txt.
func realMachines(t testing.TB) []machine {
	t.Helper()
	out := machineList(t, "systems.txt")
	seen := make(map[string]bool)
	paths, err := filepath.Glob(filepath.Join(oracle.Shared(t, "corpus", "real"), "*", "composite.xml"))
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range append(paths, oracle.Glob(t, "samples", "forms", "*.xml")...) {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		file, err := oracle.ReadXML(data)
		if err != nil {
			continue
		}
		for _, s := range file.Systems {
			m := machine{trimmed(s.Hardware), trimmed(s.Software)}
			if _, old := find(m.hardware, "Screen Resolution"); old {
				continue // PTS 0.1 had that row elsewhere
			}
			if key := fmt.Sprint(m); len(m.hardware) > 2 && !seen[key] {
				seen[key] = true
				out = append(out, m)
			}
		}
	}
	return out
}

// listOf divides "Key: value, Key: value" before known keys.
func listOf(t testing.TB, line string) []result.Component {
	t.Helper()
	var out []result.Component
	for part := range strings.SplitSeq(line, ", ") {
		key, value, ok := strings.Cut(part, ": ")
		if _, known := place[key]; !ok || !known {
			t.Fatalf("%q is no component", part)
		}
		out = append(out, result.Component{Key: key, Value: value})
	}
	return out
}

// mixture renders a table of systems that nobody measured together: a few
// real machines, each in a few configurations that differ in one or two rows.
func mixture(rnd *rand.Rand, pool []machine, n int) want {
	var hw, sw [][]result.Component
	var names []string
	for len(names) < n {
		m := pool[rnd.Intn(len(pool))]
		for k := 1 + rnd.Intn(4); k > 0 && len(names) < n; k-- {
			last := len(hw) - 1
			if last >= 0 && slices.Equal(hw[last], m.hardware) && slices.Equal(sw[last], m.software) {
				break // nobody could tell where the changes after it stand
			}
			hw = append(hw, slices.Clone(m.hardware))
			sw = append(sw, slices.Clone(m.software))
			names = append(names, fmt.Sprintf("Run %d", len(names)+1))
			other := pool[rnd.Intn(len(pool))]
			m = machine{changedOne(rnd, m.hardware, other.hardware), changedOne(rnd, m.software, other.software)}
		}
	}
	return render("mixture", names, hw, sw)
}

// changedOne returns a list with one value taken from another, or none.
func changedOne(rnd *rand.Rand, list, other []result.Component) []result.Component {
	out := slices.Clone(list)
	if rnd.Intn(2) == 0 || len(out) == 0 {
		return out
	}
	i := rnd.Intn(len(out))
	if v, ok := find(other, out[i].Key); ok {
		out[i].Value = v
	}
	return out
}

// alone renders every machine as a page of its own.
func alone(pool []machine) []want {
	var out []want
	for _, m := range pool {
		out = append(out, render("alone", []string{"System"}, [][]result.Component{m.hardware}, [][]result.Component{m.software}))
	}
	return out
}
