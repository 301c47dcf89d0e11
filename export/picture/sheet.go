package picture

import (
	"image/color"
	"math"
)

// sheet is a picture before it is one: marks in the order they are drawn, in
// points from the upper left corner, y downwards.
type sheet struct {
	width, height float64
	marks         []mark
	fonts         *fonts
	// alt says in words what the picture shows.
	title, alt string
}

// mark is one mark of a sheet: a stroke, an area, or text.
type mark struct {
	points []point
	color  color.NRGBA
	stroke float64   // width of a stroke; 0 for an area
	dash   []float64 // of a stroke
	text   string    // begins at points[0], on its base line
	font   textStyle
}

type point struct{ x, y float64 }

// textStyle is how text is set.
type textStyle struct {
	size  float64
	bold  bool
	color color.NRGBA
}

// The places that text is set by.
const (
	atStart = 0.0
	atMid   = 0.5
	atEnd   = 1.0
)

// line draws a stroke through points.
func (s *sheet) line(c color.NRGBA, width float64, points ...point) {
	s.marks = append(s.marks, mark{points: points, color: c, stroke: width})
}

// dashed draws a dashed stroke through points.
func (s *sheet) dashed(c color.NRGBA, width float64, dash []float64, points ...point) {
	s.marks = append(s.marks, mark{points: points, color: c, stroke: width, dash: dash})
}

// area fills what points enclose.
func (s *sheet) area(c color.NRGBA, points ...point) {
	s.marks = append(s.marks, mark{points: points, color: c})
}

// rect fills a rectangle between two corners.
func (s *sheet) rect(c color.NRGBA, x0, y0, x1, y1 float64) {
	s.area(c, point{x0, y0}, point{x1, y0}, point{x1, y1}, point{x0, y1})
}

// frame draws the outline of a rectangle.
func (s *sheet) frame(c color.NRGBA, width, x0, y0, x1, y1 float64) {
	s.line(c, width, point{x0, y0}, point{x1, y0}, point{x1, y1}, point{x0, y1}, point{x0, y0})
}

// text sets one line of text at x, which is its start, middle or end, on the
// base line y. Empty text sets nothing.
func (s *sheet) text(x, y float64, anchor float64, f textStyle, text string) {
	if text == "" {
		return
	}
	x -= anchor * s.fonts.width(text, f)
	s.marks = append(s.marks, mark{points: []point{{x, y}}, color: f.color, text: text, font: f})
}

// leading is the distance of two base lines in sizes of the letters.
const leading = 1.22

// paragraph sets text in lines of at most width below y, and returns where the
// next one may begin. It has at most most lines, 0 for any number.
func (s *sheet) paragraph(x, y, width float64, f textStyle, text string, most int) float64 {
	for _, l := range s.fonts.wrap(text, f, width, most) {
		y += f.size * leading
		s.text(x, y-f.size*0.28, atStart, f, l)
	}
	return y
}

// block sets lines around the middle y, by the anchor at x.
func (s *sheet) block(x, y, anchor float64, f textStyle, lines []string) {
	y -= float64(len(lines)) / 2 * f.size * leading
	for _, l := range lines {
		y += f.size * leading
		s.text(x, y-f.size*0.25, anchor, f, l)
	}
}

// polygon returns the n corners of a regular polygon, the first at the angle.
func polygon(x, y, r float64, n int, angle float64) []point {
	points := make([]point, n)
	for i := range points {
		sin, cos := math.Sincos(angle + 2*math.Pi*float64(i)/float64(n))
		points[i] = point{x + r*cos, y + r*sin}
	}
	return points
}
