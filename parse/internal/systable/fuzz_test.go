package systable

import (
	"slices"
	"strings"
	"testing"

	"github.com/benchproof/benchproof/result"
)

// checkTable checks what holds of every table, whatever the text: each byte
// of the cells but blanks between them stands in one printed component, at
// its offset, in order of columns; inherited values are those of the column
// before; nothing has a key that the page has not.
func checkTable(t testing.TB, cells string, keys, systems []string, table Table) {
	t.Helper()
	if want := max(1, len(systems)); len(table.Columns) != want {
		t.Fatalf("%d columns, want %d", len(table.Columns), want)
	}
	at := 0
	before := map[string]string{}
	worst := result.DecodeExact
	for i := range table.Columns {
		col := &table.Columns[i]
		all := slices.Concat(col.Hardware, col.Software)
		if len(all) != len(col.Offsets) {
			t.Fatalf("column %d: %d components, %d offsets", i, len(all), len(col.Offsets))
		}
		var inherited []string
		now := map[string]string{}
		for k, c := range all {
			if _, twice := now[c.Key]; twice {
				t.Fatalf("column %d: %q twice", i, c.Key)
			}
			now[c.Key] = c.Value
			if len(keys) > 0 && !slices.Contains(keys, c.Key) {
				t.Fatalf("column %d: key %q is not on the page", i, c.Key)
			}
			offset := col.Offsets[k]
			if offset < 0 {
				inherited = append(inherited, c.Key)
				if v, ok := before[c.Key]; !ok || v != c.Value {
					t.Fatalf("column %d: %q is inherited as %q, the column before has %q", i, c.Key, c.Value, v)
				}
				continue
			}
			if offset < at || strings.Trim(cells[at:offset], " ") != "" {
				t.Fatalf("column %d: %q at %d, the text was read up to %d", i, c.Value, offset, at)
			}
			if c.Value == "" || !strings.HasPrefix(cells[offset:], c.Value) {
				t.Fatalf("column %d: %q does not stand at %d", i, c.Value, offset)
			}
			if v, ok := before[c.Key]; ok && v == c.Value {
				t.Fatalf("column %d: prints %q, which its neighbour has", i, c.Value)
			}
			at = offset + len(c.Value)
		}
		if !slices.Equal(inherited, col.Inherited) {
			t.Fatalf("column %d: inherited keys %q, want %q", i, col.Inherited, inherited)
		}
		worst = max(worst, col.Decode)
		before = now
	}
	if strings.Trim(cells[at:], " ") != "" {
		t.Fatalf("lost %q", cells[at:])
	}
	if worst != table.Decode {
		t.Fatalf("the table is %v, its worst column %v", table.Decode, worst)
	}
}

func FuzzSplit(f *testing.F) {
	keys := strings.Join([]string{
		"Processor", "Motherboard", "Memory", "Disk", "Monitor", "OS", "Kernel", "OpenGL", "Vulkan",
		"Compiler", "File-System", "Screen Resolution", "Display Driver",
	}, "\n")
	f.Add("Intel Core i5-4690K @ 3.90GHz (4 Cores)ASUS Z97-E (0803 BIOS)20480MB4001GBPhilips 170SUbuntu 18.044.15.0-58-generic (x86_64)4.6 Mesa1.2.185GCC 7.4.0ext41920x1200zfsext4", keys, "SSD\nZFS\nSSD 2")
	f.Add("AMD FX-8150 (8 Cores) MSI v4.0 4096MB 500GB ext4", keys, "A")
	f.Add("ext4ext4ext4", "File-System", "a\nb\nc")
	f.Add("   ", "Disk", "")
	f.Add("12345678901234567890", "Disk\nMemory\nRow that is not known", "1\n2\n3\n4")
	f.Add("\xff\xfe\x80", "OS\nOS", "é")
	f.Fuzz(func(t *testing.T, cells, keyLines, systemLines string) {
		if len(cells) > 700 || strings.Count(systemLines, "\n") > 30 {
			return // the search is bounded, but a fuzz run has many inputs
		}
		keys := unique(strings.Split(keyLines, "\n"))
		systems := strings.Split(systemLines, "\n")
		table := Split(cells, keys, systems)
		checkTable(t, cells, keys, systems, table)
		if again := Split(cells, keys, systems); !slices.EqualFunc(again.Columns, table.Columns, func(a, b Column) bool {
			return slices.Equal(a.Hardware, b.Hardware) && slices.Equal(a.Software, b.Software) && a.Decode == b.Decode
		}) {
			t.Fatal("a second reading differs from the first")
		}
	})
}

// unique drops repeats: a page has no row twice.
func unique(list []string) []string {
	var out []string
	for _, s := range list {
		if s != "" && !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	return out
}

func FuzzKeys(f *testing.F) {
	f.Add("SSD vs HDDProcessorMotherboardOSKernelFile-SystemSSDHDD", "SSD vs HDD")
	f.Add("Processor Motherboard OS Kernel A B", "")
	f.Add("ProcessorFooOSKernelScreen ResolutionVulkan RADV", "x")
	f.Fuzz(func(t *testing.T, text, title string) {
		keys, end, ok := Keys(text, title)
		if ok != (len(keys) > 0) || end < 0 || end > len(text) {
			t.Fatalf("%q to %d, %v", keys, end, ok)
		}
		// The keys stand at the end of what was read, but for blanks.
		read := strings.ReplaceAll(text[:end], " ", "")
		if want := strings.ReplaceAll(strings.Join(keys, ""), " ", ""); !strings.HasSuffix(read, want) {
			t.Fatalf("%q does not end in %q", read, want)
		}
		if len(unique(keys)) != len(keys) {
			t.Fatalf("a key twice: %q", keys)
		}
	})
}

func FuzzNotes(f *testing.F) {
	f.Add("Compiler Details- --build=x -v Disk Details- A: CFQ / rw- B: NONE / rwProcessor Details- Scaling Governor: x", "A\nB")
	f.Add("- --build=x -v - NONE / rw- Scaling Governor: y- Disk Scheduler: CFQ.", "A")
	f.Add("Disk Details- A, B: NONE- A: CFQ", "A\nB\nA, B")
	f.Add("Details- Details- ", "")
	f.Fuzz(func(t *testing.T, text, systemLines string) {
		systems := strings.Split(systemLines, "\n")
		at := 0
		for _, n := range parseNotes(text, systems) {
			if n.Offset < at || n.Offset+len(n.Value) > len(text) || text[n.Offset:n.Offset+len(n.Value)] != n.Value {
				t.Fatalf("%q does not stand at %d", n.Value, n.Offset)
			}
			// Between two notes there are a heading, a dash, names, blanks.
			gap := text[at:n.Offset]
			for _, i := range n.Systems {
				if i < 0 || i >= len(systems) || !strings.Contains(gap, systems[i]) {
					t.Fatalf("%q names system %d, which is not in %q", n.Value, i, gap)
				}
			}
			if n.Systems == nil && len(gap) > 0 {
				gap = strings.TrimRight(strings.TrimSuffix(strings.TrimRight(gap, " "), "-"), " ")
				gap = strings.TrimSuffix(gap, " Details")
				if gap = strings.Trim(gap, " "); gap != "" && gap != n.Key {
					t.Fatalf("lost %q before %q (%s)", gap, n.Value, n.Key)
				}
			}
			at = n.Offset + len(n.Value)
		}
		if strings.Trim(text[at:], " ") != "" {
			t.Fatalf("lost %q", text[at:])
		}
	})
}
