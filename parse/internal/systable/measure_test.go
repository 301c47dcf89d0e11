package systable

import (
	"fmt"
	"math/rand"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/benchproof/benchproof/parse/internal/oracle"
	"github.com/benchproof/benchproof/result"
)

// The tests here measure shares of right cells. What no reader could know is
// in them: a machine's monitor, printed again among ten like systems, may
// stand in any of ten columns.

// verbose shows every wrong cell; set SYSTABLE_VERBOSE to see them.
var verbose = os.Getenv("SYSTABLE_VERBOSE") != ""

// measure judges the tables of pages.
func measure(t testing.TB, pages []want) score {
	t.Helper()
	var sum score
	for _, w := range pages {
		sum.add(judge(t, w, Split(w.cells, w.keys, w.systems), verbose))
	}
	return sum
}

// TestPages reads the pages that PTS drew of made-up result files.
func TestPages(t *testing.T) {
	var pages, spaced []want
	for _, path := range append(oracle.Glob(t, "flat", "*.xml"), oracle.Glob(t, "samples", "forms", "*.xml")...) {
		w, ok := loadPage(t, path, strings.TrimSuffix(path, ".xml")+".html")
		if !ok {
			t.Errorf("%s: cannot be used", path)
			continue
		}
		pages = append(pages, w)
		spaced = append(spaced, w.spaced())
	}
	measure(t, pages).atLeast(t, "pages", 99.9, 99.3)
	measure(t, spaced).atLeast(t, "pages with blanks", 99.9, 99.3)
}

// TestCorpus reads real result files as PTS would draw them.
func TestCorpus(t *testing.T) {
	paths, err := filepath.Glob(filepath.Join(oracle.Shared(t, "corpus", "real"), "*", "composite.xml"))
	if err != nil {
		t.Fatal(err)
	}
	var pages []want
	for _, path := range paths {
		if w, ok := loadPage(t, path, ""); ok {
			pages = append(pages, w)
		}
	}
	measure(t, pages).atLeast(t, "real files", 99.9, 95)
}

// TestAlone reads every known machine as a page of its own.
func TestAlone(t *testing.T) {
	measure(t, alone(realMachines(t))).atLeast(t, "real machines alone", 99.8, 99.8)
}

// TestMixtures reads pages of real machines that nobody measured together.
func TestMixtures(t *testing.T) {
	pages := mixtures(1, realMachines(t), tries(40, 8), 7)
	measure(t, pages).atLeast(t, "real machines mixed", 99, 97)
}

// TestUnseen reads systems that were not looked at when the rules were made.
func TestUnseen(t *testing.T) {
	pool := machineList(t, "unseen.txt")
	measure(t, alone(pool)).atLeast(t, "unseen machines alone", 99, 99)
	measure(t, mixtures(2, pool, tries(30, 8), 5)).atLeast(t, "unseen machines mixed", 96, 90)
}

// TestLong reads a page of many machines that differ in all rows.
func TestLong(t *testing.T) {
	pool := machineList(t, "systems.txt")
	n := tries(50, 15)
	var names []string
	var hw, sw [][]result.Component
	for i := range n {
		m := pool[i*7%len(pool)]
		names = append(names, fmt.Sprint("Run ", i+1))
		hw, sw = append(hw, m.hardware), append(sw, m.software)
	}
	measure(t, []want{render("long", names, hw, sw)}).atLeast(t, "a long page", 98, 98)
}

// tries returns how often to do something: seldom in short runs.
func tries(long, short int) int {
	if testing.Short() {
		return short
	}
	return long
}

// mixtures renders a number of random mixtures of machines.
func mixtures(seed int64, pool []machine, n, most int) []want {
	rnd := rand.New(rand.NewSource(seed))
	var out []want
	for i := range n {
		w := mixture(rnd, pool, 2+rnd.Intn(most))
		w.name = fmt.Sprintf("mixture %d", i)
		out = append(out, w)
	}
	return out
}

// TestHostile reads texts that are no tables: they must come back whole, and
// in the time and memory of a test.
func TestHostile(t *testing.T) {
	keys := []string{
		"Processor", "Motherboard", "Chipset", "Memory", "Disk", "Graphics", "Audio", "Monitor", "Network", "OS",
		"Kernel", "Desktop", "Display Server", "OpenGL", "Compiler", "File-System", "Screen Resolution", "A row that is new",
	}
	size := tries(400, 150)
	for _, piece := range []string{
		"a", "ext4", "1", "1234567890", "AMD ", " ", "(", "é", "\xff", "GCC 9.3.0 + ", "4 x ", "\x00\n\t",
		"Intel I211GCC 9.3.0ext416GB", "Intel Core i5-4690K @ 3.90GHz (4 Cores)",
	} {
		cells := strings.Repeat(piece, size/len(piece))
		for _, n := range []int{1, 40, 10_000} {
			systems := make([]string, n)
			for i := range systems {
				systems[i] = fmt.Sprint("ext4 ", i)
			}
			checkTable(t, cells, keys, systems, Split(cells, keys, systems))
		}
		checkTable(t, cells, nil, nil, Split(cells, nil, nil))
	}
	// Beyond the longest text: kept, not read.
	cells := strings.Repeat("ext4xfs", maxCells/7+1)
	table := Split(cells, keys, []string{"a", "b"})
	checkTable(t, cells, keys, []string{"a", "b"}, table)
	if table.Decode != result.DecodeAmbiguous || table.Columns[0].Hardware[0].Value != cells {
		t.Errorf("a text of %d bytes: %v, %d bytes kept", len(cells), table.Decode, len(table.Columns[0].Hardware[0].Value))
	}
}

// TestEffort reads the longest text that is searched where every piece may be
// a value: the search stops after its steps, and the text is kept.
func TestEffort(t *testing.T) {
	keys := []string{"Processor", "Motherboard", "Disk", "Network", "OS", "Compiler"}
	cells := "Intel Core i7-8700K @ 4.70GHz (6 Cores / 12 Threads)" + strings.Repeat("A", 40<<10)
	systems := []string{"mdadm", "Native Btrfs RAID 0", "NTFS3"}
	table := Split(cells, keys, systems)
	checkTable(t, cells, keys, systems, table)
	if !table.Stopped || table.Decode != result.DecodeAmbiguous {
		t.Errorf("stopped %v, %v", table.Stopped, table.Decode)
	}
}

// TestEffortOfRules reads a text whose pieces are few and long: the rules cost as
// much as a piece is long, and that counts as steps, too.
func TestEffortOfRules(t *testing.T) {
	keys := []string{"Processor", "Motherboard", "Memory", "Disk", "File-System"}
	cells := "Intel Core i5-4690K @ 3.90GHz (4 Cores)ASUS Z97-E (0803 BIOS)16384MB250G" + strings.Repeat("\"", 10_000) + strings.Repeat(")", 10_000) +
		"B Crucial_CT250MX2ext44001GB Western Digital WD40EFRX-68Nzfs"
	systems := []string{"SSD", "ZFS Mirror"}
	table := Split(cells, keys, systems)
	checkTable(t, cells, keys, systems, table)
	if !table.Stopped {
		t.Error("it was searched to its end")
	}
}

func BenchmarkSplit(b *testing.B) {
	for _, p := range publishedPages(b) {
		keys := p.keys()
		b.Run(fmt.Sprint(len(p.systems), "-systems"), func(b *testing.B) {
			b.SetBytes(int64(len(p.text)))
			for b.Loop() {
				Split(p.text, keys, p.systems)
			}
		})
	}
	pool := machineList(b, "systems.txt")
	w := mixtures(3, pool, 1, 20)[0]
	b.Run("mixture", func(b *testing.B) {
		b.SetBytes(int64(len(w.cells)))
		for b.Loop() {
			Split(w.cells, w.keys, w.systems)
		}
	})
}
