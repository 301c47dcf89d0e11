package profile

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/benchproof/benchproof/result"
)

// Profile is one test profile: which published rows are of it, and what they
// ran. Each is one file of this package, which registers it.
type Profile interface {
	// Info says what the profile is, for people.
	Info() Info
	// Match reports whether the row is of this profile: by its title and
	// version. What its options mean is Resolve's to say.
	Match(row Row) bool
	// Resolve says what replaying the row takes. Its error is a *Refusal
	// where the row cannot be replayed, with the reason.
	Resolve(req Request) (*Job, error)
}

// Info is what a profile says of itself.
type Info struct {
	Name     string   // "fio"
	Title    string   // as published: "Flexible IO Tester"
	Versions []string // published application versions: "2.1.11", "3.1"
	Profiles []string // versions of the test profile: "pts/fio-1.11.5"
	Summary  string   // one line
	Options  []OptionInfo
	Metrics  []MetricInfo
	Tools    []ToolInfo
	// Space and Time say in words what one run needs.
	Space, Time string
	Root        string // what needs root, "" if nothing does
	// Notes are what a reader of a number of this test must know: its true
	// unit, what it really measures, faults of versions.
	Notes []string
}

// OptionInfo is one published option and the values that are known.
type OptionInfo struct {
	Key     string   // "Block Size", "" for a bare one
	Values  []string // "4KB", …; "n" for a number
	Meaning string   // what it becomes: "bs="
	Set     string   // key of --set, "" if it is always published
	Default string   // documented default of the profile, "" if none
}

// MetricInfo is one value that a run gives.
type MetricInfo struct {
	Name       string // "bandwidth"
	Scale      string // as published: "MB/s"
	Proportion result.Proportion
	Meaning    string // "MiB/s, whatever the label says"
}

// ToolInfo is one program that a profile runs.
type ToolInfo struct {
	Program  string // "fio"; "" for a native driver
	Package  string // Debian package, "" if none has it
	Fidelity result.Fidelity
}

// Row is one published row as a profile sees it.
type Row struct {
	Test *result.Test
	// Machine is the published machine, as far as all systems of the row
	// agree on it.
	Machine Machine
	// Date is when the result was made, as well as the file tells; zero if
	// it does not.
	Date time.Time
}

// Machine is what a published system says of the hardware that some tests
// depend on. A zero field is unknown.
type Machine struct {
	Cores    int // physical cores
	Threads  int // logical CPUs
	MemoryMB int // as PTS counts it: rounded up to a multiple of 1024
}

// Request is a row and how it is to be replayed.
type Request struct {
	Row Row
	// Set holds --set: the option's key, with or without the profile's name
	// and a dot before it.
	Set map[string]string
	// Scale multiplies working sets and times: 1 as published. It is above
	// 0 and not above 1.
	Scale float64
	// Tools finds programs on this machine.
	Tools Tools
	// Root reports whether the replay may do what only root may.
	Root bool
}

// Tools finds programs.
type Tools interface {
	// Find returns the path and the version of a program, and false where
	// there is none. The version is "" where it cannot be told.
	Find(program string) (path, version string, ok bool)
}

// Refusal is why a row is not replayed.
type Refusal struct {
	// Unavailable says that it could be where the tool is installed;
	// otherwise it is refused as it stands.
	Unavailable bool
	Reason      string
	// Hint is what would help: "apt-get install fio", "--set fio.size=1g".
	Hint string
}

// Error returns the reason.
func (r *Refusal) Error() string { return r.Reason }

// From says where the value of an option came from.
type From string

// Where options come from.
const (
	Published From = "published" // the row says it
	Default   From = "default"   // the profile version's documented default
	System    From = "system"    // from the published system's hardware
	Set       From = "set"       // --set
	Unknown   From = "unknown"   // nobody can know; refuses the step
)

// Option is one option of the run with where its value came from.
type Option struct {
	Name  string `json:"name"`
	Value string `json:"value"`
	From  From   `json:"from"`
}

// Job is what replaying one row takes. Rows whose jobs have equal run keys
// come from one run of the tool.
type Job struct {
	Profile string // the likely version: "pts/fio-1.11.5"
	Driver  string // "fio 3.33", "native iozone"
	RunKey  string // everything that makes the run, in one line
	Metric  string // the sample of the run that is this row's value
	Options []Option
	Steps   []Step
	// Parse reads the samples of one repetition of the steps.
	Parse func(*Outputs) (*Reading, error)
	// Publish gives a sample as the profile version publishes it, in the
	// row's scale; "" with the reason where it publishes none (censored).
	Publish func(Sample) (text, reason string)

	Need     Need
	Fidelity result.Fidelity
	// NotComparable is why values of this replay say nothing of the
	// published ones even on the same machine; "" if they do.
	NotComparable string
	Scaled        string // what was shrunk: "size 1g -> 64m"; "" if nothing
	Warnings      []string
}

// Need is what one repetition of a job takes from the target.
type Need struct {
	Bytes   int64   // free space at the peak
	Seconds float64 // usual time
	Root    bool
}

// When says at which repetitions of a job on a target a step runs.
type When uint8

// The times of a step.
const (
	Every When = iota // each repetition
	First             // before the first repetition only
	Last              // after the last repetition only
)

// Step is one program run by argument list. Its working directory is the
// job's own scratch directory, or one below it; it stays the same for all
// repetitions on one target, so that what First made is there for the others.
//
// Before it runs, what it Removes goes, then Mkdirs and Files are made. What
// copies print may stand in any order of lines.
//
// Argv, Env and the texts of Files may hold the marks {scratch} (absolute path of the job's
// directory), {self} (this program) and {tool:NAME} (path of a program).
// Nothing published is ever put into them that was not matched against known
// values or parsed as a number.
type Step struct {
	Name string // of this step in its job: "fio", "initdb"
	When When
	Argv []string
	Dir  string   // below {scratch}, "" for it
	Env  []string // beside a small fixed environment
	// Files are written before the step, with names below {scratch}.
	Files []File
	// Mkdirs are made before the step, below {scratch}.
	Mkdirs []string
	// Remove are files and trees below {scratch} removed before the step.
	Remove []string
	// Stdin is a file below {scratch} to read from; "" for none.
	Stdin string
	// Copies runs so many at once, 0 and 1 for one; {copy} in Argv and
	// Stdin is then the number of the copy, from 0.
	Copies int
	// Server stays up while the steps behind it run, and is stopped at the
	// end of the repetition by Stop. The next step starts once Ready, run
	// again and again, ends with 0.
	Server bool
	Ready  []string
	Stop   string // "INT", "TERM"
	// Background is like Server, but is a load that may end when it likes
	// and is ready at once.
	Background bool
	// User: the program refuses to run as root, so root runs it as an
	// unprivileged account that owns the scratch directory.
	User bool
	// Sync and DropCaches are done before the step where the profile does;
	// dropping needs root, without it the reading gets a warning.
	Sync, DropCaches bool
	// Sleep is a pause before the step.
	Sleep time.Duration
	// Timeout is the longest it may take; 0 for what the runner allows.
	Timeout time.Duration
	// ExitCodes are those that count as success; nil for 0 alone.
	ExitCodes []int
	// Collect are files below {scratch} that are kept with the output.
	Collect []string
}

// File is a small file that a step needs.
type File struct {
	Name string // below {scratch}
	Text string
}

// Outputs are what the steps of one repetition gave.
type Outputs struct {
	Steps []Output
}

// Step returns the output of the named step, and false where it did not run.
func (o *Outputs) Step(name string) (*Output, bool) {
	for i := range o.Steps {
		if o.Steps[i].Name == name {
			return &o.Steps[i], true
		}
	}
	return nil, false
}

// Output is what one step gave.
type Output struct {
	Name           string
	Stdout, Stderr []byte
	Files          map[string][]byte // those of Collect
	Elapsed        time.Duration     // wall time from start to the last copy's end
	ExitCode       int
}

// Reading is what one repetition measured.
type Reading struct {
	Samples    []Sample
	Invariants []Invariant
	Warnings   []string
}

// Sample returns the sample of the metric, and false where there is none.
func (r *Reading) Sample(metric string) (Sample, bool) {
	i := slices.IndexFunc(r.Samples, func(s Sample) bool { return s.Metric == metric })
	if i < 0 {
		return Sample{}, false
	}
	return r.Samples[i], true
}

// Broken returns the first invariant that does not hold, as text; "" where all
// do. A reading with a broken invariant gives no sample.
func (r *Reading) Broken() string {
	for _, v := range r.Invariants {
		if !v.OK {
			return fmt.Sprintf("%s: got %s, want %s", v.Name, v.Got, v.Want)
		}
	}
	return ""
}

// Sample is one measured value in SI units.
type Sample struct {
	Metric string  `json:"metric"`
	Value  float64 `json:"value"`
	Unit   string  `json:"unit"` // "B/s", "1/s", "s", "" for a score
	// Detail is what Publish needs to know of the tool's own text beside
	// the value, "" if nothing.
	Detail string `json:"detail,omitempty"`
}

// Invariant is what must hold of an output for its samples to count.
type Invariant struct {
	Name string `json:"name"` // "files created"
	OK   bool   `json:"ok"`
	Got  string `json:"got"`
	Want string `json:"want"`
}

var registered []Profile

// register adds a profile; each file of a profile calls it once.
func register(p Profile) { registered = append(registered, p) }

// All returns the profiles, by name.
func All() []Profile {
	all := slices.Clone(registered)
	slices.SortFunc(all, func(a, b Profile) int { return strings.Compare(a.Info().Name, b.Info().Name) })
	return all
}

// Find returns the profile that the row is of, or nil where none is known.
func Find(row Row) Profile {
	for _, p := range All() {
		if p.Match(row) {
			return p
		}
	}
	return nil
}
