package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"github.com/benchproof/benchproof/corpus"
	"github.com/benchproof/benchproof/internal/phrase"
	"github.com/benchproof/benchproof/internal/term"
	"github.com/benchproof/benchproof/parse"
	"github.com/benchproof/benchproof/replay"
	"github.com/benchproof/benchproof/replay/cluster"
)

// corpusSlurmFlags are the flags of corpus add for a queue.
type corpusSlurmFlags struct {
	on, dryRun bool
	partition  string
	parts      int
	limit      time.Duration
	sbatch     []string
	flags      *pflag.FlagSet
}

func (o *corpusSlurmFlags) addFlags(f *pflag.FlagSet) {
	f.BoolVar(&o.on, "slurm", false, "run it as an array of Slurm, over which the inputs are divided, and commit once")
	f.StringVar(&o.partition, "partition", "", "with --slurm, use the partition `NAME` (default Slurm's)")
	f.IntVar(&o.parts, "parts", 0, "with --slurm, make an array of `N` elements (default one a host that is up)")
	f.Lookup("parts").DefValue = "" // as the help says
	f.DurationVar(&o.limit, "time", 0, "with --slurm, limit an element to `TIME`, such as 90m (default the partition's)")
	f.Lookup("time").DefValue = ""
	f.StringArrayVar(&o.sbatch, "sbatch", nil, "with --slurm, give sbatch a further option `KEY=VALUE`: KEY is "+listed(cluster.RequestOptions))
	f.BoolVar(&o.dryRun, "dry-run", false, "with --slurm, show what would be submitted, and write nothing")
}

func (o *corpusSlurmFlags) validate() error {
	if !o.on {
		for _, name := range []string{"partition", "parts", "time", "sbatch", "dry-run"} {
			if o.flags.Changed(name) {
				return usage("", fmt.Errorf("--%s goes with --slurm alone", name))
			}
		}
		return nil
	}
	switch {
	case o.flags.Changed("parts") && (o.parts < 1 || o.parts > cluster.MaxElements):
		return usage("", fmt.Errorf("--parts %d: want 1 to %d", o.parts, cluster.MaxElements))
	case o.flags.Changed("time") && (o.limit < time.Minute || o.limit > 365*24*time.Hour):
		return usage("", fmt.Errorf("--time %v: want a minute to a year", o.limit))
	}
	return nil
}

// corpusJobSchema names the JSON form of a corpusJob.
const corpusJobSchema = "benchproof/corpus-job/1"

// corpusJob is an add that a queue runs.
type corpusJob struct {
	Schema  string       `json:"schema"`
	ID      string       `json:"id"`
	Into    string       `json:"into"` // an absolute path
	Version string       `json:"version"`
	Rehash  bool         `json:"rehash,omitempty"`
	Retry   bool         `json:"retry,omitempty"`
	Jobs    int          `json:"jobs,omitempty"`
	Limits  parse.Limits `json:"limits"`
	Parts   []corpusPart `json:"parts"`
}

// corpusPart is what an element adds: the paths of the file part-N.
type corpusPart struct {
	Part   int   `json:"part"`
	Inputs int   `json:"inputs"`
	Bytes  int64 `json:"bytes"`
}

// Files of a job's directory. part-N, done-N.json and part-N.log are an
// element's.
const (
	corpusJobFile     = "job.json"
	corpusProgramFile = "benchproof"
	corpusScriptFile  = "element.sh"
)

// corpusScript is the batch script of every such job.
const corpusScript = "#!/bin/sh\n# Part of an add to a corpus: the program, the directory of the job, and what to do.\nexec \"$1\" corpus element \"$2\" \"$3\"\n"

func corpusPartFile(dir string, n int) string {
	return filepath.Join(dir, "part-"+strconv.Itoa(n))
}

// batches returns the array of a job in dir and the job that commits.
func (o *corpusSlurmFlags) batches(j *corpusJob, dir string) (array, commit cluster.Batch) {
	script, program := filepath.Join(dir, corpusScriptFile), filepath.Join(dir, corpusProgramFile)
	array = cluster.Batch{
		Name: "benchproof-" + j.ID, Dir: dir, Log: "part-%a.log", Script: script, Args: []string{program, dir, "add"},
		// Nothing begins before the commit is queued, too.
		Hold: true, Exclusive: true, Minutes: minutes(o.limit),
		Request: cluster.Request{Partition: o.partition, Options: o.sbatch},
	}
	for i := range j.Parts {
		array.Elements = append(array.Elements, i)
	}
	commit = array
	commit.Elements, commit.Hold, commit.Exclusive = nil, false, false
	commit.Log, commit.Args = "commit.log", []string{program, dir, "commit"}
	commit.After = "ARRAY" // not known yet
	return array, commit
}

// submit queues the add of inputs.
func (o *corpusAddOptions) submit(ctx context.Context, a *app, inputs iter.Seq[corpus.Input]) error {
	// The queue is asked first: without one, nothing needs to be looked at.
	hosts, out, err := cluster.Hosts(ctx, "", o.slurm.partition)
	if err != nil {
		return corpusQueueError(err)
	}
	for _, n := range out {
		a.m.warning("host %s is %s: no element will run there", n.Name, n.State)
	}
	into, err := filepath.Abs(o.into)
	if err != nil {
		return failed("", err)
	}
	if err := corpus.CheckPlace(into); err != nil {
		return failed("", err)
	}
	list, lines, told := listInputs(ctx, a, inputs)
	if err := ctx.Err(); err != nil {
		return err
	}
	if len(list) == 0 {
		return &exitError{exitUnread, errors.New("no file to add"), ""}
	}
	n := o.slurm.parts
	if n == 0 {
		n = min(len(hosts), cluster.MaxElements)
	}
	j := &corpusJob{
		Schema: corpusJobSchema, ID: replay.NewID(), Into: into, Version: buildInfo().Version,
		Rehash: o.rehash, Retry: o.retry, Jobs: o.jobs, Limits: o.limits.limits,
	}
	for i, part := range corpus.Split(list, n) {
		p := corpusPart{Part: i, Inputs: len(part)}
		for k := range part {
			p.Bytes += part[k].Size
		}
		j.Parts = append(j.Parts, p)
	}
	dir := into + ".slurm-" + j.ID
	s := corpusSubmission{job: j, dir: dir}
	array, commit := o.slurm.batches(j, dir)
	if s.argv, err = array.Argv(); err == nil {
		s.commitArgv, err = commit.Argv()
	}
	if err != nil {
		return usage("", err)
	}
	if !o.slurm.dryRun {
		if err := j.create(dir, lines); err != nil {
			return failed("", err)
		}
		if err := s.queue(ctx, array, commit); err != nil {
			return corpusQueueError(errors.Join(err, os.RemoveAll(dir)))
		}
	}
	if err := s.show(a); err != nil {
		return failed("", err)
	}
	if told > 0 {
		return &exitError{exitUnread, fmt.Errorf("%s could not be read, and %s left out", phrase.Count(told, "input"), phrase.Verb(told, "is", "are")), ""}
	}
	return nil
}

// corpusQueueError gives an error of the queue its hint.
func corpusQueueError(err error) error {
	if errors.Is(err, cluster.ErrNoSlurm) {
		return failed("Debian has it in slurm-wlm; without --slurm benchproof corpus add works on this machine", err)
	}
	return failed("", err)
}

// listInputs returns the inputs, each path once and with its line of a list, and
// how many there are of which nothing can be read.
func listInputs(ctx context.Context, a *app, inputs iter.Seq[corpus.Input]) (list []corpus.Input, lines []string, told int) {
	seen := make(map[string]bool)
	for in := range inputs {
		if ctx.Err() != nil {
			break
		}
		line, err := "", in.Err
		if err == nil {
			line, err = corpus.ListLine(in.Path)
		}
		if err != nil {
			if told++; told <= maxProblems || a.globals.verbose {
				a.m.unread(errors.New(problemText(in.Path, err)))
			}
			continue
		}
		if !seen[line] {
			seen[line] = true
			list, lines = append(list, in), append(lines, line)
		}
	}
	if n := told - maxProblems; n > 0 && !a.globals.verbose {
		a.m.warning("%s could not be read; --verbose tells all", phrase.Count(n, "more input"))
	}
	return list, lines, told
}

// create makes the directory of a job, with a copy of this program and the
// lists of the parts. Nothing is left where it fails.
func (j *corpusJob) create(dir string, lines []string) (err error) {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	program, err := os.Open(self)
	if err != nil {
		return err
	}
	defer program.Close()
	head, err := json.MarshalIndent(j, "", " ")
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(dir), 0o777); err != nil {
		return err
	}
	if err := os.Mkdir(dir, 0o777); err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.RemoveAll(dir))
		}
	}()
	put := func(name string, mode os.FileMode, from io.Reader) error {
		f, err := os.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, mode)
		if err != nil {
			return err
		}
		_, err = io.Copy(f, from)
		if err == nil {
			err = f.Sync()
		}
		return errors.Join(err, f.Close())
	}
	for _, p := range j.Parts {
		if err := put(corpusPartFile(dir, p.Part), 0o666, strings.NewReader(strings.Join(lines[:p.Inputs], ""))); err != nil {
			return err
		}
		lines = lines[p.Inputs:]
	}
	if err := put(filepath.Join(dir, corpusProgramFile), 0o777, program); err != nil {
		return err
	}
	if err := put(filepath.Join(dir, corpusScriptFile), 0o777, strings.NewReader(corpusScript)); err != nil {
		return err
	}
	return put(filepath.Join(dir, corpusJobFile), 0o666, strings.NewReader(string(head)+"\n"))
}

// corpusSubmission is what was submitted, or would be.
type corpusSubmission struct {
	job              *corpusJob
	dir              string
	array, commit    string // "" for a dry run
	argv, commitArgv []string
}

// queue queues both jobs, or none.
func (s *corpusSubmission) queue(ctx context.Context, array, commit cluster.Batch) (err error) {
	var ids []string
	defer func() {
		if err != nil && len(ids) > 0 {
			err = errors.Join(err, cluster.Cancel(ctx, ids...))
		}
	}()
	if s.array, err = array.Submit(ctx); err != nil {
		return err
	}
	ids = append(ids, s.array)
	commit.After = s.array
	if s.commitArgv, err = commit.Argv(); err != nil {
		return err
	}
	if s.commit, err = commit.Submit(ctx); err != nil {
		return err
	}
	ids = append(ids, s.commit)
	return cluster.Release(ctx, s.array)
}

// corpusSubmitDocument is the JSON form of a submission.
type corpusSubmitDocument struct {
	Schema     string       `json:"schema"`
	ID         string       `json:"id"`
	Into       string       `json:"into"`
	Dir        string       `json:"dir"`    // of the job
	Array      *string      `json:"array"`  // null for a dry run
	Commit     *string      `json:"commit"` // as this
	Argv       []string     `json:"argv"`
	CommitArgv []string     `json:"commit_argv"`
	Parts      []corpusPart `json:"parts"`
}

func (s *corpusSubmission) show(a *app) error {
	if a.globals.json {
		doc := corpusSubmitDocument{"benchproof/corpus-submit/1", s.job.ID, s.job.Into, s.dir, nil, nil, s.argv, s.commitArgv, s.job.Parts}
		if s.array != "" {
			doc.Array, doc.Commit = &s.array, &s.commit
		}
		return writeJSON(a.e.stdout, doc)
	}
	var b strings.Builder
	if s.array == "" {
		fmt.Fprintf(&b, "would submit: an array of %s, and a job that commits\n", phrase.Count(len(s.job.Parts), "element"))
	} else {
		fmt.Fprintf(&b, "submitted as array %s of %s, and job %s that commits\n", s.array, phrase.Count(len(s.job.Parts), "element"), s.commit)
	}
	for _, p := range s.job.Parts {
		fmt.Fprintf(&b, "  %d  %s, %s\n", p.Part, phrase.Count(p.Inputs, "input"), megabytes(float64(p.Bytes)))
	}
	if s.array == "" {
		fmt.Fprintf(&b, "command: %s\ncommand: %s\n", commandText(s.argv), commandText(s.commitArgv))
	} else {
		into := commandText([]string{s.job.Into})
		fmt.Fprintf(&b, "how far they are:      squeue -r -j %s,%s\n", s.array, s.commit)
		fmt.Fprintf(&b, "what they say:         %s\n", commandText([]string{filepath.Join(s.dir, "commit.log")})+" and part-N.log beside it")
		fmt.Fprintf(&b, "if an element failed:  benchproof corpus commit --into %s takes in what was added; submit again, and no more than the rest is read\n", into)
	}
	_, err := io.WriteString(a.e.stdout, term.VisibleLines(b.String()))
	return err
}
