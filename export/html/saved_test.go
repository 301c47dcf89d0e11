package html

import (
	"bytes"
	"context"
	"encoding/xml"
	"errors"
	"image"
	_ "image/png"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/benchproof/benchproof/analyze"
	"github.com/benchproof/benchproof/export"
	"github.com/benchproof/benchproof/result"
)

// The saved CSV is that of compare, to the byte, with each baseline.
func TestSaveCSV(t *testing.T) {
	set := sample(t, "f2fs-xfs-ext4-hdd-ssd.flat")
	p := newPage(t, set, Options{})
	w := open(t, p, 1280, 900)
	for i := range p.comparisons {
		w.choose("#baseline", p.comparisons[i].name)
		name, got := w.download(`document.querySelector("#csv").click()`)
		if !strings.HasSuffix(name, ".csv") {
			t.Errorf("saved as %q", name)
		}
		var want bytes.Buffer
		if err := export.WriteRows(&want, "csv", export.CompareColumns, export.CompareRows(p.comparisons[i].Comparison)); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, want.Bytes()) {
			a, b := strings.Split(string(got), "\n"), strings.Split(want.String(), "\n")
			for n := range min(len(a), len(b)) {
				if a[n] != b[n] {
					t.Fatalf("baseline %q, line %d:\n%s\nwant\n%s", p.comparisons[i].name, n+1, a[n], b[n])
				}
			}
			t.Fatalf("%d lines, want %d", len(a), len(b))
		}
	}
	// A part of the rows is saved without the means, which are over all.
	w.choose("#search", "sqlite")
	w.wait(`document.querySelector("#table .count").textContent.startsWith("5 rows")`)
	_, got := w.download(`document.querySelector("#csv").click()`)
	if n := strings.Count(string(got), "\n"); n != 6 || strings.Contains(string(got), "OVERALL") {
		t.Errorf("%d lines of five rows:\n%s", n, got)
	}
}

func TestSaveCharts(t *testing.T) {
	w := open(t, newPage(t, analyze.NewSet([]*result.File{made()}), Options{}), 1280, 900)
	for _, mode := range []string{"absolute", "ratio"} {
		w.choose("#mode", mode)
		for _, id := range []string{"#t0", "#t4"} {
			eval[bool](w, `document.querySelector("`+id+`").scrollIntoView(), true`)
			w.wait(`document.querySelector("` + id + ` .chart canvas") !== null`)
			name, content := w.download(`document.querySelector("` + id + ` .tools button").click()`)
			picture, format, err := image.Decode(bytes.NewReader(content))
			if err != nil || format != "png" || !strings.HasSuffix(name, ".png") {
				t.Fatalf("%s: %v, %s", name, err, format)
			}
			if size := picture.Bounds().Size(); size.X != 1800 || size.Y < 300 {
				t.Errorf("%s is of %v", name, size)
			}
			if n := colours(picture); n < 6 {
				t.Errorf("%s has %d colours: nothing is drawn", name, n)
			}
			name, content = w.download(`document.querySelectorAll("` + id + ` .tools button")[1].click()`)
			text := xmlText(t, content)
			want := []string{"Dbench 4.0", "EXT4", "HDD", "100.0 ± 0.5 baseline", "150.0 ± 0.7 ▲"}
			if mode == "ratio" {
				want = []string{"Dbench 4.0", "HDD", "1.500 ▲", "0.5"}
			}
			if id == "#t4" {
				want = []string{"CPU Temperature", "HDD: EXT4", "SSD: EXT4", "Celsius"}
			}
			for _, part := range want {
				if !strings.Contains(text, part) {
					t.Errorf("%s, %s: %q is not in %q", name, mode, part, text)
				}
			}
		}
	}
}

// colours counts the colours of a picture, up to a hundred.
func colours(p image.Image) int {
	seen := map[[4]uint32]bool{}
	for y := p.Bounds().Min.Y; y < p.Bounds().Max.Y && len(seen) < 100; y += 2 {
		for x := p.Bounds().Min.X; x < p.Bounds().Max.X; x += 2 {
			r, g, b, a := p.At(x, y).RGBA()
			seen[[4]uint32{r, g, b, a}] = true
		}
	}
	return len(seen)
}

// xmlText returns the text of a document, which must be well-formed and hold no
// script and no link.
func xmlText(t *testing.T, content []byte) string {
	t.Helper()
	var text strings.Builder
	for d := xml.NewDecoder(bytes.NewReader(content)); ; {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return text.String()
		}
		if err != nil {
			t.Fatalf("%v in %.300s", err, content)
		}
		switch e := token.(type) {
		case xml.CharData:
			text.Write(e)
			text.WriteByte('\n')
		case xml.StartElement:
			if name := strings.ToLower(e.Name.Local); name == "script" || name == "a" || name == "foreignobject" {
				t.Errorf("an element %s", name)
			}
			for _, a := range e.Attr {
				if strings.HasPrefix(strings.ToLower(a.Name.Local), "on") {
					t.Errorf("an attribute %s", a.Name.Local)
				}
			}
		}
	}
}

// On paper stand all rows and charts, in light colours whatever the screen's,
// and the screen is as it was after.
func TestPrint(t *testing.T) {
	w := open(t, newPage(t, analyze.NewSet([]*result.File{large(30, 5)}), Options{}), 1280, 900, media("prefers-color-scheme", "dark"))
	w.wait(`window.echarts !== undefined`)
	state := `(() => { const css = getComputedStyle(document.documentElement); return [css.getPropertyValue("--text").trim(), document.querySelectorAll("tr[data-row]").length < 40, document.querySelectorAll("canvas").length < 30].join(" "); })()`
	before := eval[string](w, state)
	if before != "#e6e8eb true true" {
		t.Fatalf("before: %s", before)
	}
	eval[bool](w, `dispatchEvent(new Event("beforeprint")), true`)
	if rows, charts := eval[int](w, `document.querySelectorAll("tr[data-row]").length`), eval[int](w, `document.querySelectorAll("canvas").length`); rows != 120 || charts != 30 {
		t.Errorf("%d rows and %d charts to print, want 120 and 30", rows, charts)
	}
	if got := eval[string](w, `getComputedStyle(document.documentElement).getPropertyValue("--text").trim()`); got != "#1b1f24" {
		t.Errorf("the text is printed in %s", got)
	}
	if wide := eval[int](w, `Math.max(...[...document.querySelectorAll("canvas")].map((c) => c.clientWidth))`); wide > 700 {
		t.Errorf("a chart is %d wide", wide)
	}
	eval[bool](w, `dispatchEvent(new Event("afterprint")), true`)
	if got := eval[string](w, `getComputedStyle(document.documentElement).getPropertyValue("--text").trim()`); got != "#e6e8eb" {
		t.Errorf("after it the text is %s", got)
	}
	ctx, cancel := context.WithTimeout(w.ctx, limit)
	defer cancel()
	pdf, err := chromedp.Run(ctx, chromedp.PrintToPDF())
	if err != nil || !bytes.HasPrefix(pdf, []byte("%PDF-")) {
		t.Fatalf("%v, %.20q", err, pdf)
	}
	// A page of paper has some eight charts at most.
	if pages := bytes.Count(pdf, []byte("/Type /Page\n")); pages < 5 || pages > 30 {
		t.Errorf("%d pages", pages)
	}
}

// Charts past a number are not printed, and the paper says so; what is folded
// away on the screen is on it.
func TestPrintMany(t *testing.T) {
	w := open(t, newPage(t, analyze.NewSet([]*result.File{large(255, 2)}), Options{Findings: [][]result.Diagnostic{
		slices.Repeat([]result.Diagnostic{{Severity: result.SeverityWarning, Code: "made", Message: "a made finding"}}, 13),
	}}), 1280, 900)
	w.wait(`window.echarts !== undefined`)
	state := `(() => { const seen = (s) => [...document.querySelectorAll(s)].filter((e) => e.checkVisibility({ contentVisibilityAuto: false })).length; return [seen(".card"), document.querySelector("#unprinted").textContent, seen(".findings li")].join("|"); })()`
	const before = "255||0"
	if got := eval[string](w, state); got != before {
		t.Errorf("before: %s", got)
	}
	eval[bool](w, `dispatchEvent(new Event("beforeprint")), true`)
	if got, want := eval[string](w, state), "250|The charts of 5 more tests are not printed: filters choose which are.|13"; got != want {
		t.Errorf("printed: %s, want %s", got, want)
	}
	eval[bool](w, `dispatchEvent(new Event("afterprint")), true`)
	if got := eval[string](w, state); got != before {
		t.Errorf("after: %s", got)
	}
}

// On a phone the names of the diagram are whole, if two lines hold them.
func TestDiagramNames(t *testing.T) {
	w := open(t, newPage(t, sample(t, "optane-900p-raid"), Options{}), 390, 800)
	got := eval[string](w, `[...document.querySelectorAll(".diagram .name span")].filter((e) => e.scrollHeight > e.clientHeight + 1 || e.scrollWidth > e.clientWidth + 1 || e.clientHeight > 24 || !e.textContent).map((e) => e.textContent).join("; ")`)
	if high := eval[int](w, `Math.ceil(Math.max(...[...document.querySelectorAll(".diagram .name b")].map((e) => e.getBoundingClientRect().height)))`); high > 14 {
		t.Errorf("a mean rank is %d high: it is broken in two", high)
	}
	if n := eval[int](w, `document.querySelectorAll(".diagram .name span").length`); n != 15 || got != "" {
		t.Errorf("%d names, cut: %s", n, got)
	}
}

// The page of very many systems is no taller for it: its lists are folded away
// or scroll.
func TestManySystems(t *testing.T) {
	f := large(2, 400)
	for i := range f.Systems {
		f.Systems[i].Hardware = nil
	}
	w := open(t, newPage(t, analyze.NewSet([]*result.File{f}), Options{}), 1280, 900)
	if high := eval[int](w, `document.querySelector("#tests").offsetTop`); high > 4000 {
		t.Errorf("the tests begin %d pixels down", high)
	}
	if n := eval[int](w, `document.querySelectorAll("#overall tbody tr").length`); n != 399 {
		t.Errorf("%d systems in the summary", n)
	}
	eval[bool](w, `dispatchEvent(new Event("beforeprint")), true`)
	if open := eval[bool](w, `document.querySelector("#compared details").open`); !open {
		t.Error("the systems are not printed")
	}
}

// On a phone the systems stand below each other, under one line of heading, and
// are named also where nothing is known of them.
func TestFewSystemsOnPhone(t *testing.T) {
	for _, known := range []bool{true, false} {
		f := large(2, 3)
		for i := range f.Systems {
			if !known {
				f.Systems[i].Hardware = nil
			}
		}
		w := open(t, newPage(t, analyze.NewSet([]*result.File{f}), Options{}), 390, 800)
		if high := eval[int](w, `Math.round(document.querySelector(".systems caption").getBoundingClientRect().height)`); high > 60 {
			t.Errorf("the heading is %d pixels high", high)
		}
		if text := eval[string](w, `document.querySelector(".systems").innerText`); !strings.Contains(text, "System A") || !strings.Contains(text, "System C") {
			t.Errorf("the systems are %q", text)
		}
	}
}
