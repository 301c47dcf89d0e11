package result_test

import (
	"bytes"
	"fmt"

	"github.com/benchproof/benchproof/result"
)

func ExampleEncoder() {
	f := &result.File{Title: "Disks"}
	f.Tests = []result.Test{{Title: "SQLite", Measurements: []result.Measurement{
		{System: f.AddSystem("EXT4"), Value: "86.00"},
	}}}

	var doc bytes.Buffer
	e := result.NewEncoder(&doc)
	if err := e.Encode(f); err != nil {
		fmt.Println(err)
	}
	if err := e.Close(); err != nil {
		fmt.Println(err)
	}

	files, err := result.DecodeJSON(&doc)
	if err != nil {
		fmt.Println(err)
	}
	m := files[0].Tests[0].Measurements[0]
	v, ok := m.Number()
	fmt.Println(m.Value, v, ok, m.HalfUnit())
	// Output: 86.00 86 true 0.005
}
