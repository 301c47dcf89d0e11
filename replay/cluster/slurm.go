package cluster

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// ErrNoSlurm is returned where Slurm's programs are not installed.
var ErrNoSlurm = errors.New("there is no Slurm here")

// commandLimit is how long a program of Slurm may take to answer.
const commandLimit = time.Minute

// CommandError says that a program of Slurm has failed.
type CommandError struct {
	Argv   []string
	Said   string // the first lines of its standard error
	Reason error
}

// Error returns the program, what it said, and how it ended.
func (e *CommandError) Error() string {
	if e.Said == "" {
		return fmt.Sprintf("%s: %v", e.Argv[0], e.Reason)
	}
	return fmt.Sprintf("%s: %s", e.Argv[0], e.Said)
}

// Unwrap returns how the program ended.
func (e *CommandError) Unwrap() error { return e.Reason }

// slurm runs a program of Slurm and returns what it prints.
func slurm(ctx context.Context, argv ...string) (string, error) {
	path, err := exec.LookPath(argv[0])
	if err != nil {
		return "", fmt.Errorf("%w: no %s in PATH", ErrNoSlurm, argv[0])
	}
	ctx, cancel := context.WithTimeout(ctx, commandLimit)
	defer cancel()
	c := exec.CommandContext(ctx, path, argv[1:]...)
	c.WaitDelay = time.Second // where what it has started keeps its output open
	var out, said bytes.Buffer
	c.Stdout, c.Stderr = &out, &said
	if err := c.Run(); err != nil {
		if ctx.Err() != nil {
			err = context.Cause(ctx)
		}
		return "", &CommandError{argv, firstLines(strings.ReplaceAll("\n"+said.String(), "\n"+argv[0]+": ", "\n")), err}
	}
	return out.String(), nil
}

// firstLines cuts what a program said for a message of one line.
func firstLines(text string) string {
	const most = 400
	text = strings.Join(strings.FieldsFunc(strings.TrimSpace(text), func(r rune) bool { return r == '\n' || r == '\r' }), "; ")
	if len(text) > most {
		text = strings.ToValidUTF8(text[:most], "") + "…"
	}
	return text
}

// Node is a host as Slurm knows it.
type Node struct {
	Name  string
	State string // "idle", "down*"
}

// out reports whether nothing would run on the node before somebody sees to it.
func (n Node) out() bool {
	for _, word := range []string{"down", "drain", "fail", "unknown", "maint"} {
		if strings.HasPrefix(n.State, word) {
			return true
		}
	}
	return false
}

// maxHostSpec is the longest expression for hosts, in bytes.
const maxHostSpec = 64 << 10

// hostSpec matches Slurm's expressions for hosts: "n[1-4],m7".
var hostSpec = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._,\[\]-]*$`)

// partitionName matches names of partitions.
var partitionName = regexp.MustCompile(`^[A-Za-z0-9_][A-Za-z0-9._-]{0,255}$`)

// Hosts returns the hosts that an expression names, in its order, or without
// one those of a partition, the default one for "". Of a partition's hosts those
// that are down or drained are left out and returned apart; named ones stay, as
// the queue can wait for them.
func Hosts(ctx context.Context, spec, partition string) (hosts []string, out []Node, err error) {
	if partition != "" && !partitionName.MatchString(partition) {
		return nil, nil, fmt.Errorf("%q is no name of a partition", partition)
	}
	if spec != "" && (len(spec) > maxHostSpec || !hostSpec.MatchString(spec)) {
		return nil, nil, fmt.Errorf("%q names no hosts: want a list such as n[1-4],m7", spec)
	}
	argv := []string{"sinfo", "-h", "-N", "-o", "%N|%T|%P"}
	if partition != "" {
		argv = append(argv, "-p", partition)
	}
	text, err := slurm(ctx, argv...)
	if err != nil {
		return nil, nil, err
	}
	nodes := make(map[string]Node)
	var names []string
	for line := range strings.Lines(text) {
		f := strings.Split(strings.TrimSpace(line), "|")
		if len(f) != 3 {
			continue
		}
		// Without a name, the default partition's, which has a star.
		if spec == "" && partition == "" && !strings.HasSuffix(f[2], "*") {
			continue
		}
		if _, ok := nodes[f[0]]; !ok {
			names = append(names, f[0])
		}
		nodes[f[0]] = Node{f[0], f[1]}
	}
	if spec == "" {
		for _, n := range names {
			if nodes[n].out() {
				out = append(out, nodes[n])
			} else {
				hosts = append(hosts, n)
			}
		}
		if len(hosts) == 0 {
			return nil, out, fmt.Errorf("partition %q has no host that is up", cmp.Or(partition, "(default)"))
		}
		return hosts, out, nil
	}
	if text, err = slurm(ctx, "scontrol", "show", "hostnames", spec); err != nil {
		return nil, nil, err
	}
	for _, h := range strings.Fields(text) {
		n, ok := nodes[h]
		if !ok {
			return nil, nil, fmt.Errorf("the queue knows no host %q%s", h, inPartition(partition))
		}
		if n.out() {
			out = append(out, n)
		}
		hosts = append(hosts, h)
	}
	if len(hosts) == 0 {
		return nil, nil, fmt.Errorf("%q names no host", spec)
	}
	return hosts, out, nil
}

func inPartition(name string) string {
	if name == "" {
		return ""
	}
	return " in partition " + name
}

// Request is how an array is to be queued.
type Request struct {
	Partition string `json:"partition,omitempty"`
	// AtOnce is how many elements may run at once; 0 for all.
	AtOnce int `json:"at_once,omitempty"`
	// Options are further options of sbatch, "account=lab": see
	// RequestOptions.
	Options []string `json:"options,omitempty"`
}

// RequestOptions are the options of sbatch that a Request may have.
var RequestOptions = []string{"account", "begin", "comment", "constraint", "gres", "licenses", "mail-type", "mail-user", "nice", "qos", "reservation", "wckey"}

// Argv returns the command that queues elements of a job in a directory. The
// error is about the directory, whose name Slurm would not take as it is, or an
// option that may not be given.
func (j *Job) Argv(dir string, elements []int) ([]string, error) {
	return j.batch(dir, elements).Argv()
}

// batch returns elements of a job as the queue takes them.
func (j *Job) batch(dir string, elements []int) *Batch {
	return &Batch{
		Name: j.name(), Dir: dir, Log: "element-%a.log", Script: filepath.Join(dir, scriptFile), Args: []string{filepath.Join(dir, programFile), dir},
		Elements: elements, Hold: true, Exclusive: true, Minutes: j.Minutes, Request: j.Request,
	}
}

// name is how the queue calls the job.
func (j *Job) name() string { return "benchproof-" + j.ID }

// arrayText returns the indexes of elements as Slurm takes them: "0-3,7%2".
func arrayText(elements []int, atOnce int) string {
	var parts []string
	for i := 0; i < len(elements); {
		n := i + 1
		for n < len(elements) && elements[n] == elements[n-1]+1 {
			n++
		}
		text := strconv.Itoa(elements[i])
		if n-i > 1 {
			text += "-" + strconv.Itoa(elements[n-1])
		}
		parts = append(parts, text)
		i = n
	}
	text := strings.Join(parts, ",")
	if atOnce > 0 {
		text += "%" + strconv.Itoa(atOnce)
	}
	return text
}

// Submit queues elements of a job, each on its host, and returns the number of
// the array. Where a part of it fails nothing is left in the queue.
func (j *Job) Submit(ctx context.Context, dir string, elements []int) (array string, err error) {
	id, err := j.batch(dir, elements).Submit(ctx)
	if err != nil {
		return "", err
	}
	defer func() {
		if err != nil {
			// It is on hold: nothing of it has begun.
			err = errors.Join(err, Cancel(ctx, id))
		}
	}()
	for _, i := range elements {
		if _, err := slurm(ctx, "scontrol", "update", "JobId="+id+"_"+strconv.Itoa(i), "ReqNodeList="+j.Elements[i].Host); err != nil {
			return "", fmt.Errorf("give element %d its host %s: %w", i, j.Elements[i].Host, err)
		}
	}
	if err := Release(ctx, id); err != nil {
		return "", err
	}
	return id, nil
}

// queued is an element as the queue has it.
type queued struct {
	Array   string
	Element int
	State   string // RUNNING, PENDING, NODE_FAIL, …
	Reason  string // why it waits, "" or "None" for nothing
	Nodes   string
	Took    string // "1:23"
}

// over reports whether it will not run any more.
func (q *queued) over() bool {
	switch q.State {
	case "BOOT_FAIL", "CANCELLED", "COMPLETED", "DEADLINE", "FAILED", "NODE_FAIL", "OUT_OF_MEMORY", "PREEMPTED", "REVOKED", "TIMEOUT":
		return true
	}
	return false
}

// waits reports whether it has not been given its node, or has lost it.
func (q *queued) waits() bool {
	switch q.State {
	case "PENDING", "REQUEUED", "REQUEUE_FED", "REQUEUE_HOLD", "SPECIAL_EXIT", "RESV_DEL_HOLD":
		return true
	}
	return false
}

// queue returns the elements of the job that the queue has, of an element that
// was queued several times the last. What ended some minutes ago is in no queue.
func (j *Job) queue(ctx context.Context) (map[int]*queued, error) {
	text, err := slurm(ctx, "squeue", "-h", "-r", "-a", "-t", "all", "--name="+j.name(), "-o", "%F|%K|%T|%N|%M|%r")
	if err != nil {
		return nil, err
	}
	return parseQueue(text)
}

func parseQueue(text string) (map[int]*queued, error) {
	list := make(map[int]*queued)
	at := make(map[int]uint64)
	for line := range strings.Lines(text) {
		f := strings.SplitN(strings.TrimSpace(line), "|", 6)
		if len(f) != 6 {
			return nil, fmt.Errorf("squeue printed %.80q, expected 6 fields", line)
		}
		array, err := strconv.ParseUint(f[0], 10, 64)
		element, elementErr := strconv.Atoi(f[1])
		if err != nil || elementErr != nil {
			return nil, fmt.Errorf("squeue printed %.80q, expected the numbers of a job and an element", line)
		}
		if _, ok := list[element]; ok && array < at[element] {
			continue
		}
		at[element] = array
		list[element] = &queued{Array: f[0], Element: element, State: f[2], Nodes: f[3], Took: f[4], Reason: f[5]}
	}
	return list, nil
}
