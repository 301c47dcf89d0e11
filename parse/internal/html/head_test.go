package html

import (
	"fmt"
	"strings"
	"testing"

	"github.com/benchproof/benchproof/result"
)

func TestHeads(t *testing.T) {
	tests := []struct {
		name, title, arguments string // of the headings
		graphTitle, subtitle   string // of the drawing, escaped
		want                   result.Test
	}{
		{"plain", "SQLite", "Threads: 1", "SQLite 3.41.2", "Threads: 1", result.Test{Title: "SQLite", Version: "3.41.2", Arguments: "Threads: 1"}},
		{"no version", "Pjdfstest", "", "Pjdfstest", "", result.Test{Title: "Pjdfstest"}},
		{"digits in the title", "7-Zip Compression 9", "x", "7-Zip Compression 9 16.02", "x", result.Test{Title: "7-Zip Compression 9", Version: "16.02", Arguments: "x"}},
		{"escaped", "a &amp; b", "c &lt; d", "a &amp; b 1", "c &lt; d", result.Test{Title: "a & b", Version: "1", Arguments: "c < d"}},
		{"not escaped", "a & <b>b</b>", "c < d && e", "a &amp; &lt;b&gt;b&lt;/b&gt; 1", "c &lt; d &amp;&amp; e", result.Test{Title: "a & <b>b</b>", Version: "1", Arguments: "c < d && e"}},
		{"an entity meant as text", "a &amp; b", "x", "a &amp;amp; b 1", "x", result.Test{Title: "a &amp; b", Version: "1", Arguments: "x"}},
		{"a script", "T <script>alert(1)</script> x", "y", "T &lt;script&gt;alert(1)&lt;/script&gt; x 2", "y", result.Test{Title: "T <script>alert(1)</script> x", Version: "2", Arguments: "y"}},
		{"lines", "T", "a | b", "T 1", `a</text><text x="6" y="44" font-size="11" font-weight="bold" text-anchor="start">b`, result.Test{Title: "T", Version: "1", Arguments: "a | b"}},
		{"another title", "Other", "y", "T 1", "y", result.Test{Title: "T 1", Arguments: "y", HeadDecode: result.DecodeInferred}},
		{"other arguments", "T", "y", "T 1", "z", result.Test{Title: "T", Version: "1", Arguments: "z", HeadDecode: result.DecodeInferred}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			body := drawGraph("X", "Y", drawBars("A|1"))
			body = strings.NewReplacer("<h2>X<", "<h2>"+test.title+"<", "<h3>Y<", "<h3>"+test.arguments+"<",
				">X 1.0<", ">"+test.graphTitle+"<", ">Y<", ">"+test.subtitle+"<").Replace(body)
			_, f := one(t, "page", pageOf(drawTable([]string{"A"}, "", "OS|Linux"), body))
			got := f.Tests[0]
			if got.Title != test.want.Title || got.Version != test.want.Version || got.Arguments != test.want.Arguments || got.HeadDecode != test.want.HeadDecode {
				t.Errorf("got %q, %q, %q, %v", got.Title, got.Version, got.Arguments, got.HeadDecode)
			}
			if mismatch := len(f.Diagnostics) > 0; mismatch != (test.want.HeadDecode != result.DecodeExact) {
				t.Errorf("diagnostics %v", f.Diagnostics)
			}
		})
	}
}

func TestScales(t *testing.T) {
	tests := []struct {
		text, scale string
		proportion  result.Proportion
	}{
		{"MB/s, More Is Better", "MB/s", result.HIB},
		{"Seconds, Fewer Is Better", "Seconds", result.LIB},
		{"Score, Geo Mean, More Is Better", "Score, Geo Mean", result.HIB},
		{"More Is Better", "", result.HIB},
		{"Seconds, Lower Is Better", "Seconds", result.LIB},
		{"Seconds", "Seconds", result.ProportionUnknown},
		{"Beauty, Purple Is Better", "Beauty, Purple Is Better", result.ProportionUnknown},
	}
	for _, test := range tests {
		if scale, p := splitScale(test.text); scale != test.scale || p != test.proportion {
			t.Errorf("%q: got %q, %q", test.text, scale, p)
		}
	}
}

// isNumber is a faster result.ParseNumber.
func TestIsNumber(t *testing.T) {
	for _, text := range []string{
		"", "0", "12", "1.5", ".5", "5.", ".", "-1", "+1.5", "-", "1.2.3", "1e5", "1E-5", "1e", "e5", "1,5", "1K", "NaN", "inf", "0x1", "1_0",
		"１", "1 ", " 1", "99999999999999999999999999999999999999", "1e999", strings.Repeat("9", 400), strings.Repeat("9", 30) + ".5.5",
	} {
		if _, want := result.ParseNumber(text); isNumber(text) != want {
			t.Errorf("%q: got %v, want %v", text, !want, want)
		}
	}
}

func TestSameNumber(t *testing.T) {
	tests := []struct {
		a, b string
		want bool
	}{
		{"274", "274.00", true},
		{"1.5e-05", "0.0000150", true},
		{"0", "0.00", true},
		{"-0", "0", true},
		{"+1", "1", true},
		{"007", "7", true},
		{"100", "1e2", true},
		{"100", "10", false},
		{"-1", "1", false},
		{"9007199254740993", "9007199254740992", false},
		{"0.1", "0.10000000000000001", false},
	}
	for _, test := range tests {
		if sameNumber(test.a, test.b) != test.want || sameNumber(test.b, test.a) != test.want {
			t.Errorf("%s and %s: want %v", test.a, test.b, test.want)
		}
	}
}

func TestShortened(t *testing.T) {
	tests := []struct {
		label, arguments string
		want             bool
	}{
		{"", "", true},
		{"Rand Read - Linux AIO - 4KB", "Type: Random Read - IO Engine: Linux AIO - Block Size: 4KB", true},
		{"LargeRand", "Test: LargeRandom", true},
		{"12 Clients", "12 Clients", true},
		{"Rand Read", "Type: Random Write", false},
		{"Rand Read - 4KB", "Type: Random Read", false},
		{"Rand Read", "Type: Random Read - Block Size: 4KB", false},
		{"Random Read", "Type: Rand Read", false},
		{"", "Type: Random Read", false},
		{"x", "", false},
	}
	for _, test := range tests {
		if shortened(test.label, test.arguments) != test.want {
			t.Errorf("%q of %q: want %v", test.label, test.arguments, test.want)
		}
	}
}

func TestSystemsTable(t *testing.T) {
	page := pageOf(strings.Replace(drawTable([]string{"A", "B", "C"}, "",
		"Processor|P1|P2*2", "Disk|D*2|", "OS|Linux*3", "Screen Resolution|1x1*2|2x2", "Odd|o||"),
		"</svg>", `<text x="6" y="200" style="font-weight: bold" text-anchor="start">Disk Details</text>`+
			`<text x="6" y="210" text-anchor="start">- A: NONE / rw</text><text x="6" y="220" text-anchor="start">- C: CFQ / ro</text>`+
			`<text x="6" y="230" style="font-weight: bold" text-anchor="start">Processor Details</text>`+
			`<text x="6" y="240" text-anchor="start"><tspan x="6" y="240">- Scaling: </tspan><tspan x="6" y="240">on </tspan></text></svg>`, 1))
	_, f := one(t, "page", page)
	want := []string{
		"A | Processor=P1 Disk=D | OS=Linux Screen Resolution=1x1 Odd=o | Disk=NONE / rw Processor=Scaling: on | []",
		"B | Processor=P2 Disk=D | OS=Linux Screen Resolution=1x1 | Processor=Scaling: on | [Disk OS Screen Resolution]",
		"C | Processor=P2 | OS=Linux Screen Resolution=2x2 | Disk=CFQ / ro Processor=Scaling: on | [Processor OS]",
	}
	text := func(list []result.Component) string {
		var parts []string
		for _, c := range list {
			parts = append(parts, c.Key+"="+c.Value)
		}
		return strings.Join(parts, " ")
	}
	for i, s := range f.Systems {
		got := fmt.Sprintf("%s | %s | %s | %s | %v", s.Identifier, text(s.Hardware), text(s.Software), text(s.Notes), s.InheritedKeys)
		if got != want[i] {
			t.Errorf("got  %s\nwant %s", got, want[i])
		}
	}
	if len(f.Systems) != 3 || len(f.Diagnostics) != 1 || f.Diagnostics[0].Code != "no-tests" || f.Diagnostics[0].Origin.Line != 1 {
		t.Errorf("%d systems, diagnostics %v", len(f.Systems), f.Diagnostics)
	}
}

// Groups of unequal breadth stand above the middles of their columns.
func TestSystemGroups(t *testing.T) {
	group := func(x int, name string) string { return fmt.Sprintf(`<text x="%d" y="14">%s</text>`, x, name) }
	head := func(texts string) string { return `<g font-weight="bold" text-anchor="middle">` + texts + `</g>` }
	columns := []string{" a", " b", " c", "d"}
	names := func(groups string) string {
		_, f := one(t, "page", pageOf(drawTable(columns, head(groups), "OS|Linux*4")))
		var names []string
		for _, s := range f.Systems {
			names = append(names, s.Identifier)
		}
		return strings.Join(names, ", ")
	}
	if got, want := names(group(250, "G")+group(450, "H")), "G: a, G: b, G: c, H:d"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	// A group that stands above no whole number of columns names none.
	if got, want := names(group(230, "G")+group(450, "H")), "a, b, c, d"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestHeader(t *testing.T) {
	page := strings.Replace(pageOf(drawTable([]string{"A"}, "", "OS|Linux")), "<p>D</p>",
		`<p>a <i>b</i></p><p>HTML result view exported from: <a href="https://openbenchmarking.org/result/2207101-SYN-02?x=1">there</a>.</p>`, 1)
	_, f := one(t, "page", page)
	if f.Title != "T" || f.Description != "a <i>b</i>" || f.URL != "https://openbenchmarking.org/result/2207101-SYN-02?x=1" ||
		f.Identifier != "2207101-SYN-02" || f.Generator != "Phoronix Test Suite v10.8.4" || f.Format != result.FormatHTML || f.Source != "page" {
		t.Errorf("got %+v", f)
	}
}
