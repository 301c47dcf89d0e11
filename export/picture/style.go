package picture

import (
	"image/color"
	"math"

	"github.com/benchproof/benchproof/analyze"
)

func rgb(hex uint32) color.NRGBA {
	return color.NRGBA{R: uint8(hex >> 16), G: uint8(hex >> 8), B: uint8(hex), A: 255}
}

// Colours of what is no data.
var (
	ink   = rgb(0x1a1a1a)
	gray  = rgb(0x595959)
	pale  = rgb(0xd9d9d9)
	faint = rgb(0xe9e9e9)
	white = rgb(0xffffff)
)

// palette are the colours of systems, by Okabe and Ito without black and the
// yellow that is too light for lines.
var palette = []color.NRGBA{
	rgb(0x0072b2), rgb(0xe69f00), rgb(0x009e73), rgb(0xcc79a7), rgb(0x56b4e9), rgb(0xd55e00), rgb(0x7a7a7a),
}

// Styles of text.
var (
	titleStyle   = textStyle{size: 13, bold: true, color: ink}
	subStyle     = textStyle{size: 9.5, color: ink}
	unitStyle    = textStyle{size: 9, color: gray}
	labelStyle   = textStyle{size: 9, color: ink}
	boldStyle    = textStyle{size: 9, bold: true, color: ink}
	figureStyle  = textStyle{size: 8.5, color: ink}
	headingStyle = textStyle{size: 7.5, color: gray}
	tickStyle    = textStyle{size: 8, color: gray}
	noteStyle    = textStyle{size: 7.5, color: gray}
)

// verdictColor is the colour of a verdict; its word stands beside it.
func verdictColor(v analyze.Verdict) color.NRGBA {
	switch v {
	case analyze.Better:
		return rgb(0x0072b2)
	case analyze.Worse:
		return rgb(0xc04a00)
	case analyze.Equivalent, analyze.Trivial:
		return rgb(0x00795a)
	}
	return gray
}

// verdictSigns are signs of verdicts, as in the tables of the terminal.
var verdictSigns = map[analyze.Verdict]string{
	analyze.Better: "+ better", analyze.Worse: "– worse", analyze.Equivalent: "= equivalent",
	analyze.Trivial: "~ trivial", analyze.Undecided: "? undecided", analyze.Untestable: "untestable",
}

// symbol draws the n-th of the symbols that tell systems apart.
func (s *sheet) symbol(n int, c color.NRGBA, x, y, r float64) {
	switch n % 8 {
	case 0:
		s.area(c, polygon(x, y, r, 24, 0)...)
	case 1:
		s.area(c, polygon(x, y, r*1.2, 4, math.Pi/4)...)
	case 2:
		s.area(c, polygon(x, y, r*1.3, 3, -math.Pi/2)...)
	case 3:
		s.area(c, polygon(x, y, r*1.3, 4, 0)...)
	case 4:
		s.area(c, polygon(x, y, r*1.3, 3, math.Pi/2)...)
	case 5:
		s.ring(c, x, y, r)
	case 6:
		s.line(c, 1.6, point{x - r, y - r}, point{x + r, y + r})
		s.line(c, 1.6, point{x - r, y + r}, point{x + r, y - r})
	case 7:
		s.line(c, 1.6, point{x - r*1.2, y}, point{x + r*1.2, y})
		s.line(c, 1.6, point{x, y - r*1.2}, point{x, y + r*1.2})
	}
}

// ring draws a circle that is not filled.
func (s *sheet) ring(c color.NRGBA, x, y, r float64) {
	outline := polygon(x, y, r, 24, 0)
	s.area(white, outline...)
	s.line(c, 1.4, append(outline, outline[0])...)
}

// bar fills a bar in the n-th colour with the n-th hatch.
func (s *sheet) bar(n int, x0, y0, x1, y1 float64) {
	if x1 < x0 {
		x0, x1 = x1, x0
	}
	c := palette[n%len(palette)]
	s.rect(c, x0, y0, x1, y1)
	over := color.NRGBA{R: 255, G: 255, B: 255, A: 150}
	switch n % 4 {
	case 1:
		s.hatch(over, 1, x0, y0, x1, y1)
	case 2:
		s.hatch(over, -1, x0, y0, x1, y1)
	case 3:
		s.hatch(over, 1, x0, y0, x1, y1)
		s.hatch(over, -1, x0, y0, x1, y1)
	}
	s.frame(c, 0.6, x0, y0, x1, y1)
}

// hatch draws slanted lines within a rectangle, rising if slope is above zero.
func (s *sheet) hatch(c color.NRGBA, slope, x0, y0, x1, y1 float64) {
	const step = 5
	high := y1 - y0
	for x := x0 - high + step/2; x < x1; x += step {
		// From (x, bottom) to (x+high, top), cut to the rectangle.
		from, to := math.Max(x, x0), math.Min(x+high, x1)
		if from >= to {
			continue
		}
		a, b := point{from, y1 - (from - x)}, point{to, y1 - (to - x)}
		if slope < 0 {
			a.y, b.y = y0+y1-a.y, y0+y1-b.y
		}
		s.line(c, 0.9, a, b)
	}
}

// interval draws an error bar from x0 to x1 on the line y; an end beyond the
// axis is an arrow.
func (s *sheet) interval(c color.NRGBA, x0, x1, y, low, high float64) {
	const half, head = 2.6, 3.5
	from, to := math.Max(x0, low), math.Min(x1, high)
	s.line(c, 1, point{from, y}, point{to, y})
	if x0 < low {
		s.area(c, point{low - head, y}, point{low, y - half}, point{low, y + half})
	} else {
		s.line(c, 1, point{from, y - half}, point{from, y + half})
	}
	if x1 > high {
		s.area(c, point{high + head, y}, point{high, y - half}, point{high, y + half})
	} else {
		s.line(c, 1, point{to, y - half}, point{to, y + half})
	}
}
