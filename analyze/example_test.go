package analyze_test

import (
	"fmt"

	"github.com/benchproof/benchproof/analyze"
	"github.com/benchproof/benchproof/result"
)

// published is a result of two systems and two tests: of the first the standard
// errors are known, of the second they are not.
func published() *result.File {
	f := &result.File{Title: "Disks", Source: "disks.txt"}
	ext4, xfs := f.AddSystem("EXT4"), f.AddSystem("XFS")
	f.Tests = []result.Test{
		{Title: "SQLite", Version: "3.22", Scale: "Seconds", Proportion: result.LIB, Measurements: []result.Measurement{
			{System: ext4, Value: "100.0", StdError: "1.0", Samples: 3}, {System: xfs, Value: "50.0", StdError: "0.5", Samples: 3},
		}},
		{Title: "FS-Mark", Version: "3.3", Scale: "Files/s", Proportion: result.HIB, Measurements: []result.Measurement{
			{System: ext4, Value: "96.7"}, {System: xfs, Value: "93.1"},
		}},
	}
	return f
}

// Two systems are compared test by test. Ratios are above 1 where a system is
// better than the baseline: half the seconds are twice as good.
func ExampleCompare() {
	set := analyze.NewSet([]*result.File{published()})
	c, err := analyze.Compare(set, analyze.CompareOptions{Baseline: "EXT4"})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, r := range c.Rows {
		fmt.Printf("%s: %s is %s, ratio %.2f", r.Test.Title, r.SystemName, r.Verdict, r.Ratio.X)
		if r.Interval.Low.Known {
			fmt.Printf(", %.2f to %.2f", r.Interval.Low.X, r.Interval.High.X)
		}
		fmt.Println()
	}
	// Output:
	// SQLite: XFS is better, ratio 2.00, 1.92 to 2.08
	// FS-Mark: XFS is untestable, ratio 0.96
}

// Systems are ranked within each test; those that share a letter do not differ.
// Without standard errors there is an order, and no letter.
func ExampleRank() {
	set := analyze.NewSet([]*result.File{published()})
	ranking, err := analyze.Rank(set)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, t := range ranking.Tests {
		for _, r := range t.Ranks {
			fmt.Printf("%s: %s %d %q\n", t.Test.Title, set.Systems[r.System].Name, r.Place, r.Letters)
		}
	}
	// Output:
	// SQLite: EXT4 2 "b"
	// SQLite: XFS 1 "a"
	// FS-Mark: EXT4 1 ""
	// FS-Mark: XFS 2 ""
}

// A replay on the published machine is held against what was published, value
// by value and pair by pair.
func ExampleVerify() {
	replay := published()
	replay.Source = "replay.json"
	replay.Tests = replay.Tests[:1]
	for i, value := range []string{"102.0", "51.5"} {
		m := &replay.Tests[0].Measurements[i]
		m.Value = value
		m.Replay = &result.Replay{Driver: "sqlite3 3.22", Fidelity: result.NativeSameVersion}
	}
	v, err := analyze.Verify(published(), replay, analyze.VerifyOptions{SameMachine: true})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, r := range v.Rows {
		fmt.Printf("%s: %q, then %q: %s\n", r.Claim, r.Published, r.Replayed, r.Verdict)
	}
	// Output:
	// value: "100.0", then "102.0": reproduced
	// value: "50.0", then "51.5": reproduced
	// value: "96.7", then "": not-replayable
	// value: "93.1", then "": not-replayable
	// pair: "2", then "1.98058": reproduced
	// pair: "", then "": not-replayable
	// set: "", then "": reproduced
}

// Merge makes one result of several: tests that are the same become one row.
func ExampleMerge() {
	a, b := published(), published()
	b.Systems[1].Identifier = "BTRFS"
	b.Tests[0].Measurements = b.Tests[0].Measurements[1:]
	b.Tests[1].Measurements = b.Tests[1].Measurements[1:]
	merged := analyze.Merge([]*result.File{a, b})
	fmt.Println(merged.File.SystemNames(), len(merged.File.Tests))
	// Output:
	// [EXT4 XFS BTRFS] 2
}
