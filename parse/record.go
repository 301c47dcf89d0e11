package parse

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/benchproof/benchproof/parse/internal/source"
	"github.com/benchproof/benchproof/result"
)

// readRecord reads the project's own JSON documents. Places in the files are
// those of the input they were first read from.
func readRecord(doc *source.Doc, emit emitFunc) error {
	d := result.NewDecoder(strings.NewReader(doc.Text))
	d.MaxBytes = doc.Limits.Input
	d.MaxText = doc.Limits.Text
	d.MaxSystems, d.MaxTests = doc.Limits.Systems, doc.Limits.Tests
	for {
		f, err := d.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return jsonError(doc, err)
		}
		if err := emit(f); err != nil {
			return err
		}
	}
}

// isRecord reports whether text is JSON with the key of the project's schema
// near its beginning. Which version it is, its decoder says.
func isRecord(text string) bool {
	head := text[:min(len(text), 4<<10)]
	i := strings.Index(head, `"schema"`)
	if i < 0 {
		return false
	}
	rest := strings.TrimLeft(head[i+len(`"schema"`):], " \t\n:")
	return strings.HasPrefix(rest, `"benchproof/result/`)
}

// jsonError gives a decoder's error the name of the input, and makes the
// limits it names those of the flags.
func jsonError(doc *source.Doc, err error) error {
	var e *result.JSONError
	if !errors.As(err, &e) {
		return fmt.Errorf("%s: %w", doc.Name, err)
	}
	limit := &LimitError{Source: doc.Name, Origin: doc.Origin(e.Offset, "")}
	switch e.Limit {
	case "MaxText":
		limit.What, limit.Limit, limit.Flag = "a string", int64(doc.Limits.Text), source.FlagText
	case "MaxSystems":
		limit.What, limit.Limit, limit.Flag = "the number of systems", int64(doc.Limits.Systems), source.FlagSystems
	case "MaxTests":
		limit.What, limit.Limit, limit.Flag = "the number of tests", int64(doc.Limits.Tests), source.FlagTests
	default:
		return fmt.Errorf("%s:%w", doc.Name, err)
	}
	return limit
}
