package parse

import (
	"strings"
	"testing"
)

// BenchmarkReader reads one large input of each form.
func BenchmarkReader(b *testing.B) {
	collapsed := strings.Join(strings.Fields(smallText), " ") + "\n"
	for name, unit := range map[string]string{
		"text":      smallText,
		"collapsed": collapsed,
		"page":      smallPage + "\n\n",
		"mixed":     smallText + smallPage + "\n\n",
		"crlf":      strings.ReplaceAll(smallText, "\n", "\r\n"),
	} {
		b.Run(name, func(b *testing.B) {
			raw := strings.Repeat(unit, (4<<20)/len(unit))
			b.SetBytes(int64(len(raw)))
			b.ReportAllocs()
			for b.Loop() {
				r, err := NewReader(strings.NewReader(raw), "in", Options{})
				if err != nil {
					b.Fatal(err)
				}
				for _, err := range r.Files() {
					if err != nil {
						b.Fatal(err)
					}
				}
			}
		})
	}
}

// BenchmarkUnpack reads the first file of a compressed input.
func BenchmarkUnpack(b *testing.B) {
	raw := strings.Repeat(smallText, (4<<20)/len(smallText))
	for _, ending := range []string{".gz", ".xz", ".zst"} {
		b.Run(ending, func(b *testing.B) {
			packed := pack(b, ending, raw)
			b.SetBytes(int64(len(raw)))
			b.ReportAllocs()
			for b.Loop() {
				r, err := NewReader(strings.NewReader(packed), "in", Options{Limits: Limits{Ratio: 1 << 20}})
				if err != nil {
					b.Fatal(err)
				}
				for _, err := range r.Files() {
					if err != nil {
						b.Fatal(err)
					}
					break
				}
			}
		})
	}
}
