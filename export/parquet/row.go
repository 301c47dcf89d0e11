package parquet

import (
	"strings"

	"github.com/benchproof/benchproof/export"
	"github.com/benchproof/benchproof/internal/number"
	"github.com/benchproof/benchproof/result"
)

// SchemaID names the columns and what they mean.
const SchemaID = "benchproof/parquet/1"

// Row is one row, a measurement. Text that a source does not have is "", a
// figure that is unknown is null (nil).
type Row struct {
	Source     string `parquet:"source,dict"`
	Title      string `parquet:"title,dict"`
	Test       string `parquet:"test,dict"`
	Version    string `parquet:"version,dict"`
	Profile    string `parquet:"profile,dict"`
	Arguments  string `parquet:"arguments,dict"`
	Scale      string `parquet:"scale,dict"`
	Proportion string `parquet:"proportion,dict"`
	// System is the full identifier; a second one of a name has " #2".
	System string `parquet:"system,dict"`
	// Value as printed; null where it failed or is ambiguous.
	Value *string `parquet:"value,optional"`
	// Number is Value; null where that is no finite decimal number.
	Number *float64 `parquet:"number,optional"`
	// StdError as printed or derived from the runs, and as a number.
	StdError        *string  `parquet:"std_error,optional"`
	StdErrorNumber  *float64 `parquet:"std_error_number,optional"`
	StdErrorDerived bool     `parquet:"std_error_derived"`
	Samples         *int64   `parquet:"samples,optional"`
	RawValues       []string `parquet:"raw_values,list"` // as printed
	Status          string   `parquet:"status,dict"`     // ok, failed
	Reason          string   `parquet:"reason,dict"`     // of a failure
	Decode          string   `parquet:"decode,dict"`     // exact, inferred, ambiguous
	Alternatives    []string `parquet:"alternatives,list"`
	// Min and Max as printed.
	Min      *string  `parquet:"min,optional"`
	Max      *string  `parquet:"max,optional"`
	RunTimes []string `parquet:"run_times,list"` // seconds, as printed
	// Precise is the value with more digits, where a page has them.
	Precise *string `parquet:"precise,optional"`
	// Place is the number of the test in its file, from 1.
	Place  int64  `parquet:"test_number"`
	Line   *int64 `parquet:"line,optional"`
	Column *int64 `parquet:"column,optional"`
}

// fill sets what r says of a measurement. Its lists go into pool, which it
// returns.
func (r *Row) fill(m *result.Measurement, pool []string) []string {
	stdError, samples := number.Figures(m)
	value := export.Value(m)
	r.Value, r.Number = figure(value)
	r.StdError, r.StdErrorNumber = figure(stdError)
	r.StdErrorDerived = m.StdErrorDerived || stdError != m.StdError
	r.Samples = count(samples)
	r.RawValues, pool = texts(pool, m.RawValues)
	r.Status, r.Reason, r.Decode = m.Status.String(), text(m.Reason), m.Decode.String()
	r.Alternatives, pool = texts(pool, m.Alternatives)
	r.Min, _ = figure(m.Min)
	r.Max, _ = figure(m.Max)
	r.RunTimes, pool = texts(pool, m.RunTimes)
	r.Precise, _ = figure(m.Precise)
	r.Line, r.Column = count(m.Origin.Line), count(m.Origin.Column)
	return pool
}

// size is about how much memory r takes.
func (r *Row) size() int {
	n := 128 + len(r.Source) + len(r.Title) + len(r.Test) + len(r.Version) + len(r.Profile) + len(r.Arguments) + len(r.Scale) + len(r.System) + len(r.Reason)
	for _, list := range [...][]string{r.RawValues, r.Alternatives, r.RunTimes} {
		for _, s := range list {
			n += len(s) + 4
		}
	}
	if r.Value != nil {
		n += len(*r.Value)
	}
	return n
}

// figure returns printed text and its number, nil where there is none.
func figure(s string) (*string, *float64) {
	if s == "" {
		return nil, nil
	}
	s = text(s)
	if v, ok := result.ParseNumber(s); ok {
		return &s, &v
	}
	return &s, nil
}

func count(n int) *int64 {
	if n == 0 {
		return nil
	}
	v := int64(n)
	return &v
}

// text returns s as UTF-8: readers of Parquet refuse other bytes.
func text(s string) string { return strings.ToValidUTF8(s, "\ufffd") }

// texts appends list as UTF-8 to pool, and returns both what it appended and
// the pool: a test's lists are not the writer's to keep.
func texts(pool, list []string) (kept, more []string) {
	if len(list) == 0 {
		return nil, pool
	}
	from := len(pool)
	for _, s := range list {
		pool = append(pool, text(s))
	}
	return pool[from:len(pool):len(pool)], pool
}
