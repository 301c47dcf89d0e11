package xml

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/benchproof/benchproof/parse/internal/source"
	"github.com/benchproof/benchproof/result"
)

// trace is a Handler that writes what comes, in order.
type trace struct {
	b    strings.Builder
	f    *result.File
	fail string // the call that returns an error
}

var errHandler = errors.New("enough")

func (h *trace) say(call string) error {
	h.b.WriteString(call + " ")
	if h.fail != "" && strings.HasPrefix(call, h.fail) {
		return errHandler
	}
	return nil
}

func (h *trace) File(f *result.File) error {
	h.f = f
	return h.say(fmt.Sprintf("file:%s:%d", f.Title, len(f.Systems)))
}

func (h *trace) Test(t *result.Test) error {
	for i := range t.Measurements {
		if t.Measurements[i].System >= len(h.f.Systems) {
			return fmt.Errorf("no system %d", t.Measurements[i].System)
		}
	}
	return h.say("test:" + t.Title)
}

func (h *trace) End(f *result.File) error {
	if f != h.f || f.Tests != nil {
		return errors.New("another file")
	}
	return h.say(fmt.Sprintf("end:%s:%d", f.Title, len(f.Systems)))
}

func TestStreamOrder(t *testing.T) {
	for _, test := range []struct{ name, in, want string }{
		{"head first", doc(sys("A", "x") + res("a", "A=1") + res("b", "B=2")), "file:t:1 test:a test:b end:t:2 "},
		{"systems last", doc(res("a", "A=1") + sys("B", "x")), "file:t:2 test:a end:t:2 "},
		{"a system in the middle", doc(sys("A", "x") + res("a", "A=1") + sys("B", "x") + res("b", "B=1")), "file:t:1 test:a test:b end:t:2 "},
		{"results first", "<PhoronixTestSuite>" + res("a", "A=1") + res("b", "B=2") + "<Generated><Title>t</Title></Generated></PhoronixTestSuite>", "file:t:2 test:a test:b end:t:2 "},
		{"head in the middle", "<PhoronixTestSuite>" + res("a", "A=1") + "<Generated><Title>t</Title></Generated>" + res("b", "B=2") + "</PhoronixTestSuite>", "file:t:2 test:a test:b end:t:2 "},
		{"no results", doc(""), "file:t:0 end:t:0 "},
		{"two files", doc(res("a", "A=1")) + doc(res("b", "B=1")), "file:t:1 test:a end:t:1 file:t:1 test:b end:t:1 "},
	} {
		h := &trace{}
		if err := Stream(strings.NewReader(test.in), "t.xml", source.Limits{}, h); err != nil {
			t.Errorf("%s: %v", test.name, err)
		}
		if got := h.b.String(); got != test.want {
			t.Errorf("%s: got %s, want %s", test.name, got, test.want)
		}
	}
}

// An error of the handler ends the reading, wherever it comes, also while
// what is whole of a broken file is handed over.
func TestStreamStops(t *testing.T) {
	whole := doc(sys("A", "x") + res("a", "A=1") + res("b", "A=2"))
	for _, in := range []string{whole, strings.Replace(whole, "</Data></Result><Result>", "<Result>", 1), whole[:len(whole)-40]} {
		for _, fail := range []string{"file", "test", "test:b", "end"} {
			h := &trace{fail: fail}
			if err := Stream(strings.NewReader(in), "t.xml", source.Limits{}, h); !errors.Is(err, errHandler) {
				t.Errorf("fail at %s: %v after %s", fail, err, h.b.String())
			}
			if n := strings.Count(h.b.String(), fail); n != 1 {
				t.Errorf("fail at %s: %d calls", fail, n)
			}
		}
	}
}

// endless is a file of many results that is made while it is read.
type endless struct {
	rest  *bytes.Buffer
	block []byte
	left  int
	tail  string
}

func (e *endless) Read(p []byte) (int, error) {
	for e.rest.Len() == 0 {
		switch {
		case e.left > 0:
			e.rest.Write(e.block)
			e.left--
		case e.tail != "":
			e.rest.WriteString(e.tail)
			e.tail = ""
		default:
			return 0, io.EOF
		}
	}
	return e.rest.Read(p)
}

// heap is a Handler that looks at the memory in use now and then.
type heap struct {
	rows
	tests int
	most  uint64
}

func (h *heap) Test(t *result.Test) error {
	if h.tests++; h.tests%200 == 0 {
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		h.most = max(h.most, m.HeapAlloc)
	}
	return h.rows.Test(t)
}

// A file of 50 MB must not take more memory than one of 5 MB: some MB.
func TestStreamMemory(t *testing.T) {
	if testing.Short() {
		t.Skip("reads 50 MB")
	}
	all := made(100, 24)
	first, last := bytes.Index(all, []byte("  <Result>")), bytes.LastIndex(all, []byte("</Phoronix"))
	e := &endless{rest: bytes.NewBuffer(bytes.Clone(all[:first])), block: all[first:last], left: 64, tail: string(all[last:])}
	h := &heap{rows: rows{w: io.Discard}}
	if err := Stream(e, "t.xml", source.Limits{}, h); err != nil || h.count != 100*24*64 {
		t.Fatalf("%d rows, %v", h.count, err)
	}
	t.Logf("%d MiB of memory in use at most", h.most>>20)
	if h.most > 24<<20 {
		t.Errorf("%d MiB of memory in use", h.most>>20)
	}
}

// A long text is released: the window of an image does not stay.
func TestImages(t *testing.T) {
	image := strings.Repeat("iVBORw0KGgo=", 200_000)
	in := doc(sys("A", "x") + "<Result><DisplayFormat>IMAGE_COMPARISON</DisplayFormat><Data><Entry><Identifier>A</Identifier><Value>" + image +
		"</Value></Entry></Data></Result>" + res("b", "A=1"))
	f := readOne(t, in)
	if got := f.Tests[0].Measurements[0].Value; got != image {
		t.Errorf("%d bytes of the image, want %d", len(got), len(image))
	}
	if got := f.Tests[1].Measurements[0].Origin.Offset; !strings.HasPrefix(in[got:], "1</Value>") {
		t.Errorf("the value behind it is said to be at %d", got)
	}
}

// How the input comes in pieces makes no difference.
func TestPieces(t *testing.T) {
	read := func(r io.Reader) string {
		var b strings.Builder
		if err := Read(r, "t.xml", source.Limits{}, func(f *result.File) error {
			fmt.Fprintf(&b, "%+v", *f)
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	for _, in := range []string{modern, old} {
		want := read(strings.NewReader(in))
		if got := read(iotest.OneByteReader(strings.NewReader(in))); got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	}
}

// A part of a larger text gives the positions of that text.
func TestReadDoc(t *testing.T) {
	text := "line one\nline two " + doc(sys("A", "x")+"\n"+res("a", "A=12.5")) + "tail"
	whole := source.New("mail.txt", text)
	part := whole.Section(strings.Index(text, "<Phoronix"), strings.Index(text, "tail"))
	var got result.Origin
	if err := ReadDoc(part, func(f *result.File) error {
		got = f.Tests[0].Measurements[0].Origin
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	if want := whole.Origin(strings.Index(text, "12.5"), "xml/value"); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
}
