package main

import (
	"strings"
	"testing"
	"time"
)

// TestProgressRate: bytes, rate and time left are said once a second of work
// tells them, and time left never where the size of an input is not known.
func TestProgressRate(t *testing.T) {
	list := []input{{path: "a.xml", size: 30e6}, {path: "b.xml", size: 70e6}}
	for _, tt := range []struct {
		format string
		list   []input
		want   []string
	}{
		{"auto", list, []string{
			"\r\x1b[Kreading 1 of 2: a.xml",
			"\r\x1b[Kreading 1 of 2, 20.0 MB of 100 MB, 10.0 MB/s, 8 s left: a.xml",
			"\r\x1b[Kreading 2 of 2, 30.0 MB of 100 MB, 10.0 MB/s, 7 s left: b.xml",
			"\r\x1b[Kreading 2 of 2, 90.0 MB of 100 MB, 7.5 MB/s, 1 s left: b.xml",
			"\r\x1b[K",
		}},
		{"auto", []input{list[0], {path: "-"}}, []string{
			"\r\x1b[Kreading 1 of 2: a.xml",
			"\r\x1b[Kreading 1 of 2, 20.0 MB, 10.0 MB/s: a.xml",
			"\r\x1b[Kreading 2 of 2, 30.0 MB, 10.0 MB/s: -",
			"\r\x1b[Kreading 2 of 2, 90.0 MB, 7.5 MB/s: -",
			"\r\x1b[K",
		}},
		{"json", list, []string{
			`{"event":"progress","done":0,"total":2,"input":"a.xml","bytes":0,"total_bytes":100000000}` + "\n",
			`{"event":"progress","done":0,"total":2,"input":"a.xml","bytes":20000000,"total_bytes":100000000,"bytes_per_second":10000000,"seconds_left":8}` + "\n",
			`{"event":"progress","done":1,"total":2,"input":"b.xml","bytes":30000000,"total_bytes":100000000,"bytes_per_second":10000000,"seconds_left":7}` + "\n",
			`{"event":"progress","done":1,"total":2,"input":"b.xml","bytes":90000000,"total_bytes":100000000,"bytes_per_second":7500000,"seconds_left":1.3}` + "\n",
			`{"event":"progress","done":2,"total":2,"bytes":100000000,"total_bytes":100000000,"bytes_per_second":8333333}` + "\n",
		}},
	} {
		e, _, stderr := testEnv(nil)
		e.stderrTerminal = true
		e.width = 120
		second := func() {}
		e.after = func(_ time.Duration, f func()) func() { second = f; return func() {} }
		p := newProgress(e, newMessages(e, &globals{progress: tt.format}), tt.list)
		clock := p.begun
		p.now = func() time.Time { return clock }
		after := func(d time.Duration) { clock = clock.Add(d) }

		p.at(0, tt.list[0].path)
		second()
		after(2 * time.Second)
		p.within(20e6)
		p.within(20.1e6) // too soon
		after(time.Second)
		p.at(1, tt.list[1].path)
		after(9 * time.Second)
		p.within(60e6)
		p.end()
		got := stderr.String()
		want := strings.Join(tt.want, "")
		if got != want {
			t.Errorf("%s:\n got %q\nwant %q", tt.format, got, want)
		}
	}
}

func TestDuration(t *testing.T) {
	for seconds, want := range map[float64]string{0: "under 1 s", 0.4: "under 1 s", 1: "1 s", 59.4: "59 s", 59.6: "1 min", 90: "2 min", 3600: "1 h 0 min", 7500: "2 h 5 min"} {
		if got := duration(seconds); got != want {
			t.Errorf("%v: %q, want %q", seconds, got, want)
		}
	}
	for n, want := range map[float64]string{0: "0 B", 999: "999 B", 1000: "1.0 kB", 12345: "12.3 kB", 99.96e6: "100 MB", 999.9e6: "1.0 GB", 5e12: "5.0 TB"} {
		if got := megabytes(n); got != want {
			t.Errorf("%v: %q, want %q", n, got, want)
		}
	}
}
