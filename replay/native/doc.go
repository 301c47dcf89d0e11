// Package native holds the tools of test profiles that no distribution
// packages, written anew: what they do to a file system is what the published
// ones did, as far as that is known, and the fidelity says where it is not.
package native
