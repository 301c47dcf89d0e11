package corpus

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime/debug"
	"syscall"

	"github.com/benchproof/benchproof/parse"
	"github.com/benchproof/benchproof/result"
)

// hashFile returns the hash of a file, and sets its size and time of change to
// those of what was hashed. What no reader would take for its size is not read:
// a file may be sparse, and one of the kernel's need not end.
func hashFile(ctx context.Context, c *candidate, limit int64) (sum content, err error) {
	f, err := os.Open(c.Path)
	if err != nil {
		return sum, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return sum, err
	}
	c.Size, c.MTime = info.Size(), info.ModTime().UnixNano()
	h := sha256.New()
	n := c.Size
	if n <= limit {
		if n, err = io.Copy(h, io.LimitReader(contextReader{ctx, f}, limit+1)); err != nil {
			return sum, err
		}
	}
	if n > limit {
		return sum, &parse.LimitError{Source: c.Path, What: "input", Limit: limit, Flag: "--max-input"}
	}
	return content(h.Sum(nil)), nil
}

// bigInput is from what size on inputs are read one after the other: the
// memory that one takes is a multiple of its size.
const bigInput = 8 << 20

// shortage reports whether an error is the machine's, and would be that of all
// further inputs, too.
func shortage(err error) bool {
	return errors.Is(err, syscall.EMFILE) || errors.Is(err, syscall.ENFILE) || errors.Is(err, syscall.ENOMEM)
}

// errChanged is the error of a file that was written while it was read.
var errChanged = errors.New("it changed while it was read")

// work makes a part of a chunk. Where ctx ends it makes one of what it has.
func (a *adder) work(ctx context.Context, c *chunk) error {
	p, err := a.store.begin(c.number)
	if err != nil {
		return err
	}
	done := false
	defer func() {
		if !done {
			p.discard()
		}
	}()
	var made Report
	for _, job := range c.jobs {
		if ctx.Err() != nil {
			break
		}
		if err := a.add(ctx, p, job, &made); err != nil {
			return err
		}
	}
	for _, r := range c.paths {
		if err := p.paths.Append(r, 100+len(r.Path)); err != nil {
			return err
		}
	}
	if p.paths.Rows() == 0 {
		return nil
	}
	done = true
	if err := a.store.commit(p); err != nil {
		_ = os.RemoveAll(p.dir) // else the next add does
		return err
	}
	a.count(func(r *Report) {
		r.Parts++
		r.Read += made.Read
		r.Files += made.Files
		r.Measurements += made.Measurements
		r.Bytes += made.Bytes
	})
	return nil
}

// add reads an input and adds its rows. Its error is that of the part.
func (a *adder) add(ctx context.Context, p *part, c *candidate, made *Report) error {
	if c.Size >= bigInput {
		a.big.Lock()
		defer a.big.Unlock()
	}
	files, err := a.read(ctx, c)
	if ctx.Err() != nil {
		return nil
	}
	var path *os.PathError
	var crash *crashError
	row := pathRow{Path: c.stored, SHA256: fmt.Sprintf("%x", c.sum), Bytes: c.Size, MTime: c.MTime, Status: pathOK, Results: int32(len(files))}
	switch {
	case shortage(err):
		return err
	case errors.Is(err, errChanged), errors.As(err, &path), errors.As(err, &crash):
		// Another time it may go well.
		a.problem(c.Input, err)
		return nil
	case err != nil && len(files) == 0 && errors.Is(err, parse.ErrFormat):
		row.Status, row.Error = pathNoResult, text(err.Error())
	case err != nil:
		row.Status, row.Error = pathUnreadable, text(err.Error())
	}
	if row.Status != pathOK {
		a.index.mu.Lock()
		a.index.failed[c.sum.key(1)] = failure{row.Status, row.Error}
		a.index.mu.Unlock()
	}
	for i, f := range files {
		if err := p.write(f, source{c.sum, c.Size, i + 1}); err != nil {
			return err
		}
		for k := range f.Tests {
			made.Measurements += int64(len(f.Tests[k].Measurements))
		}
	}
	if err := p.paths.Append(row, 200+len(row.Path)+len(row.Error)); err != nil {
		return err
	}
	made.Files += int64(len(files))
	made.Bytes += c.Size
	a.o.Progress.Bytes.Add(c.Size)
	if err != nil {
		a.problem(c.Input, err)
		return nil
	}
	made.Read++
	a.o.Progress.Done.Add(1)
	return nil
}

// crashError is a panic of a reader.
type crashError struct {
	path  string
	cause any
	stack []byte
}

func (e *crashError) Error() string {
	return fmt.Sprintf("%s: the reader crashed: %v\n%s", e.path, e.cause, e.stack)
}

// read returns the result files of an input, whose content is what was hashed.
func (a *adder) read(ctx context.Context, c *candidate) (files []*result.File, err error) {
	defer func() {
		if cause := recover(); cause != nil {
			files, err = nil, &crashError{c.Path, cause, debug.Stack()}
		}
	}()
	f, err := os.Open(c.Path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	h := sha256.New()
	in := io.TeeReader(contextReader{ctx, f}, h)
	r, err := parse.NewReader(in, filepath.Base(c.Path), parse.Options{Limits: a.o.Limits})
	if err != nil {
		return nil, err
	}
	defer r.Close()
	for file, e := range r.Files() {
		if e != nil {
			err = e
			break
		}
		files = append(files, file)
	}
	// Of a compressed input what stands behind it is content, too.
	if _, e := io.Copy(io.Discard, in); e != nil {
		return nil, &os.PathError{Op: "read", Path: c.Path, Err: e}
	}
	if content(h.Sum(nil)) != c.sum {
		return nil, fmt.Errorf("%s: %w", c.Path, errChanged)
	}
	return files, err
}
