package picture

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"io"
	"math"
	"slices"
	"strings"
	"sync"

	xfont "golang.org/x/image/font"
	"golang.org/x/image/math/fixed"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/vgimg"
	"gonum.org/v1/plot/vg/vgsvg"
)

// dpi is the resolution of PNG: a picture of 8 inches is 1200 pixels wide.
const dpi = 150

// families are what a viewer of SVG may set text in; the first three are as
// wide as the font that the text was measured with.
const families = "Liberation Sans, Arial, Helvetica, sans-serif"

// svg writes the sheet as SVG.
func (s *sheet) svg(w io.Writer) error {
	c := vgsvg.New(vg.Points(s.width), vg.Points(s.height))
	c.SetColor(white)
	c.Fill(vg.Rectangle{Max: vg.Point{X: vg.Points(s.width), Y: vg.Points(s.height)}}.Path())
	s.draw(c, func(m *mark, at vg.Point) {
		c.FillString(s.face(m), at, m.text)
	})
	var b bytes.Buffer
	if _, err := c.WriteTo(&b); err != nil {
		return err
	}
	doc := strings.ReplaceAll(b.String(), "font-family:Liberation Sans;", "font-family:"+families+";")
	head, rest, ok := strings.Cut(doc, "xmlns:xlink=\"http://www.w3.org/1999/xlink\">\n")
	if !ok {
		return fmt.Errorf("the SVG has an unknown head")
	}
	var words strings.Builder
	words.WriteString("role=\"img\" xmlns:xlink=\"http://www.w3.org/1999/xlink\">\n<title>")
	// A builder's writes do not fail.
	_ = xml.EscapeText(&words, []byte(s.title))
	words.WriteString("</title>\n<desc>")
	_ = xml.EscapeText(&words, []byte(s.alt))
	words.WriteString("</desc>\n")
	_, err := io.WriteString(w, head+words.String()+rest)
	return err
}

// encoder keeps what it needs from one picture to the next.
var encoder = png.Encoder{BufferPool: &buffers{}}

type buffers struct{ pool sync.Pool }

func (b *buffers) Get() *png.EncoderBuffer {
	e, _ := b.pool.Get().(*png.EncoderBuffer) // none is one more to make
	return e
}

func (b *buffers) Put(e *png.EncoderBuffer) { b.pool.Put(e) }

// png writes the sheet as PNG. Its letters are set as they are: the canvas of
// the library would turn and resample each.
func (s *sheet) png(w io.Writer) error {
	c := vgimg.NewWith(vgimg.UseWH(vg.Points(s.width), vg.Points(s.height)), vgimg.UseDPI(dpi), vgimg.UseBackgroundColor(color.White))
	canvas := c.Image()
	high := vg.Points(s.height).Dots(dpi)
	s.draw(c, func(m *mark, at vg.Point) {
		d := xfont.Drawer{Dst: canvas, Src: image.NewUniform(m.color)}
		for _, p := range s.fonts.parts(m.text, m.font.bold) {
			d.Face = s.fonts.raster(p.font, m.font.size)
			d.Dot = fixed.Point26_6{X: fixed26(at.X.Dots(dpi)), Y: fixed26(high - at.Y.Dots(dpi))}
			d.DrawString(p.text)
			at.X += vg.Points(s.fonts.width(p.text, m.font))
		}
	})
	return encoder.Encode(w, paletted(canvas))
}

func fixed26(x float64) fixed.Int26_6 { return fixed.Int26_6(math.Round(x * 64)) }

// face returns the font of a mark.
func (s *sheet) face(m *mark) font.Face {
	face := s.fonts.faces[s.fonts.index(m.font.bold)]
	face.Font.Size = vg.Points(m.font.size)
	return face
}

// draw draws all marks on a canvas, whose y goes upwards.
func (s *sheet) draw(c vg.Canvas, text func(*mark, vg.Point)) {
	at := func(p point) vg.Point { return vg.Point{X: vg.Points(p.x), Y: vg.Points(s.height - p.y)} }
	for i := range s.marks {
		m := &s.marks[i]
		c.SetColor(m.color)
		if m.text != "" {
			text(m, at(m.points[0]))
			continue
		}
		var path vg.Path
		for n, p := range m.points {
			if n == 0 {
				path.Move(at(p))
			} else {
				path.Line(at(p))
			}
		}
		if m.stroke == 0 {
			path.Close()
			c.Fill(path)
			continue
		}
		var dash []vg.Length
		for _, d := range m.dash {
			dash = append(dash, vg.Points(d))
		}
		c.SetLineDash(dash, 0)
		c.SetLineWidth(vg.Points(m.stroke))
		c.Stroke(path)
	}
}

func sortRunes(runes []rune) { slices.Sort(runes) }
