// Package target guards the directories that a replay measures.
//
// A target is an existing directory, and nothing else ever is one: [Open]
// refuses devices, files, symbolic links, the root directory, kernel
// file-systems, read-only mounts and mount points on which nothing is mounted,
// and there is no way to insist. What it opened it knows by the directory's
// descriptor, device, inode and mount, and [Target.Check] tells when any of
// them is no longer what it was, so that no other disk is measured unnoticed.
//
// Everything a replay writes is below one [Scratch] directory with a marker in
// it, and only what carries that marker is ever removed. Removal goes by
// descriptors, follows no symbolic link and enters no other mount.
//
// [Lock] keeps two replays from one target and from one disk. Its files lie
// outside of the target.
//
// Only Linux has what this needs. Elsewhere every call returns an error.
package target
