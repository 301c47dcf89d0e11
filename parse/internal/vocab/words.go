package vocab

import "strings"

// TitlePrefix returns the longest known test title that text begins with, to
// the end of a word; "" if there is none. Words of text are separated by
// single spaces.
func TitlePrefix(text string) string {
	for _, title := range load().titles[firstWord(text)] {
		if strings.HasPrefix(text, title) && (len(text) == len(title) || text[len(title)] == ' ') {
			return title
		}
	}
	return ""
}

// Unversioned reports whether title is a known one that is only ever
// published without a version.
func Unversioned(title string) bool { return load().unversioned[title] }

// ScaleSuffix returns the longest known unit of at most so many bytes that
// text ends with, from the start of a word; "" if there is none. Words of
// text are separated by single spaces.
func ScaleSuffix(text string, most int) string { return longestSuffix(load().scales, text, most) }

// OptionSuffix returns the longest known option key that text ends with,
// from the start of a word ("Block Size" for "3.1 Block Size"); "" if there
// is none. Words of text are separated by single spaces.
func OptionSuffix(text string) string { return longestSuffix(load().options, text, len(text)) }

// Caption reports whether text is the whole of a test's arguments that has
// no option key ("Timed SQLite Insertions").
func Caption(text string) bool {
	// What PTS itself writes where a test says nothing.
	version, ok := strings.CutPrefix(text, "Phoronix Test Suite v")
	return ok && strings.IndexByte(version, ' ') < 0 || load().captions[text]
}

// CaptionSuffix returns the longest known caption that text ends with, from
// the start of a word; "" if there is none.
func CaptionSuffix(text string) string {
	// No caption is longer; the bound keeps long texts from costing more.
	const longest = 96
	i := 0
	if len(text) > longest {
		space := strings.IndexByte(text[len(text)-longest:], ' ')
		if space < 0 {
			return ""
		}
		i = len(text) - longest + space + 1
	}
	for i < len(text) {
		if Caption(text[i:]) {
			return text[i:]
		}
		space := strings.IndexByte(text[i:], ' ')
		if space < 0 {
			break
		}
		i += space + 1
	}
	return ""
}

func longestSuffix(m map[string][]string, text string, most int) string {
	for _, entry := range m[lastWord(text)] {
		at := len(text) - len(entry)
		if at >= 0 && len(entry) <= most && text[at:] == entry && (at == 0 || text[at-1] == ' ') {
			return entry
		}
	}
	return ""
}
