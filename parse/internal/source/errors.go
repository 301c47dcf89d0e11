package source

import (
	"fmt"

	"github.com/benchproof/benchproof/result"
)

// SyntaxError says that a reader found no record where one must be.
type SyntaxError struct {
	Origin   result.Origin
	Found    string // what stands there, in words or quoted
	Expected string // what should
	Hint     string // what to do instead, "" where nothing is known
}

// Error returns "source:line:column: found …, expected …".
func (e *SyntaxError) Error() string {
	return fmt.Sprintf("%s: found %s, expected %s", e.Origin, e.Found, e.Expected)
}

// LimitError says that an input went past a limit.
type LimitError struct {
	Source string
	Origin result.Origin // zero if the place is unknown
	What   string        // what is too large: "input", "line"
	Limit  int64
	Flag   string // the flag that raises the limit: "--max-input"
}

// Error names the limit and its flag.
func (e *LimitError) Error() string {
	where := e.Source
	if e.Origin.Line > 0 {
		where = e.Origin.String()
	}
	return fmt.Sprintf("%s: %s is over the limit of %d (raise it with %s)", where, e.What, e.Limit, e.Flag)
}
