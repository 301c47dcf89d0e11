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
