package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestBashCompletionAlone: the script completes in a bash that has no package
// bash-completion, and puts words together that bash divides at = and :.
func TestBashCompletionAlone(t *testing.T) {
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("needs bash")
	}
	var script strings.Builder
	if err := bashCompletion(&script, (&app{e: &env{}}).root()); err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "script"), []byte(script.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	const ask = `
benchproof() { printf '<%s>' "$@" >asked; printf 'compare\nconvert\n:4\n'; }
compopt() { :; }
source ./script
COMP_LINE=$1 COMP_POINT=${#1} COMP_WORDS=("${@:2}") COMP_CWORD=$(($# - 2))
__start_benchproof
cat asked
echo "|${COMPREPLY[*]}"
`
	for line, words := range map[string]struct {
		split []string
		want  string
	}{
		"benchproof co":                       {[]string{"benchproof", "co"}, "<__complete><co>|compare convert"},
		"benchproof  compare x=a.txt --base ": {[]string{"benchproof", "compare", "x", "=", "a.txt", "--base", ""}, "<__complete><compare><x=a.txt><--base><>|compare convert"},
		"benchproof show --system=HDD:co":     {[]string{"benchproof", "show", "--system", "=", "HDD", ":", "co"}, "<__complete><show><--system=HDD:co>|"},
	} {
		cmd := exec.Command(bash, append([]string{"--norc", "--noprofile", "-c", ask, "bash", line}, words.split...)...)
		cmd.Dir = dir
		cmd.Env = []string{"PATH=" + os.Getenv("PATH")}
		out, err := cmd.CombinedOutput()
		if err != nil || strings.TrimSpace(string(out)) != words.want {
			t.Errorf("%q: %v, got %s, want %s", line, err, out, words.want)
		}
	}
}
