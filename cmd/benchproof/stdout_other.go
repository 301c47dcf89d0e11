//go:build !linux

package main

// stdoutClosed reports whether stdout was closed when the process began. It
// cannot be told here.
func stdoutClosed() bool { return false }
