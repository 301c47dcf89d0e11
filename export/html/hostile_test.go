package html

import (
	"regexp"
	"strings"
	"testing"

	"github.com/benchproof/benchproof/analyze"
	"github.com/benchproof/benchproof/result"
)

// hostile strings that a published file may hold.
var hostile = []string{
	"</script><script>window.ran=1</script>", "<!--<script>", "]]>", "<img src=x onerror=window.ran=1>", `"><svg onload=window.ran=1>`,
	"' onfocus='window.ran=1' autofocus='", "javascript:window.ran=1", "data:text/html,<script>window.ran=1</script>", "{{.Title}}", "${window.ran=1}", "{g|bold}",
	"</noscript><b>out</b>", "</title><b>out</b>", "</style><b>out</b>", "&lt;b&gt;&amp;", "\u2028\u2029", "\u202egnp.exe", "nul\x00in", "\x1b[31mred\x1b[0m",
	"=1+1", "@SUM(A1)", "+1", "-1+1", "__proto__", "constructor", "#?baseline=x", "日本語", strings.Repeat("W", 10_000), strings.Repeat("ab ", 3400), "", " ",
}

// nasty is a file with every hostile string in every place that has text.
func nasty() *result.File {
	f := &result.File{
		Title: hostile[0], Description: hostile[1], Source: hostile[3], URL: "javascript:window.ran=1", Identifier: hostile[4], Generator: hostile[5],
	}
	for i, s := range hostile {
		part := []result.Component{{Key: s, Value: s}, {Key: "Disk", Value: s}}
		f.Systems = append(f.Systems, result.System{Identifier: s, Hardware: part, Software: part, Notes: part})
		o := result.Origin{Source: f.Source, Line: i + 1, Column: 1, Rule: s}
		f.Tests = append(f.Tests, result.Test{
			Profile: s, Title: s, Version: s, Arguments: s, Scale: s, Options: []result.Option{{Key: "k" + s, Value: s}, {Value: s}}, Footnotes: []string{s}, Annotation: s,
			Proportion: result.HIB, DisplayFormat: s,
			Measurements: []result.Measurement{
				{System: i, Value: "1.50", StdError: "0.01", Samples: 3, Notes: []string{s}, Min: s, Origin: o},
				{System: (i + 1) % len(hostile), Value: s, StdError: s, RawValues: []string{s}, Origin: o},
				{System: (i + 2) % len(hostile), Status: result.StatusFailed, Reason: s, Origin: o},
				{System: (i + 3) % len(hostile), Decode: result.DecodeAmbiguous, Alternatives: []string{s, "2"}, Origin: o},
				{System: (i + 4) % len(hostile), Value: "2.50", StdError: "0.02", Samples: 3, Origin: o},
			},
		})
		f.Diagnostics = append(f.Diagnostics, result.Diagnostic{Severity: result.SeverityWarning, Code: s, Message: s, Origin: o})
	}
	return f
}

func TestHostile(t *testing.T) {
	p := newPage(t, analyze.NewSet([]*result.File{nasty()}), Options{Generator: hostile[0]})
	text := written(t, p)
	// The page's own elements and nothing else: its parts are scripts, a
	// style and what is drawn.
	if n := strings.Count(strings.ToLower(text), "<script"); n != 3 {
		t.Errorf("%d scripts", n)
	}
	for _, bad := range []string{"<!--", "\u202e", "\x00", "\x1b", "<b>out", "<img", `href="javascript`, "href=\"data:"} {
		if strings.Contains(text, bad) {
			t.Errorf("%q is in the page", bad)
		}
	}
	if found := regexp.MustCompile(`<[^>]*\son\w+\s*=`).FindString(text); found != "" {
		t.Errorf("an element has a handler: %.200s", found)
	}

	for _, width := range []int64{1280, 390} {
		w := open(t, p, width, 900)
		if wide := eval[int](w, `document.documentElement.scrollWidth`); wide > int(width) {
			t.Errorf("the page is %d wide in a window of %d", wide, width)
		}
		for i := range p.comparisons {
			if i%8 == 0 {
				w.choose("#baseline", visible(p.comparisons[i].name))
				w.silent()
			}
		}
		w.choose("#mode", "ratio")
		w.choose("#mode", "absolute")
		for _, id := range []string{"#t0", "#t9", "#t27", "#t28"} {
			eval[bool](w, `document.querySelector("`+id+`").scrollIntoView(), true`)
			w.wait(`document.querySelector("` + id + ` canvas") !== null`)
			eval[bool](w, `(document.querySelector("`+id+` details").open = true)`)
		}
		rows := w.all()
		if len(rows) < len(hostile) {
			t.Errorf("%d rows", len(rows))
		}
		if got := eval[string](w, `document.querySelector("#t0 h3").textContent`); got != hostile[0]+" "+hostile[0] {
			t.Errorf("a title is %q", got)
		}
		if got := eval[int](w, `document.querySelectorAll("a[href]:not([href^='#'])").length`); got != 0 {
			t.Errorf("%d links lead out of the page", got)
		}
		if got := eval[string](w, `String(window.ran) + document.querySelectorAll("img, iframe, object, embed, [onload], [onerror], [onfocus]").length`); got != "undefined0" {
			t.Errorf("ran and found: %s", got)
		}
		// What is saved is text as well.
		_, content := w.download(`document.querySelectorAll("#t0 .tools button")[1].click()`)
		if text := xmlText(t, content); !strings.Contains(text, "</script>") {
			t.Errorf("the saved chart has no title: %q", text)
		}
		_, csv := w.download(`document.querySelector("#csv").click()`)
		for line := range strings.Lines(string(csv)) {
			if strings.ContainsAny(line[:1], "=+@") {
				t.Errorf("a line of the CSV begins with a formula: %.80q", line)
			}
		}
		if found := regexp.MustCompile(`(?m)(^|,)"?([=@]|\+[^\d])[^,]*`).FindString(string(csv)); found != "" {
			t.Errorf("a cell of the CSV begins with a formula: %q", found)
		}
	}
}
