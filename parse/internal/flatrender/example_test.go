package flatrender_test

import (
	"fmt"

	"github.com/benchproof/benchproof/parse/internal/flatrender"
	"github.com/benchproof/benchproof/result"
)

func ExamplePage() {
	f := &result.File{Title: "SSD vs HDD"}
	ssd, hdd := f.AddSystem("SSD"), f.AddSystem("HDD")
	f.Tests = []result.Test{{
		Profile: "pts/dbench-1.0.2", Title: "Dbench", Version: "4.0", Arguments: "12 Clients",
		Scale: "MB/s", Proportion: result.HIB, DisplayFormat: "BAR_GRAPH",
		Measurements: []result.Measurement{
			{System: ssd, Value: "1190.5", RawValues: []string{"1188.2", "1190.4", "1192.9"}},
			{System: hdd, Value: "86.08", RawValues: []string{"86.08"}},
		},
	}}
	text, err := flatrender.Page(f, flatrender.Options{NoOverview: true})
	fmt.Println(text, err)
	// Output:
	// SSD vs HDD
	//
	// SSD vs HDDSSDHDDOpenBenchmarking.org
	//
	// Dbench
	//
	// 12 Clients
	//
	// OpenBenchmarking.orgMB/s, More Is BetterDbench 4.012 ClientsSSDHDD30060090012001500SE +/- 1.36, N = 31190.5086.08 <nil>
}
