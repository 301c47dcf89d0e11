package parse

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/benchproof/benchproof/parse/internal/oracle"
	"github.com/benchproof/benchproof/result"
)

// Every sample under every wrong name and compression gives the same record.
func TestDetection(t *testing.T) {
	endings := []string{".txt", ".html", ".xml", ".json", ".csv", ".gz", ".png", ""}
	if testing.Short() {
		endings = endings[:2]
	}
	for name, raw := range samples(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			want, err := readAll(t, raw, Options{Label: "label"})
			if err != nil || len(want) == 0 {
				t.Fatalf("%d files, error %v", len(want), err)
			}
			for _, packed := range []string{"", ".gz", ".xz", ".zst"} {
				data := pack(t, packed, raw)
				for _, ending := range endings {
					path := filepath.Join(dir, "input"+packed+ending)
					if err := os.WriteFile(path, []byte(data), 0o600); err != nil {
						t.Fatal(err)
					}
					r, err := Open(path, Options{Label: "label"})
					if err != nil {
						t.Fatal(err)
					}
					got, err := collect(r)
					if err != nil {
						t.Fatal(err)
					}
					same(t, filepath.Base(path), got, want)
					if err := r.Close(); err != nil {
						t.Fatal(err)
					}
				}
			}
		})
	}
}

func TestSourceName(t *testing.T) {
	path := filepath.Join(t.TempDir(), "dump.txt")
	if err := os.WriteFile(path, []byte(smallText), 0o600); err != nil {
		t.Fatal(err)
	}
	for label, want := range map[string]string{"": "dump.txt", "mine": "mine"} {
		r, err := Open(path, Options{Label: label})
		if err != nil {
			t.Fatal(err)
		}
		defer r.Close()
		files, err := collect(r)
		if err != nil {
			t.Fatal(err)
		}
		f := files[0]
		if f.Source != want || f.Tests[0].Origin.Source != want || f.Tests[0].Measurements[0].Origin.Source != want {
			t.Errorf("label %q: source %q, of a test %q, of a value %q", label, f.Source, f.Tests[0].Origin.Source, f.Tests[0].Measurements[0].Origin.Source)
		}
	}
}

func TestSeveralFiles(t *testing.T) {
	text, page := mustRead(t, smallText, 1)[0], mustRead(t, smallPage, 1)[0]
	collapsed := strings.Join(strings.Fields(smallText), " ")
	tests := []struct {
		name, raw string
		want      []*result.File
	}{
		{"text twice", smallText + smallText, []*result.File{text, text}},
		{"page twice", smallPage + "\n" + smallPage, []*result.File{page, page}},
		{"page twice without a newline", smallPage + smallPage, []*result.File{page, page}},
		{"text and page", smallText + smallPage, []*result.File{text, page}},
		{"page and text", smallPage + "\n" + smallText, []*result.File{page, text}},
		{"page and text without a newline", smallPage + smallText, []*result.File{page, text}},
		{"text, page, text, page", smallText + smallPage + "\n\n" + smallText + smallPage, []*result.File{text, page, text, page}},
		{"text without its last newline and page", strings.TrimRight(smallText, "\n") + smallPage, []*result.File{text, page}},
		{"collapsed twice", collapsed + "\n" + collapsed, []*result.File{text, text}},
		{"collapsed and page", collapsed + "\n" + smallPage, []*result.File{text, page}},
		{"collapsed and page without a newline", collapsed + smallPage, []*result.File{text, page}},
		{"page and collapsed", smallPage + "\n" + collapsed, []*result.File{page, text}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			files, err := readAll(t, test.raw, Options{})
			if err != nil {
				t.Fatal(err)
			}
			if len(files) != len(test.want) {
				t.Fatalf("got %d files, want %d", len(files), len(test.want))
			}
			for i, f := range files {
				for _, line := range oracle.Diff(f, test.want[i], oracle.Options{JoinTitle: strings.Contains(test.name, "collapsed")}) {
					t.Errorf("file %d: %s", i+1, line)
				}
				checkPlaces(t, test.raw, f)
			}
		})
	}
}

// checkPlaces checks that every printed value stands where its origin says,
// or behind it on the same line, and that line and offset agree.
func checkPlaces(t *testing.T, raw string, f *result.File) {
	t.Helper()
	for i := range f.Tests {
		for _, m := range f.Tests[i].Measurements {
			o := m.Origin
			if o.Offset < 0 || o.Offset > len(raw) {
				t.Errorf("%q: offset %d", m.Value, o.Offset)
				continue
			}
			line, _, _ := strings.Cut(raw[o.Offset:], "\n")
			if !strings.Contains(line, m.Value) {
				t.Errorf("%q is said to be at %v, where %q stands", m.Value, o, clip(line, 40))
			}
			before := raw[:o.Offset]
			if l, c := strings.Count(before, "\n")+1, o.Offset-strings.LastIndexByte(before, '\n'); l != o.Line || c != o.Column {
				t.Errorf("%q: offset %d is %d:%d, not %d:%d", m.Value, o.Offset, l, c, o.Line, o.Column)
			}
		}
	}
}

func TestPages(t *testing.T) {
	text, page := mustRead(t, smallText, 1)[0], mustRead(t, smallPage, 1)[0]
	escaped := strings.NewReplacer("<", "&lt;", ">", "&gt;").Replace(smallText)
	tests := []struct {
		name, raw string
		want      *result.File
	}{
		{"pre", "<!DOCTYPE html>\n<html><head><title>paste</title><script>if (a < b) {}</script></head>\n<body><h1>Paste</h1><pre>" + escaped + "</pre></body></html>", text},
		{"pre in a fragment", "<pre>\n" + escaped + "</pre>", text},
		{"textarea", "<html><body><form><textarea>" + escaped + "</textarea></form></body></html>", text},
		{"line by line", "<html><body><div>" + strings.ReplaceAll(escaped, "\n", "<br>\n") + "</div></body></html>", text},
		{"spans", "<html><body><pre>" + strings.ReplaceAll(escaped, "86.08", `<span class="n">86</span>.<b>08</b>`) + "</pre></body></html>", text},
		{"paragraphs of a page's text", "<html><body><p>" + strings.ReplaceAll(smallPage, "\n\n", "</p>\n<p>") + "</p></body></html>", page},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got := mustRead(t, test.raw, 1)[0]
			for _, line := range oracle.Diff(got, test.want, oracle.Options{JoinTitle: true, CollapseSpace: true}) {
				t.Error(line)
			}
			if test.name != "spans" {
				checkPlaces(t, test.raw, got)
			}
		})
	}
}

func TestRecord(t *testing.T) {
	raw := samples(t)["small record"]
	want := mustRead(t, smallPage, 1)
	same(t, "record read back", mustRead(t, raw, 1), want)
	same(t, "record with a mark", mustRead(t, "\xef\xbb\xbf"+raw, 1), want)
}

// An unreadable part must not take the others with it.
func TestPartsThatFail(t *testing.T) {
	files, err := readAll(t, smallText+"\n\nSSD . 12 > Higher Is Better\n", Options{})
	if len(files) != 1 {
		t.Fatalf("%d files, error %v", len(files), err)
	}
	isFormat(t, err)
}

func TestErrors(t *testing.T) {
	const expected = ", expected a PTS text, HTML, JSON or CSV export, page text, composite.xml, fio's JSON, a terminal capture or a benchproof record"
	tests := []struct{ name, raw, message string }{
		{"empty", "", "in:1:1: found an empty input" + expected},
		{"blank", " \n\t\n", "in:1:1: found nothing but white space" + expected},
		{"png", "\x89PNG\r\n\x1a\n\x00\x00\x00\x0dIHDR", "in:1:1: found a PNG image" + expected},
		{"pdf", "%PDF-1.7\n", "in:1:1: found a PDF document" + expected},
		{"elf", "\x7fELF\x02\x01\x01\x00", "in:1:1: found an ELF program" + expected},
		{"zip", "PK\x03\x04\x14\x00", "in:1:1: found a zip archive" + expected},
		{"binary", "\x00\x01\x02\x03binary", "in:1:1: found binary data (byte 0x00 at offset 0)" + expected},
		{"text", "\n  hello\nworld", "in:2:3: found text that begins with \"hello\"" + expected},
		{"long text", strings.Repeat("é", 100), "in:1:1: found text that begins with \"" + strings.Repeat("é", 60) + "…\"" + expected},
		{"json", `{"a": [1]}`, "in:1:1: found JSON that is no benchproof record" + expected},
		{"not json", "[8192] Deprecated: x", "in:1:1: found text that begins with \"[8192] Deprecated: x\"" + expected},
		{"json list", `[{"a":1}]`, "in:1:1: found JSON that is no benchproof record" + expected},
		{"plan", `{"schema": "benchproof/plan/1"}`, "in:1:1: found a benchproof document of another kind (plan)" + expected},
		{"own csv", "source,system,group,kind,key,value,inherited\n", "in:1:1: found a table of benchproof that holds no results" + expected},
		{"site test", "Fio\n\nTo run this test with the Phoronix Test Suite, the basic command is: x\n", "in:1:1: found an OpenBenchmarking page about a test, which is no result file" + expected},
		{"site result", "Disks\n\nCompare your own system(s) to this result file with the Phoronix Test Suite by\n", "in:1:1: found an OpenBenchmarking result page without its graphs (its export as text, HTML or XML can be read)" + expected},
		{"other xml", "<?xml version=\"1.0\"?>\n<!-- x --><feed></feed>", "in:1:1: found markup with the element feed" + expected},
		{"gzip of nothing", pack(t, ".gz", ""), "in:1:1: found an empty input" + expected},
		{"gzip of text", pack(t, ".gz", "hello"), "in:1:1: found text that begins with \"hello\"" + expected},
		{"thrice packed", pack(t, ".gz", pack(t, ".xz", pack(t, ".gz", "x"))), "in:1:1: found gzip data, compressed more than twice" + expected},
		{"record cut off", `{"schema":"benchproof/result/1","files":[`, "in:1:42: the document ends too early"},
		{"record of another version", `{"schema":"benchproof/result/9","files":[]}`, `in:1:11: found the schema "benchproof/result/9", expected "benchproof/result/1"`},
		{"record without files", `{"schema":"benchproof/result/1","files":[]}`, "in:1:1: found no result" + expected},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			files, err := readAll(t, test.raw, Options{})
			if len(files) != 0 || err == nil {
				t.Fatalf("%d files, error %v", len(files), err)
			}
			if err.Error() != test.message {
				t.Errorf("got  %s\nwant %s", err, test.message)
			}
			if !errors.Is(err, ErrFormat) {
				t.Error("the error is not ErrFormat")
			}
			var syntax *SyntaxError
			if !errors.As(err, &syntax) && !strings.HasPrefix(test.name, "record") {
				t.Error("the error is no SyntaxError")
			}
		})
	}
}

// A page of something else is named by its title.
func TestOtherPage(t *testing.T) {
	_, err := readAll(t, "<html><head><title>News</title></head><body><h1>x</h1></body></html>", Options{})
	if !errors.Is(err, ErrFormat) || !strings.HasPrefix(err.Error(), `in:1:1: found an HTML page titled "News"`) {
		t.Errorf("got %v", err)
	}
}

func TestDamagedPack(t *testing.T) {
	raw := []byte(pack(t, ".gz", smallText))
	raw[len(raw)-6] ^= 1
	_, err := readAll(t, string(raw), Options{})
	if err == nil || err.Error() != "in: damaged gzip data: gzip: invalid checksum" {
		t.Errorf("got %v", err)
	}
}

func TestOpenErrors(t *testing.T) {
	dir := t.TempDir()
	if _, err := Open(filepath.Join(dir, "absent"), Options{}); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("absent: %v", err)
	}
	if _, err := Open(dir, Options{}); err == nil || !strings.HasSuffix(err.Error(), "is a directory") || !strings.Contains(err.Error(), dir) {
		t.Errorf("directory: %v", err)
	}
	secret := filepath.Join(dir, "secret")
	if err := os.WriteFile(secret, []byte("x"), 0); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(secret, Options{}); os.Getuid() != 0 && !errors.Is(err, fs.ErrPermission) {
		t.Errorf("unreadable: %v", err)
	}
	if _, err := NewReader(nil, "x", Options{}); err == nil {
		t.Error("no input gave no error")
	}
	broken := errors.New("the disk is gone")
	r, err := NewReader(iotest.ErrReader(broken), "in", Options{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := collect(r); !errors.Is(err, broken) || errors.Is(err, ErrFormat) {
		t.Errorf("broken input: %v", err)
	}
}

func TestReaderLife(t *testing.T) {
	r, err := NewReader(io.MultiReader(strings.NewReader(smallText), strings.NewReader(smallPage)), "in", Options{})
	if err != nil {
		t.Fatal(err)
	}
	for range r.Files() {
		break // the second is left
	}
	for range 2 {
		files, err := collect(r)
		if err != nil || len(files) != 2 {
			t.Fatalf("%d files, error %v", len(files), err)
		}
	}
	for range 2 {
		if err := r.Close(); err != nil {
			t.Error(err)
		}
	}
	if _, err := collect(r); !errors.Is(err, os.ErrClosed) {
		t.Errorf("after Close: %v", err)
	}
}

func TestLimits(t *testing.T) {
	tests := []struct {
		name, raw string
		limits    Limits
		flag      string
	}{
		{"input", smallText, Limits{Input: 100}, "--max-input"},
		{"line", smallText, Limits{Text: 70}, "--max-text"},
		{"text of a page", "<pre>" + smallText, Limits{Text: 70}, "--max-text"},
		{"systems of a text", smallText, Limits{Systems: 1}, "--max-systems"},
		{"tests of a text", smallText, Limits{Tests: 1}, "--max-tests"},
		{"ratio", pack(t, ".gz", smallText+strings.Repeat("\n", 100_000)), Limits{Ratio: 20}, "--max-ratio"},
		{"tests of a record", `{"schema":"benchproof/result/1","files":[{"systems":[],"tests":[{"title":"a","measurements":[]},{"title":"b","measurements":[]}]}]}`, Limits{Tests: 1}, "--max-tests"},
		{"enough", smallText, Limits{Input: 10_000, Text: 200, Systems: 2, Tests: 2}, ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, err := readAll(t, test.raw, Options{Limits: test.limits})
			if test.flag == "" {
				if err != nil {
					t.Error(err)
				}
				return
			}
			var limit *LimitError
			if !errors.As(err, &limit) {
				t.Fatalf("got %v", err)
			}
			if limit.Flag != test.flag || !strings.Contains(err.Error(), test.flag) || !strings.HasPrefix(err.Error(), "in:") {
				t.Errorf("got %v, want it to name %s", err, test.flag)
			}
		})
	}
}
