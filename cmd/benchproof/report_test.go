package main

import (
	"strings"
	"testing"
)

// TestReportTerminal: a page is not for a terminal, unless that is asked for.
func TestReportTerminal(t *testing.T) {
	e, stdout, stderr := testEnv(nil)
	e.stdoutTerminal = true
	if code := run(t.Context(), e, []string{"report", small}); code != exitUsage || stdout.Len() > 0 {
		t.Errorf("code %d, stdout %.80q", code, stdout)
	}
	if want := "benchproof: error: a page is not for a terminal\nbenchproof: hint: name a file: -o report.html\n"; stderr.String() != want {
		t.Errorf("stderr %q, want %q", stderr, want)
	}
	if code := run(t.Context(), e, []string{"report", small, "-o", "-"}); code != exitOK || !strings.HasSuffix(stdout.String(), "</html>\n") {
		t.Errorf("-o -: code %d, stdout %.80q", code, stdout)
	}
}
