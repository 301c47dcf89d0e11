// Package picture draws what is known of result files as static pictures for
// articles: one SVG and one PNG a chart, and an index of them.
//
// Its opinions: every number is that of the comparison and the ranking it is
// given, as they are in a table; bars begin at zero, and an interval that goes
// on beyond an axis ends in an arrow; what an error bar is stands below the
// chart. A value that is missing has no bar and is named as missing. Systems
// are told apart by shapes and hatches, colours only help (those of Okabe and
// Ito, Color Universal Design, 2008, which the colour-blind tell apart).
//
// Names of files are a number and letters of a-z, digits and dashes; published
// text is in no path. In the pictures text is text: it is escaped in SVG, and
// control characters are shown as escapes. Letters that the fonts at hand do
// not have are drawn as boxes in PNG; a note says which. Equal input gives equal
// bytes, as long as such letters find the same fonts.
package picture
