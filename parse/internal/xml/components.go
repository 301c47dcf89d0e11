package xml

import (
	"strings"

	"github.com/benchproof/benchproof/parse/internal/vocab"
	"github.com/benchproof/benchproof/result"
)

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
		if vocab.KeyKind(k) == vocab.Unknown {
			r.file.diags.once(k, result.SeverityInfo, at, "unknown-component",
				"%q is no known component; kept in the value before it", k+":")
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
	const longest = 24
	for i := 0; i < len(text) && i <= longest; i++ {
		switch c := text[i]; {
		case c >= 'A' && c <= 'Z', c >= 'a' && c <= 'z':
		case c == ':':
			if i > 0 && (i+1 == len(text) || text[i+1] == ' ') && (text[0] >= 'A' && text[0] <= 'Z' || vocab.KeyKind(text[:i]) != vocab.Unknown) {
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
