package html

import (
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"github.com/benchproof/benchproof/parse/internal/oracle"
	"github.com/benchproof/benchproof/parse/internal/source"
	"github.com/benchproof/benchproof/result"
)

// BenchmarkPage compares Read with the bare parser on the same page. The
// parse's time is all but a fifth of Read's: compare the MB/s of the two in
// one run, and their peaks, the bytes of the heap with nothing collected.
func BenchmarkPage(b *testing.B) {
	for _, path := range []string{
		oracle.Shared(b, "corpus", "real", "psap-i7-169results", "pts.html"),
		oracle.Shared(b, "samples", "forms", "f2fs-xfs-ext4-hdd-ssd.html"),
		oracle.Shared(b, "samples", "forms", "mdadm-raid-levels.html"),
		oracle.Shared(b, "flat", "000.html"),
	} {
		text := load(b, path)
		name := filepath.Base(path)
		if name == "pts.html" {
			name = filepath.Base(filepath.Dir(path))
		}
		run := func(name string, f func() any) {
			b.Run(name, func(b *testing.B) {
				b.SetBytes(int64(len(text)))
				b.ReportAllocs()
				for b.Loop() {
					f()
				}
				b.ReportMetric(peak(f), "peak-B")
			})
		}
		run(name+"/Parse", func() any {
			root, err := html.Parse(strings.NewReader(text))
			if err != nil {
				b.Fatal(err)
			}
			return root
		})
		run(name+"/Read", func() any {
			var files []*result.File
			if err := Read(source.New(name, text), func(f *result.File) error { files = append(files, f); return nil }); err != nil {
				b.Fatal(err)
			}
			return files
		})
	}
}

// peak returns how much the heap grows while f runs and nothing is collected.
func peak(f func() any) float64 {
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	kept := f()
	runtime.ReadMemStats(&after)
	runtime.KeepAlive(kept)
	return float64(after.HeapAlloc - before.HeapAlloc)
}
