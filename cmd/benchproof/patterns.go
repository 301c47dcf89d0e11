package main

import (
	"errors"
	"fmt"
	"regexp"
	"regexp/syntax"
	"strings"
)

// patterns are the regular expressions that one flag was given, of which one
// must match. They remember what they were tried on, to help where one matched
// nothing.
type patterns struct {
	flag, what string // "--test", "test"
	list       []pattern
	// names are what was tried, each once, an alias behind a tab.
	names []string
	seen  map[string]bool
	// texts are what was matched, each once, where it is more than the name.
	texts []string
}

// pattern is one regular expression.
type pattern struct {
	text    string
	re      *regexp.Regexp
	anyCase *regexp.Regexp // the same for upper and lower case; nil if there is none
	hit     bool           // it has matched something
	near    string         // the first name that only anyCase matched
}

// maxNames bounds the names that are kept.
const maxNames = 2000

func compile(flag, what string, texts []string) (patterns, error) {
	p := patterns{flag: flag, what: what, seen: map[string]bool{}}
	for _, t := range texts {
		re, err := regexp.Compile(t)
		if err != nil {
			return p, patternError(flag, t, err)
		}
		anyCase, _ := regexp.Compile("(?i)" + t) // nil is allowed
		p.list = append(p.list, pattern{text: t, re: re, anyCase: anyCase})
	}
	return p, nil
}

// patternError is the error of a text that is no regular expression.
func patternError(flag, text string, err error) error {
	reason := err.Error()
	var e *syntax.Error
	if errors.As(err, &e) {
		if reason = e.Code.String(); e.Expr != text {
			reason += fmt.Sprintf(" in %q", e.Expr)
		}
	}
	return usage("quote a character that has a meaning with a backslash", fmt.Errorf("%s %q: %s", flag, text, reason))
}

// active reports whether anything is to be left out.
func (p *patterns) active() bool { return len(p.list) > 0 }

// match reports whether one of the patterns matches text; no patterns match
// everything. Name and alias are how a hint would call it.
func (p *patterns) match(text, name, alias string) bool {
	found, missed := len(p.list) == 0, false
	for i := range p.list {
		q := &p.list[i]
		switch {
		case found && q.hit: // it can tell nothing new
		case q.re.MatchString(text):
			found, q.hit = true, true
		case !q.hit:
			missed = true
			if q.near == "" && q.anyCase != nil && q.anyCase.MatchString(text) {
				q.near = name
			}
		}
	}
	if missed && max(len(p.names), len(p.texts)) < maxNames {
		if text != name && !p.seen[text+"\n"] {
			p.seen[text+"\n"] = true
			p.texts = append(p.texts, text)
		}
		if alias != "" {
			name += "\t" + alias
		}
		if !p.seen[name] {
			p.seen[name] = true
			p.names = append(p.names, name)
		}
	}
	return found
}

// warn says which patterns matched nothing, with a hint.
func (p *patterns) warn(m *messages) {
	for i := range p.list {
		q := &p.list[i]
		if q.hit {
			continue
		}
		m.warning("no %s matches %s %s", p.what, p.flag, shellQuote(q.text))
		if q.near != "" {
			m.hint("upper and lower case count: %s %s matches %q", p.flag, shellQuote("(?i)"+q.text), q.near)
			continue
		}
		texts, all := sameWords(q.text, p.texts)
		names := quoted(nearestNames(q.text, p.names))
		switch {
		case len(texts) > 0 && (all || len(names) == 0):
			m.hint("%s", p.inOtherOrder(q.text, texts, all))
		case len(names) > 0:
			m.hint("%s", didYouMean(names))
		default:
			if text := p.some(); text != "" {
				m.hint("%s", text)
			}
		}
	}
}

// inOtherOrder returns the hint that names texts with the words of an expression;
// all is set where no word differs in a letter.
func (p *patterns) inOtherOrder(expression string, texts []string, all bool) string {
	if all {
		if better := inOrderOf(expression, texts[0]); better != nil {
			text := fmt.Sprintf("the order of words counts: %s %s matches %q", p.flag, shellQuote(better.String()), texts[0])
			n := 0
			for _, t := range texts[1:] {
				if better.MatchString(t) {
					n++
				}
			}
			if n > 0 {
				text += fmt.Sprintf(" and %d more", n)
			}
			return text
		}
	}
	list := quoted(texts[:min(len(texts), maxSuggestions)])
	if n := len(texts) - len(list); n > 0 {
		list[len(list)-1] += fmt.Sprintf(" (and %d more)", n)
	}
	return didYouMean(list)
}

// some names the first few of what there is to match.
func (p *patterns) some() string {
	const most = 5
	var names []string
	for _, n := range p.names {
		if n, _, _ = strings.Cut(n, "\t"); n != "" {
			names = append(names, n)
		}
	}
	if len(names) == 0 {
		return ""
	}
	text := "there are the " + p.what + "s " + strings.Join(quoted(names[:min(len(names), most)]), ", ")
	if len(names) > most {
		text += fmt.Sprintf(" and %d more", len(names)-most)
	}
	return text
}

func quoted(names []string) []string {
	list := make([]string, len(names))
	for i, n := range names {
		list[i] = fmt.Sprintf("%q", n)
	}
	return list
}

// plainWord matches what a shell takes as it is.
var plainWord = regexp.MustCompile(`^[A-Za-z0-9_@%+:,./][A-Za-z0-9_@%+:,./-]*$`)

// shellWord returns text as one word of a shell's line, in quotes where it needs
// them.
func shellWord(text string) string {
	if plainWord.MatchString(text) {
		return text
	}
	return shellQuote(text)
}

// shellQuote returns text as one word of a shell's line, in quotes.
func shellQuote(text string) string {
	return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
}
