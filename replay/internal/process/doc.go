// Package process runs the programs of a replay by argument list, and leaves
// none of them behind.
//
// Every program has a supervisor between it and this program: the same
// executable started again under the name [supervisorName]. The supervisor is
// a session of its own and the reaper of all its descendants, so whatever a
// tool forks, even a server that makes itself a daemon, stays below it. It
// keeps the time, bounds the output, and knows from the kernel when nothing is
// left: it then has no child. It ends everything when it is told to, when the
// time is over, when the output floods, and when the pipe to this program
// breaks, which is how a kill -9 of this program reaches it.
//
// Where the supervisor itself is killed, its direct children die with it, and
// this program ends what else carries the mark [Mark] in its environment. If
// both are killed at once, that mark and the [Record] of the start are what
// [Leftovers] finds them by later.
//
// Programs get a small fixed environment ([environment]), an umask, no
// terminal, and nothing that could be a shell's: arguments are a list, and
// output goes to files through pipes that count.
//
// Only Linux has what this needs. Elsewhere every call returns [ErrSystem].
package process
