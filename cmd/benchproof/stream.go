package main

import (
	"context"

	"github.com/benchproof/benchproof/export"
	"github.com/benchproof/benchproof/result"
)

// parts hands the result files of the arguments to a writer while they are
// read, as each does with whole ones.
func (s *source) parts(ctx context.Context, args []string, to export.Parts) error {
	return s.through(ctx, args, func(in *input, early outcome, saw func(*result.File)) error {
		k := &sink{ctx: ctx, s: s, saw: saw, to: to}
		if !early.later {
			for _, f := range early.files {
				if err := k.whole(f); err != nil {
					return err
				}
			}
			return early.err
		}
		r, err := s.openNow(ctx, in)
		if err != nil {
			return err
		}
		defer r.Close()
		if s.opened != nil {
			s.opened(in, r)
		}
		return r.Stream(k)
	})
}

// sink is a parse.Handler that filters what it gets for a writer.
type sink struct {
	ctx context.Context
	s   *source
	saw func(*result.File)
	to  export.Parts

	f      *result.File
	chosen *result.File // f with the systems that the filter leaves
	index  []int        // of every system of f in chosen, or -1
}

// do returns an error of the writer as one that ends everything.
func (k *sink) do(err error) error {
	if err != nil {
		return &stopError{failed("", err)}
	}
	return k.ctx.Err()
}

// whole takes a file that is there as a whole.
func (k *sink) whole(f *result.File) error {
	tests := f.Tests
	f.Tests = nil
	if err := k.File(f); err != nil {
		return err
	}
	for i := range tests {
		if err := k.Test(&tests[i]); err != nil {
			return err
		}
	}
	return k.End(f)
}

func (k *sink) File(f *result.File) error {
	k.s.files++
	k.f, k.chosen = f, f
	if k.s.filter.active() {
		head := *f
		head.Systems = nil
		k.chosen, k.index = &head, nil
		k.choose()
	}
	return k.do(k.to.File(k.chosen))
}

// choose takes over the systems that came since it was last called.
func (k *sink) choose() {
	for i := len(k.index); i < len(k.f.Systems); i++ {
		at := -1
		if id := k.f.Systems[i].Identifier; k.s.filter.system.match(id, id, "") {
			at = len(k.chosen.Systems)
			k.chosen.Systems = append(k.chosen.Systems, k.f.Systems[i])
		}
		k.index = append(k.index, at)
	}
}

func (k *sink) Test(t *result.Test) error {
	if !k.s.filter.active() {
		return k.do(k.to.Test(t))
	}
	k.choose()
	if !k.s.filter.matchTest(t) || k.s.filter.system.active() && len(k.chosen.Systems) == 0 {
		return k.ctx.Err()
	}
	out := chosen(t, k.index)
	return k.do(k.to.Test(&out))
}

func (k *sink) End(f *result.File) error {
	k.saw(f)
	if !k.s.filter.active() {
		return k.do(k.to.End(f))
	}
	k.choose()
	head := *f
	head.Systems = k.chosen.Systems
	for i, at := range k.index {
		if at >= 0 { // what stood behind the first test is filled in
			head.Systems[at] = f.Systems[i]
		}
	}
	*k.chosen = head
	return k.do(k.to.End(k.chosen))
}
