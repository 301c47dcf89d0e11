package main

import (
	"strings"
	"testing"
)

// TestFileStem: what a stranger called an input leads nowhere but into the
// directory, and means nothing to a shell or to Windows.
func TestFileStem(t *testing.T) {
	for _, tt := range []struct{ source, want string }{
		{"results.txt", "results"},
		{"Results.XML.gz", "Results"},
		{"may/a b.html", "may-a-b"},
		{"../../etc/passwd", "etc-passwd"},
		{`..\..\boot.ini`, "boot.ini"},
		{"$(id)`;x|y", "id-x-y"},
		{"-rf", "rf"},
		{".hidden", "hidden"},
		{".txt", "txt"},
		{"a\x1b[31m\x00\n.csv", "a-31m"},
		{"\u202egnp.exe", "gnp.exe"},
		{"NUL.txt", "result-NUL"},
		{"com1.x.json", "result-com1.x"},
		{"console", "console"},
		{"\u00e4\u4e2d", "result"},
		{"", "result"},
		{strings.Repeat("x", 300) + ".txt", strings.Repeat("x", 100)},
	} {
		if got := fileStem(tt.source); got != tt.want {
			t.Errorf("%q: %q, want %q", tt.source, got, tt.want)
		}
	}
	d := &resultDir{ending: ".csv", taken: map[string]bool{indexName: true}}
	var names []string
	for _, source := range []string{"r.xml", "R.txt", "r.html", "r.html", "index.xml"} {
		names = append(names, d.name(source))
	}
	if got := strings.Join(names, " "); got != "r.csv R-txt.csv r-html.csv r-html-2.csv index-xml.csv" {
		t.Errorf("names %s", got)
	}
}
