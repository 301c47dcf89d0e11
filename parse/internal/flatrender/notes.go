package flatrender

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
)

// note is one line below the table of systems.
type note struct{ section, text string }

// member is one key and value of a JSON object, in order.
type member struct {
	key   string
	value any
}

// object reads a JSON object and keeps its order; nil for anything else.
func object(data []byte) []member {
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return nil
	}
	var out []member
	for d.More() {
		k, err := d.Token()
		if err != nil {
			return nil
		}
		var v any
		if d.Decode(&v) != nil {
			return nil
		}
		out = append(out, member{k.(string), v})
	}
	return out
}

// details is a system's JSON of which members are taken one by one.
type details []member

// take removes a key and returns its text, "" if it is not there.
func (d *details) take(key string) string {
	for i, m := range *d {
		if m.key == key {
			*d = slices.Delete(slices.Clone(*d), i, i+1)
			return scalar(m.value)
		}
	}
	return ""
}

func scalar(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case json.Number:
		return v.String()
	}
	return ""
}

// has reports whether any of the keys is there.
func (d *details) has(keys ...string) bool {
	return slices.ContainsFunc(*d, func(m member) bool { return slices.Contains(keys, m.key) })
}

// sections are the notes of all systems by section.
type sections struct {
	order []string
	by    map[string][]note // section is the system's name
}

func (s *sections) add(section, system, text string) {
	list, ok := s.by[section]
	if !ok {
		s.order = append(s.order, section)
	}
	for i := range list {
		if list[i].section == system {
			list[i].text = text
			return
		}
	}
	s.by[section] = append(list, note{system, text})
}

// notes returns the notes below the table of systems. A note that all systems
// share stands once, others have the system's name before them.
func (p *page) notes() []note {
	all := &sections{by: make(map[string][]note)}
	for i := range p.file.Systems {
		s := &p.file.Systems[i]
		all.system(s.Identifier, object(s.Details), s.NotesText)
	}
	var out []note
	for _, section := range all.order {
		list := all.by[section]
		head := ""
		if len(p.file.Systems) > 1 {
			head = title(section)
		}
		equal := !slices.ContainsFunc(list, func(n note) bool { return n.text != list[0].text })
		switch {
		case equal && len(list) == len(p.file.Systems):
			out = append(out, note{head, list[0].text})
		case equal:
			var who []string
			for _, n := range list {
				who = append(who, n.section)
			}
			out = append(out, note{head, strings.Join(who, ", ") + ": " + list[0].text})
		default:
			for _, n := range list {
				out = append(out, note{head, n.section + ": " + n.text})
			}
		}
	}
	return out
}

// system adds the notes of one system.
func (s *sections) system(id string, d details, free string) {
	var kernel []string
	for _, k := range []string{"kernel-parameters", "kernel-extra-details"} {
		if v := d.take(k); v != "" {
			kernel = append(kernel, v)
		}
	}
	if kernel != nil {
		s.add("Kernel", id, strings.Join(kernel, " - "))
	}
	if v := d.take("environment-variables"); v != "" {
		s.add("Environment", id, v)
	}
	if v := d.take("compiler-configuration"); v != "" {
		s.add("Compiler", id, v)
	}
	if d.has("disk-scheduler") && d.has("disk-mount-options") {
		v := d.take("disk-scheduler") + " / " + d.take("disk-mount-options")
		if more := d.take("disk-details"); more != "" {
			v += " / " + more
		}
		s.add("Disk", id, v)
	}
	if d.has("cpu-scaling-governor", "cpu-microcode", "cpu-thermald") {
		var cpu []string
		for _, k := range [][2]string{
			{"cpu-scaling-governor", "Scaling Governor: "},
			{"platform-profile", "Platform Profile: "},
			{"cpu-microcode", "CPU Microcode: "},
			{"cpu-thermald", "Thermald "},
			{"cpu-pm", ""},
		} {
			if v := d.take(k[0]); v != "" {
				cpu = append(cpu, k[1]+v)
			}
		}
		s.add("Processor", id, strings.Join(cpu, " - "))
	}
	if v := d.take("cpu-smt"); v != "" {
		s.add("Processor", id, "SMT (threads per core): "+v)
	}
	s.graphics(id, &d)
	if free != "" {
		s.add("System", id, free)
	}
	for _, m := range d {
		if v := scalar(m.value); v != "" {
			s.add(title(strings.NewReplacer("_", " ", "-", " ").Replace(m.key)), id, v)
		}
	}
}

func (s *sections) graphics(id string, d *details) {
	if d.has("graphics-2d-acceleration", "graphics-aa", "graphics-af", "bar1-visible-vram") {
		var list []string
		for _, k := range [][2]string{
			{"graphics-2d-acceleration", ""},
			{"graphics-aa", ""},
			{"graphics-af", ""},
			{"bar1-visible-vram", "BAR1 / Visible vRAM Size: "},
			{"vbios-version", "vBIOS Version: "},
		} {
			if v := d.take(k[0]); v != "" {
				list = append(list, k[1]+v)
			}
		}
		s.add("Graphics", id, strings.Join(list, " - "))
	}
	if v := d.take("graphics-compute-cores"); v != "" {
		s.add("OpenCL", id, "GPU Compute Cores: "+v)
	}
}

// title returns s with the first letter of every word in upper case.
func title(s string) string {
	words := strings.Split(s, " ")
	for i, w := range words {
		if w != "" {
			words[i] = strings.ToUpper(w[:1]) + w[1:]
		}
	}
	return strings.Join(words, " ")
}
