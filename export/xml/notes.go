package xml

import (
	"strings"

	"github.com/benchproof/benchproof/result"
)

// systemDetails returns the JSON of a system: the published one, or one made
// of its notes, so that PTS shows the same notes again.
func systemDetails(f *result.File, s *result.System) string {
	if len(s.Details) > 0 {
		return string(s.Details)
	}
	if f.Format == result.FormatXML {
		return ""
	}
	var parts []result.Component
	have := map[string]int{}
	for _, n := range s.Notes {
		if n.Key == costNote {
			continue
		}
		for _, p := range noteParts(n) {
			// JSON objects keep one member of a name.
			if at, ok := have[p.Key]; ok {
				parts[at].Value += " + " + p.Value
				continue
			}
			have[p.Key] = len(parts)
			parts = append(parts, p)
		}
	}
	list := make([]member, len(parts))
	for i, p := range parts {
		list[i] = member{p.Key, text(p.Value)}
	}
	return object(list)
}

// noteKeys are the members that PTS shows under another name as it has.
var noteKeys = map[string]string{
	"Compiler":    "compiler-configuration",
	"Environment": "environment-variables",
}

// prefixes are the members that make up a joined note, each with what it
// begins with.
var prefixes = map[string][]result.Component{
	"Processor": {
		{Key: "cpu-scaling-governor", Value: "Scaling Governor: "},
		{Key: "platform-profile", Value: "Platform Profile: "},
		{Key: "cpu-microcode", Value: "CPU Microcode: "},
		{Key: "cpu-thermald", Value: "Thermald "},
		{Key: "cpu-smt", Value: "SMT (threads per core): "},
	},
	"OpenCL": {{Key: "graphics-compute-cores", Value: "GPU Compute Cores: "}},
}

// noteParts returns the members of a system's details that PTS shows as the
// note n.
func noteParts(n result.Component) []result.Component {
	if key, ok := noteKeys[n.Key]; ok {
		return []result.Component{{Key: key, Value: n.Value}}
	}
	switch n.Key {
	case "Kernel":
		const pages = "Transparent Huge Pages: "
		if strings.HasPrefix(n.Value, pages) {
			return []result.Component{{Key: "kernel-extra-details", Value: n.Value}}
		}
		if parameters, extra, ok := strings.Cut(n.Value, " - "+pages); ok {
			return []result.Component{{Key: "kernel-parameters", Value: parameters}, {Key: "kernel-extra-details", Value: pages + extra}}
		}
		return []result.Component{{Key: "kernel-parameters", Value: n.Value}}
	case "Disk":
		parts := strings.SplitN(n.Value, " / ", 3)
		if len(parts) < 2 {
			break // PTS shows no such note
		}
		keys := [...]string{"disk-scheduler", "disk-mount-options", "disk-details"}
		var out []result.Component
		for i, p := range parts {
			out = append(out, result.Component{Key: keys[i], Value: p})
		}
		return out
	}
	if out := prefixed(prefixes[n.Key], n.Value); out != nil {
		return out
	}
	return []result.Component{{Key: strings.ReplaceAll(strings.ToLower(n.Key), " ", "-"), Value: n.Value}}
}

// prefixed divides a note at " - " before known beginnings; nil if it does
// not begin with one.
func prefixed(known []result.Component, value string) []result.Component {
	var out []result.Component
	for part := range strings.SplitSeq(value, " - ") {
		found := false
		for _, k := range known {
			if text, ok := strings.CutPrefix(part, k.Value); ok {
				out = append(out, result.Component{Key: k.Key, Value: text})
				found = true
				break
			}
		}
		if !found {
			if len(out) == 0 {
				return nil
			}
			out[len(out)-1].Value += " - " + part
		}
	}
	return out
}
