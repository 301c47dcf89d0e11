package main

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestNearest: slips of the keyboard and beginnings, and nothing far-fetched.
func TestNearest(t *testing.T) {
	commands := []string{"convert", "show", "check", "explain", "compare", "rank", "version", "completion", "man"}
	for word, want := range map[string][]string{
		"convrt": {"convert"}, "CONVERT": {"convert"}, "conver": {"convert"}, "comp": {"compare", "completion"},
		"rakn": {"rank"}, "shwo": {"show"}, "expalin": {"explain"},
		"tank": {"rank"}, "bank": {"rank"}, "x": nil, "": nil, "ma": nil, "frobnicate": nil, "dark": nil,
	} {
		if diff := cmp.Diff(want, nearest(word, commands)); diff != "" {
			t.Errorf("%q (-want +got):\n%s", word, diff)
		}
	}
}

func TestNearestNames(t *testing.T) {
	names := []string{"Flexible IO Tester\tpts/fio-1.11.2", "SQLite", "FS-Mark", "EPYC 7601", "PostgreSQL pgbench\tpts/pgbench-1.8.1", "C-Ray", "日本語"}
	for pattern, want := range map[string][]string{
		"fio": {"Flexible IO Tester"}, "flio": {"Flexible IO Tester"}, "EPIC": {"EPYC 7601"}, "^SQlote$": {"SQLite"}, "fsmark": {"FS-Mark"},
		"pgbench-1.8": {"PostgreSQL pgbench"}, "Postgres pgbench": {"PostgreSQL pgbench"}, "cray": {"C-Ray"}, "zfs": nil, "fso": nil, "": nil, ".*": nil, "日本本語": {"日本語"},
	} {
		if diff := cmp.Diff(want, nearestNames(pattern, names)); diff != "" {
			t.Errorf("%q (-want +got):\n%s", pattern, diff)
		}
	}
	// Long names are passed over, not compared letter by letter.
	if got := nearestNames(strings.Repeat("a", 200), []string{strings.Repeat("a", 201)}); got != nil {
		t.Errorf("got %d names", len(got))
	}
}

func TestSameWords(t *testing.T) {
	texts := []string{
		"Flexible IO Tester 3.1 Type: Random Write - Block Size: 64MB",
		"Flexible IO Tester 3.1 Type: Random Read - Block Size: 64MB",
		"SQLite 3.30 Threads: 1",
	}
	for expression, want := range map[string]struct {
		found  []int
		all    bool
		better string
	}{
		"64MB.*Write":       {[]int{0}, true, "Write.*64MB"},
		"64mb Random":       {[]int{0, 1}, true, "Random.*64MB"},
		"(64MB).*Wirte":     {[]int{0}, false, ""},
		"Size.*3[.]1.*Read": {[]int{1}, true, "3.*1.*Read.*Size"},
		"Write":             {}, // one word has no order
		"64MB|Write":        {}, // a choice: which is needed is not known
		"64MB.*nosuch":      {},
		"Wirte.*Sizes":      {}, // nothing of it is there as it stands
	} {
		var names []string
		for _, i := range want.found {
			names = append(names, texts[i])
		}
		found, all := sameWords(expression, texts)
		if diff := cmp.Diff(names, found); diff != "" || all != want.all {
			t.Errorf("%q: all %v (-want +got):\n%s", expression, all, diff)
		}
		if want.all {
			if re := inOrderOf(expression, found[0]); re == nil || re.String() != want.better {
				t.Errorf("%q: %v, want %q", expression, re, want.better)
			}
		}
	}
	if re := inOrderOf("Random.*Rand", texts[0]); re != nil {
		t.Errorf("words that overlap: %v", re)
	}
}

func TestDistance(t *testing.T) {
	for _, tt := range []struct {
		a, b string
		want int
	}{
		{"", "", 0},
		{"abc", "", 3},
		{"", "abc", 3},
		{"abc", "abc", 0},
		{"abc", "acb", 1},
		{"abc", "abd", 1},
		{"abc", "abcd", 1},
		{"kitten", "sitting", 3},
		{"rank", "man", 2},
		{"日本", "日本語", 1},
	} {
		if got := distance([]rune(tt.a), []rune(tt.b)); got != tt.want {
			t.Errorf("distance(%q, %q) = %d, want %d", tt.a, tt.b, got, tt.want)
		}
	}
}
