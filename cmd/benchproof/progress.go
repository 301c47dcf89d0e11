package main

import (
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/benchproof/benchproof/internal/term"
)

const (
	// progressAfter is how long work goes on before it shows progress, and
	// before a rate says anything.
	progressAfter = time.Second
	// progressEvery is how often progress within an input is shown.
	progressEvery = 200 * time.Millisecond
)

// progress tells how far the reading of inputs is: on a terminal as one line
// that comes after a second and goes at the end, with --progress=json as
// objects on stderr, one an input and one a second within a large one.
type progress struct {
	e     *env
	m     *messages
	now   func() time.Time
	begun time.Time

	total  int   // inputs
	bytes  int64 // of all inputs
	known  bool  // bytes is the size of all inputs: stdin has none
	before []int64

	mu   sync.Mutex
	due  bool // the second is over
	i    int
	name string
	in   int64 // bytes of input i that were read
	last time.Time
	stop func() // stops the clock
}

func newProgress(e *env, m *messages, list []input) *progress {
	p := &progress{e: e, m: m, now: time.Now, total: len(list), known: true, stop: func() {}}
	p.before = make([]int64, len(list)+1)
	for i := range list {
		p.before[i] = p.bytes
		p.bytes += list[i].size
		p.known = p.known && list[i].path != "-"
	}
	p.before[len(list)] = p.bytes
	p.begun = p.now()
	if m.g.progress == "auto" && e.stderrTerminal && !m.g.quiet {
		p.stop = e.after(progressAfter, func() {
			p.mu.Lock()
			defer p.mu.Unlock()
			p.due = true
			p.show()
		})
	}
	return p
}

// at says that input i, counted from 0, is being read.
func (p *progress) at(i int, name string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.i, p.name, p.in, p.last = i, name, 0, p.now()
	if p.m.g.progress == "json" {
		p.json()
		return
	}
	p.show()
}

// within says how many bytes of the input were read.
func (p *progress) within(bytes int64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.in = bytes
	every := progressEvery
	if p.m.g.progress == "json" {
		every = progressAfter
	}
	now := p.now()
	if now.Sub(p.last) < every {
		return
	}
	p.last = now
	if p.m.g.progress == "json" {
		p.json()
		return
	}
	p.show()
}

// end takes the line away.
func (p *progress) end() {
	p.stop()
	p.mu.Lock()
	defer p.mu.Unlock()
	p.i, p.name, p.in = p.total, "", 0
	if p.m.g.progress == "json" {
		p.json()
		return
	}
	p.due = false
	p.m.show("")
}

// rate returns bytes a second, and the seconds that the rest takes at it; 0
// where nobody knows.
func (p *progress) rate() (rate, left float64) {
	seconds := p.now().Sub(p.begun).Seconds()
	done := p.done()
	if seconds < progressAfter.Seconds() || done == 0 {
		return 0, 0
	}
	rate = float64(done) / seconds
	if p.known {
		left = float64(max(p.bytes-done, 0)) / rate
	}
	return rate, left
}

func (p *progress) done() int64 { return p.before[p.i] + p.in }

// show shows the line, if it is time.
func (p *progress) show() {
	if !p.due || p.name == "" {
		return
	}
	line := fmt.Sprintf("reading %d of %d: %s", p.i+1, p.total, p.name)
	if rate, left := p.rate(); rate > 0 {
		of := ""
		if p.known {
			of = " of " + megabytes(float64(p.bytes))
		}
		line = fmt.Sprintf("%s%s, %s/s", megabytes(float64(p.done())), of, megabytes(rate))
		if p.known {
			line += ", " + duration(left) + " left"
		}
		line = fmt.Sprintf("reading %d of %d, %s: %s", p.i+1, p.total, line, p.name)
	}
	p.m.show(line)
}

// megabytes prints bytes as people read them.
func megabytes(n float64) string {
	for _, unit := range []string{"B", "kB", "MB", "GB"} {
		if n < 999.5 {
			if unit == "B" || n >= 99.95 {
				return fmt.Sprintf("%.0f %s", n, unit)
			}
			return fmt.Sprintf("%.1f %s", n, unit)
		}
		n /= 1000
	}
	return fmt.Sprintf("%.1f TB", n)
}

// duration prints seconds, without more precision than a guess has.
func duration(seconds float64) string {
	d := time.Duration(seconds * float64(time.Second)).Round(time.Second)
	if d < time.Second {
		return "under 1 s"
	}
	if d < time.Minute {
		return fmt.Sprintf("%d s", int(d.Seconds()))
	}
	text := d.Round(time.Minute).String() // 1h5m0s
	text = strings.TrimSuffix(text, "0s")
	return strings.NewReplacer("h", " h ", "m", " min").Replace(text)
}

// json prints an object: inputs and bytes that are done, of how many, and once
// it says something the bytes a second and the seconds left.
func (p *progress) json() {
	rate, left := p.rate()
	event := struct {
		Event  string  `json:"event"`
		Done   int     `json:"done"`
		Total  int     `json:"total"`
		Input  string  `json:"input,omitempty"`
		Bytes  int64   `json:"bytes"`
		Of     *int64  `json:"total_bytes,omitempty"`
		Rate   int64   `json:"bytes_per_second,omitempty"`
		Second float64 `json:"seconds_left,omitempty"`
	}{Event: "progress", Done: p.i, Total: p.total, Input: p.name, Bytes: p.done(), Rate: int64(rate), Second: float64(int(left*10)) / 10}
	if p.known {
		event.Of = &p.bytes
	}
	line, err := json.Marshal(event)
	if err != nil {
		return // a struct of strings and numbers cannot fail
	}
	p.m.object(line)
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
