package text

import (
	"strings"

	"github.com/benchproof/benchproof/result"
)

// resolve divides the identifiers of the systems from the values before
// them, and the last value from the first head, and adds the systems to the
// record. first is the first stop behind the systems.
func (c *collapsed) resolve(first stop) {
	candidates := make([][]string, len(c.systems))
	owners := make(map[string]int)
	for i := range c.systems {
		s := &c.systems[i]
		c.suffixes(s.before.start, s.before.end, func(text string) bool {
			if c.idents[text] {
				candidates[i] = append(candidates[i], text)
			}
			return true
		})
		if len(candidates[i]) == 1 {
			owners[candidates[i][0]]++
		}
	}
	values := make(map[string]map[string]bool) // of the last components, by key
	for _, sure := range [...]bool{true, false} {
		for i := range c.systems {
			if s := &c.systems[i]; !s.named {
				c.choose(i, candidates[i], owners, values, sure)
			}
		}
	}
	for i := range c.systems {
		c.addSystem(i)
	}
	c.begin(first, values)
}

// choose takes the identifier of a system from the candidates. In the first
// pass (sure) only what needs no guess is taken.
func (c *collapsed) choose(i int, candidates []string, owners map[string]int, values map[string]map[string]bool, sure bool) {
	s := &c.systems[i]
	key := ""
	if i > 0 {
		if last := c.systems[i-1].lastComponent(); last != nil {
			key = last.Key
		}
	}
	left := make([]string, 0, len(candidates))
	free := 0
	for _, ident := range candidates {
		if i > 0 && fitsKey(key, c.valueBefore(s, ident), values) == no {
			continue
		}
		left = append(left, ident)
		if owners[ident] == 0 {
			free++
		}
	}
	if len(left) > 1 && free > 0 {
		// What another system surely is named, this one is not.
		kept := left[:0]
		for _, ident := range left {
			if owners[ident] == 0 {
				kept = append(kept, ident)
			}
		}
		left = kept
	}
	switch {
	case len(left) == 1:
		c.name(s, left[0], result.DecodeExact)
	case sure:
		return
	case len(left) > 1:
		ident := left[0]
		for _, other := range left {
			if i > 0 && fitsKey(key, c.valueBefore(s, other), values) == yes {
				ident = other
				break
			}
		}
		c.name(s, ident, result.DecodeInferred)
	default:
		ident, ruled := c.guess(i, key, values)
		c.name(s, ident, result.DecodeInferred)
		if ruled {
			c.b.diag(result.SeverityInfo, s.at, "identifier-guessed", "no row names the system %q; its name is what follows the value before it", s.ident)
		} else {
			c.b.diag(result.SeverityWarning, s.at, "identifier-guessed", "no row names this system; %q is a guess", s.ident)
		}
	}
	if i > 0 && key != "" {
		value := c.valueBefore(s, s.ident)
		c.systems[i-1].lastComponent().Value = value
		if s.decode == result.DecodeExact {
			if values[key] == nil {
				values[key] = make(map[string]bool)
			}
			values[key][value] = true
		}
	}
}

// name gives a system its identifier.
func (c *collapsed) name(s *rawSystem, ident string, decode result.Decode) {
	s.ident, s.decode, s.named = ident, decode, true
	s.at = backWords(c.text, s.before.end, words(ident))
}

// valueBefore returns the value that stands before an identifier.
func (c *collapsed) valueBefore(s *rawSystem, ident string) string {
	at := backWords(c.text, s.before.end, words(ident))
	return c.v.words(s.before.start, max(at, s.before.start))
}

// guess returns the identifier of a system that no row names, and whether
// the form of the value before it decided.
func (c *collapsed) guess(i int, key string, values map[string]map[string]bool) (ident string, ruled bool) {
	s := &c.systems[i]
	if i > 0 {
		if end, sure := valueEnd(c, key, s.before.start, s.before.end, values); end < s.before.end {
			if ident := c.v.words(end, s.before.end); ident != "" {
				return ident, sure
			}
		}
	}
	text := c.v.words(max(s.before.start, s.before.end-1024), s.before.end)
	// PTS proposes the processor's name.
	for _, component := range s.hardware {
		name := shortName(component.Value)
		if component.Key == "Processor" && name != "" && strings.HasSuffix(text, " "+name) {
			return name, false
		}
	}
	return text[strings.LastIndexByte(text, ' ')+1:], false
}

// shortName returns a processor's name without its frequency and cores.
func shortName(processor string) string {
	for _, mark := range [...]string{" @ ", " ("} {
		if at := strings.Index(processor, mark); at > 0 {
			processor = processor[:at]
		}
	}
	return processor
}

// addSystem adds a system to the record.
func (c *collapsed) addSystem(i int) {
	s := &c.systems[i]
	at := c.b.addSystem(s.ident, s.at, "text/collapsed-system", s.decode)
	if at < 0 || c.b.err != nil {
		return
	}
	c.b.file.Systems[at].Hardware = s.hardware
	c.b.file.Systems[at].Software = s.software
}

// begin finds where the last system's last value ends and the first head
// begins.
func (c *collapsed) begin(first stop, values map[string]map[string]bool) {
	c.firstHead, c.firstSure = c.from, true
	if len(c.systems) == 0 {
		return
	}
	s := &c.systems[len(c.systems)-1]
	component := s.lastComponent()
	end, sure := valueEnd(c, component.Key, s.last, first.at, values)
	if first.at == c.to && !sure {
		end = c.to // no test follows: all may be the value
	}
	component.Value = c.v.words(s.last, end)
	// The record has its own copy of the slices' headers, not of the
	// components, so the value is in the record too.
	c.firstHead, c.firstSure = end, sure
	if !sure && first.at < c.to {
		c.b.diag(result.SeverityInfo, s.last, "value-guessed", "nothing marks where the value %q ends and the first test begins", component.Value)
	}
}
