package source

import (
	"strings"
	"testing"
)

// TestZstdWindow: data that needs more memory than is given is not called
// damaged. The frame announces a window of 256 MiB (RFC 8878, 3.1.1.1.2) and
// holds one block of a byte.
func TestZstdWindow(t *testing.T) {
	const frame = "\x28\xb5\x2f\xfd" + "\x00" + "\x90" + "\x09\x00\x00x"
	_, _, err := Load(strings.NewReader(frame), "in", 0, DefaultLimits())
	if want := "in: its zstd data takes more than 128 MiB of memory to unpack; unpack it before (zstd -d --long=31)"; err == nil || err.Error() != want {
		t.Errorf("error %v, want %s", err, want)
	}
	// The same with a window of 128 MiB is read.
	raw, _, err := Load(strings.NewReader(strings.Replace(frame, "\x90", "\x88", 1)), "in", 0, DefaultLimits())
	if err != nil || raw != "x" {
		t.Errorf("%q, %v", raw, err)
	}
}
