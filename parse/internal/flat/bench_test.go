package flat

import (
	"os"
	"testing"

	"github.com/benchproof/benchproof/parse/internal/oracle"
	"github.com/benchproof/benchproof/parse/internal/source"
	"github.com/benchproof/benchproof/result"
)

// BenchmarkRead decodes the page texts of the samples.
func BenchmarkRead(b *testing.B) {
	for _, name := range []string{"f2fs-xfs-ext4-hdd-ssd", "ssd-vs-zfs-hdds"} {
		data, err := os.ReadFile(oracle.Shared(b, "samples", name+".flat.txt"))
		if err != nil {
			b.Fatal(err)
		}
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(data)))
			b.ReportAllocs()
			for b.Loop() {
				if err := Read(source.New(name, string(data)), func(*result.File) error { return nil }); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
