package xlsx

import (
	"archive/zip"
	"compress/flate"
	"hash/crc32"
)

// part is a part of the archive that is written here, compressed, to a spool:
// it takes the place of the library's part of the same name, which the library
// has tied to the others.
type part struct {
	name    string // in the archive
	data    *spool
	deflate *flate.Writer
	crc     uint32
	size    uint64
	buf     []byte // not compressed yet
	err     error
}

// newPart begins a part. It is the caller's to fill and close.
func (w *Writer) newPart(name string) (*part, error) {
	p := &part{name: name, data: &spool{}}
	var err error
	if p.deflate, err = flate.NewWriter(p.data, flate.BestSpeed); err != nil {
		return nil, err
	}
	w.parts = append(w.parts, p)
	return p, nil
}

// putPart adds a part whose content is at hand.
func (w *Writer) putPart(name string, content []byte) error {
	p, err := w.newPart(name)
	if err != nil {
		return err
	}
	p.buf = content
	return p.close()
}

// spill compresses what is in the buffer if it is much.
func (p *part) spill() error {
	if len(p.buf) >= 32<<10 {
		p.flush()
	}
	return p.err
}

func (p *part) flush() {
	p.crc = crc32.Update(p.crc, crc32.IEEETable, p.buf)
	p.size += uint64(len(p.buf))
	if p.err == nil {
		_, p.err = p.deflate.Write(p.buf)
	}
	p.buf = p.buf[:0]
}

// close ends the part.
func (p *part) close() error {
	p.flush()
	if p.err == nil {
		p.err = p.deflate.Close()
	}
	p.buf, p.deflate = nil, nil
	return p.err
}

// writeTo writes the part into an archive.
func (p *part) writeTo(w *zip.Writer) error {
	to, err := w.CreateRaw(&zip.FileHeader{
		Name: p.name, Method: zip.Deflate, CRC32: p.crc,
		CompressedSize64: uint64(p.data.size), UncompressedSize64: p.size,
	})
	if err != nil {
		return err
	}
	return p.data.copyTo(to)
}
