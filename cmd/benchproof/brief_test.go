package main

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestBrief(t *testing.T) {
	long := func(n int) string { return strings.Repeat("L", n) }
	// 52 letters of the beginning, the ellipsis, 27 of the end.
	cut := long(52) + "…" + long(27)
	path := "/home/" + strings.Repeat("dir/", 50) + "x.txt"
	for in, want := range map[string]string{
		"":                                  "",
		long(80):                            long(80),
		long(255):                           long(255),
		long(256):                           cut,
		"a.txt: " + path + ": no such file": "a.txt: " + path + ": no such file",
		`the values of "` + long(80) + `" could not be read`:    `the values of "` + long(80) + `" could not be read`,
		`the values of "` + long(81) + `" could not be read`:    `the values of "` + cut + `" could not be read`,
		`"` + long(100) + `" and "` + long(100) + `", 7 of "x"`: `"` + cut + `" and "` + cut + `", 7 of "x"`,
		`"` + strings.Repeat(`\"`, 50) + `" is odd`:             `"` + strings.Repeat(`\"`, 26) + "…" + `"` + strings.Repeat(`\"`, 13) + `" is odd`,
		`5.25" disk of ` + long(300) + " is gone":               `5.25" disk of ` + cut + " is gone",
		strings.Repeat("é", 300):                                strings.Repeat("é", 52) + "…" + strings.Repeat("é", 27),
	} {
		if got := brief(in); got != want {
			t.Errorf("brief(%.100q) =\n%q, want\n%q", in, got, want)
		}
	}
	for _, in := range []string{
		long(100_000) + ":1:1: " + long(100_000), strings.Repeat("ab ", 100_000), strings.Repeat(`"`, 100_000),
		strings.Repeat(`" `, 100_000), `"` + strings.Repeat(`\`, 100_000), strings.Repeat("\xff", 100_000), "a" + strings.Repeat("\u0301", 100_000),
	} {
		if n := utf8.RuneCountInString(brief(in)); n > briefLine {
			t.Errorf("%.20q… of %d bytes: %d letters are left", in, len(in), n)
		}
	}
}
