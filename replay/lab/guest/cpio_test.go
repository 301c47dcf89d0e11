package guest

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// fill adds one file of each kind.
func fill(t *testing.T, a *archive) {
	t.Helper()
	from := filepath.Join(t.TempDir(), "from")
	if err := os.WriteFile(from, []byte("seventeen bytes.\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	a.dir("etc", 0o755)
	a.text("etc/odd", "abc", 0o644)
	a.link("bin", "usr/bin")
	a.device("console", 5, 1)
	a.copy("init", from, 0o755)
	if err := a.end(); err != nil {
		t.Fatal(err)
	}
}

// The bytes are worked out by hand from the kernel's description of the format:
// a magic and thirteen numbers of eight hex digits, the name with its NUL, and
// the file, each filled up to four bytes.
func TestArchive(t *testing.T) {
	var b bytes.Buffer
	fill(t, &archive{out: &b})
	want := "070701" + "00000001" + "000041ED" + "00000000" + "00000000" + "00000001" + "00000000" + "00000000" +
		"00000000" + "00000000" + "00000000" + "00000000" + "00000004" + "00000000" + "etc\x00" + "\x00\x00" +
		"070701" + "00000002" + "000081A4" + "00000000" + "00000000" + "00000001" + "00000000" + "00000003" +
		"00000000" + "00000000" + "00000000" + "00000000" + "00000008" + "00000000" + "etc/odd\x00" + "\x00\x00" + "abc" + "\x00" +
		"070701" + "00000003" + "0000A1FF" + "00000000" + "00000000" + "00000001" + "00000000" + "00000007" +
		"00000000" + "00000000" + "00000000" + "00000000" + "00000004" + "00000000" + "bin\x00" + "\x00\x00" + "usr/bin" + "\x00" +
		"070701" + "00000004" + "00002180" + "00000000" + "00000000" + "00000001" + "00000000" + "00000000" +
		"00000000" + "00000000" + "00000005" + "00000001" + "00000008" + "00000000" + "console\x00" + "\x00\x00" +
		"070701" + "00000005" + "000081ED" + "00000000" + "00000000" + "00000001" + "00000000" + "00000011" +
		"00000000" + "00000000" + "00000000" + "00000000" + "00000005" + "00000000" + "init\x00" + "\x00" + "seventeen bytes.\n" + "\x00\x00\x00" +
		"070701" + "00000006" + "00000000" + "00000000" + "00000000" + "00000001" + "00000000" + "00000000" +
		"00000000" + "00000000" + "00000000" + "00000000" + "0000000B" + "00000000" + "TRAILER!!!\x00" + "\x00\x00\x00"
	if d := cmp.Diff(want, b.String()); d != "" {
		t.Errorf("archive (-want +got):\n%s", d)
	}
}

// The tool that the format is named after reads it.
func TestArchiveTool(t *testing.T) {
	tool, err := exec.LookPath("cpio")
	if err != nil {
		t.Skip("needs cpio")
	}
	var b bytes.Buffer
	fill(t, &archive{out: &b})
	cmd := exec.Command(tool, "-itv", "--quiet")
	cmd.Stdin = &b
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("cpio: %v\n%s", err, out)
	}
	var got []string
	for line := range strings.Lines(string(out)) {
		f := strings.Fields(line)
		got = append(got, f[0]+" "+strings.Join(f[8:], " "))
	}
	want := []string{"drwxr-xr-x etc", "-rw-r--r-- etc/odd", "lrwxrwxrwx bin -> usr/bin", "crw------- console", "-rwxr-xr-x init"}
	if strings.Contains(string(out), "5,") { // a device has one word more
		got[3] = "crw------- console"
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("cpio -itv (-want +got):\n%s\n%s", d, out)
	}
}

// What cannot be read is an error, and nothing follows it.
func TestArchiveErrors(t *testing.T) {
	var b bytes.Buffer
	a := &archive{out: &b}
	a.copy("init", filepath.Join(t.TempDir(), "absent"), 0o755)
	at := b.Len()
	a.text("more", "x", 0o644)
	if err := a.end(); err == nil || !strings.Contains(err.Error(), "absent") {
		t.Errorf("error %v", err)
	}
	if b.Len() != at {
		t.Errorf("%d bytes were written after an error", b.Len()-at)
	}
	a = &archive{out: &b}
	a.entry("large", modeFile, 1<<32, 0, 0)
	if a.end() == nil {
		t.Error("a file of 4 GiB went into an archive that cannot tell its size")
	}
}
