package lab

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// nobody is a user that is not the one who tests.
const nobody = 65534

// forgedLab makes a directory such as a killed lab leaves, with a log.
func forgedLab(t *testing.T, imageDir, id string, log string) string {
	t.Helper()
	dir := Path(imageDir, id)
	mark, err := newDir(dir, marker{Schema: markerSchema, ID: id})
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(mark.Close(), os.WriteFile(filepath.Join(dir, logFile), []byte(log), 0o600)); err != nil {
		t.Fatal(err)
	}
	return dir
}

// TestSecurityLabOwner: the directory of a lab that another user has made, or
// could have written to, in an image directory that they share, is not believed:
// neither clean nor the next lab takes apart what its log names.
func TestSecurityLabOwner(t *testing.T) {
	imageDir, err := CheckDir(t.TempDir())
	if err != nil {
		t.Skip(err)
	}
	const id = "forged"
	dir := forgedLab(t, imageDir, id, `{"thing":"limit","device":"8:0","path":"/sys/fs/cgroup"}`+"\n")
	files := []string{dir, filepath.Join(dir, markerFile), filepath.Join(dir, logFile)}
	refused := func(what string) {
		t.Helper()
		if did, err := Clean(t.Context(), dir, id); !errors.Is(err, errForeign) || len(did) > 0 {
			t.Errorf("%s: clean did %q, %v", what, did, err)
		}
		if did, err := Sweep(t.Context(), imageDir); err != nil || len(did) > 0 {
			t.Errorf("%s: swept %q, %v", what, did, err)
		}
	}
	for _, name := range files {
		info, err := os.Stat(name)
		if err == nil {
			err = os.Chmod(name, info.Mode()|0o020)
		}
		if err != nil {
			t.Fatal(err)
		}
		refused("writable " + name)
		if err := os.Chmod(name, info.Mode()); err != nil {
			t.Fatal(err)
		}
		if os.Geteuid() != 0 {
			continue
		}
		if err := os.Chown(name, nobody, nobody); err != nil {
			t.Fatal(err)
		}
		refused("another's " + name)
		if err := os.Chown(name, 0, 0); err != nil {
			t.Fatal(err)
		}
	}
	// A link in the place of the log.
	other := filepath.Join(t.TempDir(), "log")
	if err := errors.Join(os.Rename(files[2], other), os.Symlink(other, files[2])); err != nil {
		t.Fatal(err)
	}
	refused("a link")
	for _, name := range files {
		if _, err := os.Lstat(name); err != nil {
			t.Error(err)
		}
	}
}

// TestSecurityLabLog: a log of one's own that names what no lab makes takes
// nothing of it apart.
func TestSecurityLabLog(t *testing.T) {
	imageDir, err := CheckDir(t.TempDir())
	if err != nil {
		t.Skip(err)
	}
	victim := filepath.Join(imageDir, "victim.img")
	if err := os.WriteFile(victim, []byte("dear"), 0o600); err != nil {
		t.Fatal(err)
	}
	for i, tt := range []struct{ line, want string }{
		{`{"thing":"limit","device":"8:0","path":"/sys/fs/cgroup"}`, "no loop device"},
		{`{"thing":"limit","device":"","path":"/sys/fs/cgroup"}`, "no loop device"},
		{`{"thing":"pool","path":"tank"}`, "pool"},
		{`{"thing":"pool","path":"-a"}`, "pool"},
		{`{"thing":"loop","number":0,"path":"` + victim + `"}`, "not below it"},
		{`{"thing":"loop","number":0,"path":"/dev/sda"}`, "not below it"},
		{`{"thing":"group","path":"/sys/fs/cgroup/system.slice"}`, ""},
		{`{"thing":"group","path":"` + imageDir + `"}`, ""},
	} {
		id := own("log") + string(rune('a'+i))
		dir := forgedLab(t, imageDir, id, tt.line+"\n")
		did, err := Clean(t.Context(), dir, id)
		if tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want) || len(did) > 0) {
			t.Errorf("%s: did %q, %v", tt.line, did, err)
		}
		if tt.want == "" && (err != nil || strings.Join(did, "") != "removed "+dir) {
			t.Errorf("%s: did %q, %v", tt.line, did, err)
		}
		if text, err := os.ReadFile(victim); err != nil || string(text) != "dear" {
			t.Errorf("%s: %v", tt.line, err)
		}
	}
}
