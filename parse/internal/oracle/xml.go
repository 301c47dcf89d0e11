package oracle

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/benchproof/benchproof/result"
)

type xmlFile struct {
	XMLName   xml.Name `xml:"PhoronixTestSuite"`
	Generated struct {
		Title                      string
		LastModified               string
		TestClient                 string
		Description                string
		Notes                      string
		InternalTags               string
		ReferenceID                string
		PreSetEnvironmentVariables string
	}
	System []struct {
		Identifier, Hardware, Software, User, TimeStamp, TestClientVersion, Notes, JSON string
	}
	Result []struct {
		Identifier, Title, AppVersion, Arguments, Description string
		Scale, Proportion, DisplayFormat, Parent, Annotation  string
		Data                                                  struct {
			Entry []xmlEntry
		}
	}
}

type xmlEntry struct {
	Identifier, Value, RawString, JSON string
}

// XML reads a composite.xml of the present schema (PTS 3.0 and later); see
// [ReadXML]. It fails the test where it cannot.
func XML(t testing.TB, path string) *result.File {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	f, err := ReadXML(data)
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	return f
}

// ReadXML reads a composite.xml of the present schema. Texts are taken as
// they stand. Hardware and software are divided before known keys only.
// RawValues are RawString divided at colons and Samples their count; StdError
// is left empty, and notes, which PTS makes of the systems' JSON, are too.
//
// An entry goes to the first system of its name that has no value in that
// test yet, else to the first of its name; a name that no System element has
// becomes a further system. An entry without a value is a failed measurement.
func ReadXML(data []byte) (*result.File, error) {
	var in xmlFile
	if err := xml.NewDecoder(bytes.NewReader(data)).Decode(&in); err != nil {
		return nil, err
	}
	g := &in.Generated
	f := &result.File{
		Title:        g.Title,
		Description:  g.Description,
		Generator:    g.TestClient,
		Format:       result.FormatXML,
		LastModified: g.LastModified,
		Notes:        g.Notes,
		InternalTags: g.InternalTags,
		ReferenceID:  g.ReferenceID,
		Environment:  g.PreSetEnvironmentVariables,
	}
	for _, s := range in.System {
		f.Systems = append(f.Systems, result.System{
			Identifier:    s.Identifier,
			Hardware:      splitComponents(s.Hardware, hardwareKeys),
			Software:      splitComponents(s.Software, softwareKeys),
			User:          s.User,
			Timestamp:     s.TimeStamp,
			ClientVersion: s.TestClientVersion,
			NotesText:     s.Notes,
			Details:       []byte(s.JSON),
		})
	}
	for i := range in.Result {
		r := &in.Result[i]
		t := result.Test{
			Profile:          r.Identifier,
			Title:            r.Title,
			Version:          r.AppVersion,
			Arguments:        r.Description,
			CommandArguments: r.Arguments,
			Scale:            r.Scale,
			Proportion:       result.Proportion(r.Proportion),
			DisplayFormat:    r.DisplayFormat,
			Parent:           r.Parent,
			Annotation:       r.Annotation,
		}
		taken := make(map[int]bool)
		for _, e := range r.Data.Entry {
			m, err := e.record()
			if err != nil {
				return nil, fmt.Errorf("result %d, entry %q: %w", i+1, e.Identifier, err)
			}
			m.System = systemFor(f, e.Identifier, taken)
			taken[m.System] = true
			t.Measurements = append(t.Measurements, m)
		}
		f.Tests = append(f.Tests, t)
	}
	result.SetGroups(f.Systems)
	return f, nil
}

func systemFor(f *result.File, name string, taken map[int]bool) int {
	first := -1
	for i := range f.Systems {
		if f.Systems[i].Identifier != name {
			continue
		}
		if !taken[i] {
			return i
		}
		if first < 0 {
			first = i
		}
	}
	if first < 0 {
		first = f.AddSystem(name)
	}
	return first
}

func (e *xmlEntry) record() (result.Measurement, error) {
	m := result.Measurement{Value: e.Value, Details: []byte(e.JSON)}
	if e.RawString != "" {
		m.RawValues = strings.Split(e.RawString, ":")
		m.Samples = len(m.RawValues)
	}
	if e.JSON != "" {
		var d struct {
			Times string          `json:"test-run-times"`
			Min   json.RawMessage `json:"min-result"`
			Max   json.RawMessage `json:"max-result"`
			Error string          `json:"error"`
		}
		// PTS writes an empty JSON list where it has no details.
		if e.JSON[0] == '{' {
			if err := json.Unmarshal([]byte(e.JSON), &d); err != nil {
				return m, err
			}
		}
		m.Min, m.Max, m.Reason = scalar(d.Min), scalar(d.Max), d.Error
		if d.Times != "" {
			m.RunTimes = strings.Split(d.Times, ":")
		}
	}
	if m.Value == "" {
		m.Status = result.StatusFailed
	}
	return m, nil
}

// scalar returns a JSON number as it stands or a JSON string's text.
func scalar(raw json.RawMessage) string {
	if s, ok := text(raw); ok {
		return s
	}
	return string(raw)
}

var (
	hardwareKeys = []string{
		"Processor", "Motherboard", "Motherboard Chipset", "Chipset", "Memory",
		"System Memory", "Disk", "Graphics", "Audio", "Monitor", "Network", "Screen Resolution",
	}
	softwareKeys = []string{
		"OS", "Kernel", "Desktop", "X.Org Server", "Display Server", "Display Driver", "OpenGL",
		"OpenCL", "Vulkan", "Compiler", "File-System", "Screen Resolution", "System Layer",
	}
)

// splitComponents divides "Key: value, Key: value" before known keys.
func splitComponents(s string, keys []string) []result.Component {
	var out []result.Component
	start := 0
	add := func(end int) {
		key, value, ok := strings.Cut(s[start:end], ": ")
		if !ok {
			// "Key:" with nothing behind, or text that is no component.
			key, value, _ = strings.Cut(s[start:end], ":")
		}
		out = append(out, result.Component{Key: key, Value: value})
	}
	if s == "" {
		return nil
	}
	for i := 0; i < len(s); i++ {
		if !strings.HasPrefix(s[i:], ", ") {
			continue
		}
		for _, k := range keys {
			if strings.HasPrefix(s[i+2:], k+": ") {
				add(i)
				start = i + 2
				break
			}
		}
	}
	add(len(s))
	return out
}
