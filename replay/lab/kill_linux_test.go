package lab

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/benchproof/benchproof/replay/internal/process"
)

// childEnv makes the test binary a process that makes a lab, uses and removes
// it, and kills itself at a moment: DIR, the lab's identifier, the number of the
// moment.
const childEnv = "BENCHPROOF_TEST_LAB"

func TestMain(m *testing.M) {
	if args := os.Getenv(childEnv); args != "" {
		part := strings.Split(args, "|")
		if err := child(part[0], part[1], part[2]); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// killedID is this process's own: others may test at the same time.
var killedID = fmt.Sprintf("killed%d", os.Getpid())

func child(dir, id, moment string) error {
	left, err := strconv.Atoi(moment)
	if err != nil {
		return err
	}
	fault = func() {
		if left--; left == 0 {
			_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
			select {}
		}
	}
	c := Named{"killed", Config{Spec: "btrfs:raid1:2", Disks: 2, Dir: dir, Size: 128 << 20, Limit: Limit{IOPS: 500}}}
	ctx := context.Background()
	l, err := Open(ctx, Setup{ID: id, Configs: []Named{c}})
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(l.Dir("killed"), "file"), make([]byte, 1<<20), 0o644); err != nil {
		return err
	}
	for _, do := range []func(string) error{l.Begin, l.End, l.Trim, l.Begin} {
		if err := do("killed"); err != nil {
			return err
		}
	}
	_, err = l.Close(ctx)
	return err
}

// TestKilled kills a process at every moment of making, using and removing a
// lab. What cleans up behind it leaves nothing, once by the replay's own
// directory and once by looking for what others have left.
func TestKilled(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	dir := imageDir(t)
	config(t, dir, "btrfs:raid1:2", 128<<20, Limit{IOPS: 500})
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	at := Path(dir, killedID)
	before := left(t, dir)
	moments := 0
	for ended := false; !ended; moments++ {
		if moments > 200 {
			t.Fatal("it does not end")
		}
		cmd := exec.Command(self)
		cmd.Env = append(os.Environ(), fmt.Sprintf("%s=%s|%s|%d", childEnv, dir, killedID, moments+1))
		out, err := cmd.CombinedOutput()
		if status, ok := cmd.ProcessState.Sys().(syscall.WaitStatus); ok && status.Signaled() {
			// as it should
		} else if err != nil {
			t.Fatalf("moment %d: %v: %s", moments, err, out)
		} else {
			ended = true
		}
		if _, err := process.KillLeftovers(t.Context(), killedID); err != nil {
			t.Fatal(err)
		}
		if moments%2 == 0 {
			if _, err := Sweep(t.Context(), dir); err != nil {
				t.Fatalf("moment %d: sweep: %v", moments, err)
			}
		}
		if _, err := Clean(t.Context(), at, killedID); err != nil {
			t.Fatalf("moment %d: %v", moments, err)
		}
		if found := leftLoops(loopBase(killedID)); len(found) > 0 {
			t.Errorf("moment %d: left %q", moments, found)
		}
		if found := since(before, left(t, dir)); len(found) > 0 {
			t.Errorf("moment %d: left %q", moments, found)
		}
	}
	if t.Logf("killed at %d moments", moments-1); moments < 25 {
		t.Errorf("%d moments, want at least 25", moments)
	}
}

// leftLoops returns the loop devices of a lab's numbers, and limits of them.
func leftLoops(base int) []string {
	var list []string
	for n := base; n < base+8; n++ {
		if _, err := os.Stat(fmt.Sprintf("/sys/block/loop%d", n)); err == nil {
			list = append(list, loopPath(n))
		}
		if at, err := This().throttle(); err == nil && at.limited(killedID, fmt.Sprintf("7:%d", n)) {
			list = append(list, fmt.Sprintf("a limit of 7:%d", n))
		}
	}
	return list
}

// A lab that is in use is left alone by all others.
func TestSweepLeavesOthers(t *testing.T) {
	dir := imageDir(t)
	c := config(t, dir, "ext4", 32<<20, Limit{})
	one := open(t, "one", c)
	two := open(t, "two", c)
	if _, err := Clean(t.Context(), one.dir, own("one")); err == nil || !strings.Contains(err.Error(), errInUse.Error()) {
		t.Errorf("a lab in use is cleaned: %v", err)
	}
	shut(t, two)
	points, err := mountsBelow(dir)
	if err != nil || !slices.Equal(points, []string{one.Dir(c.Label)}) {
		t.Errorf("mounted: %q, %v", points, err)
	}
	shut(t, one)
}

// A directory that others made, or that is empty and young, is not swept.
func TestSweepOthersDirectories(t *testing.T) {
	dir, err := CheckDir(t.TempDir())
	if err != nil {
		t.Skip(err)
	}
	young := filepath.Join(dir, prefix+"young")
	strange := filepath.Join(dir, "precious")
	for _, d := range []string{young, strange} {
		if err := os.Mkdir(d, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if did, err := Sweep(t.Context(), dir); err != nil || len(did) > 0 {
		t.Errorf("swept %q, %v", did, err)
	}
	old := time.Now().Add(-time.Hour)
	if err := os.Chtimes(young, old, old); err != nil {
		t.Fatal(err)
	}
	if did, err := Sweep(t.Context(), dir); err != nil || len(did) != 1 {
		t.Errorf("swept %q, %v", did, err)
	}
	if _, err := os.Stat(strange); err != nil {
		t.Error(err)
	}
	// A marker that is another's.
	if err := os.Mkdir(young, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(young, markerFile), []byte(`{"schema":"x"}`), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Sweep(t.Context(), dir); err == nil || !strings.Contains(err.Error(), "is no marker of this directory") {
		t.Errorf("a strange marker: %v", err)
	}
}
