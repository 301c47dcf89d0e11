package lab

import "strings"

// mkfs returns the command that makes the file-system of a configuration on
// devices, with the defaults of the tool as far as they concern what is
// measured. The file-system's own levels are those of data and of metadata.
//
// ext4 has its inode tables and journal initialised at once, which on a sparse
// image costs nothing: else a thread of the kernel would do it while the first
// tests run.
func (s Spec) mkfs(id string, devices []string) []string {
	switch s.FS {
	case "ext4":
		return append([]string{"mkfs.ext4", "-q", "-F", "-U", id, "-E", "lazy_itable_init=0,lazy_journal_init=0"}, devices...)
	case "xfs":
		return append([]string{"mkfs.xfs", "-q", "-f", "-m", "uuid=" + id}, devices...)
	case "btrfs":
		argv := []string{"mkfs.btrfs", "-q", "-f", "-U", id}
		if s.Array == "" && s.Level != "" {
			argv = append(argv, "-d", s.Level, "-m", s.Level)
		}
		return append(argv, devices...)
	case "f2fs":
		return append([]string{"mkfs.f2fs", "-q", "-f"}, devices...)
	}
	return nil
}

// pool returns the command that makes a pool of ZFS, mounted at point and
// written into no list of pools that the system imports.
func (s Spec) pool(name, point string, devices []string) []string {
	argv := []string{"zpool", "create", "-f", "-o", "cachefile=none", "-m", point, name}
	if s.Level != "" && s.Level != "stripe" {
		argv = append(argv, s.Level)
	}
	return append(argv, devices...)
}

// array returns the command that makes an array of mdadm. Images are all
// zeros, of which every level is in sync already.
func (s Spec) array(name string, devices []string) []string {
	argv := []string{
		"mdadm", "--create", name, "--run", "--force", "--assume-clean", "--metadata=1.2", "--homehost=any",
		"--level=" + strings.TrimPrefix(s.Level, "raid"),
	}
	if s.Level != "raid0" {
		argv = append(argv, "--bitmap=none")
	}
	argv = append(argv, "--raid-devices="+decimal(len(devices)))
	return append(argv, devices...)
}

// mountData returns the options that the kernel needs to find all devices.
func (s Spec) mountData(devices []string) string {
	if s.FS != "btrfs" || len(devices) < 2 {
		return ""
	}
	parts := make([]string, len(devices))
	for i, d := range devices {
		parts[i] = "device=" + d
	}
	return strings.Join(parts, ",")
}
