package process

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

// nobody is a user that is not the one who tests.
const nobody = 65534

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
			Record{ID: "forged", Boot: bootID(), Dir: d, Began: time.Unix(1, 0), Supervisor: s.started(), Copies: []Started{s.started()}},
			Record{ID: "forged", Boot: bootID(), Dir: d, Supervisor: Started{PID: s.session}})
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

// TestSecurityWorkingDirectory: a program runs in no directory that somebody has
// put in the place of ours, be it by a link, by one above it, or itself.
func TestSecurityWorkingDirectory(t *testing.T) {
	top := t.TempDir()
	victim, real := filepath.Join(top, "victim"), filepath.Join(top, "real")
	for _, d := range []string{victim, filepath.Join(victim, "w"), real} {
		if err := os.Mkdir(d, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	link := filepath.Join(top, "link")
	if err := os.Symlink(victim, link); err != nil {
		t.Fatal(err)
	}
	touch := func(dir string) error {
		_, err := Run(t.Context(), Command{ID: "dir", Argv: []string{"touch", "touched"}, Dir: dir})
		return err
	}
	for _, dir := range []string{link, filepath.Join(link, "w")} {
		if err := touch(dir); !errors.Is(err, syscall.ELOOP) && !errors.Is(err, syscall.ENOTDIR) {
			t.Errorf("in %s: %v", dir, err)
		}
	}
	if os.Geteuid() == 0 {
		if err := os.Chown(victim, nobody, nobody); err != nil {
			t.Fatal(err)
		}
		if err := touch(victim); err == nil || !strings.Contains(err.Error(), "belongs to user 65534") {
			t.Errorf("in another's directory: %v", err)
		}
	}
	if names, err := filepath.Glob(filepath.Join(victim, "touched")); err != nil || len(names) > 0 {
		t.Errorf("made %q, %v", names, err)
	}
	// One that is renamed after the look is still the one: a program that
	// waits for its directory to be swapped writes into what it was given.
	c := Command{ID: "dir", Argv: sh("while [ ! -e swapped ]; do sleep 0.01; done; echo x >written"), Dir: real, Timeout: 20 * time.Second}
	p, err := Start(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	moved := filepath.Join(top, "moved")
	if err := errors.Join(os.Rename(real, moved), os.Symlink(victim, real), os.WriteFile(filepath.Join(moved, "swapped"), nil, 0o644)); err != nil {
		t.Fatal(err)
	}
	if r, err := p.Wait(); err != nil || !r.OK() {
		t.Errorf("%v, %v", r.Failure(), err)
	}
	if _, err := os.Stat(filepath.Join(moved, "written")); err != nil {
		t.Error(err)
	}
	if names, err := filepath.Glob(filepath.Join(victim, "w*n")); err != nil || len(names) > 0 {
		t.Errorf("made %q, %v", names, err)
	}
}

// TestSecurityAccount: who runs as another account has that account's rights and
// no group of ours, and nothing of our environment or open files.
func TestSecurityAccount(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("needs root to become another user")
	}
	dir, _ := reachable(t), t.TempDir() // before TMPDIR leads nowhere
	for k, v := range map[string]string{
		"LD_PRELOAD": "/x.so", "LD_LIBRARY_PATH": "/x", "PGHOST": "db.example", "PGUSER": "x", "PGPASSFILE": "/x", "MYSQL_HOST": "db.example", "MYSQL_PWD": "x",
		"FIO_X": "x", "BASH_ENV": "/x", "ENV": "/x", "IFS": "x", "PYTHONPATH": "/x", "PERL5LIB": "/x", "SECRET_TOKEN": "x", "SSH_AUTH_SOCK": "/x", "HOME": "/x", "TMPDIR": "/x", "PATH": "/x",
	} {
		t.Setenv(k, v)
	}
	secret, err := os.Open("/dev/null")
	if err != nil {
		t.Fatal(err)
	}
	defer secret.Close()
	if err := os.Chown(dir, nobody, nobody); err != nil {
		t.Fatal(err)
	}
	a := &Account{Name: "nobody", UID: nobody, GID: nobody}
	for _, tt := range []struct {
		argv []string
		want []string
	}{
		{[]string{"env"}, []string{"HOME=/scratch", "LANG=C", "LC_ALL=C", "PATH=" + Path, "TMPDIR=/scratch", "TZ=UTC", Mark + "=account"}},
		{sh("grep -E '^(Uid|Gid|Groups|CapEff|CapPrm):' /proc/self/status; ls /proc/self/fd | tr '\\n' ' '"), []string{
			"0 1 2 3", // the last is ls's own
			"CapEff: 0000000000000000", "CapPrm: 0000000000000000", "Gid: 65534 65534 65534 65534", "Groups:", "Uid: 65534 65534 65534 65534",
		}},
	} {
		r, out := run(t, Command{ID: "account", Dir: dir, Home: "/scratch", User: a, Argv: tt.argv})
		var got []string
		for _, l := range strings.Split(strings.TrimSpace(out), "\n") {
			if !strings.HasPrefix(l, runMark+"=") { // by chance
				got = append(got, strings.Join(strings.Fields(l), " "))
			}
		}
		slices.Sort(got)
		slices.Sort(tt.want)
		if !r.OK() || !slices.Equal(got, tt.want) {
			t.Errorf("%q: %s; it has\n%q, want\n%q", tt.argv, r.Failure(), got, tt.want)
		}
	}
}
