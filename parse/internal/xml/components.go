package xml

import (
	"fmt"
	"strings"

	"github.com/benchproof/benchproof/result"
)

// componentKeys are the keys of hardware and software strings that PTS has
// written so far.
var componentKeys = func() map[string]bool {
	keys := make(map[string]bool)
	for _, k := range []string{
		// Hardware.
		"Processor", "Motherboard", "Chipset", "Memory", "Disk", "Graphics", "Audio", "Monitor",
		"Network", "NPU", "npu",
		// Software.
		"OS", "Kernel", "Desktop", "Display Server", "Display Driver", "OpenGL", "OpenCL", "Vulkan",
		"Compiler", "File-System", "Screen Resolution", "System Layer",
		// PTS before 3.0.
		"Motherboard Chipset", "System Memory", "X.Org Server", "X Server",
	} {
		keys[k] = true
	}
	return keys
}()

// longestKey is longer than every key of componentKeys.
const longestKey = 24

// components divides a hardware or software string, "Key: value, Key: value".
// Values hold commas and colons of their own, so it divides only before a
// known key; the first component's key may be any. What looks like a key but
// is none that is known stays in the value before it, and is reported.
func (r *reader) components(text string, at result.Origin) []result.Component {
	text = strings.TrimSpace(text)
	if text == "" {
		return nil
	}
	var list []result.Component
	key, start := componentKey(text), 0
	for i := 0; ; {
		next := strings.Index(text[i:], ", ")
		if next < 0 {
			break
		}
		next += i
		i = next + 2
		k := componentKey(text[i:])
		if k == "" {
			continue
		}
		if !componentKeys[k] {
			r.file.diags.once("component "+k, result.SeverityInfo, at, "unknown-component",
				fmt.Sprintf("%q is no known component; kept in the value before it", k+":"))
			continue
		}
		list = append(list, component(key, text[start:next]))
		key, start = k, i
	}
	return append(list, component(key, text[start:]))
}

// component makes a component of "Key: value".
func component(key, text string) result.Component {
	if key != "" {
		text = text[len(key)+1:]
	}
	return result.Component{Key: key, Value: strings.TrimSpace(text)}
}

// componentKey returns what stands before the colon that ends the key at the
// front of text, "" if there is no key. A key begins with a letter, and none
// is long or holds anything but letters, digits and a few marks.
func componentKey(text string) string {
	for i := 0; i < len(text) && i <= longestKey; i++ {
		switch c := text[i]; {
		case c >= 'A' && c <= 'Z', c >= 'a' && c <= 'z':
		case c == ':':
			if i > 0 && (i+1 == len(text) || text[i+1] == ' ') && (text[0] >= 'A' && text[0] <= 'Z' || componentKeys[text[:i]]) {
				return text[:i]
			}
			return ""
		case i > 0 && (c == ' ' || c == '-' || c == '.' || c >= '0' && c <= '9'):
		default:
			return ""
		}
	}
	return ""
}
