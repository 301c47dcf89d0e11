package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestReadmeFirstCommand runs the commands that README names first, as one, so
// that they build once.
func TestReadmeFirstCommand(t *testing.T) {
	computes(t)
	if testing.Short() {
		t.Skip("builds the command")
	}
	if _, err := exec.LookPath("make"); err != nil {
		t.Skip("needs make")
	}
	dir := t.TempDir()
	cmd := exec.Command("make", "-s", "-C", "../..", "samples", "install",
		"BIN="+filepath.Join(dir, "bin"), "OUT="+filepath.Join(dir, "out"), "PREFIX="+filepath.Join(dir, "usr"))
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("make samples install: %v\n%s", err, out)
	}
	if !bytes.Contains(out, []byte("SSD          86.08")) {
		t.Errorf("make samples shows:\n%s", out)
	}
	if info, err := os.Stat(filepath.Join(dir, "out", "samples.xlsx")); err != nil || info.Size() < 10_000 {
		t.Errorf("make samples: workbook: %v", err)
	}
	for _, name := range []string{"bin/benchproof", "share/man/man1/benchproof.1", "share/bash-completion/completions/benchproof"} {
		if info, err := os.Stat(filepath.Join(dir, "usr", name)); err != nil || info.Size() < 1000 {
			t.Errorf("make install: %s: %v", name, err)
		}
	}
	if !bytes.Contains(out, []byte("export PATH="+filepath.Join(dir, "usr", "bin")+":$PATH")) {
		t.Errorf("make install does not say how a shell finds it:\n%s", out)
	}
}

// readmeRows returns the cells of the table of a section of README, its two
// lines of head left out.
func readmeRows(t *testing.T, section string) [][]string {
	t.Helper()
	text, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, part, ok := strings.Cut(string(text), "\n## "+section+"\n")
	part, _, _ = strings.Cut(part, "\n## ")
	if !ok {
		t.Fatalf("README has no section %q", section)
	}
	var rows [][]string
	for line := range strings.Lines(part) {
		if line = strings.TrimSpace(line); strings.HasPrefix(line, "|") {
			rows = append(rows, strings.Split(strings.Trim(line, "| "), " | "))
		}
	}
	if len(rows) < 4 {
		t.Fatalf("README, %s: %d lines of a table", section, len(rows))
	}
	return rows[2:]
}

// TestReadmeExitCodes: README has the table of exit codes that help and the
// manual print, word for word.
func TestReadmeExitCodes(t *testing.T) {
	var want, got []string
	for _, m := range exitMeanings {
		want = append(want, fmt.Sprint(m.code, " ", m.meaning))
	}
	for _, row := range readmeRows(t, "Exit codes") {
		got = append(got, strings.ReplaceAll(strings.Join(row, " "), "`", ""))
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("exit codes (-help +README):\n%s", diff)
	}
}

// TestReadmeInputs: README lists the forms of input that the readers give their
// files, all of them and no other.
func TestReadmeInputs(t *testing.T) {
	text, err := os.ReadFile("../../result/file.go")
	if err != nil {
		t.Fatal(err)
	}
	words := map[string]string{} // by constant
	for _, m := range regexp.MustCompile(`(?m)^\t(Format\w+) +Format += "([a-z-]+)"`).FindAllStringSubmatch(string(text), -1) {
		words["result."+m[1]] = m[2]
	}
	var want []string // those that a reader gives
	err = filepath.WalkDir("../../parse", func(path string, d os.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".go" || strings.HasSuffix(path, "_test.go") {
			return err
		}
		if slices.Contains([]string{"oracle", "flatrender"}, filepath.Base(filepath.Dir(path))) {
			return nil // what tests compare with
		}
		source, err := os.ReadFile(path)
		for _, name := range regexp.MustCompile(`result\.Format[A-Z]\w*`).FindAllString(string(source), -1) {
			if words[name] == "" {
				t.Errorf("%s: what is %s?", path, name)
			}
			want = append(want, words[name])
		}
		return err
	})
	if err != nil || len(want) < 5 {
		t.Fatal(want, err)
	}
	want = append(want, words["result.FormatRecord"]) // which says itself what it is
	var got []string
	for _, row := range readmeRows(t, "What is read") {
		for _, m := range regexp.MustCompile("`([^`]+)`").FindAllStringSubmatch(row[len(row)-1], -1) {
			got = append(got, m[1])
		}
	}
	for _, list := range []*[]string{&want, &got} {
		slices.Sort(*list)
		*list = slices.Compact(*list)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("forms of input (-readers +README):\n%s", diff)
	}
}
