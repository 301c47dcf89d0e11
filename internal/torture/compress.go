package torture

import (
	"bytes"
	"compress/gzip"
	"mime/quotedprintable"
	"slices"
	"strings"
)

// gz returns data compressed by gzip.
func gz(data []byte) []byte {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	// A bytes.Buffer takes all.
	_, _ = w.Write(data)
	_ = w.Close()
	return b.Bytes()
}

// mhtml returns data as a browser saves a page in one file.
func mhtml(data []byte) []byte {
	var b bytes.Buffer
	b.WriteString("From: <Saved by Blink>\r\nMIME-Version: 1.0\r\nContent-Type: multipart/related;\r\n\tboundary=\"--mark--\"\r\n\r\n" +
		"----mark--\r\nContent-Type: text/html\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n")
	w := quotedprintable.NewWriter(&b)
	// A bytes.Buffer takes all.
	_, _ = w.Write(data)
	_ = w.Close()
	b.WriteString("\r\n----mark----\r\n")
	return b.Bytes()
}

// packers are the ways to pack that there are.
func (m *maker) packers() []func([]byte) []byte {
	list := []func([]byte) []byte{gz, mhtml}
	if m.g.Xz != nil {
		list = append(list, m.g.Xz)
	}
	if m.g.Zstd != nil {
		list = append(list, m.g.Zstd)
	}
	return list
}

// compressed packs the seed and breaks the package.
func (m *maker) compressed() bool {
	pack := pick(m, m.packers())
	data := pack(m.seed.Data)
	switch m.IntN(8) {
	case 0:
		data = data[:m.IntN(len(data))]
	case 1: // behind the end of what was packed
		data = append(data, pick(m, []string{"\x00", "\x00\x00\x00\x00", "garbage", "\x1f\x8b", strings.Repeat("x", 1000)})...)
	case 2:
		half := m.IntN(len(m.seed.Data) + 1)
		data = slices.Concat(pack(m.seed.Data[:half]), pack(m.seed.Data[half:]))
	case 3:
		data = pick(m, m.packers())(data)
	case 4:
		data[m.IntN(len(data))] ^= byte(1 + m.IntN(255))
	case 5: // very many members
		var b bytes.Buffer
		for part := range slices.Chunk(m.seed.Data, 1+len(m.seed.Data)/300) {
			b.Write(pack(part))
			if m.IntN(3) == 0 {
				b.Write(pack(nil))
			}
		}
		data = b.Bytes()
	case 6:
		data = slices.Concat(data, pick(m, m.packers())(m.seed.Data))
	}
	return m.set(data)
}

// bomb packs so much that nobody wants it.
func (m *maker) bomb() bool {
	m.in.Heavy = true
	pack := pick(m, m.packers())
	size := []int{8 << 20, 32 << 20, 100 << 20}[m.IntN(3)]
	head := m.seed.Data[:m.IntN(len(m.seed.Data)+1)]
	data := pack(slices.Concat(head, bytes.Repeat([]byte{pick(m, []byte{0, ' ', 'a', '\n', '<', '1', '{'})}, size)))
	for range m.IntN(3) {
		data = pick(m, m.packers())(data)
	}
	m.seed.Form = ""
	return m.set(data)
}

// foreign makes files that are no results and look like something else.
func (m *maker) foreign() bool {
	heads := []string{
		"SQLite format 3\x00\x10\x00\x01\x01\x00\x40\x20\x20", "PAR1\x15\x04\x15", "PK\x03\x04\x14\x00\x06\x00\x08\x00[Content_Types].xml", "%PDF-1.7\n%\xe2\xe3\xcf\xd3\n", "\x7fELF\x02\x01\x01", "MZ\x90\x00", "\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR", "GIF89a", "ustar", "BZh91AY&SY", "7z\xbc\xaf\x27\x1c", " #!/bin/sh\ntouch " + Escape + "\n", "<?php system('x'); ?>", "{\"schema\":\"benchproof/plan/1\"}", "{\"schema\":\"benchproof/check/1\",\"files\":[]}", "{\"schema\":\"benchproof/result/2\",\"files\":[]}", "{\"schema\":\"benchproof/result/1\"}", "{\"schema\":\"benchproof/result/1\",\"files\":null}", "{\"files\":[]}", "[]", "{}", "null", "\"\"", "0", "<svg xmlns=\"http://www.w3.org/2000/svg\"><script>" + Marker + "()</script></svg>", "<html></html>", "<PhoronixTestSuite/>", "<PhoronixTestSuite></PhoronixTestSuite>", "<rss/>", "a,b,c\n1,2,3\n", ",\n", "\n", "\r", " ", "\x00", "\ufeff", "",
	}
	data := []byte(pick(m, heads))
	m.seed.Form = ""
	switch m.IntN(3) {
	case 0:
		data = append(data, m.seed.Data...)
	case 1:
		for range m.IntN(2000) {
			data = append(data, byte(m.IntN(256)))
		}
	}
	m.seed.Name = ""
	return m.set(data)
}
