package html

import (
	"fmt"
	"net/url"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/benchproof/benchproof/analyze"
	"github.com/benchproof/benchproof/result"
)

// rowNames returns the rows in view, as "test | arguments | system".
func (w *tab) rowNames() []string {
	w.t.Helper()
	var names []string
	for _, r := range w.all() {
		names = append(names, r.Test+" | "+r.Arguments+" | "+r.System)
	}
	return names
}

func (w *tab) count() string {
	w.t.Helper()
	return eval[string](w, `document.querySelector("#table .count").textContent`)
}

func (w *tab) click(selector string) {
	w.t.Helper()
	w.do(chromedp.Click(chromedp.CSS(selector)))
}

func TestSort(t *testing.T) {
	w := open(t, newPage(t, analyze.NewSet([]*result.File{made()}), Options{}), 1280, 900)
	published := w.rowNames()
	aria := func(key string) string {
		return eval[string](w, `document.querySelector("th[data-key=`+key+`]").getAttribute("aria-sort")`)
	}
	if got := aria("ratio"); got != "none" {
		t.Errorf("before: aria-sort %q", got)
	}
	// Ratios against HDD: EXT4, worked out by hand; in brackets those of equal
	// rank keep their order, and what has no ratio comes last.
	want := []string{
		"SQLite 3.22 | Timed SQLite Insertions | SSD: XFS",  // 20.00/8.5 = 2.353
		"Dbench 4.0 | 48 Clients | SSD: XFS",                // 400/200 = 2
		"SQLite 3.22 | Timed SQLite Insertions | HDD: XFS",  // 20/10 = 2
		"Dbench 4.0 | 12 Clients | HDD: XFS",                // 1.5
		"Dbench 4.0 | 48 Clients | HDD: XFS",                // 1.15
		"Dbench 4.0 | 48 Clients | SSD: EXT4",               // 1.02
		"Dbench 4.0 | 12 Clients | SSD: XFS",                // 1.002
		"Dbench 4.0 | 12 Clients | SSD: EXT4",               // 0.5
		"SQLite 3.22 | Timed SQLite Insertions | SSD: EXT4", // failed
		"Unsure |  | HDD: XFS",                              // ambiguous
		"CPU Temperature |  | SSD: EXT4",                    // a line
	}
	w.click("th[data-key=ratio] button")
	if got := w.rowNames(); !slices.Equal(got, want) {
		t.Errorf("by ratio:\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if got := aria("ratio"); got != "descending" {
		t.Errorf("aria-sort %q", got)
	}
	w.click("th[data-key=ratio] button")
	got := w.rowNames()
	if got[0] != want[7] || got[7] != want[0] || got[10] != want[10] {
		t.Errorf("by ratio from below: %q", got)
	}
	w.click("th[data-key=ratio] button")
	if got := w.rowNames(); !slices.Equal(got, published) {
		t.Errorf("the third click: %q, want the published order", got)
	}
	w.click("th[data-key=change] button")
	if got := w.rowNames(); got[0] != want[0] || got[7] != want[6] {
		t.Errorf("by change: %q", got)
	}
	w.click("th[data-key=test] button")
	if got := w.rowNames(); got[0] != "CPU Temperature |  | SSD: EXT4" || got[len(got)-1] != "Unsure |  | HDD: XFS" {
		t.Errorf("by test: %q", got)
	}
}

func TestFilter(t *testing.T) {
	w := open(t, newPage(t, analyze.NewSet([]*result.File{made()}), Options{}), 1280, 900)
	if got := w.count(); got != "11 rows of 11, of 5 tests" {
		t.Errorf("count %q", got)
	}
	cards := func() []string {
		return eval[[]string](w, `[...document.querySelectorAll("#cards article h3")].map((h) => h.textContent)`)
	}
	w.choose("#search", "sqlite xfs")
	w.wait(`document.querySelector("#table .count").textContent.startsWith("2 rows")`)
	if got := cards(); !slices.Equal(got, []string{"SQLite 3.22"}) {
		t.Errorf("charts of the search: %q", got)
	}
	w.choose("#search", "")
	w.wait(`document.querySelector("#table .count").textContent.startsWith("11 rows")`)
	w.choose("#profile", "Dbench 4.0")
	if got := w.count(); got != "6 rows of 11, of 2 tests" {
		t.Errorf("profile: %q", got)
	}
	w.choose("#option", "Clients: 48")
	if got := w.count(); got != "3 rows of 11, of 1 test" {
		t.Errorf("profile and option: %q", got)
	}
	w.choose("#profile", "")
	w.choose("#option", "")
	// 150 ± 0.7 against 100 ± 0.5 is better by any test.
	w.click("[data-verdict=better]")
	for _, r := range w.all() {
		if word(r.Verdict) != "better" {
			t.Errorf("only better: %+v", r)
		}
	}
	if got := w.rowNames(); !slices.Contains(got, "Dbench 4.0 | 12 Clients | HDD: XFS") {
		t.Errorf("only better: %q", got)
	}
	if got := eval[string](w, `document.querySelector("[data-verdict=better]").getAttribute("aria-pressed")`); got != "true" {
		t.Errorf("aria-pressed %q", got)
	}
	w.choose("#search", "nothing has this name")
	w.wait(`document.querySelector("#table .count").textContent.startsWith("0 rows")`)
	if got := eval[string](w, `document.querySelector("table.rows tbody").textContent`); !strings.Contains(got, "No row is left") {
		t.Errorf("an empty table says %q", got)
	}
	w.click("#reset")
	if got := w.count(); got != "11 rows of 11, of 5 tests" {
		t.Errorf("after a reset: %q", got)
	}
	// A hidden system is in no row, no mean and no chart.
	eval[bool](w, `document.querySelector("[data-system='1']").click(), true`)
	for _, r := range w.all() {
		if r.System == "HDD: XFS" {
			t.Error("a hidden system has a row")
		}
	}
	for _, m := range w.means() {
		if m.System == "HDD: XFS" {
			t.Error("a hidden system has a mean")
		}
	}
	eval[bool](w, `document.querySelector("#t0").scrollIntoView(), true`)
	w.wait(`document.querySelector("#t0 .chart") !== null`)
	if label := eval[string](w, `document.querySelector("#t0 .chart").getAttribute("aria-label")`); !strings.Contains(label, "XFS 100.2") || strings.Contains(label, "150.0") {
		t.Errorf("the chart says %q", label)
	}
}

// The address holds the choices, and gives them back; what it cannot mean is
// passed over.
func TestHash(t *testing.T) {
	p := newPage(t, analyze.NewSet([]*result.File{made()}), Options{})
	w := open(t, p, 1280, 900)
	w.choose("#baseline", "SSD: XFS")
	w.choose("#mode", "ratio")
	eval[bool](w, `document.querySelector("#log").click(), document.querySelector("[data-system='2']").click(), document.querySelector("[data-verdict=worse]").click(), true`)
	w.choose("#profile", "Dbench 4.0")
	w.choose("#option", "Clients: 12")
	w.choose("#search", "dbench")
	w.wait(`location.hash.includes("search=dbench")`)
	w.click("th[data-key=p] button")
	w.click("th[data-key=p] button")
	hash := eval[string](w, `location.hash`)
	got, err := url.ParseQuery(strings.TrimPrefix(hash, "#?"))
	if err != nil {
		t.Fatal(err)
	}
	want := url.Values{
		"baseline": {"SSD: XFS"}, "mode": {"ratio"}, "log": {"1"}, "hide": {"2"}, "search": {"dbench"},
		"profile": {"Dbench 4.0"}, "verdict": {"worse"}, "option": {"Clients: 12"}, "sort": {"-p"},
	}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("the address has %v, want %v", got, want)
	}
	names, count := w.rowNames(), w.count()

	// The same address in a new tab.
	path := eval[string](w, `decodeURIComponent(location.pathname)`)
	again := openFile(t, path, 1280, 900)
	again.do(chromedp.Navigate((&url.URL{Scheme: "file", Path: path}).String() + hash))
	again.do(chromedp.Navigate("about:blank"), chromedp.Navigate((&url.URL{Scheme: "file", Path: path}).String()+hash))
	if got := again.count(); got != count {
		t.Errorf("restored: %q, want %q", got, count)
	}
	if got := again.rowNames(); !slices.Equal(got, names) {
		t.Errorf("restored: %q, want %q", got, names)
	}
	controls := `[document.querySelector("#baseline").value, document.querySelector("#mode").value, document.querySelector("#log").checked, document.querySelector("#search").value, document.querySelector("#profile").value, document.querySelector("#option").value, document.querySelector("[data-system='2']").checked, document.querySelector("th[data-key=p]").getAttribute("aria-sort")].join("|")`
	if got := eval[string](again, controls); got != "SSD: XFS|ratio|true|dbench|Dbench 4.0|Clients: 12|false|descending" {
		t.Errorf("controls restored: %s", got)
	}
	if got := eval[string](again, `location.hash`); got != hash {
		t.Errorf("the address became %q", got)
	}
	// Going to a part of the page keeps the choices.
	again.click(`nav a[href="#methods"]`)
	if got := eval[string](again, `location.hash`); got != hash {
		t.Errorf("after a jump the address is %q", got)
	}
	for _, odd := range []string{"#?baseline=nobody&hide=99,x,-1&verdict=fine&sort=constructor&mode=x&profile=q&option=z", "#?%", "#nowhere"} {
		again.do(chromedp.Navigate("about:blank"), chromedp.Navigate((&url.URL{Scheme: "file", Path: path}).String()+odd))
		if got := again.count(); got != "11 rows of 11, of 5 tests" {
			t.Errorf("%s: %q", odd, got)
		}
	}
}

// Only rows in view are elements, whatever their number, and all of them can be
// scrolled to; charts are made near the window.
func TestLarge(t *testing.T) {
	set := analyze.NewSet([]*result.File{large(200, 5)})
	w := open(t, newPage(t, set, Options{}), 1280, 900)
	if got := w.count(); got != "800 rows of 800, of 200 tests" {
		t.Errorf("count %q", got)
	}
	if n := eval[int](w, `document.querySelectorAll("table.rows tbody tr").length`); n > 40 {
		t.Errorf("%d rows are elements", n)
	}
	if n := eval[int](w, `document.querySelectorAll("canvas").length`); n > 12 {
		t.Errorf("%d charts are drawn", n)
	}
	seen := eval[int](w, `(async () => {
		const box = document.querySelector(".rows-box"), seen = new Set();
		const frame = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
		for (let y = 0; y < box.scrollHeight; y += box.clientHeight - 80) {
			box.scrollTop = y; await frame();
			for (const tr of box.querySelectorAll("tr[data-row]")) seen.add(tr.dataset.row);
		}
		return seen.size; })()`)
	if seen != 800 {
		t.Errorf("%d rows were seen in scrolling", seen)
	}
	last := eval[string](w, `[...document.querySelectorAll("tr[data-row]")].pop().getAttribute("aria-rowindex")`)
	if last != "801" {
		t.Errorf("the last row has aria-rowindex %s", last)
	}
	// Through all charts: those far away are let go.
	eval[bool](w, `(async () => { for (let y = 0; y < document.body.scrollHeight; y += 4000) { scrollTo(0, y); await new Promise((r) => setTimeout(r, 10)); }
		document.querySelector("#t199").scrollIntoView(); return true; })()`) // steps may end short of it, as heights change on the way
	w.wait(`document.querySelector("#t199 canvas") !== null`)
	if n := eval[int](w, `document.querySelectorAll("canvas").length`); n > 60 {
		t.Errorf("%d charts stay drawn", n)
	}
}

// A value says where it was read, by pointer and by keyboard.
func TestProvenance(t *testing.T) {
	w := open(t, newPage(t, analyze.NewSet([]*result.File{made()}), Options{}), 1280, 900)
	w.choose("#search", "sqlite ssd xfs")
	w.wait(`document.querySelector("#table .count").textContent.startsWith("2 rows") || document.querySelector("#table .count").textContent.startsWith("1 row")`)
	eval[bool](w, `document.querySelector("tr[data-row] .c-value button").focus(), true`)
	tip := eval[string](w, `document.querySelector("#tip").hidden ? "" : document.querySelector("#tip").innerText`)
	for _, want := range []string{"SSD: XFS", "made.txt:33:3", "rule text/bar-row", "inferred", "no standard error"} {
		if !strings.Contains(tip, want) {
			t.Errorf("%q is not in the tip %q", want, tip)
		}
	}
	eval[bool](w, `document.activeElement.blur(), true`)
	if !eval[bool](w, `document.querySelector("#tip").hidden`) {
		t.Error("the tip stays")
	}
	// The same stands in the table of the chart.
	eval[bool](w, `document.querySelector("#t2").scrollIntoView(), true`)
	w.wait(`document.querySelector("#t2 details") !== null`)
	eval[bool](w, `(document.querySelector("#t2 details").open = true)`)
	w.wait(`document.querySelector("#t2 .read") !== null`)
	if text := eval[string](w, `document.querySelector("#t2 details").textContent`); !strings.Contains(text, "made.txt:33:3, rule text/bar-row, inferred") || !strings.Contains(text, "failed: timeout") {
		t.Errorf("the values say %q", text)
	}
}

// A policy that stops nothing would pass the other tests: a script that is not
// the page's own must not run.
func TestPolicyHolds(t *testing.T) {
	w := open(t, newPage(t, analyze.NewSet([]*result.File{made()}), Options{}), 1280, 900)
	w.silent()
	eval[bool](w, `(() => {
		const s = document.createElement("script"); s.textContent = "window.ran = 1"; document.head.append(s);
		const d = document.createElement("div"); d.innerHTML = "<img src=x onerror='window.ran = 2'><a id=evil href='javascript:window.ran=3'>x</a><p style='color:red'>"; document.body.append(d);
		document.querySelector("#evil").click();
		setTimeout("window.ran = 4", 0);
		return true; })()`)
	eval[bool](w, `new Promise((done) => setTimeout(() => done(true), 100))`)
	if ran := eval[string](w, `String(window.ran)`); ran != "undefined" {
		t.Errorf("script %s ran", ran)
	}
	said := strings.Join(w.heard(), "\n")
	for _, want := range []string{"script-src-elem", "script-src-attr", "style-src-attr", "script-src eval"} {
		if !strings.Contains(said, want) {
			t.Errorf("nothing was stopped by %s: %s", want, said)
		}
	}
	w.heard()
}

// axe finds nothing serious, in light and dark, wide and narrow.
func TestAccessible(t *testing.T) {
	axe, err := os.ReadFile("testdata/axe/axe.min.js")
	if err != nil {
		t.Fatal(err)
	}
	for _, scheme := range []string{"light", "dark"} {
		for _, width := range []int64{1280, 390} {
			t.Run(fmt.Sprint(scheme, width), func(t *testing.T) {
				w := open(t, newPage(t, analyze.NewSet([]*result.File{made()}), Options{}), width, 900, media("prefers-color-scheme", scheme))
				eval[bool](w, `document.querySelector("#t0").scrollIntoView(), true`)
				w.wait(`document.querySelector("#t0 canvas") !== null`)
				eval[bool](w, `document.querySelectorAll("details").forEach((d) => { d.open = true; }), document.querySelector("[data-verdict=better]").click(), document.querySelector("[data-verdict=worse]").click(), true`)
				eval[bool](w, string(axe)+"; true")
				report := eval[struct {
					Found    []string
					Contrast int
				}](w, `axe.run(document).then((r) => ({
					Found: r.violations.filter((v) => v.impact !== "minor").map((v) => v.id + " (" + v.impact + "): " + v.nodes.slice(0, 3).map((n) => n.html.slice(0, 160) + " " + n.failureSummary).join(" // ")),
					Contrast: r.passes.filter((p) => p.id === "color-contrast").reduce((n, p) => n + p.nodes.length, 0),
				}))`)
				for _, f := range report.Found {
					t.Error(f)
				}
				if report.Contrast < 20 {
					t.Errorf("axe looked at the contrast of %d elements", report.Contrast)
				}
				w.heard() // axe makes elements with styles to measure
			})
		}
	}
}

// TestNarrowNumbers: no number of the table of tests is broken into two lines,
// nor does one stand beyond its column.
func TestNarrowNumbers(t *testing.T) {
	for _, width := range []int64{1280, 1000} {
		w := open(t, newPage(t, sample(t, "ssd-vs-zfs-hdds.flat"), Options{}), width, 900)
		w.wait(`document.querySelectorAll("tr[data-row] .c-p").length > 3`)
		got := eval[string](w, `[...document.querySelectorAll("tr[data-row] .c-p")].filter(e => {
			const r = document.createRange(); r.selectNodeContents(e);
			return r.getClientRects().length > 1 || e.scrollWidth > e.clientWidth + 1;
		}).map(e => e.innerText).join(" ")`)
		if got != "" {
			t.Errorf("%d px: broken or cut: %s", width, got)
		}
	}
}

// TestNarrowHeadings: the headings of the overall table take three lines at most
// in a window that is not wide, and the page does not get wider than it.
func TestNarrowHeadings(t *testing.T) {
	for _, width := range []int64{1280, 1000, 800} {
		w := open(t, newPage(t, sample(t, "ssd-vs-zfs-hdds.flat"), Options{}), width, 900)
		w.wait(`document.querySelectorAll("#overall thead th").length === 8`)
		got := eval[string](w, `[...document.querySelectorAll("#overall thead th")].filter(e => {
			const r = document.createRange(); r.selectNodeContents(e);
			return new Set([...r.getClientRects()].map(b => Math.round(b.top / 4))).size > 3;
		}).map(e => e.innerText).join(", ")`)
		if got != "" {
			t.Errorf("%d px: more than three lines: %s", width, got)
		}
		if over := eval[int](w, `document.documentElement.scrollWidth - document.documentElement.clientWidth`); over > 0 {
			t.Errorf("%d px: the page is %d px wider", width, over)
		}
	}
}
