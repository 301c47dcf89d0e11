package oracle

import (
	"encoding/json"
	"fmt"
	"os"
	"path"
	"strings"
	"testing"

	"github.com/benchproof/benchproof/result"
)

// truthFile is a hand-checked truth file as it is stored.
type truthFile struct {
	Title               string
	Description         string
	TitleSplitCertain   *bool  `json:"title_split_certain"`
	TitleDescriptionRaw string `json:"title_description_raw"`
	SourceURL           string `json:"source_url"`
	GeneratedBy         string `json:"generated_by"`
	Format              string
	MultiWay            bool `json:"multi_way"`
	Systems             []truthSystem
	Notes               object // a text for all systems, or an object by system
	Tests               []truthTest
}

type truthSystem struct {
	Identifier    string
	Group, Label  string
	Hardware      object
	Software      object
	Notes         object
	InheritedKeys []string `json:"inherited_keys"`
}

type truthTest struct {
	Title      string
	AppVersion string `json:"app_version"`
	// What the record calls Arguments; Arguments here are its options.
	Description   string
	Arguments     object
	BareArguments []string `json:"bare_arguments"`
	Scale         string
	Proportion    result.Proportion
	Results       []truthResult
	Footnotes     []string
	Unassigned    []truthSE `json:"stderr_unassigned"`
	Missing       []string
}

type truthSE struct {
	StdError string `json:"stderr_str"`
	N        int
}

type truthResult struct {
	System   string
	Value    string `json:"value_str"`
	Overview string `json:"overview_str"`
	truthSE
}

// Truth reads a truth file ("samples/truth/*.json" of the facts directory) into
// a record. Points that the two forms put differently:
//
//   - A note that a page prints once for all systems stands in every
//     system's Notes; the order of keys is the page's.
//   - An unassigned standard error may belong to every system that the test
//     has a value for.
//   - Options hold the keyed options in order, then the bare ones.
//   - Precise is set where the overview has more decimals than the graph.
//   - TitleSplit is exact where the truth calls the split certain or says
//     nothing, else inferred.
//
// It fails the test where the file cannot be read or contradicts itself.
func Truth(t testing.TB, path string) *result.File {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var in truthFile
	if err := json.Unmarshal(data, &in); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	f, err := in.record()
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	return f
}

func (in *truthFile) record() (*result.File, error) {
	f := &result.File{
		Title:            in.Title,
		Description:      in.Description,
		TitleDescription: in.TitleDescriptionRaw,
		URL:              in.SourceURL,
		Generator:        in.GeneratedBy,
	}
	if in.TitleSplitCertain != nil && !*in.TitleSplitCertain {
		f.TitleSplit = result.DecodeInferred
	}
	if in.SourceURL != "" {
		f.Identifier = path.Base(in.SourceURL)
	}
	switch in.Format {
	case "text":
		f.Format = result.FormatTextCollapsed
	case "html-flattened":
		f.Format = result.FormatFlat
	default:
		return nil, fmt.Errorf("unknown format %q", in.Format)
	}
	for i := range in.Systems {
		s, err := in.Systems[i].record(in.Notes)
		if err != nil {
			return nil, err
		}
		f.Systems = append(f.Systems, s)
	}
	for i := range in.Tests {
		test, err := in.Tests[i].record(f)
		if err != nil {
			return nil, fmt.Errorf("test %d: %w", i+1, err)
		}
		f.Tests = append(f.Tests, test)
	}
	return f, nil
}

func (in *truthSystem) record(notes object) (result.System, error) {
	s := result.System{Identifier: in.Identifier, InheritedKeys: in.InheritedKeys}
	if in.Group != "" {
		s.GroupPath = []string{in.Group, in.Label}
		if in.Group+": "+in.Label != in.Identifier {
			return s, fmt.Errorf("system %q has group %q and label %q", in.Identifier, in.Group, in.Label)
		}
	}
	var err error
	if s.Hardware, err = components(in.Hardware); err != nil {
		return s, err
	}
	if s.Software, err = components(in.Software); err != nil {
		return s, err
	}
	own := make(map[string]string)
	for _, m := range in.Notes {
		v, ok := text(m.value)
		if !ok {
			return s, fmt.Errorf("note %q of %q is no text", m.name, in.Identifier)
		}
		own[m.name] = v
	}
	for _, m := range notes {
		v, ok := text(m.value)
		if !ok {
			var bySystem map[string]string
			if err := json.Unmarshal(m.value, &bySystem); err != nil {
				return s, fmt.Errorf("note %q: %w", m.name, err)
			}
			if v, ok = bySystem[in.Identifier]; v != own[m.name] {
				return s, fmt.Errorf("note %q of %q stands twice and differs", m.name, in.Identifier)
			}
		}
		if ok {
			s.Notes = append(s.Notes, result.Component{Key: m.name, Value: v})
		}
	}
	return s, nil
}

func components(in object) ([]result.Component, error) {
	out := make([]result.Component, 0, len(in))
	for _, m := range in {
		v, ok := text(m.value)
		if !ok {
			return nil, fmt.Errorf("component %q is no text", m.name)
		}
		out = append(out, result.Component{Key: m.name, Value: v})
	}
	return out, nil
}

func (in *truthTest) record(f *result.File) (result.Test, error) {
	t := result.Test{
		Title:      in.Title,
		Version:    in.AppVersion,
		Arguments:  in.Description,
		Scale:      in.Scale,
		Proportion: in.Proportion,
		Footnotes:  in.Footnotes,
	}
	for _, m := range in.Arguments {
		v, ok := text(m.value)
		if !ok {
			return t, fmt.Errorf("option %q is no text", m.name)
		}
		t.Options = append(t.Options, result.Option{Key: m.name, Value: v})
	}
	for _, v := range in.BareArguments {
		t.Options = append(t.Options, result.Option{Value: v})
	}
	var systems []int
	for _, r := range in.Results {
		i := f.SystemIndex(r.System)
		if i < 0 {
			return t, fmt.Errorf("value of unknown system %q", r.System)
		}
		m := result.Measurement{System: i, Value: r.Value, StdError: r.StdError, Samples: r.N}
		if decimals(r.Overview) > decimals(r.Value) {
			m.Precise = r.Overview
		}
		t.Measurements = append(t.Measurements, m)
		systems = append(systems, i)
	}
	for _, name := range in.Missing {
		i := f.SystemIndex(name)
		for _, k := range systems {
			if k == i {
				return t, fmt.Errorf("%q is missing and has a value", name)
			}
		}
	}
	for _, se := range in.Unassigned {
		t.Unassigned = append(t.Unassigned, result.Unassigned{StdError: se.StdError, Samples: se.N, Systems: systems})
	}
	return t, nil
}

// decimals counts the digits behind the point.
func decimals(s string) int {
	_, frac, _ := strings.Cut(s, ".")
	return len(frac)
}
