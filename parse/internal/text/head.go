package text

import (
	"strings"

	"github.com/benchproof/benchproof/parse/internal/vocab"
	"github.com/benchproof/benchproof/result"
)

// head is what stands above the rows of a test.
type head struct {
	at                          int
	title, version, args, scale string
	proportion                  result.Proportion
	decode                      result.Decode
	scaleKnown                  bool
}

// clear takes out of a head what is no part of one, such as the bars of rows
// that were before it.
func (h *head) clear() {
	if isWreck(h.title) {
		h.title, h.version = "", ""
	}
	for _, part := range [...]*string{&h.version, &h.args, &h.scale} {
		if isWreck(*part) {
			*part = ""
		}
	}
}

// splitTitle divides a line "TITLE VERSION". sure is false where rules alone
// decided it.
func splitTitle(line string) (title, version string, sure bool) {
	if title = vocab.TitlePrefix(line); title != "" {
		version = strings.TrimPrefix(line[len(title):], " ")
		if version == "" || versionLength(version) == len(version) {
			return title, version, true
		}
	}
	// The version is the last word, or the last two ("1.1 Beta").
	at := strings.LastIndexByte(line, ' ') + 1
	if before := strings.LastIndexByte(line[:max(0, at-1)], ' ') + 1; before > 0 && isStage(line[at:]) {
		at = before
	}
	if at > 0 && versionLength(line[at:]) == len(line)-at {
		return line[:at-1], line[at:], false
	}
	return line, "", false
}

// splitHead divides "TITLE VERSION ARGUMENTS SCALE", words that single
// spaces separate, into its parts. Version and arguments may be absent.
//
// Of several known units that end the text the longest is taken with which a
// known title and its arguments are whole ("Numpy Benchmark Score").
func splitHead(text string) head {
	var first head
	for scale := vocab.ScaleSuffix(text, len(text)); scale != ""; scale = vocab.ScaleSuffix(text, len(scale)-1) {
		h := splitBefore(text, scale)
		if h.decode == result.DecodeExact {
			return h
		}
		if first.scale == "" {
			first = h
		}
	}
	if first.scale != "" {
		return first
	}
	h := splitBefore(text, guessScale(text))
	h.decode = result.DecodeInferred
	h.scaleKnown = false
	return h
}

// splitBefore divides what stands before a unit.
func splitBefore(text, scale string) head {
	h := head{scale: scale, decode: result.DecodeInferred, scaleKnown: true}
	rest := strings.TrimSuffix(text[:len(text)-len(scale)], " ")
	if h.title = vocab.TitlePrefix(rest); h.title != "" {
		tail := strings.TrimPrefix(rest[len(h.title):], " ")
		if version, args, fits, sure := splitTail(h.title, tail); fits {
			h.version, h.args = version, args
			if sure {
				h.decode = result.DecodeExact
			}
			return h
		}
	}
	h.title, h.version, h.args = guessHead(rest)
	return h
}

// splitTail divides what stands behind a known title into version and
// arguments. fits is false where the title must be a longer one.
func splitTail(title, tail string) (version, args string, fits, sure bool) {
	if tail == "" || vocab.Caption(tail) {
		return "", tail, true, true
	}
	option, known := optionAt(tail)
	if option == 0 && known {
		return "", tail, true, true
	}
	if n := versionLength(tail); n > 0 && !(vocab.Unversioned(title) && isQuantity(tail)) {
		args = strings.TrimPrefix(tail[n:], " ")
		return tail[:n], args, true, vocab.TitlePrefix(args) != title // a head twice
	}
	// An unknown caption, or an option key that is not known: the title's
	// words may go on. If a version follows, they do.
	words := tail
	if option >= 0 {
		words = tail[:option]
	}
	if version, _ := versionIn(words); version > 0 {
		return "", "", false, false
	}
	return "", tail, true, false
}

// guessHead divides "TITLE VERSION ARGUMENTS" of an unknown title. The
// version is the word before the first option, if it looks like one, else
// the first word that does; the title is what stands before it.
func guessHead(text string) (title, version, args string) {
	option := optionBehindTitle(text)
	words := text
	if option > 0 {
		words = text[:option-1]
		if title, version, _ := splitTitle(words); version != "" {
			return title, version, text[option:]
		}
	}
	if at, n := versionIn(words); at > 0 {
		return text[:at-1], text[at : at+n], strings.TrimPrefix(text[at+n:], " ")
	}
	if option < 0 {
		if caption := vocab.CaptionSuffix(text); caption != "" && len(caption) < len(text) {
			option = len(text) - len(caption)
		}
	}
	if option > 0 {
		return text[:option-1], "", text[option:]
	}
	return text, "", ""
}

// optionBehindTitle returns where the first option with a known key begins,
// or else the first with any key, that has words before it; -1 if there is
// none. Titles hold colons too ("Total War: Three Kingdoms").
func optionBehindTitle(text string) int {
	first := -1
	for from := 0; ; {
		at, known := optionAt(text[from:])
		if at < 0 {
			return first
		}
		// The words before the colon may reach back over from.
		colon := from + strings.Index(text[from:], ": ")
		if key := vocab.OptionSuffix(text[:colon]); known && colon-len(key) > 0 {
			return colon - len(key)
		}
		if first < 0 && from+at > 0 {
			first = from + at
		}
		from = colon + 1
	}
}

// optionAt returns where the first option ("Key: value") of text begins, -1
// if there is none, and whether its key is a known one. Of an unknown key
// only the last word counts.
func optionAt(text string) (at int, known bool) {
	colon := strings.Index(text, ": ")
	if colon <= 0 {
		return -1, false
	}
	if key := vocab.OptionSuffix(text[:colon]); key != "" {
		return colon - len(key), true
	}
	return strings.LastIndexByte(text[:colon], ' ') + 1, false
}

// versionIn returns the place and length of the first version in text that
// is not its first word; 0 if there is none.
func versionIn(text string) (at, length int) {
	for {
		space := strings.IndexByte(text[at:], ' ')
		if space < 0 {
			return 0, 0
		}
		at += space + 1
		n := versionLength(text[at:])
		if n == 0 || isQuantity(text[at:]) {
			continue
		}
		// "Doom 3 1.3.1": the last of several in a row.
		for at+n < len(text) {
			next := versionLength(text[at+n+1:])
			if next == 0 || strings.IndexByte(text[at+n+1:at+n+1+next], '.') < 0 {
				break
			}
			at, n = at+n+1, next
		}
		return at, n
	}
}

// versionLength returns the length of the version that text begins with: a
// word that begins with a digit, or with v, r or b and a digit, and a word
// such as Beta behind it. 0 if there is none.
func versionLength(text string) int {
	end := strings.IndexByte(text, ' ')
	if end < 0 {
		end = len(text)
	}
	if end == 0 {
		return 0
	}
	i := 0
	if strings.IndexByte("vVrRb", text[0]) >= 0 {
		i = 1
	}
	if i >= end || !isDigit(text[i]) {
		return 0
	}
	for ; i < end; i++ {
		if c := text[i]; !isDigit(c) && (c|0x20 < 'a' || c|0x20 > 'z') && strings.IndexByte(".-+_~", c) < 0 {
			return 0
		}
	}
	if end < len(text) {
		next := text[end+1:]
		if i := strings.IndexByte(next, ' '); i >= 0 {
			next = next[:i]
		}
		if isStage(next) {
			return end + 1 + len(next)
		}
	}
	return end
}

// isStage reports whether a word goes on a version.
func isStage(word string) bool {
	switch word {
	case "Alpha", "Beta", "alpha", "beta", "RC", "RC1", "RC2", "RC3", "Preview":
		return true
	}
	return false
}

// isQuantity reports whether text begins with a word such as 2GB, 4K, 1080p
// or 1920x1080: it looks like a version and is none.
func isQuantity(text string) bool {
	if end := strings.IndexByte(text, ' '); end >= 0 {
		text = text[:end]
	}
	i := 0
	for i < len(text) && (isDigit(text[i]) || text[i] == '.') {
		i++
	}
	if i == 0 {
		return false
	}
	switch text[i:] {
	case "B", "KB", "MB", "GB", "TB", "KiB", "MiB", "GiB", "TiB", "K", "M", "G", "k", "m", "p", "Hz", "MHz", "GHz", "D", "bit", "-bit", "s", "ms":
		return true
	}
	if text[i:] == "" {
		return false
	}
	return text[i] == 'x' && i+1 < len(text) && isDigit(text[i+1])
}

// guessScale returns the unit at the end of a head whose unit is unknown:
// the last word, or "X Per Y", "X / Y".
func guessScale(text string) string {
	at := strings.LastIndexByte(text, ' ') + 1
	if at < 2 {
		return text[at:]
	}
	joint := strings.LastIndexByte(text[:at-1], ' ') + 1
	switch text[joint : at-1] {
	case "Per", "per", "/":
		if joint > 1 {
			return text[strings.LastIndexByte(text[:joint-1], ' ')+1:]
		}
	}
	return text[at:]
}
