// Package arch holds no code: its tests keep the rules that the compiler does
// not know: which room may import which, where third-party modules may be used,
// that nothing outside cmd prints or exits, that every exported name says what it
// is and is there for somebody, and that no file grows beyond what a reader can
// hold.
package arch
