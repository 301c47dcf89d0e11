package replay

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/benchproof/benchproof/internal/phrase"
)

// maxPlan is the longest plan that ReadPlan reads, in bytes.
const maxPlan = 256 << 20

// ErrNoPlan is returned for a document that is not a plan.
var ErrNoPlan = errors.New("not a plan")

// WriteJSON writes the plan as an indented JSON document.
func (p *Plan) WriteJSON(w io.Writer) error {
	text, err := json.MarshalIndent(p, "", " ")
	if err != nil {
		return err
	}
	_, err = w.Write(append(text, '\n'))
	return err
}

// ReadPlan reads a plan as WriteJSON writes it. What it says is not believed:
// [Plan.Again] makes its steps anew. The error is ErrNoPlan where the document
// is of another kind.
func ReadPlan(r io.Reader) (*Plan, error) {
	text, err := planBytes(r)
	if err != nil {
		return nil, err
	}
	return readPlanText(text)
}

// planBytes reads what may be a plan.
func planBytes(r io.Reader) ([]byte, error) {
	text, err := io.ReadAll(io.LimitReader(r, maxPlan+1))
	switch {
	case err != nil:
		return nil, fmt.Errorf("read plan: %w", err)
	case len(text) > maxPlan:
		return nil, fmt.Errorf("read plan: it is over the limit of %s", ByteText(maxPlan))
	}
	return text, nil
}

// readPlanFile reads the file of a plan beside a journal.
func readPlanFile(name string) ([]byte, error) {
	file, err := openRegular(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return planBytes(file)
}

func readPlanText(text []byte) (*Plan, error) {
	var head struct {
		Schema string `json:"schema"`
	}
	if err := json.Unmarshal(text, &head); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrNoPlan, err)
	}
	if head.Schema != planSchema {
		return nil, fmt.Errorf("%w: found the schema %.80q, expected %q", ErrNoPlan, head.Schema, planSchema)
	}
	var p Plan
	if err := json.Unmarshal(text, &p); err != nil {
		return nil, fmt.Errorf("read plan: %w", err)
	}
	if err := p.check(); err != nil {
		return nil, fmt.Errorf("read plan: %w", err)
	}
	return &p, nil
}

// ChangedError says that a plan's step would not be the same now: it was made
// by another version, for other tools, or edited.
type ChangedError struct {
	Step         Step // as planned
	Field        string
	Planned, Now string
}

// Error returns what differs, of which step.
func (e *ChangedError) Error() string {
	name := strings.TrimSpace(e.Step.Test + " " + e.Step.Version + " " + e.Step.Arguments)
	return fmt.Sprintf("the plan no longer holds: %s of step %s (%s) is now %s, planned %s", e.Field, e.Step.ID, name, e.Now, e.Planned)
}

// Again makes the plan anew from its rows and its request, with the given
// tools, targets and profiles, and returns it. The error is a [*ChangedError]
// where a step differs from the planned one in anything but free space.
func (p *Plan) Again(o PlanOptions) (*Plan, error) {
	o.Request, o.Seed, o.LabSystems = p.Request, &p.Seed, p.LabSystems
	if p.HasTarget() && len(o.Targets) != len(p.Targets) {
		return nil, fmt.Errorf("the plan is for %s, not %d", phrase.Count(len(p.Targets), "target"), len(o.Targets))
	}
	if p.HasTarget() {
		for i := range p.Targets {
			if err := p.Targets[i].same(&o.Targets[i]); err != nil {
				return nil, err
			}
		}
	}
	now, err := NewPlan(p.Rows, o)
	if err != nil {
		return nil, err
	}
	if !p.HasTarget() {
		// Made for no target: what it runs must be the same for the first.
		return now, p.equal(now, len(now.Targets), true)
	}
	return now, p.equal(now, 1, false)
}

// equal compares the planned steps with every so manieth of now.
func (p *Plan) equal(now *Plan, stride int, anyTarget bool) error {
	for i := range p.Steps {
		old, again := p.Steps[i], now.Steps[i*stride]
		for _, s := range []*Step{&old, &again} {
			if strings.HasPrefix(s.Reason, spacePrefix) {
				s.Status, s.Reason, s.Hint = Ready, "", ""
			}
			if anyTarget {
				s.ID, s.RunID, s.Target = "", "", ""
			}
		}
		if field, was, is := firstDifference(old, again); field != "" {
			return &ChangedError{p.Steps[i], field, was, is}
		}
	}
	return nil
}

// stepFields are the keys of a step, the more telling first.
var stepFields = []string{
	"status", "reason", "profile", "driver", "options", "argv", "commands", "scaled", "runs", "metric",
}

// firstDifference names the first field in which two steps differ, "" for none.
func firstDifference(a, b Step) (field, was, is string) {
	x, errX := fieldsOf(a)
	y, errY := fieldsOf(b)
	if errX != nil || errY != nil {
		return "step", "unreadable", "unreadable"
	}
	for _, f := range stepFields {
		if !bytes.Equal(x[f], y[f]) {
			return f, brief(x[f]), brief(y[f])
		}
	}
	for f := range x {
		if !bytes.Equal(x[f], y[f]) {
			return f, brief(x[f]), brief(y[f])
		}
	}
	return "", "", ""
}

func fieldsOf(s Step) (map[string]json.RawMessage, error) {
	text, err := json.Marshal(s)
	if err != nil {
		return nil, err
	}
	var fields map[string]json.RawMessage
	return fields, json.Unmarshal(text, &fields)
}

// brief cuts a JSON value for a message.
func brief(text []byte) string {
	const most = 120
	if len(text) > most {
		return strings.ToValidUTF8(string(text[:most]), "") + "…"
	}
	return string(text)
}
