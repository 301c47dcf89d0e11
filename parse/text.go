package parse

import "strings"

// Text returns the text of the input as the positions in its result files
// count it: decompressed, in UTF-8, with line ends as LF. Offset 0 of a
// [result.Origin] is its first byte.
//
// It is "" before the first file has been yielded and after Close, for an input
// that was streamed, and for benchproof's own JSON, whose positions are those
// of the source that its results were first read from.
func (r *Reader) Text() string {
	if r.doc == nil {
		return ""
	}
	body := strings.TrimLeft(r.doc.Text, " \t\n\f\v")
	if strings.HasPrefix(body, "{") && isRecord(body) {
		return ""
	}
	return r.doc.Text
}
