// Package composite is test support: it writes a composite.xml of any size, for
// what depends on an input's length alone.
package composite

import (
	"bufio"
	"fmt"
	"io"
)

// Write writes a composite.xml of so many results and systems, with runs, run
// times and compiler options as PTS writes them. Equal numbers give equal bytes;
// 6400 results of 24 systems are about 50 MB.
func Write(w io.Writer, results, systems int) error {
	b := bufio.NewWriterSize(w, 1<<20)
	b.WriteString("<?xml version=\"1.0\"?>\n<!--Phoronix Test Suite v10.8.4-->\n<PhoronixTestSuite>\n  <Generated>\n" +
		"    <Title>Synthetic</Title>\n    <LastModified>2026-01-01 00:00:00</LastModified>\n" +
		"    <TestClient>Phoronix Test Suite v10.8.4</TestClient>\n    <Description>Made for a benchmark.</Description>\n  </Generated>\n")
	for s := range systems {
		fmt.Fprintf(b, "  <System>\n    <Identifier>System %d</Identifier>\n    <Hardware>Processor: CPU %d, Disk: 500GB SSD</Hardware>\n"+
			"    <Software>OS: Linux, File-System: ext4</Software>\n    <User>u</User>\n    <TimeStamp>2026-01-01 00:00:00</TimeStamp>\n"+
			"    <TestClientVersion>10.8.4</TestClientVersion>\n    <Notes></Notes>\n    <JSON>{\"cpu-microcode\":\"0x417\"}</JSON>\n  </System>\n", s, s)
	}
	for i := range results {
		fmt.Fprintf(b, "  <Result>\n    <Identifier>pts/fio-1.11.%d</Identifier>\n    <Title>Flexible IO Tester</Title>\n    <AppVersion>3.1</AppVersion>\n"+
			"    <Arguments>randread libaio 0 1 4k %d</Arguments>\n    <Description>Type: Random Read - Block Size: %dKB</Description>\n"+
			"    <Scale>MB/s</Scale>\n    <Proportion>HIB</Proportion>\n    <DisplayFormat>BAR_GRAPH</DisplayFormat>\n    <Data>\n", i%7, i, i)
		for s := range systems {
			v := 1000 + (i*31+s*17)%977
			fmt.Fprintf(b, "      <Entry>\n        <Identifier>System %[1]d</Identifier>\n        <Value>%[2]d.%[3]d</Value>\n"+
				"        <RawString>%[2]d.%[3]d:%[4]d.%[3]d:%[5]d.%[3]d</RawString>\n"+
				"        <JSON>{\"compiler-options\":{\"compiler-type\":\"CC\",\"compiler\":\"gcc\",\"compiler-options\":\"-O3 -lm\"},\"test-run-times\":\"4.39:2.22:2.%[6]d\"}</JSON>\n"+
				"      </Entry>\n", s, v, s%10, v+1, v-1, 10+s)
		}
		b.WriteString("    </Data>\n  </Result>\n")
	}
	b.WriteString("</PhoronixTestSuite>\n")
	return b.Flush() // a bufio.Writer keeps the first error
}
