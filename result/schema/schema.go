// Package schema holds the JSON Schemas (draft 2020-12) of the documents that
// benchproof writes: a file NAME-1.json for the documents whose key "schema" is
// "benchproof/NAME/1". That of the record is "result".
package schema

import "embed"

//go:embed *.json
var files embed.FS

// Read returns the schema of a kind of document, such as "result", "compare" or
// "rank". It returns an error that is fs.ErrNotExist for one that is not there.
// The caller owns the bytes.
func Read(name string) ([]byte, error) { return files.ReadFile(name + "-1.json") }
