package html

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/benchproof/benchproof/analyze"
	"github.com/benchproof/benchproof/result"
)

// samples are the five published results, by their verified truth.
var samples = []string{
	"f2fs-xfs-ext4-hdd-ssd.flat", "linux-5.14-filesystems", "mdadm-raid-levels", "optane-900p-raid", "ssd-vs-zfs-hdds.flat",
}

func sample(t testing.TB, names ...string) *analyze.Set {
	t.Helper()
	var files []*result.File
	for _, name := range names {
		b, err := os.ReadFile(filepath.Join("..", "..", "samples", "truth", name+".json"))
		if err != nil {
			t.Fatal(err)
		}
		list, err := result.DecodeJSON(bytes.NewReader(b))
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, list...)
	}
	return analyze.NewSet(files)
}

func newPage(t testing.TB, set *analyze.Set, o Options) *Page {
	t.Helper()
	p, err := New(set, o)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func written(t testing.TB, p *Page) string {
	t.Helper()
	var b bytes.Buffer
	if err := p.Write(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// made is a file with every kind of verdict, groups, single runs, a line graph,
// footnotes, failed, ambiguous and inferred values. Hand-made; what follows
// from it by hand is in the tests.
func made() *result.File {
	at := func(line int) result.Origin {
		return result.Origin{Source: "made.txt", Line: line, Column: 3, Rule: "text/bar-row"}
	}
	m := func(system int, value, se string, n, line int) result.Measurement {
		return result.Measurement{System: system, Value: value, StdError: se, Samples: n, Origin: at(line)}
	}
	f := &result.File{
		Title: "Made results", Source: "made.txt", Format: result.FormatText,
		Systems: []result.System{
			{Identifier: "HDD: EXT4", Hardware: []result.Component{{Key: "Disk", Value: "A + B"}, {Key: "Memory", Value: "16GB"}}, Software: []result.Component{{Key: "File-System", Value: "ext4"}}},
			{Identifier: "HDD: XFS", Hardware: []result.Component{{Key: "Disk", Value: "B + A"}, {Key: "Memory", Value: "16GB"}}, Software: []result.Component{{Key: "File-System", Value: "xfs"}}},
			{Identifier: "SSD: EXT4", Hardware: []result.Component{{Key: "Disk", Value: "C"}, {Key: "Memory", Value: "16GB"}}, Software: []result.Component{{Key: "File-System", Value: "ext4"}}},
			{Identifier: "SSD: XFS", Hardware: []result.Component{{Key: "Disk", Value: "C"}, {Key: "Memory", Value: "16GB"}}, Software: []result.Component{{Key: "File-System", Value: "xfs"}}},
		},
		Tests: []result.Test{
			{
				Profile: "pts/dbench-1.0.0", Title: "Dbench", Version: "4.0", Arguments: "12 Clients", Scale: "MB/s", Proportion: result.HIB, Footnotes: []string{"(CC) gcc options: -O2"},
				Measurements: []result.Measurement{m(0, "100.0", "0.5", 5, 10), m(1, "150.0", "0.7", 5, 11), m(2, "50.0", "0.4", 5, 12), m(3, "100.2", "0.3", 9, 13)},
			},
			{
				Profile: "pts/dbench-1.0.0", Title: "Dbench", Version: "4.0", Arguments: "48 Clients", Scale: "MB/s", Proportion: result.HIB,
				Measurements: []result.Measurement{m(0, "200", "2", 3, 20), m(1, "230", "60", 3, 21), m(2, "204", "1", 6, 22), m(3, "400", "", 0, 23)},
			},
			{
				Profile: "pts/sqlite-1.9.0", Title: "SQLite", Version: "3.22", Arguments: "Timed SQLite Insertions", Scale: "Seconds", Proportion: result.LIB,
				Measurements: []result.Measurement{
					{System: 0, Value: "20.00", RawValues: []string{"19.80", "20.00", "20.20"}, Origin: at(30)},
					{System: 1, Value: "10.00", RawValues: []string{"9.90", "10.00", "10.10"}, Origin: at(31)},
					{System: 2, Status: result.StatusFailed, Reason: "timeout", Origin: at(32)},
					{System: 3, Value: "8.5", Decode: result.DecodeInferred, Origin: at(33)},
				},
			},
			{
				Title: "Unsure", Scale: "s", Proportion: result.LIB,
				Measurements: []result.Measurement{m(0, "1.2", "0.1", 3, 40), {System: 1, Decode: result.DecodeAmbiguous, Alternatives: []string{"1.2", "12"}, Origin: at(41)}},
			},
			{
				Title: "CPU Temperature", Scale: "Celsius", DisplayFormat: "LINE_GRAPH",
				Measurements: []result.Measurement{m(0, "40,42,41,48", "", 0, 50), m(2, "39,39,40,40,41", "", 0, 51)},
			},
		},
	}
	result.SetGroups(f.Systems)
	return f
}

// large is a set of tests with standard errors for many systems.
func large(tests, systems int) *result.File {
	f := &result.File{Title: "Large", Source: "large.json", Format: result.FormatRecord}
	for s := range systems {
		f.Systems = append(f.Systems, result.System{Identifier: fmt.Sprintf("System %c", 'A'+s), Hardware: []result.Component{{Key: "Disk", Value: fmt.Sprintf("Disk %d", s)}}})
	}
	sizes := []string{"4KB", "64KB", "2MB"}
	kinds := []string{"Random Read", "Random Write", "Sequential Read", "Sequential Write"}
	for i := range tests {
		t := result.Test{
			Profile: fmt.Sprintf("pts/tool-%d.0.0", i/40), Title: fmt.Sprintf("Tool %d", i/40), Version: "1.0",
			Arguments: fmt.Sprintf("Type: %s - Block Size: %s - Job: %d - Disk Target: Default Test Directory", kinds[i%4], sizes[i/4%3], i%40),
			Scale:     "MB/s", Proportion: result.HIB,
		}
		if i%3 == 0 {
			t.Scale, t.Proportion = "Seconds", result.LIB
		}
		for s := range systems {
			// A sequence without structure, the same every time.
			x := 50 + float64((i*7919+s*104729)%1000)/10*float64(1+s)
			t.Measurements = append(t.Measurements, result.Measurement{
				System: s, Value: strconv.FormatFloat(x, 'f', 2, 64), StdError: strconv.FormatFloat(x*float64(1+(i+s)%7)/300, 'f', 2, 64), Samples: 3 + (i+s)%4,
				Origin: result.Origin{Source: f.Source, Line: i*systems + s + 1, Column: 1, Rule: "record/value"},
			})
		}
		f.Tests = append(f.Tests, t)
	}
	return f
}
