package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// manyInputs makes a directory of files of several forms, some of them broken,
// some no results, one compressed and one large.
func manyInputs(tb testing.TB, n int) string {
	tb.Helper()
	dir := tb.TempDir()
	var contents [][]byte
	for _, name := range []string{"small.txt", "small.xml", "hostile.json"} {
		raw, err := os.ReadFile(filepath.Join("testdata/input", name))
		if err != nil {
			tb.Fatal(err)
		}
		contents = append(contents, raw)
	}
	contents = append(contents, contents[1][:len(contents[1])/2], []byte("no result at all\n"), nil)
	for i := range n {
		raw := contents[i%len(contents)]
		raw = bytes.ReplaceAll(raw, []byte("96.7"), fmt.Appendf(nil, "%d.7", 90+i%10))
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("%04d.in", i)), raw, 0o666); err != nil {
			tb.Fatal(err)
		}
	}
	largeFile(tb, filepath.Join(dir, "0005.large.xml"), 400, 12)
	return dir
}

// TestAheadIsInOrder: what is read on many cores is written, and said, as if
// there were one.
func TestAheadIsInOrder(t *testing.T) {
	dir := manyInputs(t, 60)
	first := filepath.Join(dir, "0001.in")
	do := func(procs int, stdin string, args ...string) string {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(procs))
		e, stdout, stderr := testEnv(nil)
		e.stdin = strings.NewReader(stdin)
		code := run(t.Context(), e, args)
		return fmt.Sprintf("%d\n%s\n%s", code, stderr, stdout)
	}
	small, err := os.ReadFile(filepath.Join("testdata/input", "small.txt"))
	if err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{
		{"convert", dir},
		{"convert", dir, "-f", "ndjson", "--test", "FS-Mark"},
		{"convert", dir, "-f", "json"},
		{"convert", dir, "-f", "parquet"},
		{"convert", dir, "-f", "sqlite"},
		{"convert", dir, "--convert-units"},
		{"convert", dir, "--layout", "wide", "--system", "EXT4"},
		{"convert", first, "-", filepath.Join(dir, "nosuch"), "again=" + first, dir},
		{"check", dir},
		{"merge", dir, "-f", "json"},
	} {
		one := do(1, string(small), args...)
		if many := do(4, string(small), args...); many != one {
			t.Errorf("%q: %d bytes on one core, %d on four, or others", args, len(one), len(many))
		}
		if len(one) < 200 {
			t.Errorf("%q: only %q", args, one)
		}
	}
}

// TestLateCrash: a panic of a reader on another core is told as every other.
func TestLateCrash(t *testing.T) {
	a := &ahead{room: make(chan struct{}, 1), read: []chan outcome{make(chan outcome, 1)}}
	a.room <- struct{}{}
	a.read[0] <- outcome{panic: &lateCrash{"index out of range", []byte("where it was")}}
	e, _, stderr := testEnv(nil)
	ended := &app{e: e, m: newMessages(e, &globals{}), globals: globals{verbose: true}}
	code := 0
	func() {
		defer ended.recovered(&code)
		a.take(t.Context(), 0)
	}()
	want := "benchproof: error: internal error: index out of range; please report it, with the input that leads to it\nwhere it was"
	if code != exitFailed || stderr.String() != want {
		t.Errorf("code %d, stderr %q", code, stderr)
	}
}

// BenchmarkDirectory converts 10 000 files of a directory to Parquet in one
// run, with one core and with all.
func BenchmarkDirectory(b *testing.B) {
	dir := b.TempDir()
	var size int64
	for i := range 10000 {
		size += largeFile(b, filepath.Join(dir, fmt.Sprintf("%05d.xml", i)), 8, 4)
	}
	for _, procs := range []int{1, runtime.NumCPU()} {
		b.Run(fmt.Sprintf("cores=%d", procs), func(b *testing.B) {
			defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(procs))
			b.SetBytes(size)
			for b.Loop() {
				e, _, stderr := testEnv(nil)
				if code := run(b.Context(), e, []string{"convert", dir, "-o", filepath.Join(b.TempDir(), "all.parquet")}); code != exitOK {
					b.Fatal(code, stderr)
				}
			}
		})
	}
}
