package html

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"github.com/benchproof/benchproof/parse/internal/oracle"
	"github.com/benchproof/benchproof/parse/internal/source"
	"github.com/benchproof/benchproof/result"
)

// BenchmarkPage compares Read with the bare parser on the same page, in one
// run. Divide the MB/s and the B/op of the two: B/op is what a run takes
// before anything is collected, so its quotient bounds that of the peaks.
func BenchmarkPage(b *testing.B) {
	for _, path := range []string{
		oracle.Shared(b, "corpus", "real", "psap-i7-169results", "pts.html"),
		oracle.Shared(b, "samples", "forms", "f2fs-xfs-ext4-hdd-ssd.html"),
		oracle.Shared(b, "samples", "forms", "mdadm-raid-levels.html"),
		oracle.Shared(b, "flat", "000.html"),
	} {
		data, err := os.ReadFile(path)
		if err != nil {
			b.Fatal(err)
		}
		text := string(data)
		name := filepath.Base(path)
		if name == "pts.html" {
			name = filepath.Base(filepath.Dir(path))
		}
		b.Run(name+"/Parse", func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := html.Parse(strings.NewReader(text)); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run(name+"/Read", func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				if err := Read(source.New(name, text), func(*result.File) error { return nil }); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
