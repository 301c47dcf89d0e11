package html

import (
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"

	"github.com/benchproof/benchproof/analyze"
	"github.com/benchproof/benchproof/result"
)

// FuzzPage: whatever a record says, the page has the elements of any page and
// none of the record's making: no script, handler or address.
func FuzzPage(f *testing.F) {
	for i, s := range hostile {
		if len(s) < 200 {
			f.Add(s, hostile[(i+3)%20], "1.5", "2.5")
		}
	}
	f.Add("</sCRIPT ><scRipt>", "\x00<\x00script>", "1e308", "5e-324")
	f.Fuzz(func(t *testing.T, text, name, one, two string) {
		file := &result.File{Title: text, Description: name, Source: name, URL: text, Identifier: text, Generator: text}
		for _, s := range []string{name, text + "B"} {
			file.Systems = append(file.Systems, result.System{Identifier: s, Hardware: []result.Component{{Key: text, Value: name}}, Notes: []result.Component{{Key: "x", Value: text}}})
		}
		result.SetGroups(file.Systems)
		o := result.Origin{Source: name, Line: 1, Column: 1, Rule: text}
		file.Tests = []result.Test{{
			Title: text, Version: name, Arguments: text, Options: result.ParseOptions(text), Scale: name, Proportion: result.HIB, Footnotes: []string{text},
			Measurements: []result.Measurement{
				{System: 0, Value: one, StdError: two, Samples: 3, RawValues: []string{one, two}, Origin: o},
				{System: 1, Value: two, StdError: "0.1", Samples: 3, Notes: []string{text}, Origin: o},
			},
		}}
		file.Diagnostics = []result.Diagnostic{{Severity: result.SeverityWarning, Code: text, Message: name, Origin: o}}
		p, err := New(analyze.NewSet([]*result.File{file}), Options{Generator: text, Title: name})
		if err != nil {
			t.Fatal(err)
		}
		var b strings.Builder
		if err := p.Write(&b); err != nil {
			t.Fatal(err)
		}
		doc, err := goquery.NewDocumentFromReader(strings.NewReader(b.String()))
		if err != nil {
			t.Fatal(err)
		}
		if n := doc.Find("script").Length(); n != 3 {
			t.Errorf("%d scripts, of any page there are 3", n)
		}
		doc.Find("*").Each(func(_ int, s *goquery.Selection) {
			switch goquery.NodeName(s) {
			case "iframe", "object", "embed", "img", "base", "link":
				t.Errorf("an element %s", goquery.NodeName(s))
			}
			for _, a := range s.Nodes[0].Attr {
				value := strings.ToLower(strings.TrimSpace(a.Val))
				switch {
				case strings.HasPrefix(a.Key, "on"):
					t.Errorf("%s has the handler %s=%q", goquery.NodeName(s), a.Key, a.Val)
				case (a.Key == "href" || a.Key == "src") && !strings.HasPrefix(value, "#") && value != "" && !strings.HasPrefix(value, "https://") && !strings.HasPrefix(value, "http://"):
					t.Errorf("%s has the address %q", goquery.NodeName(s), a.Val)
				}
			}
		})
		if strings.ContainsAny(b.String(), "\x00\x1b\u202e\u2066") {
			t.Error("the page has characters that hide")
		}
	})
}
