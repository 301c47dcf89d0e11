package replay

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/benchproof/benchproof/replay/internal/target"
	"github.com/benchproof/benchproof/replay/lab"
	"github.com/benchproof/benchproof/replay/profile"
	"github.com/benchproof/benchproof/result"
)

// planSchema names the JSON form of a plan: the value of its key "schema".
const planSchema = "benchproof/plan/1"

// Statuses of a step.
const (
	Ready       = "ready"       // it can run here
	Refused     = "refused"     // it cannot be replayed as it stands
	Unavailable = "unavailable" // it could, with the tool or the space that is missing
)

// noTarget is the label of the target of a plan that was made for none.
const noTarget = "?"

// Target is a directory that is to be measured.
type Target struct {
	Label string `json:"label"`
	Dir   string `json:"dir"` // absolute; "" where a plan is for none
	// FileSystem and Device are what lies there ("ext4", "/dev/vda"),
	// Mounted is where, FSID the file-system's own identifier; "" if
	// unknown.
	FileSystem string `json:"file_system"`
	Device     string `json:"device"`
	Mounted    string `json:"mounted"`
	FSID       string `json:"fsid"`
	// Free is the space for users other than root in bytes, Total the file
	// system's; below zero if unknown.
	Free  int64 `json:"free_bytes"`
	Total int64 `json:"total_bytes"`
	// Notes are what a reader of numbers of this place should know.
	Notes []string `json:"notes,omitempty"`
	// Lab is what the target is made of where a lab makes it; nil for a
	// directory. Dir is then not known before it stands.
	Lab *lab.Config `json:"lab,omitempty"`
}

// Request is how rows are to be replayed. It is part of the plan.
type Request struct {
	Set map[string]string `json:"set"`
	// Scale multiplies working sets and times: above 0, 1 as published.
	Scale float64 `json:"scale"`
	// Quick says that --quick chose Scale and Runs.
	Quick bool `json:"quick"`
	// Runs is the fixed number of repetitions; 0 for the published one.
	Runs int `json:"runs"`
	// Rule is the name of the rule that adds repetitions, "" for none.
	Rule string `json:"rule"`
}

// Plan is what would run, and why the rest does not.
type Plan struct {
	Schema  string   `json:"schema"`
	Source  string   `json:"source"`
	Targets []Target `json:"targets"`
	Seed    uint64   `json:"seed"`
	Steps   []Step   `json:"steps"`
	Request Request  `json:"request"`
	Rows    []Row    `json:"rows"`
	// LabSystems are what the published systems seem to have been, where a
	// lab is planned.
	LabSystems []lab.Proposal `json:"lab_systems,omitempty"`

	jobs  map[int]*profile.Job // by row
	tools profile.Tools

	commonOnce sync.Once
	common     map[testKey][]result.Option // see Common
}

// Step is one published row on one target.
type Step struct {
	// ID is a hash of the row, of all that makes its run, and of the
	// target.
	ID        string `json:"id"`
	Row       int    `json:"row"` // index into the plan's rows
	Test      string `json:"test"`
	Version   string `json:"version"`
	Arguments string `json:"arguments"`
	Scale     string `json:"scale"`
	Target    string `json:"target"` // label
	Profile   string `json:"profile"`
	Driver    string `json:"driver"`
	// RunID is the same for steps that come from one run of the tool on
	// the target; "" for what does not run.
	RunID  string `json:"run_id"`
	Metric string `json:"metric"` // which of the run's values it is
	Status string `json:"status"`
	Reason string `json:"reason"` // of a status other than ready
	Hint   string `json:"hint"`   // what would help
	// Argv is the command that is measured, Commands are all of the run.
	// {scratch} in them is the directory made for the run.
	Argv       []string         `json:"argv"`
	Commands   []Command        `json:"commands"`
	Options    []profile.Option `json:"options"`
	Fidelity   result.Fidelity  `json:"fidelity"`
	Comparable bool             `json:"comparable"`
	// NotComparable is why values say nothing of the published ones.
	NotComparable string `json:"not_comparable"`
	Scaled        string `json:"scaled"`  // what was shrunk
	Changed       string `json:"changed"` // what else is not as published, the shrunk included
	Root          bool   `json:"root"`
	// Bytes and Seconds are what one repetition needs; nil if unknown.
	Bytes    *int64   `json:"bytes"`
	Seconds  *float64 `json:"seconds"`
	Runs     int      `json:"runs"`
	Warnings []string `json:"warnings"`
}

// Command is one program of a run, for people.
type Command struct {
	Name   string   `json:"name"`
	When   string   `json:"when"` // "every", "first", "last"
	Argv   []string `json:"argv"`
	User   bool     `json:"user"`             // as an unprivileged account
	Copies int      `json:"copies,omitempty"` // at once, where more than one
	// Files are made for it before, below {scratch}.
	Files []CommandFile `json:"files,omitempty"`
}

// CommandFile is a file made for a command, for people.
type CommandFile struct {
	Name  string `json:"name"`
	Bytes int    `json:"bytes"`
	Text  string `json:"text"` // "" where it is longer than 4 KiB
}

// PlanOptions are what a plan is made with.
type PlanOptions struct {
	Targets []Target
	// LabSystems go into the plan; see there.
	LabSystems []lab.Proposal
	Request    Request
	// Seed orders targets within a round; nil for one that follows from
	// the plan.
	Seed *uint64
	// Tools finds programs; needed.
	Tools profile.Tools
	// Root reports whether the replay may do what only root may.
	Root bool
	// Profiles are the known ones; nil for all of package profile.
	Profiles []profile.Profile
}

// NewPlan returns the plan of published rows. It writes nothing and runs
// nothing but what Tools asks for a version. Its error is about the request: a
// scale out of range, an unknown key of Set ([*UnknownKeyError]) or rule.
func NewPlan(rows []Row, o PlanOptions) (*Plan, error) {
	if o.Profiles == nil {
		o.Profiles = profile.All()
	}
	if err := o.check(); err != nil {
		return nil, err
	}
	// In a guest everything is root's.
	o.Root = o.Root || (&Plan{Targets: o.Targets}).guest()
	p := &Plan{
		Schema: planSchema, Source: sources(rows), Targets: slices.Clone(o.Targets),
		Request: o.Request, Rows: rows, LabSystems: o.LabSystems, jobs: make(map[int]*profile.Job), tools: o.Tools,
	}
	if len(p.Targets) == 0 {
		p.Targets = []Target{{Label: noTarget, Free: -1, Total: -1}}
	}
	seen := make(map[string]int)
	for i := range rows {
		job, found, err := resolve(&rows[i], o)
		if err == nil {
			p.jobs[i] = job
		}
		for t := range p.Targets {
			p.Steps = append(p.Steps, p.step(i, &p.Targets[t], job, found, err, seen))
		}
	}
	p.levelRuns()
	p.Seed = p.ownSeed()
	if o.Seed != nil {
		p.Seed = *o.Seed
	}
	p.checkSpace()
	return p, nil
}

// levelRuns gives all steps of one run the repetitions of the one that needs
// most.
func (p *Plan) levelRuns() {
	most := make(map[string]int)
	for i := range p.Steps {
		most[p.Steps[i].RunID] = max(most[p.Steps[i].RunID], p.Steps[i].Runs)
	}
	for i := range p.Steps {
		if id := p.Steps[i].RunID; id != "" {
			p.Steps[i].Runs = most[id]
		}
	}
}

// runs returns how often a row is repeated; with a rule, at the least.
func (p *Plan) runs(row *Row) int {
	switch {
	case p.Request.Rule != "":
		return timesToRun
	case p.Request.Runs > 0:
		return p.Request.Runs
	case row.Samples > 0:
		return min(row.Samples, maxRuns)
	}
	return timesToRun
}

// spacePrefix begins the reason of a step that has no room.
const spacePrefix = "no space: "

// checkSpace marks steps that do not fit into the free space of their target.
func (p *Plan) checkSpace() {
	for i := range p.Steps {
		s := &p.Steps[i]
		t := p.target(s.Target)
		if s.Status != Ready || t == nil || t.Free < 0 || s.Bytes == nil {
			continue
		}
		if need := (target.Space{Total: t.Total}).Required(*s.Bytes); need > t.Free {
			s.Status = Unavailable
			s.Reason = fmt.Sprintf("%sneeds %s with reserve, %s free", spacePrefix, ByteText(need), ByteText(t.Free))
			s.Hint = "free space, or --quick or --scale"
		}
	}
}

// target returns the target of a label, nil if there is none.
func (p *Plan) target(label string) *Target {
	for i := range p.Targets {
		if p.Targets[i].Label == label {
			return &p.Targets[i]
		}
	}
	return nil
}

// HasTarget reports whether the plan is for a directory or a lab.
func (p *Plan) HasTarget() bool {
	return len(p.Targets) > 0 && (p.Targets[0].Dir != "" || p.Targets[0].Lab != nil)
}

// Ready returns how many steps can run.
func (p *Plan) Ready() int {
	n := 0
	for i := range p.Steps {
		if p.Steps[i].Status == Ready {
			n++
		}
	}
	return n
}

// lacking reports whether a step would run on its target if a tool, the space or
// the right were there. A lab that cannot be made has no step that would.
func (p *Plan) lacking(s *Step) bool {
	t := p.target(s.Target)
	return s.Status == Unavailable && t != nil && (t.Lab == nil || t.Lab.Lacks == "")
}

// Lacking returns how many steps lack a tool, the space or the right to run.
func (p *Plan) Lacking() int {
	n := 0
	for i := range p.Steps {
		if p.lacking(&p.Steps[i]) {
			n++
		}
	}
	return n
}

// ownSeed returns a seed that follows from the plan: the same plan is the same
// bytes.
func (p *Plan) ownSeed() uint64 {
	h := sha256.New()
	for i := range p.Steps {
		_, _ = io.WriteString(h, p.Steps[i].ID) // a hash's writes do not fail
	}
	return binary.BigEndian.Uint64(h.Sum(nil)) >> 11 // exact as a JSON number
}

// sources returns the names of the inputs of rows.
func sources(rows []Row) string {
	names := make(map[string]bool)
	for i := range rows {
		names[rows[i].Source] = true
	}
	return strings.Join(slices.Sorted(maps.Keys(names)), ", ")
}

// hash returns the beginning of the SHA-256 of parts with their lengths, so
// that no part can end where another would.
func hash(parts ...string) string {
	h := sha256.New()
	var size [8]byte
	for _, s := range parts {
		binary.BigEndian.PutUint64(size[:], uint64(len(s)))
		_, _ = h.Write(size[:]) // a hash's writes do not fail
		_, _ = io.WriteString(h, s)
	}
	return hex.EncodeToString(h.Sum(nil)[:10])
}

// ByteText returns a number of bytes for people: "1.5 GiB".
func ByteText(n int64) string {
	units := []string{"B", "KiB", "MiB", "GiB", "TiB", "PiB"}
	v, i := float64(n), 0
	for v >= 1024 && i < len(units)-1 {
		v, i = v/1024, i+1
	}
	if i == 0 || v >= 100 {
		return fmt.Sprintf("%.0f %s", v, units[i])
	}
	return fmt.Sprintf("%.1f %s", v, units[i])
}
