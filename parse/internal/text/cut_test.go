package text

import (
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/benchproof/benchproof/parse/internal/oracle"
	"github.com/benchproof/benchproof/result"
)

// pairs returns what the exact measurements of files say, with the place of
// the test in its file.
func pairs(files []*result.File, place bool) map[string]bool {
	set := make(map[string]bool)
	for _, f := range files {
		for i := range f.Tests {
			for _, m := range f.Tests[i].Measurements {
				if m.Decode != result.DecodeExact || m.Status != result.StatusOK {
					continue
				}
				p := fmt.Sprintf("%q %q %q %q", f.Systems[m.System].Identifier, m.Value, m.Min, m.Max)
				if place {
					p = fmt.Sprintf("%d %s", i, p)
				}
				set[p] = true
			}
		}
	}
	return set
}

// checkCut checks that a dump cut at its end or beginning says nothing
// exactly that the whole one does not say.
func checkCut(t *testing.T, name, text string, at int, whole, anywhere map[string]bool) {
	t.Helper()
	for p := range pairs(checkRead(t, text[:at]), true) {
		if !whole[p] {
			t.Errorf("%s cut behind %d: %s is not in the whole dump", name, at, p)
		}
	}
	for p := range pairs(checkRead(t, text[at:]), false) {
		if !anywhere[p] {
			t.Errorf("%s cut before %d: %s is not in the whole dump", name, at, p)
		}
	}
}

func TestCut(t *testing.T) {
	for form, text := range map[string]string{"lines": smallDump, "collapsed": strings.Join(strings.Fields(smallDump), " ")} {
		files := checkRead(t, text)
		for at := range text {
			checkCut(t, form, text, at, pairs(files, true), pairs(files, false))
		}
	}
}

func TestCutSamples(t *testing.T) {
	for _, form := range []string{"text", "collapsed"} {
		for _, path := range oracle.Glob(t, "samples", "forms", "*."+form+".txt") {
			text := load(t, path)
			files := checkRead(t, text)
			whole, anywhere := pairs(files, true), pairs(files, false)
			for at := 0; at < len(text); at += 97 {
				checkCut(t, path, text, at, whole, anywhere)
			}
		}
	}
}

// A piece is lost somewhere in a dump. What is then said to be exact is in the
// whole dump too: a value that lost a digit contradicts its bar, the decimals
// or the column of the others, and what joins another test's rows contradicts
// the dots or the systems of that. In text without bars nothing tells a lost
// digit, nor a value made of two.
func TestPieceLost(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for _, form := range []string{"text", "collapsed"} {
		wrong, read := 0, 0
		for _, path := range oracle.Glob(t, "samples", "forms", "*."+form+".txt") {
			text := load(t, path)
			anywhere := pairs(checkRead(t, text), false)
			for range 200 {
				at := r.IntN(len(text))
				end := at + 1 + r.IntN(1<<r.IntN(10))
				if end > len(text) {
					continue
				}
				for p := range pairs(checkRead(t, text[:at]+text[end:]), false) {
					read++
					if !anywhere[p] {
						wrong++
						t.Logf("%s without [%d:%d]: %s", path, at, end, p)
					}
				}
			}
		}
		allowed := map[string]int{"text": 1, "collapsed": 1}[form]
		if wrong > allowed || read < 100_000 {
			t.Errorf("%s: %d wrong of %d read", form, wrong, read)
		}
	}
}

// A dump pasted up to the middle of a row's bar, before the row with the
// largest value: the values are whole, and only the end is said to be missing.
func TestCutWithinBar(t *testing.T) {
	raw, err := os.ReadFile("../../../samples/optane-900p-raid.txt")
	if err != nil {
		t.Fatal(err)
	}
	at := strings.Index(string(raw), "XFS RAID0 Dual 900p ........ 1523.00 |=======================")
	if at < 0 {
		t.Fatal("the sample has another text")
	}
	text := string(raw[:at+len("XFS RAID0 Dual 900p ........ 1523.00 |=======================")])
	files := checkRead(t, text)
	f := files[len(files)-1]
	last := f.Tests[len(f.Tests)-1]
	var got []string
	for _, m := range last.Measurements {
		got = append(got, m.Value+" "+m.Decode.String())
	}
	want := "1385.00 exact, 1580.00 exact, 1504.00 exact, 1404.00 exact, 1692.00 exact, 1540.00 exact, 1523.00 exact"
	if s := strings.Join(got, ", "); s != want {
		t.Errorf("got  %s\nwant %s", s, want)
	}
	codes := make(map[string]int)
	for _, d := range f.Diagnostics {
		codes[string(d.Severity)+" "+d.Code]++
	}
	if codes["warning truncated"] != 1 || codes["error bar-mismatch"] != 0 {
		t.Errorf("diagnostics %v", codes)
	}
}

// An export of one system, cut at every byte: where the rest of a test, or of
// its only row, is lost, one warning says so. What ends behind a whole test is
// a whole export of fewer tests, and gets none.
func TestCutOneSystem(t *testing.T) {
	// Bars as PTS draws them, in lines of 80.
	row := func(value string) string {
		line := "Raspberry . " + value + " |"
		return line + strings.Repeat("=", 80-len(line)) + "\n"
	}
	head := "Python on a Pi\nOne machine.\n\n\nRaspberry: \n\n\tProcessor: ARMv7 rev 3 @ 1.50GHz (4 Cores), Memory: 4096MB, Disk: 64GB SN64G\n\n\tOS: Raspbian 10, Kernel: 5.4.72-v7l+ (armv7l), File-System: ext4\n\n\n"
	first := head + "Numpy Benchmark\n\nScore > Higher Is Better\n" + row("26.39")
	second := first + "\n\nPyBench 2018-02-16\nTotal For Average Test Times\nMilliseconds < Lower Is Better\n" + row("5209")
	whole := second + "\n\n"
	failed := first + "\n\nPyBench 2018-02-16\nTotal For Average Test Times\nMilliseconds < Lower Is Better\n\n\n"

	warnings := func(text string) (n int, all []string) {
		for _, f := range checkRead(t, text) {
			// What a mark cut short does not say is another fault.
			for _, d := range f.Diagnostics {
				if d.Severity != result.SeverityInfo && d.Code != "damaged-head" {
					all = append(all, d.Code+": "+d.Message)
					if d.Code == "truncated" {
						n++
					}
				}
			}
		}
		return n, all
	}
	for _, text := range []string{whole, failed, strings.TrimRight(whole, "\n"), strings.TrimRight(first, "\n")} {
		if _, all := warnings(text); len(all) > 0 {
			t.Errorf("a whole export that ends with %q: %q", text[len(text)-30:], all)
		}
	}
	for at := len(head) + 1; at < len(whole); at++ {
		rest, read := whole[at:], whole[:at]
		end := strings.TrimRight(read, "\n")
		want := 1
		if b := strings.TrimRight(first, "\n"); end == b || at >= len(second)-1 && len(strings.TrimLeft(rest, "\n")) == 0 {
			want = 0
		}
		if n, all := warnings(read); n != want || len(all) != want {
			t.Errorf("cut at %d, behind %q: %d warnings, want %d: %q", at, read[max(0, at-40):], n, want, all)
		}
	}
}
