// Package lab makes file-systems to replay on: images, loop devices, arrays
// and guests, as files in a directory of its own.
//
// It is the only code of the project that runs mkfs or mount, and it runs
// them on nothing but the images it made.
//
// A [Spec] says what is made ("btrfs:raid1:2"), [Choose] which published
// system it stands for, and [Machine.Lacks] what this machine lacks for it.
// [Open] makes the lab of a replay; while it stands, [Lab.Begin] and [Lab.End]
// limit its disks, and [Lab.Trim] gives back the room of removed files.
// [Lab.Close] removes all of it. So do [Clean] and [Sweep] for a replay that
// was killed: everything outside of the lab's directory is in its log before
// it is made.
//
// A lab's values are of images: their ratios tell, they themselves do not
// ([Config.NotComparable]).
package lab
