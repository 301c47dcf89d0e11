package native

import (
	"path"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// The figures are those published of compilebench 0.6's lists.
func TestCompileLists(t *testing.T) {
	seeds := []uint64{555, 1, 2}
	if testing.Short() {
		seeds = seeds[:1]
	}
	for _, seed := range seeds {
		lists := compileLists(seed, 1)
		clean := facts(t, lists.Clean)
		if clean.files != 21_280 || clean.bytes != 233_176_153 || clean.dirs != 1_263 || clean.depth != 6 || clean.sizes[21_279] != 873_603 {
			t.Errorf("seed %d: clean: %d files, %d bytes, %d folders, depth %d, greatest %d",
				seed, clean.files, clean.bytes, clean.dirs, clean.depth, clean.sizes[len(clean.sizes)-1])
		}
		for _, p := range []struct {
			share float64
			size  int64
		}{{.10, 390}, {.25, 1_303}, {.50, 4_055}, {.75, 11_141}, {.90, 26_112}, {.99, 96_959}} {
			got := clean.sizes[int(p.share*21_280)]
			if distance(got, p.size)*100 > p.size { // within 1 %
				t.Errorf("seed %d: clean: percentile %v is %d, published %d", seed, p.share, got, p.size)
			}
		}
		compiled := facts(t, lists.Compiled)
		if compiled.files != 3_263 || compiled.bytes != 713_696_760 || compiled.empty != 410 || compiled.sizes[3_262] != 64_081_981 {
			t.Errorf("seed %d: compiled: %d files, %d bytes, %d empty, greatest %d",
				seed, compiled.files, compiled.bytes, compiled.empty, compiled.sizes[len(compiled.sizes)-1])
		}
		for _, p := range []struct {
			share float64
			size  int64
		}{{.50, 14_813}, {.90, 197_600}, {.99, 2_800_000}} {
			got := compiled.sizes[int(p.share*3_263)]
			if distance(got, p.size)*100 > 2*p.size {
				t.Errorf("seed %d: compiled: percentile %v is %d, published %d", seed, p.share, got, p.size)
			}
		}
		if compiled.objects != 1_359 || round1(compiled.objectBytes) != "454.7" {
			t.Errorf("seed %d: %d objects of %d bytes, published 1359 of 454.7 MiB", seed, compiled.objects, compiled.objectBytes)
		}
		if patch := facts(t, lists.Patch); patch.files != 6_136 || round1(patch.bytes) != "109.7" {
			t.Errorf("seed %d: patch: %d files, %d bytes", seed, patch.files, patch.bytes)
		}
		// compilebench prints whole MiB, cut: 691 for what a compile of the
		// patched tree adds.
		if p := facts(t, lists.PatchedCompiled); p.bytes>>20 != 691 {
			t.Errorf("seed %d: patched, compiled: %d bytes", seed, p.bytes)
		}
		names := map[string]bool{}
		for _, f := range slices.Concat(lists.Clean, lists.Compiled) {
			if names[f.Name] {
				t.Fatalf("seed %d: %s is there twice", seed, f.Name)
			}
			names[f.Name] = true
		}
	}
	if a, b := compileLists(555, 1), compileLists(555, 1); !reflect.DeepEqual(a, b) {
		t.Error("the same seed gives other lists")
	}
	if a, b := compileLists(555, 1), compileLists(556, 1); reflect.DeepEqual(a.Clean, b.Clean) {
		t.Error("another seed gives the same list")
	}
}

type listFacts struct {
	files, dirs, depth, empty, objects int
	bytes, objectBytes                 int64
	sizes                              []int64
}

// facts looks at a list as somebody would who knows nothing of how it is made.
func facts(t *testing.T, list []treeFile) listFacts {
	t.Helper()
	var f listFacts
	dirs := map[string]bool{}
	for _, file := range list {
		if file.Size < 0 || path.Clean(file.Name) != file.Name || strings.HasPrefix(file.Name, "/") || strings.Contains(file.Name, "..") {
			t.Fatalf("file %+v", file)
		}
		f.files++
		f.bytes += file.Size
		f.sizes = append(f.sizes, file.Size)
		f.depth = max(f.depth, strings.Count(file.Name, "/")+1)
		if file.Size == 0 {
			f.empty++
		}
		if strings.HasSuffix(file.Name, ".o") {
			f.objects++
			f.objectBytes += file.Size
		}
		for d := path.Dir(file.Name); d != "."; d = path.Dir(d) {
			dirs[d] = true
		}
	}
	f.dirs = len(dirs)
	slices.Sort(f.sizes)
	return f
}

// round1 gives bytes in MiB with one decimal.
func round1(bytes int64) string {
	tenths := (bytes*10 + 1<<19) >> 20
	return string(rune('0'+tenths/1000)) + string(rune('0'+tenths/100%10)) + string(rune('0'+tenths/10%10)) + "." + string(rune('0'+tenths%10))
}

func TestThin(t *testing.T) {
	lists := compileLists(555, 0.1)
	if n := len(lists.Clean); n != 2_128 {
		t.Errorf("a tenth of 21280 is %d", n)
	}
	if n := len(lists.Compiled); n != 326 {
		t.Errorf("a tenth of 3263 is %d", n)
	}
	if mean := sumOf(lists.Clean) / 2_128; mean < 8_000 || mean > 14_000 { // 10 957 of the whole
		t.Errorf("the files that are kept have %d bytes each", mean)
	}
	if n := len(compileLists(1, 1e-9).Clean); n != 1 {
		t.Errorf("next to nothing is %d files", n)
	}
}
