package replay

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/benchproof/benchproof/internal/phrase"
	"github.com/benchproof/benchproof/replay/profile"
)

// resolve returns the job of a row, and the profile that it is of.
func resolve(row *Row, o PlanOptions) (*profile.Job, profile.Profile, error) {
	r := row.profileRow()
	i := slices.IndexFunc(o.Profiles, func(p profile.Profile) bool { return p.Match(r) })
	if i < 0 {
		return nil, nil, &profile.Refusal{Reason: "no profile for " + nameOf(row)}
	}
	found := o.Profiles[i]
	job, err := found.Resolve(profile.Request{
		Row: r, Set: setFor(found, o.Request.Set), Scale: o.Request.Scale, Tools: o.Tools, Root: o.Root,
	})
	if err == nil {
		err = soundJob(job)
	}
	if err == nil && job.Need.Root && !o.Root {
		err = &profile.Refusal{Unavailable: true, Reason: "needs root", Hint: "run it as root"}
	}
	return job, found, err
}

// nameOf returns title and version of a row, for a reason.
func nameOf(row *Row) string {
	if row.Version == "" {
		return fmt.Sprintf("%q", row.Title)
	}
	return fmt.Sprintf("%q %s", row.Title, row.Version)
}

// step makes the step of row i on a target.
func (p *Plan) step(i int, at *Target, job *profile.Job, found profile.Profile, err error, seen map[string]int) Step {
	row := &p.Rows[i]
	s := Step{
		Row: i, Test: row.Title, Version: row.Version, Arguments: row.Arguments, Scale: row.Scale,
		Target: at.Label, Status: Ready, Argv: []string{}, Commands: []Command{},
		Options: []profile.Option{}, Warnings: []string{}, Runs: p.runs(row),
	}
	if found != nil {
		s.Profile = found.Info().Name
	}
	if s.Runs < row.Samples && p.Request.Rule == "" && p.Request.Runs == 0 {
		s.Warnings = append(s.Warnings, fmt.Sprintf("published: %s, done: %d; no test has more", phrase.Count(row.Samples, "repetition"), s.Runs))
	}
	key := []string{"row", row.Title, row.Version, row.Arguments, row.Scale, at.Label, at.where()}
	if err != nil {
		s.Status, s.Reason = Refused, err.Error()
		var refusal *profile.Refusal
		if errors.As(err, &refusal) {
			s.Hint = refusal.Hint
			if refusal.Unavailable {
				s.Status = Unavailable
			}
		}
	}
	if job != nil {
		if job.Profile != "" {
			s.Profile = job.Profile
		}
		s.job(job, p.tools)
		s.inLab(at.Lab)
		if s.Status == Ready {
			s.RunID = hash("run", s.Profile, job.RunKey, at.Label, at.where())
		}
		key = append(key, s.Profile, job.RunKey, job.Metric)
	}
	s.ID = hash(key...)
	// A dump may hold a row twice.
	if seen[s.ID]++; seen[s.ID] > 1 {
		s.ID = hash(append(key, fmt.Sprint(seen[s.ID]))...)
	}
	return s
}

// job puts what a job says into the step.
func (s *Step) job(job *profile.Job, tools profile.Tools) {
	s.Driver, s.Metric, s.Fidelity, s.Scaled = job.Driver, job.Metric, job.Fidelity, job.Scaled
	s.Options = append(s.Options, job.Options...)
	s.Warnings = append(s.Warnings, job.Warnings...)
	s.Root = job.Need.Root
	bytes, seconds := job.Need.Bytes, job.Need.Seconds
	if len(job.Steps) > 0 || bytes > 0 {
		s.Bytes = &bytes
	}
	if len(job.Steps) > 0 || seconds > 0 {
		s.Seconds = &seconds
	}
	var why []string
	s.Changed = job.NotComparable
	if job.NotComparable != "" {
		why = append(why, job.NotComparable)
	}
	if job.Scaled != "" && !strings.Contains(job.NotComparable, job.Scaled) {
		why = append(why, "scaled: "+job.Scaled)
	}
	if job.Fidelity != "" && !job.Fidelity.Values() {
		why = append(why, string(job.Fidelity)+": ratios and direction alone")
	}
	s.NotComparable = strings.Join(why, "; ")
	s.Comparable = len(why) == 0
	for i := range job.Steps {
		st := &job.Steps[i]
		c := Command{
			Name: st.Name, When: whenNames[st.When], Argv: shownArgv(st.Argv, tools), User: st.User, Copies: st.Copies,
		}
		for _, f := range st.Files {
			file := CommandFile{Name: f.Name, Bytes: len(f.Text)}
			if len(f.Text) <= maxShownFile {
				file.Text = f.Text
			}
			c.Files = append(c.Files, file)
		}
		s.Commands = append(s.Commands, c)
	}
	if i := measured(job); i >= 0 {
		s.Argv = shownArgv(job.Steps[i].Argv, tools)
	}
}

// maxShownFile is the longest file whose text a plan holds.
const maxShownFile = 4 << 10

// shownArgv returns a command as a plan shows it: with the paths of tools. Only
// the run knows the scratch directory, whose mark stays.
func shownArgv(argv []string, tools profile.Tools) []string {
	list := make([]string, len(argv))
	for i, a := range argv {
		list[i] = mark.ReplaceAllStringFunc(a, func(m string) string {
			if m == "{self}" {
				return "benchproof"
			}
			name, isTool := strings.CutPrefix(strings.Trim(m, "{}"), "tool:")
			if path, _, ok := tools.Find(name); ok && isTool {
				return path
			}
			return m
		})
	}
	return list
}

var whenNames = map[profile.When]string{profile.Every: "every", profile.First: "first", profile.Last: "last"}

// measured returns the index of the step whose output is the value: the one
// that is named as the profile's tool is, else the last that runs to its end in
// every repetition; -1 if there is none.
func measured(job *profile.Job) int {
	last := -1
	for i := range job.Steps {
		s := &job.Steps[i]
		if s.When != profile.Every || s.Server || s.Background || len(s.Argv) == 0 {
			continue
		}
		last = i
		if tool, _, _ := strings.Cut(strings.TrimPrefix(job.Driver, "native "), " "); s.Name == tool {
			return i
		}
	}
	return last
}

// soundJob makes sure of what the runner relies on.
func soundJob(job *profile.Job) error {
	switch {
	case job.RunKey == "" || job.Metric == "" || len(job.Steps) == 0:
		return errors.New("the profile gives no complete job")
	case job.Parse == nil || job.Publish == nil:
		return errors.New("the profile cannot read the tool's output")
	case job.Need.Bytes < 0 || job.Need.Seconds < 0:
		return errors.New("the profile says a need below zero")
	}
	return nil
}
