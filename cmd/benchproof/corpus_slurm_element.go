package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/benchproof/benchproof/corpus"
	"github.com/benchproof/benchproof/internal/atomicfile"
	"github.com/benchproof/benchproof/internal/phrase"
)

func init() { corpusCommands = append(corpusCommands, (*app).corpusElement) }

// corpusElement is what the batch jobs of corpus add --slurm run. It is for no
// person, so that neither help nor completion shows it.
func (a *app) corpusElement() *cobra.Command {
	c := a.command(command{
		use:   "element JOB-DIR add|commit",
		short: "add the part of an element of a job, or commit all parts",
		args:  cobra.ExactArgs(2),
		run: func(ctx context.Context, args []string) error {
			j, err := readCorpusJob(args[0])
			if err != nil {
				return &exitError{exitUnread, err, ""}
			}
			switch args[1] {
			case "add":
				return j.add(ctx, a, args[0])
			case "commit":
				return j.commit(ctx, a, args[0])
			}
			return usage("", fmt.Errorf("%q: want add or commit", args[1]))
		},
	})
	c.Hidden = true
	return c
}

// corpusJobID matches the identifiers of jobs, which stand in names of sets.
var corpusJobID = regexp.MustCompile(`^[a-z0-9]{8,32}$`)

func readCorpusJob(dir string) (*corpusJob, error) {
	name := filepath.Join(dir, corpusJobFile)
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	var j corpusJob
	if err := json.Unmarshal(text, &j); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	switch {
	case j.Schema != corpusJobSchema:
		return nil, fmt.Errorf("%s: found the schema %.80q, expected %q", name, j.Schema, corpusJobSchema)
	case !corpusJobID.MatchString(j.ID):
		return nil, fmt.Errorf("%s: %.80q is no identifier", name, j.ID)
	case !filepath.IsAbs(j.Into):
		return nil, fmt.Errorf("%s: the corpus is %.80q, expected an absolute path", name, j.Into)
	case len(j.Parts) == 0:
		return nil, fmt.Errorf("%s: no parts", name)
	}
	return &j, nil
}

// set is the name of an element's partial set. One that is started again gets
// another: on a node that is taken for dead the first may still be at work.
func (j *corpusJob) set(element, restart int) string {
	name := j.ID + "-" + strconv.Itoa(element)
	if restart > 0 {
		name += "." + strconv.Itoa(restart)
	}
	return name
}

// corpusDone is what an element leaves when its set is whole.
type corpusDone struct {
	Set    string        `json:"set"`
	Report corpus.Report `json:"report"`
}

func corpusDoneFile(dir string, n int) string {
	return filepath.Join(dir, "done-"+strconv.Itoa(n)+".json")
}

// add adds the part of the element that this process is. Inputs that cannot be
// read are told here, and counted by the commit: they do not keep the others
// out.
func (j *corpusJob) add(ctx context.Context, a *app, dir string) error {
	at, err := elementPlace(a.e.getenv)
	if err != nil {
		return usage("benchproof corpus add --slurm queues elements", errors.New("not in an array of Slurm: SLURM_ARRAY_TASK_ID or SLURMD_NODENAME is not set"))
	}
	if at.Element < 0 || at.Element >= len(j.Parts) {
		return usage("", fmt.Errorf("element %d of a job of %d", at.Element, len(j.Parts)))
	}
	list, err := os.Open(corpusPartFile(dir, at.Element))
	if err != nil {
		return &exitError{exitUnread, err, ""}
	}
	defer list.Close()
	o := &corpusAddOptions{into: j.Into, partial: j.set(at.Element, at.Restart), rehash: j.Rehash, retry: j.Retry, jobs: j.Jobs}
	o.limits.limits = j.Limits
	report, _, err := o.add(ctx, a, func(yield func(corpus.Input) bool) {
		for in := range corpus.List(list) {
			in.Found = in.Path != "" // by the walk that made the list
			if !yield(in) {
				return
			}
		}
	})
	if err != nil {
		return err
	}
	if err := o.print(a, &report); err != nil {
		return failed("", err)
	}
	text, err := json.Marshal(corpusDone{o.partial, report})
	if err != nil {
		return failed("", err)
	}
	file, err := atomicfile.Create(corpusDoneFile(dir, at.Element), true)
	if err != nil {
		return failed("", err)
	}
	if _, err := file.Write(append(text, '\n')); err != nil {
		file.Discard()
		return failed("", err)
	}
	return coded(file.Commit())
}

// done returns what the elements have left, in their order.
func (j *corpusJob) done(dir string) ([]corpusDone, error) {
	list := make([]corpusDone, len(j.Parts))
	for i := range list {
		name := corpusDoneFile(dir, i)
		text, err := os.ReadFile(name)
		if err != nil {
			return nil, fmt.Errorf("element %d is not done: %w", i, err)
		}
		if err := json.Unmarshal(text, &list[i]); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		if s := list[i].Set; s != j.set(i, 0) && !strings.HasPrefix(s, j.set(i, 0)+".") {
			return nil, fmt.Errorf("%s: its set is %.80q, expected %s", name, s, j.set(i, 0))
		}
	}
	return list, nil
}

// lockWait is how long to wait before a corpus that another process writes is
// tried again.
const lockWait = 2 * time.Second

// commit takes the sets of all elements in, in the order of the inputs, and
// drops those of elements that were started again.
func (j *corpusJob) commit(ctx context.Context, a *app, dir string) error {
	a.e.slow.Store(true)
	done, err := j.done(dir)
	if err != nil {
		return failed("submit again: what is in the corpus is not read again", err)
	}
	var sum corpus.Report
	for i := range done {
		r := &done[i].Report
		sum.Inputs += r.Inputs
		sum.Read += r.Read
		sum.Unchanged += r.Unchanged
		sum.NoResult += r.NoResult
		sum.Unreadable += r.Unreadable
	}
	r, err := j.take(ctx, a, done)
	if err != nil {
		return err
	}
	waiting, err := corpus.Waiting(j.Into)
	if err != nil {
		return failed("", err)
	}
	for _, name := range waiting {
		if strings.HasPrefix(name, j.ID+"-") {
			if err := corpus.Discard(j.Into, name); err != nil {
				a.m.warning("what an element had added before it was started again stays: %v", err)
			}
		}
	}
	if _, err := fmt.Fprintf(a.e.stdout, "%s: %d read, %d unchanged, %d without a result, %d unreadable\n%s\n",
		phrase.Count(sum.Inputs, "input"), sum.Read, sum.Unchanged, sum.NoResult, sum.Unreadable, committedText(&r)); err != nil {
		return failed("", err)
	}
	if sum.Unreadable > 0 {
		return &exitError{exitUnread, fmt.Errorf("%d of %s could not be read: the elements' part-N.log name them; the others are in", sum.Unreadable, phrase.Count(sum.Inputs, "input")), "--retry reads them again"}
	}
	return nil
}

// take commits the sets of elements that are not in yet, in their order, and
// waits for another that writes the corpus.
func (j *corpusJob) take(ctx context.Context, a *app, done []corpusDone) (corpus.CommitReport, error) {
	told := false
	for {
		waiting, err := corpus.Waiting(j.Into)
		if err != nil {
			return corpus.CommitReport{}, failed("", err)
		}
		var names []string
		for i := range done {
			// Those that do not wait came in before this was started again.
			if slices.Contains(waiting, done[i].Set) {
				names = append(names, done[i].Set)
			}
		}
		if len(names) == 0 { // which Commit would take for all
			return corpus.CommitReport{}, nil
		}
		r, err := corpus.Commit(ctx, j.Into, "benchproof "+buildInfo().Version, names...)
		if err == nil || !errors.Is(err, corpus.ErrLocked) {
			return r, coded(err)
		}
		if !told {
			a.m.warning("%v: waiting for it", err)
			told = true
		}
		select {
		case <-ctx.Done():
			return r, context.Canceled
		case <-time.After(lockWait):
		}
	}
}
