package corpus

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"path/filepath"
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/benchproof/benchproof/parse"
)

// AddOptions say how files are added.
type AddOptions struct {
	// Partial, if not empty, names a partial set: what is added waits there
	// for a [Commit], so that many processes can add at once.
	Partial string
	// Rehash reads all files again to see whether they changed; else a path
	// whose size and time of change are those of last time is taken for
	// unchanged.
	Rehash bool
	// Retry reads inputs again that could not be read.
	Retry bool
	// Limits bound an input.
	Limits parse.Limits
	// Workers is how many inputs are read at once; 0 for one a core.
	Workers int
	// Program names the writer in the manifest ("benchproof 1.0").
	Program string
	// Progress, if not nil, is counted up while files are added.
	Progress *Progress
	// Problem, if not nil, is called for each input that could not be read,
	// from several goroutines but never at once.
	Problem func(in Input, err error)
}

// Progress counts what was done. It may be read at any time.
type Progress struct {
	Seen, Done atomic.Int64 // inputs that were found, and that are dealt with
	Bytes      atomic.Int64 // that were read
}

// Report says what an add did.
type Report struct {
	Inputs       int64 `json:"inputs"`       // all, once each
	Unchanged    int64 `json:"unchanged"`    // by size and time, or by content
	Read         int64 `json:"read"`         // inputs that were new
	Duplicates   int64 `json:"duplicates"`   // new paths of a known content
	NoResult     int64 `json:"no_result"`    // found in a directory, and no result file
	Unreadable   int64 `json:"unreadable"`   // not read, or not to the end
	Files        int64 `json:"files"`        // result files that came in
	Measurements int64 `json:"measurements"` // of them
	Bytes        int64 `json:"bytes"`        // of the inputs that were read
	Parts        int64 `json:"parts"`
}

// Add adds inputs to the corpus in dir, and makes it where there is none.
// Inputs are read on all cores. Whole parts come in as they are done: what was
// added before an end of ctx or of the process stays, and a further Add goes
// on from there.
//
// It returns what was done beside the error. An input that cannot be read is
// no error; a shortage of the machine is one (of open files, of memory), and
// [ErrLocked] is one, where another process adds.
func Add(ctx context.Context, dir string, inputs iter.Seq[Input], o AddOptions) (report Report, err error) {
	known := newIndex()
	if o.Partial != "" {
		// What the corpus has is not read again. It may grow meanwhile: the
		// commit finds that out.
		m, err := readManifest(dir)
		switch {
		case errors.Is(err, ErrNoCorpus):
			if err := usable(dir); err != nil {
				return report, err
			}
		case err != nil:
			return report, err
		default:
			if err := known.load(dir, m); err != nil {
				return report, err
			}
		}
		if dir, err = partialPath(dir, o.Partial); err != nil {
			return report, err
		}
	}
	s, err := openStore(dir, o.Program)
	if err != nil {
		return report, err
	}
	defer func() { err = errors.Join(err, s.close()) }()
	if err := known.load(dir, s.manifest); err != nil {
		return report, err
	}
	if o.Workers <= 0 {
		o.Workers = runtime.GOMAXPROCS(0)
	}
	if o.Progress == nil {
		o.Progress = &Progress{}
	}
	a := &adder{store: s, index: known, o: o, base: s.manifest.Next, report: &report, twice: map[int64]int64{}}
	if err := a.run(ctx, inputs); err != nil {
		return report, err
	}
	if o.Partial == "" {
		if err := s.supersede(known.superseded()); err != nil {
			return report, err
		}
	}
	return report, ctx.Err()
}

// adder is one run of Add. A goroutine lists inputs and drops those that are
// unchanged, workers hash the rest, one goroutine takes them in their order
// and makes chunks of them, and workers make a part of each chunk. The chunks
// depend on the inputs alone, and so do the parts' bytes.
type adder struct {
	store *store
	index *index
	o     AddOptions
	base  int // number of the first part

	big sync.Mutex // held while a large input is read

	// twice counts the further paths of contents that this run reads, of
	// which it is not known yet whether they hold a result.
	twice map[int64]int64

	mu     sync.Mutex
	report *Report
	err    error // the first that ends the run
	cancel context.CancelFunc
}

// candidate is an input whose content is not known yet.
type candidate struct {
	Input
	stored string // the path as the corpus has it
	ready  chan struct{}
	sum    content
	err    error
}

// chunk is what becomes a part.
type chunk struct {
	number int
	jobs   []*candidate // to be read
	paths  []pathRow    // of known contents
	bytes  int64
}

// chunkInputs is how many inputs a chunk has: few in the first ones, so that a
// short list keeps all cores at work, and many in later ones, so that a long
// one makes few files.
func chunkInputs(ordinal int) int {
	switch {
	case ordinal < 8:
		return 64
	case ordinal < 16:
		return 256
	case ordinal < 24:
		return 1024
	}
	return 2048
}

// chunkBytes bounds what has to be read again after a kill.
const chunkBytes = 256 << 20

func (a *adder) run(ctx context.Context, inputs iter.Seq[Input]) error {
	ctx, a.cancel = context.WithCancel(ctx)
	defer a.cancel()
	ordered := make(chan *candidate, 64*a.o.Workers)
	hashing := make(chan *candidate, 64*a.o.Workers)
	chunks := make(chan *chunk)
	var hashers, workers sync.WaitGroup
	for range a.o.Workers {
		hashers.Go(func() {
			for c := range hashing {
				c.sum, c.err = hashFile(ctx, c, a.o.Limits.WithDefaults().Input)
				close(c.ready)
			}
		})
		workers.Go(func() {
			for c := range chunks {
				a.fail(a.work(ctx, c))
			}
		})
	}
	go func() {
		defer close(ordered)
		defer close(hashing)
		a.list(ctx, inputs, ordered, hashing)
	}()
	a.dispatch(ctx, ordered, chunks)
	close(chunks)
	workers.Wait()
	hashers.Wait()
	a.settle()
	return a.err
}

// settle counts the further paths of contents that turned out to hold nothing.
func (a *adder) settle() {
	for key, n := range a.twice {
		f, failed := a.index.failed[key]
		if !failed {
			continue
		}
		a.report.Duplicates -= n
		if f.status == pathNoResult {
			a.report.NoResult += n
		} else {
			a.report.Unreadable += n
		}
	}
}

// fail ends the run with an error.
func (a *adder) fail(err error) {
	if err == nil {
		return
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.err == nil {
		a.err = err
	}
	a.cancel()
}

// list sends on what may be new.
func (a *adder) list(ctx context.Context, inputs iter.Seq[Input], ordered, hashing chan<- *candidate) {
	for in := range inputs {
		if ctx.Err() != nil {
			return
		}
		if in.Path == "" && in.Err != nil {
			a.fail(in.Err)
			return
		}
		c := &candidate{Input: in, ready: make(chan struct{}), err: in.Err}
		path, err := filepath.Abs(in.Path)
		if err != nil {
			c.err = err
		}
		c.stored = text(path)
		send := a.look(c)
		if send == nil {
			continue
		}
		if c.err != nil {
			close(c.ready)
		} else {
			select {
			case hashing <- c:
			case <-ctx.Done():
				return
			}
		}
		select {
		case ordered <- c:
		case <-ctx.Done():
			return
		}
	}
}

// look returns c if its content must be looked at, nil if it was listed before
// or is unchanged.
func (a *adder) look(c *candidate) *candidate {
	x := a.index
	x.mu.Lock()
	defer x.mu.Unlock()
	key := pathKey(c.stored)
	p, there := x.paths[key]
	if p.seen {
		return nil
	}
	a.o.Progress.Seen.Add(1)
	a.count(func(r *Report) { r.Inputs++ })
	p.seen = true
	if there || c.err == nil {
		x.paths[key] = p
	}
	if !there || c.err != nil || a.o.Rehash || p.size != c.Size || p.mtime != c.MTime || c.MTime == 0 {
		return c
	}
	if _, has := x.contents[p.key]; !has {
		return c // the part that had it is not there
	}
	if f, failed := x.failed[p.key]; failed {
		if a.o.Retry {
			return c
		}
		a.again(c, f)
		return nil
	}
	a.count(func(r *Report) { r.Unchanged++ })
	a.o.Progress.Done.Add(1)
	return nil
}

// KnownError is the error of an input that could not be read before, and was
// not read again.
type KnownError struct {
	Message  string
	NoResult bool // it holds no result file
}

// Error returns what was said then.
func (e *KnownError) Error() string { return e.Message }

// Is reports whether target is parse.ErrFormat and the input held no result.
func (e *KnownError) Is(target error) bool { return target == parse.ErrFormat && e.NoResult }

// again says what was said before about an input.
func (a *adder) again(c *candidate, f failure) {
	a.problem(c.Input, &KnownError{f.message, f.status == pathNoResult})
}

// problem tells of an input that could not be read.
func (a *adder) problem(in Input, err error) {
	a.o.Progress.Done.Add(1)
	a.mu.Lock()
	defer a.mu.Unlock()
	if in.Found && errors.Is(err, parse.ErrFormat) {
		a.report.NoResult++
	} else {
		a.report.Unreadable++
	}
	if a.o.Problem != nil {
		a.o.Problem(in, err)
	}
}

func (a *adder) count(f func(*Report)) {
	a.mu.Lock()
	defer a.mu.Unlock()
	f(a.report)
}

// dispatch takes candidates in their order and makes chunks of them.
func (a *adder) dispatch(ctx context.Context, ordered <-chan *candidate, chunks chan<- *chunk) {
	ordinal := 0
	next := &chunk{number: a.base}
	send := func() {
		select {
		case chunks <- next:
		case <-ctx.Done():
		}
		ordinal++
		next = &chunk{number: a.base + ordinal}
	}
	for c := range ordered {
		select {
		case <-c.ready:
		case <-ctx.Done():
			continue // the list ends soon
		}
		if shortage(c.err) {
			a.fail(c.err)
			continue
		}
		if c.err != nil {
			if ctx.Err() == nil {
				a.problem(c.Input, c.err)
			}
			continue
		}
		if err := a.assign(c, next); err != nil {
			a.problem(c.Input, err)
			continue
		}
		if len(next.jobs)+len(next.paths)/16 >= chunkInputs(ordinal) || next.bytes >= chunkBytes {
			send()
		}
	}
	if ctx.Err() == nil && len(next.jobs)+len(next.paths) > 0 {
		send()
	}
}

// assign puts a candidate into a chunk: to be read, or as a further path of a
// content that is known.
func (a *adder) assign(c *candidate, to *chunk) error {
	x := a.index
	x.mu.Lock()
	defer x.mu.Unlock()
	id := pathKey(c.stored)
	old := x.paths[id]
	key := c.sum.key(1)
	rest, has := x.contents[key]
	if has && rest != c.sum.rest() {
		return fmt.Errorf("%s: its key %s is that of another content", c.Path, fileID(key))
	}
	x.paths[id] = pathState{key: key, size: c.Size, mtime: c.MTime, seen: true}
	f, failed := x.failed[key]
	if !has || failed && a.o.Retry {
		x.contents[key] = c.sum.rest()
		to.jobs = append(to.jobs, c)
		to.bytes += c.Size
		return nil
	}
	if old.key != key || old.size != c.Size || old.mtime != c.MTime {
		to.paths = append(to.paths, pathRow{Path: c.stored, SHA256: fmt.Sprintf("%x", c.sum), Bytes: c.Size, MTime: c.MTime, Status: pathDuplicate})
	}
	if failed {
		a.again(c, f)
		return nil
	}
	a.o.Progress.Done.Add(1)
	if old.key != key {
		a.twice[key]++
	}
	a.count(func(r *Report) {
		if old.key == key {
			r.Unchanged++
		} else {
			r.Duplicates++
		}
	})
	return nil
}

// contextReader ends a long read.
type contextReader struct {
	ctx context.Context
	r   io.Reader
}

func (c contextReader) Read(p []byte) (int, error) {
	if err := c.ctx.Err(); err != nil {
		return 0, err
	}
	return c.r.Read(p)
}
