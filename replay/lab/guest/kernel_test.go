package guest

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/benchproof/benchproof/replay/lab"
)

func TestCompareReleases(t *testing.T) {
	want := []string{"vmlinuz-5.10.0-28-amd64", "vmlinuz-6.1.0-9-amd64", "vmlinuz-6.1.0-57-amd64", "vmlinuz-6.1.0-57-cloud-amd64", "vmlinuz-6.12.1-amd64"}
	got := slices.Clone(want)
	slices.Reverse(got)
	slices.SortFunc(got, compareReleases)
	if !slices.Equal(got, want) {
		t.Errorf("sorted: %q\nwant:   %q", got, want)
	}
}

// anyKernel returns the kernel that guests of this machine have, or skips the
// test.
func anyKernel(t *testing.T) *kernel {
	t.Helper()
	names, _ := modulesFor()
	k, err := findKernel(kernelRoots(), names)
	if err != nil {
		t.Skipf("no kernel for guests (scripts/guest-kernel unpacks one): %v", err)
	}
	return k
}

// Of the real kernel's modules, the tool that tells what a module needs is the
// judge: all of it must be loaded before.
func TestClosure(t *testing.T) {
	tool := find("modinfo")
	if tool == "" {
		t.Skip("needs modinfo")
	}
	k := anyKernel(t)
	var specs []lab.Spec
	for _, text := range []string{"ext4", "xfs", "btrfs:raid1", "f2fs", "md:raid0:ext4", "md:raid1:xfs", "md:raid10:f2fs", "md:raid6:btrfs"} {
		s, err := lab.ParseSpec(text)
		if err != nil {
			t.Fatal(err)
		}
		specs = append(specs, s)
	}
	names, ok := modulesFor(specs...)
	if !ok {
		t.Fatal("a file-system has no modules")
	}
	order, err := k.closure(names)
	if err != nil {
		t.Fatal(err)
	}
	loaded := make(map[string]bool)
	for _, path := range order {
		out, err := exec.Command(tool, "-F", "depends", path).Output()
		if err != nil {
			t.Fatalf("modinfo %s: %v", path, err)
		}
		for need := range strings.SplitSeq(strings.TrimSpace(string(out)), ",") {
			if need != "" && !loaded[moduleName(need)] && !k.builtin[moduleName(need)] {
				t.Errorf("%s needs %s, which is not loaded before", filepath.Base(path), need)
			}
		}
		if loaded[moduleName(path)] {
			t.Errorf("%s is loaded twice", path)
		}
		loaded[moduleName(path)] = true
	}
	for _, want := range []string{"md_mod", "raid0", "raid1", "raid10", "raid456", "ext4", "xfs", "btrfs", "f2fs", "virtio_blk", "9p", "raid6_pq"} {
		if !loaded[want] && !k.builtin[want] {
			t.Errorf("%s is not loaded", want)
		}
	}
}

func TestFindKernel(t *testing.T) {
	empty := t.TempDir()
	if _, err := findKernel([]string{empty}, nil); !errors.Is(err, errNoKernel) {
		t.Errorf("in an empty directory: %v", err)
	}
	make := func(root, release, builtin string) {
		t.Helper()
		for _, dir := range []string{"boot", "lib/modules/" + release + "/kernel/fs"} {
			if err := os.MkdirAll(filepath.Join(root, dir), 0o755); err != nil {
				t.Fatal(err)
			}
		}
		for name, text := range map[string]string{
			"boot/vmlinuz-" + release: "x", "lib/modules/" + release + "/modules.builtin": builtin,
		} {
			if err := os.WriteFile(filepath.Join(root, name), []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	first, second := t.TempDir(), t.TempDir()
	make(first, "6.1.0-9-amd64", "kernel/fs/ext4/ext4.ko\n")
	make(first, "6.1.0-10-amd64", "kernel/fs/ext4/ext4.ko\n")
	make(second, "6.1.0-8-amd64", "kernel/fs/ext4/ext4.ko\nkernel/fs/f2fs/f2fs.ko\n")
	tests := []struct{ module, want string }{
		{"ext4", "6.1.0-10-amd64"},
		{"f2fs", "6.1.0-8-amd64"}, // the only one that has it
		{"zfs", ""},
	}
	for _, test := range tests {
		k, err := findKernel([]string{empty, first, second}, []string{test.module})
		switch {
		case test.want == "":
			if err == nil || err.Error() != "kernel 6.1.0-10-amd64 has no module zfs" {
				t.Errorf("%s: %v", test.module, err)
			}
		case err != nil || k.release != test.want:
			t.Errorf("%s: %v, %v, want %s", test.module, k, err, test.want)
		}
	}
	// A module that is compressed cannot be loaded; one that is none is said.
	for _, name := range []string{"xfs.ko.xz", "xfs.ko"} {
		root := t.TempDir()
		make(root, "6.1.0-9-amd64", "")
		if err := os.WriteFile(filepath.Join(root, "lib/modules/6.1.0-9-amd64/kernel/fs", name), []byte("none"), 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := findKernel([]string{root}, []string{"xfs"}); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestModulesFor(t *testing.T) {
	spec := func(text string) lab.Spec {
		s, err := lab.ParseSpec(text)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	if _, ok := modulesFor(spec("zfs:mirror")); ok {
		t.Error("Debian's kernel has zfs")
	}
	names, ok := modulesFor(spec("md:raid6:xfs"))
	if !ok || !slices.Contains(names, "raid456") || !slices.Contains(names, "xfs") || slices.Contains(names, "btrfs") {
		t.Errorf("md:raid6:xfs: %q", names)
	}
	if reason, _ := Lacks(spec("zfs"), 1<<30); !strings.Contains(reason, "no zfs") {
		t.Errorf("zfs in a guest: %q", reason)
	}
}
