package xml

import (
	"github.com/benchproof/benchproof/result"
)

// systemState is the System element that is being read.
type systemState struct {
	result.System
	open       bool
	named      bool   // it has said its identifier
	associated string // AssociatedIdentifiers of PTS 0.1 to 2.6
	hardware   string
	software   string
}

// system reads a System element.
func (r *reader) system() error {
	r.sys = systemState{open: true, System: result.System{Origin: r.s.Origin("xml/system")}}
	s := &r.sys
	err := r.children(r.s.Depth(), func(name []byte) error {
		switch string(name) {
		case "Identifier":
			s.named = true
			return r.set(&s.Identifier)
		case "AssociatedIdentifiers":
			s.named = true
			return r.set(&s.associated)
		case "Hardware":
			return r.set(&s.hardware)
		case "Software":
			return r.set(&s.software)
		case "User", "Author":
			return r.set(&s.User)
		case "TimeStamp", "TestDate":
			return r.set(&s.Timestamp)
		case "TestClientVersion", "Version":
			return r.set(&s.ClientVersion)
		case "Notes", "TestNotes":
			return r.set(&s.NotesText)
		case "JSON":
			return r.systemDetails()
		case "CostValueForComparison":
			text, err := r.leaf()
			if err == nil && len(text) > 0 {
				s.Notes = append(s.Notes, result.Component{Key: "CostValueForComparison", Value: string(text)})
			}
			return err
		}
		return r.unkept("System")
	})
	if err != nil {
		return err
	}
	return r.finishSystem()
}

// finishSystem files the system that was read, once for each identifier that
// it describes.
func (r *reader) finishSystem() error {
	s := &r.sys
	s.open = false
	s.Hardware = r.components(s.hardware, s.Origin)
	s.Software = r.components(s.software, s.Origin)
	if s.associated != "" && s.Identifier == "" {
		return r.file.systems.splitIdentifiers(s.associated, func(id string) error {
			s.Identifier = id
			return r.describe(s.System)
		})
	}
	if s.Identifier == "" {
		r.file.diags.add(result.SeverityWarning, s.Origin, "empty-identifier", "a system without an identifier")
	}
	return r.describe(s.System)
}
