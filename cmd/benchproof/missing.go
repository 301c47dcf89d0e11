package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
)

// published matches the name of a result of OpenBenchmarking.org, which people
// take for something to read.
var published = regexp.MustCompile(`^[0-9]{7,8}-[0-9A-Z]+-[0-9A-Z]+$`)

// addressed matches an address of the web, with or without its scheme.
var addressed = regexp.MustCompile(`^(?i)([a-z][a-z0-9+]+://|www\.|openbenchmarking\.org/)`)

// missingHint returns what to try in place of a path that does not exist, which
// is one of the arguments; "" for no idea.
func missingHint(path string, args []string) string {
	if local, ok := strings.CutPrefix(path, "file://"); ok {
		return "an address is not a path: name " + local
	}
	if addressed.MatchString(path) || published.MatchString(path) {
		return "nothing is fetched from a network: open the page in a browser, and save it, or copy its text into a file"
	}
	if text := unexpandedHint(path); text != "" {
		return text
	}
	if whole := strings.Join(args, " "); len(args) > 1 && exists(whole) {
		return "a name with blanks needs quotes: " + strconv.Quote(whole)
	}
	if parts := strings.Split(path, ","); len(parts) > 1 && allExist(parts) {
		return "blanks stand between inputs: " + strings.Join(parts, " ")
	}
	if text := didYouMean(quoted(nearPaths(path))); text != "" {
		return text
	}
	if len(args) > 1 && path != args[0] && !strings.ContainsAny(path, `./\=`) {
		return "all that is no flag is an input: --test and --system choose tests and systems"
	}
	return ""
}

// unexpandedHint returns what to try with a path in which a shell would have put
// something else, had it not been quoted.
func unexpandedHint(path string) string {
	switch {
	case path == "~" || strings.HasPrefix(path, "~/"):
		return `no shell puts the home directory for a ~ in quotes: "$HOME` + path[1:] + `"`
	case strings.HasPrefix(path, "$"):
		return "no shell puts a value for what stands in single quotes: take double ones"
	case strings.ContainsAny(path, "*?["):
		return "no name fits this pattern, or it stands in quotes"
	}
	return ""
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

func allExist(paths []string) bool {
	for _, p := range paths {
		if !exists(p) {
			return false
		}
	}
	return true
}

// maxDirNames bounds how many names of a directory are compared with a misspelt one.
const maxDirNames = 4096

// nearPaths returns what lies where path does not, under a name like its last
// part.
func nearPaths(path string) []string {
	dir, base := filepath.Split(path)
	if base == "" {
		return nil
	}
	d, err := os.Open(filepath.Clean(dir + "."))
	if err != nil {
		return nil
	}
	defer d.Close()
	names, _ := d.Readdirnames(maxDirNames) // some are enough
	found := ranked(names, func(name string) int {
		return slip(strings.ToLower(base), strings.ToLower(name))
	})
	if len(found) > 1 && strings.EqualFold(found[0], base) {
		found = found[:1]
	}
	for i := range found {
		found[i] = dir + found[i]
	}
	return found
}
