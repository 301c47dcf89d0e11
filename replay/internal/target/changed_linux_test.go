package target

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// changedTo returns what Check says.
func changedTo(t *testing.T, g *Target) string {
	t.Helper()
	err := g.Check()
	if err == nil {
		return ""
	}
	var c *changed
	if !errors.As(err, &c) {
		t.Fatalf("%v is no change", err)
	}
	return c.What
}

func TestCheckVanishedMount(t *testing.T) {
	dir := t.TempDir()
	point := mounted(t, dir, "disk", "-o", "loop", image(t, dir, "16M"))
	g := open(t, point)
	s, err := g.NewScratch(Marker{ID: "v"})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if got := changedTo(t, g); got != "" {
		t.Fatalf("changed: %s", got)
	}
	if notes := strings.Join(g.Notes(), "; "); !strings.Contains(notes, "loop device") || !strings.Contains(notes, "page cache") {
		t.Errorf("notes %q: want that it is on a loop device, through the page cache", notes)
	}
	if d := g.Devices(); len(d.Carriers) != 1 || d.Carriers[0].Kind != "loop" || len(d.Disks) == 0 || d.Disks[0].Kind != "disk" {
		t.Errorf("devices %+v", d)
	}
	// The open directory keeps it from being unmounted by mistake.
	if exec.Command("umount", point).Run() == nil {
		t.Fatal("unmounted under an open target")
	}
	mustRun(t, "umount", "-l", point)
	if got := changedTo(t, g); !strings.HasPrefix(got, "is on another device: ") {
		t.Errorf("vanished: %q", got)
	}
	if err := s.Check(); err == nil {
		t.Error("the scratch directory is still there")
	}
	if _, err := g.NewScratch(Marker{ID: "w"}); err == nil {
		t.Error("made a scratch directory on the disk below")
	}
	if names, err := os.ReadDir(point); err != nil || len(names) > 0 {
		t.Errorf("something was written below the mount point: %v, %v", names, err)
	}
	// Mounted again, it is the same file-system on another mount.
	was := g.Identity()
	mustRun(t, "mount", "-o", "loop", filepath.Join(dir, "image"), point)
	if got := changedTo(t, g); !strings.HasPrefix(got, "is on another ") {
		t.Errorf("mounted again: %q", got)
	}
	now := open(t, point)
	if diff := was.differences(now.Identity()); len(diff) > 0 {
		t.Errorf("a resumed replay finds another target: %q", diff)
	}
	if again, err := now.OpenScratch("v"); err != nil {
		t.Error(err)
	} else if err := again.Remove(); err != nil {
		t.Error(err)
	}
	// Something mounted over it.
	mustRun(t, "mount", "-t", "tmpfs", "none", point)
	if got := changedTo(t, now); !strings.HasPrefix(got, "is on another device: ") {
		t.Errorf("mounted over: %q", got)
	}
	over := open(t, point)
	if diff := was.differences(over.Identity()); len(diff) < 2 || !strings.Contains(diff[0], `"tmpfs", not "ext4"`) {
		t.Errorf("differences %q", diff)
	}
}

func TestCheckReadOnly(t *testing.T) {
	point := mounted(t, t.TempDir(), "disk", "-t", "tmpfs", "-o", "size=4m", "none")
	g := open(t, point)
	mustRun(t, "mount", "-o", "remount,noatime", point)
	if got := changedTo(t, g); got != "" {
		t.Errorf("other options: %q", got)
	}
	if m, err := g.Mount(); err != nil || !strings.Contains(strings.Join(m.Options, ","), "noatime") {
		t.Errorf("mount %+v, %v", m, err)
	}
	mustRun(t, "mount", "-o", "remount,ro", point)
	if got := changedTo(t, g); got != "has become read-only" {
		t.Errorf("read-only: %q", got)
	}
	mustRun(t, "mount", "-o", "remount,rw", point)
	if got := changedTo(t, g); got != "" {
		t.Errorf("writable again: %q", got)
	}
}

func TestCheckReplacedDirectory(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "d")
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	g := open(t, dir)
	if err := os.Rename(dir, dir+".old"); err != nil {
		t.Fatal(err)
	}
	if got := changedTo(t, g); !strings.HasPrefix(got, "is gone: ") {
		t.Errorf("gone: %q", got)
	}
	if err := os.Symlink(dir+".old", dir); err != nil {
		t.Fatal(err)
	}
	if got := changedTo(t, g); !strings.HasPrefix(got, "is gone: ") {
		t.Errorf("a link: %q", got)
	}
	if err := os.Remove(dir); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if got := changedTo(t, g); !strings.HasPrefix(got, "is another directory: ") {
		t.Errorf("another: %q", got)
	}
}
