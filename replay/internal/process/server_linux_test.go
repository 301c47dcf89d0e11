package process

import (
	"fmt"
	"os"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
)

// postgres makes a cluster, then returns a server and a client of it.
func postgres(t *testing.T, dir string) []Command {
	bins, _ := filepath.Glob("/usr/lib/postgresql/*/bin")
	if len(bins) == 0 {
		t.Skip("needs postgresql")
	}
	bin := bins[len(bins)-1]
	account, err := Unprivileged(os.Geteuid(), func(string) string { return "" })
	if err != nil {
		t.Skip(err)
	}
	if account != nil {
		if err := os.Chown(dir, int(account.UID), int(account.GID)); err != nil {
			t.Fatal(err)
		}
		if err := account.Reach(dir); err != nil {
			t.Skip(err)
		}
	}
	data := filepath.Join(dir, "data")
	if _, err := os.Stat(data); err != nil {
		r, err := Run(t.Context(), Command{
			ID: "initdb", Argv: []string{filepath.Join(bin, "initdb"), "-D", data, "-A", "trust", "-N", "-U", "bench"},
			Dir: dir, User: account,
		})
		if err != nil || !r.OK() {
			t.Fatalf("initdb: %s, %v", r.Failure(), err)
		}
	}
	_ = os.Remove(filepath.Join(data, "postmaster.pid"))
	return []Command{
		{Argv: []string{filepath.Join(bin, "postgres"), "-D", data, "-k", dir, "-c", "listen_addresses=", "-c", "dynamic_shared_memory_type=mmap"}, Dir: data, User: account, Stop: syscall.SIGINT},
		{Argv: sh("until " + filepath.Join(bin, "psql") + " -h " + dir + " -U bench -c 'select pg_sleep(1000)' postgres; do sleep 0.05; done"), Dir: data, User: account},
	}
}

// TestServer starts a real server, asks it, and stops it.
func TestServer(t *testing.T) {
	dir := reachable(t)
	commands := postgres(t, dir)
	id := "server-" + strconv.Itoa(os.Getpid())
	server, client := commands[0], commands[1]
	server.ID, client.ID = id, id
	server.Stderr = filepath.Join(t.TempDir(), "log")
	p, err := Start(t.Context(), server)
	if err != nil {
		t.Fatal(err)
	}
	psql := filepath.Join(filepath.Dir(server.Argv[0]), "psql")
	for {
		select {
		case <-p.Done():
			log, _ := os.ReadFile(server.Stderr)
			t.Fatalf("the server ended: %s", log)
		default:
		}
		r, out := run(t, Command{ID: id + "-client", Dir: dir, User: server.User, Argv: []string{psql, "-h", dir, "-U", "bench", "-Atc", "select 6*7", "postgres"}})
		if r.OK() {
			if out != "42\n" {
				t.Errorf("the server says %q", out)
			}
			break
		}
	}
	if server.User != nil {
		var st syscall.Stat_t
		if err := syscall.Stat(fmt.Sprintf("/proc/%d", p.Record().Copies[0].PID), &st); err != nil || st.Uid != server.User.UID {
			t.Errorf("the server runs as user %d, %v", st.Uid, err)
		}
	}
	r, err := p.Stop(0, 0)
	if err != nil || !r.Stopped || r.Code != 0 || r.Signal != 0 || len(r.Orphans) > 0 {
		t.Errorf("stopped: %+v, %v", r, err)
	}
	log, err := os.ReadFile(server.Stderr)
	if err != nil || !strings.Contains(string(log), "database system is shut down") {
		t.Errorf("log: %s, %v", log, err)
	}
	if left := alive(t, id, dir); len(left) > 0 {
		t.Errorf("left: %q", left)
	}
}

func TestUnprivileged(t *testing.T) {
	env := func(id string) func(string) string { return func(string) string { return id } }
	if a, err := Unprivileged(1000, env("")); a != nil || err != nil {
		t.Errorf("not root: %v, %v", a, err)
	}
	nobody, err := user.Lookup("nobody")
	if err != nil {
		t.Skip(err)
	}
	for _, id := range []string{"", "0", "4294967290"} {
		a, err := Unprivileged(0, env(id))
		if err != nil || a == nil || strconv.Itoa(int(a.UID)) != nobody.Uid {
			t.Errorf("SUDO_UID=%q: %+v, %v", id, a, err)
		}
	}
	daemon, err := user.Lookup("daemon")
	if err != nil {
		t.Skip(err)
	}
	if a, err := Unprivileged(0, env(daemon.Uid)); err != nil || a.Name != "daemon" {
		t.Errorf("SUDO_UID of daemon: %+v, %v", a, err)
	}
}

func TestReach(t *testing.T) {
	a := &Account{Name: "nobody", UID: 65534, GID: 65534}
	if os.Geteuid() == int(a.UID) {
		a.UID, a.GID = 65533, 65533
	}
	dir := reachable(t)
	if err := a.Reach(dir); err != nil {
		t.Error(err)
	}
	if err := os.Chmod(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	inner := filepath.Join(dir, "inner")
	if err := os.Mkdir(inner, 0o777); err != nil {
		t.Fatal(err)
	}
	if err := a.Reach(inner); err == nil || !strings.Contains(err.Error(), strconv.Quote(dir)+" does not let") {
		t.Errorf("got %v", err)
	}
	if os.Geteuid() != 0 {
		t.Skip("needs root to become another user")
	}
	// Nor is it started there.
	_, err := Run(t.Context(), Command{ID: "reach", Argv: []string{"true"}, Dir: inner, User: a})
	if err == nil || !strings.Contains(err.Error(), "does not let") {
		t.Errorf("ran where it cannot be: %v", err)
	}
	if err := os.Chmod(dir, 0o711); err != nil {
		t.Fatal(err)
	}
	r, out := run(t, Command{ID: "reach", Argv: sh("id -un; id -G"), Dir: inner, User: a})
	if out != "nobody\n65534\n" {
		t.Errorf("runs as %q (%s)", out, r.Failure())
	}
}
