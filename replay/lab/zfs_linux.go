package lab

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"golang.org/x/sys/unix"

	"github.com/benchproof/benchproof/replay/internal/process"
)

// zfsCacheMB is the cache of zfs-fuse: the least that it takes, since what is
// read from it is not read from the disks.
const zfsCacheMB = 16

// zfsWait is how long zfs-fuse may take to be ready.
const zfsWait = 10 * time.Second

// startZFS starts zfs-fuse where the kernel has no ZFS of its own. It runs as
// long as the lab stands, and ends with this program, whose pools go with it.
func (l *Lab) startZFS(ctx context.Context, at *site) error {
	m := This()
	if m.hasFS("zfs") {
		return nil
	}
	at.made = append(at.made, []string{"zfs-fuse", "behind FUSE, with a cache of " + decimal(zfsCacheMB) + " MB of its own"})
	if l.zfs != nil {
		return nil
	}
	if reason, _ := m.lacksZFS(); reason != "" {
		return errors.New(reason)
	}
	group := ""
	if l.throttle != nil {
		group = filepath.Join(l.group, "cgroup.procs")
	}
	out := filepath.Join(l.dir, zfsFile)
	argv := []string{"zfs-fuse", "--no-daemon", "--no-kstat-mount", "--disable-block-cache", "--max-arc-size", decimal(zfsCacheMB)}
	var err error
	l.zfs, err = process.Start(context.WithoutCancel(ctx), process.Command{
		ID: l.setup.ID, Dir: l.dir, Stdout: out, Stderr: out, Limit: 1 << 20, Group: group,
		// It ignores TERM while it has pools.
		Stop: unix.SIGKILL,
		Argv: append(argv, "--pidfile", filepath.Join(l.dir, zfsPID)),
	})
	if err != nil {
		return err
	}
	c := command{ctx: ctx, dir: l.dir, id: l.setup.ID}
	for end := time.Now().Add(zfsWait); ; time.Sleep(50 * time.Millisecond) {
		if err = c.run("zpool", "list"); err == nil || ctx.Err() != nil {
			return err
		}
		if time.Now().After(end) {
			return fmt.Errorf("zfs-fuse is not ready: %w", err)
		}
	}
}

// stopZFS ends the lab's zfs-fuse, when its pools are gone.
func (l *Lab) stopZFS() error {
	if l.zfs == nil {
		return nil
	}
	_, err := l.zfs.Stop(unix.SIGKILL, 0)
	l.zfs = nil
	return err
}

// zfsSocketFile is where zpool and zfs-fuse meet.
const zfsSocketFile = "/var/run/zfs/zfs_socket"

// zfsSocket removes what zfs-fuse leaves when it is killed, where the lab had
// started one and none runs.
func (r *remover) zfsSocket() error {
	if !slices.ContainsFunc(r.log, func(t thing) bool { return t.Thing == thingPool }) {
		return nil
	}
	if m := This(); m.hasFS("zfs") || m.running("zfs-fuse") != "" {
		return nil
	}
	if err := os.Remove(zfsSocketFile); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	_ = os.Remove(filepath.Dir(zfsSocketFile)) // if nothing else is there
	return nil
}
