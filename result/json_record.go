package result

import "fmt"

// required returns the bits of the named keys.
func required(keys []string, names ...string) uint64 {
	var bits uint64
	for i, k := range keys {
		for _, n := range names {
			if k == n {
				bits |= 1 << i
			}
		}
	}
	return bits
}

var (
	fileKeys = []string{
		"title", "description", "title_description", "title_split", "source", "url",
		"published_identifier", "generator", "format", "last_modified", "notes",
		"internal_tags", "reference_id", "environment", "systems", "tests", "diagnostics",
	}
	fileRequired = required(fileKeys, "systems", "tests")

	systemKeys = []string{
		"identifier", "group_path", "decode", "hardware", "software", "notes", "inherited_keys",
		"user", "timestamp", "client_version", "notes_text", "details", "origin",
	}
	systemRequired = required(systemKeys, "identifier")

	testKeys = []string{
		"profile", "title", "version", "head_decode", "arguments", "options", "command_arguments",
		"scale", "proportion", "display_format", "footnotes", "parent", "annotation",
		"measurements", "unassigned", "origin",
	}
	testRequired = required(testKeys, "title", "measurements")

	measurementKeys = []string{
		"system_index", "value", "std_error", "std_error_derived", "samples", "raw_values",
		"min", "max", "notes", "run_times", "precise", "status", "reason", "decode", "alternatives",
		"replay", "details", "origin",
	}
	measurementRequired = required(measurementKeys, "system_index", "value")

	componentKeys      = []string{"key", "value"}
	optionKeys         = []string{"key", "value"}
	unassignedKeys     = []string{"std_error", "samples", "systems", "origin"}
	unassignedRequired = required(unassignedKeys, "std_error", "systems")
	replayKeys         = []string{"driver", "fidelity", "scaling"}
	originKeys         = []string{"source", "line", "column", "offset", "rule"}
	diagnosticKeys     = []string{"severity", "origin", "code", "message"}
	diagnosticRequired = required(diagnosticKeys, "severity", "code", "message")
)

// file reads one file of the list.
func (d *Decoder) file() (*File, error) {
	f := &File{}
	// The largest index of a system that a test names, and where: systems
	// may stand behind the tests.
	top := systemUse{index: -1}
	err := d.s.object(fileKeys, fileRequired, func(i int) error {
		switch fileKeys[i] {
		case "title":
			return d.s.text(&f.Title)
		case "description":
			return d.s.text(&f.Description)
		case "title_description":
			return d.s.text(&f.TitleDescription)
		case "title_split":
			return d.decode(&f.TitleSplit)
		case "source":
			return d.s.text(&f.Source)
		case "url":
			return d.s.text(&f.URL)
		case "published_identifier":
			return d.s.text(&f.Identifier)
		case "generator":
			return d.s.text(&f.Generator)
		case "format":
			return d.s.word((*string)(&f.Format))
		case "last_modified":
			return d.s.text(&f.LastModified)
		case "notes":
			return d.s.text(&f.Notes)
		case "internal_tags":
			return d.s.text(&f.InternalTags)
		case "reference_id":
			return d.s.text(&f.ReferenceID)
		case "environment":
			return d.s.text(&f.Environment)
		case "systems":
			return d.s.array(func() error {
				if len(f.Systems) == d.MaxSystems {
					return d.s.limit("MaxSystems", "number of systems", int64(d.MaxSystems))
				}
				f.Systems = append(f.Systems, System{})
				return d.system(&f.Systems[len(f.Systems)-1])
			})
		case "tests":
			return d.s.array(func() error {
				if len(f.Tests) == d.MaxTests {
					return d.s.limit("MaxTests", "number of tests", int64(d.MaxTests))
				}
				f.Tests = append(f.Tests, Test{})
				return d.test(&f.Tests[len(f.Tests)-1], &top)
			})
		}
		return d.s.array(func() error {
			f.Diagnostics = append(f.Diagnostics, Diagnostic{})
			return d.diagnostic(&f.Diagnostics[len(f.Diagnostics)-1])
		})
	})
	if err != nil {
		return nil, err
	}
	if top.index >= len(f.Systems) {
		d.s.mark = top.at
		return nil, d.s.failMark("system %d is not there: the file has %d", top.index, len(f.Systems))
	}
	f.settle()
	return f, nil
}

type systemUse struct {
	index int
	at    position
}

// systemIndex reads an index into the file's systems.
func (d *Decoder) systemIndex(p *int, top *systemUse) error {
	if err := d.s.count(p); err != nil {
		return err
	}
	if *p > top.index {
		*top = systemUse{*p, d.s.mark}
	}
	return nil
}

func (d *Decoder) system(s *System) error {
	return d.s.object(systemKeys, systemRequired, func(i int) error {
		switch systemKeys[i] {
		case "identifier":
			return d.s.text(&s.Identifier)
		case "group_path":
			return d.texts(&s.GroupPath)
		case "decode":
			return d.decode(&s.Decode)
		case "hardware":
			return d.components(&s.Hardware)
		case "software":
			return d.components(&s.Software)
		case "notes":
			return d.components(&s.Notes)
		case "inherited_keys":
			return d.texts(&s.InheritedKeys)
		case "user":
			return d.s.text(&s.User)
		case "timestamp":
			return d.s.text(&s.Timestamp)
		case "client_version":
			return d.s.text(&s.ClientVersion)
		case "notes_text":
			return d.s.text(&s.NotesText)
		case "details":
			return d.details(&s.Details)
		}
		return d.origin(&s.Origin)
	})
}

func (d *Decoder) test(t *Test, top *systemUse) error {
	return d.s.object(testKeys, testRequired, func(i int) error {
		switch testKeys[i] {
		case "profile":
			return d.s.text(&t.Profile)
		case "title":
			return d.s.text(&t.Title)
		case "version":
			return d.s.text(&t.Version)
		case "head_decode":
			return d.decode(&t.HeadDecode)
		case "arguments":
			return d.s.text(&t.Arguments)
		case "options":
			return d.s.array(func() error {
				var o Option
				err := d.s.object(optionKeys, required(optionKeys, "value"), func(i int) error {
					return d.s.word([]*string{&o.Key, &o.Value}[i])
				})
				t.Options = append(t.Options, o)
				return err
			})
		case "command_arguments":
			return d.s.text(&t.CommandArguments)
		case "scale":
			return d.s.word(&t.Scale)
		case "proportion":
			return d.proportion(&t.Proportion)
		case "display_format":
			return d.s.word(&t.DisplayFormat)
		case "footnotes":
			return d.texts(&t.Footnotes)
		case "parent":
			return d.s.text(&t.Parent)
		case "annotation":
			return d.s.text(&t.Annotation)
		case "measurements":
			return d.s.array(func() error {
				t.Measurements = append(t.Measurements, Measurement{})
				return d.measurement(&t.Measurements[len(t.Measurements)-1], top)
			})
		case "unassigned":
			return d.s.array(func() error {
				t.Unassigned = append(t.Unassigned, Unassigned{})
				return d.unassigned(&t.Unassigned[len(t.Unassigned)-1], top)
			})
		}
		return d.origin(&t.Origin)
	})
}

func (d *Decoder) measurement(m *Measurement, top *systemUse) error {
	return d.s.object(measurementKeys, measurementRequired, func(i int) error {
		switch measurementKeys[i] {
		case "system_index":
			return d.systemIndex(&m.System, top)
		case "value":
			return d.s.text(&m.Value)
		case "std_error":
			return d.s.text(&m.StdError)
		case "std_error_derived":
			return d.s.boolean(&m.StdErrorDerived)
		case "samples":
			if null, err := d.s.null(); null || err != nil {
				return err
			}
			return d.s.count(&m.Samples)
		case "raw_values":
			return d.texts(&m.RawValues)
		case "min":
			return d.s.text(&m.Min)
		case "max":
			return d.s.text(&m.Max)
		case "notes":
			return d.texts(&m.Notes)
		case "run_times":
			return d.texts(&m.RunTimes)
		case "precise":
			return d.s.text(&m.Precise)
		case "status":
			return d.known(m.Status.UnmarshalText)
		case "reason":
			return d.s.word(&m.Reason)
		case "decode":
			return d.decode(&m.Decode)
		case "alternatives":
			return d.texts(&m.Alternatives)
		case "replay":
			m.Replay = &Replay{}
			return d.s.object(replayKeys, required(replayKeys, "driver", "fidelity"), func(i int) error {
				return d.s.word([]*string{&m.Replay.Driver, (*string)(&m.Replay.Fidelity), &m.Replay.Scaling}[i])
			})
		case "details":
			return d.details(&m.Details)
		}
		return d.origin(&m.Origin)
	})
}

func (d *Decoder) unassigned(u *Unassigned, top *systemUse) error {
	return d.s.object(unassignedKeys, unassignedRequired, func(i int) error {
		switch unassignedKeys[i] {
		case "std_error":
			return d.s.text(&u.StdError)
		case "samples":
			return d.s.count(&u.Samples)
		case "systems":
			return d.s.array(func() error {
				u.Systems = append(u.Systems, 0)
				return d.systemIndex(&u.Systems[len(u.Systems)-1], top)
			})
		}
		return d.origin(&u.Origin)
	})
}

func (d *Decoder) diagnostic(g *Diagnostic) error {
	return d.s.object(diagnosticKeys, diagnosticRequired, func(i int) error {
		switch diagnosticKeys[i] {
		case "severity":
			return d.known(func(text []byte) error {
				switch g.Severity = Severity(text); g.Severity {
				case SeverityInfo, SeverityWarning, SeverityError:
					return nil
				}
				return fmt.Errorf("unknown severity %q, want info, warning or error", text)
			})
		case "origin":
			return d.origin(&g.Origin)
		case "code":
			return d.s.word(&g.Code)
		}
		return d.s.text(&g.Message)
	})
}

func (d *Decoder) origin(o *Origin) error {
	return d.s.object(originKeys, 0, func(i int) error {
		switch originKeys[i] {
		case "source":
			return d.s.word(&o.Source)
		case "line":
			return d.s.count(&o.Line)
		case "column":
			return d.s.count(&o.Column)
		case "offset":
			return d.s.count(&o.Offset)
		}
		return d.s.word(&o.Rule)
	})
}

func (d *Decoder) components(p *[]Component) error {
	return d.s.array(func() error {
		var c Component
		err := d.s.object(componentKeys, required(componentKeys, "key", "value"), func(i int) error {
			return d.s.word([]*string{&c.Key, &c.Value}[i])
		})
		*p = append(*p, c)
		return err
	})
}

func (d *Decoder) texts(p *[]string) error {
	return d.s.array(func() error {
		*p = append(*p, "")
		return d.s.text(&(*p)[len(*p)-1])
	})
}

func (d *Decoder) details(p *[]byte) error {
	var text string
	if err := d.s.text(&text); err != nil {
		return err
	}
	if text != "" {
		*p = []byte(text)
	}
	return nil
}

func (d *Decoder) decode(p *Decode) error { return d.known(p.UnmarshalText) }

func (d *Decoder) proportion(p *Proportion) error {
	return d.known(func(text []byte) error {
		switch *p = Proportion(text); *p {
		case HIB, LIB, ProportionUnknown:
			return nil
		}
		return fmt.Errorf("unknown proportion %q, want HIB, LIB or nothing", text)
	})
}

// known reads a string that must be one of a few words.
func (d *Decoder) known(set func([]byte) error) error {
	if err := d.s.scanString("a string"); err != nil {
		return err
	}
	if len(d.s.buf) > 80 {
		return d.s.failMark("unknown word of %d bytes", len(d.s.buf))
	}
	if err := set(d.s.buf); err != nil {
		return d.s.failMark("%s", err)
	}
	return nil
}
