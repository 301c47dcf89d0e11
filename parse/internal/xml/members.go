package xml

import (
	"bytes"
	"encoding/json"
)

// members walks the members of one JSON object without building anything.
// Entries have such an object each, so this is on the path that must be fast.
type members struct {
	data []byte
	at   int
	bad  bool // data is no JSON object

	// known is an object that is well formed. Where a value begins with
	// it, it is that value, and need not be looked through again.
	known []byte

	key   []byte // of the current member, decoded
	value []byte // of the current member, as it stands
}

// walk returns the members of data. PTS writes an empty list, null or false
// where it has no details; these have no members, and are not bad.
func walk(data []byte) members {
	m := members{data: data, at: skipBlank(data, 0)}
	if m.at < len(data) && data[m.at] == '{' {
		m.at++
		return m
	}
	end := jsonValue(data, m.at, 0)
	m.bad = end < 0 || skipBlank(data, end) != len(data) || len(bytes.Trim(data[m.at:end], "[] \t\r\n")) > 0 &&
		string(data[m.at:end]) != "null" && string(data[m.at:end]) != "false"
	m.at = -1
	return m
}

// next goes to the next member, and reports whether there is one. After the
// last, bad says whether all of data was well formed.
func (m *members) next() bool {
	if m.at < 0 {
		return false
	}
	at := skipBlank(m.data, m.at)
	first := m.data[m.at-1] == '{'
	if at < len(m.data) && m.data[at] == '}' && (first || m.value != nil) {
		m.bad = skipBlank(m.data, at+1) != len(m.data)
		m.at = -1
		return false
	}
	if !first || m.value != nil {
		if at >= len(m.data) || m.data[at] != ',' {
			return m.fail()
		}
		at = skipBlank(m.data, at+1)
	}
	end := jsonString(m.data, at)
	if end < 0 {
		return m.fail()
	}
	m.key = unquote(m.data[at:end])
	at = skipBlank(m.data, end)
	if at >= len(m.data) || m.data[at] != ':' {
		return m.fail()
	}
	at = skipBlank(m.data, at+1)
	if len(m.known) > 0 && bytes.HasPrefix(m.data[at:], m.known) {
		end = at + len(m.known)
	} else if end = jsonValue(m.data, at, 0); end < 0 {
		return m.fail()
	}
	m.value, m.at = m.data[at:end], end
	return true
}

func (m *members) fail() bool {
	m.bad, m.at = true, -1
	return false
}

// text returns the value as text: a string without its quotes, everything
// else as it stands, nothing for null.
func (m *members) text() []byte {
	if m.value[0] == '"' {
		return unquote(m.value)
	}
	if string(m.value) == "null" {
		return nil
	}
	return m.value
}

// unquote returns what the JSON string quoted, which is well formed, stands
// for.
func unquote(quoted []byte) []byte {
	inner := quoted[1 : len(quoted)-1]
	if bytes.IndexByte(inner, '\\') < 0 {
		return inner
	}
	var s string
	if json.Unmarshal(quoted, &s) != nil {
		return inner
	}
	return []byte(s)
}

func skipBlank(data []byte, at int) int {
	for at < len(data) && (data[at] == ' ' || data[at] == '\n' || data[at] == '\t' || data[at] == '\r') {
		at++
	}
	return at
}

// jsonDepth is how deep values may be nested.
const jsonDepth = 64

// jsonValue returns where the JSON value ends that begins at data[at], -1 if
// none begins there.
func jsonValue(data []byte, at, depth int) int {
	if at >= len(data) || depth > jsonDepth {
		return -1
	}
	switch c := data[at]; {
	case c == '"':
		return jsonString(data, at)
	case c == '{', c == '[':
		return jsonNested(data, at, depth)
	case c == '-', c >= '0' && c <= '9':
		return jsonNumber(data, at)
	}
	for _, word := range [...]string{"true", "false", "null"} {
		if bytes.HasPrefix(data[at:], []byte(word)) {
			return at + len(word)
		}
	}
	return -1
}

func jsonNested(data []byte, at, depth int) int {
	object := data[at] == '{'
	closing := data[at] + 2 // "}" is two behind "{", "]" two behind "["
	at = skipBlank(data, at+1)
	if at < len(data) && data[at] == closing {
		return at + 1
	}
	for {
		if object {
			if at = jsonString(data, at); at < 0 {
				return -1
			}
			if at = skipBlank(data, at); at >= len(data) || data[at] != ':' {
				return -1
			}
			at = skipBlank(data, at+1)
		}
		if at = jsonValue(data, at, depth+1); at < 0 {
			return -1
		}
		if at = skipBlank(data, at); at >= len(data) {
			return -1
		}
		if data[at] == closing {
			return at + 1
		}
		if data[at] != ',' {
			return -1
		}
		at = skipBlank(data, at+1)
	}
}

func jsonString(data []byte, at int) int {
	if at >= len(data) || data[at] != '"' {
		return -1
	}
	for at++; at < len(data); at++ {
		switch c := data[at]; {
		case c == '"':
			return at + 1
		case c < 0x20:
			return -1
		case c == '\\':
			if at++; at >= len(data) {
				return -1
			}
			if data[at] != 'u' {
				if bytes.IndexByte([]byte(`"\/bfnrt`), data[at]) < 0 {
					return -1
				}
				continue
			}
			for range 4 {
				if at++; at >= len(data) || !hexadecimal(data[at]) {
					return -1
				}
			}
		}
	}
	return -1
}

func hexadecimal(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F'
}

func jsonNumber(data []byte, at int) int {
	digits := func() bool {
		from := at
		for at < len(data) && data[at] >= '0' && data[at] <= '9' {
			at++
		}
		return at > from
	}
	if data[at] == '-' {
		at++
	}
	if at < len(data) && data[at] == '0' {
		at++
	} else if !digits() {
		return -1
	}
	if at < len(data) && data[at] == '.' {
		if at++; !digits() {
			return -1
		}
	}
	if at < len(data) && (data[at] == 'e' || data[at] == 'E') {
		if at++; at < len(data) && (data[at] == '-' || data[at] == '+') {
			at++
		}
		if !digits() {
			return -1
		}
	}
	return at
}
