package export

import (
	"io"

	"github.com/benchproof/benchproof/result"
)

// NewJSON returns a writer of the record's own JSON form, which every
// command reads back; see [result.Encoder]. It holds everything that the
// record does; Options do not change it.
func NewJSON(w io.Writer, _ Options) Writer { return jsonWriter{result.NewEncoder(w)} }

type jsonWriter struct{ e *result.Encoder }

func (w jsonWriter) Write(f *result.File) error { return w.e.Encode(f) }
func (w jsonWriter) Close() error               { return w.e.Close() }
