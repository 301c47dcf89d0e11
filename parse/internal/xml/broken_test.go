package xml

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/benchproof/benchproof/parse/internal/source"
	"github.com/benchproof/benchproof/result"
)

// What is not well formed costs no more than the place where it is.
func TestMalformed(t *testing.T) {
	a, b := sys("A", "x"), sys("B", "y")
	entry := func(id, value string) string {
		return "<Entry><Identifier>" + id + "</Identifier><Value>" + value + "</Value></Entry>"
	}
	for _, test := range []struct{ name, in, cells, codes string }{
		{
			name: "an entry's end tag is missing", in: doc(a + b + "<Result><Data><Entry><Identifier>A</Identifier><Value>1</Value>" + entry("B", "2") + "</Data></Result>" + res("b", "A=3")),
			cells: "A=1 B=2 | A=3", codes: "error/malformed",
		},
		{
			name: "a wrong end tag in an entry", in: doc(a + b + "<Result><Data><Entry><Identifier>A</Identifier><Value>1</Wert></Entry>" + entry("B", "2") + "</Data></Result>" + res("b", "A=3")),
			cells: "B=2 | A=3", codes: "error/malformed",
		},
		{
			name: "a wrong end tag behind the value", in: doc(a + b + "<Result><Data><Entry><Identifier>A</Identifier><Value>1</Value><JSON>{</Json></Entry>" + entry("B", "2") + "</Data></Result>"),
			cells: "A=1 B=2", codes: "error/malformed",
		},
		{
			name: "the end of Data is missing", in: doc(a + b + "<Result><Data>" + entry("A", "1") + "</Result>" + res("b", "B=2")),
			cells: "A=1 | B=2", codes: "error/malformed",
		},
		{
			name: "the end of a result is missing", in: doc(a + b + "<Result><Data>" + entry("A", "1") + "</Data>" + res("b", "B=2")),
			cells: "A=1 | B=2", codes: "error/malformed",
		},
		{
			name: "the end of an entry, Data and result are missing", in: doc(a + b + "<Result><Data><Entry><Identifier>A</Identifier><Value>1</Value>" + res("b", "B=2")),
			cells: "A=1 | B=2", codes: "error/malformed",
		},
		{
			name: "a wrong end tag in a system", in: doc("<System><Identifier>A</Identifier><User>u</Usr></System>" + b + res("a", "A=1", "B=2")),
			cells: "A=1 B=2", codes: "error/malformed",
		},
		{
			name: "the end of a system is missing", in: doc("<System><Identifier>A</Identifier>" + b + res("a", "A=1", "B=2")),
			cells: "A=1 B=2", codes: "error/malformed",
		},
		{
			name: "a tag inside a tag", in: doc(a + "<Result<Data>" + res("b", "A=1")),
			cells: "A=1", codes: "error/malformed",
		},
		{
			name: "an end tag too many", in: doc(a+"</Result>"+res("b", "A=1")) + "</PhoronixTestSuite>",
			cells: "A=1", codes: "error/malformed error/malformed",
		},
		{
			name: "the end of a value is missing", in: doc(a + b + "<Result><Data><Entry><Identifier>A</Identifier><Value>12" + entry("B", "2") + "</Data></Result>" + res("b", "A=3")),
			cells: "B=2 | A=3", codes: "error/malformed",
		},
		{
			name: "the end of a title is missing", in: doc(a + b + "<Result><Title>x<Data>" + entry("A", "1") + "</Data></Result>" + res("b", "B=2")),
			cells: "A=1 | B=2", codes: "error/malformed",
		},
		{
			name: "the end of an unknown section is missing", in: doc("<Weather>" + a + b + res("a", "A=1", "B=2")),
			cells: "A=1 B=2", codes: "info/unknown-element error/malformed",
		},
		{
			name: "the last entry and all behind it are wrong", in: doc(a + b + "<Result><Data>" + entry("A", "1") + "<Entry></x>"),
			cells: "A=1", codes: "error/malformed error/malformed",
		},
		{
			name: "cut inside an entry", in: doc(a + res("b", "A=1"))[:len(doc(a))-len("</PhoronixTestSuite>")+85],
			cells: "A=1", codes: "error/truncated",
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			f := readOne(t, test.in)
			if got := cells(f); got != test.cells {
				t.Errorf("cells\n got %s\nwant %s", got, test.cells)
			}
			if got := codes(f); got != test.codes {
				t.Errorf("diagnostics\n got %v\nwant %s", f.Diagnostics, test.codes)
			}
		})
	}
}

// Of a head that is not well formed a part is lost, so which test it is of is not
// sure; its values are.
func TestMalformedHead(t *testing.T) {
	f := readOne(t, doc(sys("A", "x")+
		"<Result><Title>T</Title><AppVersion>1</Version><Description>d</Description><Data><Entry><Identifier>A</Identifier><Value>1</Value></Entry></Data></Result>"+
		res("b", "A=2")))
	if len(f.Tests) != 2 || f.Tests[0].HeadDecode != result.DecodeInferred || f.Tests[1].HeadDecode != result.DecodeExact {
		t.Fatalf("%+v", f.Tests)
	}
	if m := f.Tests[0].Measurements[0]; m.Value != "1" || m.Decode != result.DecodeExact {
		t.Errorf("value %q is %s", m.Value, m.Decode)
	}
}

func TestTruncatedSaysWhere(t *testing.T) {
	f := readOne(t, modern[:strings.Index(modern, "<RawString>12.4")+len("<RawString>12.4")])
	d := f.Diagnostics[len(f.Diagnostics)-1]
	want := `t.xml:40:24: error: the input ends too early, in the entry of "HDD: EXT4" in the result ` +
		`"Flexible IO Tester 3.1 Type: Random Read - Block Size: 4KB - Direct (MB/s)"; what is whole before that is kept`
	if d.Code != "truncated" || d.String() != want {
		t.Errorf("got  %s\nwant %s", d, want)
	}
}

// A decompressor that finds its input cut off, and one that fails.
func TestReadErrors(t *testing.T) {
	var files []*result.File
	emit := func(f *result.File) error { files = append(files, f); return nil }
	start := doc(sys("A", "x") + res("a", "A=1"))[:150]
	err := Read(io.MultiReader(strings.NewReader(start), iotest.ErrReader(io.ErrUnexpectedEOF)), "t.xml", source.Limits{}, emit)
	if err != nil || len(files) != 1 || codes(files[0]) != "error/truncated" {
		t.Errorf("cut off: %d files, %v", len(files), err)
	}
	broken := errors.New("broken")
	err = Read(io.MultiReader(strings.NewReader(start), iotest.ErrReader(broken)), "t.xml", source.Limits{}, emit)
	if !errors.Is(err, broken) || len(files) != 1 {
		t.Errorf("broken: %d files, %v", len(files), err)
	}
	if err := Read(iotest.ErrReader(broken), "t.xml", source.Limits{}, emit); !errors.Is(err, broken) {
		t.Errorf("broken at once: %v", err)
	}
}

func TestLimits(t *testing.T) {
	for _, test := range []struct {
		name, in, flag string
		limits         source.Limits
	}{
		{"systems", doc(sys("A", "x") + sys("B", "x")), "--max-systems", source.Limits{Systems: 1}},
		{"systems by entries", doc(res("a", "A=1", "A=2", "A=3")), "--max-systems", source.Limits{Systems: 2}},
		{"tests", doc(res("a", "A=1") + res("b", "A=1")), "--max-tests", source.Limits{Tests: 1}},
		{"tests held back", res("a", "A=1") + res("b", "A=1"), "--max-tests", source.Limits{Tests: 1}},
		{"depth", doc(strings.Repeat("<x>", 100)), "--max-depth", source.Limits{}},
		{"text", doc(sys("A", strings.Repeat("x", 200))), "--max-text", source.Limits{Text: 100}},
		{"input", doc(sys("A", strings.Repeat("x", 200))), "--max-input", source.Limits{Input: 100}},
	} {
		err := Read(strings.NewReader(test.in), "t.xml", test.limits, func(*result.File) error {
			t.Errorf("%s: a file came", test.name)
			return nil
		})
		var limit *source.LimitError
		if !errors.As(err, &limit) || limit.Flag != test.flag {
			t.Errorf("%s: got %v, want a limit error that names %s", test.name, err, test.flag)
		}
	}
}

// Hostile documents end soon, with bounded diagnostics, and expand nothing.
func TestHostile(t *testing.T) {
	many := func(text string, n int) string { return strings.Repeat(text, n) }
	for _, test := range []struct{ name, in, cells string }{
		{
			"billion laughs", "<!DOCTYPE x [<!ENTITY a \"ha\"><!ENTITY b \"" + many("&a;", 100) + "\">]>" + doc(res("a", "A=&b;")), "A=&b;",
		},
		{"an external entity", `<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]>` + doc(res("a", "A=&a;")), "A=&a;"},
		{"an external document type", `<!DOCTYPE x SYSTEM "http://127.0.0.1/x.dtd">` + doc(res("a", "A=1")), "A=1"},
		{"many ampersands", doc(res(many("& ", 100_000), "A=1")), "A=1"},
		{"many unknown elements", doc(many("<a/><b/>", 50_000) + res("a", "A=1")), "A=1"},
		{"many unclosed entries", doc("<Result><Data>" + many("<Entry>", 5000) + "<Identifier>A</Identifier><Value>1</Value></Entry></Data></Result>"), ""},
		{"many wrong end tags", doc(many("<Result></x>", 50_000) + res("a", "A=1")), "A=1"},
		{"many runs", doc("<Result><Data><Entry><Identifier>A</Identifier><Value>1</Value><RawString>" + many("1:", 300_000) + "2</RawString></Entry></Data></Result>"), "A=1"},
		{"too many runs", doc("<Result><Data><Entry><Identifier>A</Identifier><Value>1</Value><RawString>" + many("1:", 1_000_000) + "2</RawString></Entry></Data></Result>"), "A=1"},
		{"deep JSON", doc("<Result><Data><Entry><Identifier>A</Identifier><Value>1</Value><JSON>{\"a\":" + many("[", 1_000_000) + "</JSON></Entry></Data></Result>"), "A=1"},
		{"many footnotes", doc("<Result><Data>" + footnotes(5000) + "</Data></Result>"), "-"},
		{"many values of one entry", doc("<Result><Data><Entry><Identifier>A</Identifier>" + values(50_000) + "</Entry></Data></Result>"), "A=?"},
		{"many wrong entries", doc("<Result><Data>" + many("<Entry></x>", 50_000) + "</Data></Result>" + res("a", "A=1")), "A=1"},
		{"a component of commas", doc(sys("A", many(", ", 200_000)) + res("a", "A=1")), "A=1"},
		{"a list of identifiers", doc("<System><AssociatedIdentifiers>" + many("a,", 5000) + "</AssociatedIdentifiers></System>" + res("a", "A=1")), "-"},
	} {
		t.Run(test.name, func(t *testing.T) {
			f := readOne(t, test.in)
			if got := strings.TrimLeft(cells(f), " |"); test.cells != "-" && !strings.HasPrefix(got, test.cells) {
				t.Errorf("cells %.100s, want %s", got, test.cells)
			}
			if len(f.Diagnostics) > 20*diagsKept {
				t.Errorf("%d diagnostics", len(f.Diagnostics))
			}
		})
	}
}

func values(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "<Value>%d</Value>", i)
	}
	return b.String()
}

func footnotes(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, `<Entry><Identifier>%d</Identifier><Value>1</Value><JSON>{"install-footnote":"%d"}</JSON></Entry>`, i, i)
	}
	return b.String()
}

// Of diagnostics beyond the bound, the number is kept.
func TestDiagnosticsAreCounted(t *testing.T) {
	f := readOne(t, doc(res(strings.Repeat("& ", 1000), "A=1")))
	total, last := 0, ""
	for _, d := range f.Diagnostics {
		if d.Code == "stray-ampersand" {
			total++
			last = d.Message
		}
	}
	var more int
	if _, err := fmt.Sscanf(last, "%d more", &more); err != nil || total-1+more != 1000 {
		t.Errorf("%d diagnostics, the last says %q", total, last)
	}
}

// A truncated file gives the entries that are whole, and an error.
func TestTruncatedAnywhere(t *testing.T) {
	doc := string(made(3, 2))
	whole := readOne(t, doc)
	var all []string
	for i := range whole.Tests {
		for j := range whole.Tests[i].Measurements {
			m := &whole.Tests[i].Measurements[j]
			all = append(all, fmt.Sprint(i, m.System, m.Value))
		}
	}
	most := 0
	for cut := range len(doc) - 1 {
		files, err := readAll(doc[:cut])
		if err != nil {
			if cut > strings.Index(doc, "</Title>")+10 {
				t.Fatalf("cut at %d: %v", cut, err)
			}
			continue
		}
		f := files[0]
		if len(f.Diagnostics) == 0 || f.Diagnostics[0].Code != "truncated" && !strings.HasSuffix(strings.TrimSpace(doc[:cut]), "</PhoronixTestSuite>") {
			t.Fatalf("cut at %d: diagnostics %v", cut, f.Diagnostics)
		}
		var got []string
		for i := range f.Tests {
			for j := range f.Tests[i].Measurements {
				m := &f.Tests[i].Measurements[j]
				got = append(got, fmt.Sprint(i, m.System, m.Value))
			}
		}
		if len(got) > len(all) || fmt.Sprint(got) != fmt.Sprint(all[:len(got)]) {
			t.Fatalf("cut at %d: measurements %v", cut, got)
		}
		if closed := strings.Count(doc[:cut], "</Value>"); len(got) != closed {
			t.Fatalf("cut at %d: %d measurements, %d values are whole", cut, len(got), closed)
		}
		most = max(most, len(got))
	}
	if most != len(all) {
		t.Errorf("at most %d measurements of %d", most, len(all))
	}
}
