package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"runtime"
	"runtime/debug"
	"sync"

	"github.com/benchproof/benchproof/result"
)

// ahead reads inputs on all cores before it is their turn, no more of them
// than their results may be held in memory. What is made of them is made in
// their order, on the caller's goroutine.
type ahead struct {
	stop context.CancelFunc
	room chan struct{} // a place for each input that may be read before its turn
	read []chan outcome
}

// outcome is what one input gave.
type outcome struct {
	// later says that the input was not read: it is at its turn.
	later bool
	files []*result.File
	err   error // behind the files
	panic *lateCrash
}

// lateCrash is a panic on another goroutine, to be raised where its input has
// its turn.
type lateCrash struct {
	cause any
	stack []byte
}

func (c *lateCrash) String() string { return fmt.Sprint(c.cause) }

const (
	// aheadMost is the largest input that is read as a whole before its turn.
	// A larger one is read in parts where it can be.
	aheadMost = 1 << 20
	// aheadPacked is the same for a compressed one, which may hold a
	// thousand times as much.
	aheadPacked = 256 << 10
)

// readAhead begins to read the inputs of the list; nil where that is of no
// use. The caller takes the outcome of every input in order, and stops it.
func (s *source) readAhead(ctx context.Context, list []input) *ahead {
	workers := min(runtime.GOMAXPROCS(0), len(list))
	if workers < 2 || s.opened != nil {
		return nil
	}
	ctx, stop := context.WithCancel(ctx)
	a := &ahead{stop: stop, room: make(chan struct{}, 4*workers), read: make([]chan outcome, len(list))}
	for i := range a.read {
		a.read[i] = make(chan outcome, 1)
	}
	var mu sync.Mutex
	next := 0
	take := func() int {
		mu.Lock()
		defer mu.Unlock()
		select {
		case a.room <- struct{}{}:
		case <-ctx.Done():
			return len(list)
		}
		i := next
		next++
		return i
	}
	for range workers {
		go func() {
			for i := take(); i < len(list); i = take() {
				a.read[i] <- s.early(ctx, &list[i])
			}
		}()
	}
	return a
}

// take returns the outcome of input i, once it is there.
func (a *ahead) take(ctx context.Context, i int) outcome {
	if a == nil {
		return outcome{later: true}
	}
	select {
	case o := <-a.read[i]:
		<-a.room
		if o.panic != nil {
			panic(o.panic)
		}
		return o
	case <-ctx.Done():
		return outcome{err: ctx.Err()}
	}
}

func (a *ahead) end() {
	if a != nil {
		a.stop()
	}
}

// early reads an input before its turn, if it is one for that.
func (s *source) early(ctx context.Context, in *input) (o outcome) {
	defer func() {
		if cause := recover(); cause != nil {
			o = outcome{panic: &lateCrash{cause, debug.Stack()}}
		}
	}()
	if in.path == "-" || in.err != nil || in.size > aheadMost || in.size > aheadPacked && packed(in.path) {
		return outcome{later: true}
	}
	r, err := s.open(ctx, in)
	if err != nil {
		return outcome{err: err}
	}
	defer r.Close()
	for f, err := range r.Files() {
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			o.err = err
			break
		}
		o.files = append(o.files, f)
	}
	return o
}

// packed reports whether a file begins as one that is compressed, or cannot be
// read.
func packed(path string) bool {
	f, err := os.Open(path)
	if err != nil {
		return true
	}
	defer f.Close()
	var head [4]byte
	if _, err := io.ReadFull(f, head[:]); err != nil {
		return false
	}
	for _, magic := range []string{"\x1f\x8b", "\xfd7zX", "\x28\xb5\x2f\xfd"} {
		if bytes.HasPrefix(head[:], []byte(magic)) {
			return true
		}
	}
	return false
}
