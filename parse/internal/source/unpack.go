package source

import (
	"compress/flate"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/klauspost/compress/zstd"

	"github.com/benchproof/benchproof/result"
)

// packer undoes one way of compression.
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
	}
	return nil
}

// unpack decompresses data, at most limit bytes. Data that ends early gives
// what can be had of it, and a note; a wrong checksum or other damage gives
// an error, since then no value in it is to be trusted.
func (p *packer) unpack(name, data string, limit int64) (text string, over bool, notes []Note, err error) {
	r, err := p.open(data)
	if err == nil {
		text, over, err = readAll(r, 0, limit)
		if c, ok := r.(io.Closer); ok {
			_ = c.Close() // nothing is left to fail
		}
	}
	switch {
	case err == nil:
	case errors.Is(err, errTrailing):
		notes = append(notes, Note{
			Severity: result.SeverityWarning, Offset: -1, Code: "trailing-data",
			Message: "data that is not " + p.name + " stands behind the " + p.name + " data and is not read",
		})
	case errors.Is(err, io.ErrUnexpectedEOF) && text != "":
		notes = append(notes, Note{
			Severity: result.SeverityError, Offset: -1, Code: "truncated",
			Message: "the " + p.name + " data ends early; what follows here is lost",
		})
	default:
		return "", false, nil, fmt.Errorf("%s: damaged %s data: %w", name, p.name, err)
	}
	return text, over, notes, nil
}

// errTrailing ends the reading of data with something else behind it.
var errTrailing = errors.New("trailing data")

// members reads gzip members one after another.
type members struct {
	data *strings.Reader
	gz   *gzip.Reader
}

func openGzip(data string) (io.Reader, error) {
	m := &members{data: strings.NewReader(data)}
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
		var corrupt flate.CorruptInputError
		if n > 0 && (err == nil || errors.Is(err, io.EOF)) {
			return n, nil
		}
		if err == nil || !errors.Is(err, io.EOF) {
			// A stream cut within a code may look corrupt at its end.
			if errors.As(err, &corrupt) && m.data.Len() == 0 {
				err = io.ErrUnexpectedEOF
			}
			return n, err
		}
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
