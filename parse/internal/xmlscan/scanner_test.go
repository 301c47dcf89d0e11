package xmlscan

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

// tokens writes the tokens of a document in a short form, one a word:
// <a b="c">, </a>, 'text', #comment, ?target data, !doctype, and the error
// that ended them, if it is not the plain end.
func tokens(s *Scanner) string {
	var b strings.Builder
	for {
		kind, err := s.Next()
		if b.Len() > 0 && !errors.Is(err, io.EOF) {
			b.WriteByte(' ')
		}
		switch kind {
		case None:
			if !errors.Is(err, io.EOF) {
				fmt.Fprintf(&b, "error: %v", err)
			}
			return b.String()
		case Start:
			b.WriteString("<" + string(s.Name()))
			for name, value := range s.attrs {
				fmt.Fprintf(&b, " %s=%q", name, value)
			}
			b.WriteString(">")
		case End:
			b.WriteString("</" + string(s.Name()) + ">")
		case Text:
			b.WriteString("'" + string(s.Bytes()) + "'")
		case Comment:
			b.WriteString("#" + string(s.Bytes()))
		case Inst:
			b.WriteString("?" + string(s.Name()) + " " + string(s.Bytes()))
		case Doctype:
			b.WriteString("!" + string(s.Bytes()))
		}
	}
}

// codes lists the notes as code@line:column.
func codes(s *Scanner) string {
	var list []string
	notes, _ := s.TakeNotes()
	for _, n := range notes {
		list = append(list, fmt.Sprintf("%s@%d:%d", n.Code, n.Origin.Line, n.Origin.Column))
	}
	return strings.Join(list, " ")
}

var scannerTests = []struct {
	name, in, want, notes string
}{
	{name: "empty"},
	{name: "elements", in: "<a><b/>x<c >y</c\n></a>", want: "<a> <b> </b> 'x' <c> 'y' </c> </a>"},
	{name: "byte order mark", in: "\ufeff<a/>", want: "<a> </a>"},
	{name: "attributes", in: `<a b = 'x>y' c="1&lt;2"d='"'/>`, want: `<a b="x>y" c="1<2" d="\""> </a>`},
	{name: "slash inside a value", in: `<a b="/">x</a>`, want: `<a b="/"> 'x' </a>`},
	{
		name: "prolog", in: "<?xml version=\"1.0\"?><!DOCTYPE a [ <!ENTITY x \"]>\"> <!-- > --> ]><!-- c --><a/>",
		want: `?xml version="1.0" !DOCTYPE a [ <!ENTITY x "]>"> <!-- > --> ] # c  <a> </a>`,
	},
	{name: "entities", in: "<a>&lt;&gt;&amp;&quot;&apos;&#65;&#x42;&#xe9;</a>", want: "<a> '<>&\"'ABé' </a>"},
	{name: "amplified only once", in: "<a>&amp;lt;</a>", want: "<a> '&lt;' </a>"},
	{name: "line ends", in: "<a>1\r\n2\r3\n4&#13;</a>", want: "<a> '1\n2\n3\n4\r' </a>"},
	{name: "cdata", in: "<a>1<![CDATA[<&lt;]]]]>2</a>", want: "<a> '1' '<&lt;]]' '2' </a>"},
	{name: "empty comment", in: "<a><!----></a>", want: "<a> # </a>"},
	{name: "comment with markup", in: "<a><!--<b>&--></a>", want: "<a> #<b>& </a>"},
	{name: "several roots and text around", in: "x<a/>y<b/>z", want: "'x' <a> </a> 'y' <b> </b> 'z'"},

	{name: "stray ampersand", in: "<a>AT&T & co &amp</a>", want: "<a> 'AT&T & co &amp' </a>", notes: "stray-ampersand@1:6 stray-ampersand@1:9 stray-ampersand@1:14"},
	{name: "stray less-than", in: "<a>1 < 2\n<3 <= 4</a>", want: "<a> '1 < 2\n<3 <= 4' </a>", notes: "stray-lt@1:6 stray-lt@2:1 stray-lt@2:4"},
	{name: "html entity", in: "<a>&eacute;&nbsp;&semi;</a>", want: "<a> 'é\u00a0;' </a>", notes: "html-entity@1:4 html-entity@1:12 html-entity@1:18"},
	{name: "html entity with a tail", in: "<a>&notit;</a>", want: "<a> '&notit;' </a>", notes: "unknown-entity@1:4"},
	{name: "unknown entity", in: "<a>&lol9;</a>", want: "<a> '&lol9;' </a>", notes: "unknown-entity@1:4"},
	{name: "reference to no character", in: "<a>&#0;&#x110000;&#xfffe;</a>", want: "<a> '&#0;&#x110000;&#xfffe;' </a>", notes: "bad-reference@1:4 bad-reference@1:8 bad-reference@1:18"},
	{name: "reference to a surrogate", in: "<a>&#xd800;</a>", want: "<a> '\ufffd' </a>", notes: "bad-reference@1:4"},
	{name: "references that are none", in: "<a>&#;&#x;&#12&;</a>", want: "<a> '&#;&#x;&#12&;' </a>", notes: "stray-ampersand@1:4 stray-ampersand@1:7 stray-ampersand@1:11 stray-ampersand@1:15"},
	{name: "control character", in: "<a>\n\x1b[1m</a>", want: "<a> '\n\x1b[1m' </a>", notes: "control-character@2:1"},
	{name: "invalid utf-8", in: "<a>B\xfcro \xe2\x82</a>", want: "<a> 'B\ufffdro \ufffd\ufffd' </a>", notes: "invalid-utf8@1:5 invalid-utf8@1:9 invalid-utf8@1:10"},

	{name: "mismatch", in: "<a>\n<b></a>", want: "<a> '\n' <b> error: t:2:4: found </a>, expected </b>"},
	{name: "end without start", in: "<a></a></b>", want: "<a> </a> error: t:1:8: found </b>, expected no end tag, since no element is open"},
	{name: "longer name in the end tag", in: "<a></ab>", want: "<a> error: t:1:4: found </ab>, expected </a>"},
	{name: "unclosed root", in: "<a>x", want: "<a> 'x' error: t:1:5: found the end of the input, expected </a>"},
	{name: "unclosed tag", in: "<a><b", want: "<a> error: t:1:6: found the end of the input, expected the end of a start tag"},
	{name: "unclosed value", in: `<a b="`, want: `error: t:1:7: found the end of the input, expected the end of a start tag`},
	{name: "tag inside a tag", in: "<a <b>", want: `error: t:1:1: found "<" inside the tag <a, expected ">"`},
	{name: "junk in an end tag", in: "<a></a b>", want: `<a> error: t:1:4: found 'b' in the end tag </a, expected ">"`},
	{name: "bare attribute", in: "<a b>", want: `error: t:1:1: found a bad attribute in the tag <a, expected name="value"`},
	{name: "unclosed comment", in: "<a><!-- -- >", want: `<a> error: t:1:13: found the end of the input, expected "-->"`},
	{name: "unclosed cdata", in: "<a><![CDATA[]]", want: `<a> error: t:1:15: found the end of the input, expected "]]>"`},
	{name: "no cdata", in: "<a><![CDAT[]]></a>", want: `<a> error: t:1:4: found "<![", expected a CDATA section`},
	{name: "billion laughs", in: `<!DOCTYPE l [<!ENTITY a "ha"><!ENTITY b "&a;&a;">]><l>&b;</l>`, want: `!DOCTYPE l [<!ENTITY a "ha"><!ENTITY b "&a;&a;">] <l> '&b;' </l>`, notes: "unknown-entity@1:55"},
	{name: "external entity", in: `<!DOCTYPE l [<!ENTITY x SYSTEM "file:///etc/passwd">]><l>&x;</l>`, want: `!DOCTYPE l [<!ENTITY x SYSTEM "file:///etc/passwd">] <l> '&x;' </l>`, notes: "unknown-entity@1:58"},
}

func TestScanner(t *testing.T) {
	for _, test := range scannerTests {
		t.Run(test.name, func(t *testing.T) {
			for _, s := range []*Scanner{
				New(strings.NewReader(test.in), "t", source.Limits{}),
				New(iotest.DataErrReader(strings.NewReader(test.in)), "t", source.Limits{}),
				newScanner(iotest.OneByteReader(strings.NewReader(test.in)), "t", source.Limits{}, 8),
			} {
				if got := tokens(s); got != test.want {
					t.Errorf("tokens of %q\n got %s\nwant %s", test.in, got, test.want)
				}
				if got := codes(s); got != test.notes {
					t.Errorf("notes of %q\n got %s\nwant %s", test.in, got, test.notes)
				}
			}
		})
	}
}

// Positions must not depend on where the window ends.
func TestOrigin(t *testing.T) {
	const in = "\ufeff<r>\r\n  <a>x</a>\n\n <b>\n  12.5 </b><c/></r>"
	want := []string{"1:1@3", "2:3@10", "2:6@13", "2:7@14", "4:2@21", "5:3@27", "5:12@36", "5:12@36", "5:16@40"}
	for name, r := range map[string]io.Reader{
		"whole": strings.NewReader(in), "bytes": iotest.OneByteReader(strings.NewReader(in)),
	} {
		s := New(r, "t", source.Limits{})
		s.SkipSpace = true
		var got []string
		for {
			kind, err := s.Next()
			if err != nil {
				break
			}
			at := s.Origin("")
			got = append(got, fmt.Sprintf("%d:%d@%d", at.Line, at.Column, at.Offset))
			if kind == Start && string(s.Name()) == "b" {
				text, err := s.ElementText()
				if err != nil || string(text) != "12.5" {
					t.Errorf("%s: ElementText = %q, %v", name, text, err)
				}
				at := s.Origin("")
				got = append(got, fmt.Sprintf("%d:%d@%d", at.Line, at.Column, at.Offset))
			}
		}
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%s: origins\n got %v\nwant %v", name, got, want)
		}
	}
}

// A part of a larger text has the positions of that text.
func TestStartAt(t *testing.T) {
	s := New(strings.NewReader("<a>\n<b/></a>"), "t", source.Limits{})
	s.StartAt(result.Origin{Line: 7, Column: 5, Offset: 100})
	s.SkipSpace = true
	for _, want := range []string{"7:5@100", "8:1@104"} {
		if _, err := s.Next(); err != nil {
			t.Fatal(err)
		}
		at := s.Origin("")
		if got := fmt.Sprintf("%d:%d@%d", at.Line, at.Column, at.Offset); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

func TestElementText(t *testing.T) {
	long := strings.Repeat("x", 3*windowSize)
	for _, test := range []struct {
		name, in, want string
		nested         bool
	}{
		{name: "plain", in: "<a> 1.5\n</a>", want: "1.5"},
		{name: "empty", in: "<a></a>"},
		{name: "empty tag", in: "<a/>"},
		{name: "space", in: "<a> \n </a>"},
		{name: "reference", in: "<a>&lt;1</a>", want: "<1"},
		{name: "pieces", in: "<a> 1<!-- x -->2<![CDATA[ 3 ]]><?x?> </a>", want: "12 3"},
		{name: "spaced end tag", in: "<a>1</a >", want: "1"},
		{name: "children", in: "<a>1<b>2<c/></b>3</a>", want: "123", nested: true},
		{name: "longer than the window", in: "<a>" + long + "</a>", want: long},
	} {
		for _, r := range []io.Reader{strings.NewReader(test.in), iotest.HalfReader(strings.NewReader(test.in))} {
			s := New(r, "t", source.Limits{})
			if _, err := s.Next(); err != nil {
				t.Fatal(err)
			}
			text, err := s.ElementText()
			if err != nil || string(text) != test.want || s.Nested() != test.nested {
				t.Errorf("%s: got %.40q, nested %v, %v", test.name, text, s.Nested(), err)
			}
			if _, err := s.Next(); err != io.EOF || s.Depth() != 0 {
				t.Errorf("%s: behind the element: depth %d, error %v", test.name, s.Depth(), err)
			}
		}
	}
}

// An element that cannot be inside text ends it with an error, and is found
// again behind it.
func TestBreaks(t *testing.T) {
	for _, in := range []string{"<r><a>1<r2/><b>2</b></a></r>", "<r><a>1<b/></a></r>"} {
		s := newScanner(iotest.OneByteReader(strings.NewReader(in)), "t", source.Limits{}, 8)
		s.Breaks = func(name []byte) bool { return string(name) == "b" }
		for range 2 {
			if _, err := s.Next(); err != nil {
				t.Fatal(err)
			}
		}
		_, err := s.ElementText()
		want := fmt.Sprintf("t:1:%d: found <b>, expected </a>", 1+strings.Index(in, "<b"))
		if err == nil || err.Error() != want {
			t.Errorf("%s: got %v, want %s", in, err, want)
		}
		if !s.Resync(1, "<b") {
			t.Fatal("not found again")
		}
		if kind, err := s.Next(); kind != Start || string(s.Name()) != "b" || s.Depth() != 2 || err != nil {
			t.Errorf("%s: token %d %s, depth %d, %v", in, kind, s.Name(), s.Depth(), err)
		}
	}
}

func TestLimits(t *testing.T) {
	wide := strings.Repeat("y", windowSize)
	for _, test := range []struct {
		name, in string
		limits   source.Limits
		flag     string
	}{
		{"depth", strings.Repeat("<a>", 65), source.Limits{}, "--max-depth"},
		{"depth set", "<a><b><c>", source.Limits{Depth: 2}, "--max-depth"},
		{"text", "<a>" + strings.Repeat("x", 101) + "</a>", source.Limits{Text: 100}, "--max-text"},
		{"text to the end", "<a>" + strings.Repeat("x", 101), source.Limits{Text: 100}, "--max-text"},
		{"text over the window", "<a>" + wide + wide, source.Limits{Text: 100}, "--max-text"},
		{"comment over the window", "<!--" + wide + wide, source.Limits{Text: 100}, "--max-text"},
		{"name over the window", "<" + wide + wide, source.Limits{Text: 100}, "--max-text"},
		{"input", "<a>" + wide + "</a>", source.Limits{Input: 1000}, "--max-input"},
	} {
		s := New(strings.NewReader(test.in), "t", test.limits)
		var err error
		for err == nil {
			_, err = s.Next()
		}
		var limit *source.LimitError
		if !errors.As(err, &limit) || limit.Flag != test.flag {
			t.Errorf("%s: got %v, want a limit error that names %s", test.name, err, test.flag)
		}
	}
	s := New(strings.NewReader("<a>"+strings.Repeat("x", 100)+"</a>"), "t", source.Limits{Text: 100, Depth: 1, Input: 107})
	if got := tokens(s); strings.Contains(got, "error") {
		t.Errorf("just within the limits: %s", got)
	}
}

// A text in pieces must not get round the limit of one.
func TestLimitOfPieces(t *testing.T) {
	s := New(strings.NewReader("<a>"+strings.Repeat("<![CDATA[0123456789]]>", 20)+"</a>"), "t", source.Limits{Text: 100})
	if _, err := s.Next(); err != nil {
		t.Fatal(err)
	}
	_, err := s.ElementText()
	var limit *source.LimitError
	if !errors.As(err, &limit) {
		t.Errorf("got %v, want a limit error", err)
	}
}

// Reads that bring nothing, fail, or stop early must not end as a whole
// document.
func TestReadErrors(t *testing.T) {
	broken := errors.New("broken")
	for _, test := range []struct {
		name      string
		r         io.Reader
		want      error
		truncated bool
	}{
		{"error", io.MultiReader(strings.NewReader("<a>"), iotest.ErrReader(broken)), broken, false},
		{"error behind the root", io.MultiReader(strings.NewReader("<a/>"), iotest.ErrReader(broken)), broken, false},
		{"cut off", io.MultiReader(strings.NewReader("<a/>"), iotest.ErrReader(io.ErrUnexpectedEOF)), nil, true},
		{"nothing", stuck{}, io.ErrNoProgress, false},
	} {
		s := New(test.r, "t", source.Limits{})
		var err error
		for err == nil {
			_, err = s.Next()
		}
		if test.want != nil && !errors.Is(err, test.want) || s.Truncated() != test.truncated {
			t.Errorf("%s: got %v, truncated %v", test.name, err, s.Truncated())
		}
	}
}

type stuck struct{}

func (stuck) Read([]byte) (int, error) { return 0, nil }

func TestCloseToAndUnread(t *testing.T) {
	s := New(strings.NewReader("<root><x><yy><x>1</x></root>"), "t", source.Limits{})
	for range 4 {
		if _, err := s.Next(); err != nil {
			t.Fatal(err)
		}
	}
	s.CloseTo(1)
	if string(s.Name()) != "x" || s.Depth() != 2 {
		t.Errorf("name %s, depth %d", s.Name(), s.Depth())
	}
	s.Unread()
	if got, want := tokens(s), "<x> '1' </x> </root>"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestResync(t *testing.T) {
	s := New(strings.NewReader("<r><x><y></x><z><r2></y><x>2</x></r>"), "t", source.Limits{})
	got := tokens(s)
	if !s.Resync(1, "<x>", "</r>") {
		t.Fatal("no place found")
	}
	got += " | " + tokens(s)
	want := "<r> <x> <y> error: t:1:10: found </x>, expected </y> | <x> '2' </x> </r>"
	if got != want {
		t.Errorf("got %s\nwant %s", got, want)
	}

	// The tag at fault is tried again, but only once.
	s = New(strings.NewReader("<r><x><y></x></r></r>"), "t", source.Limits{})
	got = tokens(s)
	for s.Resync(2, "</x>") || s.Resync(1, "</r>") {
		got += " | " + tokens(s)
	}
	want = "<r> <x> <y> error: t:1:10: found </x>, expected </y> | </x> </r> error: t:1:18: found </r>, expected no end tag, since no element is open"
	if !strings.HasPrefix(got, want) || strings.Count(got, "error") > 3 {
		t.Errorf("got %s\nwant %s", got, want)
	}

	s = New(iotest.OneByteReader(strings.NewReader("<r></x>"+strings.Repeat("-", 2*windowSize))), "t", source.Limits{Text: 10})
	tokens(s)
	if s.Resync(1, "<x>") {
		t.Error("found a place where there is none")
	}
	if _, err := s.Next(); err != io.EOF {
		t.Errorf("behind it: %v, want the end", err)
	}
}

// The window that a long text made is given up behind it.
func TestWindowShrinks(t *testing.T) {
	s := New(strings.NewReader("<r><a>"+strings.Repeat("x", 20*windowSize)+"</a>"+strings.Repeat("<b/>", windowSize)+"</r>"), "t", source.Limits{})
	for range 3 {
		if _, err := s.Next(); err != nil {
			t.Fatal(err)
		}
	}
	if len(s.buf) < 20*windowSize {
		t.Errorf("a window of %d bytes held all of the text", len(s.buf))
	}
	for {
		if _, err := s.Next(); err != nil {
			break
		}
	}
	if len(s.buf) > 4*windowSize {
		t.Errorf("the window has still %d bytes", len(s.buf))
	}
}

// Many notes are counted, not kept.
func TestNotesAreBounded(t *testing.T) {
	s := New(strings.NewReader("<a>"+strings.Repeat("& ", 1000)+"</a>"), "t", source.Limits{})
	tokens(s)
	notes, more := s.TakeNotes()
	if len(notes) != notesKept || more["stray-ampersand"] != 1000-notesKept {
		t.Errorf("%d notes kept, %v counted", len(notes), more)
	}
}

func TestPlain(t *testing.T) {
	for i := range 20 {
		for c := range 256 {
			p := []byte(strings.Repeat("a", 20))
			p[i] = byte(c)
			want := c >= 0x20 && c < 0x80 && c != '&' || c == '\t' || c == '\n'
			if plain(p) != want {
				t.Errorf("plain with %#x at %d = %v", c, i, !want)
			}
		}
	}
}
