package native

import (
	"flag"
	"fmt"
	"os"
	"strconv"
	"syscall"
	"time"
)

// iorFile is the file that all ranks share.
const iorFile = "testFile"

// iorTransfer is the size of one write or read.
const iorTransfer = 256 << 10

// ior does what IOR 3.3.0 does with -w -r -i 100 -e -q -b BLOCK under mpirun
// -np NP, with its defaults of one shared file, one segment and transfers of
// 256 KiB: NP processes write a block each at its place of one file and fsync
// it, then read it, then the file is removed, again and again.
//
// The time of a repetition is from the first process's open to the last one's
// close, and the sample is the arithmetic mean of the repetitions' rates, as
// in the summary of IOR. Processes start together when the parent tells them
// through pipes, not by a barrier of MPI: how far apart they really began is a
// fact of the report. Reading is done, and reported as a fact alone.
func ior(r *run, args []string) (*Report, error) {
	fs := flag.NewFlagSet("ior", flag.ContinueOnError)
	np := fs.Int("np", 1, "processes")
	repetitions := fs.Int("repetitions", 100, "repetitions")
	block := byteSize(1 << 20)
	fs.Var(&block, "block", "bytes of each process")
	if err := parseFlags(fs, args); err != nil {
		return nil, err
	}
	if *np < 1 || *np > 4096 {
		return nil, usagef("-np %d: want 1 to 4096", *np)
	}
	if *repetitions < 1 || *repetitions > 100 {
		return nil, usagef("-repetitions %d: want 1 to 100", *repetitions)
	}
	if block%iorTransfer != 0 {
		return nil, usagef("-block %d: want a multiple of 256k", block)
	}
	if err := free(iorFile); err != nil {
		return nil, err
	}
	b := &iorRun{run: r, report: newReport("ior", "1"), block: int64(block), np: *np}
	f := b.report.Facts
	f["np"], f["block"], f["repetitions"] = *np, int64(block), *repetitions
	if *repetitions < 100 {
		f["scaled"] = fmt.Sprintf("repetitions 100 -> %d", *repetitions)
	}
	err := b.all(*repetitions)
	if removed := os.Remove(iorFile); err == nil && !os.IsNotExist(removed) {
		err = removed // nil, too
	}
	return b.report, err
}

// iorRun is one run of ior.
type iorRun struct {
	*run
	report *Report
	np     int
	block  int64
	ranks  []*rank

	skews []float64 // seconds between the first and the last open
}

func (b *iorRun) all(repetitions int) error {
	defer b.end()
	self, err := os.Executable()
	if err != nil {
		return err
	}
	for i := range b.np {
		r, err := startRank(b.ctx, self, i, b.block)
		if err != nil {
			return err
		}
		b.ranks = append(b.ranks, r)
	}
	total := int64(b.np) * b.block
	var writes, reads []float64
	var written, read int64
	var phases [][4]float64
	for range repetitions {
		if err := b.stop(); err != nil {
			return err
		}
		w, err := b.phase(rankWrite)
		if err != nil {
			return err
		}
		if err := sized(iorFile, total); err != nil {
			return err
		}
		r, err := b.phase(rankRead)
		if err != nil {
			return err
		}
		if err := os.Remove(iorFile); err != nil {
			return err
		}
		written, read = written+w.bytes, read+r.bytes
		writes = append(writes, float64(total)/w.total)
		reads = append(reads, float64(total)/r.total)
		phases = append(phases, [4]float64{w.open, w.transfer, w.close, w.total})
	}
	n := int64(repetitions)
	b.report.sample("write", mean(writes), "B/s")
	b.report.equal("bytes written", written, n*total)
	b.report.equal("bytes read", read, n*total)
	f := b.report.Facts
	f["write_rates"], f["read_mean"] = writes, mean(reads)
	f["write_phases"], f["phase_columns"] = phases, []string{"open", "write_and_fsync", "close", "total"}
	worst, apart, took := 0.0, 0.0, 0.0
	for i, s := range b.skews {
		worst = max(worst, s)
		if i%2 == 0 { // writing
			apart += s
			took += phases[i/2][3]
		}
	}
	if apart > took/20 {
		b.report.warn("the processes began to write %.1f ms apart, %.0f %% of the time", apart*1000/float64(repetitions), 100*apart/took)
	}
	f["start_skew_mean_seconds"], f["start_skew_max_seconds"] = mean(b.skews), worst
	return nil
}

// iorPhase is what all ranks' times of one phase come to, in seconds: the
// longest open, transfer and close, and from the first open to the last close.
type iorPhase struct {
	open, transfer, close, total float64
	bytes                        int64
}

// phase has all ranks do one thing together.
func (b *iorRun) phase(what string) (iorPhase, error) {
	for _, r := range b.ranks {
		if err := r.tell(what); err != nil {
			return iorPhase{}, b.blame(err)
		}
	}
	var p iorPhase
	first, lastOpen, last := time.Duration(1<<63-1), time.Duration(0), time.Duration(0)
	for _, r := range b.ranks {
		t, err := r.answer()
		if err != nil {
			return iorPhase{}, b.blame(err)
		}
		first, lastOpen, last = min(first, t.at[0]), max(lastOpen, t.at[0]), max(last, t.at[3])
		p.open = max(p.open, (t.at[1] - t.at[0]).Seconds())
		p.transfer = max(p.transfer, (t.at[2] - t.at[1]).Seconds())
		p.close = max(p.close, (t.at[3] - t.at[2]).Seconds())
		p.bytes += t.bytes
	}
	p.total = (last - first).Seconds()
	b.skews = append(b.skews, (lastOpen - first).Seconds())
	if p.total <= 0 {
		return iorPhase{}, fmt.Errorf("a phase of %s took no time", what)
	}
	return p, nil
}

// blame returns the interrupt where there was one: it ends the ranks too.
func (b *iorRun) blame(err error) error {
	if stopped := b.ctx.Err(); stopped != nil {
		return stopped
	}
	return err
}

// end ends the ranks and waits for them.
func (b *iorRun) end() {
	for _, r := range b.ranks {
		r.end()
	}
}

// transferBlock writes or reads the block of a rank and returns when what
// ended.
func transferBlock(what string, index int, buf []byte, block int64) (t rankTimes, err error) {
	flags := syscall.O_RDONLY
	if what == rankWrite {
		flags = syscall.O_RDWR | syscall.O_CREAT
	}
	t.at[0] = monotonic()
	fd, err := open(iorFile, flags, 0o664)
	if err != nil {
		return t, err
	}
	t.at[1] = monotonic()
	for at := int64(0); at < block && err == nil; at += iorTransfer {
		var n int
		if what == rankWrite {
			n, err = syscall.Pwrite(fd, buf, int64(index)*block+at)
		} else {
			n, err = syscall.Pread(fd, buf, int64(index)*block+at)
		}
		switch {
		case err == syscall.EINTR:
			err, n = nil, 0
			at -= iorTransfer
		case err != nil:
			err = &os.PathError{Op: what, Path: iorFile, Err: err}
		case n != iorTransfer:
			err = fmt.Errorf("%s %s: %d bytes at %d, want %d", what, iorFile, n, at, iorTransfer)
		}
		t.bytes += int64(n)
	}
	if err == nil && what == rankWrite {
		err = fsync(fd, iorFile)
	}
	t.at[2] = monotonic()
	if closed := closeFile(fd, iorFile); err == nil {
		err = closed
	}
	t.at[3] = monotonic()
	return t, err
}

// rankArgs are the arguments of a rank's process, behind the program's own.
func rankArgs(index int, block int64) []string {
	return []string{"native", rankName, strconv.Itoa(index), strconv.FormatInt(block, 10)}
}
