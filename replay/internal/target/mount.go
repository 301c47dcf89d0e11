package target

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
)

// Mount is a line of /proc/self/mountinfo (proc(5)).
type Mount struct {
	ID     int    `json:"id"`
	Parent int    `json:"parent"`
	Device string `json:"device"` // "254:0"
	Root   string `json:"root"`   // what of the file-system is mounted
	Point  string `json:"point"`  // where
	// Options are this mount's, Super the file-system's.
	Options []string `json:"options"`
	Super   []string `json:"super"`
	Type    string   `json:"type"`   // "ext4", "fuse.zfs"
	Source  string   `json:"source"` // "/dev/vda"
}

// ReadOnly reports whether the mount or its file-system is read-only.
func (m Mount) ReadOnly() bool {
	return slices.Contains(m.Options, "ro") || slices.Contains(m.Super, "ro")
}

// AllOptions returns the options as mount(8) prints them: those of the mount,
// then those of the file-system that are not among them.
func (m Mount) AllOptions() []string {
	all := slices.Clone(m.Options)
	for _, o := range m.Super {
		if !slices.Contains(all, o) {
			all = append(all, o)
		}
	}
	return all
}

// ParseMounts reads the lines of mountinfo, in order. A line that is none is
// an error that names it.
func ParseMounts(r io.Reader) ([]Mount, error) {
	var mounts []Mount
	in := bufio.NewScanner(r)
	in.Buffer(nil, 1<<20)
	for n := 1; in.Scan(); n++ {
		m, err := parseMount(in.Text())
		if err != nil {
			return nil, fmt.Errorf("mountinfo:%d: %w", n, err)
		}
		mounts = append(mounts, m)
	}
	return mounts, in.Err()
}

func parseMount(line string) (Mount, error) {
	f := fields(line)
	// Behind the six that every mount has stand optional ones, then the sign.
	sep := -1
	if len(f) > 6 {
		sep = slices.Index(f[6:], "-")
	}
	if sep += 6; sep < 6 || len(f) < sep+3 {
		return Mount{}, fmt.Errorf("found %q, expected a mount", line)
	}
	id, err := strconv.Atoi(f[0])
	if err != nil {
		return Mount{}, fmt.Errorf("found identifier %q, expected a number", f[0])
	}
	parent, err := strconv.Atoi(f[1])
	if err != nil {
		return Mount{}, fmt.Errorf("found parent %q, expected a number", f[1])
	}
	m := Mount{
		ID: id, Parent: parent, Device: f[2], Root: unescape(f[3]), Point: unescape(f[4]),
		Options: strings.Split(f[5], ","), Type: unescape(f[sep+1]),
	}
	// A mount may have an empty source, which leaves one field less.
	rest := f[sep+2:]
	if len(rest) >= 2 {
		m.Source = unescape(rest[0])
		rest = rest[1:]
	}
	m.Super = strings.Split(unescape(rest[0]), ",")
	return m, nil
}

// fields divides a line of mountinfo or fstab. The kernel escapes blanks, tabs,
// newlines and backslashes in names; other blanks, such as U+00A0, are part of
// them.
func fields(line string) []string {
	return strings.FieldsFunc(line, func(r rune) bool { return r == ' ' || r == '\t' || r == '\n' })
}

// unescape undoes the octal escapes of mountinfo and fstab ("\040").
func unescape(s string) string {
	if !strings.Contains(s, `\`) {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+3 < len(s) {
			if n, err := strconv.ParseUint(s[i+1:i+4], 8, 8); err == nil {
				b.WriteByte(byte(n))
				i += 3
				continue
			}
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

// mountPoints returns the mount points that an fstab lists (fstab(5)), swap
// and the like left out.
func mountPoints(fstab []byte) []string {
	var points []string
	for line := range bytes.Lines(fstab) {
		f := fields(string(line))
		if len(f) < 3 || strings.HasPrefix(f[0], "#") {
			continue
		}
		if p := unescape(f[1]); strings.HasPrefix(p, "/") {
			points = append(points, p)
		}
	}
	return points
}
