package lab

import (
	"strings"
	"testing"
)

func TestParseSize(t *testing.T) {
	for text, want := range map[string]int64{
		"8G": 8 << 30, "512m": 512 << 20, "300MiB": 300 << 20, "1048576": 1 << 20, "2T": 2 << 40, "4kB": 4096, "100b": 100,
	} {
		if n, err := ParseSize(text); err != nil || n != want {
			t.Errorf("%q: %d, %v; want %d", text, n, err, want)
		}
	}
	for _, text := range []string{"", "G", "-1G", "1.5G", "1E", "9999999T", "8 G B", "0x10", "8GG"} {
		if n, err := ParseSize(text); err == nil {
			t.Errorf("%q is read as %d", text, n)
		}
	}
}

func TestParseLimit(t *testing.T) {
	for text, want := range map[string]struct {
		limit Limit
		words string
	}{
		"iops=200":         {Limit{IOPS: 200}, "200 IOPS"},
		"bps=50M":          {Limit{Bytes: 52428800}, "50 MiB/s"},
		"iops=200,bps=20M": {Limit{200, 20 << 20}, "200 IOPS and 20 MiB/s"},
		"bps=1000000":      {Limit{Bytes: 1000000}, "1 MB/s"},
	} {
		l, err := ParseLimit(text)
		if err != nil || l != want.limit || l.String() != want.words {
			t.Errorf("%q: %+v, %q, %v; want %+v, %q", text, l, l.String(), err, want.limit, want.words)
		}
	}
	for text, word := range map[string]string{
		"": "want iops=N", "iops=0": "want 1 or more", "iops=-1": "want iops=N or bps=SIZE", "iops=1,iops=2": "twice", "speed=1": "want iops", "bps=1X": "want iops=N or bps=SIZE", "iops=99999999": "want 1 or more",
	} {
		if l, err := ParseLimit(text); err == nil || !strings.Contains(err.Error(), word) {
			t.Errorf("%q: %+v, %v, want %q", text, l, err, word)
		}
	}
}
