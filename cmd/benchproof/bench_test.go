package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

// composite writes a composite.xml of so many results and systems, with runs,
// run times and compiler options as PTS writes them.
func composite(tb testing.TB, path string, results, systems int) int64 {
	tb.Helper()
	file, err := os.Create(path)
	if err != nil {
		tb.Fatal(err)
	}
	defer file.Close()
	w := bufio.NewWriterSize(file, 1<<20)
	w.WriteString("<?xml version=\"1.0\"?>\n<!--Phoronix Test Suite v10.8.4-->\n<PhoronixTestSuite>\n  <Generated>\n" +
		"    <Title>Synthetic</Title>\n    <LastModified>2026-01-01 00:00:00</LastModified>\n" +
		"    <TestClient>Phoronix Test Suite v10.8.4</TestClient>\n    <Description>Made for a benchmark.</Description>\n  </Generated>\n")
	for s := range systems {
		fmt.Fprintf(w, "  <System>\n    <Identifier>System %d</Identifier>\n    <Hardware>Processor: CPU %d, Disk: 500GB SSD</Hardware>\n"+
			"    <Software>OS: Linux, File-System: ext4</Software>\n    <User>u</User>\n    <TimeStamp>2026-01-01 00:00:00</TimeStamp>\n"+
			"    <TestClientVersion>10.8.4</TestClientVersion>\n    <Notes></Notes>\n    <JSON>{\"cpu-microcode\":\"0x417\"}</JSON>\n  </System>\n", s, s)
	}
	for i := range results {
		fmt.Fprintf(w, "  <Result>\n    <Identifier>pts/fio-1.11.%d</Identifier>\n    <Title>Flexible IO Tester</Title>\n    <AppVersion>3.1</AppVersion>\n"+
			"    <Arguments>randread libaio 0 1 4k %d</Arguments>\n    <Description>Type: Random Read - Block Size: %dKB</Description>\n"+
			"    <Scale>MB/s</Scale>\n    <Proportion>HIB</Proportion>\n    <DisplayFormat>BAR_GRAPH</DisplayFormat>\n    <Data>\n", i%7, i, i)
		for s := range systems {
			v := 1000 + (i*31+s*17)%977
			fmt.Fprintf(w, "      <Entry>\n        <Identifier>System %[1]d</Identifier>\n        <Value>%[2]d.%[3]d</Value>\n"+
				"        <RawString>%[2]d.%[3]d:%[4]d.%[3]d:%[5]d.%[3]d</RawString>\n"+
				"        <JSON>{\"compiler-options\":{\"compiler-type\":\"CC\",\"compiler\":\"gcc\",\"compiler-options\":\"-O3 -lm\"},\"test-run-times\":\"4.39:2.22:2.%[6]d\"}</JSON>\n"+
				"      </Entry>\n", s, v, s%10, v+1, v-1, 10+s)
		}
		w.WriteString("    </Data>\n  </Result>\n")
	}
	w.WriteString("</PhoronixTestSuite>\n")
	if err := w.Flush(); err != nil {
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
	size := composite(b, path, 6400, 24)
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
	size := composite(b, path, 6400, 24)
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
