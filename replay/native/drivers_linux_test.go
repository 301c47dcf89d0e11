package native

import (
	"bytes"
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

// lister walks a folder by itself.
func lister(t *testing.T, dir string, f func(name string, size int64)) {
	t.Helper()
	err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		if err == nil {
			f(strings.TrimPrefix(name, dir+"/"), info.Size())
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// What compilebench leaves on the disk before it removes it is what it says it
// wrote.
func TestCompilebenchFiles(t *testing.T) {
	t.Chdir(t.TempDir())
	lists := compileLists(555, 0.01)
	want := map[string]int64{}
	for _, f := range append(append([]treeFile{}, lists.Clean...), lists.Compiled...) {
		want[f.Name] = f.Size
	}
	b := &compileRun{run: &run{ctx: t.Context()}, report: newReport("compilebench", "1"), buf: bytes.Repeat([]byte("a"), compilePiece), lists: lists}
	if err := claimDir(compileDir); err != nil {
		t.Fatal(err)
	}
	if err := b.all(3, 555, false); err != nil {
		t.Fatal(err)
	}
	trees, files, total := entries(t, compileDir), 0, int64(0)
	if strings.Join(trees, " ") != "kernel-0 kernel-1 kernel-2" {
		t.Fatalf("trees: %v", trees)
	}
	for _, tree := range trees {
		n := 0
		lister(t, filepath.Join(compileDir, tree), func(name string, size int64) {
			n++
			files++
			total += size
			if want, ok := want[name]; !ok || want != size {
				t.Errorf("%s/%s has %d bytes, want %d (%v)", tree, name, size, want, ok)
			}
		})
		if n != len(want) {
			t.Errorf("%s has %d files, want %d", tree, n, len(want))
		}
	}
	// 1 % of 21280 and of 3263 files, by hand.
	if files != 3*(212+32) {
		t.Errorf("%d files", files)
	}
	got := map[string]string{}
	for _, v := range b.report.Invariants {
		got[v.Name] = v.Got
		if !v.OK {
			t.Errorf("%s: got %s, want %s", v.Name, v.Got, v.Want)
		}
	}
	if got["files created"] != "636" || got["files compiled"] != "96" || got["files read"] != "732" {
		t.Errorf("invariants: %v", got)
	}
	created, read := atoi(t, got["bytes created"])+atoi(t, got["bytes compiled"]), atoi(t, got["bytes read"])
	if created != total || read != total { // three trees read, and three there
		t.Errorf("on the disk %d bytes, created %d, read %d", total, created, read)
	}
	text, err := os.ReadFile(filepath.Join(compileDir, "kernel-1", lists.Clean[0].Name))
	if err != nil || len(text) == 0 || len(bytes.Trim(text, "a")) != 0 {
		t.Errorf("a file holds %.20q, %v", text, err)
	}
}

func atoi(t *testing.T, text string) (n int64) {
	t.Helper()
	for _, c := range text {
		n = n*10 + int64(c-'0')
	}
	return n
}

// The rate of a phase is the arithmetic mean of its parts', by ticks.
func TestCompilebenchRates(t *testing.T) {
	r := report(t, t.TempDir(), "compilebench", "-trees", "2", "-share", "0.01")
	for name, n := range map[string]float64{"initial-create": 2, "compile": 2, "read-compiled-tree": 3} {
		rates := r.Facts[name+"_rates"].([]any)
		sum := 0.0
		for _, v := range rates {
			sum += v.(float64)
		}
		for _, s := range r.Samples {
			if s.Metric == name && (float64(len(rates)) != n || s.Value < sum/n*0.999999 || s.Value > sum/n*1.000001 || s.Unit != "B/s") {
				t.Errorf("%s is %v %s, its parts %v", name, s.Value, s.Unit, rates)
			}
		}
	}
	if got := r.Facts["caches_before_read"]; got != "kept" {
		t.Errorf("caches: %v", got)
	}
	if len(r.Warnings()) == 0 {
		t.Error("no warning that trees are read from memory")
	}
}

func TestIozoneFile(t *testing.T) {
	t.Chdir(t.TempDir())
	z := &iozoneRun{run: &run{ctx: t.Context()}, report: newReport("iozone", "1"), size: 1 << 20, buf: make([]byte, 64<<10)}
	fd, err := open(iozoneFile, os.O_WRONLY|os.O_CREATE, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	if err := z.all(fd, true); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(iozoneFile)
	if err != nil || len(text) != 1<<20 {
		t.Fatalf("%d bytes, %v", len(text), err)
	}
	for i, s := range z.report.Samples {
		seconds := z.report.Facts[s.Metric+"_seconds"].(float64)
		if want := float64(int64(1024/seconds)) * 1024; s.Value != want {
			t.Errorf("sample %d: %v, want %v of %v s", i, s.Value, want, seconds)
		}
	}
	// Another file's content is seen when it is read.
	text[700<<10&^0xfff] ^= 1
	if err := os.WriteFile(iozoneFile, text, 0o600); err != nil {
		t.Fatal(err)
	}
	fd, err = open(iozoneFile, os.O_RDONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	if err := z.part("read", fd, z.read); err == nil || !strings.Contains(err.Error(), "record 10 is not what was written") {
		t.Errorf("a changed file is read as it was: %v", err)
	}
	if err := os.Truncate(iozoneFile, 100<<10); err != nil {
		t.Fatal(err)
	}
	if fd, err = open(iozoneFile, os.O_RDONLY, 0); err != nil {
		t.Fatal(err)
	}
	if err := z.part("read", fd, z.read); err == nil {
		t.Error("a short file is read as whole")
	}
}

// What blogbench leaves on the disk is what it counted.
func TestBlogbenchFiles(t *testing.T) {
	t.Chdir(t.TempDir())
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	b := &blogRun{run: &run{ctx: ctx}, report: newReport("blogbench", "1")}
	if err := claimDir(blogDir); err != nil {
		t.Fatal(err)
	}
	if err := b.all([4]int{2, 6, 1, 3}, 3, 600*time.Millisecond, 7); err != nil {
		t.Fatal(err)
	}
	if err := b.report.broken(); err != nil {
		t.Error(err)
	}
	form := regexp.MustCompile(`^blog-(\d+)/(article|picture|comment)-([1-9]\d?|100)\.(xml|jpg)$`)
	limits := map[string][2]int64{"article": {1_024, 32_767}, "picture": {8_192, 65_535}, "comment": {2_048, 10_239}}
	counts := map[string]int64{}
	lister(t, blogDir, func(name string, size int64) {
		m := form.FindStringSubmatch(name)
		if m == nil {
			t.Errorf("file %s", name)
			return
		}
		counts[m[2]]++
		if l := limits[m[2]]; size < l[0] || size > l[1] || (m[4] == "jpg") != (m[2] == "picture") {
			t.Errorf("%s has %d bytes", name, size)
		}
	})
	sum := b.counted()
	// Each counted file is one on the disk or was written over.
	if counts["article"] > sum[5] || counts["picture"] > sum[6] || counts["comment"] > sum[7] || counts["article"] == 0 {
		t.Errorf("on the disk %v, counted %v", counts, sum)
	}
	folders := int64(len(entries(t, blogDir)))
	if folders != int64(b.next.Load()) || sum[0] > folders || folders-sum[0] > 3 {
		t.Errorf("%d folders, %d blogs finished", folders, sum[0])
	}
	for i, table := 0, b.report.Facts["intervals"].([][8]int64); i < 2; i++ {
		total := 0.0
		for _, row := range table {
			total += float64(row[i])
		}
		if s := b.report.Samples[i]; s.Value != total {
			t.Errorf("%s is %v, its intervals' sum %v", s.Metric, s.Value, total)
		}
	}
	if b.report.Samples[1].Value == 0 {
		t.Error("nothing was read")
	}
	// What was counted wrongly is seen.
	if err := os.Mkdir(filepath.Join(blogDir, "blog-999"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(blogDir, "blog-999", "article-1.xml"), make([]byte, 1023), 0o600); err != nil {
		t.Fatal(err)
	}
	b.report.Invariants = nil
	if err := b.verify(); err != nil || b.report.broken() == nil {
		t.Errorf("a folder too many and a file too small: %v, %v", err, b.report.Invariants)
	}
}

// The ranks of ior write their blocks side by side into one file.
func TestIORFile(t *testing.T) {
	t.Chdir(t.TempDir())
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	b := &iorRun{run: &run{ctx: t.Context()}, report: newReport("ior", "1"), np: 3, block: 512 << 10}
	defer b.end()
	for i := range 3 {
		r, err := startRank(t.Context(), self, i, b.block)
		if err != nil {
			t.Fatal(err)
		}
		b.ranks = append(b.ranks, r)
	}
	p, err := b.phase(rankWrite)
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(iorFile)
	if err != nil || len(text) != 3*512<<10 || p.bytes != int64(len(text)) {
		t.Fatalf("%d bytes, %v, %d counted", len(text), err, p.bytes)
	}
	for rank := range 3 {
		for at := range 512 << 10 {
			if got, want := text[rank*512<<10+at], byte(rank+at%(256<<10)); got != want {
				t.Fatalf("rank %d, byte %d is %d, want %d", rank, at, got, want)
			}
		}
	}
	if p.total < p.transfer || p.total <= 0 || p.total > 60 {
		t.Errorf("times %+v", p)
	}
	if _, err := b.phase(rankRead); err != nil {
		t.Fatal(err)
	}
	// A rank that reads less says so.
	if err := os.Truncate(iorFile, 1<<20); err != nil {
		t.Fatal(err)
	}
	if _, err := b.phase(rankRead); err == nil || !strings.Contains(err.Error(), "rank 2") {
		t.Errorf("a short file: %v", err)
	}
}

// A rank that dies is an error, and no rank is left.
func TestIORRankDies(t *testing.T) {
	t.Chdir(t.TempDir())
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	b := &iorRun{run: &run{ctx: t.Context()}, report: newReport("ior", "1"), np: 2, block: 256 << 10}
	for i := range 2 {
		r, err := startRank(t.Context(), self, i, b.block)
		if err != nil {
			t.Fatal(err)
		}
		b.ranks = append(b.ranks, r)
	}
	if err := b.ranks[1].cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	if _, err := b.phase(rankWrite); err == nil || !strings.Contains(err.Error(), "rank 1 is gone") {
		t.Errorf("a rank that was killed: %v", err)
	}
	b.end()
	for _, r := range b.ranks {
		if r.cmd.ProcessState == nil {
			t.Error("a rank is left")
		}
	}
}

func TestServeRank(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, args := range [][]string{nil, {"0"}, {"-1", "262144"}, {"0", "100"}, {"0", "x"}} {
		if err := serveRank(args, strings.NewReader(""), &bytes.Buffer{}); err == nil {
			t.Errorf("%q is taken", args)
		}
	}
	var out bytes.Buffer
	if err := serveRank([]string{"0", "262144"}, strings.NewReader("read\nunlink /\n"), &out); err == nil {
		t.Error("an order that nobody knows is taken")
	}
	if !strings.HasPrefix(out.String(), "ready\nerror open testFile: no such file") {
		t.Errorf("it says %q", out.String())
	}
}

func TestByteSize(t *testing.T) {
	for text, want := range map[string]int64{"4k": 4096, "1m": 1 << 20, "8g": 8 << 30, "512": 512, "2M": 2 << 20} {
		var b byteSize
		if err := b.Set(text); err != nil || int64(b) != want {
			t.Errorf("%q is %d, %v", text, b, err)
		}
	}
	for _, text := range []string{"", "k", "-4k", "0", "1.5m", "4kb", "0x10", "9223372036854775807k"} {
		var b byteSize
		if err := b.Set(text); err == nil {
			t.Errorf("%q is %d", text, b)
		}
	}
}
