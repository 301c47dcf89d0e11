package text

import (
	"strings"

	"github.com/benchproof/benchproof/result"
)

// title sets title and description, which collapsed text has no mark
// between.
func (c *collapsed) title() {
	f := c.b.file
	if len(c.systems) == 0 {
		return
	}
	lo, hi := c.titleSpan()
	lo = c.notices(lo, hi)
	raw := c.v.words(lo, hi)
	raw = raw[afterQuestion(raw):]
	f.TitleDescription = raw
	if raw == "" {
		return
	}
	f.TitleSplit = result.DecodeAmbiguous
	f.Title = raw
	if at := descriptionAt(raw, f.Systems); at > 0 {
		f.Title, f.Description = raw[:at-1], raw[at:]
		f.TitleSplit = result.DecodeInferred
	}
}

// notices returns where the notices end that PTS prints above an export when
// it has no network: "[NOTICE] Unable to … disabled/unavailable."
func (c *collapsed) notices(lo, hi int) int {
	const begins, ends = "[NOTICE] ", "disabled/unavailable. "
	start, n := lo, 0
	for strings.HasPrefix(c.text[lo:hi], begins) {
		end := strings.Index(c.text[lo:hi], ends)
		if end < 0 {
			break
		}
		lo, _ = trim(c.text, lo+end+len(ends), hi)
		n++
	}
	if n > 0 {
		c.b.diag(result.SeverityInfo, start, "ignored-text", "notices above the dump: %d", n)
	}
	return lo
}

// titleSpan returns where title and description stand: all before the first
// identifier, but for text of its own lines.
func (c *collapsed) titleSpan() (lo, hi int) {
	lo, hi = trim(c.text, c.from, c.systems[0].at)
	before := c.text[lo:hi]
	// One long line is the whole dump; in wrapped text an empty line ends
	// what stands before it.
	cut := strings.LastIndex(before, "\n\n")
	start := strings.LastIndexByte(c.text[:hi], '\n') + 1
	end := strings.IndexByte(c.text[hi:], '\n')
	if end < 0 {
		end = len(c.text) - hi
	}
	const longLine = 400
	if hi-start+end > longLine && start > lo {
		cut = start - lo - 1
	}
	if cut <= 0 {
		return lo, hi
	}
	start, stop := trim(c.text, lo, lo+cut)
	if start < stop {
		c.b.diag(result.SeverityInfo, start, "ignored-text", "the text from %q on is no part of the dump", clip(c.v.words(start, min(stop, start+80))))
	}
	return lo + cut, hi
}

// descriptionAt returns where the description begins, if it is one that PTS
// made: "NAME testing on SYSTEM via the Phoronix Test Suite.", where NAME is
// a component of a system; "Running TEST via the Phoronix Test Suite."; the
// title once more. It returns 0 for others.
func descriptionAt(raw string, systems []result.System) int {
	const suite = " via the Phoronix Test Suite."
	if half := len(raw) / 2; len(raw)%2 == 1 && raw[half] == ' ' && raw[:half] == raw[half+1:] {
		return half + 1
	}
	if !strings.HasSuffix(raw, suite) {
		return 0
	}
	if at := strings.LastIndex(raw, " Running "); at > 0 {
		test := raw[at+len(" Running ") : len(raw)-len(suite)]
		if strings.IndexByte(test, '/') > 0 && strings.IndexByte(test, ' ') < 0 {
			return at + 1
		}
	}
	testing := strings.LastIndex(raw, " testing with a ")
	if testing < 0 {
		testing = strings.LastIndex(raw, " testing on ")
	}
	if testing < 0 {
		return 0
	}
	longest := 0
	for i := range systems {
		for _, list := range [...][]result.Component{systems[i].Hardware, systems[i].Software} {
			for _, component := range list {
				var name string
				switch component.Key {
				case "Processor":
					name = shortName(component.Value)
				case "System Layer", "Motherboard":
					name = component.Value
				}
				if at := testing - len(name); name != "" && len(name) > longest && at > 0 && raw[at-1] == ' ' && raw[at:testing] == name {
					longest = len(name)
				}
			}
		}
	}
	if longest == 0 {
		return 0
	}
	return testing - longest
}
