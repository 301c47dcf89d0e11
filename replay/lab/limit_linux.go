package lab

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/sys/unix"
)

// group is the name of a lab's control group (version 2).
func group(id string) string { return "benchproof-" + id }

// setup makes ready what limits need, and returns the directory whose processes
// are limited.
func (t *throttle) setup(id string) (string, error) {
	if t.version == 1 {
		return t.dir, nil
	}
	dir := filepath.Join(t.dir, group(id))
	if err := os.Mkdir(dir, 0o755); err != nil && !errors.Is(err, fs.ErrExist) {
		return "", err
	}
	return dir, nil
}

// set limits a device ("7:1000"); with the zero limit it lets it go.
func (t *throttle) set(id, device string, l Limit) error {
	for name, line := range t.lines(id, device, l) {
		if err := writeControl(name, line); err != nil {
			return fmt.Errorf("limit device %s: %w", device, err)
		}
	}
	return nil
}

// lines returns what is written into which file to limit a device.
func (t *throttle) lines(id, device string, l Limit) map[string]string {
	if t.version == 2 {
		most := func(n int64) string {
			if n == 0 {
				return "max"
			}
			return fmt.Sprint(n)
		}
		iops, bytes := most(l.IOPS), most(l.Bytes)
		return map[string]string{
			filepath.Join(t.dir, group(id), "io.max"): fmt.Sprintf("%s rbps=%s wbps=%s riops=%s wiops=%s", device, bytes, bytes, iops, iops),
		}
	}
	lines := make(map[string]string)
	for _, way := range []string{"read", "write"} {
		lines[filepath.Join(t.dir, "blkio.throttle."+way+"_iops_device")] = fmt.Sprintf("%s %d", device, l.IOPS)
		lines[filepath.Join(t.dir, "blkio.throttle."+way+"_bps_device")] = fmt.Sprintf("%s %d", device, l.Bytes)
	}
	return lines
}

// limited reports whether a device has a limit by now.
func (t *throttle) limited(id, device string) bool {
	for name := range t.lines(id, device, Limit{}) {
		text, _ := os.ReadFile(name)
		for line := range strings.Lines(string(text)) {
			if f := strings.Fields(line); len(f) > 1 && f[0] == device {
				return true
			}
		}
	}
	return false
}

// writeControl writes a line into a file of a control group.
func writeControl(name, line string) error {
	f, err := os.OpenFile(name, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	_, err = f.WriteString(line)
	return errors.Join(err, f.Close())
}

// removeGroup removes a control group of the lab's, whose processes must have
// ended.
func removeGroup(dir string) error {
	err := unix.Rmdir(dir)
	if errors.Is(err, unix.ENOENT) {
		return nil
	}
	return err
}
