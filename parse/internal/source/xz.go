package source

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"hash"
	"hash/crc32"
	"hash/crc64"
	"io"

	"github.com/ulikunitz/xz/lzma"
)

// The container of xz files (xz-file-format 1.1.0) is read here and only its
// LZMA2 data given to the decoder. The library's own container reader
// allocates the dictionary that a block's header asks for, up to 4 GiB,
// before it sees any data, and a few bytes can ask for it many times. The
// chunks of LZMA2 tell how long each block really is, and a dictionary need
// not be longer than that.

const (
	xzMagic      = "\xfd7zXZ\x00"
	xzStreamHead = 12
	xzStreamFoot = 12
	xzFootMagic  = "YZ"
)

var (
	errXZ       = errors.New("not as the xz format wants it")
	errXZFilter = errors.New("a filter or checksum of xz that is not known")
	errXZSum    = errors.New("wrong checksum")
)

// xzReader reads the blocks of the streams in data one after another.
type xzReader struct {
	data []byte
	at   int
	sum  func() hash.Hash // of the stream; nil between streams

	// The block being read; nil between blocks.
	block  io.Reader
	hash   hash.Hash
	want   []byte // its checksum, nil where data ends before it
	length int    // bytes it has yet to give
}

func openXZ(data string) (io.Reader, error) {
	return &xzReader{data: []byte(data)}, nil
}

// Read reads across blocks and streams.
func (x *xzReader) Read(p []byte) (int, error) {
	for {
		if x.block == nil {
			if err := x.next(); err != nil {
				return 0, err
			}
			continue
		}
		n, err := x.block.Read(p)
		x.hash.Write(p[:n])
		x.length -= n
		switch {
		case errors.Is(err, io.EOF):
			if err := x.end(); err != nil {
				return n, err
			}
		case err != nil && x.want == nil:
			// Whatever the decoder made of it, the data ended within.
			return n, io.ErrUnexpectedEOF
		case errors.Is(err, io.ErrUnexpectedEOF):
			return n, errXZ // in a whole block: damage
		case err != nil:
			return n, err
		}
		if n > 0 {
			return n, nil
		}
	}
}

// end checks the block that has been read.
func (x *xzReader) end() error {
	x.block = nil
	switch {
	case x.want == nil:
		return io.ErrUnexpectedEOF
	case x.length != 0:
		return errXZ
	case !bytes.Equal(x.hash.Sum(nil), x.want):
		return errXZSum
	}
	return nil
}

// take returns the next n bytes, nil where there are not so many.
func (x *xzReader) take(n int) []byte {
	if len(x.data)-x.at < n {
		x.at = len(x.data)
		return nil
	}
	b := x.data[x.at : x.at+n]
	x.at += n
	return b
}

// next goes to the next block, over ends and beginnings of streams.
func (x *xzReader) next() error {
	if x.sum == nil {
		if err := x.stream(); err != nil {
			return err
		}
	}
	size := x.take(1)
	switch {
	case size == nil:
		return io.ErrUnexpectedEOF
	case size[0] == 0:
		x.sum = nil
		return x.index()
	}
	x.at--
	header := x.take((int(size[0]) + 1) * 4)
	if header == nil {
		return io.ErrUnexpectedEOF
	}
	dict, err := dictionary(header)
	if err != nil {
		return err
	}
	start := x.at
	length, err := x.chunks()
	if err != nil {
		return err
	}
	chunks := x.data[start:x.at]
	pad := (4 - len(chunks)%4) % 4
	x.hash, x.want, x.length = x.sum(), nil, length
	if tail := x.take(pad + x.hash.Size()); tail != nil {
		x.want = tail[pad:]
	}
	config := lzma.Reader2Config{DictCap: max(lzma.MinDictCap, min(dict, length))}
	x.block, err = config.NewReader2(bytes.NewReader(chunks))
	return err
}

// stream reads the head of a stream, over padding before it.
func (x *xzReader) stream() error {
	for x.at > 0 && x.at+4 <= len(x.data) && string(x.data[x.at:x.at+4]) == "\x00\x00\x00\x00" {
		x.at += 4
	}
	if x.at > 0 && x.at == len(x.data) {
		return io.EOF
	}
	if head := x.data[x.at:min(len(x.data), x.at+len(xzMagic))]; x.at > 0 && string(head) != xzMagic[:len(head)] {
		return errTrailing
	}
	head := x.take(xzStreamHead)
	if head == nil {
		return io.ErrUnexpectedEOF
	}
	if crc32.ChecksumIEEE(head[6:8]) != binary.LittleEndian.Uint32(head[8:]) || head[6] != 0 {
		return errXZ
	}
	switch head[7] {
	case 0:
		x.sum = func() hash.Hash { return noSum{} }
	case 1:
		x.sum = func() hash.Hash { return reversed{crc32.NewIEEE()} }
	case 4:
		x.sum = func() hash.Hash { return reversed{crc64.New(crc64.MakeTable(crc64.ECMA))} }
	case 10:
		x.sum = sha256.New
	default:
		return errXZFilter
	}
	return nil
}

// index goes over the index, whose leading zero byte has been read, and the
// footer. The blocks have been checked each by itself, so that what the
// index says of them is of no matter.
func (x *xzReader) index() error {
	start := x.at - 1
	records, ok := x.number()
	for i := uint64(0); ok && i < 2*records; i++ {
		_, ok = x.number()
	}
	if !ok {
		return io.ErrUnexpectedEOF
	}
	tail := x.take((4-(x.at-start)%4)%4 + 4 + xzStreamFoot)
	if tail == nil {
		return io.ErrUnexpectedEOF
	}
	if string(tail[len(tail)-2:]) != xzFootMagic {
		return errXZ
	}
	return nil
}

// number reads a number of the container, seven bits a byte; false where
// there is none.
func (x *xzReader) number() (uint64, bool) {
	var v uint64
	for shift := 0; shift < 63; shift += 7 {
		b := x.take(1)
		if b == nil {
			return 0, false
		}
		v |= uint64(b[0]&0x7f) << shift
		if b[0] < 0x80 {
			return v, true
		}
	}
	return 0, false
}

// dictionary returns the size of the dictionary that a block's header asks
// for.
func dictionary(header []byte) (int, error) {
	end := len(header) - 4
	if crc32.ChecksumIEEE(header[:end]) != binary.LittleEndian.Uint32(header[end:]) {
		return 0, errXZ
	}
	flags := header[1]
	if flags&0x3f != 0 {
		return 0, errXZFilter
	}
	x := &xzReader{data: header[:end], at: 2}
	for _, present := range []bool{flags&0x40 != 0, flags&0x80 != 0} {
		if !present {
			continue
		}
		// A length, which the chunks tell better.
		if _, ok := x.number(); !ok {
			return 0, errXZ
		}
	}
	filter := x.take(3)
	switch {
	case filter == nil:
		return 0, errXZ
	case filter[0] != 0x21 || filter[1] != 1 || filter[2] > 40:
		return 0, errXZFilter
	case filter[2] == 40:
		return 1<<32 - 1, nil
	}
	return (2 | int(filter[2]&1)) << (filter[2]/2 + 11), nil
}

// chunks goes over the LZMA2 chunks of a block and returns how many bytes
// they decode to, as far as the data goes.
func (x *xzReader) chunks() (length int, err error) {
	for {
		control := x.take(1)
		if control == nil {
			return length, nil
		}
		c := control[0]
		switch {
		case c == 0:
			return length, nil
		case c == 1 || c == 2: // not compressed
			size := x.take(2)
			if size == nil {
				return length, nil
			}
			n := int(binary.BigEndian.Uint16(size)) + 1
			length += n
			x.take(n)
		case c >= 0x80:
			sizes := x.take(4)
			if sizes == nil {
				return length, nil
			}
			length += int(c&0x1f)<<16 + int(binary.BigEndian.Uint16(sizes)) + 1
			n := int(binary.BigEndian.Uint16(sizes[2:])) + 1
			if c >= 0xc0 {
				n++ // new properties
			}
			x.take(n)
		default:
			return 0, errXZ
		}
	}
}

// reversed is a hash whose sum is stored with its low byte first.
type reversed struct{ hash.Hash }

// Sum appends the sum, low byte first.
func (r reversed) Sum(b []byte) []byte {
	n := len(b)
	b = r.Hash.Sum(b)
	for i, j := n, len(b)-1; i < j; i, j = i+1, j-1 {
		b[i], b[j] = b[j], b[i]
	}
	return b
}

// noSum is the hash of streams without checksums.
type noSum struct{}

func (noSum) Write(p []byte) (int, error) { return len(p), nil }
func (noSum) Sum(b []byte) []byte         { return b }
func (noSum) Reset()                      {}
func (noSum) Size() int                   { return 0 }
func (noSum) BlockSize() int              { return 1 }
