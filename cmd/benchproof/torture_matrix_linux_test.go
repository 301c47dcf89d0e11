package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/benchproof/benchproof/internal/torture"
)

var tortureContext = context.Background()

// dirEvery is how often an input is a damaged directory.
const dirEvery = 10

// tortureRand returns what decides how input i is used.
func tortureRand(seed, i uint64) *rand.Rand { return rand.New(rand.NewPCG(seed^0x7077, i)) }

// tortureProcess returns a command that runs args as benchproof.
func tortureProcess(self string, args []string) *exec.Cmd {
	return &exec.Cmd{Path: self, Args: append([]string{"benchproof"}, args...), Env: append(os.Environ(), "LC_ALL=C.UTF-8")}
}

// tortureInput is an input in its place, below the folder in.
type tortureInput struct {
	torture.Input
	kind string
	size int
	path string
	// other is the path of a sound file, that of the seed where there is one.
	other string
	dir   bool
	what  string // of a directory: journal, job, corpus or rows
	// unread: the status of a job could not be read.
	unread bool
	// values are those that a corpus must hold, nil where that is not known.
	values map[string]int
}

// place writes input i.
func (w *tortureWorker) place(i uint64, r *rand.Rand) (*tortureInput, error) {
	in := w.g.Input(i)
	t := &tortureInput{Input: in, kind: in.Kind, size: len(in.Data), path: filepath.Join("in", in.Name), other: filepath.Join("in", "sound.dat")}
	sound, ok := w.seeds[in.Seed]
	if !ok {
		sound = w.g.Seeds[r.IntN(len(w.g.Seeds))]
	}
	if err := os.WriteFile(t.other, sound.Data, 0o666); err != nil {
		return nil, err
	}
	return t, os.WriteFile(t.path, in.Data, 0o666)
}

// tortureDirs reads the sound directories.
func tortureDirs() (map[string]torture.Dir, error) {
	dirs := map[string]torture.Dir{}
	for _, name := range []string{"journal", "job"} {
		dir, err := readDir(filepath.Join("..", "..", "internal", "torture", "testdata", name))
		if err != nil {
			return nil, err
		}
		dirs[name] = dir
	}
	return dirs, nil
}

func readDir(root string) (torture.Dir, error) {
	dir := torture.Dir{}
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		name, err := filepath.Rel(root, path)
		if err == nil {
			dir[filepath.ToSlash(name)], err = os.ReadFile(path)
		}
		return err
	})
	return dir, err
}

// soundDirs makes sure that what is damaged is sound before: a job of which an
// element has not begun, and a journal.
func (w *tortureWorker) soundDirs() error {
	for _, c := range []struct {
		dir, command, args string
		code               int
	}{{"job", "status", "", exitOK}, {"job", "gather", "--partial", exitFailed}, {"journal", "status", "", exitOK}} {
		if _, err := w.laySound(c.dir); err != nil {
			return err
		}
		code, _, stderr := w.command(append([]string{"replay", c.command, filepath.Join("in", c.dir)}, strings.Fields(c.args)...), nil, false)
		if code != c.code || bytes.Contains(stderr, []byte("damaged")) {
			return fmt.Errorf("the sound %s: %s ends with %d: %s", c.dir, c.command, code, stderr)
		}
		if err := emptyDir("in"); err != nil {
			return err
		}
	}
	return nil
}

// laySound writes a sound directory below in, and returns it.
func (w *tortureWorker) laySound(what string) (torture.Dir, error) {
	sound := torture.Dir{}
	target, err := filepath.Abs(filepath.Join("in", "target"))
	if err != nil {
		return nil, err
	}
	for name, data := range w.dirs[what] {
		sound[name] = []byte(strings.ReplaceAll(string(data), "@TARGET@", target))
	}
	if plan, ok := sound["plan.json"]; ok && what == "journal" {
		sum := sha256.Sum256(plan)
		sound["journal.jsonl"] = []byte(strings.ReplaceAll(string(sound["journal.jsonl"]), "@HASH@", hex.EncodeToString(sum[:])))
	}
	return sound, writeDir(filepath.Join("in", what), sound)
}

// writeDir writes a directory.
func writeDir(root string, dir torture.Dir) error {
	for name, data := range dir {
		path := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			return err
		}
		if err := os.WriteFile(path, data, 0o666); err != nil {
			return err
		}
	}
	return nil
}

// placeDir writes a damaged directory.
func (w *tortureWorker) placeDir(i uint64, r *rand.Rand) (*tortureInput, error) {
	what := []string{"journal", "job", "corpus", "rows"}[r.IntN(4)]
	if what == "rows" {
		return w.rowsDir(i, r)
	}
	sound, err := w.laySound(what)
	if err == nil {
		err = emptyDir("in")
	}
	if err != nil {
		return nil, err
	}
	broken, how := w.breakDir(what, sound, i)
	t := &tortureInput{kind: "dir-" + what, path: filepath.Join("in", what), other: filepath.Join("in", "sound.dat"), dir: true, what: what}
	t.Index, t.Seed, t.Name = i, how, what
	if err := writeDir(t.path, broken); err != nil {
		return nil, err
	}
	for _, data := range broken {
		t.size += len(data)
	}
	if err := layTarget(); err != nil {
		return nil, err
	}
	return t, os.WriteFile(t.other, w.seeds["samples/kitchen-sink.xml"].Data, 0o666)
}

// layTarget makes what a replay would measure in, and must not touch.
func layTarget() error {
	if err := os.MkdirAll(filepath.Join("in", "target", "keep"), 0o777); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join("in", "target", "keep", "file"), []byte("keep"), 0o666)
}

// tortureStep is a command to run on an input.
type tortureStep struct {
	name     string
	args     []string
	out      string // the file it writes, "" for stdout
	form     string // of the output
	stdin    []byte
	terminal bool
	codes    string // those it may end with, one letter each
	varies   bool   // the output is another each time
	writes   bool   // it may write where its input is
	weight   int
}

// steps returns what is run on an input: a check, its record, and some others
// by chance.
func (w *tortureWorker) steps(t *tortureInput, r *rand.Rand) []tortureStep {
	switch {
	case t.what == "corpus" || t.what == "rows":
		return corpusSteps(t, r, func() string { return w.g.Text(r) })
	case t.dir:
		return dirSteps(t, r)
	}
	list := []tortureStep{
		{name: "check", args: []string{"check", "--json", t.path}, form: "json", codes: "013"},
		{name: "convert json", args: []string{"convert", t.path, "-o", "out/o.json"}, out: "out/o.json", form: "json", codes: "03"},
	}
	all := fileSteps(t.path, t.other)
	sum := 0
	for _, s := range all {
		sum += s.weight
	}
	n := 3
	if t.Heavy {
		n = 1
	}
	for range n {
		at := r.IntN(sum)
		for _, s := range all {
			if at -= s.weight; at < 0 {
				list = append(list, w.varied(t, s, r))
				break
			}
		}
	}
	return list
}

// varied gives a step the input by stdin, a terminal or another flag now and
// then.
func (w *tortureWorker) varied(t *tortureInput, s tortureStep, r *rand.Rand) tortureStep {
	s.args = slices.Clone(s.args)
	switch r.IntN(8) {
	case 0:
		if s.form == "set" {
			break // it keeps paths
		}
		for i, a := range s.args {
			if a == t.path {
				s.args[i], s.stdin = "-", t.Data
				break
			}
		}
	case 1:
		if s.out == "" {
			s.terminal = true
			s.args = append(s.args, "--color", "never", "--progress", "none")
			if s.form == "csv" || s.form == "json" || s.form == "ndjson" {
				s.form += " terminal"
			}
		}
	case 2:
		s.args = append(s.args, "--verbose")
	case 3:
		if s.out == "" && s.form == "txt" {
			s.args = append(s.args, "--ascii")
			s.form = "ascii"
		}
	case 4:
		if strings.HasPrefix(s.name, "convert") || strings.HasPrefix(s.name, "show") {
			s.args = append(s.args, "--convert-units")
		}
	}
	return s
}

// fileSteps are all commands that take a result file.
func fileSteps(in, other string) []tortureStep {
	o := func(name, args, codes string, weight int, form string) tortureStep {
		s := tortureStep{name: name, codes: codes, weight: weight, form: form}
		for a := range strings.FieldsSeq(args) {
			switch {
			case a == "IN":
				a = in
			case a == "OTHER":
				a = other
			case strings.HasPrefix(a, "out/") && form != "set":
				s.out = a
			case strings.HasSuffix(a, "=IN"):
				a = strings.TrimSuffix(a, "IN") + in
			case strings.HasSuffix(a, "=OTHER"):
				a = strings.TrimSuffix(a, "OTHER") + other
			}
			s.args = append(s.args, a)
		}
		return s
	}
	return []tortureStep{
		o("convert csv", "convert IN", "03", 4, "csv"),
		o("convert csv", "convert IN -o out/o.csv", "03", 2, "csv"),
		o("convert wide", "convert IN --layout wide", "03", 4, "csv"),
		o("convert tables", "convert IN --table systems", "03", 2, "csv"),
		o("convert tables", "convert IN --table runs", "03", 1, "csv"),
		o("convert tables", "convert IN --table diagnostics", "03", 2, "csv"),
		o("convert ndjson", "convert IN --format ndjson", "03", 4, "ndjson"),
		o("convert md", "convert IN --format md", "03", 4, "md"),
		o("convert txt", "convert IN --format txt", "03", 4, "txt"),
		o("convert xlsx", "convert IN -o out/o.xlsx", "03", 3, "xlsx"),
		o("convert xml", "convert IN -o out/o.xml", "023", 4, "xml"),
		o("convert pts-text", "convert IN --format pts-text", "03", 4, "pts"),
		o("convert parquet", "convert IN -o out/o.parquet", "03", 4, "parquet"),
		o("convert sqlite", "convert IN -o out/o.sqlite", "03", 4, "sqlite"),
		o("show", "show IN", "03", 6, "txt"),
		o("check txt", "check IN", "013", 4, "txt"),
		o("check csv", "check IN --format csv", "013", 2, "csv"),
		o("explain", "explain IN --test .", "03", 4, "txt"),
		o("explain", "explain IN --test . --json", "03", 2, "json"),
		o("compare", "compare IN", "03", 3, "txt"),
		o("compare", "compare IN --format csv", "03", 2, "csv"),
		o("compare", "compare IN --json", "03", 1, "json"),
		o("compare two", "compare a=OTHER b=IN --baseline a --fail-on worse", "013", 3, "txt"),
		o("rank", "rank IN", "03", 3, "txt"),
		o("rank", "rank IN --format csv", "03", 2, "csv"),
		o("rank", "rank IN --json", "03", 1, "json"),
		o("report", "report IN -o out/o.html", "03", 3, "html"),
		o("report dir", "report IN -o out/r/", "03", 1, "pictures"),
		o("merge", "merge IN OTHER -o out/m.json", "03", 3, "json"),
		o("merge", "merge x=IN y=IN -o out/m.xml", "03", 2, "xml"),
		o("diff", "diff OTHER IN", "013", 3, "txt"),
		o("diff", "diff IN OTHER --format csv", "013", 2, "csv"),
		o("diff", "diff OTHER IN --json", "013", 1, "json"),
		o("plan", "replay plan IN", "03", 3, "txt"),
		o("plan", "replay plan IN --json", "03", 2, "json"),
		o("verify", "replay verify OTHER IN", "013", 3, "txt"),
		o("verify", "replay verify IN OTHER --format csv", "013", 2, "csv"),
		o("verify", "replay verify OTHER IN --json", "013", 1, "json"),
		o("hosts", "replay hosts IN", "0123", 3, "txt"),
		o("hosts", "replay hosts IN --json", "0123", 1, "json"),
		o("corpus add", "corpus add IN --into out/set", "03", 4, "set"),
	}
}

// dirSteps are all commands that take a directory of the program's own.
func dirSteps(t *tortureInput, r *rand.Rand) []tortureStep {
	p := t.path
	switch t.what {
	case "job":
		return []tortureStep{
			{name: "replay status", args: []string{"replay", "status", p}, form: "txt", codes: "034", varies: true},
			{name: "replay status", args: []string{"replay", "status", p, "--json"}, form: "json", codes: "034", varies: true},
			{name: "hosts", args: []string{"replay", "hosts", p}, form: "txt", codes: "0234"},
			{name: "verify", args: []string{"replay", "verify", t.other, p}, form: "txt", codes: "0134"},
			{name: "replay gather", args: []string{"replay", "gather", p, "-o", "out/g.json"}, out: "out/g.json", form: "json", codes: "034", writes: true},
			{name: "replay gather", args: []string{"replay", "gather", p, "--partial"}, form: "txt", codes: "034", writes: true},
			{name: "replay clean", args: []string{"replay", "clean", p}, form: "txt", codes: "0234", writes: true},
		}
	}
	list := []tortureStep{
		{name: "replay status", args: []string{"replay", "status", p}, form: "txt", codes: "03", varies: true},
		{name: "replay status", args: []string{"replay", "status", p, "--json"}, form: "json", codes: "03", varies: true},
		{name: "replay status", args: []string{"replay", "status", p, "--format", "csv"}, form: "csv", codes: "03", varies: true},
		{name: "verify", args: []string{"replay", "verify", t.other, p}, form: "txt", codes: "013"},
		{name: "hosts", args: []string{"replay", "hosts", p}, form: "txt", codes: "023"},
		{name: "plan of a plan", args: []string{"replay", "submit", filepath.Join(p, "plan.json"), "--slurm", "--dry-run", "--target", "in/target", "--journal", "out/j"}, form: "txt", codes: "0234"},
		{name: "replay clean", args: []string{"replay", "clean", p}, form: "txt", codes: "034", writes: true},
	}
	if r.IntN(4) == 0 {
		list = append(list, tortureStep{
			name: "replay resume", args: []string{"replay", "run", "--resume", "--journal", p, "--lock-dir", "tmp"},
			form: "txt", codes: "02345", writes: true, varies: true,
		})
	}
	return list
}
