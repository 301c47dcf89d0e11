package main

import (
	"errors"
	"testing"
)

// What could not be read is named before what is missing for it, once, and no
// wrong use.
func TestUnreadOr(t *testing.T) {
	few := usage("a second input can give it", errors.New("want 2 systems"))
	broken := &exitError{exitUnread, errors.New("x.txt:71:28: found no graph"), ""}
	for _, tt := range []struct {
		readErr, err error
		code         int
		said         string
	}{
		{nil, few, exitUsage, ""},
		{broken, few, exitUnread, "benchproof: error: x.txt:71:28: found no graph\n"},
		{&exitError{exitUnread, errLost, "h"}, few, exitUnread, ""}, // the readers have said it
		{broken, failed("", errors.New("disk full")), exitFailed, ""},
	} {
		e, _, stderr := testEnv(nil)
		got := unreadOr(newMessages(e, &globals{}), tt.readErr, tt.err)
		if exitCode(got) != tt.code || got.Error() != tt.err.Error() || stderr.String() != tt.said {
			t.Errorf("%v, %v: code %d, %v, stderr %q", tt.readErr, tt.err, exitCode(got), got, stderr)
		}
	}
}
