package export_test

import (
	"fmt"
	"os"

	"github.com/benchproof/benchproof/export"
	"github.com/benchproof/benchproof/result"
)

// The file that the examples write: XFS has no value for the second test.
func disks() *result.File {
	f := &result.File{Title: "Disks", Source: "disks.txt"}
	ext4, xfs := f.AddSystem("EXT4"), f.AddSystem("XFS")
	f.Tests = []result.Test{
		{Title: "SQLite", Version: "3.22", Scale: "Seconds", Proportion: result.LIB, Measurements: []result.Measurement{
			{System: ext4, Value: "86.08"}, {System: xfs, Value: "21.50"},
		}},
		{Title: "FS-Mark", Version: "3.3", Scale: "Files/s", Proportion: result.HIB, Measurements: []result.Measurement{
			{System: ext4, Value: "96.70"},
		}},
	}
	return f
}

func ExampleNewCSV() {
	w := export.NewCSV(os.Stdout, export.Options{Layout: export.Wide})
	if err := w.Write(disks()); err != nil {
		fmt.Println(err)
	}
	if err := w.Close(); err != nil {
		fmt.Println(err)
	}
	// Output:
	// test,version,arguments,scale,proportion,EXT4,XFS
	// SQLite,3.22,,Seconds,LIB,86.08,21.50
	// FS-Mark,3.3,,Files/s,HIB,96.70,
}

func ExampleTable_Rows() {
	for row := range export.Results.Rows(disks()) {
		fmt.Println(row[2], row[8], row[9])
	}
	// Output:
	// SQLite EXT4 86.08
	// SQLite XFS 21.50
	// FS-Mark EXT4 96.70
}
