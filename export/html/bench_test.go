package html

import (
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/benchproof/benchproof/analyze"
	"github.com/benchproof/benchproof/result"
)

// BenchmarkPage makes and writes the page of 10 000 measurements.
func BenchmarkPage(b *testing.B) {
	set := analyze.NewSet([]*result.File{large(2000, 5)})
	for b.Loop() {
		p, err := New(set, Options{})
		if err == nil {
			err = p.Write(io.Discard)
		}
		if err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkOpen opens the page of 10 000 measurements in the browser: until its
// script has run (ready-ms), and until a chart far down is there after a jump
// to it (chart-ms).
func BenchmarkOpen(b *testing.B) {
	path := filepath.Join(b.TempDir(), "report.html")
	f, err := os.Create(path)
	if err != nil {
		b.Fatal(err)
	}
	if err := newPage(b, analyze.NewSet([]*result.File{large(2000, 5)}), Options{}).Write(f); err != nil {
		b.Fatal(err)
	}
	f.Close()
	ready, chart := 0.0, 0.0
	for b.Loop() {
		w := openFile(b, path, 1280, 900)
		ready += eval[float64](w, `performance.getEntriesByType("navigation")[0].domContentLoadedEventEnd`)
		chart += eval[float64](w, `new Promise((done) => { const from = performance.now(); document.querySelector("#t1500").scrollIntoView();
			const look = () => document.querySelector("#t1500 canvas") ? done(performance.now() - from) : setTimeout(look, 5); look(); })`)
		w.close()
	}
	b.ReportMetric(ready/float64(b.N), "ready-ms")
	b.ReportMetric(chart/float64(b.N), "chart-ms")
}
