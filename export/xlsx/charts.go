package xlsx

import (
	"fmt"
	"math"

	"github.com/xuri/excelize/v2"

	"github.com/benchproof/benchproof/analyze"
	"github.com/benchproof/benchproof/internal/phrase"
	"github.com/benchproof/benchproof/internal/term"
)

// What the sheet Charts takes. More would be neither looked at nor printed.
const (
	maxFamilyCharts = 40 // charts of values
	maxRatioCharts  = 20 // charts of ratios, the means among them
	maxRankCharts   = 10
	maxBars         = 36 // of a chart, that two stand on a page
)

// The grid of the sheet Charts: columns of one width, then the figures behind
// the charts.
const (
	gridColumns = 14
	gridWidth   = 9                            // digits
	gridPixels  = 7*(gridWidth+margin) + 5     // of a column
	halfPixels  = gridColumns/2*gridPixels - 8 // of a chart
	dataColumn  = gridColumns + 1
	pageRows    = 41 // of a landscape page
)

// board is the sheet Charts while it is made: two charts beside each other, the
// next below, and cells with their figures.
type board struct {
	w      *Writer
	charts []placed
	cells  map[int]map[int]cell // by row and column, from 0
	row    int                  // the next free one
	page   int                  // the row that the page begins with
	breaks []int                // rows that pages begin with
	// Whether the right half of the last row of charts is free, where that
	// row is, and where its figures go on.
	half          bool
	halfRow, data int
	widths        []int
	ratioCharts   int
}

// placed is a chart with the cell of its upper left corner, from 0.
type placed struct {
	*chart
	row, column int
}

// charts writes the sheet Charts: what was compared and ranked, then the values
// of the tests. Its bars are cells that follow Results, Compare and Rank.
func (w *Writer) charts(comparisons []*analyze.Comparison, rankings []*analyze.Ranking) error {
	b := &board{w: w, cells: map[int]map[int]cell{}}
	for i := range gridColumns {
		b.width(i, gridWidth)
	}
	b.width(gridColumns, 3)
	b.text(0, 0, "Charts", look{tone: heading})
	b.row = 1
	b.note("Bars follow the cells beside them, and those the sheets Results, Compare and Rank. Error bars are 95 % intervals unless the chart says otherwise; without them no uncertainty is known.")
	head := b.row
	b.row += 3 // for what is left out
	undrawn := b.means(comparisons)
	left := b.ranks(rankings)
	if undrawn += b.ratios(comparisons); undrawn > 0 {
		left = append(left, fmt.Sprintf("%s of ratios %s not drawn: the sheet takes %d; all ratios stand in the sheet Compare", phrase.Count(undrawn, "more chart"), phrase.Verb(undrawn, "is", "are"), maxRatioCharts))
	}
	left = append(left, b.families()...)
	for i, text := range left {
		if i < 2 {
			b.text(head+i, 0, text, look{tone: small})
		}
		w.mention("charts-left-out", "sheet Charts: "+text)
	}
	if len(b.charts) == 0 {
		b.text(head+min(len(left), 2), 0, "nothing to draw: no test has values that are numbers", look{tone: small})
	}
	return b.write()
}

func (b *board) width(column, digits int) {
	for len(b.widths) <= column {
		b.widths = append(b.widths, narrowest)
	}
	b.widths[column] = max(b.widths[column], digits)
}

func (b *board) set(row, column int, c cell) {
	if b.cells[row] == nil {
		b.cells[row] = map[int]cell{}
	}
	b.cells[row][column] = c
	if column >= dataColumn {
		b.width(column, min(c.width, 40))
	}
}

func (b *board) text(row, column int, text string, l look) {
	c := textCell(text)
	c.look = l
	b.set(row, column, c)
}

func (b *board) note(text string) {
	b.text(b.row, 0, text, look{tone: small})
	b.row++
}

// reserve returns where a chart of so many pixels stands, and where its figures
// do. Charts are not cut by the end of a page.
func (b *board) reserve(c *chart, figures int) (row, column, data int) {
	rows := max((c.height+rowPixels-1)/rowPixels+1, figures+2)
	if b.half && b.halfRow+rows-b.page <= pageRows {
		b.half = false
		b.row = max(b.row, b.halfRow+rows)
		return b.halfRow, gridColumns / 2, b.data
	}
	if b.row+rows-b.page > pageRows && b.row > b.page {
		b.page = b.row
		b.breaks = append(b.breaks, b.row)
	}
	row = b.row
	b.row += rows
	b.half, b.halfRow = true, row
	return row, 0, dataColumn
}

// add places a chart and writes its figures beside the charts: the names, and
// for each series its values and the two ends of its error bars.
func (b *board) add(c *chart, cells []seriesCells) {
	row, column, data := b.reserve(c, len(c.names))
	b.text(row, data, "name", look{tone: header})
	for i, name := range c.names {
		b.text(row+1+i, data, name, look{})
	}
	c.namesAt = chartRange(row+1, len(c.names), data)
	next := data + 1
	for i := range c.series {
		s := &c.series[i]
		b.text(row, next, s.name, look{tone: header})
		s.nameAt = chartRange(row, 1, next)
		s.values = b.column(row+1, next, cells[i].values)
		next++
		if !anyNumber(cells[i].plus) {
			continue
		}
		b.text(row, next, "− "+s.name, look{tone: header})
		b.text(row, next+1, "+ "+s.name, look{tone: header})
		s.minus = b.column(row+1, next, cells[i].minus)
		s.plus = b.column(row+1, next+1, cells[i].plus)
		next += 2
		// They would run through the values.
		c.labels = false
	}
	if !c.labels && c.scale == (scale{}) {
		c.scale = scaleOfEnds(c.series)
	}
	b.data = next + 1
	b.charts = append(b.charts, placed{c, row, column})
}

// seriesCells are the cells of a series, one a name; nil values where there is
// none.
type seriesCells struct{ values, plus, minus []cell }

func anyNumber(list []cell) bool {
	for _, c := range list {
		if _, ok := c.value.(float64); ok {
			return true
		}
	}
	return false
}

// column writes cells below each other.
func (b *board) column(row, column int, cells []cell) column64 {
	c := column64{at: chartRange(row, len(cells), column), x: make([]float64, len(cells))}
	for i, x := range cells {
		v, ok := x.value.(float64)
		if !ok {
			c.x[i] = math.NaN()
			continue
		}
		if c.format == "" {
			c.format = x.look.format
		}
		c.x[i] = v
		b.set(row+i, column, x)
	}
	return c
}

// chartRange is the address of n cells of the sheet Charts, all from 0.
func chartRange(row, n, column int) string {
	name := columnName(column)
	if n == 1 {
		return fmt.Sprintf("Charts!$%s$%d", name, row+1)
	}
	return fmt.Sprintf("Charts!$%[1]s$%[2]d:$%[1]s$%[3]d", name, row+1, row+n)
}

// write adds the sheet with its charts.
func (b *board) write() error {
	w := b.w
	const sheet = "Charts"
	if err := w.newSheet(sheet); err != nil {
		return err
	}
	if err := b.layout(sheet); err != nil {
		return err
	}
	if err := w.addCharts(sheet, b.charts); err != nil {
		return err
	}
	s, err := w.newStream(b.widths, b.row)
	if err != nil {
		return err
	}
	for row := range b.row {
		// Every row is as high as charts are measured by.
		s.begin(row+1, lineHeight)
		for column := range b.widths {
			c, ok := b.cells[row][column]
			if !ok || c.value == nil {
				continue
			}
			if text, ok := c.value.(string); ok {
				c.value, _ = cutText(text)
			}
			id, err := w.style(c.look)
			if err != nil {
				return err
			}
			s.cell(column, row+1, id, c.formula, c.value)
		}
		if err := s.end(); err != nil {
			return err
		}
	}
	return s.close()
}

// layout sets the sheet up for print: the charts alone, a page never cutting
// one.
func (b *board) layout(sheet string) error {
	w := b.w
	// Not fitted to the page's width: breaks would be passed over. The scale
	// leaves room for fonts that make columns wider.
	landscape, a4, percent := "landscape", 9, uint(72)
	if err := w.book.SetPageLayout(sheet, &excelize.PageLayoutOptions{Orientation: &landscape, Size: &a4, AdjustTo: &percent}); err != nil {
		return err
	}
	side, top, head := 0.4, 0.75, 0.3 // inches
	if err := w.book.SetPageMargins(sheet, &excelize.PageLayoutMarginsOptions{Left: &side, Right: &side, Top: &top, Bottom: &top, Header: &head, Footer: &head}); err != nil {
		return err
	}
	if err := w.book.SetHeaderFooter(sheet, &excelize.HeaderFooterOptions{
		OddHeader: w.printHeader(), OddFooter: "&L&A&RPage &P of &N",
	}); err != nil {
		return err
	}
	for _, row := range b.breaks {
		if err := w.book.InsertPageBreak(sheet, fmt.Sprintf("A%d", row+1)); err != nil {
			return err
		}
	}
	no := false
	if err := w.book.SetSheetView(sheet, 0, &excelize.ViewOptions{ShowGridLines: &no}); err != nil {
		return err
	}
	return w.book.SetDefinedName(&excelize.DefinedName{
		Name: "_xlnm.Print_Area", Scope: sheet,
		RefersTo: fmt.Sprintf("%s!$A$1:$%s$%d", sheet, columnName(gridColumns-1), b.row),
	})
}

// addCharts ties charts to the sheet that was added last. The library ties
// empty ones; charts and drawing are written here.
func (w *Writer) addCharts(sheet string, charts []placed) error {
	if len(charts) == 0 {
		return nil
	}
	const unit = 9525 // of a pixel
	drawing := []byte(`<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<xdr:wsDr xmlns:xdr="http://schemas.openxmlformats.org/drawingml/2006/spreadsheetDrawing" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships">`)
	for i, c := range charts {
		if err := w.book.AddChart(sheet, "A1", &excelize.Chart{
			Type: excelize.Bar, Series: []excelize.ChartSeries{{Values: "Charts!$A$1"}},
		}); err != nil {
			return err
		}
		drawing = fmt.Appendf(drawing, `<xdr:oneCellAnchor><xdr:from><xdr:col>%d</xdr:col><xdr:colOff>0</xdr:colOff><xdr:row>%d</xdr:row><xdr:rowOff>38100</xdr:rowOff></xdr:from><xdr:ext cx="%d" cy="%d"/>`,
			c.column, c.row, c.width*unit, c.height*unit)
		drawing = fmt.Appendf(drawing, `<xdr:graphicFrame macro=""><xdr:nvGraphicFramePr><xdr:cNvPr id="%d" name="Chart %d" descr="`, i+2, i+1)
		drawing = appendText(drawing, quoteless(term.Visible(c.description)))
		drawing = fmt.Appendf(drawing, `"/><xdr:cNvGraphicFramePr/></xdr:nvGraphicFramePr><xdr:xfrm><a:off x="0" y="0"/><a:ext cx="0" cy="0"/></xdr:xfrm><a:graphic><a:graphicData uri="http://schemas.openxmlformats.org/drawingml/2006/chart"><c:chart r:id="rId%d"/></a:graphicData></a:graphic></xdr:graphicFrame><xdr:clientData/></xdr:oneCellAnchor>`, i+1)
		if err := w.putPart(fmt.Sprintf("xl/charts/chart%d.xml", i+1), appendChart(nil, c.chart)); err != nil {
			return err
		}
	}
	return w.putPart("xl/drawings/drawing1.xml", append(drawing, `</xdr:wsDr>`...))
}
