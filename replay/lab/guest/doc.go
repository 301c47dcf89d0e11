// Package guest boots a small machine of its own for a lab: Debian's kernel
// under QEMU, for file-systems and arrays that the kernel of this machine does
// not have, on disks that QEMU limits.
//
// The guest's root is made here: an archive of this executable as its first
// program, the modules of the kernel that the lab needs, and little else.
// Programs are those of this machine, whose /usr the guest reads over 9p. The
// journal of the replay is shared in the same way, so that every event and
// output is on this machine's disk when the guest says so, and a guest that is
// killed leaves a journal like any other.
//
// Nothing is downloaded: the kernel is one that is installed, or a package of
// Debian's that was unpacked into /var/cache/benchproof/guest.
//
// What runs inside is given to [Main] by the caller, so that this package knows
// nothing of plans.
package guest
