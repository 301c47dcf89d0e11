package flatrender

import (
	"errors"
	"fmt"
	"strings"

	"github.com/benchproof/benchproof/result"
)

// Options say how a page is exported. The zero value is an export of the
// site, with an overview table.
type Options struct {
	// Local makes the page a local client's: other watermark.
	Local bool
	// NoOverview leaves out the overview table, as the site does for files
	// with few tests.
	NoOverview bool
	// FailedNames draws the names of failed entries in the graphs, as older
	// clients do.
	FailedNames bool
	// Footer is the client that the page names at its end, none if empty.
	Footer string
}

// errKind is wrapped by the error of [Page] for a test that is drawn in a way
// that the package does not know.
var errKind = errors.New("unknown kind of graph")

// Page returns the flattened text of the page that PTS exports for f: block
// elements are paragraphs with an empty line between, the texts of a drawing
// run together. Tests without any value are not on it, and values of zero are
// in the overview table alone.
//
// Values are those of Measurement.Value, SEs are computed from RawValues, and
// notes come from the JSON in Details. It returns an error that wraps
// an error for pass/fail tests and box plots.
func Page(f *result.File, o Options) (string, error) {
	p := page{file: f, Options: o, mark: "OpenBenchmarking.org"}
	if o.Local {
		p.mark = "Phoronix Test Suite"
	}
	p.multi = isMulti(names(f))
	p.tracker = p.multi && isTracker(f.Systems)
	p.block(f.Title)
	p.block(f.Description)
	if f.URL != "" {
		p.block("HTML result view exported from: " + f.URL + ".")
	}
	p.block(p.systems())
	if !o.NoOverview {
		p.block(p.overview())
	}
	for i := range f.Tests {
		t := &f.Tests[i]
		text, err := p.graph(t)
		if err != nil {
			return "", fmt.Errorf("test %d, %q: %w", i+1, t.Title, err)
		}
		if text == "" {
			continue
		}
		p.block(t.Title)
		p.block(t.Arguments)
		p.block(text)
	}
	p.block(o.Footer)
	return strings.Join(p.blocks, "\n\n"), nil
}

// page is one page being written.
type page struct {
	Options
	file           *result.File
	mark           string
	multi, tracker bool
	blocks         []string
}

// block adds a paragraph; an empty one is not seen.
func (p *page) block(text string) {
	if text = strings.TrimSpace(text); text != "" {
		p.blocks = append(p.blocks, text)
	}
}
