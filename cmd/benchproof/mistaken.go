package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
)

// otherCommands are what other programs call the work of a command.
var otherCommands = map[string]string{
	"cat": "show", "list": "show", "ls": "show", "open": "show", "print": "show", "table": "show", "tests": "show", "view": "show",
	"excel": "convert", "export": "convert", "csv": "convert", "json": "convert", "save": "convert", "xlsx": "convert",
	"chart": "report", "graph": "report", "html": "report", "page": "report", "pdf": "report", "plot": "report",
	"benchstat": "compare", "cmp": "compare", "stat": "compare", "stats": "compare",
	"lint": "check", "test": "check", "validate": "check",
	"join": "merge", "sort": "rank", "fio": "replay run", "history": "corpus history", "sql": "corpus query",
}

// commandHint returns what to try in place of a command that there is not.
func commandHint(root *cobra.Command, name string) string {
	if other, ok := otherCommands[strings.ToLower(name)]; ok {
		return didYouMean([]string{other})
	}
	var names []string
	for _, c := range root.Commands() {
		// What belongs below another command is looked for at the top.
		for _, sub := range c.Commands() {
			if sub.Name() == name {
				return didYouMean([]string{c.Name() + " " + name})
			}
		}
		if c.IsAvailableCommand() {
			names = append(names, c.Name())
		}
	}
	if text := didYouMean(nearest(name, names)); text != "" {
		return text
	}
	if exists(name) || addressed.MatchString(name) {
		return "a command comes first: benchproof show " + shellWord(name)
	}
	return "benchproof help"
}

// otherFlags are what other programs call a flag.
var otherFlags = map[string]string{
	"delta": "margin", "threshold": "margin", "tolerance": "margin",
	"delimiter": "decimal", "sep": "decimal", "separator": "decimal",
	"filter": "test", "grep": "test", "match": "test", "only": "test",
	"colour": "color", "no-color": "color never", "no-colour": "color never",
	"overwrite": "force", "silent": "quiet", "debug": "verbose", "columns": "width", "V": "version",
}

// unknownFlagHint returns what to try in place of a flag that c does not have,
// "" for no idea.
func unknownFlagHint(c *cobra.Command, name string) string {
	has := func(c *cobra.Command, flag string) bool {
		f := c.Flags().Lookup(flag)
		return f != nil && !f.Hidden
	}
	if other, ok := otherFlags[name]; ok {
		if flag, _, _ := strings.Cut(other, " "); has(c, flag) || flag == "version" && c == c.Root() {
			return didYouMean([]string{"--" + other})
		}
	}
	format := name
	if other, ok := formatAliases[name]; ok {
		format = other
	}
	if slices.Contains(formatNames(), format) && has(c, "format") {
		return didYouMean([]string{"--format " + format})
	}
	var owners []string
	for _, other := range c.Root().Commands() {
		if other.IsAvailableCommand() && has(other, name) {
			owners = append(owners, "benchproof "+other.Name())
		}
	}
	if len(owners) == 0 {
		return ""
	}
	return "--" + name + " is a flag of " + listed(owners[:min(len(owners), maxSuggestions)])
}

// corpusHint returns what to try where a corpus was named without its flag, ""
// for what is no corpus.
func corpusHint(c *cobra.Command, arg string) string {
	if c.Flags().Lookup("from") == nil {
		return ""
	}
	if _, err := os.Stat(filepath.Join(arg, "manifest.json")); err != nil {
		return ""
	}
	return "--from " + shellWord(arg) + " names the corpus"
}
