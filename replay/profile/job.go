package profile

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/benchproof/benchproof/result"
)

// needed is a program of a profile as this machine has it.
type needed struct{ path, version string }

// need finds a program, or refuses with the Debian package that has it. It is
// called behind the options, whose reasons go first: installing a tool does
// not help a row that nobody can replay.
func (a *asked) need(program, pkg string) needed {
	if a.req.Tools != nil {
		if path, version, ok := a.req.Tools.Find(program); ok {
			return needed{path, version}
		}
	}
	if a.refusal == nil {
		a.refusal = &Refusal{
			Unavailable: true,
			Reason:      fmt.Sprintf("%s is not installed", program),
			Hint:        "apt-get install " + pkg,
		}
	}
	return needed{}
}

// fidelity says how near a found program is to the published one: packaged
// ones by their version, all others are builds of the user's. Of one that was
// not found it says nothing.
func (n needed) fidelity(published string) result.Fidelity {
	if n.path == "" {
		return ""
	}
	packaged, path := false, n.real()
	for _, dir := range [...]string{"/usr/bin/", "/usr/sbin/", "/usr/lib/", "/usr/libexec/", "/usr/share/", "/bin/", "/sbin/"} {
		packaged = packaged || strings.HasPrefix(path, dir)
	}
	switch {
	case !packaged:
		return result.UserBinary
	case sameVersion(n.version, published):
		return result.NativeSameVersion
	}
	return result.NativeOtherVersion
}

// real is the path with no symbolic link in it: people link packaged programs
// to where their PATH finds them.
func (n needed) real() string {
	if path, err := filepath.EvalSymlinks(n.path); err == nil {
		return path
	}
	return n.path
}

// sameVersion compares versions by their numbers: 4.0 is 4.00.
func sameVersion(a, b string) bool {
	normal := func(s string) string {
		parts := strings.Split(s, ".")
		for i := range parts {
			if parts[i] = strings.TrimLeft(parts[i], "0"); parts[i] == "" {
				parts[i] = "0"
			}
		}
		return strings.Join(parts, ".")
	}
	return a != "" && normal(a) == normal(b)
}

// driver names a program and its version.
func (n needed) driver(program string) string {
	return strings.TrimSpace(program + " " + n.version)
}

// finish completes a job by what was asked: options, what was changed and
// shrunk, and the run's key. Where there is a reason not to run it, it returns
// that beside the job, which then holds what is known of it.
func (a *asked) finish(job *Job) (*Job, error) {
	job.Options = a.options
	job.Warnings = append(a.warnings, job.Warnings...)
	job.Scaled = strings.Join(a.scaled, ", ")
	var why []string
	if job.NotComparable != "" {
		why = append(why, job.NotComparable)
	}
	if len(a.changed) > 0 {
		why = append(why, "changed by --set: "+strings.Join(a.changed, ", "))
	}
	if job.Scaled != "" {
		why = append(why, "scaled: "+job.Scaled)
	}
	job.NotComparable = strings.Join(why, "; ")
	if a.refusal != nil {
		job.Steps, job.Parse, job.Publish = nil, nil, nil
		return job, a.refusal
	}
	job.RunKey = runKey(job)
	return job, nil
}

// runKey tells runs apart: profile, driver, and all of each step that decides
// what it does.
func runKey(job *Job) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s", job.Profile, job.Driver)
	for i := range job.Steps {
		s := &job.Steps[i]
		fmt.Fprintf(&b, "; %s: %q", s.Name, s.Argv)
		if s.Copies > 1 {
			fmt.Fprintf(&b, " x%d", s.Copies)
		}
		for _, e := range s.Env {
			fmt.Fprintf(&b, " %q", e)
		}
		for _, f := range s.Files {
			sum := sha256.Sum256([]byte(f.Text))
			fmt.Fprintf(&b, " %s=%s", f.Name, hex.EncodeToString(sum[:6]))
		}
		if s.Sleep > 0 {
			fmt.Fprintf(&b, " after %v", s.Sleep)
		}
	}
	return b.String()
}

// check makes an invariant of what an output says and what it must.
func check[T comparable](name string, got, want T) Invariant {
	return Invariant{Name: name, OK: got == want, Got: fmt.Sprint(got), Want: fmt.Sprint(want)}
}

// checkRange makes an invariant of a number and the range it must be in.
func checkRange(name string, got, low, high float64) Invariant {
	return Invariant{
		Name: name, OK: got >= low && got <= high,
		Got: fmt.Sprintf("%g", got), Want: fmt.Sprintf("%g to %g", low, high),
	}
}

// joined returns all that a step printed.
func (o *Output) joined() string { return string(o.Stdout) + "\n" + string(o.Stderr) }

// publishText publishes the figure as the tool printed it, which Parse put
// into the sample's detail.
func publishText(s Sample) (text, reason string) {
	if s.Detail == "" {
		return "", "the tool printed no figure"
	}
	return s.Detail, ""
}
