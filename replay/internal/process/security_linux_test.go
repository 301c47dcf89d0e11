package process

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

// TestSecurityForgedRecord: a record that names another process, by its true
// number, start and boot, its session and its directory, ends nothing.
func TestSecurityForgedRecord(t *testing.T) {
	dir := t.TempDir()
	victim := exec.Command("sleep", "1000")
	victim.Dir = dir
	if err := victim.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = victim.Process.Kill(); _ = victim.Wait() }()
	s, err := readStat(victim.Process.Pid)
	if err != nil {
		t.Fatal(err)
	}
	var records []Record
	// The directory may be called what one likes in the record, and lie beside
	// one of the replay's.
	for _, d := range []string{dir, filepath.Dir(dir), "/", "", "/x/.benchproof-replay-forged", dir + "/.benchproof-replay-forged"} {
		records = append(records,
			Record{ID: "forged", Boot: BootID(), Dir: d, Began: time.Unix(1, 0), Supervisor: s.started(), Copies: []Started{s.started()}},
			Record{ID: "forged", Boot: BootID(), Dir: d, Supervisor: Started{PID: s.session}})
	}
	if err := os.Mkdir(filepath.Join(dir, ".benchproof-replay-forged"), 0o700); err != nil {
		t.Fatal(err)
	}
	killed, err := KillLeftovers(t.Context(), "forged", records...)
	if err != nil || len(killed) > 0 {
		t.Errorf("killed %v, %v", killed, err)
	}
	if now, err := readStat(s.pid); err != nil || now.dead() {
		t.Error("the victim is dead")
	}
}
