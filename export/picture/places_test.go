package picture

import (
	"bytes"
	"encoding/json"
	"math"
	"testing"

	"github.com/benchproof/benchproof/analyze"
	"github.com/benchproof/benchproof/export"
)

// texts returns where texts stand on a sheet.
func texts(s *sheet, text string) []point {
	var at []point
	for _, m := range s.marks {
		if m.text == text {
			// Ticks are set around their middle.
			p := m.points[0]
			p.x += s.fonts.width(text, m.font) / 2
			at = append(at, p)
		}
	}
	return at
}

// tick returns the place of the tick of a number: its lowest text.
func tick(t *testing.T, s *sheet, text string) float64 {
	t.Helper()
	x, lowest := 0.0, 0.0
	for _, p := range texts(s, text) {
		if p.y > lowest {
			x, lowest = p.x, p.y
		}
	}
	if lowest == 0 {
		t.Fatalf("no tick %s", text)
	}
	return x
}

// TestBarLengths: bars and their error bars, measured with the axis' own
// numbers as a ruler, are the printed values and their intervals: t of two
// degrees of freedom is 4.303, of four 2.776.
func TestBarLengths(t *testing.T) {
	c, r := analyzed(t, sampleFile())
	b := newBook(c, r)
	s := b.bars(newFonts(nil), &c.Set.Tests[0])
	zero, hundred := tick(t, s, "0"), tick(t, s, "100")
	measure := func(x float64) float64 { return (x - zero) / (hundred - zero) * 100 }
	var bars []float64
	var errorBars [][2]float64
	for _, m := range s.marks {
		switch {
		case len(m.points) == 4 && m.stroke == 0 && m.points[0].x == s.marks[0].points[0].x: // not a bar
		case len(m.points) == 4 && m.stroke == 0 && (m.color == palette[0] || m.color == palette[1]):
			bars = append(bars, measure(m.points[1].x)-measure(m.points[0].x))
		case len(m.points) == 2 && m.color == ink && m.stroke == 1 && m.points[0].y == m.points[1].y:
			errorBars = append(errorBars, [2]float64{measure(m.points[0].x), measure(m.points[1].x)})
		}
	}
	want := []float64{100, 125, 250, 240}
	if len(bars) != len(want) || len(errorBars) != 3 {
		t.Fatalf("bars %v, error bars %v", bars, errorBars)
	}
	for i := range want {
		if math.Abs(bars[i]-want[i]) > 0.05 {
			t.Errorf("bar %d is %v, want %v", i, bars[i], want[i])
		}
	}
	for i, w := range [][2]float64{{100 - 4.303*2, 100 + 4.303*2}, {125 - 4.303, 125 + 4.303}, {250 - 2.776, 250 + 2.776}} {
		if math.Abs(errorBars[i][0]-w[0]) > 0.05 || math.Abs(errorBars[i][1]-w[1]) > 0.05 {
			t.Errorf("error bar %d is %v, want %v", i, errorBars[i], w)
		}
	}
}

// TestForestPlaces: the forest of means shows the numbers of the comparison's
// JSON, at their places between the ticks.
func TestForestPlaces(t *testing.T) {
	c, r := analyzed(t, rankFile())
	var doc bytes.Buffer
	if err := export.WriteCompareJSON(&doc, c); err != nil {
		t.Fatal(err)
	}
	var all struct {
		Overall []struct {
			System  string  `json:"system"`
			Mean    float64 `json:"ratio"`
			Verdict string  `json:"verdict"`
			Over    struct {
				Low  *float64 `json:"low"`
				High *float64 `json:"high"`
			} `json:"over_tests"`
		} `json:"overall"`
	}
	if err := json.Unmarshal(doc.Bytes(), &all); err != nil {
		t.Fatal(err)
	}
	if len(all.Overall) != 2 || all.Overall[0].Mean == 0 || all.Overall[0].Over.Low == nil {
		t.Fatalf("JSON: %+v in\n%s", all, doc.Bytes()[:2000])
	}
	s := newBook(c, r).means(newFonts(nil))
	one, half := tick(t, s, "1"), tick(t, s, "0.5")
	place := func(x float64) float64 { return one + math.Log(x)/math.Log(0.5)*(half-one) }
	var lines [][2]float64
	for _, m := range s.marks {
		if len(m.points) == 2 && m.stroke == 1 && m.points[0].y == m.points[1].y && m.points[1].x-m.points[0].x > 8 {
			lines = append(lines, [2]float64{m.points[0].x, m.points[1].x})
		}
	}
	if len(lines) != 2 {
		t.Fatalf("intervals %v", lines)
	}
	for i, o := range all.Overall {
		found := false
		for _, m := range s.marks {
			// The verdict of both is worse: a triangle around the ratio.
			found = found || len(m.points) == 3 && m.stroke == 0 && math.Abs((m.points[0].x+m.points[1].x+m.points[2].x)/3-place(o.Mean)) < 0.05
		}
		if !found {
			t.Errorf("%s: no mark at %v", o.System, place(o.Mean))
		}
		if math.Abs(lines[i][0]-place(*o.Over.Low)) > 0.05 || math.Abs(lines[i][1]-place(*o.Over.High)) > 0.05 {
			t.Errorf("%s: interval at %v, want %v to %v", o.System, lines[i], place(*o.Over.Low), place(*o.Over.High))
		}
		if len(texts(s, verdictSigns[analyze.Verdict(o.Verdict)])) == 0 || len(texts(s, o.System)) != 1 {
			t.Errorf("%s: no name or no verdict %q", o.System, o.Verdict)
		}
	}
}
