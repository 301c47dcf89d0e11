package cluster

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/benchproof/benchproof/internal/phrase"
)

// Batch is a job for the queue: a script of fixed text in a directory that all
// hosts share, with arguments. Nothing else comes into a shell.
type Batch struct {
	Name string
	// Dir is the job's directory, an absolute path: it runs there.
	Dir string
	// Log is the file in Dir that it writes to, "element-%a.log".
	Log string
	// Script is the path of the script, Args what it is given.
	Script string
	Args   []string
	// Elements are the indexes of an array; nil for a job by itself.
	Elements []int
	// After is the number of a job, or array, all of which must have ended
	// well before this one begins; "" for none. Where it has not, the queue
	// drops this one.
	After string
	// Hold has it wait for a Release.
	Hold bool
	// Exclusive gives it a host by itself, with all memory.
	Exclusive bool
	// Minutes is its time limit; 0 for that of the partition. A minute before
	// it, or up to two, the script gets SIGTERM.
	Minutes int
	Request Request
}

// Argv returns the command that queues the job. The error is about the
// directory, whose name Slurm would not take as it is, or an option that may
// not be given.
func (b *Batch) Argv() ([]string, error) {
	if strings.ContainsAny(b.Dir, "%\\\n") {
		return nil, fmt.Errorf("%q: Slurm does not take the path of a job with %%, \\ or a line's end", b.Dir)
	}
	argv := []string{"sbatch", "--parsable"}
	if b.Hold {
		argv = append(argv, "--hold")
	}
	argv = append(argv, "--job-name="+b.Name)
	if len(b.Elements) > 0 {
		argv = append(argv, "--array="+arrayText(b.Elements, b.Request.AtOnce))
	}
	if b.After != "" {
		argv = append(argv, "--dependency=afterok:"+b.After, "--kill-on-invalid-dep=yes")
	}
	argv = append(argv, "--nodes=1", "--ntasks=1")
	if b.Exclusive {
		argv = append(argv, "--exclusive", "--mem=0")
	}
	argv = append(argv, "--requeue", "--export=ALL")
	if b.Minutes > 0 {
		argv = append(argv, "--time="+strconv.Itoa(b.Minutes))
	}
	argv = append(argv, "--signal=B:TERM@60", "--open-mode=append",
		"--input=/dev/null", "--output="+filepath.Join(b.Dir, b.Log), "--chdir="+b.Dir)
	if p := b.Request.Partition; p != "" {
		if !partitionName.MatchString(p) {
			return nil, fmt.Errorf("%q is no name of a partition", p)
		}
		argv = append(argv, "--partition="+p)
	}
	for _, o := range b.Request.Options {
		key, value, ok := strings.Cut(o, "=")
		if !ok || value == "" || !slices.Contains(RequestOptions, key) {
			return nil, fmt.Errorf("--sbatch %q: want KEY=VALUE, where KEY is %s", o, phrase.Or(RequestOptions))
		}
		argv = append(argv, "--"+key+"="+value)
	}
	return append(append(argv, b.Script), b.Args...), nil
}

// Submit queues the job and returns its number.
func (b *Batch) Submit(ctx context.Context) (id string, err error) {
	argv, err := b.Argv()
	if err != nil {
		return "", err
	}
	text, err := slurm(ctx, argv...)
	if err != nil {
		return "", err
	}
	id, _, _ = strings.Cut(strings.TrimSpace(text), ";") // behind it, the cluster
	if _, err := strconv.ParseUint(id, 10, 64); err != nil {
		return "", fmt.Errorf("sbatch printed %.80q, expected the number of a job", text)
	}
	return id, nil
}

// Release lets a job that was held begin.
func Release(ctx context.Context, id string) error {
	_, err := slurm(ctx, "scontrol", "release", id)
	return err
}

// Cancel takes jobs out of the queue, or ends them, even where ctx has ended.
func Cancel(ctx context.Context, ids ...string) error {
	_, err := slurm(context.WithoutCancel(ctx), append([]string{"scancel"}, ids...)...)
	return err
}
