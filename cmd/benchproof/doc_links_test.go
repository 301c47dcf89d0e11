package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestDocLinks: every link of a document to a file of this repository, and to a
// heading of it, leads there; and every document can be reached from README.
func TestDocLinks(t *testing.T) {
	link := regexp.MustCompile(`\]\(([^()\s]+)\)`)
	heading := regexp.MustCompile(`(?m)^#+ (.*)$`)
	drop := regexp.MustCompile(`[^a-z0-9 _-]`)
	read := func(path string) string {
		t.Helper()
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	anchors := func(path string) map[string]bool {
		list := map[string]bool{}
		for _, m := range heading.FindAllStringSubmatch(read(path), -1) {
			list[strings.ReplaceAll(drop.ReplaceAllString(strings.ToLower(m[1]), ""), " ", "-")] = true
		}
		return list
	}
	documents, err := filepath.Glob("../../doc/*.md")
	if err != nil || len(documents) < 10 {
		t.Fatal(documents, err)
	}
	reached, links := map[string]bool{"../../README.md": true}, 0
	for queue := []string{"../../README.md"}; len(queue) > 0; queue = queue[1:] {
		for _, m := range link.FindAllStringSubmatch(read(queue[0]), -1) {
			to, anchor, _ := strings.Cut(m[1], "#")
			if strings.Contains(to, "://") {
				continue
			}
			links++
			path := filepath.Join(filepath.Dir(queue[0]), to)
			if to == "" {
				path = queue[0]
			}
			if _, err := os.Stat(path); err != nil {
				t.Errorf("%s: the link to %s: %v", queue[0], m[1], err)
				continue
			}
			if anchor != "" && !anchors(path)[anchor] {
				t.Errorf("%s: the link to %s: there is no such heading", queue[0], m[1])
			}
			if strings.HasSuffix(path, ".md") && !reached[path] {
				reached[path] = true
				queue = append(queue, path)
			}
		}
	}
	for _, path := range documents {
		if !reached[path] {
			t.Errorf("no link from README leads to %s", path)
		}
	}
	if links < 40 {
		t.Errorf("%d links", links)
	}
}
