// Package replay runs published tests again on this machine: it makes a plan
// of a result file, checks what could go wrong before anything runs, runs the
// plan and gathers the outcome into a result file like any other.
//
// What each test profile's options mean is in replay/profile, tools that
// nobody packages in replay/native, and images, loop devices and guests in
// replay/lab, the only code that may run mkfs or mount.
//
// The package never imports parse or analyze: it is given records and makes
// records.
package replay
