// Package arch holds no code: its tests keep the rules between packages that
// the compiler does not know: which room may import which, where third-party
// modules may be used, that nothing outside cmd prints or exits, and that
// every exported name says what it is.
package arch
