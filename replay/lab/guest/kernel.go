package guest

import (
	"bytes"
	"debug/elf"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/benchproof/benchproof/replay/lab"
)

// kernelDir is where a package of a kernel is unpacked for guests.
const kernelDir = "/var/cache/benchproof/guest"

// kernel is a kernel with its modules.
type kernel struct {
	release string // "6.1.0-57-amd64"
	image   string
	// modules are the paths of modules by name, "-" written as "_".
	modules map[string]string
	builtin map[string]bool
}

// errNoKernel is returned where no kernel for a guest is found.
var errNoKernel = errors.New("there is no kernel for a guest")

// findKernel returns the newest kernel below some directories that has all of
// the given modules, the first directory's before the others'. Its error is
// errNoKernel where there is no kernel at all, else says what the best lacks.
func findKernel(roots, names []string) (*kernel, error) {
	failed := errNoKernel
	for _, root := range roots {
		images, _ := filepath.Glob(filepath.Join(root, "boot/vmlinuz-*")) // the pattern is well formed
		slices.SortFunc(images, func(a, b string) int { return compareReleases(b, a) })
		for _, image := range images {
			k, err := openKernel(root, image)
			if err == nil {
				_, err = k.closure(names)
			}
			if err == nil {
				return k, nil
			}
			if errors.Is(failed, errNoKernel) {
				failed = err
			}
		}
	}
	return nil, failed
}

// openKernel reads which modules belong to a kernel.
func openKernel(root, image string) (*kernel, error) {
	k := &kernel{image: image, modules: map[string]string{}, builtin: map[string]bool{}}
	k.release = strings.TrimPrefix(filepath.Base(image), "vmlinuz-")
	if !fs.ValidPath(k.release) || strings.Contains(k.release, "/") {
		return nil, fmt.Errorf("kernel %q has no release in its name", image)
	}
	dir := filepath.Join(root, "lib/modules", k.release)
	if _, err := os.Stat(dir); errors.Is(err, fs.ErrNotExist) {
		dir = filepath.Join(root, "usr/lib/modules", k.release)
	}
	text, err := os.ReadFile(filepath.Join(dir, "modules.builtin"))
	if err != nil {
		return nil, fmt.Errorf("modules of kernel %s: %w", k.release, err)
	}
	for line := range strings.Lines(string(text)) {
		k.builtin[moduleName(strings.TrimSpace(line))] = true
	}
	err = filepath.WalkDir(filepath.Join(dir, "kernel"), func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() && strings.Contains(d.Name(), ".ko") {
			k.modules[moduleName(path)] = path
		}
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("modules of kernel %s: %w", k.release, err)
	}
	return k, nil
}

// moduleName returns the name of a module by its file's.
func moduleName(path string) string {
	name, _, _ := strings.Cut(filepath.Base(path), ".ko")
	return strings.ReplaceAll(name, "-", "_")
}

// closure returns the paths of modules and of all that they need, in the order
// in which they can be loaded.
func (k *kernel) closure(names []string) ([]string, error) {
	var order []string
	seen := make(map[string]bool)
	var add func(name string) error
	add = func(name string) error {
		if seen[name] || k.builtin[name] {
			return nil
		}
		seen[name] = true
		path, ok := k.modules[name]
		if !ok {
			return fmt.Errorf("kernel %s has no module %s", k.release, name)
		}
		needs, err := dependencies(path)
		if err != nil {
			return fmt.Errorf("module %s: %w", path, err)
		}
		for _, n := range needs {
			if err := add(n); err != nil {
				return err
			}
		}
		order = append(order, path)
		return nil
	}
	for _, name := range names {
		if err := add(name); err != nil {
			return nil, err
		}
	}
	return order, nil
}

// dependencies returns the names of the modules that a module says it needs.
// Packages that are unpacked and not installed have no modules.dep.
func dependencies(path string) ([]string, error) {
	if filepath.Ext(path) != ".ko" {
		return nil, errors.New("it is compressed, which a guest cannot load")
	}
	file, err := elf.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	section := file.Section(".modinfo")
	if section == nil {
		return nil, errors.New("it is no module of a kernel")
	}
	text, err := section.Data()
	if err != nil {
		return nil, err
	}
	var list []string
	for entry := range bytes.SplitSeq(text, []byte{0}) {
		value, ok := strings.CutPrefix(string(entry), "depends=")
		if !ok {
			continue
		}
		for name := range strings.SplitSeq(value, ",") {
			if name != "" {
				list = append(list, moduleName(name))
			}
		}
	}
	return list, nil
}

// baseModules are those of every guest: its disks, its shares, and the checksum
// that file-systems ask the kernel's crypto for by name.
var baseModules = []string{"virtio_pci", "virtio_blk", "9p", "9pnet_virtio", "crc32c_generic"}

// fsModules are those of file-systems, with the algorithms that they ask for by
// name.
var fsModules = map[string][]string{
	"ext4": {"ext4"}, "xfs": {"xfs"}, "f2fs": {"crc32_generic", "f2fs"},
	"btrfs": {"xxhash_generic", "sha256_generic", "blake2b_generic", "btrfs"},
}

// levelModules are those of the levels of md.
var levelModules = map[string]string{
	"raid0": "raid0", "raid1": "raid1", "raid10": "raid10", "raid5": "raid456", "raid6": "raid456",
}

// modulesFor returns the names of the modules that configurations need, and
// false where no kernel of Debian has them.
func modulesFor(specs ...lab.Spec) ([]string, bool) {
	list := slices.Clone(baseModules)
	for _, s := range specs {
		of, ok := fsModules[s.FS]
		if !ok {
			return nil, false
		}
		list = append(list, of...)
		if s.Array != "" {
			list = append(list, levelModules[s.Level])
		}
	}
	return list, true
}

// compareReleases orders names of kernels by the numbers in them: 6.1.0-9 is
// before 6.1.0-57.
func compareReleases(a, b string) int {
	split := func(s string) []string {
		return strings.FieldsFunc(filepath.Base(s), func(c rune) bool { return c == '.' || c == '-' })
	}
	return slices.CompareFunc(split(a), split(b), func(a, b string) int {
		m, errA := strconv.Atoi(a)
		n, errB := strconv.Atoi(b)
		if errA == nil && errB == nil {
			return m - n
		}
		return strings.Compare(a, b)
	})
}
