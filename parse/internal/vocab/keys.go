package vocab

import "strings"

// Kind says on which line of a system PTS prints a component.
type Kind uint8

// The kinds of component keys.
const (
	Unknown  Kind = iota
	Hardware      // Processor, Motherboard, …
	Software      // OS, Kernel, …
)

// componentKeys are the keys of a system's components in PTS's order, those
// of its first years (2008) included. Screen Resolution was hardware then;
// it counts as software, as all later files have it.
var componentKeys = [...]struct {
	name string
	kind Kind
}{
	{"Processor", Hardware},
	{"Motherboard", Hardware},
	{"Motherboard Chipset", Hardware},
	{"Chipset", Hardware},
	{"Memory", Hardware},
	{"System Memory", Hardware},
	{"Disk", Hardware},
	{"Graphics", Hardware},
	{"Accelerator", Hardware},
	{"Audio", Hardware},
	{"Monitor", Hardware},
	{"Network", Hardware},
	{"npu", Hardware},
	{"NPU", Hardware},
	{"OS", Software},
	{"Operating System", Software},
	{"Kernel", Software},
	{"Desktop", Software},
	{"Display Server", Software},
	{"X.Org Server", Software},
	{"Display Driver", Software},
	{"OpenGL", Software},
	{"OpenCL", Software},
	{"Vulkan", Software},
	{"Compiler", Software},
	{"File-System", Software},
	{"Screen Resolution", Software},
	{"System Layer", Software},
}

// KeyKind returns the kind of a component key, Unknown for any other text.
func KeyKind(key string) Kind {
	for i := range componentKeys {
		if componentKeys[i].name == key {
			return componentKeys[i].kind
		}
	}
	return Unknown
}

// Key is one of the known component keys. Keys are small numbers, below 64.
type Key uint8

// Name returns the key as PTS prints it.
func (k Key) Name() string { return componentKeys[k].name }

// Kind returns the key's kind, never Unknown.
func (k Key) Kind() Kind { return componentKeys[k].kind }

// keysByEnd are the keys by their last byte.
var keysByEnd = func() (byEnd [128][]Key) {
	for i := range componentKeys {
		name := componentKeys[i].name
		last := name[len(name)-1]
		byEnd[last] = append(byEnd[last], Key(i))
	}
	return byEnd
}()

// KeyBefore returns the longest component key that ends at the end of text
// and starts at its start or behind a byte that is no letter or digit. White
// space inside the key may be any run of white space. start is the key's
// offset in text; ok is false if no key ends there.
func KeyBefore(text string) (start int, key Key, ok bool) {
	if text == "" || text[len(text)-1] >= 128 {
		return 0, 0, false
	}
	for _, k := range keysByEnd[text[len(text)-1]] {
		if ok && len(k.Name()) <= len(key.Name()) {
			continue
		}
		at, match := suffix(text, k.Name())
		if match && (at == 0 || !isWord(text[at-1])) {
			start, key, ok = at, k, true
		}
	}
	return start, key, ok
}

// suffix returns where words begins in text if text ends with it, one space
// of words standing for any run of white space.
func suffix(text, words string) (int, bool) {
	i := len(text)
	for j := len(words) - 1; j >= 0; j-- {
		if words[j] != ' ' {
			if i == 0 || text[i-1] != words[j] {
				return 0, false
			}
			i--
			continue
		}
		end := i
		for i > 0 && isSpace(text[i-1]) {
			i--
		}
		if i == end {
			return 0, false
		}
	}
	return i, true
}

// StartsWithKey reports whether text begins with a component key and ": ",
// or ":" at its end, and which.
func StartsWithKey(text string) (key string, ok bool) {
	colon := strings.IndexByte(text, ':')
	if colon <= 0 || colon > 32 || colon+1 < len(text) && !isSpace(text[colon+1]) {
		return "", false
	}
	if KeyKind(text[:colon]) == Unknown {
		return "", false
	}
	return text[:colon], true
}

func isSpace(c byte) bool { return c == ' ' || c >= '\t' && c <= '\r' }

func isWord(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c >= 0x80
}
