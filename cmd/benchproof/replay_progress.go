package main

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"

	"github.com/benchproof/benchproof/internal/phrase"
	"github.com/benchproof/benchproof/internal/term"
	"github.com/benchproof/benchproof/replay"
)

// replayProgress tells how far a replay is: with bars on a terminal, else with
// one line a repetition, or with one object an event. It writes to stderr.
type replayProgress struct {
	e *env
	m *messages

	mu       sync.Mutex
	bars     *mpb.Progress
	all, one *mpb.Bar
	started  time.Time // of the repetition
	last     replay.Progress
	stop     chan struct{}
	ticking  sync.WaitGroup
}

func newReplayProgress(e *env, m *messages) *replayProgress {
	p := &replayProgress{e: e, m: m}
	if m.g.progress != "auto" || m.g.quiet || !e.stderrTerminal {
		return p
	}
	p.bars = mpb.New(mpb.WithOutput(e.stderr), mpb.WithAutoRefresh(), mpb.WithWidth(e.lineWidth()))
	style := mpb.BarStyle()
	if m.g.ascii {
		style = style.Lbound("[").Filler("=").Tip(">").Padding("-").Rbound("]")
	}
	width := mpb.BarWidth(barWidth(e.lineWidth()))
	p.one = p.bars.New(1000, style, width, mpb.PrependDecorators(decor.Any(func(decor.Statistics) string { return p.stepText() })))
	p.all = p.bars.New(1, style, width, mpb.PrependDecorators(decor.Any(func(decor.Statistics) string { return p.allText() })))
	p.stop = make(chan struct{})
	p.ticking.Add(1)
	go p.tick()
	return p
}

// barWidth returns the width of a bar in lines of that width: the text before
// it takes the rest.
func barWidth(line int) int { return max(line/4, 10) }

// textWidth is the width of the text before a bar.
func (p *replayProgress) textWidth() int {
	return max(p.e.lineWidth()-barWidth(p.e.lineWidth())-2, 20)
}

// tick moves the bar of a repetition on by its time.
func (p *replayProgress) tick() {
	defer p.ticking.Done()
	t := time.NewTicker(200 * time.Millisecond)
	defer t.Stop()
	for {
		select {
		case <-p.stop:
			return
		case <-t.C:
			p.advance()
		}
	}
}

// advance moves the bar. That waits until the bar takes it, and while the bar is
// drawn it waits for its text, which needs the lock: so not under it.
func (p *replayProgress) advance() {
	p.mu.Lock()
	expected, started := p.last.Expected, p.started
	p.mu.Unlock()
	if expected > 0 && !started.IsZero() {
		done := float64(time.Since(started)) / float64(expected)
		p.one.SetCurrent(int64(1000 * min(done, 0.999)))
	}
}

// mark returns what stands for a cut.
func (p *replayProgress) mark() string {
	if p.m.g.ascii {
		return "..."
	}
	return "…"
}

func (p *replayProgress) stepText() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.started.IsZero() {
		return ""
	}
	tail := fmt.Sprintf(" #%d %s ", p.last.Rep, durationText(time.Since(p.started).Seconds()))
	head := p.last.Run + " on " + p.last.Target
	if p.last.Step != "" {
		head = p.last.Step + ": " + head
	}
	room := p.textWidth() - len(tail)
	return term.Pad(term.Cut(term.Visible(head), room, p.mark()), room, false) + tail
}

func (p *replayProgress) allText() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	text := fmt.Sprintf("%d of %s", p.last.Finished, phrase.Count(p.last.Total, "repetition"))
	if p.last.Failures > 0 {
		text += fmt.Sprintf(", %d given up", p.last.Failures)
	}
	if left := p.last.Left - since(p.started); left > 0 {
		text += ", about " + durationText(left.Seconds()) + " left"
	}
	return term.Pad(term.Cut(text, p.textWidth(), p.mark()), p.textWidth(), false)
}

// since returns how long ago a time was; 0 for none.
func since(t time.Time) time.Duration {
	if t.IsZero() {
		return 0
	}
	return time.Since(t)
}

// tell is told what happens.
func (p *replayProgress) tell(e replay.Progress) {
	switch {
	case p.m.g.progress == "json":
		p.object(e)
	case p.m.g.progress == "none" || p.m.g.quiet:
	case p.bars != nil:
		p.draw(e)
	default:
		if text := p.line(e); text != "" {
			p.m.line("info", text)
		}
	}
}

// draw brings the bars up to an event. What has ended stays above them as a
// line.
func (p *replayProgress) draw(e replay.Progress) {
	p.mu.Lock()
	switch e.Kind {
	case replay.Started:
		p.started = time.Now()
	case replay.StepStarted:
		e.Expected = p.last.Expected
	case replay.Done, replay.Failed, replay.Ended:
		p.started = time.Time{}
	}
	p.last = e
	p.mu.Unlock()
	if e.Kind == replay.Started {
		p.one.SetCurrent(0)
	}
	p.all.SetTotal(int64(max(e.Total, 1)), false)
	p.all.SetCurrent(int64(e.Finished + e.Failures))
	if text := p.line(e); text != "" {
		cut := term.Cut(term.Visible(text), p.e.lineWidth()-1, p.mark())
		_, _ = io.WriteString(p.bars, cut+"\n") // stderr that is gone is nobody's loss
	}
}

// line says an event that is worth a line, "" for others.
func (p *replayProgress) line(e replay.Progress) string {
	what := fmt.Sprintf("%s on %s", e.Run, e.Target)
	switch e.Kind {
	case replay.Done:
		var values []string
		for _, v := range e.Values {
			switch {
			case v.Text != "":
				values = append(values, v.Metric+" "+v.Text)
			case v.Reason != "":
				values = append(values, v.Metric+" not published: "+v.Reason)
			}
		}
		count := fmt.Sprintf("%d/%d", e.Finished+e.Failures, e.Total)
		text := fmt.Sprintf("%s on %s: %s: %s (%s)", count, e.Target, strings.Join(values, ", "), e.Run, durationText(e.Seconds))
		if len(e.Warnings) > 0 {
			text += "; " + strings.Join(e.Warnings, "; ")
		}
		return text
	case replay.Failed:
		return fmt.Sprintf("failed: %s: %s (%s)", what, e.Reason, e.Dir)
	case replay.Noted:
		if e.Run == "" {
			return e.Reason
		}
		return what + ": " + e.Reason
	}
	return ""
}

// object writes an event as one line of JSON.
func (p *replayProgress) object(e replay.Progress) {
	type value struct {
		Metric string `json:"metric"`
		Value  string `json:"value"`
		Reason string `json:"reason,omitempty"`
	}
	values := []value{}
	for _, v := range e.Values {
		if v.Text != "" || v.Reason != "" {
			values = append(values, value{v.Metric, v.Text, v.Reason})
		}
	}
	text, err := json.Marshal(struct {
		Event      string   `json:"event"`
		Kind       string   `json:"kind"`
		Run        string   `json:"run,omitempty"`
		Target     string   `json:"target,omitempty"`
		Repetition int      `json:"repetition,omitempty"`
		Step       string   `json:"step,omitempty"`
		Reason     string   `json:"reason,omitempty"`
		Log        string   `json:"log,omitempty"`
		Values     []value  `json:"values,omitempty"`
		Warnings   []string `json:"warnings,omitempty"`
		Seconds    float64  `json:"seconds,omitempty"`
		Done       int      `json:"done"`
		GivenUp    int      `json:"given_up"`
		Total      int      `json:"total"`
		Left       float64  `json:"seconds_left"`
	}{
		"replay", e.Kind, e.Run, e.Target, e.Rep, e.Step, e.Reason, e.Dir, values, e.Warnings, e.Seconds,
		e.Finished, e.Failures, e.Total, e.Left.Round(time.Second).Seconds(),
	})
	if err != nil {
		return // strings and numbers cannot fail
	}
	p.m.object(text)
}

// end takes the bars away.
func (p *replayProgress) end() {
	if p.bars == nil {
		return
	}
	close(p.stop)
	p.ticking.Wait()
	p.one.Abort(true)
	p.all.Abort(true)
	p.bars.Wait()
}
