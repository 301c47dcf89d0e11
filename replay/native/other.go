//go:build !linux

package native

import (
	"errors"
	"fmt"
	"io"
)

const rankName = "ior-rank"

// The drivers use Linux's calls.
var drivers []driver

func rankMain(_ []string, _, stderr io.Writer) int {
	fmt.Fprintln(stderr, errors.New("benchproof: error: native: the drivers need Linux"))
	return exitFailed
}
