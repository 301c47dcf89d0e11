package parse

import (
	"fmt"
	"strings"
	"testing"

	"github.com/benchproof/benchproof/result"
)

// A sample cut anywhere gives files, or an error that says so.
func TestTruncation(t *testing.T) {
	for name, raw := range samples(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			step := 997
			if testing.Short() || len(raw) > 200_000 {
				step = 9973
			}
			for n := 1; n < len(raw); n += step {
				_, err := readAll(t, raw[:n], Options{})
				isFormat(t, err)
			}
		})
	}
}

// A value of a cut sample must be one of the whole sample: what the cut
// shortened must not pass as exact.
func TestTruncationKeepsValues(t *testing.T) {
	for name, raw := range map[string]string{"text": smallText, "page": smallPage, "collapsed": strings.Join(strings.Fields(smallText), " ")} {
		whole := make(map[string]bool)
		for _, v := range values(mustRead(t, raw, 1)[0]) {
			whole[v[strings.LastIndexByte(v, '|')+1:]] = true
		}
		for n := 1; n < len(raw); n++ {
			files, err := readAll(t, raw[:n], Options{})
			isFormat(t, err)
			for _, f := range files {
				for i := range f.Tests {
					for _, m := range f.Tests[i].Measurements {
						if m.Decode == result.DecodeExact && m.Value != "" && !whole[m.Value] {
							t.Errorf("%s cut at %d: %q is no value of the whole", name, n, m.Value)
						}
					}
				}
			}
		}
	}
}

func FuzzReader(f *testing.F) {
	for _, raw := range []string{
		smallText, smallPage, strings.Join(strings.Fields(smallText), " "),
		"<pre>" + smallText, smallText + smallPage, `{"schema":"benchproof/result/1","files":[]}`,
		"<html><h1>x</h1><svg><text>1</text></svg></html>", "<PhoronixTestSuite><Result></Result></PhoronixTestSuite>", smallFio, copied,
	} {
		f.Add(raw)
		f.Add(pack(f, ".gz", raw))
	}
	limits := Limits{Input: 1 << 20, Text: 1 << 18, Systems: 50, Tests: 50}
	f.Fuzz(func(t *testing.T, raw string) {
		files, err := readAll(t, raw, Options{Limits: limits})
		isFormatOrDamage(t, err)
		if len(files) == 0 && err == nil {
			t.Fatal("neither a file nor an error")
		}
		for _, file := range files {
			checkFile(t, file, limits)
		}
	})
}

// isFormatOrDamage allows for what compressed input can be wrong in.
func isFormatOrDamage(t *testing.T, err error) {
	if err != nil && strings.Contains(err.Error(), ": damaged ") {
		return
	}
	isFormat(t, err)
}

// checkFile checks what must hold for every record that is read.
func checkFile(t *testing.T, f *result.File, limits Limits) {
	t.Helper()
	if len(f.Systems) > limits.Systems || len(f.Tests) > limits.Tests {
		t.Errorf("%d systems, %d tests", len(f.Systems), len(f.Tests))
	}
	for i := range f.Tests {
		for _, m := range f.Tests[i].Measurements {
			at := fmt.Sprintf("test %d, %+v", i+1, m)
			if m.System < 0 || m.System >= len(f.Systems) {
				t.Fatalf("%s: no such system", at)
			}
			if m.Decode == result.DecodeAmbiguous && m.Value != "" {
				t.Errorf("%s: ambiguous and yet a value", at)
			}
			if m.Status == result.StatusFailed && m.Value != "" {
				t.Errorf("%s: failed and yet a value", at)
			}
			if m.Status == result.StatusOK && m.Decode != result.DecodeAmbiguous && m.Value == "" {
				t.Errorf("%s: no value and no word why", at)
			}
		}
		for _, u := range f.Tests[i].Unassigned {
			for _, s := range u.Systems {
				if s < 0 || s >= len(f.Systems) {
					t.Errorf("test %d: an unassigned error of system %d", i+1, s)
				}
			}
		}
	}
	for _, d := range f.Diagnostics {
		if d.Code == "" || d.Message == "" || d.Severity == "" {
			t.Errorf("diagnostic %+v", d)
		}
	}
}
