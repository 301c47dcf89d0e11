package native

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"syscall"
	"time"
)

// startupTime does what the suite S does behind Application Start-up Time: it
// replays the reads of a program's start three times, and takes the mean of
// the seconds, while a load of its own runs beside it (fio, with the job file
// of startup-prepare). Before each replay it pauses, drops the caches where it
// may, and pauses again. With -sync it calls sync(2) every so often, as the
// load with writers does.
//
// The trace is made up after the published facts of the recorded ones (see
// [startupTrace]), so this is an emulation, unless -trace names the recorded
// one. The random places in the files are drawn from the seed; without one, as
// in S, from the time of day, and the report says which it was.
func startupTime(r *run, args []string) (*Report, error) {
	fs := flag.NewFlagSet("startup-time", flag.ContinueOnError)
	name := fs.String("application", "", "xterm, gnome-terminal or libreoffice-writer")
	seed := fs.Uint64("seed", 0, "seed of the places; 0 for one of the clock")
	recorded := fs.String("trace", "", "recorded trace of the suite S")
	runs := fs.Int("runs", 3, "replays")
	settle := fs.Duration("settle", 7*time.Second, "pause before the first replay")
	pause := fs.Duration("pause", 4*time.Second, "pause before each replay")
	drop := fs.Bool("drop-caches", false, "drop caches before each replay")
	every := fs.Duration("sync", 0, "sync so often beside the replays; 0 for never")
	if err := parseFlags(fs, args); err != nil {
		return nil, err
	}
	s, err := startupNamed(*name)
	if err != nil {
		return nil, usagef("-application %w", err)
	}
	if *runs < 1 || *runs > 3 || *settle < 0 || *pause < 0 || *every < 0 {
		return nil, usagef("-runs %d: want 1 to 3, and no negative time", *runs)
	}
	trace, origin := startupTrace(s, traceSeed), "made up after published facts"
	if *recorded != "" {
		if trace, err = openTrace(*recorded, s); err != nil {
			return nil, err
		}
		origin = "recorded"
	}
	if *seed == 0 {
		*seed = uint64(time.Now().UnixNano())
	}
	want := factsOf(trace)
	for i := range s.Threads {
		if err := sized(startupFile(i), startupFileSize); err != nil {
			return nil, fmt.Errorf("%w: run startup-prepare first", err)
		}
	}
	report := newReport("startup-time", "1")
	f := report.Facts
	f["application"], f["seed"], f["trace"] = s.Title, *seed, origin
	if *runs < 3 || *settle < 7*time.Second || *pause < 4*time.Second {
		f["scaled"] = fmt.Sprintf("replays 3 -> %d, pauses 7s and 4s -> %s and %s", *runs, *settle, *pause)
	}
	ctx, cancel := context.WithCancel(r.ctx)
	synced := syncEvery(ctx, *every)
	defer func() { cancel(); <-synced }()

	if err := sleep(r.ctx, *settle); err != nil {
		return nil, err
	}
	var seconds []float64
	f["caches"] = "dropped"
	if !*drop {
		f["caches"] = "kept"
	}
	for i := range *runs {
		if err := sleep(r.ctx, *pause); err != nil {
			return nil, err
		}
		if *drop {
			if err := dropCaches(); err != nil {
				f["caches"] = "kept: " + err.Error()
			}
		}
		if err := sleep(r.ctx, 200*time.Millisecond); err != nil {
			return nil, err
		}
		p := &player{run: r, trace: trace, seed: *seed, stream: uint64(10 + i), waiting: want.waiting}
		t, err := p.play(s.Threads)
		if err != nil {
			return nil, err
		}
		seconds = append(seconds, t.Seconds())
		report.equal(fmt.Sprintf("replay %d: requests", i+1), int64(p.done), int64(len(trace)))
		report.equal(fmt.Sprintf("replay %d: bytes read", i+1), p.bytes, int64(want.sectors)*startupSector)
		report.equal(fmt.Sprintf("replay %d: read-ahead", i+1), int64(p.async), int64(want.ahead))
		report.equal(fmt.Sprintf("replay %d: random", i+1), int64(p.random), int64(want.random))
	}
	if f["caches"] != "dropped" {
		report.warn("caches were not dropped before the replays: the load beside them may run in memory")
	}
	f["seconds"] = seconds
	report.sample("start-up", mean(seconds), "s")
	return report, nil
}

// openTrace reads the recorded trace of a program.
func openTrace(name string, s startup) ([]startupRequest, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	trace, err := readTrace(f)
	if closed := f.Close(); err == nil {
		err = closed
	}
	if err == nil {
		err = s.fits(trace)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return trace, nil
}

// traceSeed makes the trace of a program, which is the same in every run.
const traceSeed = 2018

// startupFile is the file that a thread reads.
func startupFile(thread int) string { return fmt.Sprintf("startup-file-%d", thread) }

// sleep waits, or returns the context's error.
func sleep(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return ctx.Err()
	case <-ctx.Done():
		return ctx.Err()
	}
}

// syncEvery calls sync every d until ctx is done, then closes what it returns.
func syncEvery(ctx context.Context, d time.Duration) <-chan struct{} {
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		for d > 0 && sleep(ctx, d) == nil {
			syncAll()
		}
	}()
	return ended
}

// direct says more of an error of direct input.
func direct(err error) error {
	if errors.Is(err, syscall.EINVAL) {
		return fmt.Errorf("%w: this test reads past the page cache at multiples of 512 bytes, which this "+
			"file-system or its device (one with sectors of 4096 bytes) does not allow", err)
	}
	return err
}

// startupPrepare makes the files that startup-time reads, and the job file of
// the load beside it: 10 readers, or 5 readers and 5 writers, each with a file
// of its own of 500 MiB or, on a small disk, of half of the free space by 15.
// Writers are held to 4 000 KB/s together where the disk turns. It prints what
// it chose; files that are there in the right size stay.
func startupPrepare(r *run, args []string) (*Report, error) {
	fs := flag.NewFlagSet("startup-prepare", flag.ContinueOnError)
	name := fs.String("application", "", "xterm, gnome-terminal or libreoffice-writer")
	readers := fs.Int("readers", 10, "readers of the load")
	writers := fs.Int("writers", 0, "writers of the load")
	most := byteSize(500 << 20)
	fs.Var(&most, "size", "size of a file of the load at most")
	if err := parseFlags(fs, args); err != nil {
		return nil, err
	}
	s, err := startupNamed(*name)
	if err != nil {
		return nil, usagef("-application %w", err)
	}
	if *readers < 0 || *writers < 0 || *readers+*writers > 100 {
		return nil, usagef("-readers, -writers: want 100 at most together")
	}
	report := newReport("startup-prepare", "1")
	for i := range s.Threads {
		if err := startupContent(r, startupFile(i)); err != nil {
			return nil, err
		}
	}
	var st syscall.Statfs_t
	if err := syscall.Statfs(".", &st); err != nil {
		return nil, &os.PathError{Op: "statfs", Path: ".", Err: err}
	}
	// What an earlier run's load has laid out counts as free.
	size := min(int64(most), (int64(st.Bavail)*st.Bsize+laidOut(*readers+*writers))/2/15)
	size -= size % (1 << 20)
	if size < 1<<20 {
		return nil, fmt.Errorf("%d bytes are free: too few for the load's files", int64(st.Bavail)*st.Bsize)
	}
	turning, known := rotational(".")
	job := loadJob(*readers, *writers, size, turning)
	if err := os.WriteFile(loadFile, []byte(job), 0o600); err != nil {
		return nil, err
	}
	f := report.Facts
	f["load_file_bytes"], f["rotational"] = size, turning
	if size < 500<<20 {
		f["scaled"] = fmt.Sprintf("file of the load 500 MiB -> %d MiB", size>>20)
	}
	if !known && *writers > 0 {
		report.warn("nothing tells whether the disk turns: the writers are not held back")
	}
	report.sample("load-file", float64(size), "B")
	whole := 0
	for i := range s.Threads {
		if sized(startupFile(i), startupFileSize) == nil {
			whole++
		}
	}
	report.equal("whole files to read", int64(whole), int64(s.Threads))
	return report, nil
}

// startupContent makes one file of zeroes, as S does, unless it is there.
func startupContent(r *run, name string) error {
	if err := sized(name, startupFileSize); err == nil {
		return nil
	} else if !errors.Is(err, os.ErrNotExist) {
		return err
	}
	fd, err := open(name, syscall.O_WRONLY|syscall.O_CREAT|syscall.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	buf := make([]byte, 1_000_000)
	for n := 0; n < startupFileSize && err == nil; n += len(buf) {
		if err = r.stop(); err == nil {
			err = write(fd, name, buf)
		}
	}
	if err == nil {
		err = fsync(fd, name)
	}
	if closed := closeFile(fd, name); err == nil {
		err = closed
	}
	if err != nil {
		_ = os.Remove(name) // half a file would be refused for ever
	}
	return err
}
