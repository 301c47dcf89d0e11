package xlsx

import (
	"archive/zip"
	"bytes"
	"cmp"
	"io"
	"slices"
)

// repack writes the archive in to out with its entries sorted and without
// times, and with the given sheets in the place of those of their names.
// Compressed data is copied as it is.
func repack(out io.Writer, in []byte, sheets []*stream) error {
	streamed := make(map[string]*stream, len(sheets))
	for _, s := range sheets {
		streamed[s.part] = s
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
		if s, ok := streamed[f.Name]; ok {
			if err := s.writeTo(w); err != nil {
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
	return w.Close()
}

// rank puts the list of content types first, as readers of office files
// that stream expect it.
func rank(name string) int {
	if name == "[Content_Types].xml" {
		return 0
	}
	return 1
}
