package picture

import (
	"image/color"
	"math"
	"strings"
)

// Measures of a picture, in points.
const (
	pageWidth = 576 // 8 inches
	margin    = 18
	labelMost = 190 // width of labels
	rowLeast  = 17  // height of a row
)

// begin returns a sheet with its heading, and where what follows begins.
func begin(f *fonts, title, sub, unit string) (*sheet, float64) {
	s := &sheet{width: pageWidth, fonts: f, title: title}
	s.alt = joined("; ", sub, unit)
	y := s.paragraph(margin, margin-4, pageWidth-2*margin, titleStyle, title, 4)
	if sub != "" {
		y = s.paragraph(margin, y+1, pageWidth-2*margin, subStyle, sub, 8)
	}
	if unit != "" {
		y = s.paragraph(margin, y+1, pageWidth-2*margin, unitStyle, unit, 2)
	}
	return s, y + 8
}

// finish sets the notes below a chart, and with them the height.
func (s *sheet) finish(y float64, notes ...string) *sheet {
	y += 4
	for _, n := range notes {
		if n != "" {
			y = s.paragraph(margin, y, pageWidth-2*margin, noteStyle, n, 6)
		}
	}
	s.height = math.Ceil(y + margin/2)
	return s
}

// row is one line of a chart: a label, what is drawn, figures.
type row struct {
	label string
	head  bool // a heading of the rows below, without a drawing
	cells []cell
	// words stand in the place of a drawing.
	words string
	// draw draws on the middle line y, within half above and below.
	draw func(y, half float64)
}

// cell is a figure of a row.
type cell struct {
	text  string
	color color.NRGBA
	left  bool // set flush left, else right
}

// chart is what the rows of a chart have in common.
type chart struct {
	axis      *axis
	axisTitle string
	heads     []string // of the cells
	rows      []row
	high      float64 // of a row at least; rowLeast if 0
	// under draws behind the ticks, from top to bottom.
	under func(top, bottom float64)
	// one draws a line at 1.
	one bool
	// over draws before them.
	over func(top, bottom float64)
}

// draw draws a chart below y and returns where it ends.
func (c *chart) draw(s *sheet, y float64) float64 {
	f := s.fonts
	most := 12
	if len(c.rows) > 20 {
		most = 3
	}
	label := 0.0
	widths := make([]float64, len(c.heads))
	for i, h := range c.heads {
		widths[i] = f.width(h, headingStyle)
	}
	for i := range c.rows {
		if !c.rows[i].head {
			label = math.Max(label, math.Min(f.width(c.rows[i].label, labelStyle), labelMost))
		}
		for n := range c.rows[i].cells {
			widths[n] = math.Max(widths[n], f.width(c.rows[i].cells[n].text, figureStyle))
		}
	}
	const gap = 9
	right := float64(pageWidth - margin)
	starts := make([]float64, len(widths))
	for i := len(widths) - 1; i >= 0; i-- {
		starts[i] = right - widths[i]
		right = starts[i] - gap
	}
	left := margin + label + gap
	c.axis.from, c.axis.to = left, right-6
	c.axis.choose()

	for i, h := range c.heads {
		x, anchor := starts[i]+widths[i], atEnd
		if c.leftColumn(i) {
			x, anchor = starts[i], atStart
		}
		s.text(x, y+7, anchor, headingStyle, h)
	}
	top := y + 10
	lines := make([][]string, len(c.rows))
	middles, halves := make([]float64, len(c.rows)), make([]float64, len(c.rows))
	y = top + 3
	for i := range c.rows {
		r := &c.rows[i]
		style, width := labelStyle, label
		if r.head {
			style, width = boldStyle, pageWidth-2*margin
			if i > 0 {
				y += 4
			}
		}
		lines[i] = f.wrap(r.label, style, width, most)
		high := math.Max(math.Max(rowLeast, c.high), float64(len(lines[i]))*style.size*leading+5)
		middles[i], halves[i] = y+high/2, math.Min(high, math.Max(rowLeast, c.high)+4)/2
		y += high
	}
	bottom := y + 3
	if c.under != nil {
		c.under(top, bottom)
	}
	c.ticks(s, top, bottom)
	for i := range c.rows {
		r := &c.rows[i]
		if r.head {
			s.block(margin, middles[i], atStart, boldStyle, lines[i])
			continue
		}
		s.block(left-gap, middles[i], atEnd, labelStyle, lines[i])
		switch {
		case r.words != "":
			text := labelStyle
			text.color = gray
			s.block(left+4, middles[i], atStart, text, f.wrap(r.words, text, c.axis.to-left-4, 1))
		case r.draw != nil:
			r.draw(middles[i], halves[i])
		}
		for n, cell := range r.cells {
			text := figureStyle
			text.color = cell.color
			x, anchor := starts[n]+widths[n], atEnd
			if cell.left {
				x, anchor = starts[n], atStart
			}
			s.text(x, middles[i]+text.size*0.36, anchor, text, cell.text)
		}
	}
	if c.over != nil {
		c.over(top, bottom)
	}
	return s.axisBelow(c.axis, c.axisTitle, bottom)
}

func (c *chart) leftColumn(n int) bool {
	for i := range c.rows {
		if n < len(c.rows[i].cells) && c.rows[i].cells[n].text != "" {
			return c.rows[i].cells[n].left
		}
	}
	return false
}

// ticks draws the lines of the axis' ticks behind the rows.
func (c *chart) ticks(s *sheet, top, bottom float64) {
	for _, t := range c.axis.ticks {
		x := c.axis.place(t)
		s.line(pale, 0.6, point{x, top}, point{x, bottom})
	}
	if c.one {
		x := c.axis.place(1)
		s.line(ink, 1, point{x, top}, point{x, bottom})
	}
}

// axisBelow draws an axis below a chart and returns where it ends. A title of
// three parts, divided by bars, is set at both ends and in the middle.
func (s *sheet) axisBelow(a *axis, title string, y float64) float64 {
	s.line(gray, 0.8, point{a.from, y}, point{a.to, y})
	end := math.Inf(-1)
	for _, t := range a.ticks {
		x, text := a.place(t), a.label(t)
		s.line(gray, 0.8, point{x, y}, point{x, y + 3})
		half := s.fonts.width(text, tickStyle) / 2
		if x-half < end+4 {
			continue // no room for its number
		}
		s.text(x, y+11, atMid, tickStyle, text)
		end = x + half
	}
	if title == "" {
		return y + 13
	}
	if left, rest, ok := strings.Cut(title, "|"); ok {
		middle, right, _ := strings.Cut(rest, "|")
		if s.fonts.width(left+middle+right, unitStyle)+24 < a.to-a.from {
			s.text(a.from, y+22, atStart, unitStyle, left)
			s.text((a.from+a.to)/2, y+22, atMid, unitStyle, middle)
			s.text(a.to, y+22, atEnd, unitStyle, right)
			return y + 25
		}
		title = joined(" – ", left, middle, right)
	}
	for _, l := range s.fonts.wrap(title, unitStyle, pageWidth-2*margin, 3) {
		half := s.fonts.width(l, unitStyle) / 2
		x := math.Min(math.Max((a.from+a.to)/2, margin+half), pageWidth-margin-half)
		s.text(x, y+22, atMid, unitStyle, l)
		y += unitStyle.size * leading
	}
	return y + 25 - unitStyle.size*leading
}

// joined joins what is not empty.
func joined(by string, parts ...string) string {
	text := ""
	for _, p := range parts {
		if p == "" {
			continue
		}
		if text != "" {
			text += by
		}
		text += p
	}
	return text
}
