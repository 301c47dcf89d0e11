package profile

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/benchproof/benchproof/result"
)

func TestFidelity(t *testing.T) {
	dir := t.TempDir()
	packaged, err := filepath.Glob("/usr/bin/env")
	if err != nil || len(packaged) != 1 {
		t.Skip("needs /usr/bin/env")
	}
	linked, own := filepath.Join(dir, "linked"), filepath.Join(dir, "own")
	if err := os.Symlink(packaged[0], linked); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(own, nil, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		path, version, published string
		want                     result.Fidelity
	}{
		{"/usr/bin/fio", "3.1", "3.1", result.NativeSameVersion},
		{"/usr/bin/dbench", "4.00", "4.0", result.NativeSameVersion},
		{"/usr/bin/fio", "3.33", "3.3", result.NativeOtherVersion},
		{"/usr/bin/fio", "3.10", "3.1", result.NativeOtherVersion},
		{"/usr/bin/fio", "", "3.1", result.NativeOtherVersion},
		{"/usr/bin/fio", "", "", result.NativeOtherVersion},
		{"/usr/local/bin/fio", "3.1", "3.1", result.UserBinary},
		{"/home/u/usr/bin/fio", "3.1", "3.1", result.UserBinary},
		{linked, "3.1", "3.1", result.NativeSameVersion},
		{own, "3.1", "3.1", result.UserBinary},
	} {
		if got := (needed{test.path, test.version}).fidelity(test.published); got != test.want {
			t.Errorf("%s %s for %s: got %s, want %s", test.path, test.version, test.published, got, test.want)
		}
	}
}
