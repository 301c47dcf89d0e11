package picture

import (
	"image"
	"image/color"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestSlug(t *testing.T) {
	for in, want := range map[string]string{
		"FS-Mark 3.3": "fs-mark-3-3", "../../etc/passwd": "etc-passwd", "": "", "日本語": "", "a\x00/\\b": "a-b",
		"É 1": "1", "  -- ": "", strings.Repeat("a", 100): strings.Repeat("a", 48), strings.Repeat("ab ", 40): strings.TrimSuffix(strings.Repeat("ab-", 16), "-"),
	} {
		if got := slug(in); got != want {
			t.Errorf("slug(%q) = %q, want %q", in, got, want)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		got := slug(rapid.String().Draw(t, "text"))
		if len(got) > slugMost || strings.Trim(got, "abcdefghijklmnopqrstuvwxyz0123456789-") != "" || strings.HasPrefix(got, "-") || strings.HasSuffix(got, "-") {
			t.Fatalf("slug %q", got)
		}
	})
}

func TestAxis(t *testing.T) {
	for _, tt := range []struct {
		low, high float64
		n         int
		want      []string
	}{
		{0, 24.1, 6, []string{"0", "5", "10", "15", "20", "25"}},
		{0, 0.9, 6, []string{"0.0", "0.2", "0.4", "0.6", "0.8", "1.0"}},
		{-3, 6, 6, []string{"-4", "-2", "0", "2", "4", "6"}},
		{0, 1234567, 6, []string{"0", "500000", "1000000", "1500000"}},
		{7, 7, 4, []string{"6.0", "6.5", "7.0", "7.5", "8.0"}},
		{0, 3e9, 3, []string{"0", "1e+09", "2e+09", "3e+09"}},
	} {
		a := linear(tt.low, tt.high, tt.n)
		var got []string
		for _, x := range a.ticks {
			got = append(got, a.label(x))
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%v to %v (-want +got):\n%s", tt.low, tt.high, diff)
		}
	}
	for _, tt := range []struct {
		low, high float64
		want      []string
	}{
		{0.5, 2, []string{"0.5", "0.7", "1", "1.5", "2"}},
		{0.98, 1.03, []string{"0.95", "1", "1.05", "1.1"}},
		{0.001, 1000, []string{"0.001", "0.01", "0.1", "1", "10", "100", "1000"}},
		{0.3, 1, []string{"0.3", "0.4", "0.5", "0.7", "1"}},
	} {
		a := ratios(tt.low, tt.high)
		a.from, a.to = 0, 200
		a.choose()
		var got []string
		for _, x := range a.ticks {
			got = append(got, a.label(x))
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("ratios %v to %v (-want +got):\n%s", tt.low, tt.high, diff)
		}
	}
}

// TestAxisHolds: an axis holds its numbers, and not many more ticks than asked.
func TestAxisHolds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		low, high := rapid.Float64().Draw(t, "low"), rapid.Float64().Draw(t, "high")
		if rapid.Bool().Draw(t, "near") {
			high = low + rapid.Float64Range(0, 1e-3).Draw(t, "range")*math.Abs(low)
		}
		low, high = math.Min(low, high), math.Max(low, high)
		a := linear(low, high, 6)
		low, high = math.Max(low, -largest), math.Min(high, largest)
		room := 1e-6 * math.Max(math.Abs(low), math.Abs(high))
		if a.low > low+room || a.high < high-room || len(a.ticks) < 2 || len(a.ticks) > 10 {
			t.Fatalf("%v to %v: %+v", low, high, a)
		}
		for _, x := range a.ticks {
			if math.IsInf(x, 0) || math.IsNaN(x) || a.label(x) == "" {
				t.Fatalf("tick %v of %+v", x, a)
			}
		}
		r := ratios(rapid.Float64Range(math.SmallestNonzeroFloat64, 1).Draw(t, "ratio"), rapid.Float64Range(1, math.MaxFloat64).Draw(t, "other"))
		r.from, r.to = 0, rapid.Float64Range(60, 500).Draw(t, "width")
		r.choose()
		one := false
		for _, x := range r.ticks {
			one = one || x == 1
		}
		if !one || len(r.ticks) > 30 || !(r.place(r.high)-r.place(r.low) > 1) {
			t.Fatalf("ticks %v", r.ticks)
		}
	})
}

// TestWrap: lines keep to their width where a letter fits, and lose nothing but
// spaces.
func TestWrap(t *testing.T) {
	f := newFonts(nil)
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringOfN(rapid.RuneFrom([]rune("abW ,-: 日é\u0301")), 0, 80, -1).Draw(t, "text")
		width := rapid.Float64Range(15, 300).Draw(t, "width")
		lines := f.wrap(text, labelStyle, width, 0)
		for _, l := range lines {
			if f.width(l, labelStyle) > width+1e-6 {
				t.Fatalf("%q is wider than %v", l, width)
			}
		}
		squeeze := func(s string) string { return strings.ReplaceAll(s, " ", "") }
		if squeeze(strings.Join(lines, "")) != squeeze(text) {
			t.Fatalf("%q became %q", text, lines)
		}
	})
	if got := f.wrap(strings.Repeat("word ", 100), labelStyle, 100, 3); len(got) != 3 || !strings.HasSuffix(got[2], "…") || f.width(got[2], labelStyle) > 100 {
		t.Errorf("cut to %q", got)
	}
	if diff := cmp.Diff([]string{"a rather", "long", "name"}, f.wrap("a rather long name", labelStyle, 40, 0)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestWidths: those of the bundled font in its own units: in Liberation Sans,
// as in Arial, i is 455, W 1933 and 0 1139 of 2048 wide.
func TestWidths(t *testing.T) {
	f := newFonts(nil)
	for text, want := range map[string]float64{"i": 455, "W": 1933, "0": 1139, "i0": 455 + 1139, "日": 2048, "\u0301": 0} {
		if got := f.width(text, textStyle{size: 2048}); math.Abs(got-want) > 0.5 {
			t.Errorf("%q is %v wide, want %v", text, got, want)
		}
	}
}

// TestOtherFonts: letters that the bundled font does not have come from a font
// of the system, where there is one.
func TestOtherFonts(t *testing.T) {
	f := newFonts(fontDirs)
	parts := f.parts("a日本z", false)
	if f.missing['日'] {
		if len(parts) != 1 || parts[0].text != "a□□z" || f.lost() != "日本" {
			t.Errorf("parts %+v, lost %q", parts, f.lost())
		}
		t.Skip("no font of this system has the letters")
	}
	if len(parts) != 3 || parts[1].text != "日本" || parts[1].font == parts[0].font || parts[2].font != parts[0].font || f.lost() != "" {
		t.Errorf("parts %+v, lost %q", parts, f.lost())
	}
	if got := f.parts("a\u200d\ufe0fb", false); len(got) != 1 || got[0].text != "ab" {
		t.Errorf("a joiner is drawn: %+v", got)
	}
	none := newFonts(nil)
	if got := none.parts("a日", false); len(got) != 1 || got[0].text != "a□" || none.lost() != "日" {
		t.Errorf("without fonts: %+v, lost %q", got, none.lost())
	}
}

// TestPaletted: the frequent colours come back as they were, of more than 256
// the others stay near; where they cannot, all stay as they are.
func TestPaletted(t *testing.T) {
	for name, shade := range map[string]func(int) color.RGBA{
		"few":  func(x int) color.RGBA { return color.RGBA{uint8(x % 100), 9, 9, 255} },
		"near": func(x int) color.RGBA { return color.RGBA{uint8(2 * x % 64), uint8(x / 16), uint8(x % 5), 255} },
		"far": func(x int) color.RGBA {
			// Places of one colour of a chessboard in three dimensions:
			// two steps of 25 apart.
			r, g := x%11, x/11%11
			return color.RGBA{uint8(25 * r), uint8(25 * g), uint8(25 * (2*(x/121) + (r+g)%2)), 255}
		},
	} {
		m := image.NewRGBA(image.Rect(0, 0, 300, 4))
		for x := range 300 {
			m.SetRGBA(x, 0, shade(x))
			for y := 1; y < 4; y++ {
				m.SetRGBA(x, y, color.RGBA{0, 114, 178, 255})
			}
		}
		got := paletted(m)
		if _, ok := got.(*image.Paletted); ok == (name == "far") {
			t.Errorf("%s: %T", name, got)
		}
		for x := range 300 {
			for y := range 4 {
				is, was := color.RGBAModel.Convert(got.At(x, y)).(color.RGBA), m.RGBAAt(x, y)
				if d := distance(is, was); d > 0 && (name != "near" || y > 0) || d > farthest {
					t.Fatalf("%s: pixel %d,%d is %v, was %v", name, x, y, is, was)
				}
			}
		}
	}
}
