package picture

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/xml"
	"errors"
	"flag"
	"image/png"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/benchproof/benchproof/analyze"
	"github.com/benchproof/benchproof/result"
)

var update = flag.Bool("update", false, "rewrite the expected pictures in testdata")

// sampleFile has a test of every kind of picture, in groups.
func sampleFile() *result.File {
	f := &result.File{Title: "File-systems", Source: "fs.xml", Format: result.FormatXML}
	for _, n := range []string{"HDD: EXT4", "HDD: XFS", "SSD: EXT4", "SSD: XFS"} {
		f.Systems = append(f.Systems, result.System{Identifier: n})
	}
	result.SetGroups(f.Systems)
	runs := func(system int, value string, raw ...string) result.Measurement {
		return result.Measurement{System: system, Value: value, RawValues: raw}
	}
	with := func(system int, value, se string, n int) result.Measurement {
		return result.Measurement{System: system, Value: value, StdError: se, Samples: n}
	}
	f.Tests = []result.Test{
		{
			Title: "FS-Mark", Version: "3.3", Arguments: "Test: 1000 Files, 1MB Size", Scale: "Files/s", Proportion: result.HIB,
			Measurements: []result.Measurement{with(0, "100.0", "2.0", 3), with(1, "125.0", "1.0", 3), with(2, "250.0", "1.0", 5), with(3, "240.0", "0", 3)},
		},
		{
			Title: "SQLite", Version: "3.22", Scale: "Seconds", Proportion: result.LIB,
			Measurements: []result.Measurement{
				runs(0, "80", "78", "79", "80", "81", "82"), runs(1, "60", "59", "60", "61"),
				{System: 2, Status: result.StatusFailed, Reason: "timeout"},
				with(3, "5.5", "", 0),
			},
		},
		{
			Title: "CPU Temperature Monitor", Scale: "Celsius", Proportion: result.LIB,
			Measurements: []result.Measurement{{System: 0, Value: "40,41,45,NaN,50,49"}, {System: 1, Value: "30,31"}, {System: 2, Value: "20,20,21,22,21,20"}},
		},
		{Title: "Words", Scale: "", Measurements: []result.Measurement{{System: 0, Value: "PASS"}, {System: 1, Value: "FAIL"}}},
		{
			Title: "Delta", Scale: "ms", Proportion: result.LIB,
			Measurements: []result.Measurement{with(0, "-3", "", 0), with(1, "6", "", 0)},
		},
	}
	return f
}

// rankFile has enough profiles for a critical difference: EXT4 is always the
// first of three, the others change places.
func rankFile() *result.File {
	f := &result.File{Title: "Ranks", Source: "ranks.xml"}
	for _, n := range []string{"EXT4", "XFS", "Btrfs"} {
		f.Systems = append(f.Systems, result.System{Identifier: n})
	}
	for i := range 10 {
		values := []string{"30", "20", "10"}
		if i%2 == 1 {
			values = []string{"30", "10", "20"}
		}
		t := result.Test{Title: "Profile " + strconv.Itoa(i), Scale: "MB/s", Proportion: result.HIB}
		for s, v := range values {
			t.Measurements = append(t.Measurements, result.Measurement{System: s, Value: v, StdError: "0.1", Samples: 3})
		}
		f.Tests = append(f.Tests, t)
	}
	return f
}

func analyzed(t testing.TB, files ...*result.File) (*analyze.Comparison, *analyze.Ranking) {
	set := analyze.NewSet(files)
	c, err := analyze.Compare(set, analyze.CompareOptions{})
	if err != nil {
		t.Fatal(err)
	}
	r, err := analyze.Rank(set)
	if err != nil {
		t.Fatal(err)
	}
	return c, r
}

// write draws the pictures of files and returns their directory.
func write(t testing.TB, files ...*result.File) (dir string, notes []string) {
	dir = filepath.Join(t.TempDir(), "pictures")
	c, r := analyzed(t, files...)
	notes, err := Write(context.Background(), dir, c, r, Options{FontDirs: []string{}})
	if err != nil {
		t.Fatal(err)
	}
	return dir, notes
}

// TestWrite: which pictures there are, their names, and that they are such.
func TestWrite(t *testing.T) {
	dir, notes := write(t, sampleFile())
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, e := range entries {
		if strings.HasSuffix(e.Name(), ".svg") {
			got = append(got, e.Name())
		}
	}
	want := []string{
		"01-means.svg", "02-ranking-hdd.svg", "03-ranking-ssd.svg",
		"04-bars-fs-mark-3-3-test-1000-files-1mb-size.svg", "05-bars-sqlite-3-22.svg", "06-runs-sqlite-3-22.svg",
		"07-lines-cpu-temperature-monitor.svg", "08-bars-delta.svg",
		"09-ratios-hdd-xfs-against-hdd-ext4.svg", "10-ratios-ssd-ext4-against-hdd-ext4.svg", "11-ratios-ssd-xfs-against-hdd-ext4.svg",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("files (-want +got):\n%s", diff)
	}
	if all := strings.Join(notes, "\n"); !strings.Contains(all, "Words: not drawn: no value is a number") ||
		!strings.Contains(all, "HDD: over all tests: no critical-difference diagram") {
		t.Errorf("notes:\n%s", all)
	}
	checkFolder(t, dir)
	for _, name := range []string{want[0], want[3], want[5], want[6], want[9]} {
		golden(t, dir, name)
	}
	ranks, _ := write(t, rankFile())
	checkFolder(t, ranks)
	golden(t, ranks, "02-ranking.svg")
	golden(t, ranks, "03-difference.svg")
}

// golden compares a picture with one that was looked at.
func golden(t *testing.T, dir, name string) {
	t.Helper()
	got, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join("testdata", name[3:])
	if *update {
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("%s (-want +got):\n%s", name, diff)
	}
}

var plainName = regexp.MustCompile(`^[0-9]+-[a-z0-9-]+\.(svg|png)$`)

// checkFolder checks that every file of a directory is a picture of a plain name,
// that each is in the index once, that SVG is well-formed and holds shapes and
// text alone, and that PNG is as large as SVG.
func checkFolder(t testing.TB, dir string) {
	t.Helper()
	index, err := os.ReadFile(filepath.Join(dir, IndexName))
	if err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(bytes.NewReader(index)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	listed := map[string]bool{}
	for _, row := range rows[1:] {
		listed[row[0]], listed[row[1]] = true, true
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	if len(entries) != len(listed)+1 {
		t.Errorf("%d files, %d in the index", len(entries), len(listed))
	}
	for _, e := range entries {
		if e.Name() == IndexName {
			continue
		}
		if !plainName.MatchString(e.Name()) || !listed[e.Name()] || len(e.Name()) > 80 {
			t.Errorf("name %q", e.Name())
		}
		if !strings.HasSuffix(e.Name(), ".svg") {
			continue
		}
		data, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		width, height := checkSVG(t, e.Name(), data)
		file, err := os.Open(filepath.Join(dir, strings.TrimSuffix(e.Name(), "svg")+"png"))
		if err != nil {
			t.Fatal(err)
		}
		config, err := png.DecodeConfig(file)
		file.Close()
		if err != nil || math.Abs(float64(config.Width)-width*dpi/72) > 1 || math.Abs(float64(config.Height)-height*dpi/72) > 1 {
			t.Errorf("%s: PNG of %d x %d, %v; SVG of %v x %v points", e.Name(), config.Width, config.Height, err, width, height)
		}
	}
}

func checkSVG(t testing.TB, name string, data []byte) (width, height float64) {
	t.Helper()
	dec := xml.NewDecoder(bytes.NewReader(data))
	for {
		token, err := dec.Token()
		if errors.Is(err, io.EOF) {
			return width, height
		}
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		start, ok := token.(xml.StartElement)
		if !ok {
			continue
		}
		switch start.Name.Local {
		case "svg":
			for _, a := range start.Attr {
				if a.Name.Local == "viewBox" {
					parts := strings.Fields(a.Value)
					width, _ = strconv.ParseFloat(parts[2], 64)
					height, _ = strconv.ParseFloat(parts[3], 64)
				}
			}
		case "title", "desc", "g", "path", "text":
		default:
			t.Errorf("%s: element %s", name, start.Name.Local)
		}
		for _, a := range start.Attr {
			if strings.HasPrefix(strings.ToLower(a.Name.Local), "on") || a.Name.Local == "href" {
				t.Errorf("%s: attribute %s", name, a.Name.Local)
			}
		}
	}
}

// TestDeterministic: equal input gives equal bytes.
func TestDeterministic(t *testing.T) {
	one, _ := write(t, sampleFile())
	two, _ := write(t, sampleFile())
	err := fs.WalkDir(os.DirFS(one), ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		a, errA := os.ReadFile(filepath.Join(one, path))
		b, errB := os.ReadFile(filepath.Join(two, path))
		if !bytes.Equal(a, b) {
			t.Errorf("%s is different", path)
		}
		return errors.Join(errA, errB)
	})
	if err != nil {
		t.Error(err)
	}
}

// TestHostile: published text stays text, names no file, and is not lost.
func TestHostile(t *testing.T) {
	f := &result.File{Source: "../../x", Title: "</text><script>alert(1)</script>"}
	names := []string{
		"../../../etc/passwd", "</text><script>alert(1)</script>", "\x1b[31mred\x07\x00\u202e", "\xff\xfe", "javascript:alert(1)",
		strings.Repeat("long name ", 1000), strings.Repeat("x", 10_000), "日本語", "\u0301\u0301", "", "|a|b|", "CON", "%s%d",
	}
	for _, n := range names {
		f.Systems = append(f.Systems, result.System{Identifier: n})
	}
	for _, n := range names[:6] {
		test := result.Test{Title: n, Version: n, Arguments: n, Scale: n, Proportion: result.HIB}
		for i := range names {
			m := result.Measurement{System: i, Value: strconv.Itoa(10 + i), StdError: "0.1", Samples: 3}
			if i == 3 {
				m = result.Measurement{System: i, Status: result.StatusFailed, Reason: n}
			}
			test.Measurements = append(test.Measurements, m)
		}
		f.Tests = append(f.Tests, test)
	}
	dir, notes := write(t, f)
	checkFolder(t, dir)
	svg, err := os.ReadFile(filepath.Join(dir, "01-means.svg"))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"日本語", "&lt;/text&gt;&lt;script&gt;alert(1)&lt;/script&gt;", `\x1b[31mred\x07\x00\u202e`, "long name", "…"} {
		if !bytes.Contains(svg, []byte(want)) {
			t.Errorf("no %q in the forest", want)
		}
	}
	if bytes.ContainsAny(svg, "\x1b\x00\x07\u202e") {
		t.Error("control characters in SVG")
	}
	if all := strings.Join(notes, "\n"); !strings.Contains(all, `no font of this system has the letters "日本語"`) {
		t.Errorf("no note of letters that are boxes:\n%s", all)
	}
}

// TestExtremes: values of any size are drawn, in pictures of a usual size.
func TestExtremes(t *testing.T) {
	f := &result.File{Source: "x", Systems: []result.System{{Identifier: "A"}, {Identifier: "B"}, {Identifier: "C"}}}
	for _, values := range [][3]string{
		{"1e308", "-1e308", "1"},
		{"1e-320", "2e-320", "3e-320"},
		{"1000000000000.001", "1000000000000.002", "1000000000000.003"},
		{"0", "0", "0"},
		{"1e-300", "1", "1e300"},
		{"123456789012345678901234567890", "5", "-7"},
		{"1e308,1e308,-1e308", "1,1,1", "0,NaN,1e-320"},
	} {
		test := result.Test{Title: values[0], Proportion: result.HIB}
		for i, v := range values {
			test.Measurements = append(test.Measurements, result.Measurement{System: i, Value: v, StdError: "1", Samples: 3, RawValues: []string{v, v, v}})
		}
		f.Tests = append(f.Tests, test)
	}
	dir, _ := write(t, f)
	checkFolder(t, dir)
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		data, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		if strings.HasSuffix(e.Name(), ".svg") && (bytes.Contains(data, []byte("Inf")) || bytes.Contains(data, []byte("NaN"))) {
			t.Errorf("%s has a place that is none", e.Name())
		}
		if len(data) > 200_000 {
			t.Errorf("%s has %d bytes", e.Name(), len(data))
		}
	}
}

// TestRefuses: a file that is there is not replaced; a context that has ended
// ends the writing; two sets are none.
func TestRefuses(t *testing.T) {
	c, r := analyzed(t, rankFile())
	dir := t.TempDir()
	there := filepath.Join(dir, "01-means.svg")
	if err := os.WriteFile(there, []byte("mine"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := Write(context.Background(), dir, c, r, Options{}); !errors.Is(err, fs.ErrExist) || err.Error() != "01-means.svg: file exists" {
		t.Errorf("error %v for a file that is there", err)
	}
	if data, _ := os.ReadFile(there); string(data) != "mine" {
		t.Errorf("it is %q now", data)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Write(ctx, t.TempDir(), c, r, Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v of an ended context", err)
	}
	_, other := analyzed(t, rankFile())
	if _, err := Write(context.Background(), t.TempDir(), c, other, Options{}); err == nil {
		t.Error("no error for two sets")
	}
	written := 0
	_, err := Write(context.Background(), t.TempDir(), c, r, Options{Done: func(n, all int) {
		if written++; n != written || n > all {
			t.Errorf("%d of %d is number %d", n, all, written)
		}
	}})
	if err != nil || written == 0 {
		t.Errorf("%d calls, %v", written, err)
	}
}
