package xlsx

import (
	"archive/zip"
	"bytes"
	"cmp"
	"fmt"
	"io"
	"regexp"
	"slices"
)

// repack writes the archive in to out with its entries sorted and without
// times, and with the given parts in the place of those of their names.
// Compressed data is copied as it is. A part that has no place is an error: it
// would be lost without a word.
func repack(out io.Writer, in []byte, parts []*part) error {
	replaced := make(map[string]*part, len(parts))
	for _, p := range parts {
		replaced[p.name] = p
	}
	r, err := zip.NewReader(bytes.NewReader(in), int64(len(in)))
	if err != nil {
		return err
	}
	files := slices.SortedFunc(slices.Values(r.File), func(a, b *zip.File) int {
		return cmp.Or(rank(a.Name)-rank(b.Name), cmp.Compare(a.Name, b.Name))
	})
	w := zip.NewWriter(out)
	for _, f := range files {
		if p, ok := replaced[f.Name]; ok {
			if err := p.writeTo(w); err != nil {
				return err
			}
			delete(replaced, f.Name)
			continue
		}
		if f.Name == contentTypes {
			if err := copyTypes(w, f); err != nil {
				return err
			}
			continue
		}
		h := &zip.FileHeader{
			Name: f.Name, Method: f.Method, CRC32: f.CRC32,
			CompressedSize64: f.CompressedSize64, UncompressedSize64: f.UncompressedSize64,
		}
		data, err := f.OpenRaw()
		if err != nil {
			return err
		}
		to, err := w.CreateRaw(h)
		if err != nil {
			return err
		}
		if _, err := io.Copy(to, data); err != nil {
			return err
		}
	}
	for _, p := range parts {
		if replaced[p.name] != nil {
			return fmt.Errorf("the workbook has no place for its part %s", p.name)
		}
	}
	return w.Close()
}

// contentTypes is the part that lists what all others are.
const contentTypes = "[Content_Types].xml"

var typeEntry = regexp.MustCompile(`<(?:Default|Override) [^>]*></(?:Default|Override)>`)

// copyTypes writes the list of content types in order: the library lists the
// kinds of pictures by chance.
func copyTypes(w *zip.Writer, f *zip.File) error {
	r, err := f.Open()
	if err != nil {
		return err
	}
	defer r.Close()
	text, err := io.ReadAll(r)
	if err != nil {
		return err
	}
	if entries := typeEntry.FindAll(text, -1); len(entries) > 0 {
		first := bytes.Index(text, entries[0])
		last := bytes.LastIndex(text, entries[len(entries)-1]) + len(entries[len(entries)-1])
		slices.SortFunc(entries, bytes.Compare)
		text = slices.Concat(text[:first], bytes.Join(entries, nil), text[last:])
	}
	to, err := w.CreateHeader(&zip.FileHeader{Name: f.Name, Method: zip.Deflate})
	if err != nil {
		return err
	}
	_, err = to.Write(text)
	return err
}

// rank puts the list of content types first, as readers of office files
// that stream expect it.
func rank(name string) int {
	if name == contentTypes {
		return 0
	}
	return 1
}
