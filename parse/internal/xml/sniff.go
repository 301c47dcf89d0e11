package xml

import "strings"

// sniffSize is how much of a text Sniff looks at.
const sniffSize = 64 << 10

// Sniff reports whether text, or the beginning of one, looks like a PTS
// result file in XML, a part of one, or another file with PTS's root element;
// [Read] then says which. Lines of other text may stand before it.
func Sniff(text string) bool {
	text = text[:min(len(text), sniffSize)]
	if at := element(text, rootName); at >= 0 {
		return !looksLikeHTML(text[:at])
	}
	text = strings.TrimLeft(strings.TrimPrefix(text, "\ufeff"), " \t\r\n")
	for strings.HasPrefix(text, "<?") || strings.HasPrefix(text, "<!--") {
		end := "?>"
		if text[1] == '!' {
			end = "-->"
		}
		_, rest, ok := strings.Cut(text, end)
		if !ok {
			return false
		}
		text = strings.TrimLeft(rest, " \t\r\n")
	}
	// Somebody may say in words before a part of a file where it is from.
	if at := strings.IndexByte(text, '<'); at > 0 && text[at-1] == '\n' {
		text = text[at:]
	}
	for _, name := range sectionNames {
		if element(text, name) == 0 {
			return element(text, "Identifier") >= 0 || element(text, "TestClient") >= 0 ||
				element(text, "ResultFormat") >= 0 || element(text, "AssociatedIdentifiers") >= 0
		}
	}
	return false
}

// looksLikeHTML reports whether the text before PTS's root element is that of
// a page which only shows XML.
func looksLikeHTML(before string) bool {
	before = strings.ToLower(before)
	return strings.Contains(before, "<html") || strings.Contains(before, "<!doctype html")
}

// element returns where the first start tag of the name stands, -1 if there
// is none.
func element(text, name string) int {
	for from := 0; ; {
		i := strings.Index(text[from:], "<"+name)
		if i < 0 {
			return -1
		}
		from += i
		rest := text[from+1+len(name):]
		if rest == "" || strings.ContainsAny(rest[:1], " \t\r\n/>") {
			return from
		}
		from++
	}
}
