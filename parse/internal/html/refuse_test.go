package html

import (
	"errors"
	"strings"
	"testing"

	"github.com/benchproof/benchproof/parse/internal/oracle"
	"github.com/benchproof/benchproof/parse/internal/source"
	"github.com/benchproof/benchproof/result"
)

func TestSniff(t *testing.T) {
	tests := []struct {
		text string
		want bool
	}{
		{"<html><head>", true},
		{"<!DOCTYPE html>\n<html>", true},
		{"\ufeff \r\n<!doctype HTML>", true},
		{"<HTML lang=en>", true},
		{"<h1>T</h1>", true},
		{"<!-- saved from url=(0014)about:internet -->\n<html>", true},
		{`<?xml version="1.0"?><!DOCTYPE html PUBLIC "x"><html xmlns="y">`, true},
		{`<?xml version="1.0"?><PhoronixTestSuite><Generated>`, false},
		{"<PhoronixTestSuite>", false},
		{"<htmlish>", false},
		{"T\nD\n\n<html>", false},
		{"", false},
		{"<", false},
		{"{\"html\": 1}", false},
		{"<!--" + strings.Repeat("x", 5000) + "--><html>", false}, // further off than is looked
	}
	for _, test := range tests {
		if got := Sniff(test.text); got != test.want {
			t.Errorf("%q: got %v", clip(test.text), got)
		}
	}
	for _, path := range oracle.Glob(t, "flat", "*.html") {
		if !Sniff(load(t, path)) {
			t.Errorf("%s: not HTML", path)
		}
	}
	for _, path := range append(oracle.Glob(t, "flat", "*.txt"), oracle.Glob(t, "flat", "*.xml")...) {
		if Sniff(load(t, path)) {
			t.Errorf("%s: HTML", path)
		}
	}
}

func TestRefusals(t *testing.T) {
	nested := strings.Repeat("<div>", 10_000)
	tests := []struct{ name, page, found string }{
		{"empty", "", "an HTML page without a heading"},
		{"no heading", "<html><title>Mail</title><p>x", `an HTML page titled "Mail" without a heading`},
		{"something else", "<title>Shop</title><h1>Buy</h1><svg><text x=1 y=1>9</text></svg>", `an HTML page titled "Shop" of something else`},
		{"no drawing", "<title>T - Phoronix Test Suite</title><h1>T</h1><p>Phoronix Test Suite v10.8.4</p><pre>T\nD</pre>", "without a graph of results"},
		{"nested", "<h1>T</h1>" + nested, "page too deeply nested"},
		{"drawing nested", "<h1>T</h1><svg>" + strings.Repeat("<g>", 10_000), "page too deeply nested"},
		{"swallowed", "<title>T - Phoronix Test Suite<h1>T</h1>", "without a heading"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			err := Read(source.New("page", test.page), func(*result.File) error { t.Error("a record"); return nil })
			var syntax *source.SyntaxError
			if !errors.As(err, &syntax) || !strings.Contains(syntax.Found, test.found) || syntax.Expected == "" {
				t.Fatalf("got %v, want found %q", err, test.found)
			}
			if syntax.Origin.Line != 1 || syntax.Origin.Source != "page" {
				t.Errorf("origin %+v", syntax.Origin)
			}
		})
	}
}

func TestLimits(t *testing.T) {
	page := pageOf(drawTable([]string{"A", "B", "C"}, "", "OS|Linux*3"),
		drawGraph("X", "y", drawBars("A|1", "B|2")), drawGraph("X", "z", drawBars("A|1", "D|2")))
	tests := []struct {
		name   string
		limits source.Limits
		flag   string // "" if the page is within
	}{
		{"defaults", source.Limits{}, ""},
		{"enough", source.Limits{Systems: 4, Tests: 2, Text: 64}, ""},
		{"systems of the table", source.Limits{Systems: 2}, "--max-systems"},
		{"systems of a graph", source.Limits{Systems: 3}, "--max-systems"},
		{"tests", source.Limits{Tests: 1}, "--max-tests"},
		{"text", source.Limits{Text: 10}, "--max-text"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			doc := source.New("page", page)
			doc.Limits = test.limits
			n := 0
			err := Read(doc, func(*result.File) error { n++; return nil })
			if test.flag == "" {
				if err != nil || n != 1 {
					t.Fatalf("%d files, %v", n, err)
				}
				return
			}
			var limit *source.LimitError
			if !errors.As(err, &limit) || limit.Flag != test.flag || n != 0 {
				t.Errorf("%d files, got %v, want %s", n, err, test.flag)
			}
		})
	}
}
