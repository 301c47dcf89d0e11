package source

import (
	"compress/gzip"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/klauspost/compress/zstd"

	"github.com/benchproof/benchproof/result"
)

// packer undoes one way of compression, or of packing a page with its pictures.
type packer struct {
	name string
	open func(data string) (io.Reader, error)
}

// maxWindow bounds what a zstd frame may make the decoder keep. It is the
// most that the zstd tool itself takes without being told to.
const maxWindow = 128 << 20

var (
	gzipPacker = &packer{"gzip", openGzip}
	xzPacker   = &packer{"xz", openXZ}
	zstdPacker = &packer{"zstd", openZstd}
)

// packing returns how data is compressed, nil if it is not.
func packing(data string) *packer {
	switch {
	case strings.HasPrefix(data, "\x1f\x8b\x08"):
		return gzipPacker
	case strings.HasPrefix(data, xzMagic):
		return xzPacker
	case strings.HasPrefix(data, "\x28\xb5\x2f\xfd"):
		return zstdPacker
	case len(data) >= 4 && data[0]&0xf0 == 0x50 && data[1:4] == "\x2a\x4d\x18":
		return zstdPacker // a skippable frame, before others
	case mhtmlBoundary(data) != "":
		return mhtmlPacker
	}
	return nil
}

// kept is how much decompressed data is kept before its size is known. Longer
// data is measured first, and decompressed once more.
const kept = 64 << 20

// unpack decompresses data, at most limit bytes. Data that ends early gives
// what can be had of it, and a note; a wrong checksum or other damage gives
// an error, since then no value in it is to be trusted. So does data that is
// no text by its first bytes, before the rest is decompressed.
func (p *packer) unpack(name, data string, limit int64) (text string, over bool, notes []Note, err error) {
	text, size, err := p.read(data, 0, min(limit, kept), limit, func(head string) error {
		if packing(head) != nil {
			return nil
		}
		return checkKind(name, head)
	})
	if text == "" && size > kept && size <= limit && (err == nil || errors.Is(err, errTrailing) || errors.Is(err, io.ErrUnexpectedEOF)) {
		text, size, err = p.read(data, size, limit, limit, nil)
	}
	var syntax *SyntaxError
	switch {
	case size > limit:
		return "", true, nil, nil
	case err == nil:
	case errors.As(err, &syntax):
		return "", false, nil, err
	case errors.Is(err, errTrailing):
		notes = append(notes, Note{
			Severity: result.SeverityWarning, Offset: -1, Code: "trailing-data",
			Message: "data that is not " + p.name + " stands behind the " + p.name + " data and is not read",
		})
	case errors.Is(err, io.ErrUnexpectedEOF) && text != "":
		notes = append(notes, Note{
			Severity: result.SeverityError, Offset: -1, Code: "truncated", Unverified: true,
			Message: "the " + p.name + " data ends early; what follows here is lost, and no checksum vouches for the rest",
		})
	case errors.Is(err, zstd.ErrWindowSizeExceeded):
		return "", false, nil, fmt.Errorf("%s: its zstd data takes more than %d MiB of memory to unpack; unpack it before (zstd -d --long=31)", name, maxWindow>>20)
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF):
		return "", false, nil, fmt.Errorf("%s: damaged %s data: %w", name, p.name, errEarly)
	default:
		return "", false, nil, fmt.Errorf("%s: damaged %s data: %w", name, p.name, err)
	}
	return text, false, notes, nil
}

// read decompresses data and returns it, if it has at most keep bytes.
// Otherwise it returns its size alone, or one that is over the limit.
func (p *packer) read(data string, hint, keep, limit int64, check func(head string) error) (text string, size int64, err error) {
	r, err := p.open(data)
	if err != nil {
		return "", 0, err
	}
	if c, ok := r.(io.Closer); ok {
		defer func() { _ = c.Close() }() // nothing is left to fail
	}
	text, size, err = readAll(r, hint, keep, check)
	if err == nil && size > keep && size <= limit {
		var more int64
		more, err = io.Copy(io.Discard, io.LimitReader(onlyReader{r}, limit-size+1))
		size += more
	}
	return text, size, err
}

// onlyReader hides all other methods, so that io.Copy uses its buffer.
type onlyReader struct{ io.Reader }

// errEarly is io.ErrUnexpectedEOF in words.
var errEarly error = earlyError{}

type earlyError struct{}

func (earlyError) Error() string        { return "it ends too early" }
func (earlyError) Is(target error) bool { return target == io.ErrUnexpectedEOF }

// errTrailing ends the reading of data with something else behind it.
var errTrailing = errors.New("trailing data")

// members reads gzip members one after another.
type members struct {
	data *strings.Reader
	gz   *gzip.Reader
	tail [4]byte // the last bytes of the data
	size uint32  // of what the member has given, modulo 1<<32
}

// errDesync is the error for data that the decoder went through without
// finding its end, although it is there.
var errDesync = errors.New("the end is there but could not be found")

func openGzip(data string) (io.Reader, error) {
	m := &members{data: strings.NewReader(data)}
	copy(m.tail[:], data[max(0, len(data)-len(m.tail)):])
	var err error
	m.gz, err = gzip.NewReader(m.data)
	if err != nil {
		if errors.Is(err, io.EOF) {
			err = io.ErrUnexpectedEOF
		}
		return nil, err
	}
	m.gz.Multistream(false)
	return m, nil
}

// Read reads across members. Zeros behind the last one are padding.
func (m *members) Read(p []byte) (int, error) {
	for {
		n, err := m.gz.Read(p)
		m.size += uint32(n)
		if n > 0 && (err == nil || errors.Is(err, io.EOF)) {
			return n, nil
		}
		if err == nil || !errors.Is(err, io.EOF) {
			if errors.Is(err, io.ErrUnexpectedEOF) && m.ended() {
				err = errDesync
			}
			return n, err
		}
		m.size = 0
		if m.data.Len() == 0 {
			return 0, io.EOF
		}
		at := int(m.data.Size()) - m.data.Len()
		rest := make([]byte, min(m.data.Len(), 3))
		if _, err := m.data.ReadAt(rest, int64(at)); err != nil {
			return 0, err
		}
		if string(rest) != "\x1f\x8b\x08" {
			if m.padding() {
				return 0, io.EOF
			}
			return 0, errTrailing
		}
		if err := m.gz.Reset(m.data); err != nil {
			if errors.Is(err, io.EOF) {
				err = io.ErrUnexpectedEOF
			}
			return 0, err
		}
		m.gz.Multistream(false)
	}
}

// ended reports whether the data ends as a member does: with the size of what
// it gives, or one so near to it that the decoder may have been led past the
// end by damage before it. Data cut anywhere else seldom ends so.
func (m *members) ended() bool {
	near := uint32(min(64<<10+8*m.data.Size(), 16<<20))
	off := binary.LittleEndian.Uint32(m.tail[:]) - m.size + near
	return off <= 2*near
}

// padding reports whether the rest is nothing but zeros.
func (m *members) padding() bool {
	for {
		c, err := m.data.ReadByte()
		if err != nil {
			return true
		}
		if c != 0 {
			return false
		}
	}
}

func openZstd(data string) (io.Reader, error) {
	d, err := zstd.NewReader(strings.NewReader(data),
		zstd.WithDecoderConcurrency(1), // no goroutines to outlive an error
		zstd.WithDecoderLowmem(true),
		zstd.WithDecoderMaxWindow(maxWindow),
	)
	if err != nil {
		return nil, err
	}
	return &frames{d: d}, nil
}

// frames reads zstd frames and tells data behind the last one from damage.
type frames struct {
	d    *zstd.Decoder
	some bool
}

func (f *frames) Read(p []byte) (int, error) {
	n, err := f.d.Read(p)
	f.some = f.some || n > 0
	if f.some && errors.Is(err, zstd.ErrMagicMismatch) {
		err = errTrailing
	}
	return n, err
}

// Close frees the decoder.
func (f *frames) Close() error {
	f.d.Close()
	return nil
}
