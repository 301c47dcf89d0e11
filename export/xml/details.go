package xml

import (
	"encoding/json"
	"strings"

	"github.com/benchproof/benchproof/result"
)

// member is one member of a JSON object.
type member struct {
	key   string
	value json.RawMessage
}

// object returns members as a JSON object in their order, "" for none.
func object(members []member) string {
	if len(members) == 0 {
		return ""
	}
	var b strings.Builder
	for i, m := range members {
		if i == 0 {
			b.WriteByte('{')
		} else {
			b.WriteByte(',')
		}
		b.Write(text(m.key))
		b.WriteByte(':')
		b.Write(m.value)
	}
	b.WriteByte('}')
	return b.String()
}

// text returns s as a JSON string. The signs that only pages need escaped
// stay as they are.
func text(s string) json.RawMessage {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(s) // a string always encodes
	return json.RawMessage(strings.TrimSuffix(b.String(), "\n"))
}

// figure returns printed text as a JSON number with the same digits, or as a
// string where JSON has no such number.
func figure(s string) json.RawMessage {
	if _, ok := result.ParseNumber(s); ok && json.Valid([]byte(s)) {
		return json.RawMessage(s)
	}
	return text(s)
}

// entryDetails returns the JSON of an entry: the published one, or one made of
// what the record has. failure is why a value is not written though the
// measurement did not fail; "" otherwise.
func (d *document) entryDetails(m *result.Measurement, failure string) string {
	published := string(m.Details)
	if failure != "" {
		return withMember(published, member{"error", text(failure)})
	}
	inferred := m.Decode == result.DecodeInferred && m.Status == result.StatusOK && !d.twin(m)
	mark := member{decodeKey, text(result.DecodeInferred.String())}
	if published != "" {
		if inferred {
			return withMember(published, mark)
		}
		return published
	}
	var list []member
	// A file of this form has all of this among its details, if anywhere:
	// the reason of a failure without any is the reader's.
	if d.f.Format != result.FormatXML {
		list = figures(m)
	}
	if inferred {
		list = append(list, mark)
	}
	return object(list)
}

// figures returns what PTS keeps of a measurement among its details.
func figures(m *result.Measurement) []member {
	var list []member
	if m.Min != "" {
		list = append(list, member{"min-result", figure(m.Min)})
	}
	if m.Max != "" {
		list = append(list, member{"max-result", figure(m.Max)})
	}
	if len(m.RunTimes) > 0 {
		list = append(list, member{"test-run-times", text(strings.Join(m.RunTimes, ":"))})
	}
	if m.Status == result.StatusFailed && m.Reason != "" {
		list = append(list, member{"error", text(m.Reason)})
	}
	return list
}

// decodeKey is the member that says that a value is inferred. PTS passes over
// members that it does not know.
const decodeKey = "decode"

// withMember adds a member to a published object, unless it has one of that
// name. Text that is no object is replaced.
func withMember(published string, m member) string {
	var have map[string]json.RawMessage
	if json.Unmarshal([]byte(published), &have) != nil || have == nil {
		return object([]member{m})
	}
	if _, ok := have[m.key]; ok {
		return published
	}
	body := strings.TrimSpace(published)
	separator := ","
	if len(have) == 0 {
		separator = ""
	}
	return strings.TrimSuffix(body, "}") + separator + strings.TrimPrefix(object([]member{m}), "{")
}
