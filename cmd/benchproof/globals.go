package main

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/pflag"

	"github.com/benchproof/benchproof/parse"
)

// globals are the flags that every command takes.
type globals struct {
	json, ascii, quiet, verbose bool
	progress, color             string
}

func (g *globals) addFlags(f *pflag.FlagSet) {
	f.BoolVar(&g.json, "json", false, "the same as --format json; the error that ends a command is JSON too")
	f.BoolVar(&g.ascii, "ascii", false, "draw with ASCII characters only, as on a terminal without UTF-8")
	f.BoolVarP(&g.quiet, "quiet", "q", false, "print errors alone: no warnings, hints and info")
	f.BoolVarP(&g.verbose, "verbose", "v", false, "print all warnings, and info; show, check and replay plan leave nothing out")
	f.StringVar(&g.progress, "progress", "auto", "show progress on stderr: `WHEN` is auto, none or json")
	f.StringVar(&g.color, "color", "auto", "colour the output: `WHEN` is auto, always or never")
	completes(f, "progress", "auto", "none", "json")
	completes(f, "color", "auto", "always", "never")
}

func (g *globals) validate() error {
	if err := oneOf("--progress", g.progress, "auto", "none", "json"); err != nil {
		return err
	}
	return oneOf("--color", g.color, "auto", "always", "never")
}

// oneOf returns a usage error where value is none of words.
func oneOf(flag, value string, words ...string) error {
	for _, w := range words {
		if w == value {
			return nil
		}
	}
	return usage(didYouMean(nearest(value, words)), fmt.Errorf("%s %q: want %s", flag, value, listed(words)))
}

// listed returns words as "a, b or c".
func listed(words []string) string {
	if len(words) == 1 {
		return words[0]
	}
	last := len(words) - 1
	return strings.Join(words[:last], ", ") + " or " + words[last]
}

// limitFlags are the flags that bound what an input may do.
type limitFlags struct{ limits parse.Limits }

func (l *limitFlags) addFlags(f *pflag.FlagSet) {
	l.limits = parse.DefaultLimits()
	f.Var((*byteSize)(&l.limits.Input), "max-input", "accept at most `SIZE` of one input, decompressed")
	f.Var((*byteSizeInt)(&l.limits.Text), "max-text", "accept at most `SIZE` in one line or text of an input")
	f.IntVar(&l.limits.Systems, "max-systems", l.limits.Systems, "accept at most `N` systems in a result file")
	f.IntVar(&l.limits.Tests, "max-tests", l.limits.Tests, "accept at most `N` tests in a result file")
	f.IntVar(&l.limits.Depth, "max-depth", l.limits.Depth, "accept XML that is nested at most `N` deep")
	f.IntVar(&l.limits.Ratio, "max-ratio", l.limits.Ratio, "accept input that decompresses to at most `N` times its size")
}

func (l *limitFlags) validate() error {
	for name, n := range map[string]int64{
		"--max-input": l.limits.Input, "--max-text": int64(l.limits.Text),
		"--max-systems": int64(l.limits.Systems), "--max-tests": int64(l.limits.Tests),
		"--max-depth": int64(l.limits.Depth), "--max-ratio": int64(l.limits.Ratio),
	} {
		if n <= 0 {
			return usage("", fmt.Errorf("%s %d: want 1 or more", name, n))
		}
	}
	return nil
}

// byteSize is a flag's size in bytes: a number, with KiB, MiB, GiB or TiB
// behind it ("2GiB"), or K, M, G, T, which mean the same.
type byteSize int64

var sizeUnits = []struct {
	name  string
	bytes int64
}{{"TiB", 1 << 40}, {"GiB", 1 << 30}, {"MiB", 1 << 20}, {"KiB", 1 << 10}}

func (b *byteSize) String() string {
	for _, u := range sizeUnits {
		if n := int64(*b); n >= u.bytes && n%u.bytes == 0 {
			return strconv.FormatInt(n/u.bytes, 10) + u.name
		}
	}
	return strconv.FormatInt(int64(*b), 10)
}

func (b *byteSize) Set(text string) error {
	number, factor := text, int64(1)
	for _, u := range sizeUnits {
		for _, name := range []string{u.name, u.name[:1]} {
			if rest, ok := strings.CutSuffix(strings.ToLower(text), strings.ToLower(name)); ok && factor == 1 {
				number, factor = rest, u.bytes
			}
		}
	}
	n, err := strconv.ParseInt(strings.TrimSpace(number), 10, 64)
	if err != nil || n < 0 || n > (1<<62)/factor {
		return errors.New("want a size such as 64MiB or 2GiB")
	}
	*b = byteSize(n * factor)
	return nil
}

func (b *byteSize) Type() string { return "SIZE" }

// byteSizeInt is a byteSize kept in an int.
type byteSizeInt int

func (b *byteSizeInt) String() string { s := byteSize(*b); return s.String() }

func (b *byteSizeInt) Set(text string) error {
	var s byteSize
	if err := s.Set(text); err != nil {
		return err
	}
	*b = byteSizeInt(s)
	return nil
}

func (b *byteSizeInt) Type() string { return "SIZE" }
