package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"testing"
)

// TestPlainError: what the libraries of Go say is told in words of this program.
func TestPlainError(t *testing.T) {
	decode := func(text string) error {
		var v struct {
			Seed uint64
			Rows []struct{ Name string }
			On   bool
		}
		return json.Unmarshal([]byte(text), &v)
	}
	for _, tt := range []struct {
		err  error
		want string
	}{
		{errors.New("as it is"), "as it is"},
		{&fs.PathError{Op: "open", Path: "a", Err: errors.New("gone")}, "a: gone"},
		{fmt.Errorf("a: %w", &fs.PathError{Op: "stat", Path: "a", Err: errors.New("gone")}), "a: gone"},
		{&fs.PathError{Op: "write", Path: "a", Err: errors.New("full")}, "write a: full"},
		{&fs.PathError{Op: "fork/exec", Path: "a", Err: errors.New("denied")}, "cannot start a: denied"},
		{fmt.Errorf("f: %w", decode(`{"Seed":1,`)), "f: the JSON ends too early"},
		{decode(`hello`), "it is no JSON from byte 1 on: found 'h' looking for beginning of value"},
		{fmt.Errorf("f: %w", decode(`{"Seed":"x"}`)), `f: the key "Seed": found a JSON string, expected a whole number`},
		{decode(`{"Rows":3}`), `the key "Rows": found a JSON number, expected a list`},
		{decode(`{"Rows":[{"Name":3}]}`), `the key "Rows.Name": found a JSON number, expected a string`},
		{decode(`{"On":3}`), `the key "On": found a JSON number, expected true or false`},
		{decode(`[]`), "found a JSON array, expected an object"},
		{fmt.Errorf("f: %w", io.ErrUnexpectedEOF), "f: it ends too early"},
		{fmt.Errorf("f: %w", io.EOF), "f: it ends too early"},
	} {
		if got := plainError(tt.err); got != tt.want {
			t.Errorf("%v: %q, want %q", tt.err, got, tt.want)
		}
	}
}
