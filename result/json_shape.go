package result

import "fmt"

// The shapes are the JSON form of the record, field by field: what Encoder
// writes, what the JSON Schema describes and what Decoder reads back. Fields
// that are derived from others (numbers, half-units, a measurement's system
// name) are written for the reader's comfort and ignored when read.
//
// Lists are never null. Keys that most files have no use for are left out
// where empty; all others are always there.

// headShape is a file without its systems, tests and diagnostics, which the
// encoder writes one by one.
type headShape struct {
	Title            string `json:"title"`
	Description      string `json:"description"`
	TitleDescription string `json:"title_description,omitempty"`
	TitleSplit       Decode `json:"title_split"`
	Source           string `json:"source"`
	URL              string `json:"url"`
	Identifier       string `json:"published_identifier"`
	Generator        string `json:"generator"`
	Format           Format `json:"format"`
	LastModified     string `json:"last_modified,omitempty"`
	Notes            string `json:"notes,omitempty"`
	InternalTags     string `json:"internal_tags,omitempty"`
	ReferenceID      string `json:"reference_id,omitempty"`
	Environment      string `json:"environment,omitempty"`
}

func shapeHead(f *File) headShape {
	return headShape{
		Title: f.Title, Description: f.Description,
		TitleDescription: f.TitleDescription, TitleSplit: f.TitleSplit,
		Source: f.Source, URL: f.URL, Identifier: f.Identifier,
		Generator: f.Generator, Format: f.Format,
		LastModified: f.LastModified, Notes: f.Notes,
		InternalTags: f.InternalTags, ReferenceID: f.ReferenceID,
		Environment: f.Environment,
	}
}

type systemShape struct {
	Identifier    string      `json:"identifier"`
	GroupPath     []string    `json:"group_path"`
	Decode        Decode      `json:"decode"`
	Hardware      []Component `json:"hardware"`
	Software      []Component `json:"software"`
	Notes         []Component `json:"notes"`
	InheritedKeys []string    `json:"inherited_keys"`
	User          string      `json:"user,omitempty"`
	Timestamp     string      `json:"timestamp,omitempty"`
	ClientVersion string      `json:"client_version,omitempty"`
	NotesText     string      `json:"notes_text,omitempty"`
	Details       string      `json:"details,omitempty"`
	Origin        Origin      `json:"origin"`
}

func shapeSystem(s *System) systemShape {
	return systemShape{
		Identifier: s.Identifier, GroupPath: list(s.GroupPath), Decode: s.Decode,
		Hardware: list(s.Hardware), Software: list(s.Software),
		Notes: list(s.Notes), InheritedKeys: list(s.InheritedKeys),
		User: s.User, Timestamp: s.Timestamp, ClientVersion: s.ClientVersion,
		NotesText: s.NotesText, Details: string(s.Details), Origin: s.Origin,
	}
}

type testShape struct {
	Profile          string             `json:"profile"`
	Title            string             `json:"title"`
	Version          string             `json:"version"`
	HeadDecode       Decode             `json:"head_decode"`
	Arguments        string             `json:"arguments"`
	Options          []Option           `json:"options"`
	CommandArguments string             `json:"command_arguments,omitempty"`
	Scale            string             `json:"scale"`
	Proportion       Proportion         `json:"proportion"`
	DisplayFormat    string             `json:"display_format"`
	Footnotes        []string           `json:"footnotes"`
	Parent           string             `json:"parent,omitempty"`
	Annotation       string             `json:"annotation,omitempty"`
	Measurements     []measurementShape `json:"measurements"`
	Unassigned       []Unassigned       `json:"unassigned"`
	Origin           Origin             `json:"origin"`
}

// shapeTest returns the shape of t, whose measurements name systems of names.
func shapeTest(t *Test, names []string) (testShape, error) {
	shape := testShape{
		Profile: t.Profile, Title: t.Title, Version: t.Version,
		HeadDecode: t.HeadDecode, Arguments: t.Arguments,
		Options: list(t.Options), CommandArguments: t.CommandArguments,
		Scale: t.Scale, Proportion: t.Proportion,
		DisplayFormat: t.DisplayFormat, Footnotes: list(t.Footnotes),
		Parent: t.Parent, Annotation: t.Annotation,
		Measurements: make([]measurementShape, len(t.Measurements)),
		Unassigned:   make([]Unassigned, len(t.Unassigned)),
		Origin:       t.Origin,
	}
	for i := range t.Measurements {
		m := &t.Measurements[i]
		if m.System < 0 || m.System >= len(names) {
			return shape, fmt.Errorf("measurement %d of test %q: no system %d", i, t.Name(), m.System)
		}
		shape.Measurements[i] = shapeMeasurement(m, names[m.System])
	}
	for i, u := range t.Unassigned {
		for _, s := range u.Systems {
			if s < 0 || s >= len(names) {
				return shape, fmt.Errorf("unassigned figure %d of test %q: no system %d", i, t.Name(), s)
			}
		}
		u.Systems = list(u.Systems)
		shape.Unassigned[i] = u
	}
	return shape, nil
}

type measurementShape struct {
	System           string   `json:"system"`
	SystemIndex      int      `json:"system_index"`
	Value            string   `json:"value"`
	Number           *float64 `json:"number"`
	HalfUnit         *float64 `json:"half_unit"`
	StdError         string   `json:"std_error"`
	StdErrorNumber   *float64 `json:"std_error_number"`
	StdErrorHalfUnit *float64 `json:"std_error_half_unit"`
	StdErrorDerived  bool     `json:"std_error_derived"`
	Samples          *int     `json:"samples"`
	RawValues        []string `json:"raw_values"`
	Min              string   `json:"min,omitempty"`
	Max              string   `json:"max,omitempty"`
	Notes            []string `json:"notes,omitempty"`
	RunTimes         []string `json:"run_times,omitempty"`
	Precise          string   `json:"precise,omitempty"`
	Status           Status   `json:"status"`
	Reason           string   `json:"reason,omitempty"`
	Decode           Decode   `json:"decode"`
	Alternatives     []string `json:"alternatives,omitempty"`
	Replay           *Replay  `json:"replay,omitempty"`
	Details          string   `json:"details,omitempty"`
	Origin           Origin   `json:"origin"`
}

func shapeMeasurement(m *Measurement, name string) measurementShape {
	shape := measurementShape{
		System: name, SystemIndex: m.System,
		Value: m.Value, StdError: m.StdError, StdErrorDerived: m.StdErrorDerived,
		RawValues: list(m.RawValues), Min: m.Min, Max: m.Max,
		Notes: m.Notes, RunTimes: m.RunTimes, Precise: m.Precise,
		Status: m.Status, Reason: m.Reason, Decode: m.Decode,
		Alternatives: m.Alternatives, Replay: m.Replay,
		Details: string(m.Details), Origin: m.Origin,
	}
	shape.Number, shape.HalfUnit = numberAndHalfUnit(m.Value)
	shape.StdErrorNumber, shape.StdErrorHalfUnit = numberAndHalfUnit(m.StdError)
	if m.Samples != 0 {
		shape.Samples = &m.Samples
	}
	return shape
}

func numberAndHalfUnit(text string) (number, half *float64) {
	v, ok := ParseNumber(text)
	if !ok {
		return nil, nil
	}
	h := HalfUnit(text)
	return &v, &h
}

// list returns s, or an empty list that JSON writes as [] where s is nil.
func list[T any](s []T) []T {
	if s == nil {
		return []T{}
	}
	return s
}
