package parse_test

import (
	"fmt"
	"strings"

	"github.com/benchproof/benchproof/parse"
)

func ExampleReader_Files() {
	const dump = `Disk Tests
Of one machine.


SSD: 

	Processor: Intel Core i5 @ 3.90GHz (4 Cores), Memory: 8GB, Disk: 250GB Foo

	OS: Debian 12, Kernel: 6.1.0 (x86_64), File-System: ext4


SQLite 3.22
Timed SQLite Insertions
Seconds < Lower Is Better
SSD . 86.08 |==================================================================
`
	r, err := parse.NewReader(strings.NewReader(dump), "dump.txt", parse.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer r.Close()
	for file, err := range r.Files() {
		if err != nil {
			fmt.Println(err)
			return
		}
		for _, test := range file.Tests {
			for _, m := range test.Measurements {
				fmt.Println(file.Systems[m.System].Identifier, m.Value, test.Scale, m.Decode, m.Origin)
			}
		}
	}
	// Output:
	// SSD 86.08 Seconds exact dump.txt:15:7
}

func ExampleReader_Files_unknown() {
	r, err := parse.NewReader(strings.NewReader("\x89PNG\r\n\x1a\n"), "graph.png", parse.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer r.Close()
	for _, err := range r.Files() {
		fmt.Println(err)
	}
	// Output:
	// graph.png:1:1: found a PNG image, expected a PTS text, HTML, JSON or CSV export, page text, composite.xml, fio's JSON, a terminal capture or a benchproof record
}

// A result file is read, whatever its form, and its values are walked: tests are
// rows, systems columns, and a system without a value has no measurement.
func ExampleReadFile() {
	files, err := parse.ReadFile("../samples/ssd-vs-zfs-hdds.flat.txt", parse.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, file := range files {
		fmt.Println(file.Title, file.Format)
		for _, test := range file.Tests {
			if test.Title != "Dbench" {
				continue
			}
			for _, m := range test.Measurements {
				n, ok := m.Number()
				fmt.Println(test.Arguments, file.Systems[m.System].Identifier, m.Value, test.Scale, n, ok, m.Decode)
			}
		}
	}
	// Output:
	// SSD vs ZFS HDDs flat
	// 12 Clients SSD 472 MB/s 472 true exact
	// 12 Clients ZFS Mirror 128 MB/s 128 true exact
	// 1 Clients SSD 51.89 MB/s 51.89 true exact
	// 1 Clients ZFS Mirror 30.37 MB/s 30.37 true exact
}
