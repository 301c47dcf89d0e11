// Package export writes result files in the forms that other programs and
// people read: tables (CSV, Markdown, aligned text), JSON, and NDJSON. All
// other forms have packages of their own below it.
//
// Every form prints values as the source printed them. A measurement that is
// missing has no row in a long table and an empty cell in a wide one, never
// a zero; a failed and an ambiguous one have a row with an empty value, and
// say so in its status and decode.
package export
