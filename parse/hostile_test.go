package parse

import (
	"strings"
	"testing"
)

// Inputs made to take long: nothing but one piece over and over. There is no
// clock here; whatever takes more than linear time does not end in time.
func TestHostile(t *testing.T) {
	size := 512 << 10
	if testing.Short() {
		size = 64 << 10
	}
	pieces := []string{
		" ", "\n", "<", "<p>", "<pre>", "&", "&amp", "&#x41;", "{", `{"schema":"benchproof/result/1",`, `{"fio version":"fio-3.1","jobs":[{"jobname":`, "{\"fio version\":\"1\",\"jobs\":[]}\n", "\x1b", "\x1b[", "\x1b]", "\x1b[1;",
		"x\b", "é\b\bx", "\r", "x\x00yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy", "\xff", "é\xff", "=", "|", "1|", ".", "1.1 |==\n", "A . 1 |= ",
		"More Is Better", "OpenBenchmarking.org", "OpenBenchmarking.orgMB/s, More Is Better", "OpenBenchmarking.orgMB/s, More Is Better\n",
		"Phoronix Test Suite v1", "Phoronix Test Suite v1.2\n", "HTML result view exported from: x\n",
		"MB/s > Higher Is Better ", "Seconds < Lower Is Better\n", "x < Lower Is Better\nOpenBenchmarking.orgMB/s, More Is Better\n",
		"Processor: x, ", "A: \n\n\tProcessor: x\n\n\tOS: y\n\n", "<!--", "<![CDATA[", "<PhoronixTestSuite>", "<PhoronixTestSuite><Result>",
		"<h1>x</h1><svg>", "<a b=\"", "\xef\xbb\xbf", "9", "SE +/- 1, N = 3",
	}
	for _, piece := range pieces {
		for _, tail := range []string{"", "Seconds < Lower Is Better\nA . 1 |=\n"} {
			t.Run(clip(piece, 30)+tail[:min(len(tail), 1)], func(t *testing.T) {
				t.Parallel()
				_, err := readAll(t, strings.Repeat(piece, size/len(piece))+tail, Options{})
				isFormat(t, err)
			})
		}
	}
}

// The same between the parts of a page's text.
func TestHostilePage(t *testing.T) {
	const head = "T\n\nProcessorMotherboardDiskOSABOpenBenchmarking.org\n\n"
	const graph = "OpenBenchmarking.orgMB/s, More Is BetterTAB510152025"
	size := 256 << 10
	if testing.Short() {
		size = 64 << 10
	}
	for _, text := range []string{
		head + strings.Repeat("abc\n", size/4) + graph + "121\n",
		head + graph + strings.Repeat("12345678", size/8) + "\n",
	} {
		t.Run(clip(text[len(head):], 30), func(t *testing.T) {
			t.Parallel()
			files, err := readAll(t, text, Options{})
			isFormat(t, err)
			if len(files) != 1 || len(files[0].Tests) != 1 {
				t.Errorf("%d files, want one of one test", len(files))
			}
		})
	}
}
