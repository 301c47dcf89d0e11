package main

import (
	"context"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/benchproof/benchproof/internal/composite"
)

// largeFile writes a composite.xml of so many results and systems, and returns
// how many bytes it has.
func largeFile(tb testing.TB, path string, results, systems int) int64 {
	tb.Helper()
	file, err := os.Create(path)
	if err != nil {
		tb.Fatal(err)
	}
	defer file.Close()
	if err := composite.Write(file, results, systems); err != nil {
		tb.Fatal(err)
	}
	info, err := file.Stat()
	if err != nil {
		tb.Fatal(err)
	}
	return info.Size()
}

// BenchmarkConvert converts a composite.xml of 50 MB to the forms that are
// written while it is read.
func BenchmarkConvert(b *testing.B) {
	path := filepath.Join(b.TempDir(), "composite.xml")
	size := largeFile(b, path, 6400, 24)
	for _, name := range []string{"csv", "ndjson", "parquet", "sqlite"} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(size)
			b.ReportAllocs()
			for b.Loop() {
				e := &env{stdout: io.Discard, stderr: io.Discard, getenv: func(string) string { return "" }}
				if code := run(context.Background(), e, []string{"convert", path, "--format", name}); code != 0 {
					b.Fatal("exit code ", code)
				}
			}
		})
	}
}

// BenchmarkConvertProcess converts the same file to long CSV in a process of
// its own, start included: MB/s of CPU time is the input over user and system
// time, and peak-MiB the most memory that the process had, where the system
// tells it.
func BenchmarkConvertProcess(b *testing.B) {
	path := filepath.Join(b.TempDir(), "composite.xml")
	size := largeFile(b, path, 6400, 24)
	self, err := os.Executable()
	if err != nil {
		b.Fatal(err)
	}
	var cpu time.Duration
	var peak float64
	for b.Loop() {
		c := &exec.Cmd{Path: self, Args: []string{"benchproof", "convert", path}}
		if err := c.Run(); err != nil {
			b.Fatal(err)
		}
		cpu += c.ProcessState.UserTime() + c.ProcessState.SystemTime()
		peak = max(peak, peakMiB(c.ProcessState))
	}
	b.SetBytes(size)
	b.ReportMetric(float64(size)*float64(b.N)/1e6/cpu.Seconds(), "cpu-MB/s")
	if peak > 0 {
		b.ReportMetric(peak, "peak-MiB")
	}
}
