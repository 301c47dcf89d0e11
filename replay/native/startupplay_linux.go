package native

import (
	"fmt"
	"math/rand/v2"
	"os"
	"runtime"
	"sync"
	"syscall"
	"time"
)

// player replays a trace. One thread works at a time, in the order of the
// trace: whoever meets a request of another hands over to it.
type player struct {
	*run
	trace        []startupRequest
	seed, stream uint64
	waiting      int // most read-ahead requests of a thread at once

	rng   *rand.Rand
	arena []byte // memory for direct input, new for each request
	next  int    // request
	turn  []chan struct{}
	over  chan struct{}
	err   error

	done, async, random int
	bytes               int64
}

// playerThread is one of the threads.
type playerThread struct {
	fd     int
	offset int64
	aio    *aio
	name   string
}

// play replays the trace once with so many threads and returns how long that
// took, the opening of the files counted.
func (p *player) play(threads int) (time.Duration, error) {
	total := 0
	for _, q := range p.trace {
		total += q.Sectors * startupSector
	}
	arena, err := aligned(total)
	if err != nil {
		return 0, err
	}
	defer func() { _ = syscall.Munmap(arena) }()
	p.arena, p.rng = arena, newRand(p.seed, p.stream)
	p.over = make(chan struct{})
	begin := time.Now()
	list := make([]*playerThread, 0, threads)
	defer func() {
		for _, t := range list {
			_ = t.aio.close() // before the memory goes
			_ = syscall.Close(t.fd)
		}
	}()
	for i := range threads {
		t, err := openPlayer(startupFile(i), p.waiting)
		if err != nil {
			return 0, direct(err)
		}
		list = append(list, t)
		p.turn = append(p.turn, make(chan struct{}, 1))
	}
	var group sync.WaitGroup
	for i, t := range list {
		group.Go(func() {
			runtime.LockOSThread()
			defer runtime.UnlockOSThread()
			p.thread(i, t)
		})
	}
	p.turn[p.trace[0].Thread] <- struct{}{}
	<-p.over
	took := time.Since(begin)
	group.Wait()
	return took, p.err
}

// openPlayer opens a thread's file for direct input, with room for as many
// requests that wait.
func openPlayer(name string, waiting int) (*playerThread, error) {
	fd, err := open(name, syscall.O_RDONLY|syscall.O_DIRECT, 0)
	if err != nil {
		return nil, err
	}
	a, err := newAIO(max(waiting, 1))
	if err != nil {
		_ = syscall.Close(fd)
		return nil, err
	}
	return &playerThread{fd: fd, aio: a, name: name}, nil
}

// thread waits for its turns until the trace is over.
func (p *player) thread(id int, t *playerThread) {
	for {
		select {
		case <-p.turn[id]:
		case <-p.over:
			return
		}
		for p.trace[p.next].Thread == id {
			err := p.stop()
			if err == nil {
				err = p.issue(t)
			}
			p.next++
			if err != nil || p.next == len(p.trace) {
				p.err = err
				close(p.over)
				return
			}
		}
		p.turn[p.trace[p.next].Thread] <- struct{}{}
	}
}

// issue does the next request.
func (p *player) issue(t *playerThread) error {
	q := p.trace[p.next]
	size := int64(q.Sectors) * startupSector
	buf := p.arena[:size:size]
	p.arena = p.arena[size:]
	if q.Random {
		t.offset = p.rng.Int64N(startupFileSize/startupSector-int64(q.Sectors)) * startupSector
		p.random++
	} else if t.offset >= startupFileSize-size {
		t.offset = 0
	}
	at := t.offset
	t.offset += size
	p.done++
	p.bytes += size
	// The last request is waited for, whatever it is.
	if q.Async && p.next+1 < len(p.trace) {
		p.async++
		return direct(t.aio.read(t.fd, buf, at))
	}
	if len(t.aio.kept) > 0 {
		if err := t.aio.reap(); err != nil {
			return direct(err)
		}
	}
	for {
		n, err := syscall.Pread(t.fd, buf, at)
		switch {
		case err == syscall.EINTR:
			continue
		case err != nil:
			return direct(&os.PathError{Op: "read", Path: t.name, Err: err})
		case int64(n) != size:
			return fmt.Errorf("read %s: %d bytes at %d, want %d", t.name, n, at, size)
		}
		return nil
	}
}
