package analyze

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/benchproof/benchproof/result"
)

// codes lists the findings of a file as "code system-or-word".
func codes(f *result.File) string {
	var list []string
	for _, d := range Integrity(f) {
		list = append(list, string(d.Severity)+" "+d.Code)
	}
	return strings.Join(list, ", ")
}

// profileTest is a test with title, version, arguments and scale.
func profileTest(title, version, arguments, scale string, figures ...string) result.Test {
	t := row(title, result.HIB, figures...)
	t.Version, t.Arguments, t.Scale = version, arguments, scale
	t.Options = result.ParseOptions(arguments)
	return t
}

// TestIntegrity: each finding is raised by the smallest file that shows it, and
// not by its neighbour that does not. The numbers are worked out by hand.
func TestIntegrity(t *testing.T) {
	one := func(figures ...string) *result.File {
		return file("A,B"[:2*len(figures)-1], row("T", result.HIB, figures...))
	}
	fio := func(version, result1 string, figures ...string) result.Test {
		return profileTest("Flexible IO Tester", version, "Type: Random Read - Direct: Yes - Block Size: 4KB", result1, figures...)
	}
	pgbench := func(suffix, scale, a string) result.Test {
		return profileTest("PostgreSQL pgbench", "13.0", "Clients: 50 - Mode: Read Write"+suffix, scale, a)
	}
	threaded := func(processor string) *result.File {
		f := file("A", profileTest("PostgreSQL pgbench", "10.3", "Scaling: Buffer Test - Test: Normal Load - Mode: Read Only", "TPS", "1"))
		f.Systems[0].Hardware = []result.Component{{Key: "Processor", Value: processor}}
		return f
	}
	// compiled is a figure of Compile Bench, or that of a second system with
	// the disk, beside what fio gets of the first one's disk, both ways.
	compiled := func(test, figure, direct, fs, disk string) *result.File {
		systems, figures := "A", []string{figure}
		if second, ok := strings.CutPrefix(figure, "- "); ok {
			systems, figures = "A,B", []string{"-", second}
		}
		f := file(systems, profileTest("Compile Bench", "0.6", "Test: "+test, "MB/s", figures...))
		for _, kind := range []string{"Random Read", "Sequential Write"} {
			f.Tests = append(f.Tests, profileTest("Flexible IO Tester", "3.25", "Type: "+kind+" - Direct: Yes - Block Size: 2MB", "MB/s", direct))
		}
		for i := range f.Systems {
			f.Systems[i].Software = []result.Component{{Key: "File-System", Value: fs}}
			if disk != "" {
				f.Systems[i].Hardware = []result.Component{{Key: "Disk", Value: disk}}
			}
		}
		return f
	}
	onZFS := func(fs string) *result.File {
		f := file("A", fio("3.1", "MB/s", "4404"))
		f.Systems[0].Software = []result.Component{{Key: "File-System", Value: fs}}
		return f
	}
	twice := one("1", "2")
	twice.Tests[0].Measurements = append(twice.Tests[0].Measurements, result.Measurement{System: 0, Value: "3"})
	mixed := func(scale string) *result.File {
		return file("A", profileTest("T", "1", "x", "MB/s", "1"), profileTest("T", "1", "x", scale, "1"))
	}
	errors := func(printed string) *result.File {
		// The runs have the standard error 1/√3 = 0.57735.
		f := one("200=199.00;200.00;201.00")
		f.Tests[0].Measurements[0].StdError = printed
		return f
	}
	for _, tt := range []struct {
		name string
		file *result.File
		want string
	}{
		{"mean of runs", one("200.00=199;200;201", "200.33=199;200;202"), ""},
		{"not the mean", one("205=190;200;210"), "warning mean-not-of-runs"},
		{"outside of the runs", one("240=199;200;201"), "error mean-not-of-runs"},
		{"rounded runs", one("2.333=2.3;2.4;2.4"), ""},
		{"one run of another value", one("9=4"), "error mean-not-of-runs"},
		{"error of runs", errors("0.58"), ""},
		{"another error", errors("0.60"), "warning error-not-of-runs"},
		{"zero", one("0", "1"), "warning zero-value"},
		{"negative", one("-1", "1"), "warning negative-value"},
		{"several values", twice, "warning several-values"},
		{"101 times", one("1", "101"), "warning unit-suspect"},
		{"100 times", one("1", "100"), ""},
		{"101 times on other disks", file("HDD: A,SSD: A", row("T", result.HIB, "1", "101")), "info far-apart"},
		{"100 times on other disks", file("HDD: A,SSD: A", row("T", result.HIB, "1", "100")), ""},
		{"far apart on all hardware", file("HDD: A,HDD: B,SSD: A", row("T", result.HIB, "1", "101", "1000")), "warning unit-suspect"},
		{"KiB/s beside MB/s", mixed("KiB/s"), "warning mixed-scales"},
		{"IOPS beside MB/s", mixed("IOPS"), ""},
		{"three runs", one("10 ±0.1 N=3"), ""},
		{"four runs", one("10 ±0.1 N=4"), "info runs-added"},
		{"a system without value", file("A,B", row("T", result.HIB, "1")), "info system-empty"},

		// 355 MiB/s are 90 880 blocks of 4096 bytes; 355 000 KiB/s 88 750.
		{"blocks of MiB", file("A", fio("3.1", "MB/s", "355"), fio("3.1", "IOPS", "90967")), ""},
		{"converted blocks", ConvertUnits(file("A", fio("3.1", "MB/s", "355"), fio("3.1", "IOPS", "90967"))), ""},
		{"blocks of KiB/1000", file("A", fio("3.1", "MB/s", "355"), fio("3.1", "IOPS", "88750")), ""},
		{"other blocks", file("A", fio("3.1", "MB/s", "355"), fio("3.1", "IOPS", "94000")), "warning identity-iops"},
		{
			"few IOPS left out", file("A,B", fio("3.1", "MB/s", "2.14", "355"), fio("3.1", "IOPS", "-", "90967")),
			"warning unit-suspect, info censored",
		},
		{
			"fast reads left out", file("A,B", profileTest("Flexible IO Tester", "2.1.11", "Type: Sequential Read - Result: MB/s", "MB/s", "997.53")),
			"info censored, info system-empty",
		},
		{"fio 3 has no such limit", file("A,B", profileTest("Flexible IO Tester", "3.25", "Type: Sequential Read", "MB/s", "997", "1")), "warning unit-suspect"},

		// 41083 · 1.217 ms = 50.0; 29455 · 1.760 ms = 51.8.
		{"clients by latency", file("A", pgbench("", "TPS", "41083"), pgbench(" - Average Latency", "ms", "1.217")), ""},
		{"too many clients by latency", file("A", pgbench("", "TPS", "29455"), pgbench(" - Average Latency", "ms", "1.760")), "warning identity-latency"},

		{"64 threads", threaded("AMD 2990WX @ 3.00GHz (32 Cores / 64 Threads)"), "warning clients-over-connections"},
		{"25 threads", threaded("X (25 Cores)"), ""},
		{"threads unknown", threaded("X"), ""},
		{"151 clients", file("A", profileTest("MariaDB", "10.6.4", "Clients: 151", "Queries Per Second", "1")), ""},
		{"256 clients", file("A", profileTest("MariaDB", "10.6.4", "Clients: 256", "Queries Per Second", "1")), "warning clients-over-connections"},

		{"ZFS reads", onZFS("zfs"), "info cache-bound"},
		{"XFS reads", onZFS("xfs"), ""},
		{"a warm tree", file("A", profileTest("Compile Bench", "0.6", "Test: Read Compiled Tree", "MB/s", "2392")), "info cache-bound"},
		{"a tree faster than the disk", compiled("Read Compiled Tree", "2392", "476", "ext4", ""), "info cache-bound"},
		{"a tree as fast as the disk", compiled("Read Compiled Tree", "1580", "2615", "ext4", ""), ""},
		{"the other system has these disks", compiled("Read Compiled Tree", "- 2392", "476", "ext4", "X"), "info cache-bound"},
		{"and is faster", compiled("Read Compiled Tree", "- 1580", "2615", "ext4", "X"), ""},
		{"nobody knows the disks", compiled("Read Compiled Tree", "- 601", "2615", "ext4", ""), "info cache-bound"},
		{"ZFS knows no disk", compiled("Read Compiled Tree", "590", "100", "zfs", ""), "info cache-bound"}, // that of fio alone
		{"written faster than the disk", compiled("Compile", "2683", "2162", "xfs", ""), "info cache-bound"},
		{"written a little faster", compiled("Initial Create", "2226", "2162", "xfs", ""), ""},
		{"files without sync", file("A", profileTest("FS-Mark", "3.3", "Test: 1000 Files, 1MB Size, No Sync/FSync", "Files/s", "562")), "info cache-bound"},
		{"files with sync", file("A", profileTest("FS-Mark", "3.3", "Test: 1000 Files, 1MB Size", "Files/s", "148")), ""},
		{"large blocks have no IOPS", file("A", profileTest("Flexible IO Tester", "3.1", "Type: Random Write - Block Size: 2MB", "MB/s", "5208")), "info censored"},
		{"small ones should", file("A", profileTest("Flexible IO Tester", "3.1", "Type: Random Write - Block Size: 4KB", "MB/s", "100")), ""},
		{"a cold tree", file("A", profileTest("Compile Bench", "0.6", "Test: Read Compiled Tree", "MB/s", "240")), ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := codes(tt.file); got != tt.want {
				t.Errorf("%q, want %q", got, tt.want)
				for _, d := range Integrity(tt.file) {
					t.Log(d)
				}
			}
		})
	}
}

// TestThreads: hardware threads as PTS prints them.
func TestThreads(t *testing.T) {
	got := map[string]int{}
	want := map[string]int{
		"AMD Ryzen Threadripper 2990WX 32-Core @ 3.00GHz (32 Cores / 64 Threads)": 64,
		"Intel Core i5-4690K @ 3.90GHz (4 Cores)":                                 4,
		"2 x Intel Xeon (8 Cores)":                                                8,
		"Core Threads)":                                                           0, "": 0, "( Cores)": 0, "(-4 Cores)": 0, "(9999999999 Cores)": 0,
	}
	for text := range want {
		got[text] = threads(text)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestParseSize(t *testing.T) {
	for text, want := range map[string]string{
		"4KB": "4096 true", "2MB": "2.097152e+06 true", "128k": "131072 true", "512": "512 true", "4 KB": "4096 true",
		"": "0 false", "KB": "0 false", "0KB": "0 false", "4GB": "0 false", "4.5KB": "0 false", "-4KB": "0 false",
	} {
		n, ok := parseSize(text)
		if got := fmt.Sprint(n, ok); got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
}
