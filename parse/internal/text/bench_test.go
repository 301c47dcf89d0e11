package text

import (
	"runtime"
	"strings"
	"testing"

	"github.com/benchproof/benchproof/parse/internal/oracle"
	"github.com/benchproof/benchproof/parse/internal/source"
	"github.com/benchproof/benchproof/result"
)

// bigDump is a published dump repeated to a size.
func bigDump(b *testing.B, form string, size int) string {
	text := load(b, oracle.Shared(b, "samples", "forms", "mdadm-raid-levels."+form+".txt"))
	return strings.Repeat(text+"\n", size/len(text)+1)
}

func benchmarkRead(b *testing.B, form string) {
	text := bigDump(b, form, 50<<20)
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		if err := Read(source.New("big", text), func(*result.File) error { return nil }); err != nil {
			b.Fatal(err)
		}
	}
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	b.ReportMetric(float64(m.Sys)/(1<<20), "MiB-sys")
}

func BenchmarkReadLines(b *testing.B)     { benchmarkRead(b, "text") }
func BenchmarkReadCollapsed(b *testing.B) { benchmarkRead(b, "collapsed") }
