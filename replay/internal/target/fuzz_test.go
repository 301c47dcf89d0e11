package target

import (
	"slices"
	"strings"
	"testing"
)

// mangle escapes a name as the kernel does in mountinfo (fs/proc_namespace.c:
// blanks, tabs, newlines, backslashes and the mark of comments, in octal).
var mangle = strings.NewReplacer(" ", `\040`, "\t", `\011`, "\n", `\012`, `\`, `\134`, "#", `\043`)

// Whatever the names of mounts are, what the kernel writes of them is read as
// it is: a mount point that somebody gave a strange name hides no other.
func FuzzParseMounts(f *testing.F) {
	f.Add("/mnt/a b", "/", "/dev/vda", "ext4")
	f.Add("/mnt/a\u00a0b\u3000-\u2028c", "/x\\040", "", "fuse.x")
	f.Add("/mnt/\x85\xff", "/\v\f", "//host/share#1", "cifs")
	f.Add("/a - b", "/ - ext4 /dev/x rw", "-", "-")
	f.Fuzz(func(t *testing.T, point, root, source, kind string) {
		for _, s := range []string{point, root, source, kind} {
			if strings.ContainsAny(s, "\x00\r") { // no name has a NUL; CR ends a line for the scanner where it is the last
				return
			}
		}
		if point == "" || root == "" || kind == "" {
			return
		}
		line := "36 35 98:0 " + mangle.Replace(root) + " " + mangle.Replace(point) + " rw,noatime master:1 - " + mangle.Replace(kind) + " " + mangle.Replace(source) + " rw,errors=continue"
		mounts, err := ParseMounts(strings.NewReader("1 0 8:1 / / rw - ext4 /dev/sda1 rw\n" + line + "\n"))
		if err != nil || len(mounts) != 2 {
			t.Fatalf("%q is read as %+v, %v", line, mounts, err)
		}
		m := mounts[1]
		if m.ID != 36 || m.Parent != 35 || m.Device != "98:0" || m.Root != root || m.Point != point || m.Type != kind || m.Source != source ||
			!slices.Equal(m.Options, []string{"rw", "noatime"}) || !slices.Equal(m.Super, []string{"rw", "errors=continue"}) {
			t.Errorf("%q is read as %+v", line, m)
		}
	})
}

// Mount points of any fstab are absolute, and what is listed as fstab(5) says
// is found.
func FuzzMountPoints(f *testing.F) {
	f.Add("# /dev/vda / ext4 defaults 0 1\n", "/mnt/a b")
	f.Add("UUID=x / ext4\n/dev/x none swap sw 0 0", "/a\u00a0b")
	f.Add("a \\057 b\n\xff", "/")
	f.Fuzz(func(t *testing.T, text, point string) {
		for _, p := range mountPoints([]byte(text)) {
			if !strings.HasPrefix(p, "/") {
				t.Errorf("%q has the mount point %q", text, p)
			}
		}
		if !strings.HasPrefix(point, "/") || strings.ContainsAny(point, "\x00\r") {
			return
		}
		text = strings.TrimRight(text, "\n") + "\n/dev/vdb\t" + mangle.Replace(point) + "  xfs defaults 0 0\n"
		if got := mountPoints([]byte(text)); len(got) == 0 || got[len(got)-1] != point {
			t.Errorf("%q has the mount points %q, want %q", text, got, point)
		}
	})
}
