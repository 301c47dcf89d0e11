package main

import (
	"io"
	"os"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/benchproof/benchproof/parse"
)

// sourceText returns a function that returns the text which the positions of
// an input's values are about: the reader's where it has it, else what the
// file holds if that is plain UTF-8. It returns "" where neither is so.
func sourceText(in *input, r *parse.Reader, limit int64) func() string {
	if t, ok := any(r).(interface{ Text() string }); ok {
		return t.Text
	}
	return sync.OnceValue(func() string { return plainText(in.path, limit) })
}

// plainText returns the text of a file as readers see it, newlines as LF and
// without byte-order mark, and "" where it is no UTF-8 or too large.
func plainText(path string, limit int64) string {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() {
		return ""
	}
	f, err := os.Open(path)
	if err != nil {
		return ""
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, limit+1))
	if err != nil || int64(len(b)) > limit || !utf8.Valid(b) {
		return ""
	}
	text := strings.TrimPrefix(string(b), "\ufeff")
	return strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(text)
}
