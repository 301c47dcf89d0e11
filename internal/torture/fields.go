package torture

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"html"
	"regexp"
	"slices"
	"strings"
)

var (
	figure  = regexp.MustCompile(`[0-9]+(?:\.[0-9]+)?`)
	leaf    = regexp.MustCompile(`>[^<>]+<`)
	quoted  = regexp.MustCompile(`"[^"\n]*"`)
	word    = regexp.MustCompile(`[A-Za-z][A-Za-z0-9/. -]{2,30}`)
	cell    = regexp.MustCompile(`[^,\n]+`)
	element = regexp.MustCompile(`(?s)<(Value|RawString|Identifier|Title|Description|Scale|Proportion|DisplayFormat|Hardware|Software|Arguments|AppVersion|JSON|User|Notes)>[^<]*</`)
)

// replace puts text in the place of one of the matches of re, chosen by
// chance. The first and last skip bytes of the match stay.
func (m *maker) replace(data []byte, re *regexp.Regexp, skip int, text string) ([]byte, bool) {
	found := re.FindAllIndex(data, -1)
	if len(found) == 0 {
		return nil, false
	}
	at := pick(m, found)
	return slices.Concat(data[:at[0]+skip], []byte(text), data[at[1]-skip:]), true
}

// number puts a hostile figure in the place of one or of several.
func (m *maker) number() bool {
	data, ok := m.seed.Data, false
	for range 1 + m.IntN(3) {
		n := m.hostileNumber()
		var changed bool
		next := data
		if m.seed.Form == "xml" && m.IntN(2) == 0 {
			next, changed = m.replace(data, regexp.MustCompile(`>[0-9.:;]+<`), 1, n)
		} else {
			next, changed = m.replace(data, figure, 0, n)
		}
		if !changed {
			break
		}
		data, ok = next, true
	}
	return ok && m.set(data)
}

// text puts a hostile text in the place of another, written as the form
// demands, so that it comes through.
func (m *maker) text() bool {
	data, ok := m.seed.Data, false
	for range 1 + m.IntN(4) {
		t := m.hostileText()
		next, changed := data, false
		switch m.seed.Form {
		case "xml":
			re := leaf
			if m.IntN(2) == 0 {
				next, changed = m.replaceElement(data, html.EscapeString(t))
				break
			}
			next, changed = m.replace(data, re, 1, html.EscapeString(t))
		case "html":
			next, changed = m.replace(data, leaf, 1, html.EscapeString(t))
		case "json":
			text, err := json.Marshal(t)
			if err != nil {
				return false
			}
			next, changed = m.replace(data, quoted, 0, string(text))
		case "csv":
			next, changed = m.replace(data, cell, 0, `"`+strings.ReplaceAll(t, `"`, `""`)+`"`)
		default:
			next, changed = m.replace(data, word, 0, strings.Trim(t, "\r\n"))
		}
		if !changed {
			break
		}
		data, ok = next, true
	}
	return ok && m.set(data)
}

// replaceElement puts text into one of the elements of a composite.xml that
// hold what people named.
func (m *maker) replaceElement(data []byte, text string) ([]byte, bool) {
	found := element.FindAllIndex(data, -1)
	if len(found) == 0 {
		return nil, false
	}
	at := pick(m, found)
	begin := at[0] + bytes.IndexByte(data[at[0]:], '>') + 1
	return slices.Concat(data[:begin], []byte(text), data[at[1]-2:]), true
}

// rawText puts a hostile text anywhere, as it is.
func (m *maker) rawText() bool {
	data := m.seed.Data
	for range 1 + m.IntN(3) {
		at := m.IntN(len(data) + 1)
		data = slices.Concat(data[:at], []byte(m.hostileText()), data[at:])
	}
	return m.set(data)
}

// duplicate doubles a key, an attribute, an element or a column.
func (m *maker) duplicate() bool {
	data := m.seed.Data
	var re *regexp.Regexp
	switch m.seed.Form {
	case "json":
		re = regexp.MustCompile(`"[a-z_]+": *("[^"]*"|[0-9.]+|\[[^\[\]]*\]|\{[^{}]*\}),`)
	case "xml":
		re = regexp.MustCompile(`(?s)<(Value|Identifier|Title|Scale|Proportion|RawString|Hardware|Entry|System|Result|Data)>.*?</(Value|Identifier|Title|Scale|Proportion|RawString|Hardware|Entry|System|Result|Data)>`)
	case "html":
		re = regexp.MustCompile(`(?s)<(svg|table|tr|td|text|div|h[1-6]|p|rect)[ >].*?</(svg|table|tr|td|text|div|h[1-6]|p)>`)
	case "csv":
		re = regexp.MustCompile(`(?m)^.*$\n`)
	default:
		re = regexp.MustCompile(`(?m)^.+$\n?`)
	}
	for range 1 + m.IntN(3) {
		found := re.FindAllIndex(data, -1)
		if len(found) == 0 {
			return false
		}
		at := pick(m, found)
		data = slices.Concat(data[:at[1]], slices.Repeat(data[at[0]:at[1]], 1+m.IntN(3)), data[at[1]:])
	}
	return m.set(data)
}

// lost empties or removes one figure so that it must be missed.
func (m *maker) lost() bool {
	m.in.Damage = Lost
	switch m.seed.Form {
	case "xml":
		re := regexp.MustCompile(`<Value>[^<]+</Value>`)
		found := re.FindAllIndex(m.seed.Data, -1)
		if len(found) < 4 {
			break
		}
		at := pick(m, found)
		text := []string{"", "<Value></Value>", "<Value/>", "<Value> </Value>"}[m.IntN(4)]
		return m.set(slices.Concat(m.seed.Data[:at[0]], []byte(text), m.seed.Data[at[1]:]))
	case "csv":
		return m.lostRow()
	case "json":
		var doc any
		if json.Unmarshal(m.seed.Data, &doc) != nil {
			break
		}
		if changed := m.lostMember(doc); changed {
			out, err := json.Marshal(doc)
			return err == nil && m.set(out)
		}
	}
	m.in.Damage = Unknown
	return false
}

// lostRow takes a figure out of our own long CSV.
func (m *maker) lostRow() bool {
	rows, err := csv.NewReader(bytes.NewReader(m.seed.Data)).ReadAll()
	if err != nil || len(rows) < 4 || len(rows[0]) < 15 || rows[0][9] != "value" {
		m.in.Damage = Unknown
		return false
	}
	at := 1 + m.IntN(len(rows)-1)
	switch m.IntN(3) {
	case 0: // a value that says it is there, and is not
		rows[at][9] = ""
	case 1: // fewer cells than the header
		rows[at] = rows[at][:9]
	default:
		rows[at][9] = "n/a"
		m.in.Damage = Unknown
	}
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	if err := w.WriteAll(rows); err != nil {
		return false
	}
	return m.set(b.Bytes())
}

// lostMember empties a value of our own record.
func (m *maker) lostMember(doc any) bool {
	var values []map[string]any
	walk(doc, func(v any) {
		if o, ok := v.(map[string]any); ok {
			if s, ok := o["value"].(string); ok && s != "" && o["system_index"] != nil {
				values = append(values, o)
			}
		}
	})
	if len(values) < 4 {
		return false
	}
	o := pick(m, values)
	switch m.IntN(3) {
	case 0:
		o["value"] = ""
	case 1:
		delete(o, "value")
	default:
		o["value"] = nil
	}
	return true
}

// walk calls use for doc and all below it, the members of objects by name.
func walk(doc any, use func(any)) {
	use(doc)
	switch v := doc.(type) {
	case map[string]any:
		for _, k := range sortedKeys(v) {
			walk(v[k], use)
		}
	case []any:
		for _, e := range v {
			walk(e, use)
		}
	}
}

func sortedKeys(o map[string]any) []string {
	keys := make([]string, 0, len(o))
	for k := range o {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// tree changes a place of the document, not of its text: members of JSON and
// cells of CSV that contradict each other.
func (m *maker) tree() bool {
	switch m.seed.Form {
	case "json":
		var doc any
		if json.Unmarshal(m.seed.Data, &doc) != nil {
			return false
		}
		for range 1 + m.IntN(4) {
			m.changeMember(doc)
		}
		out, err := json.Marshal(doc)
		return err == nil && m.set(out)
	case "csv":
		rows, err := csv.NewReader(bytes.NewReader(m.seed.Data)).ReadAll()
		if err != nil || len(rows) < 2 {
			return false
		}
		for range 1 + m.IntN(5) {
			m.changeCell(rows)
		}
		var b bytes.Buffer
		w := csv.NewWriter(&b)
		return w.WriteAll(rows) == nil && m.set(b.Bytes())
	}
	return false
}

// changeMember changes one member of an object or array of doc.
func (m *maker) changeMember(doc any) {
	var places []any
	walk(doc, func(v any) {
		switch v := v.(type) {
		case map[string]any:
			if len(v) > 0 {
				places = append(places, v)
			}
		case []any:
			if len(v) > 0 {
				places = append(places, v)
			}
		}
	})
	if len(places) == 0 {
		return
	}
	switch v := pick(m, places).(type) {
	case map[string]any:
		keys := sortedKeys(v)
		k := pick(m, keys)
		switch m.IntN(8) {
		case 0:
			delete(v, k)
		case 1:
			v[m.hostileText()] = v[k]
		case 2:
			v[k] = v[pick(m, keys)]
		default:
			v[k] = m.wrongValue(v[k])
		}
	case []any:
		at := m.IntN(len(v))
		if m.IntN(2) == 0 {
			v[at] = v[m.IntN(len(v))]
		} else {
			v[at] = m.wrongValue(v[at])
		}
	}
}

// wrongValue returns JSON of another kind, or of the same and out of range.
func (m *maker) wrongValue(old any) any {
	wrong := []any{nil, true, "", m.hostileText(), m.hostileNumber(), -1, 0, 1e300, 1 << 40, 99999, -2147483649, 0.5, []any{}, map[string]any{}, []any{old}, map[string]any{"value": old}, []any{nil, nil}}
	switch v := old.(type) {
	case string:
		if m.IntN(2) == 0 {
			return m.hostileText()
		}
		if v != "" && m.IntN(3) == 0 {
			return v + " "
		}
	case float64:
		if m.IntN(2) == 0 {
			return []any{-1, v + 1, v * 1e9, -v, v + 0.5, json.Number("1e400"), json.Number("9223372036854775808"), json.Number("-0")}[m.IntN(8)]
		}
	}
	return pick(m, wrong)
}

// changeCell changes one cell or row of a table.
func (m *maker) changeCell(rows [][]string) {
	r := m.IntN(len(rows))
	row := rows[r]
	if len(row) == 0 {
		return
	}
	c := m.IntN(len(row))
	switch m.IntN(7) {
	case 0:
		row[c] = m.hostileNumber()
	case 1:
		row[c] = ""
	case 2:
		rows[r] = row[:c]
	case 3:
		rows[r] = append(slices.Clone(row), fmt.Sprint(m.IntN(100)))
	case 4:
		rows[r] = rows[m.IntN(len(rows))]
	case 5:
		other := m.IntN(len(row))
		row[c], row[other] = row[other], row[c]
	default:
		row[c] = m.hostileText()
	}
}
