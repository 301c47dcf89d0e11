package export

import (
	"io"

	"github.com/benchproof/benchproof/result"
)

// NewJSON returns a writer of the record's own JSON form, which every
// command reads back and which holds everything that the record does; see
// [result.Encoder]. With a table or layout in o it writes that one table
// instead, a JSON array of the objects that [NewNDJSON] writes.
func NewJSON(w io.Writer, o Options) Writer {
	if !o.IsDocument() {
		return newJSONRows(w, o)
	}
	return jsonWriter{result.NewEncoder(w)}
}

type jsonWriter struct{ e *result.Encoder }

func (w jsonWriter) Write(f *result.File) error { return w.e.Encode(f) }
func (w jsonWriter) Close() error               { return w.e.Close() }
