package main

import (
	"encoding/json"
	"fmt"
	"sync"
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

	mu   sync.Mutex
	due  bool   // the second is over
	text string // of the line
	stop func() // stops the clock
}

func newProgress(e *env, m *messages, total int) *progress {
	p := &progress{e: e, m: m, total: total, stop: func() {}}
	if m.g.progress == "auto" && e.stderrTerminal && !m.g.quiet {
		p.stop = e.after(progressAfter, func() {
			p.mu.Lock()
			defer p.mu.Unlock()
			p.due = true
			p.m.show(p.text)
		})
	}
	return p
}

// at says that input i, counted from 0, is being read.
func (p *progress) at(i int, name string) {
	if p.m.g.progress == "json" {
		p.json(i, name)
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.text = fmt.Sprintf("reading %d of %d: %s", i+1, p.total, name)
	if p.due {
		p.m.show(p.text)
	}
}

// end takes the line away.
func (p *progress) end() {
	if p.m.g.progress == "json" {
		p.json(p.total, "")
		return
	}
	p.stop()
	p.mu.Lock()
	defer p.mu.Unlock()
	p.text = ""
	p.m.show("")
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
	mark := "…"
	if m.g.ascii {
		mark = "..."
	}
	fmt.Fprintf(m.e.stderr, "\r\x1b[K%s", term.Cut(term.Visible(text), m.e.lineWidth()-1, mark))
}
