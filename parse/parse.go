package parse

import (
	"errors"
	"io"
	"iter"

	"github.com/benchproof/benchproof/parse/internal/source"
	"github.com/benchproof/benchproof/result"
)

// Limits bound what an input may make a reader do; see [DefaultLimits].
type Limits = source.Limits

// DefaultLimits returns the limits that hold unless changed.
func DefaultLimits() Limits { return source.DefaultLimits() }

// SyntaxError says where a reader found no record; errors.As finds it.
type SyntaxError = source.SyntaxError

// LimitError says which limit an input broke; errors.As finds it.
type LimitError = source.LimitError

// ErrFormat is wrapped by the error for an input of no known form.
var ErrFormat = errors.New("no known result format")

// Options of a Reader. The zero value is ready to use.
type Options struct {
	// Label is the name of the input in the record; the base name of the
	// path if empty.
	Label string
	// Limits bound the work; zero fields stand for the defaults.
	Limits Limits
}

// Reader yields the result files of one input.
type Reader struct {
	name   string
	limits Limits
	r      io.Reader
	close  func() error
}

// Files yields the result files of the input in order. An error ends the
// sequence; files yielded before it are whole.
func (r *Reader) Files() iter.Seq2[*result.File, error] { return nil }
