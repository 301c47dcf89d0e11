package xml

import (
	"strings"
	"unicode/utf8"

	"github.com/benchproof/benchproof/result"
)

// systemDetails reads a system's JSON and makes notes of it, keyed and worded
// as PTS's pages show them. What PTS joins into one note is joined in its
// order, and details that it has no name for are keyed by their own.
func (r *reader) systemDetails() error {
	s := &r.sys
	text, err := r.leaf()
	if err != nil || len(text) == 0 {
		return err
	}
	if s.Details != nil {
		r.repeated(text)
		return nil
	}
	s.Details = append(s.Details, text...)
	list, ok := SystemNotes(s.Details)
	if !ok {
		r.file.diags.add(result.SeverityWarning, r.s.Origin(""), "bad-json",
			"the details of a system are no JSON object; kept as they stand, without notes")
		return nil
	}
	s.Notes = append(s.Notes, list...)
	return nil
}

// detail is one member of a system's JSON.
type detail struct {
	key, text string
	used      bool
}

// joint is how PTS words one note: the details in it, each with a prefix.
type joint struct {
	key, separator string
	parts          []part
	// needs are the details without which there is no such note; anyOf
	// are details of which there must be one.
	needs, anyOf []string
}

type part struct{ key, prefix string }

// joints are the notes in the order in which a page shows them.
var joints = []joint{
	{key: "Kernel", separator: " - ", parts: []part{{"kernel-parameters", ""}, {"kernel-extra-details", ""}}},
	{key: "Environment", parts: []part{{"environment-variables", ""}}},
	{key: "Compiler", parts: []part{{"compiler-configuration", ""}}},
	{
		key: "Disk", separator: " / ", needs: []string{"disk-scheduler", "disk-mount-options"},
		parts: []part{{"disk-scheduler", ""}, {"disk-mount-options", ""}, {"disk-details", ""}},
	},
	{
		key: "Processor", separator: " - ", anyOf: []string{"cpu-scaling-governor", "cpu-microcode", "cpu-thermald", "cpu-smt"},
		parts: []part{
			{"cpu-scaling-governor", "Scaling Governor: "},
			{"platform-profile", "Platform Profile: "},
			{"cpu-microcode", "CPU Microcode: "},
			{"cpu-thermald", "Thermald "},
			{"cpu-pm", ""},
			{"cpu-smt", "SMT (threads per core): "},
		},
	},
	{
		key: "Graphics", separator: " - ", anyOf: []string{"graphics-2d-acceleration", "graphics-aa", "graphics-af", "bar1-visible-vram"},
		parts: []part{
			{"graphics-2d-acceleration", ""},
			{"graphics-aa", ""},
			{"graphics-af", ""},
			{"bar1-visible-vram", "BAR1 / Visible vRAM Size: "},
			{"vbios-version", "vBIOS Version: "},
		},
	},
	{key: "OpenCL", parts: []part{{"graphics-compute-cores", "GPU Compute Cores: "}}},
}

// notes turns details into notes.
func notes(list []detail) []result.Component {
	find := func(key string) *detail {
		for i := range list {
			if list[i].key == key && !list[i].used {
				return &list[i]
			}
		}
		return nil
	}
	var out []result.Component
	for _, j := range joints {
		complete := len(j.anyOf) == 0
		for _, key := range j.anyOf {
			complete = complete || find(key) != nil
		}
		for _, key := range j.needs {
			complete = complete && find(key) != nil
		}
		if !complete {
			continue
		}
		var texts []string
		for _, p := range j.parts {
			if d := find(p.key); d != nil {
				texts = append(texts, p.prefix+d.text)
				d.used = true
			}
		}
		if len(texts) > 0 {
			out = append(out, result.Component{Key: j.key, Value: strings.Join(texts, j.separator)})
		}
	}
	for _, d := range list {
		if !d.used {
			out = append(out, result.Component{Key: capitalised(d.key), Value: d.text})
		}
	}
	return out
}

// capitalised turns "disk-scheduler" into "Disk Scheduler".
func capitalised(key string) string {
	words := strings.FieldsFunc(key, func(r rune) bool { return r == '-' || r == '_' || r == ' ' })
	for i, w := range words {
		_, n := utf8.DecodeRuneInString(w)
		words[i] = strings.ToUpper(w[:n]) + w[n:]
	}
	return strings.Join(words, " ")
}
