package systable_test

import (
	"fmt"

	"github.com/benchproof/benchproof/parse/internal/systable"
)

func ExampleSplit() {
	keys := []string{"Processor", "Memory", "OS", "Kernel", "File-System"}
	cells := "Intel Core i5-4690K @ 3.90GHz (4 Cores)20480MBUbuntu 18.044.15.0-58-generic (x86_64)ext4zfs"
	table := systable.Split(cells, keys, []string{"SSD", "ZFS Mirror"})
	for _, c := range table.Columns {
		fmt.Println(c.Hardware, c.Software, c.Inherited)
	}
	// Output:
	// [Processor: Intel Core i5-4690K @ 3.90GHz (4 Cores) Memory: 20480MB] [OS: Ubuntu 18.04 Kernel: 4.15.0-58-generic (x86_64) File-System: ext4] []
	// [Processor: Intel Core i5-4690K @ 3.90GHz (4 Cores) Memory: 20480MB] [OS: Ubuntu 18.04 Kernel: 4.15.0-58-generic (x86_64) File-System: zfs] [Processor Memory OS Kernel]
}

func ExampleAllNotes() {
	notes := "Disk Details- SSD: CFQ / relatime,rw- ZFS Mirror: NONE / rw,xattrPython Details- Python 3.6.8"
	for _, list := range systable.AllNotes(notes, []string{"SSD", "ZFS Mirror"}) {
		fmt.Println(list)
	}
	// Output:
	// [Disk: CFQ / relatime,rw Python: Python 3.6.8]
	// [Disk: NONE / rw,xattr Python: Python 3.6.8]
}
