package parse

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/benchproof/benchproof/result"
)

// gather is a Handler that puts files together again.
type gather struct {
	files  []*result.File
	open   *result.File
	tests  []result.Test
	fail   string
	called int
}

var errEnough = errors.New("enough")

func (g *gather) call(name string) error {
	g.called++
	if g.fail == name {
		return errEnough
	}
	return nil
}

func (g *gather) File(f *result.File) error {
	if g.open != nil {
		return errors.New("a file within a file")
	}
	g.open, g.tests = f, nil
	return g.call("file")
}

func (g *gather) Test(t *result.Test) error {
	for i := range t.Measurements {
		if t.Measurements[i].System >= len(g.open.Systems) {
			return fmt.Errorf("no system %d", t.Measurements[i].System)
		}
	}
	kept := *t
	kept.Measurements = slices.Clone(t.Measurements)
	for i := range kept.Measurements {
		m := &kept.Measurements[i]
		m.RawValues, m.RunTimes, m.Details = slices.Clone(m.RawValues), slices.Clone(m.RunTimes), slices.Clone(m.Details)
	}
	g.tests = append(g.tests, kept)
	return g.call("test")
}

func (g *gather) End(f *result.File) error {
	if f != g.open || f.Tests != nil {
		return errors.New("another file")
	}
	f.Tests = g.tests
	g.files, g.open = append(g.files, f), nil
	return g.call("end")
}

// streamed reads in parts, however small the input is.
func streamed(raw string, o Options, h Handler) error {
	r, err := NewReader(strings.NewReader(raw), "x", o)
	if err != nil {
		return err
	}
	r.hint = streamFrom
	return r.Stream(h)
}

// sameAsFiles checks that an input gives in parts what it gives whole.
func sameAsFiles(t *testing.T, name, raw string, o Options) {
	t.Helper()
	r, err := NewReader(strings.NewReader(raw), "x", o)
	if err != nil {
		t.Fatal(err)
	}
	var want []*result.File
	var wantErr error
	for f, err := range r.Files() {
		if wantErr = err; err == nil {
			want = append(want, f)
		}
	}
	g := &gather{}
	gotErr := streamed(raw, o, g)
	if fmt.Sprint(wantErr) != fmt.Sprint(gotErr) || errors.Is(wantErr, ErrFormat) != errors.Is(gotErr, ErrFormat) {
		t.Errorf("%s: error %v, whole %v", name, gotErr, wantErr)
	}
	if wantErr != nil {
		return
	}
	if diff := cmp.Diff(want, g.files); diff != "" {
		t.Errorf("%s (-whole +parts):\n%s", name, diff)
	}
}

func smallXML() string {
	return `<?xml version="1.0"?>
<!--Phoronix Test Suite v10.8.4-->
<PhoronixTestSuite>
  <Generated><Title>Small</Title><TestClient>Phoronix Test Suite v10.8.4</TestClient></Generated>
  <System><Identifier>A</Identifier><Hardware>Disk: SSD</Hardware></System>
  <Result><Title>SQLite</Title><Scale>Seconds</Scale><Proportion>LIB</Proportion><Data>
    <Entry><Identifier>A</Identifier><Value>1.50</Value><RawString>1.4:1.6</RawString></Entry>
    <Entry><Identifier>B</Identifier><Value>2</Value></Entry>
  </Data></Result>
  <Result><Title>FS-Mark</Title><Data><Entry><Identifier>A</Identifier><Value></Value></Entry></Data></Result>
</PhoronixTestSuite>
`
}

func TestStreamIsFiles(t *testing.T) {
	small := smallXML()
	packed := pack(t, ".gz", small)
	for name, raw := range map[string]string{
		"whole":          small,
		"cut":            small[:len(small)-60],
		"broken":         strings.Replace(small, "</Value>", "</Val>", 1),
		"two":            small + small,
		"replacement":    strings.Replace(small, "1.50", "1.\ufffd0", 1),
		"latin-1":        strings.Replace(small, "Small", "Gr\xf6\xdfe", 1),
		"windows lines":  strings.ReplaceAll(small, "\n", "\r\n"),
		"byte-order":     "\ufeff" + small,
		"text before it": "see:\n" + small,
		"no result":      "<PhoronixTestSuite></PhoronixTestSuite>",
		"results first":  strings.Replace(small, "<Generated>", "<Result><Title>T</Title><Data/></Result><Generated>", 1),
		"other markup":   "<svg></svg>",
		"gzip":           packed,
		"gzip cut":       packed[:len(packed)-8], // without its checksum
		"utf-16":         "\xff\xfe" + strings.Join(strings.Split(small, ""), "\x00") + "\x00",
		"text":           smallText,
		"page":           smallPage,
		"nothing":        "",
	} {
		sameAsFiles(t, name, raw, Options{})
		sameAsFiles(t, name+" with a label", raw, Options{Label: "label"})
	}
}

func TestStreamIsFilesOnPublished(t *testing.T) {
	var paths []string
	for _, p := range []string{"corpus/real/*/composite.xml", "corpus/defects/*/composite.xml", "samples/forms/*", "samples/*.txt"} {
		found, err := filepath.Glob(filepath.Join("../../shared", p))
		if err != nil {
			t.Fatal(err)
		}
		paths = append(paths, found...)
	}
	if len(paths) == 0 {
		t.Skip("no ../shared with published files next to the repository")
	}
	for _, path := range paths {
		if testing.Short() && filepath.Ext(path) != ".xml" {
			continue
		}
		raw, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		sameAsFiles(t, path, string(raw), Options{})
	}
}

// An error within a file ends it with a diagnostic, and is returned.
func TestStreamCutOff(t *testing.T) {
	g := &gather{}
	err := streamed(smallXML(), Options{Limits: Limits{Tests: 1}}, g)
	var limit *LimitError
	if !errors.As(err, &limit) {
		t.Fatalf("error %v", err)
	}
	if len(g.files) != 1 || len(g.files[0].Tests) != 1 {
		t.Fatalf("%d files", len(g.files))
	}
	d := g.files[0].Diagnostics
	if last := d[len(d)-1]; last.Code != "cut-off" || last.Severity != result.SeverityError {
		t.Errorf("last diagnostic %v", last)
	}
}

func TestStreamStops(t *testing.T) {
	for i, fail := range []string{"file", "test", "end"} {
		for _, raw := range []string{smallXML(), smallText} {
			g := &gather{fail: fail}
			if err := streamed(raw, Options{}, g); !errors.Is(err, errEnough) {
				t.Errorf("%s: %v", fail, err)
			}
			if want := []int{1, 2, 4}[i]; g.called != want {
				t.Errorf("%s: called %d times, want %d", fail, g.called, want)
			}
		}
	}
}

// A file that is opened is read in parts where it is large: the memory is not
// that of the file.
func TestStreamMemory(t *testing.T) {
	if testing.Short() {
		t.Skip("writes a file of 30 MB")
	}
	path := filepath.Join(t.TempDir(), "composite.xml")
	writeComposite(t, path, 4000, 24)
	r, err := Open(path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	h := &peak{}
	if err := r.Stream(h); err != nil || h.tests != 4000 {
		t.Fatalf("%d tests, %v", h.tests, err)
	}
	if h.most > 16<<20 {
		t.Errorf("%d bytes live while reading %d", h.most, r.hint)
	}
}

// peak is a Handler that looks at the live memory now and then.
type peak struct {
	tests int
	most  uint64
}

func (p *peak) File(*result.File) error { return nil }
func (p *peak) End(*result.File) error  { return nil }
func (p *peak) Test(*result.Test) error {
	if p.tests++; p.tests%500 == 0 {
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		p.most = max(p.most, m.HeapAlloc)
	}
	return nil
}

// writeComposite writes a composite.xml of so many results and systems.
func writeComposite(t testing.TB, path string, results, systems int) {
	t.Helper()
	var b bytes.Buffer
	b.WriteString("<?xml version=\"1.0\"?>\n<PhoronixTestSuite>\n<Generated><Title>Made</Title></Generated>\n")
	for s := range systems {
		fmt.Fprintf(&b, "<System><Identifier>System %d</Identifier><Hardware>Disk: SSD</Hardware></System>\n", s)
	}
	for i := range results {
		fmt.Fprintf(&b, "<Result><Identifier>pts/fio-1.11.2</Identifier><Title>Flexible IO Tester</Title><AppVersion>3.1</AppVersion>"+
			"<Description>Block Size: %dKB</Description><Scale>MB/s</Scale><Proportion>HIB</Proportion><DisplayFormat>BAR_GRAPH</DisplayFormat><Data>\n", i)
		for s := range systems {
			fmt.Fprintf(&b, "<Entry><Identifier>System %d</Identifier><Value>%d.%d</Value><RawString>%d.1:%d.5:%d.8</RawString>"+
				"<JSON>{\"compiler-options\":{\"compiler-type\":\"CC\",\"compiler\":\"gcc\",\"compiler-options\":\"-O3 -lm\"},\"test-run-times\":\"4.39:2.22:2.25\"}</JSON></Entry>\n",
				s, i+s, s%10, i, i+s, i+1)
		}
		b.WriteString("</Data></Result>\n")
	}
	b.WriteString("</PhoronixTestSuite>\n")
	if err := os.WriteFile(path, b.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
}
