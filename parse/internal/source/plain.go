package source

import (
	"bytes"
	"errors"
	"io"
	"unicode/utf8"
)

// Plain reports whether an input is text that [Load] and [Decode] would
// return as it is, without a note: it is not compressed, and UTF-8 with
// nothing in it that is not text. It reads r to its end, if it is, but keeps
// only a small part of it at a time. accept is asked once, with the first
// 64 KiB, whether it is worth going on.
func Plain(r io.Reader, accept func(head string) bool) (bool, error) {
	buf := make([]byte, 4*headSize)
	n, err := io.ReadFull(r, buf[:headSize])
	if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) {
		return false, ignoreEOF(err)
	}
	head := string(buf[:n])
	if packing(head) != nil || checkKind("", head) != nil || utf16Order(head) != nil || !accept(head) {
		return false, nil
	}
	if e, name := declared(head); e != nil && name != "utf-8" {
		return false, nil
	}
	if bytes.HasPrefix(buf[:n], []byte("\ufeff")) {
		return false, nil
	}
	ended := err != nil
	for {
		text := buf[:n]
		if !ended {
			text = text[:n-unfinished(text)]
		}
		if !plainBytes(text) {
			return false, nil
		}
		if ended {
			return true, nil
		}
		rest := copy(buf, buf[len(text):n])
		more, err := r.Read(buf[rest:])
		n = rest + more
		if ended = errors.Is(err, io.EOF); err != nil && !ended {
			return false, err
		}
	}
}

func ignoreEOF(err error) error {
	if errors.Is(err, io.EOF) {
		return nil
	}
	return err
}

// unfinished returns how many bytes at the end of text begin a character of
// which the rest is still to come.
func unfinished(text []byte) int {
	for k := 1; k < utf8.UTFMax && k <= len(text); k++ {
		if c := text[len(text)-k]; utf8.RuneStart(c) {
			if !utf8.FullRune(text[len(text)-k:]) {
				return k
			}
			return 0
		}
	}
	return 0
}

// plainBytes reports whether text is UTF-8 without the characters that clean
// takes out.
func plainBytes(text []byte) bool {
	for _, c := range [...]byte{0, '\r', esc, '\b'} {
		if bytes.IndexByte(text, c) >= 0 {
			return false
		}
	}
	return utf8.Valid(text)
}
