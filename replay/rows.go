package replay

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/benchproof/benchproof/replay/internal/host"
	"github.com/benchproof/benchproof/replay/profile"
	"github.com/benchproof/benchproof/result"
)

// Row is one published row as a plan carries it: what its profile must know of
// the test and of the machine that ran it. A plan is made anew of its rows.
type Row struct {
	Source           string            `json:"source"`
	Title            string            `json:"title"`
	Version          string            `json:"version"`
	Arguments        string            `json:"arguments"`
	Scale            string            `json:"scale"`
	Proportion       result.Proportion `json:"proportion"`
	Profile          string            `json:"profile"` // as published, "" if it is not
	CommandArguments string            `json:"command_arguments"`
	DisplayFormat    string            `json:"display_format"`
	// Samples is the published N, the most frequent one where systems
	// differ and the least of those; 0 if unknown.
	Samples int     `json:"samples"`
	Machine Machine `json:"machine"`
	// Date is when the row was made ("2019-06-05"), the earliest of its
	// systems; "" if nothing tells.
	Date string `json:"date"`
	// Client is the version of the test suite that made it ("8.6.0"), ""
	// if unknown.
	Client string `json:"client"`
}

// Machine is profile.Machine as a plan writes it: what all systems of a row
// agree on, 0 where they do not or say nothing.
type Machine struct {
	Cores    int `json:"cores"`
	Threads  int `json:"threads"`
	MemoryMB int `json:"memory_mb"`
}

// Rows returns the rows of published files, in order.
func Rows(files []*result.File) []Row {
	var rows []Row
	for _, f := range files {
		for i := range f.Tests {
			rows = append(rows, newRow(f, &f.Tests[i]))
		}
	}
	return rows
}

func newRow(f *result.File, t *result.Test) Row {
	r := Row{
		Source: f.Source, Title: t.Title, Version: t.Version, Arguments: t.Arguments, Scale: t.Scale,
		Proportion: t.Proportion, Profile: t.Profile, CommandArguments: t.CommandArguments,
		DisplayFormat: t.DisplayFormat, Samples: publishedRuns(t),
	}
	systems := rowSystems(f, t)
	var dates []time.Time
	for _, s := range systems {
		if d, ok := systemDate(s); ok {
			dates = append(dates, d)
		}
	}
	if d, ok := fileDate(f); ok && len(dates) == 0 {
		dates = append(dates, d)
	}
	var made time.Time
	if len(dates) > 0 {
		made = slices.MinFunc(dates, time.Time.Compare)
		r.Date = made.Format(time.DateOnly)
	}
	for i, s := range systems {
		m := systemMachine(s, made)
		if i == 0 {
			r.Machine, r.Client = m, s.ClientVersion
			continue
		}
		r.Machine = r.Machine.common(m)
		if r.Client != s.ClientVersion {
			r.Client = ""
		}
	}
	return r
}

// rowSystems returns the systems that have a measurement of the test.
func rowSystems(f *result.File, t *result.Test) []*result.System {
	var list []*result.System
	seen := make(map[int]bool)
	for i := range t.Measurements {
		if n := t.Measurements[i].System; !seen[n] && n >= 0 && n < len(f.Systems) {
			seen[n] = true
			list = append(list, &f.Systems[n])
		}
	}
	return list
}

// publishedRuns returns the most frequent N of a test's measurements, the
// least of those that are equally frequent; 0 where none is known.
func publishedRuns(t *result.Test) int {
	count := make(map[int]int)
	for i := range t.Measurements {
		n := t.Measurements[i].Samples
		if n == 0 {
			n = len(t.Measurements[i].RawValues)
		}
		if n > 0 {
			count[n]++
		}
	}
	best := 0
	for n, c := range count {
		if best == 0 || c > count[best] || c == count[best] && n < best {
			best = n
		}
	}
	return best
}

// common returns what both machines agree on.
func (m Machine) common(o Machine) Machine {
	same := func(a, b int) int {
		if a == b {
			return a
		}
		return 0
	}
	return Machine{same(m.Cores, o.Cores), same(m.Threads, o.Threads), same(m.MemoryMB, o.MemoryMB)}
}

// processorCount matches the end of PTS's processor text: "(16 Cores / 32
// Threads)", "(4 Cores)".
var processorCount = regexp.MustCompile(`\((\d{1,5}) Cores?(?: / (\d{1,5}) Threads?)?\)`)

// countsCores is from when on clients print physical cores and threads apart.
// Before, the number that they call cores was that of logical CPUs.
var countsCores = time.Date(2018, time.June, 1, 0, 0, 0, 0, time.UTC)

// systemMachine reads the hardware of a published system.
func systemMachine(s *result.System, made time.Time) Machine {
	var m Machine
	for _, c := range s.Hardware {
		switch c.Key {
		case "Processor":
			found := processorCount.FindStringSubmatch(c.Value)
			if found == nil {
				continue
			}
			cores, _ := strconv.Atoi(found[1])
			m.Threads = cores
			if found[2] != "" {
				m.Cores = cores
				m.Threads, _ = strconv.Atoi(found[2])
			} else if !made.Before(countsCores) {
				m.Cores = cores
			}
		case "Memory":
			m.MemoryMB = memoryMB(c.Value)
		}
	}
	return m
}

// memoryPart matches one part of PTS's memory text: "4 x 8192 MB DDR4-…",
// "16384MB", "128GB".
var memoryPart = regexp.MustCompile(`^(?:(\d{1,3}) x )?(\d{1,7}) ?(MB|GB)\b`)

// memoryMB reads PTS's memory text ("4 x 8192 MB DDR4", "16384MB",
// "8GB + 16GB"), rounded up to a multiple of 1024; 0 where it cannot be read.
func memoryMB(text string) int {
	sum := 0
	for part := range strings.SplitSeq(text, " + ") {
		found := memoryPart.FindStringSubmatch(part)
		if found == nil {
			return 0
		}
		size, _ := strconv.Atoi(found[2])
		if found[3] == "GB" {
			size *= 1024
		}
		if found[1] != "" {
			n, _ := strconv.Atoi(found[1])
			size *= n
		}
		sum += size
	}
	return (sum + 1023) / 1024 * 1024
}

// kernelDate matches the day that a daily kernel build has in its name.
var kernelDate = regexp.MustCompile(`\b(20\d{6})\b`)

// systemDate returns when a system ran, by its time stamp or else by the day of
// its kernel's build.
func systemDate(s *result.System) (time.Time, bool) {
	if len(s.Timestamp) >= len(time.DateOnly) {
		if d, err := time.Parse(time.DateOnly, s.Timestamp[:len(time.DateOnly)]); err == nil {
			return d, true
		}
	}
	for _, c := range s.Software {
		if c.Key != "Kernel" {
			continue
		}
		if found := kernelDate.FindStringSubmatch(c.Value); found != nil {
			if d, err := time.Parse("20060102", found[1]); err == nil {
				return d, true
			}
		}
	}
	return time.Time{}, false
}

// fileDate returns when a file was made, by its published identifier
// ("1908289-HV-…" is of 2019-08-28) or else by its last change.
func fileDate(f *result.File) (time.Time, bool) {
	if len(f.Identifier) > 7 && f.Identifier[7] == '-' {
		if d, err := time.Parse("060102", f.Identifier[:6]); err == nil {
			return d, true
		}
	}
	if len(f.LastModified) >= len(time.DateOnly) {
		if d, err := time.Parse(time.DateOnly, f.LastModified[:len(time.DateOnly)]); err == nil {
			return d, true
		}
	}
	return time.Time{}, false
}

// test returns the row as a test without measurements.
func (r *Row) test() *result.Test {
	return &result.Test{
		Profile: r.Profile, Title: r.Title, Version: r.Version, Arguments: r.Arguments,
		Options: result.ParseOptions(r.Arguments), CommandArguments: r.CommandArguments,
		Scale: r.Scale, Proportion: r.Proportion, DisplayFormat: r.DisplayFormat,
	}
}

// profileRow returns the row as profiles see it.
func (r *Row) profileRow() profile.Row {
	made, _ := time.Parse(time.DateOnly, r.Date) // zero where it is unknown
	return profile.Row{
		Test:    r.test(),
		Machine: profile.Machine{Cores: r.Machine.Cores, Threads: r.Machine.Threads, MemoryMB: r.Machine.MemoryMB},
		Date:    made,
	}
}

// ThisMachine returns what of this machine some tests depend on, in the same
// way as of a published one.
func ThisMachine() Machine {
	s := host.This().System("", host.Place{})
	return systemMachine(&s, time.Now())
}

// Published returns the machine of the rows, as far as all agree on it, and the
// days of the first and the last; "" where none is known.
func (p *Plan) Published() (m Machine, first, last string) {
	for i := range p.Rows {
		r := &p.Rows[i]
		if i == 0 {
			m = r.Machine
		}
		m = m.common(r.Machine)
		if r.Date == "" {
			continue
		}
		if first == "" || r.Date < first {
			first = r.Date
		}
		last = max(last, r.Date)
	}
	return m, first, last
}
