package target

import (
	"fmt"
	"slices"
	"strings"
)

// Refusal is why a directory is no target, or not for this replay.
type Refusal struct {
	Dir    string // as given
	Reason string // "is a block device"
	Hint   string // what would help, "" if nothing would
}

// Error returns the directory and the reason.
func (r *Refusal) Error() string { return fmt.Sprintf("target %q %s", r.Dir, r.Reason) }

// changed is why a target is no longer the one that was opened.
type changed struct {
	Dir  string
	What string // "is on another device: 8:1, not 7:0"
}

// Error returns the directory and what changed.
func (c *changed) Error() string { return fmt.Sprintf("target %q %s", c.Dir, c.What) }

// Identity is what a target is.
type Identity struct {
	Dir    string `json:"dir"`    // absolute, without symbolic links
	Device string `json:"device"` // st_dev: "254:0"
	Inode  uint64 `json:"inode"`
	Magic  int64  `json:"magic"` // f_type of statfs
	FSID   string `json:"fsid"`  // f_fsid of statfs; see [Identity.differences]
	Block  int64  `json:"block"` // f_bsize of statfs, the file-system's block size in bytes
	Mount  Mount  `json:"mount"`
}

// FileSystem returns the file-system's type: "ext4".
func (id Identity) FileSystem() string { return id.Mount.Type }

// deviceFSID are file-systems whose f_fsid is the number of their device.
var deviceFSID = []string{"exfat", "f2fs", "msdos", "nilfs2", "ntfs3", "vfat", "xfs"}

// differences says in words in what the other identity is not the same target
// on the same file-system. It is for targets of another time, such as a plan's:
// mount identifiers and device numbers, which do not outlive a boot, do not
// count, nor do mount options. The file-system's identifier counts where the
// kernel makes it from what is on the disk, as for ext4, btrfs and ZFS; of XFS,
// F2FS and others it is the device's number, and FUSE has none, nor inodes that
// last.
func (id Identity) differences(other Identity) []string {
	var diff []string
	add := func(what, a, b string) {
		if a != b {
			diff = append(diff, fmt.Sprintf("%s: %q, not %q", what, b, a))
		}
	}
	add("directory", id.Dir, other.Dir)
	add("file-system", id.Mount.Type, other.Mount.Type)
	add("mounted at", id.Mount.Point, other.Mount.Point)
	fuse := strings.HasPrefix(id.Mount.Type, "fuse")
	if !fuse && !slices.Contains(deviceFSID, id.Mount.Type) {
		add("file-system identifier", id.FSID, other.FSID)
	}
	if !fuse {
		add("inode", fmt.Sprint(id.Inode), fmt.Sprint(other.Inode))
	}
	return diff
}

// Space is what is left on a file-system, in bytes and in files.
type Space struct {
	Free  int64 `json:"free"`  // for users other than root
	Total int64 `json:"total"` //
	// Files is how many more files may be made; -1 where the file-system
	// sets no number.
	Files int64 `json:"files"`
}

// Reserve is the most that is asked for beside 1.2 times the need of a run.
const Reserve = 256 << 20

// Required returns the free space that a run needs which writes so many bytes
// at its peak: 1.2 times as much, and a reserve of 256 MiB or a twentieth of
// the file-system, whichever is less.
func (s Space) Required(bytes int64) int64 {
	return bytes + bytes/5 + min(Reserve, s.Total/20)
}

// escape makes text of the system (a mount's source, another user's lock)
// printable.
func escape(s string) string {
	return strings.ToValidUTF8(strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f {
			return -1
		}
		return r
	}, s), "?")
}
