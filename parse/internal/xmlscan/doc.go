// Package xmlscan is a pull scanner for XML: it reads a document from an
// [io.Reader] through a small moving window and returns one token a call.
// Tokens are slices of the window, valid until the next call; memory does not
// grow with the document, only with its longest token.
//
// The scanner is stricter than a text search and kinder than a validator.
// Tags must match, and one that does not is an error with its position. What
// spoils no structure is read and noted: a stray "&" or "<", an HTML entity
// in a document that declares none, a control character, a byte that is no
// UTF-8. A document type is skipped, and an entity that it declares is never
// expanded, so neither nested nor external entities can do harm.
//
// Input is UTF-8, with or without a byte-order mark. Documents that
// encoding/xml accepts give the same tokens here; that package is the
// reference of the tests.
package xmlscan
