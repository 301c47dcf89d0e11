package html

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/benchproof/benchproof/parse/internal/oracle"
	"github.com/benchproof/benchproof/result"
)

// The viewer's pages against the XML of the same results.
func TestViewer(t *testing.T) {
	for _, c := range []struct {
		page, xml string
		values    int
	}{
		{"local-viewer-usap-disk", "usap-disk", 11},
		{"local-viewer-ub-sqlite-20sys", "ub-sqlite-20sys", 140},
		{"local-viewer-gen-monitor", "gen-monitor-linegraph", 4},
	} {
		t.Run(c.page, func(t *testing.T) {
			doc, got := one(t, c.page, load(t, oracle.Shared(t, "corpus", "site", c.page+".html")))
			sound(t, doc, got)
			if got.Format != result.FormatViewer {
				t.Errorf("format %q", got.Format)
			}
			want := oracle.XML(t, oracle.Shared(t, "corpus", "real", c.xml, "composite.xml"))
			o := pageOptions
			var tally oracle.Tally
			// Components stand at one of the systems that share them.
			o.Tally, o.SkipComponents = &tally, true
			for _, line := range oracle.Diff(got, want, o) {
				if c.xml == "gen-monitor-linegraph" && strings.Contains(line, `missing, want "100.00,`) {
					continue // a line that the graph leaves out
				}
				t.Error(line)
			}
			if tally.Exact < c.values || tally.WrongExact+tally.WrongInferred > 0 {
				t.Errorf("%v, want %d exact", tally, c.values)
			}
			for i := range got.Systems {
				s := &got.Systems[i]
				if len(s.Hardware) == 0 {
					continue
				}
				w := want.Systems[want.SystemIndex(s.Identifier)]
				if d := cmp.Diff(w.Hardware, s.Hardware) + cmp.Diff(w.Software, s.Software); d != "" {
					t.Errorf("%q: %s", s.Identifier, d)
				}
			}
			if !strings.HasPrefix(got.Generator, "Phoronix Test Suite v10.8") {
				t.Errorf("generator %q", got.Generator)
			}
		})
	}
}

func TestViewerErrors(t *testing.T) {
	doc, f := one(t, "page", load(t, oracle.Shared(t, "corpus", "site", "local-viewer-mac-debian-3sys-err.html")))
	sound(t, doc, f)
	test := f.Tests[0]
	if test.Title != "Parboil" || test.Arguments != "Test: OpenMP CUTCP" || len(test.Measurements) != 3 {
		t.Fatalf("%q, %q, %d measurements", test.Title, test.Arguments, len(test.Measurements))
	}
	for i, m := range test.Measurements {
		if m.System != i || m.Status != result.StatusFailed || !strings.Contains(m.Reason, "E: /usr/bin/env: ‘python’: No such file or directory") {
			t.Errorf("%+v", m)
		}
	}
	if len(f.Systems) != 3 || f.Title != "debian workstation" {
		t.Errorf("%d systems, title %q", len(f.Systems), f.Title)
	}
}

func TestViewerByHand(t *testing.T) {
	graph := func(arguments, body string) string { // without headings of its own
		return strings.Replace(drawGraph("X", arguments, body), "<h2>X</h2><h3>"+arguments+"</h3>", "", 1)
	}
	_, f := one(t, "page", `<h1 id="result_file_title">T</h1><p id="result_file_desc">D</p><div class="print_notes"><h2>A</h2>`+
		`<p><strong>Processor:</strong> P, 2 GHz, Display <strong>Driver:</strong> x</p><h2>B</h2>`+
		`<p><strong>OS:</strong> L</p><p class="mini"><em><strong>Kernel Notes:</strong> quiet<br /></em></p></div>`+
		`<div id="results"><section><h2>X</h2><p class="mini">about</p>`+graph("y", drawBars("A|12.35|0.10, N = 3", "B|1.00"))+
		`</section><section>`+graph("z", drawBars("B|7"))+`</section>`+
		`<section><h2>Y</h2><p><strong>args</strong></p><p class="test_error"><strong>A:</strong> E: no<br /></p></section></div>`+
		`<div id="footer">Phoronix Test Suite 10.8.6 - Generated</div>`)
	var got []string
	for _, test := range f.Tests {
		for _, m := range test.Measurements {
			got = append(got, strings.Join([]string{
				test.Title, test.Version, test.Arguments, f.Systems[m.System].Identifier, m.Value, m.StdError, m.Reason, m.Decode.String(),
			}, "|"))
		}
	}
	want := []string{
		"X|1.0|y|A|12.35|0.10||exact", "X|1.0|y|B|1.00|||exact", "X|1.0|z|B|7|||exact", "Y||args|A|||E: no|exact",
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	a, b := f.Systems[0], f.Systems[1]
	if d := cmp.Diff([]result.Component{{Key: "Processor", Value: "P, 2 GHz"}}, a.Hardware); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff([]result.Component{{Key: "Display Driver", Value: "x"}}, a.Software); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff([]result.Component{{Key: "Kernel", Value: "quiet"}}, b.Notes); d != "" {
		t.Error(d)
	}
	if f.Description != "D" || f.Generator != "Phoronix Test Suite v10.8.6" {
		t.Errorf("%q, %q", f.Description, f.Generator)
	}
}
