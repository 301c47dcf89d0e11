package replay

import (
	"encoding/json"

	"github.com/benchproof/benchproof/replay/internal/host"
	"github.com/benchproof/benchproof/replay/internal/process"
	"github.com/benchproof/benchproof/result"
)

// facts are what a block says of this machine, in the words of published
// results.
type facts struct {
	Hardware []result.Component `json:"hardware"`
	Software []result.Component `json:"software"`
	Notes    []result.Component `json:"notes"`
}

// look returns the state of the machine and of a target.
func (r *runner) look(p *place) (*host.Snapshot, error) {
	at, err := host.Look(p.Target)
	if err != nil {
		return nil, err
	}
	return host.This().Snapshot(at)
}

// snapshot keeps the state of the machine in a file, and returns it.
func (r *runner) snapshot(p *place, name string) (*host.Snapshot, error) {
	s, err := r.look(p)
	if err != nil {
		return nil, failStep("%v", err)
	}
	return s, saveJSON(name, s)
}

// saveJSON writes a document for people and programs, onto the disk.
func saveJSON(name string, doc any) error {
	text, err := json.MarshalIndent(doc, "", " ")
	if err != nil {
		return err
	}
	return writeSynced(name, append(text, '\n'))
}

// foreign says what else used the disk between two snapshots, and keeps what is
// known of it in a file. Nobody but the replay uses the disks of a lab, whose
// levels write more than the tools do; who uses the disk below is not seen.
func foreign(before, after *host.Snapshot, own process.IO, inLab bool, name string) ([]string, error) {
	v := host.Compare(before, after, own)
	if inLab {
		v.Foreign, v.Reason = host.SeenUnknown, "what others did on the disk below a lab's images cannot be told apart"
	}
	if err := saveJSON(name, v); err != nil {
		return nil, err
	}
	switch v.Foreign {
	case host.SeenForeign:
		return []string{"others used the disk meanwhile"}, nil
	case host.SeenUnknown:
		return []string{trafficUnknown}, nil
	}
	return nil, nil
}

// trafficUnknown is said of repetitions of which it cannot be told whether they
// had the disk for themselves. It is no warning: of what goes through the page
// cache that is the rule.
const trafficUnknown = "whether others used the disk meanwhile cannot be told; traffic.json says why"

// beginBlock starts a block of the journal where there is none yet, or where
// the machine is not as it was when the last one began.
func (r *runner) beginBlock() error {
	now := make(map[string]*host.Snapshot)
	about := make(map[string]facts)
	reason := ""
	for _, t := range r.plan.standing() {
		s, err := r.look(r.places[t.Label])
		if err != nil {
			return err
		}
		now[t.Label] = s
		sys := host.This().System(t.Label, s.Place)
		about[t.Label] = facts{r.disk(t, s, sys.Hardware), sys.Software, append(sys.Notes, r.notes(t)...)}
		if was := r.state.environment[t.Label]; was != nil && reason == "" {
			if changes := host.Changes(was, s); len(changes) > 0 {
				reason = "on " + t.Label + ": " + changes[0].String()
			}
		}
	}
	if r.state.block > 0 && reason == "" {
		return nil
	}
	if r.state.block > 0 {
		r.tell(Progress{Kind: Noted, Reason: "a new block begins, " + reason})
	}
	return r.note(event{Event: evBlock, Block: r.state.block + 1, Reason: reason, Environment: now, Facts: about})
}
