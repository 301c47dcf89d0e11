package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"

	"github.com/benchproof/benchproof/internal/phrase"
	"github.com/benchproof/benchproof/internal/term"
	"github.com/benchproof/benchproof/result"
)

// messages prints what is not data, to stderr, a line each:
//
//	benchproof: error: …
//	benchproof: warning: name:line:col: …
//	benchproof: hint: …
//	benchproof: info: …
//
// Text of an input is made visible first, and shortened. It is safe for
// concurrent use.
type messages struct {
	mu     sync.Mutex
	e      *env
	g      *globals
	status string // the progress line that stands on the terminal
}

func newMessages(e *env, g *globals) *messages { return &messages{e: e, g: g} }

// line prints one line, over the progress line if there is one.
func (m *messages) line(kind, text string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	clear := ""
	if m.status != "" {
		clear, m.status = "\r\x1b[K", ""
	}
	fmt.Fprintf(m.e.stderr, "%sbenchproof: %s: %s\n", clear, kind, brief(term.Visible(text)))
}

// object prints a JSON document on a line of its own.
func (m *messages) object(doc []byte) {
	m.mu.Lock()
	defer m.mu.Unlock()
	fmt.Fprintf(m.e.stderr, "%s\n", term.EscapeJSON(doc))
}

func (m *messages) warning(format string, args ...any) {
	if !m.g.quiet {
		m.line("warning", fmt.Sprintf(format, args...))
	}
}

// hint prints what to try after a warning.
func (m *messages) hint(format string, args ...any) {
	if !m.g.quiet {
		m.line("hint", fmt.Sprintf(format, args...))
	}
}

// unread prints the error of an input, after which others are read.
func (m *messages) unread(err error) { m.line("error", plainError(err)) }

// maxDiagnostics is how many errors and how many other diagnostics of one file
// are printed unless --verbose asks for all: no number of doubts hides what was
// lost.
const maxDiagnostics = 10

// diagnostics prints what the readers said about f, whose input is shown as
// name. Doubt about the components of systems is left out where they are not
// part of the output.
func (m *messages) diagnostics(f *result.File, name string, systems bool) {
	if m.g.quiet {
		return
	}
	left := 0
	printed := map[bool]int{} // by whether they are errors
	for _, d := range f.Diagnostics {
		lost := d.Severity == result.SeverityError
		switch {
		case m.g.verbose:
		case d.Severity == result.SeverityInfo, d.Severity != result.SeverityError && !systems && aboutComponents(d.Code):
			continue
		case printed[lost] == maxDiagnostics:
			left++
			continue
		}
		printed[lost]++
		m.line(string(d.Severity), diagnosticText(f, d, name))
	}
	if left > 0 {
		m.line("warning", fmt.Sprintf("%s: %d more; benchproof check lists all", name, left))
	}
}

// aboutComponents reports whether a diagnostic doubts how the components of
// systems were told apart, and nothing else.
func aboutComponents(code string) bool {
	return code == "components-ambiguous" || code == "components-inferred"
}

// diagnosticText returns "name:line:col: message", without place where it is
// unknown.
func diagnosticText(f *result.File, d result.Diagnostic, name string) string {
	if d.Origin.Source != "" && d.Origin.Source != f.Source {
		name = d.Origin.Source
	}
	if d.Origin.Line == 0 {
		return name + ": " + d.Message
	}
	return fmt.Sprintf("%s:%d:%d: %s", name, d.Origin.Line, d.Origin.Column, d.Message)
}

// error prints the error that ends the command, with its hint: with --json as
// an object, else in words. A reader of stdout that went away, which the end by
// SIGPIPE tells, and an answer that was given need no words.
func (m *messages) error(err error) {
	var e *exitError
	var gone *goneError
	out, piped := m.e.stdout.(*pipeWriter)
	if errors.As(err, &gone) && piped && out.gone.Load() || errors.Is(err, errAnswerNo) {
		return
	}
	text, hint := plainError(err), ""
	if errors.Is(err, context.Canceled) {
		text = "interrupted"
	} else if errors.As(err, &e) {
		hint = e.hint
	}
	if m.g.json {
		m.show("")
		m.jsonError(text, hint, exitCode(err))
		return
	}
	m.line("error", text)
	if hint != "" {
		m.line("hint", hint)
	}
}

// errorSchema names the JSON form of the error that ends a command.
const errorSchema = "benchproof/error/1"

// errorDocument is that form.
type errorDocument struct {
	Schema   string `json:"schema"`
	Error    string `json:"error"`
	Hint     string `json:"hint,omitempty"`
	ExitCode int    `json:"exit_code"`
}

func (m *messages) jsonError(text, hint string, code int) {
	doc, err := json.Marshal(errorDocument{errorSchema, brief(strings.ToValidUTF8(text, "\ufffd")), brief(hint), code})
	if err != nil {
		return // a struct of strings cannot fail
	}
	m.object(doc)
}

// passOver adds the error of a file in a directory that is no result to those
// before it, and says so now if --verbose asks for all.
func (m *messages) passOver(before []error, err error) []error {
	if m.g.verbose {
		m.warning("%v: passed over", err)
	}
	return append(before, err)
}

// passedOver says what passOver did not say of each, in one line: a saved page
// has dozens of files beside it.
func (m *messages) passedOver(errs []error) {
	switch {
	case len(errs) == 0 || m.g.verbose:
	case len(errs) == 1:
		m.warning("%v: passed over", errs[0])
	default:
		m.warning("no result in %s, passed over; --verbose names them", phrase.Count(len(errs), "file"))
	}
}
