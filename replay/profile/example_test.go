package profile_test

import (
	"fmt"
	"time"

	"github.com/benchproof/benchproof/replay/profile"
	"github.com/benchproof/benchproof/result"
)

// programs are the versions of those that a machine has.
type programs map[string]string

func (t programs) Find(program string) (path, version string, ok bool) {
	version, ok = t[program]
	return "/usr/bin/" + program, version, ok
}

// A profile says what the options of a published row mean, and where each is
// from.
func ExampleFind() {
	row := profile.Row{
		Test: &result.Test{Title: "FS-Mark", Version: "3.3", Arguments: "Test: 1000 Files, 1MB Size", Scale: "Files/s"},
		Date: time.Date(2019, 1, 28, 0, 0, 0, 0, time.UTC),
	}
	row.Test.Options = result.ParseOptions(row.Test.Arguments)
	found := profile.Find(row)
	job, err := found.Resolve(profile.Request{Row: row, Scale: 1, Tools: programs{"fs_mark": "3.3"}})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(found.Info().Name, job.Profile, job.Driver, job.Fidelity)
	for _, o := range job.Options {
		fmt.Println(o.Name, o.Value, o.From)
	}
	// Output:
	// fs-mark pts/fs-mark-1.0.2 fs_mark 3.3 native-same-version
	// test 0 published
	// loops 1 default
	// size 1048576 published
}
