package source

import (
	"strings"
	"testing"
	"testing/iotest"
)

// What is plain, Load and Decode return as it is and without a note.
func FuzzPlain(f *testing.F) {
	long := strings.Repeat("<a>é日</a>\n", 30_000)
	for _, s := range []string{
		"", "<a>", "<a>é", "<a>\xc3", "\ufeff<a>", "<a>\r\n", "<a>\x1b[1m", "a\bb", "<a>\x00", "\x1f\x8b\x08", "\xff\xfe<\x00",
		`<?xml version="1.0" encoding="utf-8"?>`, `<?xml version="1.0" encoding="latin1"?>é`, long, long + "\xff", long + "\r", long + "\xe6\x97",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, raw string) {
		text, notes, err := Load(strings.NewReader(raw), "", 0, Limits{})
		same := false
		if err == nil {
			decoded, more := Decode(text)
			same = decoded == raw && len(notes)+len(more) == 0
		}
		for _, in := range []struct {
			name  string
			plain func() (bool, error)
		}{
			{"at once", func() (bool, error) { return Plain(strings.NewReader(raw), func(string) bool { return true }) }},
			{"bit by bit", func() (bool, error) {
				return Plain(iotest.HalfReader(strings.NewReader(raw)), func(string) bool { return true })
			}},
		} {
			plain, err := in.plain()
			if err != nil || plain && !same {
				t.Errorf("%s: plain %v, %v, though not left as it is", in.name, plain, err)
			}
		}
	})
}

func TestPlain(t *testing.T) {
	long := strings.Repeat("<a>é日</a>\n", 30_000)
	for _, test := range []struct {
		in   string
		want bool
	}{
		{"<a>é", true},
		{long, true},
		{`<?xml version="1.0" encoding="UTF-8"?><a>é</a>`, true},
		{"", false},
		{long + "\xff", false},
		{long + "\xe6\x97", false},
		{long + "\r\n", false},
	} {
		if got, err := Plain(strings.NewReader(test.in), func(string) bool { return true }); got != test.want || err != nil {
			t.Errorf("%.20q…: %v, %v", test.in, got, err)
		}
	}
	if got, _ := Plain(strings.NewReader(long), func(string) bool { return false }); got {
		t.Error("plain though not accepted")
	}
	if _, err := Plain(iotest.ErrReader(iotest.ErrTimeout), nil); err == nil {
		t.Error("no error")
	}
}
