package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"
)

// plainError returns the text of an error in words of this program where the
// libraries of Go put theirs in: what the operating system says as "name:
// reason", without the call that failed where that is only reading, and without
// a name twice; and what is wrong with JSON or ends too early.
func plainError(err error) string {
	text := err.Error()
	var path *fs.PathError
	if errors.As(err, &path) {
		text = strings.Replace(text, path.Error(), pathReason(path), 1)
		for twice := path.Path + ": " + path.Path + ": "; strings.Contains(text, twice); {
			text = strings.Replace(text, twice, path.Path+": ", 1)
		}
	}
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	switch {
	case errors.As(err, &syntax):
		text = strings.Replace(text, syntax.Error(), syntaxReason(syntax), 1)
	case errors.As(err, &kind):
		text = strings.Replace(text, kind.Error(), kindReason(kind), 1)
	case errors.Is(err, io.ErrUnexpectedEOF):
		text = strings.Replace(text, io.ErrUnexpectedEOF.Error(), "it ends too early", 1)
	case errors.Is(err, io.EOF):
		if rest, ok := strings.CutSuffix(text, io.EOF.Error()); ok {
			text = rest + "it ends too early"
		}
	}
	return text
}

func pathReason(e *fs.PathError) string {
	reason := e.Path + ": " + e.Err.Error()
	switch e.Op {
	case "open", "stat", "lstat", "read", "readdirent", "fdopendir", "openat", "fstatat", "newfstatat", "statat", "getdents":
		return reason
	case "fork/exec":
		return "cannot start " + reason
	}
	return e.Op + " " + reason
}

func syntaxReason(e *json.SyntaxError) string {
	text := e.Error()
	if text == "unexpected end of JSON input" {
		return "the JSON ends too early"
	}
	if rest, ok := strings.CutPrefix(text, "invalid character "); ok {
		text = "found " + rest
	}
	return fmt.Sprintf("it is no JSON from byte %d on: %s", e.Offset, text)
}

func kindReason(e *json.UnmarshalTypeError) string {
	want := "another kind of value"
	switch name := e.Type.Kind().String(); {
	case strings.HasPrefix(name, "int"), strings.HasPrefix(name, "uint"):
		want = "a whole number"
	case strings.HasPrefix(name, "float"):
		want = "a number"
	case name == "string":
		want = "a string"
	case name == "bool":
		want = "true or false"
	case name == "slice", name == "array":
		want = "a list"
	case name == "struct", name == "map":
		want = "an object"
	}
	if e.Field == "" {
		return fmt.Sprintf("found a JSON %s, expected %s", e.Value, want)
	}
	return fmt.Sprintf("the key %q: found a JSON %s, expected %s", e.Field, e.Value, want)
}
