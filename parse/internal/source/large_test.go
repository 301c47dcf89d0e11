package source

import (
	"errors"
	"io"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"
)

// allocated returns how many bytes f allocates.
func allocated(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// Data that is no text is refused by its first bytes, whatever follows.
func TestLoadBombOfZeros(t *testing.T) {
	for _, by := range packers {
		raw := pack(t, by, strings.Repeat("\x00", 32<<20))
		n := allocated(func() {
			_, _, err := load(raw, Limits{Ratio: 1 << 30})
			var syntax *SyntaxError
			if !errors.As(err, &syntax) || !strings.Contains(err.Error(), "binary data") {
				t.Errorf("%s: error %v", by, err)
			}
		})
		// xz and zstd decode whole blocks.
		if limit := map[bool]uint64{true: 2 << 20, false: 48 << 20}[by == "gzip"]; n > limit {
			t.Errorf("%s: allocated %d bytes", by, n)
		}
	}
}

// What is longer than is kept at once is read all the same, without several
// copies of it, and what is too long is not kept.
func TestLoadLong(t *testing.T) {
	if testing.Short() {
		t.Skip("decompresses some hundred megabytes")
	}
	const line = "EXT4 ...... 86.08 |======\n"
	text := strings.Repeat(line, (kept+kept/8)/len(line))
	raw := pack(t, "gzip", text)
	for limit, fits := range map[int64]bool{int64(len(text)): true, int64(len(text)) - 1: false, kept + 1: false, kept: false, kept - 1: false} {
		n := allocated(func() {
			got, notes, err := load(raw, Limits{Input: limit, Ratio: 1 << 30})
			var tooLarge *LimitError
			if fits && (got != text || len(notes) > 0 || err != nil) || !fits && !errors.As(err, &tooLarge) {
				t.Errorf("limit %d: got %d bytes, notes %v, error %v", limit, len(got), notes, err)
			}
		})
		if n > uint64(len(text)+2*kept) {
			t.Errorf("limit %d: allocated %d bytes for %d", limit, n, len(text))
		}
	}
	// One that ends early gives the same as a short one.
	got, notes, err := load(raw[:len(raw)-9], Limits{Ratio: 1 << 30})
	if err != nil || !strings.HasPrefix(text, got) || len(got) < kept || len(notes) != 1 || !notes[0].Unverified {
		t.Errorf("cut: got %d bytes, notes %+v, error %v", len(got), notes, err)
	}
}

// A file whose size is over the limit is not read.
func TestLoadKnownSize(t *testing.T) {
	r := io.MultiReader(strings.NewReader(strings.Repeat("text\n", headSize/4)), iotest.ErrReader(errors.New("read beyond its head")))
	_, _, err := Load(r, "in", 3<<30, Limits{})
	if err == nil || err.Error() != "in: input is over the limit of 2147483648 (raise it with --max-input)" {
		t.Errorf("error %v", err)
	}
	// A size that is wrong does no harm.
	text := noise(300_000)
	for _, hint := range []int64{1, 100, 70_000, 299_999, 300_000, 300_001, 1 << 20} {
		got, _, err := Load(iotest.HalfReader(strings.NewReader(text)), "in", hint, Limits{})
		if err != nil || got != text {
			t.Errorf("hint %d: got %d bytes, error %v", hint, len(got), err)
		}
	}
}

// A flipped bit anywhere in gzip data is damage, not an early end: the end is
// there.
func TestLoadDamagedEnd(t *testing.T) {
	for name, text := range map[string]string{"noise": noise(3000), "rows": strings.Repeat("EXT4 ...... 86.08 |======\nXFS 12.9 |=\n", 90) + noise(200)} {
		raw := pack(t, "gzip", text)
		for at := 10; at < len(raw); at++ {
			for bit := at % 4; bit < 8; bit += 4 {
				damaged := []byte(raw)
				damaged[at] ^= 1 << bit
				if got, notes, err := load(string(damaged), Limits{}); err == nil && (got != text || len(notes) > 0) {
					t.Errorf("%s: bit %d of byte %d of %d: got %d bytes, notes %+v", name, bit, at, len(raw), len(got), notes)
				}
			}
		}
	}
}
