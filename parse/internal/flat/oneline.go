package flat

import (
	"regexp"
	"strings"
)

// A page may be pasted with its paragraphs on one line, a blank between them.
// Its graphs repeat their headings, and the systems table its title: that
// tells where the paragraphs end.

var captionMark = regexp.MustCompile(`, (?:Fewer|More) Is Better`)

// splitOneLine divides paragraphs that hold several graphs, or a graph behind
// other text, into what they were made of.
func splitOneLine(lines []line) []line {
	var out []line
	for _, l := range lines {
		marks := captionMark.FindAllStringIndex(l.text, 10_001)
		if len(marks) == 0 || len(marks) > 10_000 || len(marks) == 1 && startsDrawing(l.text[:marks[0][0]]) {
			out = append(out, l)
			continue
		}
		out = append(out, l.divide(marks)...)
	}
	return out
}

// startsDrawing reports whether the text before a caption is that of one
// drawing alone: a legend at most, and the watermark.
func startsDrawing(head string) bool {
	i := strings.LastIndex(head, watermarkSite)
	if j := strings.LastIndex(head, watermarkLocal); i < 0 || j > i {
		i = j
	}
	return i >= 0 && i <= 300 && !strings.Contains(head[:i], watermarkSite)
}

// sub returns the part of a line between two offsets, blanks at its ends
// left out.
func (l line) sub(begin, end int) line {
	s := l.text[begin:end]
	t := strings.TrimLeft(s, " ")
	begin += len(s) - len(t)
	return line{strings.TrimRight(t, " "), l.off + begin}
}

// divide divides a line at its graphs' captions.
func (l line) divide(marks [][]int) []line {
	var out []line
	prev := 0 // end of what has been placed
	for k, m := range marks {
		next := len(l.text)
		if k+1 < len(marks) {
			next = marks[k+1][0]
		}
		mark := watermarkBefore(l.text[prev:m[0]])
		if mark < 0 {
			continue
		}
		mark += prev
		after := l.text[m[1]:next]
		begin, title, drawing := headingsBefore(l.text[prev:mark], after)
		if begin < 0 {
			continue // no headings: it stays with the text before it
		}
		begin, title, drawing = begin+prev, title+prev, drawing+prev
		if k == 0 {
			label := ""
			if title < drawing {
				label = rowLabel(strings.TrimSpace(l.text[title:drawing]))
			}
			out = append(out, l.sub(prev, begin).divideHead(label)...)
		} else if prev < begin {
			out = append(out, l.sub(prev, begin))
		}
		out = append(out, l.sub(begin, title))
		if title < drawing {
			out = append(out, l.sub(title, drawing))
		}
		prev = drawing
	}
	if prev == 0 {
		return []line{l}
	}
	// The footer stands behind the last graph.
	rest := l.sub(prev, len(l.text))
	if i := strings.LastIndex(rest.text, " "+watermarkLocal); i >= 0 && isFooter(rest.text[i+1:]) {
		return append(out, rest.sub(0, i), rest.sub(i+1, len(rest.text)))
	}
	return append(out, rest)
}

// watermarkBefore returns the offset of the last watermark in text, -1 if
// there is none.
func watermarkBefore(text string) int {
	return max(strings.LastIndex(text, watermarkSite), strings.LastIndex(text, watermarkLocal))
}

// headingsBefore finds the headings at the end of text, which ends at a
// graph's watermark, by what the graph repeats behind its caption. It returns
// where the title begins and ends, and where the drawing's text begins: a
// legend may stand before the watermark. All are -1 if the graph repeats none.
func headingsBefore(text, after string) (begin, title, drawing int) {
	const reach = 600
	after = strings.TrimPrefix(after, " ")
	for i := max(0, len(text)-reach); i < len(text); i++ {
		if i > 0 && text[i-1] != ' ' || after == "" || text[i] != after[0] {
			continue
		}
		// The title is what both have in common, up to a blank.
		n := 0
		for i+n < len(text) && n < len(after) && text[i+n] == after[n] {
			n++
		}
		for end := n; end > 0; end-- {
			if i+end < len(text) && text[i+end] != ' ' {
				continue
			}
			// Behind it stand the arguments, which the graph repeats.
			rest := strings.TrimLeft(text[i+end:], " ")
			at := len(text) - len(rest)
			for stop := len(rest); stop > 0; stop-- {
				if stop < len(rest) && rest[stop] != ' ' {
					continue
				}
				args := strings.TrimRight(rest[:stop], " ")
				k := strings.Index(after[end:], drawnArguments(args, false))
				if args == "" || k < 0 || k > 60 {
					continue
				}
				return i, i + end, at + stop
			}
			if len(rest) < 80 && end > 2 && (end == n || end == n-1 && text[i+end] == ' ') {
				return i, i + end, i + end
			}
		}
	}
	return -1, -1, -1
}

// divideHead divides what stands before the first graph: title, description,
// the address, the systems table and the overview, which begins with label
// if the first graph is in it.
func (l line) divideHead(label string) []line {
	best, bestKeys := -1, 0
	for i := 0; i < len(l.text); i++ {
		// Keys run together, or a blank apart, at a word's end or not.
		if !strings.HasPrefix(l.text[i:], "Processor") && !strings.HasPrefix(l.text[i:], "OS") {
			continue
		}
		if keys, _, _ := tableKeys(l.text[i:], ""); len(keys) > bestKeys {
			best, bestKeys = i, len(keys)
		}
	}
	if bestKeys < 3 {
		return []line{l}
	}
	head := l.sub(0, best)
	table := best
	// The table repeats the title, which begins the page.
	if n := repeatedTitle(head.text); n > 0 {
		table = head.off - l.off + len(head.text) - n
		head = l.sub(0, table)
	}
	var out []line
	title := l.text[table:best]
	if title == "" {
		// A multi-way result: nothing tells its title from what follows.
		if i := strings.Index(head.text, "HTML result view exported from"); i > 0 {
			out = append(out, head.sub(0, i), head.sub(i, len(head.text)))
		} else {
			out = append(out, head)
		}
	} else {
		rest := head.sub(min(len(title), len(head.text)), len(head.text))
		out = append(out, head.sub(0, min(len(title), len(head.text))))
		if i := strings.Index(rest.text, "HTML result view exported from"); i >= 0 {
			if i > 0 {
				out = append(out, rest.sub(0, i))
			}
			out = append(out, rest.sub(i, len(rest.text)))
		} else if rest.text != "" {
			out = append(out, rest)
		}
	}
	// The overview begins with the title again, or its first row label.
	body := l.text[best:]
	over := -1
	if title != "" {
		if i := strings.LastIndex(body, " "+title); i >= 0 {
			over = best + i + 1
		}
	} else if i := firstLabel(body, label); i >= 0 {
		over = best + i
	}
	if over < 0 {
		return append(out, l.sub(table, len(l.text)))
	}
	return append(out, l.sub(table, over), l.sub(over, len(l.text)))
}

// repeatedTitle returns the length of the text at the end of head that also
// begins it: the title, repeated by the systems table.
func repeatedTitle(head string) int {
	for n := min(len(head)/2, 300); n > 1; n-- {
		if head[len(head)-n-1] == ' ' && head[n] == ' ' && head[:n] == head[len(head)-n:] {
			return n
		}
	}
	return 0
}

// firstLabel returns where the first row label of an overview begins behind
// the notes of a systems table, -1 if there is none. label is how it goes on
// behind the profile's name, if known.
func firstLabel(body, label string) int {
	end := watermarkBefore(body[:max(0, len(body)-len(watermarkSite))])
	if end < 0 {
		return -1
	}
	for from := end; label != ""; {
		i := strings.Index(body[from:], ": "+label)
		if i < 0 {
			break
		}
		from += i + 1
		if k := strings.LastIndexByte(body[:from-1], ' '); k > end && profileName(body[k+1:]) == body[k+1:from-1] {
			return k + 1
		}
	}
	for i := end; i < len(body); i++ {
		if body[i-1] != ' ' || i+1 < len(body) && body[i] == '-' {
			continue
		}
		name := profileName(body[i:])
		if name == "" || strings.ToLower(name) != name || strings.Contains(body[:i], "- "+name+": ") {
			continue
		}
		if strings.Contains(body[i:], watermarkSite) && !strings.HasSuffix(strings.TrimRight(body[:i], " "), "-") && !strings.HasSuffix(body[:i], "+ ") {
			return i
		}
	}
	return -1
}
