package lab

import "fmt"

// RootFile is the file of a lab's directory that holds a guest's root.
const RootFile = "guest.img"

// LacksInGuest says which of the programs that make a configuration are missing
// here, where a guest has those of this machine, or that its disks would be too
// small; "" for nothing. What the guest's kernel has is not for it to tell.
func (m *Machine) LacksInGuest(s Spec, size int64) (reason, hint string) {
	if reason, hint = m.lacksTool("mkfs." + s.FS); reason == "" && s.Array != "" {
		reason, hint = m.lacksTool("mdadm")
	}
	if least := fileSystems[s.FS]; reason == "" && size < least {
		return fmt.Sprintf("disks of %s are too small for %s: %s at least", sizeText(size), s.FS, sizeText(least)), "--image-size"
	}
	return reason, hint
}
