package text

import (
	"strings"
	"testing"

	"github.com/benchproof/benchproof/parse/internal/source"
	"github.com/benchproof/benchproof/result"
)

// hostile are pieces that make long inputs in which something could be
// looked for again and again.
var hostile = map[string]string{
	"pipes":            " |",
	"bars":             " |===",
	"rows":             "a . 1 |=\n",
	"rows collapsed":   "a . 1 |= ",
	"other rows":       "ab . 1 |= c .. 2 | ",
	"dots":             " .",
	"dots in a row":    "a . b . c ",
	"marks":            " < Lower Is Better",
	"marks and dots":   " < Lower Is Better a . b .",
	"half marks":       " < Lower Is > Higher Is",
	"systems":          "a: Processor: x OS: y ",
	"system lines":     "a:\n\tProcessor: x\n\n\tOS: y\n\n",
	"keys":             "Processor: x, Memory: y, ",
	"keys of one list": ", Memory: y",
	"colons":           "a: ",
	"colon lines":      "a:\n",
	"colon gaps":       "a:\n\n\n\n\n\n",
	"other keys":       ", Foo Bar: x",
	"commas":           ", ",
	"series":           "a . MIN: 1 AVG: 2 MAX: 3 ",
	"boxes":            "a . MIN: 1 AVG: 2 MAX: 3 [ |",
	"words":            "word ",
	"blank lines":      "\n",
	"lines":            "word\n",
	"tests":            "T 1.0\nA: b\ns < Lower Is Better\na . 1 |=\n\n\n",
	"odd spaces":       "a\u00a0",
	"notices":          "[NOTICE] a ",
	"digits":           "1 ",
	"quotes":           "> a\n",
	"versions":         "1.0 2.0 ",
	"blanks":           " ",
	"equals":           "=",
}

// hostileText is size bytes of a piece, in a dump where it can do harm.
func hostileText(piece string, size int) string {
	body := strings.Repeat(piece, size/len(piece)+1)
	return "T\nD\n\nX: Processor: p, Disk: d OS: o, Kernel: k" + body + " T 1.0 s < Lower Is Better X . 1 |=== " + body
}

func TestHostile(t *testing.T) {
	for name, piece := range hostile {
		t.Run(name, func(t *testing.T) {
			checkRead(t, hostileText(piece, 2000))
			checkRead(t, strings.Repeat(piece, 2000))
			checkRead(t, smallDump+strings.Repeat(piece, 2000)+smallDump)
		})
	}
}

// The time a byte must not grow with the input's length.
func BenchmarkHostile(b *testing.B) {
	for name, piece := range hostile {
		for size, label := range map[int]string{1 << 16: "64K", 1 << 20: "1M"} {
			b.Run(name+"/"+label, func(b *testing.B) {
				text := hostileText(piece, size)
				b.SetBytes(int64(len(text)))
				for b.Loop() {
					_ = Read(source.New("", text), func(*result.File) error { return nil })
				}
			})
		}
	}
}
