package main

import (
	"path/filepath"
	"strings"
)

// tellApart names inputs that would have the same name by as much of the end of
// their paths as tells them apart. It warns of those that still have one name,
// and lets messages call them, and what is no file, by their path.
func (s *source) tellApart(list []input) {
	nameApart(list)
	seen := map[string]int{}
	warned := false
	for i := range list {
		in := &list[i]
		name := in.name()
		first, twin := seen[name]
		if !twin {
			seen[name] = i
			if in.path != "-" && in.label == "" && special(in.path) {
				in.shown = in.path
			}
			continue
		}
		list[first].shown, in.shown = list[first].path, in.path
		if !warned {
			s.m.warning("several inputs are called %s; NAME=PATH gives one another name", name)
			warned = true
		}
	}
}

// nameApart names files that have the same name, which nobody gave them, by the
// end of their paths: results often lie in a directory each, all under one name.
func nameApart(list []input) {
	same := map[string][]int{}
	for i := range list {
		if in := &list[i]; in.path != "-" && (in.label == "" || in.found) {
			same[in.name()] = append(same[in.name()], i)
		}
	}
	for _, group := range same {
		paths := map[string]bool{}
		for _, i := range group {
			paths[filepath.Clean(list[i].path)] = true
		}
		if len(group) == 1 || len(paths) < len(group) {
			continue
		}
		for n := 2; ; n++ {
			ends := map[string]bool{}
			for _, i := range group {
				list[i].apart = pathEnd(list[i].path, n)
				ends[list[i].apart] = true
			}
			if len(ends) == len(group) {
				break
			}
		}
	}
}

// pathEnd returns the last n parts of a path, all where it has no more.
func pathEnd(path string, n int) string {
	path = filepath.ToSlash(filepath.Clean(path))
	parts := strings.Split(path, "/")
	return strings.Join(parts[max(0, len(parts)-n):], "/")
}
