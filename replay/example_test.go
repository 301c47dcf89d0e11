package replay_test

import (
	"fmt"

	"github.com/benchproof/benchproof/replay"
	"github.com/benchproof/benchproof/result"
)

// tools are programs as a machine may have them; a [replay.Finder] looks for
// those of this one.
type tools map[string]string

func (t tools) Find(program string) (path, version string, ok bool) {
	version, ok = t[program]
	return "/usr/bin/" + program, version, ok
}

// A plan says of every published row what would run for it, or why nothing can.
// It runs nothing.
func ExampleNewPlan() {
	f := &result.File{Title: "Disks", Source: "disks.txt"}
	f.AddSystem("EXT4")
	for _, t := range []result.Test{
		{Title: "FS-Mark", Version: "3.3", Arguments: "Test: 1000 Files, 1MB Size", Scale: "Files/s", Proportion: result.HIB},
		{Title: "SQLite", Version: "3.22", Arguments: "Timed SQLite Insertions", Scale: "Seconds", Proportion: result.LIB},
		{Title: "Doom", Version: "3", Scale: "Frames Per Second", Proportion: result.HIB},
	} {
		t.Options = result.ParseOptions(t.Arguments)
		t.Measurements = []result.Measurement{{Value: "96.7", Samples: 3}}
		f.Tests = append(f.Tests, t)
	}
	p, err := replay.NewPlan(replay.Rows([]*result.File{f}), replay.PlanOptions{
		Request: replay.Request{Scale: 1},
		Tools:   tools{"fs_mark": "3.3"},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, s := range p.Steps {
		fmt.Printf("%s %s: %s %q %s\n", s.Test, s.Version, s.Status, s.Reason, s.Argv)
	}
	// Output:
	// FS-Mark 3.3: ready "" [/usr/bin/fs_mark -d scratch -s 1048576 -n 1000]
	// SQLite 3.22: unavailable "sqlite3 is not installed" []
	// Doom 3: refused "no profile for \"Doom\" 3" []
}
