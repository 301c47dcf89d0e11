package cluster

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/benchproof/benchproof/internal/atomicfile"
	"github.com/benchproof/benchproof/internal/phrase"
	"github.com/benchproof/benchproof/replay"
)

// jobSchema names the JSON form of a Job: the value of its key "schema".
const jobSchema = "benchproof/cluster/1"

// Files of a job's directory.
const (
	jobFile     = "job.json"
	planFile    = "plan.json"
	programFile = "benchproof"
	scriptFile  = "element.sh"
)

// maxJobFile is the longest of a job's own files that is read, in bytes, and
// maxPlanFile the longest plan.
const (
	maxJobFile  = 64 << 20
	maxPlanFile = 256 << 20
)

// MaxElements is the largest number of elements of a job.
const MaxElements = 10000

// Job is one plan for many hosts.
type Job struct {
	Schema  string    `json:"schema"`
	ID      string    `json:"id"` // 12 letters and digits, as a replay has
	Source  string    `json:"source"`
	Engine  string    `json:"engine"` // slurm
	Made    time.Time `json:"made"`
	Version string    `json:"version"` // of this program
	// PlanHash is the SHA-256 of plan.json, whose targets are as they were
	// asked for: with {host} in their directories.
	PlanHash string    `json:"plan_sha256"`
	Elements []Element `json:"elements"`
	// Minutes is the time limit of an element, Estimated what the plan says
	// that it takes, without any reserve; 0 if it cannot say.
	Minutes   int     `json:"minutes"`
	Estimated float64 `json:"estimated_seconds"`
	// LockDir is where the locks of targets lie, "" for the system's place.
	LockDir string `json:"lock_dir,omitempty"`
	// Request is how its arrays are queued.
	Request Request `json:"request"`
}

// Element is what runs at once on one host: the plan's rows on some targets.
type Element struct {
	Host    string   `json:"host"`
	Targets []string `json:"targets"` // labels
}

// HostMark stands in a target's directory for the name of the host.
const HostMark = "{host}"

// hostName matches the names that hosts may have.
var hostName = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]{0,252}$`)

// NewJob returns the job of a plan on hosts: one element a host, or with split
// one a host and target. The error is about hosts: none, too many, one twice or
// with a name that none can have.
func NewJob(p *replay.Plan, hosts []string, split bool) (*Job, error) {
	j := &Job{Schema: jobSchema, ID: replay.NewID(), Source: p.Source, Engine: "slurm", Made: time.Now().UTC().Truncate(time.Second)}
	var blocks [][]string
	for _, s := range p.Specs() {
		if split || len(blocks) == 0 {
			blocks = append(blocks, nil)
		}
		blocks[len(blocks)-1] = append(blocks[len(blocks)-1], s.Label)
	}
	seen := make(map[string]bool)
	for _, h := range hosts {
		if !hostName.MatchString(h) {
			return nil, fmt.Errorf("%q is no name of a host", h)
		}
		if seen[h] {
			return nil, fmt.Errorf("host %s is named twice", h)
		}
		seen[h] = true
		for _, b := range blocks {
			j.Elements = append(j.Elements, Element{h, b})
		}
	}
	switch n := len(j.Elements); {
	case n == 0:
		return nil, errors.New("no host")
	case n > MaxElements:
		return nil, fmt.Errorf("%s: want %d at most", phrase.Count(n, "element"), MaxElements)
	}
	return j, nil
}

// Overhead of an element beside what its tools take.
const (
	repetitionSeconds = 2   // looking at the host before and after
	elementSeconds    = 180 // beginning, the end, and the signal before the limit
	labSeconds        = 120 // making and removing a file-system
	limitFactor       = 2   // how much longer a disk may take than was planned
)

// Estimate returns what the longest element is likely to take, in seconds, and
// the time limit that follows: twice as much and three minutes, in whole
// minutes. Steps that cannot run on this machine are not in it; without any that
// can, both are 0.
func (j *Job) Estimate(p *replay.Plan) (seconds float64, minutes int) {
	for _, e := range j.Elements {
		sum, extra := 0.0, 0.0
		seen := make(map[string]bool)
		for i := range p.Steps {
			s := &p.Steps[i]
			if s.Status != replay.Ready || s.Seconds == nil || seen[s.RunID] || !slices.Contains(e.Targets, s.Target) {
				continue
			}
			seen[s.RunID] = true
			sum += float64(s.Runs) * *s.Seconds
			extra += float64(s.Runs) * repetitionSeconds
		}
		for _, t := range p.Targets {
			if t.Lab != nil && slices.Contains(e.Targets, t.Label) {
				extra += labSeconds
			}
		}
		if len(seen) > 0 && sum > seconds {
			seconds = sum
			minutes = int(min((limitFactor*sum+extra+elementSeconds)/60+1, float64(maxMinutes/2)))
		}
	}
	return seconds, minutes
}

// Specs returns the targets of an element on its host. p is the job's plan.
func (e Element) Specs(p *replay.Plan) []replay.TargetSpec {
	var list []replay.TargetSpec
	for _, s := range p.Specs() {
		if !slices.Contains(e.Targets, s.Label) {
			continue
		}
		s.Dir = e.path(s.Dir)
		if s.Lab != nil {
			c := *s.Lab
			c.Dir = e.path(c.Dir)
			s.Lab = &c
		}
		list = append(list, s)
	}
	return list
}

// path returns a path of the job on the element's host.
func (e Element) path(dir string) string { return strings.ReplaceAll(dir, HostMark, e.Host) }

// lockDirOf returns where an element's locks lie, "" for the system's place.
func (j *Job) lockDirOf(e Element) string { return e.path(j.LockDir) }

// ElementDir returns the directory of an element's journal.
func ElementDir(dir string, element int) string {
	return filepath.Join(dir, "element-"+strconv.Itoa(element))
}

// logFile returns what an element has said.
func logFile(dir string, element int) string { return ElementDir(dir, element) + ".log" }

// script is the batch script of every element of every job.
const script = "#!/bin/sh\n# An element of a replay: the program, and the directory of the job.\nexec \"$1\" replay element \"$2\"\n"

// Create makes the job's directory, which must not be there or be empty, with
// the plan and a copy of the program, whose path is self. Nothing is left where
// it fails.
func (j *Job) Create(dir string, p *replay.Plan, self string) (err error) {
	if list, err := os.ReadDir(dir); err == nil && len(list) > 0 {
		return fmt.Errorf("%s is not empty: a job gets a directory of its own", dir)
	}
	var made []string
	defer func() {
		if err != nil {
			for _, name := range made {
				_ = os.Remove(name)
			}
		}
	}()
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	made = append(made, dir) // removed only where it is empty
	if err := replay.OwnDir(dir); err != nil {
		return err
	}
	put := func(name string, mode os.FileMode, from io.Reader) error {
		name = filepath.Join(dir, name)
		file, err := os.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, mode)
		if err != nil {
			return err
		}
		made = slices.Insert(made, 0, name)
		_, err = io.Copy(file, from)
		if err == nil {
			err = file.Sync()
		}
		return errors.Join(err, file.Close())
	}
	var text bytes.Buffer
	if err := p.WriteJSON(&text); err != nil {
		return err
	}
	j.PlanHash = sum(text.Bytes())
	program, err := os.Open(self)
	if err != nil {
		return err
	}
	defer program.Close()
	head, err := json.MarshalIndent(j, "", " ")
	if err != nil {
		return err
	}
	if err := put(programFile, 0o755, program); err != nil {
		return err
	}
	if err := put(scriptFile, 0o755, strings.NewReader(script)); err != nil {
		return err
	}
	if err := put(planFile, 0o644, &text); err != nil {
		return err
	}
	return put(jobFile, 0o644, bytes.NewReader(append(head, '\n')))
}

// Save writes the job anew, as where its time limit is another.
func (j *Job) Save(dir string) error { return writeJSON(filepath.Join(dir, jobFile), j) }

// Remove removes what Create has made of a job that was not submitted.
func Remove(dir string) error {
	var errs []error
	for _, name := range []string{jobFile, planFile, scriptFile, programFile} {
		errs = append(errs, os.Remove(filepath.Join(dir, name)))
	}
	return errors.Join(append(errs, os.Remove(dir))...)
}

// CheckOwn makes sure that the job in a directory is this user's and what its
// hosts would run is what Create has put there: a program, which is believed for
// the sake of its owner, and the script.
func CheckOwn(dir string) error {
	if err := replay.OwnDir(dir); err != nil {
		return err
	}
	for _, name := range []string{jobFile, planFile, programFile, scriptFile} {
		if err := replay.OwnFile(filepath.Join(dir, name)); err != nil {
			return err
		}
	}
	name := filepath.Join(dir, scriptFile)
	text, err := readRegular(name, maxJobFile)
	if err == nil && string(text) != script {
		err = fmt.Errorf("%s is not the script that benchproof writes", name)
	}
	return err
}

// IsJob reports whether a directory is that of a job.
func IsJob(dir string) bool {
	info, err := os.Stat(filepath.Join(dir, jobFile))
	return err == nil && info.Mode().IsRegular()
}

// ReadJob reads a job and its plan, which must be the one it was made with.
func ReadJob(dir string) (*Job, *replay.Plan, error) {
	name := filepath.Join(dir, jobFile)
	var j Job
	if err := readJSON(name, &j); err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			err = &replay.MissingError{Dir: dir, What: "job of many hosts"}
		}
		return nil, nil, err
	}
	if j.Schema != jobSchema {
		return nil, nil, fmt.Errorf("%s: found the schema %.80q, expected %q", name, j.Schema, jobSchema)
	}
	name = filepath.Join(dir, planFile)
	text, err := readRegular(name, maxPlanFile)
	if err != nil {
		return nil, nil, err
	}
	if sum(text) != j.PlanHash {
		return nil, nil, fmt.Errorf("%s is not the plan that the job was made with", name)
	}
	p, err := replay.ReadPlan(bytes.NewReader(text))
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", name, err)
	}
	if err := j.check(p); err != nil {
		return nil, nil, fmt.Errorf("%s: %w", filepath.Join(dir, jobFile), err)
	}
	return &j, p, nil
}

// maxMinutes is the longest time limit that a duration holds.
const maxMinutes = int(math.MaxInt64 / time.Minute)

// check returns what of a job NewJob has not made of its plan.
func (j *Job) check(p *replay.Plan) error {
	if !jobID.MatchString(j.ID) {
		return fmt.Errorf("%.80q is no identifier", j.ID)
	}
	if j.Minutes < 0 || j.Minutes > maxMinutes {
		return fmt.Errorf("a time limit of %s", phrase.Count(j.Minutes, "minute"))
	}
	if len(j.Elements) == 0 || len(j.Elements) > MaxElements {
		return fmt.Errorf("%s, expected 1 to %d", phrase.Count(len(j.Elements), "element"), MaxElements)
	}
	known := make(map[string]bool)
	for _, s := range p.Specs() {
		known[s.Label] = true
	}
	type place struct{ host, target string }
	seen := make(map[place]bool)
	for i, e := range j.Elements {
		if !hostName.MatchString(e.Host) {
			return fmt.Errorf("element %d: %.80q is no name of a host", i, e.Host)
		}
		if len(e.Targets) == 0 {
			return fmt.Errorf("element %d has no target", i)
		}
		for _, t := range e.Targets {
			if at := (place{e.Host, t}); !known[t] || seen[at] {
				return fmt.Errorf("element %d: target %.80q of host %s is none of the plan's, or stands twice", i, t, e.Host)
			}
			seen[place{e.Host, t}] = true
		}
	}
	return nil
}

var jobID = regexp.MustCompile(`^[a-z0-9]{8,32}$`)

// readRegular reads a file of a job of at most so many bytes. A pipe in its place
// would be waited for.
func readRegular(name string, most int64) ([]byte, error) {
	info, err := os.Stat(name)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is no regular file", name)
	}
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	text, err := io.ReadAll(io.LimitReader(file, most+1))
	if err == nil && int64(len(text)) > most {
		err = fmt.Errorf("%s is over the limit of %s", name, replay.ByteText(most))
	}
	return text, err
}

// readJSON reads a JSON file of limited size.
func readJSON(name string, v any) error {
	text, err := readRegular(name, maxJobFile)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(text, v); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

// writeJSON writes a JSON file whole, in the place of another.
func writeJSON(name string, v any) error {
	text, err := json.MarshalIndent(v, "", " ")
	if err != nil {
		return err
	}
	file, err := atomicfile.Create(name, true)
	if err != nil {
		return err
	}
	if _, err := file.Write(append(text, '\n')); err != nil {
		file.Discard()
		return err
	}
	return file.Commit()
}

func sum(text []byte) string {
	h := sha256.Sum256(text)
	return hex.EncodeToString(h[:])
}
