package picture

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/benchproof/benchproof/analyze"
	"github.com/benchproof/benchproof/export"
	"github.com/benchproof/benchproof/internal/phrase"
)

// Options of pictures. The zero value looks for fonts where Linux keeps them.
type Options struct {
	// FontDirs are directories of fonts for letters that the bundled one does
	// not have; nil for those of the system. An empty list is none.
	FontDirs []string
	// Done is called after each picture with the number of those that are
	// written and of all; nil for nobody. It is called from several
	// goroutines, one at a time.
	Done func(written, all int)
}

// IndexName is the file that lists the pictures.
const IndexName = "pictures.csv"

// indexColumns are those of the index.
var indexColumns = []export.Column{
	{Name: "svg"}, {Name: "png"}, {Name: "kind"}, {Name: "title"}, {Name: "arguments"}, {Name: "scale"}, {Name: "proportion"}, {Name: "shows"},
}

// systemsMost is the number of systems up to which a chart can be read.
const systemsMost = 150

// job is a picture that is to be drawn.
type job struct {
	kind, slug string
	index      []string // title, arguments, scale, proportion, shows
	draw       func(*fonts) *sheet
}

// Write draws all pictures of a comparison and of a ranking of the same set
// into the directory dir, which it makes, and their index. Its notes say what was
// not drawn, or not wholly, and why. It replaces no file: one that is there is
// an error, and then, as with a cancelled ctx, some files may have been written.
func Write(ctx context.Context, dir string, c *analyze.Comparison, r *analyze.Ranking, o Options) (notes []string, err error) {
	if c.Set != r.Set {
		return nil, errors.New("comparison and ranking are of different sets")
	}
	if o.FontDirs == nil {
		o.FontDirs = fontDirs
	}
	jobs, notes := newBook(c, r).jobs()
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	lost, err := writeAll(ctx, root, jobs, o)
	if err != nil {
		return nil, err
	}
	if lost != "" {
		notes = append(notes, fmt.Sprintf("no font of this system has the letters %q: they are boxes in the PNG files (the SVG files have them as text)", lost))
	}
	return notes, writeFile(root, IndexName, func(w io.Writer) error {
		return export.WriteRows(w, "csv", indexColumns, indexRows(jobs))
	})
}

// names returns the names of the n-th picture's files, which the title has only
// letters and digits of.
func names(jobs []job, n int) (svg, png string) {
	digits := len(fmt.Sprint(len(jobs)))
	name := fmt.Sprintf("%0*d-%s", max(digits, 2), n+1, jobs[n].kind)
	if jobs[n].slug != "" {
		name += "-" + jobs[n].slug
	}
	return name + ".svg", name + ".png"
}

func indexRows(jobs []job) iter.Seq[[]string] {
	return func(yield func([]string) bool) {
		for i := range jobs {
			svg, png := names(jobs, i)
			if !yield(append([]string{svg, png, jobs[i].kind}, jobs[i].index...)) {
				return
			}
		}
	}
}

// writeAll draws and writes pictures on all processors. It returns the letters
// that no font had.
func writeAll(ctx context.Context, root *os.Root, jobs []job, o Options) (lost string, err error) {
	var next atomic.Int64
	var mu sync.Mutex
	var group sync.WaitGroup
	var first error
	done := 0
	all := newFonts(nil)
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	for range min(runtime.GOMAXPROCS(0), len(jobs)) {
		group.Go(func() {
			f := newFonts(o.FontDirs)
			for {
				i := int(next.Add(1)) - 1
				if i >= len(jobs) || ctx.Err() != nil {
					break
				}
				svg, png := names(jobs, i)
				s := jobs[i].draw(f)
				err := writeFile(root, svg, s.svg)
				if err == nil {
					err = writeFile(root, png, s.png)
				}
				mu.Lock()
				if err != nil && first == nil {
					first = err
					cancel()
				}
				if done++; err == nil && o.Done != nil {
					o.Done(done, len(jobs))
				}
				mu.Unlock()
			}
			mu.Lock()
			defer mu.Unlock()
			for r, yes := range f.missing {
				all.missing[r] = all.missing[r] || yes
			}
		})
	}
	group.Wait()
	if first == nil {
		first = ctx.Err()
	}
	return all.lost(), first
}

// writeFile writes one new file. Its errors name that, and not the place where
// the directory is filled.
func writeFile(root *os.Root, name string, write func(io.Writer) error) error {
	file, err := root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err == nil {
		err = write(file)
		if closeErr := file.Close(); err == nil {
			err = closeErr
		}
	}
	var at *os.PathError
	if errors.As(err, &at) {
		err = at.Err
	}
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

// jobs lists the pictures in their order: what is over all tests, each test,
// each system's ratios.
func (b *book) jobs() (jobs []job, notes []string) {
	note := func(format string, args ...any) { notes = append(notes, fmt.Sprintf(format, args...)) }
	add := func(kind, words string, index []string, draw func(*fonts) *sheet) {
		jobs = append(jobs, job{kind, slug(words), index, draw})
	}
	overall := func(title, shows string) []string { return []string{title, "", "", "", shows} }
	switch {
	case len(b.compared.Overall) == 0 || !b.compared.Comparable():
		note("no forest of geometric means: nothing could be compared")
	case len(b.compared.Overall) > systemsMost:
		note("no forest of geometric means: %d systems are too many for a picture", len(b.compared.Overall))
	default:
		add("means", "", overall("Over all tests", "geometric means of the ratios to "+b.compared.Baseline), b.means)
	}
	for i := range b.ranked.Overall {
		o := &b.ranked.Overall[i]
		name := joined(": ", o.Group, "over all tests")
		switch n := len(o.Systems); {
		case n < 2:
			note("%s: no overall ranking: %s", name, o.Reason)
			continue
		case n > systemsMost:
			note("%s: no overall ranking: %d systems are too many for a picture", name, n)
			continue
		}
		add("ranking", o.Group, overall(name, "mean ranks"), func(f *fonts) *sheet { return b.ranks(f, o) })
		if !o.CriticalDifference.Known || !o.P.Known {
			note("%s: no critical-difference diagram: %s", name, o.Reason)
			continue
		}
		add("difference", o.Group, overall(name, "critical difference of mean ranks"), func(f *fonts) *sheet { return b.difference(f, o) })
	}
	for i := range b.compared.Set.Tests {
		t := &b.compared.Set.Tests[i]
		index := func(shows string) []string {
			return []string{joined(" ", t.Title, t.Version), t.Arguments, t.Scale, string(t.Proportion), shows}
		}
		words := joined(" ", t.Title, t.Version, t.Arguments)
		switch {
		case len(b.labels) > systemsMost && !hasSeries(t):
			note("%s: not drawn: %d systems are too many for a picture", words, len(b.labels))
			continue
		case hasSeries(t):
			add("lines", words, index("the readings of a line graph"), func(f *fonts) *sheet { return b.lines(f, t) })
			continue
		case !hasNumber(t):
			note("%s: not drawn: no value is a number", words)
			continue
		}
		add("bars", words, index("values with 95 % intervals of the means"), func(f *fonts) *sheet { return b.bars(f, t) })
		if hasRuns(t) {
			add("runs", words, index("single runs"), func(f *fonts) *sheet { return b.boxes(f, t) })
		}
	}
	if n := len(b.compared.Overall); n > systemsMost {
		note("no pictures of single systems' ratios: %d are too many", n)
		return jobs, notes
	}
	pages := b.ratioPages()
	for i, page := range pages {
		last := i+1 == len(pages) || pages[i+1][0].SystemName != page[0].SystemName || pages[i+1][0].BaselineName != page[0].BaselineName
		pair := page[0].SystemName + " against " + page[0].BaselineName
		add("ratios", pair, overall(pair, "ratios of "+phrase.Count(len(page), "test")), func(f *fonts) *sheet { return b.ratioPage(f, page, last) })
	}
	return jobs, notes
}

func hasNumber(t *analyze.Test) bool {
	for i := range t.Cells {
		if t.Cells[i].Problem == "" {
			return true
		}
	}
	return false
}
