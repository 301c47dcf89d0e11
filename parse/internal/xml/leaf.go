package xml

import (
	"slices"
	"strings"

	"github.com/benchproof/benchproof/parse/internal/xmlscan"
	"github.com/benchproof/benchproof/result"
)

// children reads the child elements of an element that is depth elements deep
// and calls read for each. A section that begins inside it ends it, and comes
// next.
func (r *reader) children(depth int, read func(name []byte) error) error {
	for {
		kind, err := r.s.Next()
		if err != nil {
			return err
		}
		switch kind {
		case xmlscan.End:
			if r.s.Depth() < depth {
				return nil
			}
		case xmlscan.Text:
			r.stray()
		case xmlscan.Start:
			if isOuter(r.s.Name()) {
				r.outer()
				return nil
			}
			if err := read(r.s.Name()); err != nil {
				return err
			}
		}
	}
}

// leaf reads the text of the current element.
func (r *reader) leaf() ([]byte, error) {
	r.attributes()
	text, err := r.s.ElementText()
	if err == nil && r.s.Nested() {
		r.file.diags.add(result.SeverityWarning, r.s.Origin(""), "nested-element",
			"elements inside <%s>, read as text without their tags", r.s.Name())
	}
	return text, err
}

// attributes reports attributes of the current element: PTS writes none.
func (r *reader) attributes() {
	if r.s.HasAttrs() {
		r.file.diags.once(clip(r.s.Name()), result.SeverityInfo, r.s.Origin(""), "unknown-attribute",
			"attributes of <%s> are not read", r.s.Name())
	}
}

// set reads the text of the current element into a field. Where the element
// stands twice, the first one holds.
func (r *reader) set(field *string) error {
	text, err := r.leaf()
	if err != nil || len(text) == 0 {
		return err
	}
	if *field == "" {
		*field = r.text.shared(text)
		return nil
	}
	if *field != string(text) {
		r.file.diags.add(result.SeverityWarning, r.s.Origin(""), "repeated-element",
			"a second <%s> says %q; the first holds", r.s.Name(), text)
	}
	return nil
}

// unkept reads an element for which the record has no place, and says so if
// there is anything in it.
func (r *reader) unkept(section string) error {
	name := clip(r.s.Name())
	text, err := r.s.ElementText()
	if err == nil && len(text) > 0 {
		r.file.diags.once(section+" "+name, result.SeverityInfo, r.s.Origin(""), "unkept-element",
			"the record has no place for <%s> of <%s>: %q", name, section, text)
	}
	return err
}

// clip shortens text for a message.
func clip[T string | []byte](text T) string {
	const most = 80
	if len(text) <= most {
		return string(text)
	}
	return strings.ToValidUTF8(string(text[:most]), "") + "…"
}

// arena makes strings of the texts of many elements with few allocations.
// The strings of one chunk live and die together.
type arena struct {
	chunk strings.Builder
	blobs []byte
	list  []string
	known map[string]string
}

const (
	chunkSize = 32 << 10
	listSize  = 1 << 10
	// knownMost and knownLength bound the texts that are kept only once.
	knownMost   = 4096
	knownLength = 128
)

// string returns text as a string of its own.
func (a *arena) string(text []byte) string {
	if len(text) == 0 {
		return ""
	}
	if len(text) > chunkSize/8 {
		return string(text)
	}
	if a.chunk.Cap()-a.chunk.Len() < len(text) {
		a.chunk = strings.Builder{}
		a.chunk.Grow(chunkSize)
	}
	from := a.chunk.Len()
	a.chunk.Write(text)
	return a.chunk.String()[from:]
}

// shared returns text as a string that equal texts share, for what repeats
// from test to test.
func (a *arena) shared(text []byte) string {
	if s, ok := a.known[string(text)]; ok {
		return s
	}
	s := string(text)
	if len(text) <= knownLength && len(a.known) < knownMost {
		if a.known == nil {
			a.known = make(map[string]string)
		}
		a.known[s] = s
	}
	return s
}

// bytes returns a copy of text.
func (a *arena) bytes(text []byte) []byte {
	if len(text) == 0 {
		return nil
	}
	if len(text) > chunkSize/8 {
		return slices.Clone(text)
	}
	if cap(a.blobs)-len(a.blobs) < len(text) {
		a.blobs = make([]byte, 0, chunkSize)
	}
	from := len(a.blobs)
	a.blobs = append(a.blobs, text...)
	return a.blobs[from:len(a.blobs):len(a.blobs)]
}

// rewind says that the lists and blobs of the test that was read are no longer
// used. Strings may be.
func (a *arena) rewind() {
	clear(a.list)
	a.list, a.blobs = a.list[:0], a.blobs[:0]
}

// split divides text at colons into n parts, which is how many it has. empty
// says that one of them is empty.
func (a *arena) split(text string, n int) (parts []string, empty bool) {
	if cap(a.list)-len(a.list) < n {
		a.list = make([]string, 0, max(n, listSize))
	}
	from, start := len(a.list), 0
	for i := 0; i <= len(text); i++ {
		if i == len(text) || text[i] == ':' {
			empty = empty || i == start
			a.list = append(a.list, text[start:i])
			start = i + 1
		}
	}
	return a.list[from:len(a.list):len(a.list)], empty
}
