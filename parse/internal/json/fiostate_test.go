package json

import (
	"fmt"
	"strings"
	"testing"

	"github.com/benchproof/benchproof/parse/internal/readertest"
)

// fioPrinted is an output of fio 3.33 of one job, as far as it matters here.
func fioPrinted(milliseconds, elapsed, bytes, runtime int64, iops string) string {
	return fmt.Sprintf("{\n  \"fio version\" : \"fio-3.33\",\n  \"timestamp\" : %d,\n  \"timestamp_ms\" : %d,\n  \"jobs\" : [\n"+
		"{\"jobname\" : \"t\", \"error\" : 0, \"elapsed\" : %d, \"read\" : {\"io_bytes\" : %d, \"runtime\" : %d, \"iops\" : %s, \"total_ios\" : 9}}\n]\n}\n",
		milliseconds/1000, milliseconds, elapsed, bytes, runtime, iops)
}

// TestFioStates: what fio prints of a run while it goes on is no result of its
// own, and runs after each other are. The figures of the first are those that
// fio 3.33 printed of a run of 3 seconds with --status-interval=1.
func TestFioStates(t *testing.T) {
	const at = 1796072485561
	states := fioPrinted(at, 1, 1638400, 771, "1.0") + fioPrinted(at+1000, 2, 3735552, 1772, "2.0") +
		fioPrinted(at+2000, 3, 5832704, 2779, "3.0") + fioPrinted(at+2242, 4, 6291456, 3003, "4.0")
	for _, tt := range []struct {
		name, text string
		want       string // IOPS of each result
		left       string // states of each that are not read
	}{
		{"one run", states, "4.0", "3"},
		{"one output", fioPrinted(at, 1, 1638400, 771, "1.0"), "1.0", "0"},
		{"the same file twice", states + states, "4.0 4.0", "3 3"},
		// The second began when the first was printed, the clock's seconds
		// are rounded.
		{"short runs", fioPrinted(at, 1, 100, 900, "1.0") + fioPrinted(at+950, 1, 100, 900, "2.0"), "1.0 2.0", "0 0"},
		{"a longer run behind it", fioPrinted(at, 1, 100, 900, "1.0") + fioPrinted(at+5040, 5, 900, 5000, "2.0"), "1.0 2.0", "0 0"},
		{"another that has done less", fioPrinted(at, 9, 5000, 8000, "1.0") + fioPrinted(at+1000, 9, 4000, 8000, "2.0"), "1.0 2.0", "0 0"},
		{"another job", fioPrinted(at, 1, 1638400, 771, "1.0") + strings.Replace(fioPrinted(at+1000, 2, 3735552, 1772, "2.0"), `"t"`, `"u"`, 1), "1.0 2.0", "0 0"},
		// By seconds alone the first state may as well be a run of its own.
		{"seconds alone", strings.ReplaceAll(states, "timestamp_ms", "other"), "1.0 4.0", "0 2"},
		{"the last broken off", states[:len(states)-40], "3.0", "2 0"},
	} {
		var iops, left []string
		for _, f := range readertest.Files(t, ReadFio, "o.json", tt.text) {
			n := "0"
			for _, d := range f.Diagnostics {
				if d.Code == "fio-states" {
					n, _, _ = strings.Cut(d.Message, " ")
				}
			}
			left = append(left, n)
			for i := range f.Tests {
				if f.Tests[i].Scale == "IOPS" {
					iops = append(iops, f.Tests[i].Measurements[0].Value)
				}
			}
		}
		if got := strings.Join(iops, " "); got != tt.want || strings.Join(left, " ") != tt.left {
			t.Errorf("%s: IOPS %s, states %s; want %s, %s", tt.name, got, strings.Join(left, " "), tt.want, tt.left)
		}
	}
}
