package torture

import (
	"bytes"
	"fmt"
	"strings"
)

// entities makes XML of which the reader must not do what it says: entities
// that grow, or stand outside.
func (m *maker) entities() bool {
	if !m.seedOf("xml") {
		return false
	}
	dtds := []string{
		laughs(), "<!DOCTYPE x [<!ENTITY a SYSTEM \"file:///etc/passwd\">]>", "<!DOCTYPE x [<!ENTITY a PUBLIC \"p\" \"http://" + Marker + ".example/\">]>",
		"<!DOCTYPE x SYSTEM \"http://" + Marker + ".example/x.dtd\">", "<!DOCTYPE x [<!ENTITY % p SYSTEM \"" + Escape + "\"> %p;]>", "<!DOCTYPE x [<!ENTITY a \"&a;\">]>",
		"<!DOCTYPE x [<!ENTITY a \"<Value>1</Value>\">]>", "<!DOCTYPE x [" + strings.Repeat("<!ELEMENT a ANY>", 2000) + "]>", "<!DOCTYPE x [", "<?xml-stylesheet href=\"http://" + Marker + "\"?>",
	}
	data := m.seed.Data
	at := bytes.Index(data, []byte("<PhoronixTestSuite"))
	if at < 0 {
		return false
	}
	text := string(data[:at]) + pick(m, dtds) + string(data[at:])
	for range m.IntN(4) {
		if next, ok := m.replaceElement([]byte(text), pick(m, []string{"&a;", "&lol9;", "&p;", "%p;", "&#x41;", "&#99999999999;", "&nbsp;", "&amp;lt;", "&a", "<![CDATA[&a;]]>", "<xi:include href=\"file:///etc/passwd\"/>"})); ok {
			text = string(next)
		}
	}
	return m.set([]byte(text))
}

// laughs is a declaration of entities that grow tenfold, nine times.
func laughs() string {
	var b strings.Builder
	b.WriteString("<!DOCTYPE x [<!ENTITY lol0 \"lol\">")
	for i := 1; i < 10; i++ {
		fmt.Fprintf(&b, "<!ENTITY lol%d \"%s\">", i, strings.Repeat(fmt.Sprintf("&lol%d;", i-1), 10))
	}
	b.WriteString("<!ENTITY a \"&lol9;\">]>")
	return b.String()
}

// nest makes a form deep.
func (m *maker) nest() bool {
	n := []int{10, 63, 64, 65, 200, 1000, 10001, 100000}[m.IntN(8)]
	open, end := "[", "]"
	switch m.seed.Form {
	case "xml":
		open, end = "<Result>", "</Result>"
	case "html":
		open = pick(m, []string{"<div>", "<table><tr><td>", "<b>", "<svg>", "<a>", "<ul><li>", "<font>", "<math><mi>", "<select>", "<template>"})
		end = pick(m, []string{"", "</div>"})
		n = min(n, 10001)
	case "json":
		open, end = `{"files":[`, `]}`
	case "csv", "text":
		open, end = pick(m, []string{"(", "\"", "[", "<a>", "- ", ": "}), ")"
	}
	data := m.seed.Data
	at := m.IntN(len(data) + 1)
	if m.seed.Form != "text" {
		if all := leaf.FindAllIndex(data, -1); len(all) > 0 {
			at = pick(m, all)[0] + 1
		} else if all := quoted.FindAllIndex(data, -1); len(all) > 0 {
			at = pick(m, all)[0]
		}
	}
	out := string(data[:at]) + strings.Repeat(open, n)
	if m.IntN(2) == 0 {
		out += strings.Repeat(end, n) + string(data[at:])
	}
	return m.set([]byte(out))
}

// long makes a line, a name or a list of very many bytes.
func (m *maker) long() bool {
	n := []int{1 << 12, 1 << 16, 1 << 18, 1 << 20}[m.IntN(4)]
	part := pick(m, []string{"a", "1", " ", "=", "a,", "\"\"", "SE +/- 0.1, N = 3", "A . 1.0 |=", "1.5", "N = 3", "&lt;", "日", "x: y, ", "HIB", "<b>", "\n", "|", "\t", "EXT4", "0", ": ", " + ", "#", ";1", "\x00"})
	data := m.seed.Data
	at := m.IntN(len(data) + 1)
	return m.set([]byte(string(data[:at]) + strings.Repeat(part, n/len(part)) + string(data[at:])))
}

// big makes a result of very many systems, tests or both.
func (m *maker) big() bool {
	m.in.Heavy = true
	m.seed = Seed{}
	systems, tests := 3, 3
	switch m.IntN(5) {
	case 0:
		systems = 100_000
	case 1:
		systems = 10_001
	case 2:
		tests = 1_000_001
	case 3:
		tests = 50_000
	default:
		systems, tests = 9_000, 12
	}
	var b bytes.Buffer
	if m.IntN(2) == 0 {
		bigXML(&b, systems, tests)
		m.seed.Form = "xml"
	} else {
		bigJSON(&b, systems, tests)
		m.seed.Form = "json"
	}
	return m.set(b.Bytes())
}

// bigXML writes a composite.xml. All systems have a value in the first tests,
// as many as make a hundred thousand in all; the others have one each.
func bigXML(b *bytes.Buffer, systems, tests int) {
	b.WriteString("<?xml version=\"1.0\"?>\n<PhoronixTestSuite><Generated><Title>big</Title></Generated>\n")
	for i := range systems {
		fmt.Fprintf(b, "<System><Identifier>S%d</Identifier><Hardware>Processor: P%d</Hardware></System>\n", i, i)
	}
	for i := range tests {
		fmt.Fprintf(b, "<Result><Identifier>pts/x-1.0.0</Identifier><Title>T%d</Title><Scale>s</Scale><Proportion>LIB</Proportion><DisplayFormat>BAR_GRAPH</DisplayFormat><Data>", i)
		for j := range perTest(systems, i) {
			fmt.Fprintf(b, "<Entry><Identifier>S%d</Identifier><Value>%d.%d</Value></Entry>", j, i+1, j)
		}
		b.WriteString("</Data></Result>\n")
	}
	b.WriteString("</PhoronixTestSuite>\n")
}

func perTest(systems, test int) int {
	if (test+1)*systems <= 100_000 {
		return systems
	}
	return 1
}

// bigJSON writes the same as our own record.
func bigJSON(b *bytes.Buffer, systems, tests int) {
	b.WriteString(`{"schema":"benchproof/result/1","files":[{"title":"big","source":"big","format":"record","systems":[`)
	for i := range systems {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(b, `{"identifier":"S%d"}`, i)
	}
	b.WriteString(`],"tests":[`)
	for i := range tests {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(b, `{"title":"T%d","scale":"s","proportion":"LIB","measurements":[`, i)
		for j := range perTest(systems, i) {
			if j > 0 {
				b.WriteByte(',')
			}
			fmt.Fprintf(b, `{"system_index":%d,"value":"%d.%d"}`, j, i+1, j)
		}
		b.WriteString(`]}`)
	}
	b.WriteString(`]}]}`)
}
