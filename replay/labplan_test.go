package replay

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/benchproof/benchproof/replay/lab"
)

// labTargets are a directory, a configuration that can be made, and one that
// cannot.
func labTargets(limit lab.Limit) []Target {
	return []Target{
		{Label: "dir", Dir: "/mnt/a", FileSystem: "ext4", Free: 1 << 30, Total: 1 << 31},
		{Label: "EXT4 900p", FileSystem: "ext4", Free: 1 << 30, Total: 1 << 30, Lab: &lab.Config{Spec: "ext4", Disks: 1, Dir: "/images", Size: 1 << 30, Limit: limit}},
		{Label: "mdadm", FileSystem: "ext4", Free: 1 << 30, Total: 1 << 30, Lab: &lab.Config{Spec: "md:raid0:ext4", Disks: 4, Dir: "/images", Size: 1 << 30, Limit: limit, Lacks: "the kernel has no md (raid0)", Hint: "--lab-guest can"}},
	}
}

func TestPlanOfLab(t *testing.T) {
	rows := []Row{fakeRow("Mode: ok - Size: 4", "MB/s")}
	p := mustPlan(t, rows, fakeOptions(labTargets(lab.Limit{IOPS: 200})...))
	if !p.hasLab() || !p.HasTarget() || len(p.standing()) != 2 || p.Ready() != 2 {
		t.Fatalf("lab %v, %d standing, %d ready", p.hasLab(), len(p.standing()), p.Ready())
	}
	dir, made, lacks := p.Steps[0], p.Steps[1], p.Steps[2]
	if dir.Status != Ready || dir.Scaled != "" || !dir.Comparable {
		t.Errorf("a directory beside a lab: %+v", dir)
	}
	if made.Status != Ready || made.Comparable || made.scaling() != "lab disks of 200 IOPS each" || !strings.Contains(made.NotComparable, "ratios alone") {
		t.Errorf("a lab's: %+v", made)
	}
	if lacks.Status != Unavailable || lacks.RunID != "" || lacks.Reason != "lab md:raid0:ext4: the kernel has no md (raid0)" || lacks.Hint != "--lab-guest can" {
		t.Errorf("what is lacking: %+v", lacks)
	}
	// The same scaling for all of a lab, or no pair of it could be compared.
	if made.scaling() != lacks.scaling() {
		t.Errorf("scaling %q and %q", made.scaling(), lacks.scaling())
	}
	// Values of other disks are other steps.
	other := mustPlan(t, rows, fakeOptions(labTargets(lab.Limit{IOPS: 100})...))
	if other.Steps[1].RunID == made.RunID || other.Steps[0].RunID != dir.RunID {
		t.Error("a limit does not tell runs apart, or tells those of a directory apart")
	}
	if free := mustPlan(t, rows, fakeOptions(labTargets(lab.Limit{})...)).Steps[1]; free.scaling() != "" || free.Comparable {
		t.Errorf("without limits: %+v", free)
	}
}

// A plan that is read back is for the same lab, or for none.
func TestPlanOfLabAgain(t *testing.T) {
	rows := []Row{fakeRow("Mode: ok - Size: 4", "MB/s")}
	o := fakeOptions(labTargets(lab.Limit{IOPS: 200})...)
	o.LabSystems = []lab.Proposal{{System: "EXT4 900p", Spec: "ext4"}}
	p := mustPlan(t, rows, o)
	var text bytes.Buffer
	if err := p.WriteJSON(&text); err != nil {
		t.Fatal(err)
	}
	read, err := ReadPlan(&text)
	if err != nil {
		t.Fatal(err)
	}
	again, err := read.Again(fakeOptions(labTargets(lab.Limit{IOPS: 200})...))
	if err != nil || again.Steps[1].RunID != p.Steps[1].RunID || len(again.LabSystems) != 1 {
		t.Errorf("made again: %v", err)
	}
	changed := labTargets(lab.Limit{IOPS: 100})
	var refused *TargetError
	if _, err := read.Again(fakeOptions(changed...)); !errors.As(err, &refused) || !strings.Contains(err.Error(), "planned was ext4 on 1 image of 1 GiB, 200 IOPS each") {
		t.Errorf("another limit: %v", err)
	}
	// What was lacking is there by now: the plan no longer holds.
	better := labTargets(lab.Limit{IOPS: 200})
	better[2].Lab.Lacks = ""
	var differs *ChangedError
	if _, err := read.Again(fakeOptions(better...)); !errors.As(err, &differs) || differs.Field != "status" {
		t.Errorf("what was lacking is there: %v", err)
	}
}
