package cluster

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"github.com/benchproof/benchproof/replay"
)

// statusSchema names the JSON form of a Status: the value of its key "schema".
const statusSchema = "benchproof/cluster-status/1"

// States of an element.
const (
	Waiting = "waiting" // in the queue
	Running = "running"
	Done    = "done"    // all is done, and vouched for
	Failed  = "failed"  // ended, with runs that were given up, or nothing could run
	Stopped = "stopped" // at its time limit: what is done is kept, the rest is in no queue
	Lost    = "lost"    // neither in the queue nor ended: killed, or its node is gone
	Unknown = "unknown" // the queue cannot be asked
)

// Status is how far a job is.
type Status struct {
	Schema    string `json:"schema"`
	ID        string `json:"id"`
	Dir       string `json:"dir"`
	Source    string `json:"source"`
	Scheduler string `json:"scheduler"` // slurm
	// QueueError is why the queue could not be asked, "" if it was.
	QueueError string `json:"queue_error"`
	// Done, Failed and Total count repetitions of all elements.
	Done   int `json:"done"`
	Failed int `json:"failed"`
	Total  int `json:"total"`
	// Left is how long the element with most to do is likely to take, in
	// seconds, if all run at once; nil if unknown.
	Left     *float64        `json:"seconds_left"`
	Elements []ElementStatus `json:"elements"`
}

// ElementStatus is how far an element is.
type ElementStatus struct {
	Element int      `json:"element"`
	Host    string   `json:"host"`
	Targets []string `json:"targets"`
	State   string   `json:"state"`
	// Queue is the word of the queue, "" where it has nothing of the element.
	Queue  string `json:"queue"`
	JobID  string `json:"job_id"` // of the array and the element: "12_3"
	Reason string `json:"reason"`
	// Restarts is how often the queue has started it again.
	Restarts int `json:"restarts"`
	Done     int `json:"done"`
	Failed   int `json:"failed"`
	Total    int `json:"total"`
	// Left is in seconds; nil if unknown.
	Left *float64 `json:"seconds_left"`
	// Run is what runs now, or ran when it was killed; "" for nothing.
	Run     string `json:"run"`
	Journal string `json:"journal"`
	Log     string `json:"log"`
}

// Resumable reports whether submitting the element again can go on with it.
func (e *ElementStatus) Resumable() bool {
	return e.State == Failed || e.State == Stopped || e.State == Lost
}

// ReadStatus asks the queue and reads the journals of a job. A queue that cannot
// be asked is no error: see Status.QueueError.
func ReadStatus(ctx context.Context, dir string) (*Status, error) {
	j, p, err := ReadJob(dir)
	if err != nil {
		return nil, err
	}
	s := &Status{Schema: statusSchema, ID: j.ID, Dir: dir, Source: j.Source, Scheduler: j.Engine}
	queue, err := j.queue(ctx)
	if err != nil {
		if ctx.Err() != nil {
			return nil, err
		}
		s.QueueError = err.Error()
	}
	return s, j.read(s, p, queue)
}

// read fills in the elements; queue is nil where it could not be asked.
func (j *Job) read(s *Status, p *replay.Plan, queue map[int]*queued) error {
	var longest float64
	known := true
	for i := range j.Elements {
		e, err := j.element(s.Dir, i, p, queue)
		if err != nil {
			return err
		}
		s.Elements = append(s.Elements, *e)
		s.Done += e.Done
		s.Failed += e.Failed
		s.Total += e.Total
		switch {
		case e.State == Done || e.State == Failed:
		case e.Left == nil:
			known = false
		default:
			longest = max(longest, *e.Left)
		}
	}
	if known {
		s.Left = &longest
	}
	return nil
}

// element returns the status of an element.
func (j *Job) element(dir string, i int, p *replay.Plan, queue map[int]*queued) (*ElementStatus, error) {
	e := &ElementStatus{
		Element: i, Host: j.Elements[i].Host, Targets: j.Elements[i].Targets,
		Journal: ElementDir(dir, i), Log: logFile(dir, i),
	}
	own, err := replay.ReadStatus(e.Journal)
	switch {
	case err == nil:
		e.Done, e.Failed, e.Total = own.Done, own.Failed, own.Total
		e.Left = &own.Left
		if own.Running != nil {
			e.Run = strings.TrimSpace(own.Running.Test + " " + own.Running.Row)
		}
	case !errors.Is(err, fs.ErrNotExist) && begun(e.Journal):
		return nil, err
	default:
		e.expect(p)
	}
	last, err := readGo(dir, i)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	e.Restarts = last.Restart
	if own != nil && last.State == "" {
		last.State = began // before it was submitted again
	}
	q := queue[i]
	if q != nil {
		e.Queue, e.JobID = q.State, q.Array+"_"+fmt.Sprint(i)
	}
	m, err := j.readManifest(dir, i)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	e.settle(m, &last, q, queue != nil, own != nil && own.State == "running")
	if e.State != Running && e.State != Lost {
		e.Run = ""
	}
	return e, nil
}

// expect counts what an element is to do of which there is no journal.
func (e *ElementStatus) expect(p *replay.Plan) {
	seen := make(map[string]bool)
	left, known := 0.0, true
	for i := range p.Steps {
		s := &p.Steps[i]
		if s.RunID == "" || seen[s.RunID] || !contains(e.Targets, s.Target) {
			continue
		}
		seen[s.RunID] = true
		e.Total += s.Runs
		if s.Seconds == nil {
			known = false
			continue
		}
		left += float64(s.Runs) * *s.Seconds
	}
	if known && len(seen) > 0 {
		e.Left = &left
	}
}

func contains(list []string, s string) bool {
	for _, x := range list {
		if x == s {
			return true
		}
	}
	return false
}

// settle finds the element's state of its manifest, its last go, the queue and
// its journal's lock.
func (e *ElementStatus) settle(m *manifest, last *attempt, q *queued, asked, locked bool) {
	queued := q != nil && !q.over()
	switch {
	case queued && q.waits():
		e.State = Waiting
		if q.Reason != "None" {
			e.Reason = q.Reason
		}
		if last.State != "" {
			e.Reason = strings.TrimPrefix(e.Reason+"; it has begun before and goes on from there", "; ")
		}
	case queued:
		e.State = Running
	case m != nil && m.Failed > 0:
		e.State, e.Reason = Failed, fmt.Sprintf("given up: %d of its runs", m.Failed)
	case m != nil:
		e.State = Done
	case !asked && locked:
		e.State = Running
	case !asked && last.State != failed:
		e.State = Unknown
	case last.State == failed:
		e.State, e.Reason = Failed, last.Reason
	case last.State == stopped || q != nil && q.State == "TIMEOUT":
		e.State, e.Reason = Stopped, last.Reason
		if q != nil && q.State == "TIMEOUT" {
			e.Reason = "the queue's time limit"
		}
	case q != nil:
		e.State, e.Reason = Lost, "the queue says "+q.State
	case last.State == "":
		e.State, e.Reason = Lost, "it has not begun and is not in the queue"
	default:
		e.State, e.Reason = Lost, "it has begun, has not ended, and is not in the queue"
	}
}

// Prepare makes elements ready to be submitted again: what vouched for their end
// is removed, and what they have done stays.
func Prepare(dir string, elements []int) error {
	for _, i := range elements {
		if err := removeManifest(dir, i); err != nil {
			return err
		}
		if err := os.Remove(goFile(dir, i)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}
