package main

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// allCommands returns the commands that a person can use, with the root first,
// and the help command.
func allCommands(t *testing.T) (root *cobra.Command, list []*cobra.Command) {
	t.Helper()
	e, _, _ := testEnv(nil)
	a := &app{e: e}
	a.m = newMessages(e, &a.globals)
	root = a.root()
	root.InitDefaultHelpCmd()
	list = append([]*cobra.Command{root}, commandTree(root)...)
	if !slices.ContainsFunc(list, func(c *cobra.Command) bool { return c.Name() == "help" }) {
		t.Fatal("no help command")
	}
	for _, c := range list {
		initFlags(c)
	}
	return root, list
}

// ownFlags calls use for every flag that help shows.
func ownFlags(c *cobra.Command, use func(heading string, f *pflag.Flag)) {
	for _, heading := range groups {
		for _, f := range flagGroup(c, heading) {
			use(heading, f)
		}
	}
}

// TestHelpText: every help fits 80 columns, has an example of the command
// itself, a text that ends as a sentence, the exit codes of done, wrong use and
// interrupted, and every flag that the command takes.
func TestHelpText(t *testing.T) {
	_, list := allCommands(t)
	if len(list) < 30 {
		t.Fatalf("%d commands", len(list))
	}
	for _, c := range list {
		name := c.CommandPath()
		var b bytes.Buffer
		writeHelp(&b, c)
		for i, line := range strings.Split(b.String(), "\n") {
			if n := utf8.RuneCountInString(line); n > helpWidth {
				t.Errorf("%s --help:%d: %d columns: %s", name, i+1, n, line)
			}
			if strings.TrimRight(line, " ") != line || strings.Contains(line, "\t") {
				t.Errorf("%s --help:%d: blanks: %q", name, i+1, line)
			}
		}
		if !strings.HasSuffix(c.Long, ".") {
			t.Errorf("%s: the text does not end as a sentence: %q", name, c.Long)
		}
		if c != c.Root() && (unicode.IsUpper([]rune(c.Short)[0]) || strings.HasSuffix(c.Short, ".")) {
			t.Errorf("%s: in the list of commands: %q", name, c.Short)
		}
		if !strings.Contains(c.Example, "  "+name) {
			t.Errorf("%s: no example of it: %q", name, c.Example)
		}
		for _, want := range []string{"\n  0    done", "\n  2    wrong use", "\n  130  interrupted"} {
			if !strings.Contains(b.String(), want) {
				t.Errorf("%s: help without %q", name, want)
			}
		}
		c.Flags().VisitAll(func(f *pflag.Flag) {
			if !f.Hidden && !strings.Contains(b.String(), "--"+f.Name) {
				t.Errorf("%s: help without --%s", name, f.Name)
			}
		})
	}
}

// unset are the flags without a default that needs a word: what they do is not
// done without them.
var unset = []string{
	"output", "test", "system", "target", "set", "map", "from", "into", "files-from", "partial",
	"lab", "image-dir", "lab-guest", "sbatch", "param", "sql-file", "by", "rule",
}

// TestFlagText: a flag's help is one line that begins with a verb in lower case,
// ends without a full stop, names what the flag takes in capitals and, unless
// there is nothing to say, its default.
func TestFlagText(t *testing.T) {
	_, list := allCommands(t)
	for _, c := range list {
		ownFlags(c, func(_ string, f *pflag.Flag) {
			at := c.CommandPath() + " --" + f.Name
			names, does := flagText(f)
			if r, _ := utf8.DecodeRuneInString(does); !unicode.IsLower(r) || strings.HasSuffix(does, ".") || strings.ContainsAny(does, "\n`") {
				t.Errorf("%s: %q", at, does)
			}
			if f.Value.Type() == "bool" {
				if strings.Contains(strings.TrimPrefix(names, "--"), " ") && !strings.HasPrefix(names, "-"+f.Shorthand) {
					t.Errorf("%s takes nothing: %q", at, names)
				}
				return
			}
			_, takes, _ := strings.Cut(names, "--"+f.Name)
			takes = strings.Trim(takes, " [=]")
			if takes != strings.ToUpper(takes) || takes == "" || !strings.Contains(does, takes) {
				t.Errorf("%s takes %q, which is not in %q", at, takes, does)
			}
			if !strings.Contains(does, "(default ") && !slices.Contains(unset, f.Name) {
				t.Errorf("%s: no default in %q", at, does)
			}
		})
	}
}

// differ are the flags that have other words with some commands, and why.
var differ = map[string]string{
	"format":   "each command lists the formats that it can write",
	"output":   "a report is a page or a directory",
	"force":    "a report is a page or a directory",
	"baseline": "a report begins with it, and lets the reader change it",
	"margin":   "of a claim it has another default, and a least one",
	"map":      "PUBLISHED=what stands for it: a configuration, a target or a replayed system",
	"seed":     "what is drawn by it",
	"sort":     "each analysis has orders of its own",
	"title":    "of a page or of a merged result",
	"journal":  "of a job it must be shared",
	"resume":   "of a job it submits elements",
	"slurm":    "what the array does",
	"into":     "add makes what commit needs",
	"time":     "the default is the plan's or the partition's",
	"version":  "of the program",
}

// TestSameFlag: a flag of one name has one text everywhere, but for what a
// command says of itself; it always takes the same kind of value.
func TestSameFlag(t *testing.T) {
	_, list := allCommands(t)
	first, other := map[string]string{}, map[string]bool{}
	for _, c := range list {
		ownFlags(c, func(_ string, f *pflag.Flag) {
			_, does := flagText(f)
			does = strings.ToLower(strings.TrimPrefix(does, "with --slurm, "))
			was, ok := first[f.Name]
			if !ok {
				first[f.Name] = does
				return
			}
			if was != does {
				other[f.Name] = true
				if differ[f.Name] == "" {
					t.Errorf("--%s of %s: %q, elsewhere %q", f.Name, c.CommandPath(), does, was)
				}
			}
		})
	}
	for name := range differ {
		if !other[name] && name != "version" {
			t.Errorf("--%s has the same words everywhere: take it out of differ", name)
		}
	}
}

// TestManFlags: the manual has a section of every command, and in it, or in one
// of the sections that it names, every flag in the words of the command's help.
func TestManFlags(t *testing.T) {
	root, list := allCommands(t)
	var b bytes.Buffer
	if err := writeMan(&b, root); err != nil {
		t.Fatal(err)
	}
	section := func(head string) string {
		_, rest, ok := strings.Cut(b.String(), head+"\n")
		if !ok {
			t.Errorf("no section %s", head)
		}
		if i := strings.Index(rest, "\n.S"); i >= 0 {
			rest = rest[:i+1]
		}
		return rest
	}
	flags := 0
	for _, c := range list {
		if c == root {
			continue
		}
		own := section(".SS " + manQuote(c.UseLine()))
		if !strings.Contains(own, manText(strings.Split(c.Example, "\n")[0])) {
			t.Errorf("%s: no examples", c.CommandPath())
		}
		ownFlags(c, func(heading string, f *pflag.Flag) {
			flags++
			names, does := flagText(f)
			entry := fmt.Sprintf(".B %s\n%s\n", manQuote(names), manText(does))
			if strings.Contains(own, entry) {
				return
			}
			shared := strings.ToUpper(heading)
			if heading == groupOwn || heading != groupGlobal && !strings.Contains(own, shared) || !strings.Contains(section(".SH "+manQuote(shared)), entry) {
				t.Errorf("%s --%s is not in the manual: %q", c.CommandPath(), f.Name, entry)
			}
		})
	}
	if flags < 400 {
		t.Errorf("%d flags", flags)
	}
}

// TestCompleteFlags: the shell is offered the words that a flag takes, directories
// for a directory, files for a file, and nothing where anything goes; and the words
// offered are those that the flag takes.
func TestCompleteFlags(t *testing.T) {
	computes(t)
	_, list := allCommands(t)
	ask := func(args ...string) string {
		e, stdout, stderr := testEnv(nil)
		if code := run(t.Context(), e, args); code != exitOK {
			t.Fatalf("%q: code %d: %s", args, code, stderr)
		}
		return stdout.String()
	}
	for _, c := range list {
		if c == c.Root() {
			continue // it has the flags of all commands
		}
		path := strings.Fields(c.CommandPath())[1:]
		ownFlags(c, func(_ string, f *pflag.Flag) {
			if f.Value.Type() == "bool" {
				return
			}
			names, _ := flagText(f)
			_, takes, _ := strings.Cut(names, "--"+f.Name)
			takes = strings.Trim(takes, " [=]")
			got := ask(append(append([]string{"__complete"}, path...), "--"+f.Name+"=")...)
			lines := strings.Split(strings.TrimSpace(got), "\n")
			directive := lines[len(lines)-1]
			words := f.Annotations[words]
			want := ":4" // no files
			switch takes {
			case "FILE", "PATH":
				want = ":0"
			case "DIR":
				want = ":16"
			}
			at := c.CommandPath() + " --" + f.Name
			if directive != want {
				t.Errorf("%s: directive %s, want %s", at, directive, want)
			}
			var offered []string
			for _, l := range lines[:len(lines)-1] {
				word, _, _ := strings.Cut(l, "\t")
				offered = append(offered, strings.TrimPrefix(word, "--"+f.Name+"="))
			}
			if len(words) != len(offered) {
				t.Errorf("%s: offered %q, want %q", at, offered, words)
			}
			if len(words) == 0 {
				return
			}
			// What is wrong is told with all that is right.
			e, _, stderr := testEnv(nil)
			args := slices.Concat(path, []string{"--" + f.Name + "=nosuch"})
			if strings.HasPrefix(f.Name, "lab-") {
				args = append(args, "--lab", "ext4", "--image-dir", ".")
			}
			if c.Name() == "explain" || c.Name() == "history" {
				args = append(args, "--test", ".")
			}
			if c.Name() == "submit" {
				args = append(args, "--slurm")
			}
			code := run(t.Context(), e, args)
			for _, w := range words {
				w, _, _ = strings.Cut(w, "\t")
				if code != exitUsage || !strings.Contains(stderr.String(), w) {
					t.Errorf("%s: %q is offered; wrong use: code %d: %s", at, w, code, stderr)
				}
			}
		})
	}
}
