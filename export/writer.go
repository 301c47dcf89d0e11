package export

import (
	"fmt"
	"strings"

	"github.com/benchproof/benchproof/result"
)

// Writer writes result files in one form. Files are written as they come
// where the form allows it, and kept until Close where it does not (a wide
// table must know all systems for its header).
type Writer interface {
	// Write adds a file. The writer may keep f until Close.
	Write(f *result.File) error
	// Close ends the output. It does not close what it writes to.
	Close() error
}

// Options choose among the views of one form. The zero value is the form's
// default.
type Options struct {
	// Table to write; the results if empty.
	Table Table
	// Layout of the table of results; long if empty. Other tables have
	// only the long one.
	Layout Layout
	// ASCII draws rules and signs with ASCII letters only. Text of the
	// source stays.
	ASCII bool
	// DecimalComma writes CSV as spreadsheets of countries with a decimal
	// comma do: figures with one, cells divided by semicolons.
	DecimalComma bool
	// BOM begins CSV with the byte-order mark by which Excel knows UTF-8.
	BOM bool
}

// IsDocument reports whether o names no table and no layout: a form that has
// a view of the whole result writes that.
func (o Options) IsDocument() bool { return o.Table == "" && o.Layout == "" }

// withTable returns o with the results for a table that is not named.
func (o Options) withTable() Options {
	if o.Table == "" {
		o.Table = Results
	}
	return o
}

// wide reports whether o asks for the wide table.
func (o Options) wide() bool { return o.Table == Results && o.Layout == Wide }

// Layout is the direction of a table of results.
type Layout string

// The layouts.
const (
	Long Layout = "long" // one row a measurement
	Wide Layout = "wide" // one row a test, one column a system
)

// layouts lists all layouts.
func layouts() []Layout { return []Layout{Long, Wide} }

// ParseLayout returns the layout of that name, in any case of letters.
func ParseLayout(name string) (Layout, error) {
	for _, l := range layouts() {
		if string(l) == strings.ToLower(name) {
			return l, nil
		}
	}
	return "", fmt.Errorf("unknown layout %q: want %s", name, names(layouts()))
}

// ParseTable returns the table of that name, in any case of letters.
func ParseTable(name string) (Table, error) {
	for _, t := range Tables() {
		if string(t) == strings.ToLower(name) {
			return t, nil
		}
	}
	return "", fmt.Errorf("unknown table %q: want %s", name, names(Tables()))
}

func names[T ~string](list []T) string {
	var words []string
	for _, l := range list {
		words = append(words, string(l))
	}
	last := len(words) - 1
	return strings.Join(words[:last], ", ") + " or " + words[last]
}
