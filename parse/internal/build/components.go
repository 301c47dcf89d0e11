package build

import (
	"strings"

	"github.com/benchproof/benchproof/parse/internal/vocab"
	"github.com/benchproof/benchproof/result"
)

// Components divides "Key: value, Key: value" before known keys: values hold
// commas and colons of their own.
func Components(text string) []result.Component {
	var list []result.Component
	for part := range strings.SplitSeq(text, ", ") {
		key, value, ok := strings.Cut(part, ": ")
		if ok && vocab.KeyKind(key) != vocab.Unknown {
			list = append(list, result.Component{Key: key, Value: strings.TrimSpace(value)})
			continue
		}
		if len(list) == 0 {
			list = append(list, result.Component{Value: part})
			continue
		}
		list[len(list)-1].Value += ", " + part
	}
	return list
}
