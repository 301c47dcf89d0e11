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
	// Unverified is set where the text may be damaged although nothing
	// shows it: the checksum that would tell is not there.
	Unverified bool
}

// headSize is how much of an input is looked at to see that it is no text at
// all, before the rest is read.
const headSize = 64 << 10

// maxLayers is how often an input may be compressed.
const maxLayers = 2

// Load reads an input to its end and undoes its compression (gzip, xz and
// zstd, known by their magic numbers, and MHTML, up to two layers). What it returns is
// not decoded yet. The hint is the size that the input has, 0 or less if that
// is unknown; more may be read than that.
//
// An input of a known other kind (a picture, an archive, a program) and
// binary data end in a *SyntaxError without the rest being read; too large
// ones in a *LimitError.
func Load(r io.Reader, name string, hint int64, limits Limits) (raw string, notes []Note, err error) {
	limits = limits.WithDefaults()
	size := headSize
	if hint > 0 && hint < headSize {
		size = int(hint) + 1 // with room to see that there is no more
	}
	br := bufio.NewReaderSize(r, size)
	head, err := br.Peek(size)
	if err != nil && !errors.Is(err, io.EOF) {
		return "", nil, fmt.Errorf("%s: %w", name, err)
	}
	packed := packing(string(head))
	if packed == nil {
		if err := checkKind(name, string(head)); err != nil {
			return "", nil, err
		}
	}
	tooLarge := &LimitError{Source: name, What: "input", Limit: limits.Input, Flag: FlagInput}
	if hint > limits.Input {
		return "", nil, tooLarge
	}
	raw, n, err := readAll(br, hint, limits.Input, nil)
	switch {
	case err != nil:
		return "", nil, fmt.Errorf("%s: %w", name, err)
	case n > limits.Input:
		return "", nil, tooLarge
	case packed == nil:
		return raw, nil, nil
	}

	bound, what := limits.Input, &LimitError{Source: name, What: "decompressed input", Limit: limits.Input, Flag: FlagInput}
	if int64(limits.Ratio) < bound/int64(len(raw)) {
		bound = int64(limits.Ratio) * int64(len(raw))
		what = &LimitError{Source: name, What: "decompression ratio", Limit: int64(limits.Ratio), Flag: flagRatio}
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
		var over bool
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
	return raw, notes, nil
}

// pieceSize is the most that is read into one piece.
const pieceSize = 16 << 20

// readAll reads r into a string. It reads the hint, which is the size that r
// is thought to have, without a copy at the end, and what goes beyond it in
// pieces, so that no more than twice its size is ever kept.
//
// It ends once it has read more than limit bytes: then size says how many, and
// text is empty. Beside an error text is what was read before. check is asked
// once, with the first bytes up to headSize, unless it is nil; its error ends
// the reading.
func readAll(r io.Reader, hint, limit int64, check func(head string) error) (text string, size int64, err error) {
	const (
		copySize = 32 << 10
		tailSize = 512 // is room enough to see that there is no more
	)
	var first strings.Builder
	room := headSize
	if hint > 0 && check == nil {
		known := min(hint, limit)
		first.Grow(int(known))
		size, err = io.CopyBuffer(onlyWriter{&first}, io.LimitReader(r, known), make([]byte, min(known, copySize)))
		if err != nil {
			return first.String(), size, err
		}
		room = tailSize
	}
	var pieces [][]byte
	for ; err == nil && size <= limit; room = min(2*room, pieceSize) {
		piece := make([]byte, room)
		n := 0
		for n < len(piece) && err == nil {
			var more int
			more, err = r.Read(piece[n:])
			n += more
		}
		if check != nil && (errors.Is(err, io.EOF) || n > 0) {
			if err := check(string(piece[:n])); err != nil {
				return "", size, err
			}
		}
		check = nil
		pieces = append(pieces, piece[:n])
		size += int64(n)
	}
	if errors.Is(err, io.EOF) {
		err = nil
	}
	if size > limit {
		return "", size, nil
	}
	if size > int64(first.Len()) {
		var all strings.Builder
		all.Grow(int(size))
		all.WriteString(first.String())
		for _, piece := range pieces {
			all.Write(piece)
		}
		return all.String(), size, err
	}
	return first.String(), size, err
}

// onlyWriter hides all other methods, so that io.CopyBuffer uses its buffer.
type onlyWriter struct{ io.Writer }
