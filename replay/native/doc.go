// Package native holds the tools of test profiles that no distribution
// packages, written anew: what they do to a file-system is what the published
// ones did, as far as that is known, and each driver's comment says where it
// is not known and what is done instead.
//
// A driver is run as a process of its own, so that its threads, its memory and
// its end are its own: [Main] is what the hidden command
//
//	benchproof native NAME FLAGS…
//
// does. It works in its working directory alone, on files and folders with
// fixed relative names that it makes itself: where one is there already it
// refuses to start, and what it removes in the end is what it made. It checks
// the error of every call that writes, and prints one JSON document, a
// [Report], when all went well. After an error or an interrupt it prints none,
// so that half a run never looks like a value.
//
// The drivers know the published algorithms from the facts that are public
// about them (names, sizes, counts, order, where the clock runs). Two of them
// need lists that are not theirs to copy: compilebench's names and sizes of
// kernel trees and the recorded requests of startup-time. Those are generated,
// with the published counts and totals to the last byte and the published
// distribution as near as it is known.
package native
