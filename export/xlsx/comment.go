package xlsx

import (
	"fmt"
	"strings"

	"github.com/xuri/excelize/v2"

	"github.com/benchproof/benchproof/internal/term"
)

// comment is a note at a cell that shows when it is pointed at.
type comment struct {
	row, column int // from 0, rows below the header
	text        string
}

// maxComments is how many comments a table takes. Programs keep a drawn shape
// for each: with many more a workbook opens slowly.
const maxComments = 5000

// Sizes of a comment's box in pixels.
const (
	commentWidth      = 330
	commentLine       = 16
	commentLetters    = 46  // of 9 points in a line
	commentMostHeight = 400 // more is scrolled to
	commentMost       = 4000
)

// fits reports whether n comments fit into a table, and says so where they do
// not.
func (w *Writer) fits(sheet string, n int, instead string) bool {
	if n <= w.maxComments {
		return true
	}
	w.mention("no-comments", fmt.Sprintf("the cells of sheet %s have no comments: %d would be needed, a sheet takes %d; %s",
		sheet, n, w.maxComments, instead))
	return false
}

// addComments ties comments to the sheet that was added last, before its rows
// are streamed. The library ties one; the parts that hold them are written
// here.
func (w *Writer) addComments(sheet string, list []comment, widths []int) error {
	if len(list) == 0 {
		return nil
	}
	w.commented++
	if err := w.book.AddComment(sheet, excelize.Comment{Cell: "A1", Author: author, Text: "-"}); err != nil {
		return err
	}
	notes, err := w.newPart(fmt.Sprintf("xl/comments%d.xml", w.commented))
	if err != nil {
		return err
	}
	shapes, err := w.newPart(fmt.Sprintf("xl/drawings/vmlDrawing%d.vml", w.commented))
	if err != nil {
		return err
	}
	notes.buf = append(notes.buf, `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<comments xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><authors><author>`+author+`</author></authors><commentList>`...)
	shapes.buf = append(shapes.buf, w.shapesHead(len(list))...)
	number := w.shapes * shapeBlock
	w.shapes += shapeBlocks(len(list))
	for i, c := range list {
		name, err := excelize.CoordinatesToCellName(c.column+1, c.row+2)
		if err != nil {
			return err
		}
		text, _ := cutTo(term.VisibleLines(c.text), commentMost)
		notes.buf = append(notes.buf, `<comment ref="`+name+`" authorId="0"><text><r><rPr><sz val="9"/><rFont val="Calibri"/></rPr><t xml:space="preserve">`...)
		notes.buf = appendText(notes.buf, literal(text))
		notes.buf = append(notes.buf, `</t></r></text></comment>`...)
		shapes.buf = appendShape(shapes.buf, number+i+1, c, textLines(text, commentLetters), widths)
		if err := notes.spill(); err != nil {
			return err
		}
		if err := shapes.spill(); err != nil {
			return err
		}
	}
	notes.buf = append(notes.buf, `</commentList></comments>`...)
	shapes.buf = append(shapes.buf, `</xml>`...)
	if err := notes.close(); err != nil {
		return err
	}
	return shapes.close()
}

// author of all comments.
const author = "benchproof"

// shapeBlock is how many numbers of shapes a drawing takes at once; a number
// must be in one of the blocks that its drawing names.
const shapeBlock = 1024

func shapeBlocks(n int) int { return n/shapeBlock + 1 }

// shapesHead begins a drawing of n comments. It names its blocks, from 1.
func (w *Writer) shapesHead(n int) string {
	var blocks []string
	w.shapes = max(w.shapes, 1)
	for i := range shapeBlocks(n) {
		blocks = append(blocks, fmt.Sprint(w.shapes+i))
	}
	return `<xml xmlns:v="urn:schemas-microsoft-com:vml" xmlns:o="urn:schemas-microsoft-com:office:office" xmlns:x="urn:schemas-microsoft-com:office:excel">` +
		`<o:shapelayout v:ext="edit"><o:idmap v:ext="edit" data="` + strings.Join(blocks, ",") + `"/></o:shapelayout>` +
		`<v:shapetype id="_x0000_t202" coordsize="21600,21600" o:spt="202" path="m,l,21600r21600,l21600,xe"><v:stroke joinstyle="miter"/><v:path gradientshapeok="t" o:connecttype="rect"/></v:shapetype>`
}

// appendShape appends the box of a comment, hidden until its cell is pointed
// at, to the right of the cell.
func appendShape(b []byte, number int, c comment, lines int, widths []int) []byte {
	height := min((lines+1)*commentLine, commentMostHeight)
	right, left := c.column+1, commentWidth
	for right < len(widths) && left > pixels(widths[right]) {
		left -= pixels(widths[right])
		right++
	}
	for right >= len(widths) && left > defaultPixels {
		left -= defaultPixels
		right++
	}
	top := c.row + 1
	return fmt.Appendf(b, `<v:shape id="_x0000_s%d" type="#_x0000_t202" style="position:absolute;margin-left:0;margin-top:0;width:%dpx;height:%dpx;z-index:1;visibility:hidden" fillcolor="#ffffe1" o:insetmode="auto">`+
		`<v:fill color2="#ffffe1"/><v:shadow on="t" color="black" obscured="t"/><v:path o:connecttype="none"/><v:textbox style="mso-direction-alt:auto"><div style="text-align:left"></div></v:textbox>`+
		`<x:ClientData ObjectType="Note"><x:MoveWithCells/><x:SizeWithCells/><x:Anchor>%d, 10, %d, 4, %d, %d, %d, %d</x:Anchor><x:AutoFill>False</x:AutoFill><x:Row>%d</x:Row><x:Column>%d</x:Column></x:ClientData></v:shape>`,
		number, commentWidth, height, c.column+1, top, right, left, top+height/rowPixels, height%rowPixels, top, c.column)
}

const (
	defaultPixels = 64 // of a column without a width
	rowPixels     = 20
)

// pixels of a column's width in digits.
func pixels(width int) int { return 7*(width+margin) + 5 }
