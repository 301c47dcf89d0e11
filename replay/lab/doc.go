// Package lab makes file systems to replay on: images, loop devices, arrays
// and guests, as files in a folder of its own.
//
// It is the only code of the project that runs mkfs or mount, and it runs
// them on nothing but the images it made.
package lab
