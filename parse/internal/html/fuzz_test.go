package html

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"github.com/benchproof/benchproof/parse/internal/oracle"
	"github.com/benchproof/benchproof/parse/internal/source"
	"github.com/benchproof/benchproof/result"
)

// FuzzRead holds for every input: no panic; every number and word of a
// measurement stands in the page's text, at the place that its origin says;
// the same page gives the same record.
func FuzzRead(f *testing.F) {
	a := drawTable([]string{"A", "B"}, "", "Processor|P*2", "OS|Linux|BSD")
	f.Add(pageOf(a, drawTable([]string{"A", "B"}, "", "x: y@pts/x-1.2.3|12.345|0"),
		drawGraph("X", "y", drawBars("A|12.35|0.1, N = 3|MIN: 12 / MAX: 13", "B||0.00, N = 3|-O3"))))
	f.Add(pageOf(a, drawGraph("X", "y", `<rect x="53" y="108" width="523" height="80"/><text x="314" y="143" text-anchor="middle">PASS</text><text x="51" y="146" text-anchor="end">A</text>`)))
	f.Add(pageOf(a, drawGraph("X", "y", `<g><text y="80" x="93">Min</text><text y="80" x="171">Avg</text><text y="80" x="249">Max</text></g>`+
		`<g><text x="76" y="92">A</text><text y="92" x="93">1.0</text><text y="92" x="171">2.5</text><text y="92" x="249">4.0</text></g><g><polyline points="1,2"/></g>`)))
	f.Add(pageOf(drawTable([]string{"HDD: E", "SSD: E", "SSD: X"}, "", "OS|Linux*3"), drawGraph("X", "y", drawBars("E|1", "X|2"))+"<p>HDD: E: no</p>"))
	f.Add("<h1>T &amp; <b>x</b></h1><svg><text x=1 y=2>OpenBenchmarking.org</text><![CDATA[x]]></svg><h2>a<h3>b<svg><g><rect x=1 y=9 width=2 height=3></svg>")
	f.Add(`<h1 id="result_file_title">T</h1><p id="result_file_desc">D</p><div class="print_notes"><h2>A</h2><p><strong>Processor:</strong> P, <strong>Disk:</strong> D</p>` +
		`<p><strong>OS:</strong> L</p><p class="mini"><em><strong>Kernel Notes:</strong> x<br /></em></p></div><div id="results"><section><h2>X</h2><p class="mini">about</p>` +
		drawGraph("X", "y", drawBars("A|12.35|0.1, N = 3", "B|1")) + `</section><section><h2>Y</h2><p><strong>args</strong></p><p class="test_error"><strong>A:</strong> E: no<br /></p></section></div>` +
		`<div id="footer">Phoronix Test Suite 10.8.6 - Generated</div>`)
	if shared := os.Getenv(oracle.SharedEnv); shared != "" {
		// The pages of the facts directory are good seeds, and not ours to keep.
		paths, _ := filepath.Glob(filepath.Join(shared, "corpus", "defects", "*", "pts.html"))
		for _, path := range paths {
			f.Add(load(f, path))
		}
	}
	f.Fuzz(func(t *testing.T, text string) {
		read := func() (files []*result.File, err error) {
			doc := source.New("page", text)
			doc.Limits = source.Limits{Systems: 100, Tests: 100, Text: 1 << 20}
			err = Read(doc, func(f *result.File) error { files = append(files, f); return nil })
			return files, err
		}
		files, err := read()
		again, err2 := read()
		if (err == nil) != (err2 == nil) || !reflect.DeepEqual(files, again) {
			t.Fatal("two readings differ")
		}
		if len(files) == 0 {
			return
		}
		root, _ := html.Parse(strings.NewReader(text))
		var b strings.Builder
		first, last := -1, -1
		gather(root, &b, &first, &last)
		printed := b.String()
		for _, file := range files {
			for i := range file.Tests {
				for k := range file.Tests[i].Measurements {
					checkMeasurement(t, file, &file.Tests[i].Measurements[k], text, printed)
				}
				for _, u := range file.Tests[i].Unassigned {
					if !strings.Contains(printed, u.StdError) {
						t.Errorf("unassigned error %q is not printed", u.StdError)
					}
				}
			}
		}
	})
}

func checkMeasurement(t *testing.T, f *result.File, m *result.Measurement, text, printed string) {
	if m.System < 0 || m.System >= len(f.Systems) {
		t.Fatalf("system %d of %d", m.System, len(f.Systems))
	}
	if m.Status == result.StatusOK && (m.Value == "") != (m.Decode == result.DecodeAmbiguous) || m.Status == result.StatusFailed && m.Value != "" {
		t.Errorf("value %q of status %v, %v", m.Value, m.Status, m.Decode)
	}
	figures := append([]string{m.StdError, m.Min, m.Max, m.Precise}, m.Alternatives...)
	for _, word := range append(figures, strings.Split(m.Value, ",")...) {
		if !strings.Contains(printed, word) {
			t.Errorf("%q is not printed on the page", word)
		}
	}
	if m.Value == "" || m.Origin.Line == 0 {
		return
	}
	at := text[m.Origin.Offset:]
	word, _, _ := strings.Cut(m.Value, ",")
	// Entities and the lines of a wrapped text are written otherwise.
	if !strings.HasPrefix(at, word) && !strings.ContainsAny(at[:min(len(at), len(word)+1)], "<&\x00") {
		t.Errorf("%q is said to stand where %q does", m.Value, clip(at))
	}
}
