package analyze

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/benchproof/benchproof/result"
)

// disks is a file of four systems that differ in disk and file-system, one of
// them in its kernel too.
func disks() *result.File {
	f := file("HDD: EXT4,HDD: XFS,SSD: EXT4,SSD: XFS", row("T", result.HIB, "10", "20", "100", "400"))
	for i, facts := range [][3]string{{"WD", "ext4", "5.0"}, {"WD", "xfs", "5.0"}, {"860", "ext4", "5.0"}, {"860", "xfs", "5.1"}} {
		f.Systems[i].Hardware = []result.Component{{Key: "Disk", Value: facts[0]}}
		f.Systems[i].Software = []result.Component{{Key: "Kernel", Value: facts[2]}, {Key: "File-System", Value: facts[1]}}
	}
	return f
}

// TestByComponent: each system is compared with the one that is like it in all
// but the axis, and what else differs is named.
func TestByComponent(t *testing.T) {
	for _, tt := range []struct {
		by, baseline, want string
		residue            []string
	}{
		{"File-System", "", "HDD: EXT4>HDD: XFS=2 SSD: EXT4>SSD: XFS=4", []string{"SSD: XFS against SSD: EXT4: also differs in Kernel"}},
		{"file-system", "xfs", "HDD: XFS>HDD: EXT4=0.5 SSD: XFS>SSD: EXT4=0.25", []string{"SSD: EXT4 against SSD: XFS: also differs in Kernel"}},
		{"Disk", "", "HDD: EXT4>SSD: EXT4=10 HDD: XFS>SSD: XFS=20", []string{"SSD: XFS against HDD: XFS: also differs in Kernel"}},
	} {
		c := compare(t, CompareOptions{By: tt.by, Baseline: tt.baseline}, disks())
		if got := ratios(c); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.by, got, tt.want)
		}
		if diff := cmp.Diff(tt.residue, c.Residue); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.by, diff)
		}
	}
}

// TestByComponentOfNamedSystems: where components do not tell systems apart,
// their names say which are alike, and what differs in a name is named. Disks
// are the same in whatever order they are listed.
func TestByComponentOfNamedSystems(t *testing.T) {
	f := file("EXT4 RAID0 Dual,EXT4 RAID1 Dual,XFS RAID1 Dual,XFS RAID0 Dual,ZFS RAIDZ Dual", row("T", result.HIB, "10", "20", "100", "400", "30"))
	for i, facts := range [][2]string{{"2 x A + B", "ext4"}, {"2 x A + B", "ext4"}, {"2 x A + B", "xfs"}, {"B + 2 x A", "xfs"}, {"2 x A + B", "zfs"}} {
		f.Systems[i].Hardware = []result.Component{{Key: "Disk", Value: facts[0]}}
		f.Systems[i].Software = []result.Component{{Key: "File-System", Value: facts[1]}}
	}
	c := compare(t, CompareOptions{By: "File-System"}, f)
	const want = "EXT4 RAID1 Dual>XFS RAID1 Dual=5 EXT4 RAID0 Dual>XFS RAID0 Dual=40 EXT4 RAID0 Dual>ZFS RAIDZ Dual=3"
	if got := ratios(c); got != want {
		t.Errorf("%s, want %s", got, want)
	}
	residue := []string{"ZFS RAIDZ Dual against EXT4 RAID0 Dual: also differs in name (RAID0, RAIDZ)"}
	if diff := cmp.Diff(residue, c.Residue); diff != "" {
		t.Errorf("residue (-want +got):\n%s", diff)
	}
}

// TestByOneValue: an axis with one value has nothing to compare, and says so.
func TestByOneValue(t *testing.T) {
	r := row("fio", result.HIB, "10", "20")
	r.Arguments = "Block Size: 4KB"
	c := compare(t, CompareOptions{By: "Block Size"}, file("A,B", r))
	if len(c.Rows) != 0 || len(c.Warnings) == 0 || !strings.Contains(c.Warnings[0], "have the same, 4KB") {
		t.Errorf("%d rows, warnings %q", len(c.Rows), c.Warnings)
	}
}

// TestByOption: rows that differ in one option are compared system by system.
func TestByOption(t *testing.T) {
	option := func(arguments string, scale string, figures ...string) result.Test {
		r := row("fio", result.HIB, figures...)
		r.Arguments, r.Options, r.Scale = arguments, result.ParseOptions(arguments), scale
		return r
	}
	f := file("A,B",
		option("Type: Read - Block Size: 4KB", "MB/s", "10", "20"),
		option("Type: Read - Block Size: 2MB", "MB/s", "50", "60"),
		option("Type: Write - Block Size: 2MB", "MB/s", "1", "1"),
		option("Type: Read - Block Size: 4KB", "IOPS", "1000", "2000"),
		option("12 Clients", "MB/s", "30", "-"),
		option("1 Clients", "MB/s", "15", "9"),
	)
	c := compare(t, CompareOptions{By: "Block Size"}, f)
	if got, want := ratios(c), "A [Block Size: 4KB]>A [Block Size: 2MB]=5 B [Block Size: 4KB]>B [Block Size: 2MB]=3"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if c.Rows[0].Arguments != "Type: Read" || !strings.Contains(strings.Join(c.Warnings, "\n"), "no row with Block Size: 4KB") {
		t.Errorf("arguments %q, warnings %q", c.Rows[0].Arguments, c.Warnings)
	}
	c = compare(t, CompareOptions{By: "Clients", Baseline: "1"}, f)
	if got, want := ratios(c), "A [Clients: 1]>A [Clients: 12]=2"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	var e *NameError
	if _, err := Compare(NewSet([]*result.File{f}), CompareOptions{By: "Bock Size"}); !errors.As(err, &e) || e.Nearest[0] != "Block Size" {
		t.Errorf("unknown axis: %v", err)
	}
	if _, err := Compare(NewSet([]*result.File{f}), CompareOptions{By: "Type", Baseline: "Raed"}); !errors.As(err, &e) || e.Nearest[0] != "Read" {
		t.Errorf("unknown value: %v", err)
	}
}

// TestResidueTexts: systems that differ from one baseline in the same are named
// in one text, in their order.
func TestResidueTexts(t *testing.T) {
	f := file("A,B,C,D", row("T", result.HIB, "10", "20", "30", "40"))
	for i, facts := range [][2]string{{"SSD", "ext4"}, {"SSD", "xfs"}, {"HDD", "ext4"}, {"SSD", "f2fs"}} {
		f.Systems[i].Hardware = []result.Component{{Key: "Disk", Value: facts[0]}}
		f.Systems[i].Software = []result.Component{{Key: "File-System", Value: facts[1]}}
	}
	c := compare(t, CompareOptions{}, f)
	want := []string{"B, D against A: differ in File-System", "C against A: differs in Disk"}
	if diff := cmp.Diff(want, c.ResidueTexts()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if len(c.Residue) != 3 {
		t.Errorf("residue of each pair: %q", c.Residue)
	}
}
