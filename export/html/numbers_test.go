package html

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"

	"github.com/benchproof/benchproof/analyze"
	"github.com/benchproof/benchproof/export"
	"github.com/benchproof/benchproof/result"
)

// compareJSON is what the test reads of compare --json.
type compareJSON struct {
	Rows []struct {
		Test, Version, Arguments, Scale, Baseline, System, Value, Verdict, Reason string
		BaselineValue                                                             string `json:"baseline_value"`
		Ratio                                                                     *float64
		Low                                                                       *float64 `json:"ratio_low"`
		High                                                                      *float64 `json:"ratio_high"`
		PAdjusted                                                                 *float64 `json:"p_adjusted"`
		StdError                                                                  *float64 `json:"std_error"`
		Runs                                                                      *int     `json:"runs_needed"`
	}
	Overall []struct {
		Baseline, System, Verdict string
		Tests, Tested             int
		Ratio                     *float64
		OverTests                 struct{ Low, High *float64 } `json:"over_tests"`
		ByProfile                 *float64                     `json:"ratio_by_profile"`
		Wins, Losses, Even        int
	}
}

// rankJSON is what the test reads of rank --json.
type rankJSON struct {
	Tests []struct {
		Test, Version, Arguments, Scale string
		Rows                            []rankedJSON
	}
	Overall []struct {
		Group string `json:"system_group"`
		Rows  []rankedJSON
	}
}

type rankedJSON struct {
	System, Letters string
	Rank            *int
	Low             *int     `json:"rank_low"`
	High            *int     `json:"rank_high"`
	MeanRank        *float64 `json:"mean_rank"`
}

func compareOf(t *testing.T, set *analyze.Set, o analyze.CompareOptions) compareJSON {
	t.Helper()
	c, err := analyze.Compare(set, o)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := export.WriteCompareJSON(&b, c); err != nil {
		t.Fatal(err)
	}
	var doc compareJSON
	if err := json.Unmarshal(b.Bytes(), &doc); err != nil {
		t.Fatal(err)
	}
	return doc
}

func ranksOf(t *testing.T, set *analyze.Set) rankJSON {
	t.Helper()
	r, err := analyze.Rank(set)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := export.WriteRankJSON(&b, r); err != nil {
		t.Fatal(err)
	}
	var doc rankJSON
	if err := json.Unmarshal(b.Bytes(), &doc); err != nil {
		t.Fatal(err)
	}
	return doc
}

// shows reports whether text is x rounded to the places that text has. JSON has
// ten digits of x.
func shows(text string, x *float64) bool {
	if x == nil {
		return text == ""
	}
	if text == "<0.0001" {
		return *x < 0.0001
	}
	v, ok := result.ParseNumber(text)
	return ok && math.Abs(v-*x) <= result.HalfUnit(text)+1e-9*math.Abs(*x)
}

func showsInterval(text string, low, high *float64) bool {
	a, b, ok := strings.Cut(text, " to ")
	if low == nil || high == nil {
		return text == ""
	}
	if *low > 0 && *high / *low > 100 {
		// Two digits of each, whatever their size.
		two := func(text string, x float64) bool {
			v, ok := result.ParseNumber(text)
			return ok && math.Abs(v-x) <= (0.5+1e-9)*math.Pow(10, math.Floor(math.Log10(x))-1)
		}
		return ok && two(a, *low) && two(b, *high)
	}
	return ok && shows(a, low) && shows(b, high)
}

// The check itself must be able to fail.
func TestShows(t *testing.T) {
	x, small := 0.271186, 0.00002
	for _, test := range []struct {
		text string
		x    *float64
		want bool
	}{
		{"0.271", &x, true},
		{"0.27", &x, true},
		{"0.272", &x, false},
		{"0.2711", &x, false},
		{"", &x, false},
		{"", nil, true},
		{"1", nil, false},
		{"<0.0001", &small, true},
		{"<0.0001", &x, false},
	} {
		if got := shows(test.text, test.x); got != test.want {
			t.Errorf("shows(%q) = %v", test.text, got)
		}
	}
}

// shownRow is a row as the page's table has it, as text.
type shownRow struct {
	Test, Scale, Arguments, Baseline, System, Value, SE, Ratio, Interval, P, Verdict, Rank, Letters, N, Reason string
}

type shownMean struct {
	System, Ratio, Interval, ByProfile, Tests, Wins, Verdict string
}

const textOf = `const text = (e) => e ? e.textContent.trim() : "";`

// all returns every row of the table: in a window so high, all are in view.
func (w *tab) all() []shownRow {
	w.t.Helper()
	return eval[[]shownRow](w, `(async () => { `+textOf+`
		const box = document.querySelector(".rows-box");
		box.style.maxHeight = "none";
		box.style.height = "1000000px";
		box.dispatchEvent(new Event("scroll"));
		await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
		return [...document.querySelectorAll("table.rows tbody tr[data-row]")].map(readRow);
		function readRow(tr) { const at = (s) => text(tr.querySelector(s)); return {
			Test: at(".c-test b"), Scale: at(".unit").replace(/(, )?(more is better|less is better|better direction unknown)$/, ""), Arguments: tr.querySelector(".args").title, Baseline: at(".c-baseline button"), System: at(".c-system"),
			Value: at(".c-value button"), SE: at(".se").replace("± ", ""), Ratio: at(".ratio"), Interval: at(".interval"), P: at(".c-p"),
			Verdict: at(".c-verdict .verdict"), Rank: at(".c-rank").replace(/\s+[a-z]+$/, ""), Letters: at(".letters") }; }
	})()`)
}

func (w *tab) means() []shownMean {
	w.t.Helper()
	return eval[[]shownMean](w, `(() => { `+textOf+`
		return [...document.querySelectorAll("#overall tbody tr")].map((tr) => { const c = [...tr.cells]; return { System: text(c[0]), Ratio: text(c[1]), Interval: text(c[2]), ByProfile: text(c[4]), Tests: text(c[5]), Wins: text(tr.querySelector(".wins")), Verdict: text(tr.querySelector(".verdict")) }; });
	})()`)
}

// word returns a verdict without its sign.
func word(text string) string {
	if i := strings.LastIndexByte(text, ' '); i >= 0 {
		return text[i+1:]
	}
	return text
}

func value(text string) string {
	text = strings.TrimRight(text, "~?")
	if text == "none" || strings.HasSuffix(text, " points") || strings.Contains(text, ",") {
		return ""
	}
	return text
}

// checkRows holds rows of the page against those of compare --json.
func checkRows(t *testing.T, got []shownRow, want compareJSON, ranks rankJSON) {
	t.Helper()
	if len(got) < len(want.Rows) {
		t.Fatalf("%d rows on the page, want %d", len(got), len(want.Rows))
	}
	type key struct{ test, arguments, scale, system string }
	places := map[key]rankedJSON{}
	for _, test := range ranks.Tests {
		for _, r := range test.Rows {
			places[key{strings.TrimSpace(test.Test + " " + test.Version), test.Arguments, test.Scale, r.System}] = r
		}
	}
	for i, w := range want.Rows {
		g := got[i]
		fail := func(what string) {
			t.Errorf("row %d, %s %s of %s: %s: page %+v, compare %+v", i, w.Test, w.Arguments, w.System, what, g, w)
		}
		title := strings.TrimSpace(w.Test + " " + w.Version)
		switch {
		case g.Test != title || g.Scale != w.Scale:
			fail("test")
		case g.System != w.System:
			fail("system")
		case value(g.Value) != w.Value || g.Baseline != "" && value(g.Baseline) != w.BaselineValue:
			fail("values")
		case !shows(g.SE, w.StdError):
			fail("standard error")
		case !shows(g.Ratio, w.Ratio):
			fail("ratio")
		case !showsInterval(g.Interval, w.Low, w.High):
			fail("interval")
		case !shows(g.P, w.PAdjusted):
			fail("adjusted p")
		case word(g.Verdict) != w.Verdict:
			fail("verdict")
		}
		if strings.Contains(w.System, " [") {
			continue // a side of an axis, which is no system of a ranking
		}
		r := places[key{title, g.Arguments, w.Scale, w.System}]
		if g.Rank != rankOf(r) || g.Letters != r.Letters {
			t.Errorf("row %d, %s %s of %s: rank %q %q, want %q %q", i, w.Test, w.Arguments, w.System, g.Rank, g.Letters, rankOf(r), r.Letters)
		}
	}
}

func rankOf(r rankedJSON) string {
	switch {
	case r.Rank == nil:
		return ""
	case r.Low == nil || *r.Low == *r.High:
		return fmt.Sprint(*r.Rank)
	}
	return fmt.Sprintf("%d (%d to %d)", *r.Rank, *r.Low, *r.High)
}

func checkMeans(t *testing.T, got []shownMean, want compareJSON) {
	t.Helper()
	if len(got) != len(want.Overall) {
		t.Fatalf("%d means on the page, want %d", len(got), len(want.Overall))
	}
	for i, w := range want.Overall {
		g := got[i]
		low, high := w.OverTests.Low, w.OverTests.High
		wins := fmt.Sprintf("%d / %d / %d", w.Wins, w.Even, w.Losses)
		if w.Wins+w.Even+w.Losses == 0 {
			wins = "none tested"
		}
		if w.Tested == 0 {
			low, high = nil, nil
		}
		if !strings.HasPrefix(g.System, w.System) || !shows(g.Ratio, w.Ratio) || !showsInterval(g.Interval, low, high) ||
			!shows(g.ByProfile, w.ByProfile) || g.Tests != fmt.Sprint(w.Tests) || g.Wins != wins || word(g.Verdict) != w.Verdict {
			t.Errorf("mean %d: page %+v, compare %+v", i, g, w)
		}
	}
}

// Every number of the page is that of compare --json with the same baseline and
// of rank --json, whichever baseline is chosen.
func TestNumbers(t *testing.T) {
	other := made()
	other.Source = "other.txt"
	other.Tests[0].Measurements[1].Value = "140.0"
	tests := []struct {
		name string
		set  *analyze.Set
		o    analyze.CompareOptions
	}{
		{"made", analyze.NewSet([]*result.File{made()}), analyze.CompareOptions{}},
		{"margin and bh", analyze.NewSet([]*result.File{made()}), analyze.CompareOptions{Margin: 0.2, Adjust: analyze.BH, Baseline: "SSD: EXT4"}},
		{"two files", analyze.NewSet([]*result.File{made(), other}), analyze.CompareOptions{Baseline: "made.txt"}},
		{"component", analyze.NewSet([]*result.File{made()}), analyze.CompareOptions{By: "File-System"}},
		{"option", analyze.NewSet([]*result.File{made()}), analyze.CompareOptions{By: "Clients"}},
		{"with errors", sample(t, "f2fs-xfs-ext4-hdd-ssd.flat"), analyze.CompareOptions{}},
		{"without errors", sample(t, "ssd-vs-zfs-hdds.flat"), analyze.CompareOptions{}},
		{"many systems", sample(t, "linux-5.14-filesystems"), analyze.CompareOptions{}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			p := newPage(t, test.set, Options{Compare: test.o})
			w := open(t, p, 1280, 900)
			ranks := ranksOf(t, test.set)
			if len(p.comparisons) < 2 {
				t.Fatalf("%d baselines", len(p.comparisons))
			}
			for i := range p.comparisons {
				o := test.o
				o.Baseline = p.comparisons[i].name
				w.choose("#baseline", p.comparisons[i].name)
				want := compareOf(t, test.set, o)
				checkRows(t, w.all(), want, ranks)
				checkMeans(t, w.means(), want)
				if t.Failed() {
					t.Fatalf("with the baseline %q", o.Baseline)
				}
			}
		})
	}
}

// The overall ranking is that of rank --json.
func TestRanking(t *testing.T) {
	set := sample(t, "f2fs-xfs-ext4-hdd-ssd.flat")
	w := open(t, newPage(t, set, Options{}), 1280, 900)
	got := eval[[][][]string](w, `[...document.querySelectorAll("table.ranks")].map((t) => [...t.tBodies[0].rows].map((tr) => [...tr.cells].filter((c) => !c.classList.contains("wide")).map((c) => c.textContent.trim())))`)
	want := ranksOf(t, set).Overall
	if len(got) != len(want) || len(want) != 2 {
		t.Fatalf("%d rankings, want the %d groups", len(got), len(want))
	}
	for i, g := range want {
		if len(got[i]) != len(g.Rows) {
			t.Fatalf("%s: %d rows, want %d", g.Group, len(got[i]), len(g.Rows))
		}
		for n, r := range g.Rows {
			row := got[i][n]
			if row[0] != r.System || row[1] != rankOf(r) || !shows(row[2], r.MeanRank) || row[3] != r.Letters {
				t.Errorf("%s: got %q, want %+v", g.Group, row, r)
			}
		}
	}
}

// Without the script the page has the same numbers.
func TestWithoutScript(t *testing.T) {
	set := sample(t, "f2fs-xfs-ext4-hdd-ssd.flat")
	w := open(t, newPage(t, set, Options{}), 1280, 900, chromedp.Func(func(ctx context.Context, _ *chromedp.Target) error {
		_, err := chromedp.Call(ctx, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true})
		return err
	}))
	want := compareOf(t, set, analyze.CompareOptions{})
	if n := eval[int](w, `document.querySelectorAll("noscript table.plain").length`); n != len(set.Tests) {
		t.Fatalf("%d tables of tests, want %d", n, len(set.Tests))
	}
	if visible := eval[[]string](w, `[...document.querySelectorAll(".js")].filter((e) => e.offsetParent !== null).map((e) => e.id)`); len(visible) > 0 {
		t.Errorf("controls that do nothing are shown: %q", visible)
	}
	if n := eval[int](w, `document.querySelectorAll("#overall svg.plot .m").length + document.querySelectorAll(".cd svg .drop").length`); n < len(want.Overall)+2 {
		t.Errorf("%d marks drawn", n)
	}
	checkMeans(t, w.means(), want)
	got := eval[[]shownRow](w, `(() => { `+textOf+` const list = [];
		for (const table of document.querySelectorAll("noscript table.plain")) {
			let h = table; while (h.tagName !== "H3") h = h.previousElementSibling || h.parentElement;
			for (const tr of table.tBodies[0].rows) { const c = [...tr.cells].map(text);
				if (c[7] === "baseline") continue;
				list.push({ Test: text(h), Scale: text(h.nextElementSibling.querySelector(".dim")).replace(/(, )?(more is better|less is better|better direction unknown).*$/, ""), Arguments: h.nextElementSibling.firstChild.nodeType === 3 ? h.nextElementSibling.firstChild.data : "", System: c[0], Value: c[1], SE: c[2], N: c[3], Ratio: c[4], Interval: c[5], P: c[6], Verdict: c[7], Rank: c[8], Letters: c[9], Reason: c[10] }); }
		} return list; })()`)
	var rows []shownRow
	for _, g := range got {
		if g.Verdict != "" {
			rows = append(rows, g)
		}
	}
	checkRows(t, rows, want, ranksOf(t, set))
}
