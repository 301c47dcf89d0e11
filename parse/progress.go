package parse

import "io"

// progressReader tells how many bytes of an input were read.
type progressReader struct {
	io.Reader
	tell func(bytes int64)
	at   int64
}

func (p *progressReader) Read(b []byte) (int, error) {
	n, err := p.Reader.Read(b)
	if p.at += int64(n); n > 0 {
		p.tell(p.at)
	}
	return n, err
}

// progressing returns r with progress told, if it is to be.
func (o *Options) progressing(r io.Reader) io.Reader {
	if o.Progress == nil {
		return r
	}
	return &progressReader{Reader: r, tell: o.Progress}
}
