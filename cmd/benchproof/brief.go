package main

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// What messages show of texts from an input, in letters. A name may be as long
// as the input likes; tables and JSON have it whole.
const (
	briefName = 80   // of a name or what stands in quotes
	briefWord = 255  // without a space: what is longer is no path, and cut as a name
	briefLine = 1000 // of a message
)

// brief returns text without the middle of what is quoted or is one word and
// too long for a message.
func brief(text string) string {
	if len(text) <= briefName {
		return text
	}
	return cutMiddle(cutWords(cutQuotes(text)), briefLine)
}

// cutMiddle returns text with an ellipsis for its middle where it has more
// than n letters.
func cutMiddle(text string, n int) string {
	letters := utf8.RuneCountInString(text)
	if letters <= n {
		return text
	}
	head := (n - 1) * 2 / 3
	tail := letters - (n - 1 - head)
	var b strings.Builder
	at := 0
	for i, r := range text {
		switch {
		case at == head:
			b.WriteString("…")
		case at == tail:
			b.WriteString(text[i:])
			return b.String()
		case at < head:
			b.WriteRune(r)
		}
		at++
	}
	return b.String()
}

// cutQuotes cuts what stands in double quotes, in which \" is no end.
func cutQuotes(text string) string {
	var b strings.Builder
	for {
		open := strings.IndexByte(text, '"')
		if open < 0 {
			break
		}
		end := open + 1
		for end < len(text) && text[end] != '"' {
			if text[end] == '\\' {
				end++
			}
			end++
		}
		if end >= len(text) {
			break
		}
		b.WriteString(text[:open+1])
		b.WriteString(cutMiddle(text[open+1:end], briefName))
		b.WriteByte('"')
		text = text[end+1:]
	}
	b.WriteString(text)
	return b.String()
}

// cutWords cuts words that are longer than any path.
func cutWords(text string) string {
	var b strings.Builder
	for text != "" {
		end := strings.IndexFunc(text, unicode.IsSpace)
		if end < 0 {
			end = len(text)
		}
		word := text[:end]
		if utf8.RuneCountInString(word) > briefWord {
			word = cutMiddle(word, briefName)
		}
		b.WriteString(word)
		text = text[end:]
		if text != "" {
			_, n := utf8.DecodeRuneInString(text)
			b.WriteString(text[:n])
			text = text[n:]
		}
	}
	return b.String()
}
