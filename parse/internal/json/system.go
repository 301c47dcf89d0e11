package json

import (
	"strings"

	"github.com/benchproof/benchproof/parse/internal/xml"
	"github.com/benchproof/benchproof/result"
)

// systems reads the systems.
func (r *reader) systems() error {
	if ok, err := r.expectList("the systems"); !ok {
		return err
	}
	_, err := r.s.each(r.system)
	return err
}

// system reads one system, whose identifier is the key it stands under: the
// field of that name is missing where it is "0", and has lost its tags.
func (r *reader) system(key string, at int) error {
	s := result.System{Identifier: key, Origin: r.f.Origin(at, "system")}
	if r.s.peek() != isObject {
		r.f.Warn(at, "unknown-value", "the system %q is no object, and is not read", key)
		return r.s.skip()
	}
	err := r.s.object(func(key string, at int) error {
		switch key {
		case "identifier":
			return r.identifier(&s)
		case "hardware":
			return r.components(&s.Hardware, at)
		case "software":
			return r.components(&s.Software, at)
		case "user":
			return r.text(&s.User)
		case "timestamp":
			return r.text(&s.Timestamp)
		case "client_version":
			return r.text(&s.ClientVersion)
		case "notes":
			return r.text(&s.NotesText)
		case "data":
			return r.details(&s, at)
		}
		return r.unkept("a system", key, at)
	})
	if err != nil {
		return err
	}
	_, err = r.f.Describe(s)
	return err
}

func (r *reader) identifier(s *result.System) error {
	at := r.s.at
	var own string
	if err := r.text(&own); err != nil {
		return err
	}
	if own != s.Identifier && own != "" {
		r.f.Info(at, "identifier-differs", "the system %q calls itself %q; its key holds", s.Identifier, own)
	}
	return nil
}

// components reads hardware or software: an object, whose order is kept. PHP
// writes an empty list where there is none.
func (r *reader) components(into *[]result.Component, at int) error {
	if r.s.peek() != isObject {
		t, err := r.s.raw()
		if err == nil && t != "[]" && t != "null" {
			r.f.Warn(at, "unknown-value", "components that are no object are not read: %q", t)
		}
		return err
	}
	return r.s.object(func(key string, at int) error {
		c := result.Component{Key: key}
		if err := r.text(&c.Value); err != nil {
			return err
		}
		if strings.Count(c.Value, "(") > strings.Count(c.Value, ")") {
			r.f.Info(at, "component-cut", "the value of %q ends within a parenthesis: the exporter cuts it at a comma or colon", key)
		}
		*into = append(*into, c)
		return nil
	})
}

// details reads the details of a system and makes notes of them.
func (r *reader) details(s *result.System, at int) error {
	raw, err := r.s.raw()
	if err != nil {
		return err
	}
	notes, ok := xml.SystemNotes([]byte(raw))
	if !ok {
		r.f.Warn(at, "bad-json", "the details of a system are no JSON object, and are not read")
		return nil
	}
	if len(notes) > 0 {
		s.Notes, s.Details = notes, []byte(raw)
	}
	return nil
}
