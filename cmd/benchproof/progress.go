package main

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/benchproof/benchproof/internal/term"
)

// progressAfter is how long work goes on before it shows progress.
const progressAfter = time.Second

// progress tells how far the reading of inputs is: on a terminal as one line
// that comes after a second and goes at the end, with --progress=json as one
// object an input on stderr.
type progress struct {
	e     *env
	m     *messages
	total int
	begun time.Time
}

func newProgress(e *env, m *messages, total int) *progress {
	return &progress{e: e, m: m, total: total, begun: e.now()}
}

// at says that input i, counted from 0, is being read.
func (p *progress) at(i int, name string) {
	switch p.m.g.progress {
	case "json":
		p.json(i, name)
	case "auto":
		if p.e.stderrTerminal && !p.m.g.quiet && p.e.now().Sub(p.begun) >= progressAfter {
			p.m.show(fmt.Sprintf("reading %d of %d: %s", i+1, p.total, name))
		}
	}
}

// end takes the line away.
func (p *progress) end() {
	switch p.m.g.progress {
	case "json":
		p.json(p.total, "")
	case "auto":
		p.m.show("")
	}
}

func (p *progress) json(done int, name string) {
	line, err := json.Marshal(struct {
		Event string `json:"event"`
		Done  int    `json:"done"`
		Total int    `json:"total"`
		Input string `json:"input,omitempty"`
	}{"progress", done, p.total, name})
	if err != nil {
		return // a struct of strings and numbers cannot fail
	}
	fmt.Fprintf(p.e.stderr, "%s\n", term.EscapeJSON(line))
}

// show puts text in the place of the progress line; "" takes it away.
func (m *messages) show(text string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if text == m.status {
		return
	}
	m.status = text
	fmt.Fprintf(m.e.stderr, "\r\x1b[K%s", term.Cut(term.Visible(text), m.e.lineWidth()-1, "…"))
}
