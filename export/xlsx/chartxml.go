package xlsx

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/benchproof/benchproof/internal/term"
)

// chart is a chart of horizontal bars. Its figures stand in cells, which it
// names; the copies here are for programs that show a chart without reading
// the cells.
//
// The library's own charts have no error bars, and one that is written for them
// by name alone would be drawn without them.
type chart struct {
	title, subtitle string
	axis            string // what the values are
	description     string // for those who do not see it
	names           []string
	namesAt         string // the cells of the names
	series          []series
	stacked         bool // the series take turns in one place
	legend          bool
	labels          bool // values beside the bars
	scale           scale
	width, height   int // pixels
}

// series is one colour of bars with one value a name, NaN for none. Plus and
// minus are the lengths of the error bars.
type series struct {
	name, nameAt        string
	values, plus, minus column64
	paint               paint
}

// column64 is figures in a column of cells.
type column64 struct {
	at     string
	format string
	x      []float64
}

// scale is an axis of values. The zero value leaves it to the program, from 0.
type scale struct {
	base      float64 // of its logarithm, 0 for none
	low, high float64 // equal: left to the program
	step      float64
	from      float64 // where bars begin
}

// format shows the ticks: those of ratios may be long fractions.
func (s scale) format() string {
	if s.from != 0 {
		return "0.0##"
	}
	return "General"
}

// scaleOfEnds is an axis from 0 with room for all error bars: not every program
// leaves it. Where values are below 0 it is the program's.
func scaleOfEnds(list []series) scale {
	high := 0.0
	for i := range list {
		for n, x := range list[i].values.x {
			if x < 0 {
				return scale{}
			}
			if math.IsNaN(x) {
				continue
			}
			if n < len(list[i].plus.x) && !math.IsNaN(list[i].plus.x[n]) {
				x += list[i].plus.x[n]
			}
			high = max(high, x)
		}
	}
	step := niceStep(high / 6)
	return scale{high: math.Ceil(high/step) * step, step: step}
}

// paint is how bars are filled.
type paint struct {
	colour  string
	pattern string // "" for plain
	hollow  bool   // outline only
}

// palette are colours that people with any colour vision tell apart, of Okabe
// and Ito (2008), the strongest first.
var palette = []string{"0072B2", "E69F00", "009E73", "CC79A7", "56B4E9", "D55E00", "F0E442", "333333"}

const (
	titleSize, textSize, smallSize = 1100, 900, 800 // hundredths of a point
	inkColour, quietColour         = "262626", "595959"
	lineColour                     = "D9D9D9"
)

// appendChart appends c as the part of an archive.
func appendChart(b []byte, c *chart) []byte {
	b = append(b, `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<c:chartSpace xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><c:date1904 val="0"/><c:roundedCorners val="0"/><c:chart>`...)
	b = append(b, `<c:title><c:tx><c:rich><a:bodyPr/><a:lstStyle/>`...)
	b = appendParagraph(b, c.title, titleSize, true, inkColour)
	if c.subtitle != "" {
		b = appendParagraph(b, c.subtitle, textSize, false, quietColour)
	}
	b = append(b, `</c:rich></c:tx><c:overlay val="0"/></c:title><c:autoTitleDeleted val="0"/><c:plotArea><c:layout/><c:barChart><c:barDir val="bar"/><c:grouping val="clustered"/><c:varyColors val="0"/>`...)
	for i := range c.series {
		b = c.appendSeries(b, i)
	}
	overlap, gap := 0, 45
	if c.stacked {
		overlap = 100
	}
	b = fmt.Appendf(b, `<c:gapWidth val="%d"/><c:overlap val="%d"/><c:axId val="1001"/><c:axId val="1002"/></c:barChart>`, gap, overlap)
	b = c.appendAxes(b)
	b = append(b, `<c:spPr><a:noFill/></c:spPr></c:plotArea>`...)
	if c.legend {
		b = append(b, `<c:legend><c:legendPos val="b"/><c:overlay val="0"/>`...)
		b = append(appendTextStyle(b, textSize, inkColour), `</c:legend>`...)
	}
	b = append(b, `<c:plotVisOnly val="0"/><c:dispBlanksAs val="gap"/></c:chart><c:spPr><a:solidFill><a:srgbClr val="FFFFFF"/></a:solidFill><a:ln w="9525"><a:solidFill><a:srgbClr val="`+lineColour+`"/></a:solidFill></a:ln></c:spPr>`...)
	return append(appendTextStyle(b, textSize, inkColour), `</c:chartSpace>`...)
}

// appendParagraph appends text of one size.
func appendParagraph(b []byte, text string, size int, bold bool, colour string) []byte {
	b = fmt.Appendf(b, `<a:p><a:pPr><a:defRPr sz="%d"/></a:pPr><a:r><a:rPr lang="en-US" sz="%d" b="%d"><a:solidFill><a:srgbClr val="%s"/></a:solidFill></a:rPr><a:t>`, size, size, truth(bold), colour)
	return append(appendText(b, term.Visible(text)), `</a:t></a:r></a:p>`...)
}

// appendTextStyle appends how the text of a part of the chart looks.
func appendTextStyle(b []byte, size int, colour string) []byte {
	return fmt.Appendf(b, `<c:txPr><a:bodyPr/><a:lstStyle/><a:p><a:pPr><a:defRPr sz="%d" b="0"><a:solidFill><a:srgbClr val="%s"/></a:solidFill></a:defRPr></a:pPr><a:endParaRPr lang="en-US"/></a:p></c:txPr>`, size, colour)
}

func truth(v bool) int {
	if v {
		return 1
	}
	return 0
}

func (c *chart) appendSeries(b []byte, i int) []byte {
	s := &c.series[i]
	b = fmt.Appendf(b, `<c:ser><c:idx val="%d"/><c:order val="%d"/><c:tx>`, i, i)
	b = appendNames(b, s.nameAt, []string{s.name})
	b = append(b, `</c:tx><c:spPr>`...)
	b = appendPaint(b, s.paint)
	b = append(b, `</c:spPr><c:invertIfNegative val="0"/>`...)
	if c.labels {
		b = append(b, `<c:dLbls><c:numFmt formatCode="General" sourceLinked="1"/><c:spPr><a:noFill/><a:ln><a:noFill/></a:ln></c:spPr>`...)
		b = appendTextStyle(b, smallSize, inkColour)
		b = append(b, `<c:dLblPos val="outEnd"/><c:showLegendKey val="0"/><c:showVal val="1"/><c:showCatName val="0"/><c:showSerName val="0"/><c:showPercent val="0"/><c:showBubbleSize val="0"/></c:dLbls>`...)
	}
	if s.plus.at != "" {
		b = append(b, `<c:errBars><c:errBarType val="both"/><c:errValType val="cust"/><c:noEndCap val="0"/><c:plus>`...)
		b = appendFigures(b, s.plus)
		b = append(b, `</c:plus><c:minus>`...)
		b = appendFigures(b, s.minus)
		b = append(b, `</c:minus><c:spPr><a:ln w="9525"><a:solidFill><a:srgbClr val="`+inkColour+`"/></a:solidFill></a:ln></c:spPr></c:errBars>`...)
	}
	b = append(b, `<c:cat>`...)
	b = appendNames(b, c.namesAt, c.names)
	b = append(b, `</c:cat><c:val>`...)
	b = appendFigures(b, s.values)
	return append(b, `</c:val></c:ser>`...)
}

func appendPaint(b []byte, p paint) []byte {
	outline := p.colour
	switch {
	case p.hollow:
		b = append(b, `<a:solidFill><a:srgbClr val="FFFFFF"/></a:solidFill>`...)
	case p.pattern != "":
		b = fmt.Appendf(b, `<a:pattFill prst="%s"><a:fgClr><a:srgbClr val="%s"/></a:fgClr><a:bgClr><a:srgbClr val="FFFFFF"/></a:bgClr></a:pattFill>`, p.pattern, p.colour)
	default:
		b = fmt.Appendf(b, `<a:solidFill><a:srgbClr val="%s"/></a:solidFill>`, p.colour)
	}
	return fmt.Appendf(b, `<a:ln w="9525"><a:solidFill><a:srgbClr val="%s"/></a:solidFill></a:ln>`, outline)
}

func appendNames(b []byte, at string, names []string) []byte {
	b = append(appendText(append(b, `<c:strRef><c:f>`...), at), `</c:f><c:strCache>`...)
	b = fmt.Appendf(b, `<c:ptCount val="%d"/>`, len(names))
	for i, name := range names {
		b = fmt.Appendf(b, `<c:pt idx="%d"><c:v>`, i)
		b = append(appendText(b, term.Visible(name)), `</c:v></c:pt>`...)
	}
	return append(b, `</c:strCache></c:strRef>`...)
}

func appendFigures(b []byte, c column64) []byte {
	b = append(appendText(append(b, `<c:numRef><c:f>`...), c.at), `</c:f><c:numCache><c:formatCode>`...)
	if c.format == "" {
		c.format = "General"
	}
	b = append(b, c.format...)
	b = fmt.Appendf(b, `</c:formatCode><c:ptCount val="%d"/>`, len(c.x))
	for i, x := range c.x {
		if !math.IsNaN(x) {
			b = fmt.Appendf(b, `<c:pt idx="%d"><c:v>`, i)
			b = append(appendNumber(b, x), `</c:v></c:pt>`...)
		}
	}
	return append(b, `</c:numCache></c:numRef>`...)
}

// appendAxes appends the axis of names, the first on top, with its names at
// the edge wherever the bars begin, and that of values, below.
func (c *chart) appendAxes(b []byte) []byte {
	b = append(b, `<c:catAx><c:axId val="1001"/><c:scaling><c:orientation val="maxMin"/></c:scaling><c:delete val="0"/><c:axPos val="l"/><c:numFmt formatCode="General" sourceLinked="0"/><c:majorTickMark val="none"/><c:minorTickMark val="none"/><c:tickLblPos val="low"/><c:spPr><a:ln w="9525"><a:solidFill><a:srgbClr val="`+quietColour+`"/></a:solidFill></a:ln></c:spPr>`...)
	b = appendTextStyle(b, textSize, inkColour)
	b = append(b, `<c:crossAx val="1002"/>`...)
	if c.scale.from != 0 {
		b = append(strconv.AppendFloat(append(b, `<c:crossesAt val="`...), c.scale.from, 'g', -1, 64), `"/>`...)
	} else {
		b = append(b, `<c:crosses val="autoZero"/>`...)
	}
	b = append(b, `<c:auto val="0"/><c:lblAlgn val="ctr"/><c:lblOffset val="100"/><c:tickLblSkip val="1"/><c:noMultiLvlLbl val="1"/></c:catAx><c:valAx><c:axId val="1002"/><c:scaling>`...)
	number := func(name string, x float64) {
		b = append(strconv.AppendFloat(append(b, `<c:`+name+` val="`...), x, 'g', -1, 64), `"/>`...)
	}
	if c.scale.base > 0 {
		number("logBase", c.scale.base)
	}
	b = append(b, `<c:orientation val="minMax"/>`...)
	if c.scale.high > c.scale.low {
		number("max", c.scale.high)
		number("min", c.scale.low)
	}
	b = append(b, `</c:scaling><c:delete val="0"/><c:axPos val="b"/><c:majorGridlines><c:spPr><a:ln w="6350"><a:solidFill><a:srgbClr val="`+lineColour+`"/></a:solidFill></a:ln></c:spPr></c:majorGridlines><c:title><c:tx><c:rich><a:bodyPr/><a:lstStyle/>`...)
	b = appendParagraph(b, c.axis, textSize, false, quietColour)
	b = append(b, `</c:rich></c:tx><c:overlay val="0"/></c:title><c:numFmt formatCode="`+c.scale.format()+`" sourceLinked="0"/><c:majorTickMark val="out"/><c:minorTickMark val="none"/><c:tickLblPos val="nextTo"/><c:spPr><a:ln w="9525"><a:solidFill><a:srgbClr val="`+quietColour+`"/></a:solidFill></a:ln></c:spPr>`...)
	b = appendTextStyle(b, textSize, inkColour)
	b = append(b, `<c:crossAx val="1001"/><c:crosses val="max"/><c:crossBetween val="between"/>`...)
	if c.scale.step > 0 {
		number("majorUnit", c.scale.step)
	}
	return append(b, `</c:valAx>`...)
}

// quoteless is text for an attribute in double quotes, with others in their
// place.
func quoteless(text string) string { return strings.ReplaceAll(text, `"`, "”") }
