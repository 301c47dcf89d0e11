package vocab

import (
	"strings"

	"github.com/benchproof/benchproof/result"
)

// Components divides a system's hardware or software as PTS prints it
// ("Key: value, Key: value") into its components, in order.
//
// Values hold commas and colons, so a component begins only where ", " is
// followed by a known key and ":", or by one to three capitalised words and
// ": " (a key of another version of PTS). Text before the first key becomes
// a component without a key. It returns nil for "".
func Components(text string) []result.Component {
	if text == "" {
		return nil
	}
	components := make([]result.Component, 0, 1+strings.Count(text, ", "))
	start := 0
	for i := 0; ; {
		comma := strings.Index(text[i:], ", ")
		if comma < 0 {
			break
		}
		i += comma
		if beginsComponent(text[i+2:]) {
			components = append(components, component(text[start:i]))
			start = i + 2
		}
		i += 2
	}
	return append(components, component(text[start:]))
}

// component divides one "Key: value".
func component(text string) result.Component {
	key, value, ok := strings.Cut(text, ": ")
	if !ok {
		if key, ok = strings.CutSuffix(text, ":"); ok {
			return result.Component{Key: key}
		}
		return result.Component{Value: text}
	}
	if KeyKind(key) == Unknown && !looksLikeKey(key) {
		return result.Component{Value: text}
	}
	return result.Component{Key: key, Value: value}
}

func beginsComponent(text string) bool {
	// 32 bytes hold every key; a value's colon further on is not looked for.
	colon := strings.IndexByte(text[:min(len(text), 32)], ':')
	if colon <= 0 || colon+1 < len(text) && text[colon+1] != ' ' {
		return false
	}
	return KeyKind(text[:colon]) != Unknown || looksLikeKey(text[:colon])
}

// looksLikeKey reports whether text has the form of PTS's component keys:
// one to three words of letters, each capitalised.
func looksLikeKey(text string) bool {
	words := 0
	for word := range strings.SplitSeq(text, " ") {
		words++
		if words > 3 || len(word) < 2 || word[0] < 'A' || word[0] > 'Z' {
			return false
		}
		for _, c := range word {
			if (c|0x20 < 'a' || c|0x20 > 'z') && c != '-' && c != '.' {
				return false
			}
		}
	}
	return true
}
