package oracle

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// member is one member of a JSON object.
type member struct {
	name  string
	value json.RawMessage
}

// object is a JSON object whose members keep their order, which a Go map
// would lose.
type object []member

// UnmarshalJSON reads the members in order.
func (o *object) UnmarshalJSON(data []byte) error {
	dec := json.NewDecoder(bytes.NewReader(data))
	tok, err := dec.Token()
	if err != nil {
		return err
	}
	if tok == nil {
		return nil
	}
	if tok != json.Delim('{') {
		return fmt.Errorf("want a JSON object, found %v", tok)
	}
	for dec.More() {
		name, err := dec.Token()
		if err != nil {
			return err
		}
		var value json.RawMessage
		if err := dec.Decode(&value); err != nil {
			return err
		}
		*o = append(*o, member{name.(string), value})
	}
	return nil
}

// text returns a JSON string's text, and false for anything else.
func text(raw json.RawMessage) (string, bool) {
	var s string
	if len(raw) == 0 || raw[0] != '"' || json.Unmarshal(raw, &s) != nil {
		return "", false
	}
	return s, true
}
