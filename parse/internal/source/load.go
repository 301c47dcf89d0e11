package source

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/benchproof/benchproof/result"
)

// Note is what [Load] or [Decode] has to say of an input: a diagnostic whose
// place is an offset in the decoded text, -1 for its end.
type Note struct {
	Severity result.Severity
	Offset   int
	Code     string
	Message  string
}

// headSize is how much of an input is looked at to see that it is no text at
// all, before the rest is read.
const headSize = 64 << 10

// maxLayers is how often an input may be compressed.
const maxLayers = 2

// Load reads an input to its end and undoes its compression (gzip, xz and
// zstd, known by their magic numbers, up to two layers). What it returns is
// not decoded yet. The hint is the size that the input is thought to have, 0
// or less if unknown; it does not bound anything.
//
// An input of a known other kind (a picture, an archive, a program) and
// binary data end in a *SyntaxError without the rest being read; too large
// ones in a *LimitError.
func Load(r io.Reader, name string, hint int64, limits Limits) (raw string, notes []Note, err error) {
	limits = limits.WithDefaults()
	br := bufio.NewReaderSize(r, headSize)
	head, err := br.Peek(headSize)
	if err != nil && !errors.Is(err, io.EOF) {
		return "", nil, fmt.Errorf("%s: %w", name, err)
	}
	packed := packing(string(head))
	if packed == nil {
		if err := checkKind(name, string(head)); err != nil {
			return "", nil, err
		}
	}
	raw, over, err := readAll(br, hint, limits.Input)
	switch {
	case err != nil:
		return "", nil, fmt.Errorf("%s: %w", name, err)
	case over:
		return "", nil, &LimitError{Source: name, What: "input", Limit: limits.Input, Flag: FlagInput}
	case packed == nil:
		return raw, nil, nil
	}

	bound, what := limits.Input, &LimitError{Source: name, What: "decompressed input", Limit: limits.Input, Flag: FlagInput}
	if int64(limits.Ratio) < bound/int64(len(raw)) {
		bound = int64(limits.Ratio) * int64(len(raw))
		what = &LimitError{Source: name, What: "decompression ratio", Limit: int64(limits.Ratio), Flag: FlagRatio}
	}
	for layer := 0; packed != nil; layer++ {
		if layer == maxLayers {
			return "", nil, &SyntaxError{
				Origin:   result.Origin{Source: name, Line: 1, Column: 1},
				Found:    packed.name + " data, compressed more than twice",
				Expected: Expected,
			}
		}
		var more []Note
		raw, over, more, err = packed.unpack(name, raw, bound)
		if err != nil {
			return "", nil, err
		}
		if over {
			return "", nil, what
		}
		notes = append(notes, more...)
		packed = packing(raw)
	}
	if err := checkKind(name, raw[:min(len(raw), headSize)]); err != nil {
		return "", nil, err
	}
	return raw, notes, nil
}

// readAll reads r into a string, without a copy at the end. It reports over,
// and no text, where there are more than limit bytes.
func readAll(r io.Reader, hint, limit int64) (text string, over bool, err error) {
	var b strings.Builder
	if hint > 0 {
		b.Grow(int(min(hint, limit)))
	}
	n, err := io.CopyBuffer(onlyWriter{&b}, io.LimitReader(r, limit), make([]byte, 32<<10))
	if err != nil {
		return b.String(), false, err
	}
	if n == limit {
		var one [1]byte
		if _, err := io.ReadFull(r, one[:]); err == nil {
			return "", true, nil
		} else if !errors.Is(err, io.EOF) {
			return b.String(), false, err
		}
	}
	return b.String(), false, nil
}

// onlyWriter hides all other methods, so that io.CopyBuffer uses its buffer.
type onlyWriter struct{ io.Writer }
