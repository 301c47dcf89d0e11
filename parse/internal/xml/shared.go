package xml

import "github.com/benchproof/benchproof/result"

// SystemNotes makes notes of a system's details, the JSON object of
// composite.xml that the JSON export repeats, worded as PTS's pages show
// them. It returns false where details are no JSON object.
func SystemNotes(details []byte) (list []result.Component, ok bool) {
	var all []detail
	m := walk(details)
	for m.next() {
		if text := m.text(); len(text) > 0 && string(text) != "[]" && string(text) != "{}" && string(text) != "false" {
			all = append(all, detail{string(m.key), string(text), false})
		}
	}
	if m.bad {
		return nil, false
	}
	return notes(all), true
}
