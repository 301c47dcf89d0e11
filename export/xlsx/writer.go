package xlsx

import (
	"bytes"
	"fmt"
	"io"

	"github.com/xuri/excelize/v2"

	"github.com/benchproof/benchproof/analyze"
	"github.com/benchproof/benchproof/internal/term"
	"github.com/benchproof/benchproof/result"
)

// Writer collects result files and writes the workbook at Close.
type Writer struct {
	out    io.Writer
	files  []*result.File
	book   *excelize.File
	styles map[look]int
	tints  map[tint]int
	ids    []int // of the styles of the row at hand
	values []any // of its cells, as written
	sheets int   // added so far
	// What takes the place of parts of the library's: the sheets' rows,
	// comments, drawings and charts.
	parts     []*part
	commented int // sheets with comments so far
	shapes    int // blocks of numbers that their shapes have taken

	comparison *analyze.Comparison // as given, else nil
	ranking    *analyze.Ranking

	// What is compared here, given or not.
	comparisons []*analyze.Comparison
	places      *resultPlaces

	reports []report
	// What a sheet takes; tests make it smaller.
	maxRows, maxColumns int
	// How many measurements are analysed without having been asked to.
	maxAnalyzed int
	// How many comments a sheet takes.
	maxComments int
}

// report is what did not fit into the workbook.
type report struct {
	severity      result.Severity
	code, message string
}

// New returns a writer of a workbook to w.
func New(w io.Writer) *Writer {
	return &Writer{
		out: w, styles: map[look]int{}, tints: map[tint]int{},
		maxRows: excelize.TotalRows, maxColumns: excelize.MaxColumns, maxAnalyzed: maxAnalyzed, maxComments: maxComments,
	}
}

// Write adds a file. It is kept until Close.
func (w *Writer) Write(f *result.File) error {
	w.files = append(w.files, f)
	return nil
}

// Warnings returns, after Close, one line for everything that did not fit
// into the workbook: cells that were cut, sheets that were left out. The
// sheet Diagnostics has the same, and what charts and comments are not there,
// whose figures stand in a sheet all the same.
func (w *Writer) Warnings() []string {
	var lines []string
	for _, r := range w.reports {
		if r.severity != result.SeverityInfo {
			lines = append(lines, r.message)
		}
	}
	return lines
}

// maxReports bounds the reports, the last one standing for all further ones.
const maxReports = 1000

func (w *Writer) report(code, message string) {
	w.say(report{result.SeverityWarning, code, message})
}

// mention reports what is not there though nothing is lost.
func (w *Writer) mention(code, message string) {
	w.say(report{result.SeverityInfo, code, message})
}

func (w *Writer) say(r report) {
	switch {
	case len(w.reports) < maxReports:
		w.reports = append(w.reports, r)
	case len(w.reports) == maxReports:
		w.reports = append(w.reports, report{result.SeverityWarning, "more", "more cells or sheets did not fit"})
	}
}

// Close writes the workbook.
func (w *Writer) Close() error {
	w.book = excelize.NewFile()
	defer w.book.Close()
	defer func() {
		for _, p := range w.parts {
			p.data.discard()
		}
	}()
	comparisons, rankings, err := w.analyze()
	if err != nil {
		return fmt.Errorf("write workbook: %w", err)
	}
	w.comparisons = comparisons
	w.findPlaces()
	for _, t := range []func() *table{
		w.results, w.records, w.systems,
		func() *table { return w.compare(comparisons) },
		func() *table { return w.rank(rankings) },
	} {
		if err := w.add(t()); err != nil {
			return fmt.Errorf("write workbook: %w", err)
		}
	}
	if err := w.charts(comparisons, rankings); err != nil {
		return fmt.Errorf("write workbook: sheet Charts: %w", err)
	}
	for _, t := range []func() *table{
		func() *table { return w.computed(comparisons, rankings) },
		w.diagnostics, w.dictionary,
	} {
		if err := w.add(t()); err != nil {
			return fmt.Errorf("write workbook: %w", err)
		}
	}
	if err := w.finish(); err != nil {
		return fmt.Errorf("write workbook: %w", err)
	}
	return nil
}

// epoch is the time that every workbook bears: the same input must give the
// same bytes.
const epoch = "2000-01-01T00:00:00Z"

func (w *Writer) finish() error {
	title := "Benchmark results"
	if len(w.files) == 1 && w.files[0].Title != "" {
		title, _ = cutTo(term.Visible(w.files[0].Title), 255)
	}
	if err := w.book.SetDocProps(&excelize.DocProperties{
		Title: title, Creator: "benchproof", LastModifiedBy: "benchproof",
		Created: epoch, Modified: epoch,
	}); err != nil {
		return err
	}
	if err := w.book.SetAppProps(&excelize.AppProperties{Application: "benchproof"}); err != nil {
		return err
	}
	var b bytes.Buffer
	if err := w.book.Write(&b); err != nil {
		return err
	}
	return repack(w.out, b.Bytes(), w.parts)
}
