package profile

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/benchproof/benchproof/replay/native"
	"github.com/benchproof/benchproof/result"
)

// driverOption is the option of profiles whose tool nobody packages.
func driverOption(program string) OptionInfo {
	return OptionInfo{
		Values: []string{"own", "native"}, Meaning: "own: the " + program + " on PATH; native: a driver that is part of this program",
		Set: "driver", Default: "own where it is installed",
	}
}

// own finds the user's program of a tool that no distribution packages. All
// the programs must be there for it. --set NAME.driver chooses; that is no
// change of the run's options.
func (a *asked) own(programs ...string) ([]needed, bool) {
	choice, chosen := a.set("driver")
	switch {
	case chosen && choice == "native":
		return nil, false
	case chosen && choice != "own":
		a.refuse("", "--set %s.driver=%.80q: want own or native", a.name, choice)
		return nil, false
	}
	var tools []needed
	for _, p := range programs {
		var n needed
		ok := a.req.Tools != nil
		if ok {
			n.path, n.version, ok = a.req.Tools.Find(p)
		}
		if !ok {
			if chosen && a.refusal == nil {
				a.refusal = &Refusal{
					Unavailable: true, Reason: p + " is not installed",
					Hint: fmt.Sprintf("--set %s.driver=native", a.name),
				}
			}
			return nil, false
		}
		tools = append(tools, n)
	}
	return tools, true
}

// nativeStep is a driver of this program with its flags.
func nativeStep(driver string, flags ...string) Step {
	return Step{Name: driver, Argv: append([]string{"{self}", "native", driver}, flags...)}
}

// nativeReading reads what a driver of this program reported. publish gives
// the figure as the profile publishes it.
func nativeReading(o *Outputs, driver string, publish func(native.Sample) string) (*Reading, error) {
	out, ok := o.Step(driver)
	if !ok {
		return nil, errors.New(driver + " did not run")
	}
	if out.ExitCode != 0 {
		return nil, fmt.Errorf("%s ended with %d: %.200q", driver, out.ExitCode, strings.TrimSpace(string(out.Stderr)))
	}
	report, err := native.ParseReport(driver, out.Stdout)
	if err != nil {
		return nil, err
	}
	r := &Reading{Warnings: report.Warnings()}
	for _, s := range report.Samples {
		r.Samples = append(r.Samples, Sample{Metric: s.Metric, Value: s.Value, Unit: s.Unit, Detail: publish(s)})
	}
	for _, v := range report.Invariants {
		r.Invariants = append(r.Invariants, Invariant(v))
	}
	return r, nil
}

// mebibytes publishes a rate in MiB/s with two decimals.
func mebibytes(s native.Sample) string { return strconv.FormatFloat(s.Value/(1<<20), 'f', 2, 64) }

// ownOutput returns what a program of the user's printed, or why it counts for
// nothing: it did not run, it ended badly, or said one of the texts of failure,
// the most telling of which come first.
func ownOutput(o *Outputs, step string, failures ...string) (string, error) {
	out, ok := o.Step(step)
	if !ok {
		return "", errors.New(step + " did not run")
	}
	all := out.joined()
	lines := strings.Split(all, "\n")
	for _, f := range failures {
		for _, line := range lines {
			if strings.Contains(line, f) {
				return "", fmt.Errorf("%s: %.200q", step, strings.TrimSpace(line))
			}
		}
	}
	if out.ExitCode != 0 {
		return "", fmt.Errorf("%s ended with %d: %.200q", step, out.ExitCode, strings.TrimSpace(string(out.Stderr)))
	}
	return all, nil
}

// figure reads a printed figure that must be above 0.
func figure(tool, text string) (float64, error) {
	v, err := strconv.ParseFloat(text, 64)
	if err != nil || !(v > 0) {
		return 0, fmt.Errorf("%s printed %.40q for a figure", tool, text)
	}
	return v, nil
}

// fidelityOf is that of a program of the user's, and of a driver otherwise.
func fidelityOf(own bool) result.Fidelity {
	if own {
		return result.UserBinary
	}
	return result.Reimplementation
}
