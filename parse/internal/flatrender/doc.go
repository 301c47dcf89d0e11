// Package flatrender is test support: it makes the flattened text of the page
// that PTS's HTML export would have for a result file, and random result files
// to make it of. Tests alone import it.
//
// [Page] follows what PTS 10.8 draws: which texts, in which order, with which
// decimals. It knows nothing of the decoder, so that the two check each other;
// that it is right is checked against pages that PTS itself rendered.
//
// [Generate] makes result files of every kind that is published, each from a
// seed alone. [Rate] says how a reader did on the page of one, and [Shrink]
// makes a page that was read wrong as small as the fault allows. The package's
// own tests run the decoder of flattened pages on such pages.
package flatrender
