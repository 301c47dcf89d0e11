package export

import (
	"encoding/json"
	"io"

	"github.com/benchproof/benchproof/internal/term"
)

// writeDocument writes a JSON document, indented, with hidden characters
// escaped.
func writeDocument(w io.Writer, doc any) error {
	b, err := json.MarshalIndent(doc, "", " ")
	if err != nil {
		return err
	}
	_, err = w.Write(append(term.EscapeJSON(b), '\n'))
	return err
}
