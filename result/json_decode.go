package result

import (
	"errors"
	"io"
)

// DecodeJSON reads the JSON document that [EncodeJSON] writes, with the default
// limits. See [Decoder].
func DecodeJSON(r io.Reader) ([]*File, error) {
	d := NewDecoder(r)
	var files []*File
	for {
		f, err := d.Next()
		if errors.Is(err, io.EOF) {
			return files, nil
		}
		if err != nil {
			return files, err
		}
		files = append(files, f)
	}
}

// Decoder reads the JSON form of result files, one file at a time.
//
// What Encoder wrote comes back equal, empty lists as nil. Keys the form
// does not know are skipped; fields derived from others (number, half_unit,
// a measurement's system name) are ignored, so that an edited document
// cannot contradict itself. Everything else that is not of the form is a
// [*JSONError] with its position: wrong types, keys that are missing or
// stand twice, indexes of no system, unknown words, broken limits. A
// measurement that contradicts itself (a value that is said to be ambiguous)
// is put right, with a diagnostic in its file.
type Decoder struct {
	// MaxBytes bounds the document, MaxText the bytes of one string,
	// MaxSystems and MaxTests those of one file. Zero stands for 2 GiB,
	// 64 MiB, 10 000 and 1 000 000. Set them before the first Next.
	MaxBytes             int64
	MaxText              int
	MaxSystems, MaxTests int

	r     io.Reader
	s     *jsonScanner
	files int
	err   error

	schemaSeen, filesSeen bool
}

// NewDecoder returns a decoder that reads from r, which must be UTF-8
// without byte-order mark.
func NewDecoder(r io.Reader) *Decoder { return &Decoder{r: r} }

// Next returns the next file of the document, and io.EOF after the last. An
// error of the document ends it; the files before it are whole.
func (d *Decoder) Next() (*File, error) {
	if d.err != nil {
		return nil, d.err
	}
	f, err := d.next()
	if err != nil {
		d.err = err
	}
	return f, err
}

func (d *Decoder) next() (*File, error) {
	if d.s == nil {
		if err := d.open(); err != nil {
			return nil, err
		}
	}
	more, err := d.s.more(d.files, ']')
	if err != nil {
		return nil, err
	}
	if more {
		d.files++
		return d.file()
	}
	d.filesSeen = true
	if err := d.members(1); err != nil {
		return nil, err
	}
	if !d.schemaSeen {
		return nil, d.s.failMark(`key "schema" is missing`)
	}
	if err := d.s.end(); err != nil {
		return nil, err
	}
	return nil, io.EOF
}

// member reads a key and its colon; the key is left in the scanner's buf,
// its place in mark.
func (d *Decoder) member() error {
	if err := d.s.scanString("a key"); err != nil {
		return err
	}
	at := d.s.mark
	err := d.s.expect(':', "':'")
	d.s.mark = at
	return err
}

// open reads up to the first file.
func (d *Decoder) open() error {
	d.s = newJSONScanner(d.r, orDefault(d.MaxBytes, 2<<30), orDefault(d.MaxText, 64<<20))
	d.MaxSystems = orDefault(d.MaxSystems, 10_000)
	d.MaxTests = orDefault(d.MaxTests, 1_000_000)
	if err := d.s.expect('{', "an object"); err != nil {
		return err
	}
	return d.members(0)
}

// members reads the document's keys, n of which were read before, up to the
// list of files or, when that is behind, to the document's end.
func (d *Decoder) members(n int) error {
	for ; ; n++ {
		more, err := d.s.more(n, '}')
		if err != nil {
			return err
		}
		if !more {
			if !d.filesSeen {
				return d.s.failMark(`key "files" is missing`)
			}
			return nil
		}
		if err := d.member(); err != nil {
			return err
		}
		at := d.s.mark
		switch key := string(d.s.buf); {
		case key == "schema" && !d.schemaSeen:
			d.schemaSeen = true
			var id string
			if err := d.s.text(&id); err != nil {
				return err
			}
			if id != SchemaID {
				return d.s.failMark("found the schema %.80q, expected %q", id, SchemaID)
			}
		case key == "files" && !d.filesSeen:
			return d.s.expect('[', "a list")
		case key == "schema", key == "files":
			d.s.mark = at
			return d.s.failMark("key %q stands twice", key)
		default:
			if err := d.s.skip(0); err != nil {
				return err
			}
		}
	}
}

func orDefault[T int | int64](v, fallback T) T {
	if v == 0 {
		return fallback
	}
	return v
}
