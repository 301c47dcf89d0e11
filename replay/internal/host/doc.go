// Package host reads what this machine is and how it fares, for the record of
// a replay.
//
// [Machine.System] gives the machine in the vocabulary of published results.
// [Machine.Snapshot] is taken before and after every repetition, and [Compare]
// says what lies between two: whether something changed that makes the next
// numbers a new block, and what traffic the disk had that was not the
// replay's.
//
// What cannot be read is absent, never guessed: virtual machines show no
// model, temperature or clock rate, and none is made up.
//
// Foreign traffic is told as far as the kernel's books allow. Reads of a
// process that reach a device are charged to it when they are submitted, so
// what a device read beyond what the replay's processes read was for others.
// Writes are charged when memory is made dirty, and reach the device later,
// with a journal's or a parity's share that is charged to nobody: writes
// beyond the replay's own are called foreign only as far as other processes
// did write in that time, and where write-back hides whose they were, the
// answer is that it is unknown.
//
// Only Linux has what this reads. Elsewhere every call returns an error.
package host
