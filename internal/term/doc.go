// Package term holds what is shared by the parts that write for a person's
// terminal: how wide text is, and how text from an input is shown so that it
// cannot act on the terminal.
package term
