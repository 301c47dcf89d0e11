// Package flat decodes the text of a result page in which the texts of each
// drawing run together without separators, as it is left when a page of PTS's
// HTML export is stored or pasted without its markup.
package flat
