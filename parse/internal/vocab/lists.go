package vocab

import (
	_ "embed" // the lists are files of one entry a line
	"sort"
	"strings"
	"sync"
)

// titles.txt has a tab and "-" behind titles that are only ever published
// without a version.
//
//go:embed titles.txt
var titlesText string

//go:embed scales.txt
var scalesText string

//go:embed options.txt
var optionsText string

//go:embed captions.txt
var captionsText string

type lists struct {
	titles      map[string][]string // by first word, longest first
	unversioned map[string]bool
	scales      map[string][]string // by last word, longest first
	options     map[string][]string // by last word, longest first
	captions    map[string]bool
}

var load = sync.OnceValue(func() *lists {
	l := &lists{
		titles:      make(map[string][]string),
		unversioned: make(map[string]bool),
		scales:      make(map[string][]string),
		options:     make(map[string][]string),
		captions:    make(map[string]bool),
	}
	for line := range strings.Lines(titlesText) {
		title, flag, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		first := firstWord(title)
		l.titles[first] = append(l.titles[first], title)
		if flag == "-" {
			l.unversioned[title] = true
		}
	}
	byLastWord(l.scales, scalesText)
	byLastWord(l.options, optionsText)
	for line := range strings.Lines(captionsText) {
		l.captions[strings.TrimSuffix(line, "\n")] = true
	}
	for _, m := range [...]map[string][]string{l.titles, l.scales, l.options} {
		for _, list := range m {
			sort.Slice(list, func(i, j int) bool { return len(list[i]) > len(list[j]) })
		}
	}
	return l
})

func byLastWord(m map[string][]string, text string) {
	for line := range strings.Lines(text) {
		entry := strings.TrimSuffix(line, "\n")
		last := lastWord(entry)
		m[last] = append(m[last], entry)
	}
}

func firstWord(text string) string {
	if i := strings.IndexByte(text, ' '); i >= 0 {
		return text[:i]
	}
	return text
}

func lastWord(text string) string { return text[strings.LastIndexByte(text, ' ')+1:] }
